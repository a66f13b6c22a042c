from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from annotator.models import Assignment, EssaySet, RuleSet
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

ACTS = ["describe", "state", "publish", "rules", "delete"]
TRUE = "on"
MEDIAN = "median of three, mean of two rounded up; on the total"


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


def form_of(response):
    """What the form of a page would send."""
    form = page_of(response).one("form.body")
    values = {each["name"]: each.attributes.get("value", "") for each in form.find("input")}
    values |= {each["name"]: each.raw.removeprefix("\n") for each in form.find("textarea")}
    for select in form.find("select"):
        chosen = [each for each in select.find("option") if "selected" in each.attributes]
        values[select["name"]] = chosen[0]["value"] if chosen else ""
    return values


@pytest.mark.parametrize("role", ["expert", "participant", "judge", "commission"])
def test_sets_are_led_by_coordinators_and_organisers_alone(log_in, role):
    stranger, pk = log_in(PersonFactory(role=role)), EssaySetFactory().pk
    before = EssaySet.objects.values().get()

    answers = [stranger.get("/sets/"), stranger.get("/sets/new/"), stranger.get(f"/sets/{pk}/")]
    answers += [stranger.post(f"/sets/{pk}/{act}/", {"state": "closed", "seen": 0}) for act in ACTS]

    assert {answer.status_code for answer in answers} == {403}
    assert EssaySet.objects.values().get() == before


def test_the_list_says_what_is_in_a_set_and_how_far_it_is(coordinator):
    first = EssaySetFactory(name="Training", access="open", rules__name="R")
    EssayFactory(essay_set=first, subject="rus", closed_at="2026-01-01T00:00Z", number="1")
    EssayFactory(essay_set=first, subject="rus", number="1", version=2)
    EssayFactory(essay_set=first)
    EssaySetFactory(name="Finals", access="final", state="preparing", rules__name="S")
    EssaySetFactory(name="Old", state="archived")

    page = coordinator.get("/sets/")

    assert texts_of(page, "tbody tr") == [
        f"Finals S 1 – 0 being prepared {EssaySet.Access.FINAL.label} –",
        "Training R 1 English 1, Russian 1 2 open training: participants see the markups –",
    ]
    assert texts_of(coordinator.get("/sets/?archived=1"), "tbody th a") == ["Old"]


def test_the_list_takes_the_same_queries_for_one_set_and_for_five(
    coordinator, django_assert_num_queries
):
    for count in (1, 4):
        for _ in range(count):
            EssayFactory()
        coordinator.get("/sets/")
        with django_assert_num_queries(5):
            coordinator.get("/sets/")


def test_the_page_of_a_set_takes_the_same_queries_for_one_essay_and_for_five(
    coordinator, django_assert_num_queries
):
    essay_set = EssaySetFactory()
    for count in (1, 4):
        for _ in range(count):
            EssayFactory(essay_set=essay_set)
        coordinator.get(f"/sets/{essay_set.pk}/")
        with django_assert_num_queries(14):
            coordinator.get(f"/sets/{essay_set.pk}/")


def test_a_set_is_made_then_opened_closed_and_archived(coordinator):
    rules = RuleSetFactory()
    made = coordinator.post(
        "/sets/new/", {"name": "New", "access": "final", "rules": rules.pk, "seen": 0}
    )
    essay_set = EssaySet.objects.get()
    page = f"/sets/{essay_set.pk}/"
    assert (made["Location"], essay_set.state) == (page, "preparing")

    for state in ("open", "closed", "archived"):
        steps = [each["href"] for each in page_of(coordinator.get(page)).find(".form a.btn")]
        asked = f"{page}state/?state={state}"
        assert asked in steps
        coordinator.post(f"{page}state/", form_of(coordinator.get(asked)))
        assert EssaySet.objects.get().state == state


OPENED = """\
Checks are given to experts, and algorithms’ markups come in.
Participants see figures of it only.
It cannot be prepared again afterwards, only closed."""
CLOSED = """\
No new checks are given and no more markups by algorithms come in. \
What was given may still be submitted.
1 check is not submitted yet: it stays with its expert, with its deadline.
Overdue checks go to nobody else meanwhile, and third checks wait. \
What participants see of the set, reports and boards stay as they are.
It can be opened again."""


@pytest.mark.parametrize(
    ("state", "wanted", "told"), [("preparing", "open", OPENED), ("open", "closed", CLOSED)]
)
def test_before_a_set_is_opened_or_closed_a_question_says_what_happens(
    coordinator, state, wanted, told
):
    essay_set = EssaySetFactory(name="March", state=state)
    AssignmentFactory(essay__essay_set=essay_set)

    asked = coordinator.get(f"/sets/{essay_set.pk}/state/?state={wanted}")

    assert texts_of(asked, "form.body p") == told.splitlines()
    assert EssaySet.objects.get().state == state


def test_a_set_with_open_checks_is_refused_the_archive_before_anything_is_asked(coordinator):
    check = AssignmentFactory(essay__essay_set__state="closed")
    asked = f"/sets/{check.essay.essay_set_id}/state/?state=archived"

    refused = coordinator.get(asked)
    Assignment.objects.update(state="withdrawn")

    assert (refused.status_code, coordinator.get(asked).status_code) == (422, 200)


def test_ways_back_ask_nothing_and_a_question_that_came_too_late_leads_to_the_set(coordinator):
    page = f"/sets/{EssaySetFactory(state='archived').pk}/"

    late = coordinator.get(f"{page}state/?state=archived")
    sent = form_of_step(coordinator.get(page))
    coordinator.post(f"{page}state/", sent)

    assert late["Location"] == page
    assert (sent["state"], EssaySet.objects.get().state) == ("closed", "closed")


def form_of_step(response):
    return {each["name"]: each["value"] for each in page_of(response).find("form.form input")}


def test_a_set_is_described_anew_and_a_stale_form_is_refused(coordinator):
    essay_set = EssaySetFactory()
    page = f"/sets/{essay_set.pk}/describe/"
    stale = form_of(coordinator.get(page))

    coordinator.post(page, {**stale, "name": "Renamed"})
    refused = coordinator.post(page, {**stale, "name": "Otherwise"})

    assert (EssaySet.objects.get().name, refused.status_code) == ("Renamed", 409)


def test_rules_of_a_marked_set_cannot_be_chosen(coordinator):
    essay_set = EssaySetFactory()
    submitted(EssayFactory(essay_set=essay_set))
    page = f"/sets/{essay_set.pk}/describe/"
    sent = {**form_of(coordinator.get(page)), "rules": RuleSetFactory().pk, "name": "N"}

    coordinator.post(page, sent)

    stored = EssaySet.objects.get()
    assert (stored.name, stored.rules) == ("N", essay_set.rules)


def test_a_new_version_of_the_rules_says_everything_the_former_one_says(coordinator):
    essay_set = EssaySetFactory(rules__hardness=0.5, rules__blind_first=True)
    page = f"/sets/{essay_set.pk}/rules/"
    sent = {**form_of(coordinator.get(page)), "blind_first": TRUE, "days_to_mark": 3}
    sent = {
        name: value
        for name, value in sent.items()
        if name not in ("nomination_only", "allow_crossing")
    }

    told = coordinator.post(page, sent, follow=True)

    assert texts_of(told, ".messages li") == [
        f"The rules of the set are “{essay_set.rules.name} 2” now."
    ]
    former, made = RuleSet.objects.order_by("version").values()
    new = {"id": made["id"], "version": 2, "days_to_mark": 3, "created_at": made["created_at"]}
    assert made == {**former, **new}
    assert EssaySet.objects.get().rules_id == made["id"]


def test_a_set_that_keeps_its_rules_is_not_said_to_have_the_new_ones(coordinator):
    check = submitted(EssayFactory(), fragment(0, 4))
    essay_set = check.essay.essay_set
    page = f"/sets/{essay_set.pk}/rules/"

    told = coordinator.post(
        page, {**form_of(coordinator.get(page)), "days_to_mark": 3}, follow=True
    )

    assert texts_of(told, ".messages li") == [
        f"The rules “{essay_set.rules.name} 2” are made; this set keeps those it has."
    ]
    assert EssaySet.objects.get().rules == essay_set.rules


def test_the_form_of_rules_speaks_russian(coordinator):
    page = coordinator.get(
        f"/sets/{EssaySetFactory().pk}/rules/", headers={"accept-language": "ru"}
    )

    labels = [label for label in texts_of(page, "label") if "английский" in label.lower()]
    assert len(labels) == 2
    assert not any("Final grade" in label for label in labels)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (None, "not stated"),
        (dict.fromkeys(dict(settings.SUBJECTS), "median/total"), MEDIAN),
        ({"eng": "median/total", "rus": "median/total"}, f"English, Russian: {MEDIAN}"),
    ],
    ids=["none", "all", "two"],
)
def test_a_rule_of_final_grades_is_said_once(stated, said):
    with override("en"):
        assert RuleSetFactory(final_grades=stated).final_rules_in_words() == said


def test_the_page_of_a_set_leads_on(coordinator):
    essay_set = EssaySetFactory(name="B & C")

    page = coordinator.get(f"/sets/{essay_set.pk}/")
    links = {each.text: each["href"] for each in page_of(page).find(".page-head .tools a")}
    chosen = page_of(coordinator.get(links["Import"])).find("select[name=essay_set] option")

    assert list(links) == ["Plan the checks", "Desk", "Deadlines", "Import", "Change"]
    assert links["Plan the checks"] == links["Desk"].replace("desk", "planning")
    assert [each.text for each in chosen if "selected" in each.attributes] == ["B & C"]


def test_rules_nobody_could_score_by_are_refused_on_the_form(coordinator):
    page = f"/sets/{EssaySetFactory().pk}/rules/"
    nothing = dict.fromkeys([f"w{number}" for number in range(1, 7)], 0)

    answer = coordinator.post(page, {**form_of(coordinator.get(page)), **nothing})

    said = page_of(answer).one("form.body").text
    assert " At least one of the weights of M1 to M6 must not be 0. " in said
    assert RuleSet.objects.count() == 1


@pytest.mark.parametrize(
    ("names_experts", "told"),
    [
        (True, "submitted, with the experts’ names, on their pages"),
        (False, "with numbers instead of experts’ names."),
    ],
)
def test_publishing_asks_first_and_says_what_participants_will_see(
    coordinator, names_experts, told
):
    essay_set = EssaySetFactory(access="final", names_experts=names_experts)
    AssignmentFactory(essay__essay_set=essay_set)
    page = f"/sets/{essay_set.pk}/publish/"

    asked = coordinator.get(page)
    before = EssaySet.objects.get().published_at
    coordinator.post(page, form_of(asked))

    words = page_of(asked).one("form.body").text
    assert told in words
    assert "1 check is not submitted yet" in words
    assert (before, EssaySet.objects.get().published_at is None) == (None, False)


def test_a_moment_of_publication_from_which_no_other_is_reckoned_is_refused(coordinator):
    held = EssaySetFactory(access="final")

    refused = coordinator.post(f"/sets/{held.pk}/publish/", {"at": "9999-12-31T23:59", "seen": 0})

    held.refresh_from_db()
    assert held.published_at is None
    assert "Name a day of the years 2000 to 2199." in page_of(refused).text


def test_finals_are_told_to_be_published_at_once_or_from_when_on(coordinator):
    later, now = (EssaySetFactory(access="final") for _ in range(2))
    tomorrow = timezone.localtime() + timedelta(days=1)

    told = [
        texts_of(coordinator.post(f"/sets/{each.pk}/publish/", sent, follow=True), ".messages li")
        for each, sent in (
            (later, {"at": f"{tomorrow:%Y-%m-%dT%H:%M}", "seen": 0}),
            (now, {"at": "", "seen": 0}),
        )
    ]

    assert told == [
        [f"It will be published {date_format(tomorrow, 'SHORT_DATETIME_FORMAT')} (MSK)."],
        ["It is published: participants see texts and markups from now on."],
    ]
    assert "once they are published" not in page_of(coordinator.get(f"/sets/{now.pk}/")).text
    assert "once they are published" in page_of(coordinator.get(f"/sets/{later.pk}/")).text


def test_a_moment_of_publication_is_asked_and_told_with_its_time_zone(coordinator):
    at = datetime(2100, 3, 1, 9, tzinfo=UTC)
    essay_set = EssaySetFactory(access="final", published_at=at)

    asked = coordinator.get(f"/sets/{essay_set.pk}/publish/")
    page = coordinator.get(f"/sets/{essay_set.pk}/")

    told = "Times are given in the zone MSK. Leave it empty to publish now."
    assert texts_of(asked, "form.form .help") == [told]
    assert "Will be published 1 Mar 2100, 12:00 (MSK)." in page_of(page).text


def test_a_set_that_is_made_none_of_finals_says_that_it_is_not_published_then(coordinator):
    at = datetime(2100, 3, 1, 9, tzinfo=UTC)
    essay_set = EssaySetFactory(access="final", published_at=at)
    address = f"/sets/{essay_set.pk}/describe/"
    sent = form_of(coordinator.get(address)) | {"access": "closed"}

    answer = coordinator.post(address, sent, follow=True)

    assert texts_of(answer, ".messages li") == [
        "The set was changed.",
        "It is no set of finals any more: it will not be published 1 Mar 2100, 12:00 (MSK).",
    ]


def test_a_publication_to_come_is_taken_back_on_the_page_of_the_set(coordinator):
    essay_set = EssaySetFactory(access="final")
    tomorrow = timezone.localtime() + timedelta(days=1)
    sent = {"at": f"{tomorrow:%Y-%m-%dT%H:%M}", "seen": 0}
    planned = coordinator.post(f"/sets/{essay_set.pk}/publish/", sent, follow=True)
    (form,) = [each for each in page_of(planned).find("form") if each.find("button[name=never]")]

    answer = coordinator.post(
        form["action"], {"seen": form.one("input[name=seen]")["value"], "never": "1"}, follow=True
    )

    essay_set.refresh_from_db()
    assert essay_set.published_at is None
    told = ["It will not be published then. Another moment may be named at any time."]
    assert texts_of(answer, ".messages li") == told
    assert page_of(answer).find("button[name=never]") == []


def test_the_first_set_of_all_brings_the_rules_of_the_regulation(coordinator):
    coordinator.post("/sets/new/", {"name": "First", "access": "open", "seen": 0})

    assert str(EssaySet.objects.get().rules) == "Regulation 1"
