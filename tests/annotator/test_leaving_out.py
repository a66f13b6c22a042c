"""Essays of a preview that resemble others: left out by whoever sent them, and taken in again."""

from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import Essay, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.imports.staging import leave_out
from tests.annotator.files import MARKED, PLAIN, upload
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

SENT = {
    "0001.txt": PLAIN,
    "0002.txt": PLAIN,
    "0002_exp1.txt": MARKED,
    "0003.txt": f"{PLAIN} More.",
    "0003 (1).txt": f"{PLAIN} More.",
}
NO_NUMBER = (
    "There is no number of an essay, which is digits, in the name: “README” becomes the number. "
    "Leave the file out if it is no essay."
)
SAME = "It has the same text as essay 0001."
OUT = "refused Essay 0002 was left out, with all that belongs to it. Take it in after all"


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def preview(coordinator):
    files = [upload(name, text) for name, text in SENT.items()]
    coordinator.post("/import/", {"essay_set": EssaySetFactory().pk, "files": files})
    return EssayImport.objects.latest("pk")


@pytest.fixture
def choose(coordinator, preview):
    def post(**fields):
        return coordinator.post(f"/imports/{preview.pk}/leave-out/", fields, follow=True)

    return post


def rows(response):
    return texts_of(response, "table.files tbody tr")


def facts(response):
    return dict(zip(texts_of(response, "dt"), map(int, texts_of(response, "dd")), strict=True))


def test_an_essay_with_the_text_of_another_is_left_out_with_its_markups(
    coordinator, preview, choose
):
    shown = coordinator.get(f"/imports/{preview.pk}/")
    assert f"0002.txt new essay {SAME} Leave it out" in rows(shown)
    assert facts(shown) == {
        "New essays": 4,
        "Markups": 1,
        "New accounts": 1,
        "Third checks called": 0,
    }

    left = choose(number="0002")

    assert rows(left)[:2] == [f"0002.txt {OUT}", f"0002_exp1.txt {OUT}"]
    assert list(facts(left).values()) == [3, 0, 0, 0]
    coordinator.post(f"/imports/{preview.pk}/confirm/")
    assert sorted(Essay.objects.values_list("number", flat=True)) == ["0001", "0003", "0003 (1)"]
    assert MarkupRecord.objects.count() == 0
    assert not User.objects.filter(username="exp1").exists()
    done = coordinator.get(f"/imports/{preview.pk}/")
    assert rows(done)[0] == f"0002.txt {OUT.removesuffix(' Take it in after all')}"


def test_what_was_left_out_is_taken_in_after_all(coordinator, preview, choose):
    before = rows(coordinator.get(f"/imports/{preview.pk}/"))
    choose(number="0002")

    after = choose(number="0002", back="1")

    assert rows(after) == before
    assert list(facts(after).values()) == [4, 1, 1, 0]


def test_all_that_resemble_others_are_left_out_at_once(preview, choose):
    left = choose(outcome="refused")

    preview.refresh_from_db()
    assert preview.left_out == ["0002", "0003 (1)"]
    assert preview.essays == 2
    tabs = page_of(left).find(".tab[aria-current]")
    assert [tab.text for tab in tabs] == ["Refused 3"]


def test_the_first_of_two_left_out_leaves_nothing_to_remark_on_the_second(choose):
    shown = choose(number="0001")

    assert "0002.txt new essay" in rows(shown)


def test_a_second_press_changes_nothing(choose):
    first = rows(choose(number="0002"))

    assert rows(choose(number="0002")) == first
    assert rows(choose(number="nothing of these")) == first


def test_what_is_under_way_leaves_nothing_out(coordinator, preview, choose):
    looked = EssayImport.objects.get(pk=preview.pk)
    coordinator.post(f"/imports/{preview.pk}/confirm/")

    answer = choose(number="0002")

    assert answer.status_code == 422
    assert Essay.objects.count() == 4
    with pytest.raises(Refused):
        leave_out(batch=looked, numbers=["0002"], actor=looked.actor)


def test_nobody_else_chooses(log_in, preview):
    for role, status in (("coordinator", 404), ("organiser", 404), ("expert", 403)):
        stranger = log_in(PersonFactory(role=role))
        answer = stranger.post(f"/imports/{preview.pk}/leave-out/", {"number": "0002"})
        assert answer.status_code == status
    preview.refresh_from_db()
    assert preview.left_out == []


def test_a_text_whose_name_has_no_number_is_remarked_on_and_can_be_left_out(coordinator):
    files = [upload("0001.txt", PLAIN), upload("README.txt", f"{PLAIN} Read me.")]
    coordinator.post("/import/", {"essay_set": EssaySetFactory().pk, "files": files})
    batch = EssayImport.objects.latest("pk")

    remarked = coordinator.get(f"/imports/{batch.pk}/?outcome=remarked")
    form = page_of(remarked).one("table.files form")
    coordinator.post(f"/imports/{batch.pk}/leave-out/", {"number": "README"})
    coordinator.post(f"/imports/{batch.pk}/confirm/")

    assert rows(remarked) == [f"README.txt new essay {NO_NUMBER} Leave it out"]
    assert form.one("[name=number]")["value"] == "README"
    assert list(Essay.objects.values_list("number", flat=True)) == ["0001"]
