"""Practice enters nothing that is counted: with tries that differ all figures stay the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from annotator.models import Assignment, EssaySet, MarkupRecord
from jobs.models import Job
from review.core.plan_options import Options
from review.models import Export, FinalGrade, Reminder, ThirdCheck
from review.queries.deadlines import open_checks
from review.queries.people import figures_of_work, median_seconds
from review.queries.plans import essays_to_plan
from review.queries.problems import silent_checks, stated_otherwise
from review.services.agreeing import pairs_of
from review.services.arbitration import arbitrate, assign_waiting_thirds
from review.services.finals import settle_grade
from review.services.overdue import reassign_overdue
from review.services.reminding import remind
from scoring.models import CriteriaRecord, PairScore
from scoring.queries.tables import star_table
from scoring.services.assessing import assess
from tests.annotator.practising import KEY, practice_essay, tried
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

OF_ALL_STAFF = ["/desk/", "/desk/problems/", "/deadlines/", "/agreement/", "/scores/"]
PAGES = [*OF_ALL_STAFF, "/planning/", "/planning/experts/", "/exports/", "/people/", "/verdicts/"]


@pytest.fixture
def checked():
    """An essay with two checks that differ and an algorithm's markup, all measured."""
    essay = EssayFactory(essay_set__name="Checked", number="1")
    for role, marks in (("first", KEY), ("second", ())):
        person = PersonFactory(full_name=f"Expert {role}")
        check = AssignmentFactory(essay=essay, role=role, state="submitted", expert=person)
        submitted(essay, *marks, assignment=check)
    submitted(essay, source=MarkupRecord.Source.ALGORITHM)
    assess(essay_id=essay.pk)
    return essay


def practised(essay):
    """The same experts try an essay for practice otherwise than its key and each other."""
    rules = essay.essay_set.rules
    essay_set = EssaySet.objects.create(name="Practice", access="practice", rules=rules)
    experts = User.objects.filter(assignments__essay=essay).order_by("pk")
    practice = practice_essay(essay_set=essay_set, number="P1", by=experts[0])
    for expert, marks in zip(experts, ([fragment(0, 4, code="А.лекс")], []), strict=True):
        tried(practice, expert, *marks)
    long_ago = timezone.now() - timedelta(days=100)
    MarkupRecord.objects.filter(essay=practice).update(
        active_seconds=5000, active_at=long_ago, stated={"K1": 9}
    )
    return practice


def counted(essay):
    """Everything that is planned, decided, ranked or counted."""
    people = User.objects.annotate(**figures_of_work()).order_by("pk")
    figures = ("pk", "given", "done", "late", "returned", "seen_at", "agreement")
    stored = (CriteriaRecord, PairScore, Job, ThirdCheck, FinalGrade, Reminder, Assignment)
    return {
        "stored": {each.__name__: each.objects.count() for each in stored},
        "to plan": [each.pk for each in essays_to_plan(Options())],
        "open": open_checks(None).count(),
        "silent": [each.pk for each in silent_checks(1)],
        "stated otherwise": stated_otherwise(),
        "people": list(people.values(*figures)),
        "medians": median_seconds(User.objects.values_list("pk", flat=True)),
        "pairs of experts": len(list(pairs_of(essay.essay_set))),
        "stars": star_table(essay.essay_set),
    }


def on_every_tick():
    """What happens by itself from time to time."""
    assign_waiting_thirds()
    reassign_overdue()
    remind()


def test_practice_changes_no_figure(checked):
    before = counted(checked)

    practice = practised(checked)
    on_every_tick()

    assert counted(checked) == before
    assert list(pairs_of(practice.essay_set)) == []


def test_practice_leads_to_no_third_check_and_no_grade(checked):
    practice = practised(checked)

    assert (arbitrate(essay_id=practice.pk), settle_grade(essay_id=practice.pk)) == (None, None)
    assert not ThirdCheck.objects.filter(essay=practice).exists()


@pytest.mark.parametrize("role", ["coordinator", "judge"])
def test_pages_of_the_staff_show_the_same_with_practice_as_without(log_in, checked, role):
    client = log_in(PersonFactory(role=role))

    def shown():
        answers = {each: client.get(each) for each in PAGES}
        return {
            each: page_of(answer).one("main").text if answer.status_code == 200 else None
            for each, answer in answers.items()
        }

    shown()  # some pages order figures when they are first looked at
    before = shown()
    practised(checked)

    after = shown()
    assert after == before
    assert None not in [after[each] for each in OF_ALL_STAFF]


def test_an_address_that_names_a_set_for_practice_shows_nothing_of_it(log_in, checked):
    practice = practised(checked)
    client = log_in(PersonFactory(role="coordinator"))

    desk = texts_of(client.get("/desk/?set=Practice"), "main tbody th")
    statuses = [
        client.get(f"/desk/essays/{practice.pk}/").status_code,
        client.get(f"/essays/{practice.pk}/protocol/").status_code,
        client.get(f"/essays/{practice.pk}/pupil/").status_code,
        client.get(f"/deadlines/sets/{practice.essay_set_id}/").status_code,
    ]
    order = {"kind": "results", "form": "csv", "essay_set": practice.essay_set_id}
    ordered = client.post("/exports/", order)

    assert [each for each in desk if practice.number in each] == []
    assert (statuses, ordered.status_code) == ([404, 404, 422, 404], 422)
    assert not Export.objects.exists()


def test_participants_find_no_trace_of_practice(log_in, checked):
    practice = practised(checked)
    client = log_in(PersonFactory(role="participant"))

    training = client.get("/training/").content.decode()
    tables = client.get("/scores/").content.decode()
    listed = client.get("/api/essays/").json()["results"]
    sent = client.post(
        f"/api/essays/{practice.pk}/markups/", {"selections": []}, content_type="application/json"
    )

    assert "Practice" not in training + tables
    assert [each for each in listed if each["essay_set"] == "Practice"] == []
    assert sent.status_code == 404


def test_nothing_is_verified_of_practice(checked, log_in):
    essay_set = EssaySet.objects.get(pk=practised(checked).essay_set_id)
    browser = log_in(PersonFactory(role="coordinator"))

    pages = [f"/verdicts/sets/{essay_set.pk}/", f"/verdicts/sets/{essay_set.pk}/history/"]

    assert [browser.get(page).status_code for page in pages] == [404, 404]
    assert (
        "/verdicts/"
        not in browser.get(f"/sets/{essay_set.pk}/").content.decode().partition("<main")[2]
    )


def test_from_a_set_of_practice_no_way_leads_to_checks(log_in, checked):
    practice, client = practised(checked), log_in(PersonFactory(role="coordinator"))

    ways = [
        [each.text for each in page_of(client.get(f"/sets/{pk}/")).find(".page-head .tools a")]
        for pk in (checked.essay_set_id, practice.essay_set_id)
    ]

    assert [set(each) & {"Desk", "Deadlines", "Plan the checks"} for each in ways] == [
        {"Desk", "Deadlines", "Plan the checks"},
        set(),
    ]


def test_programs_are_told_of_no_checks_of_practice(log_in, checked):
    practice = practised(checked)
    client = log_in(PersonFactory(role="coordinator"))

    statuses = {
        name: [
            client.get(f"/api/sets/{essay.essay_set_id}/{name}/").status_code
            for essay in (checked, practice)
        ]
        for name in ("states", "results")
    }

    assert statuses == {"states": [200, 404], "results": [200, 404]}
