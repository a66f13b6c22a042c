from __future__ import annotations

import pytest

from annotator.models import Essay
from annotator.services.versions import replace_essay
from tests.annotator.drafts import draft_of
from tests.factories import TEXT, AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.review.thirds import thirds
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

OTHER = TEXT.replace("sport unite people", "games unite people")
NEW = {"text": OTHER, "reason": "A line was missing"}


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


def replaced(essay):
    actor = PersonFactory(role="coordinator")
    return replace_essay(essay=essay, text=OTHER, reason="A line was missing", actor=actor).essay


@pytest.mark.parametrize("role", ["expert", "participant", "judge"])
def test_strangers_correct_and_replace_nothing(log_in, role):
    essay = EssayFactory(essay_set__access="open")
    stranger = log_in(PersonFactory(role=role))

    answers = [
        stranger.post(f"/essays/{essay.pk}/correct/", {"theme": "Mine", "seen": 0}),
        stranger.post(f"/essays/{essay.pk}/replace/", NEW),
    ]

    assert [answer.status_code for answer in answers] == [403, 403]
    page = stranger.get(f"/essays/{essay.pk}/").content.decode()
    assert "/correct/" not in page
    assert "/replace/" not in page
    assert Essay.objects.values_list("theme", "version").get() == (essay.theme, 1)


def test_what_is_said_of_an_essay_is_corrected_on_a_form(coordinator):
    essay = EssayFactory(theme="Sprots")

    answer = coordinator.post(
        f"/essays/{essay.pk}/correct/", {"theme": "Sports", "year": 2020, "seen": 0}
    )

    assert answer["Location"] == f"/essays/{essay.pk}/"
    assert Essay.objects.values_list("theme", "year", "text").get() == ("Sports", 2020, TEXT)


def test_a_new_version_is_made_from_the_page_of_the_essay(coordinator):
    essay = EssayFactory()
    address = f"/essays/{essay.pk}/replace/"
    text = page_of(coordinator.get(address)).one("textarea").raw.removeprefix("\n")

    same = coordinator.post(address, {**NEW, "text": text.replace("\n", "\r\n")})
    answer = coordinator.post(address, {**NEW, "text": OTHER.replace("\n", "\r\n")})

    latest = Essay.objects.get(version=2)
    assert (text, same.status_code, latest.text) == (TEXT, 422, OTHER)
    assert answer["Location"] == f"/essays/{latest.pk}/"


def test_the_page_of_the_former_version_says_why_and_leads_to_the_latest(coordinator):
    former = EssayFactory()
    latest = replaced(former)

    page = page_of(coordinator.get(f"/essays/{former.pk}/"))

    (notice,) = (each.text for each in page.find(".notice"))
    assert notice.endswith("A line was missing")
    tabs = [(each.text, each["href"]) for each in page.find("nav.tabs a")]
    numbers = [("Version 1", former.pk), ("Version 2", latest.pk)]
    assert tabs == [(words, f"/essays/{pk}/") for words, pk in numbers]


def test_an_expert_reads_what_was_not_carried_until_it_was_seen(log_in):
    draft = draft_of(TEXT, fragment(23, 28, "А.лекс", comment="vague"), fragment(0, 4))
    replaced(draft.essay)
    expert = log_in(draft.author)
    address = f"/markups/{draft.pk}/"

    shown = page_of(expert.get(address)).one("#not-carried")
    numbers = [each["value"] for each in shown.find("li input")]
    log_in(PersonFactory()).post(f"{address}not-carried/", {"numbers": numbers})
    still = page_of(expert.get(address)).find("#not-carried")
    for _ in range(2):
        expert.post(f"{address}not-carried/", {"numbers": numbers})

    assert [each.text for each in shown.find("li")] == ["А.лекс sport vague"]
    assert "A line was missing" in shown.text
    assert len(still) == 1
    assert page_of(expert.get(address)).find("#not-carried") == []


def test_lists_and_the_api_have_the_latest_version_alone(log_in):
    essay = EssayFactory(essay_set__access="open", essay_set__name="Set")
    submitted(essay)
    latest = replaced(essay)
    participant, judge = (log_in(PersonFactory(role=role)) for role in ("participant", "judge"))

    listed = {
        "training": page_of(participant.get("/training/")).find("tbody a")[0]["href"],
        "desk": page_of(judge.get("/desk/?set=Set")).one("tbody a")["href"],
        "api": [each["id"] for each in judge.get("/api/essays/").json()["results"]],
    }

    assert listed == {
        "training": f"/essays/{latest.pk}/?list=training",
        "desk": f"/desk/essays/{latest.pk}/?list=desk&set=Set&at=0",
        "api": [latest.pk],
    }


def test_the_queue_of_an_expert_says_that_the_text_is_new(log_in):
    check = AssignmentFactory()
    replaced(check.essay)

    assert texts_of(log_in(check.expert).get("/queue/"), ".badge.warn") == ["version 2"]


def test_a_third_expert_goes_on_over_the_new_text(log_in):
    made = thirds()
    replaced(made.essay)

    page = log_in(made.record.author).get(f"/markups/{made.record.pk}/")

    made.record.refresh_from_db()
    assert (page.status_code, made.record.essay.version) == (200, 2)
