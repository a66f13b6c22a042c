"""What an import's pages say of surprises, of previews that are gone, and of what it called."""

from __future__ import annotations

import pytest

from annotator.models import Essay
from annotator.models.imports import EssayImport, ImportUpload
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, selection, upload
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import texts_of
from tests.scoring.work import run_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory()


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def send(log_in, coordinator, essay_set):
    """Choose files and look at what they would do."""

    def post(*files):
        fields = {"essay_set": essay_set.pk, "subject": "", "files": list(files)}
        return log_in(coordinator).post("/import/", fields, follow=True)

    return post


@pytest.fixture
def confirm(log_in, coordinator):
    """Say the word about the latest preview."""

    def post():
        batch = EssayImport.objects.latest("pk")
        return log_in(coordinator).post(f"/imports/{batch.pk}/confirm/", follow=True)

    return post


def outcomes(response):
    return texts_of(response, "table.files tbody tr")


def test_the_result_tells_the_third_checks_it_called_as_they_come(
    send, confirm, log_in, coordinator, essay_set
):
    PersonFactory()
    mistakes = [
        selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")
    ]
    files = [
        exchanged("0001.json"),
        exchanged("0001_exp1.json"),
        exchanged("0001_exp2.json", selections=mistakes),
    ]
    send(*(upload(file.name, file.data) for file in files))

    before = confirm()
    run_all()
    after = log_in(coordinator).get(f"/imports/{EssayImport.objects.get().pk}/")

    foreseen = "By the rule the two checks of these essays call a third one: 0001"
    assert [texts_of(page, "#thirds") for page in (before, after)] == [[foreseen]] * 2
    assert [texts_of(page, "#called") for page in (before, after)] == [
        ["0 third checks were given to experts so far. To the desk of the set"],
        ["1 third check was given to an expert so far. To the desk of the set"],
    ]
    assert f'href="/desk/?set={essay_set.name}"' in after.text


def test_an_expired_preview_says_that_it_expired(send, log_in, coordinator):
    send(upload("0001.txt", PLAIN))
    EssayImport.objects.update(state="expired")

    page = log_in(coordinator).get(f"/imports/{EssayImport.objects.get().pk}/")

    assert (texts_of(page, "h1"), texts_of(page, "[role=alert]")) == (
        ["Nothing was imported"],
        ["This preview has expired: its files are forgotten. Send them again."],
    )


def test_who_does_not_want_what_is_imported_already_is_shown_the_way_back(
    send, confirm, log_in, coordinator
):
    send(upload("0001.txt", PLAIN))
    confirm()
    batch = EssayImport.objects.get()

    page = log_in(coordinator).post(f"/imports/{batch.pk}/drop/", follow=True)

    assert texts_of(page, ".messages li") == ["It is carried out already. It can be undone here."]
    assert texts_of(page, ".page-head .btn") == ["Next files", "Undo"]
    assert (Essay.objects.count(), EssayImport.objects.get().state) == (1, "done")


def test_a_replacement_that_was_not_foreseen_is_a_surprise(send, confirm, essay_set):
    expert = PersonFactory(username="exp1")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    send(upload("0001_exp1.txt", MARKED))
    submitted(essay, author=expert)

    done = confirm()

    assert texts_of(done, "[role=alert]")[1:] == [
        "Something changed meanwhile: 1 file came out otherwise than was shown. It stands first."
    ]
    assert outcomes(done) == [
        (
            "0001_exp1.txt markup first check "
            "The preview did not say that it replaces this markup. "
            "It replaces the markup of essay 0001 that exp1 handed in before."
        )
    ]


def test_a_replacement_that_was_foreseen_is_none(send, confirm, essay_set):
    expert = PersonFactory(username="exp1")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    submitted(essay, author=expert)
    shown = send(upload("0001_exp1.txt", MARKED))

    assert outcomes(confirm()) == outcomes(shown)


def test_three_previews_of_a_person_wait_the_oldest_goes_and_is_named(send, essay_set):
    for number in range(3):
        send(upload(f"{number}.txt", PLAIN))

    page = send(upload("3.txt", PLAIN))

    assert texts_of(page, ".messages li") == [
        (
            "At most 3 previews wait for your word. The oldest one has expired, nothing of it was "
            f"imported: 0.txt, for the set {essay_set.name}."
        )
    ]

    states = EssayImport.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["expired", "preview", "preview", "preview"]
    assert ImportUpload.objects.count() == 3
