"""Of a final set experts mark what a standing run gave out: the rest is idle (R 7.9, 7.15.3)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from annotator.models import EssaySet, MarkupRecord
from contest.models import Contest, Final
from contest.queries.phase_contents import last_check_of, phase_of
from contest.queries.unchecked import Phases, overtaken, with_open_checks
from contest.services.contest_finals import restart_contest_final
from review.core.canonical import canonical
from review.core.plan_options import Options, Picked
from review.models import SetProtocol, ThirdCheck
from review.queries.plans import essays_to_plan
from review.queries.set_contents import contents_of
from review.queries.settling import thirds_nobody_has
from review.queries.verdicts import essays_not_done, readiness_of
from review.services.arbitration import arbitrate, assign_waiting_thirds
from scoring.services.grading import grade
from tests.contest.data_world import contest_of, data_set_of
from tests.contest.phases import checked_by_two, counted, waits_for_judges
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.test_contest_finals import ANEW, run
from tests.factories import AssignmentFactory, EssayFactory, submitted
from tests.pages import texts_of
from tests.review.verdicts import approve, judge, settle, verify
from tests.steps import counted_by_sqlite, steps_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db
FAR_APART = [fragment(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")]


@pytest.fixture
def contest():
    """Its finals were started anew, and are over; the set has three files more."""
    made = announced()
    team_in(made)
    held = made.data_sets.get(role="final").essay_set
    EssayFactory.create_batch(6, essay_set=held)
    former = run(made, count=3)
    Final.objects.update(starts_at=now() - 2 * DAY)
    former.refresh_from_db()
    restart_contest_final(contest=made, final=former, wanted=ANEW, actor=person("organiser"))
    Final.objects.update(starts_at=now() - DAY)
    over(made, "finals")
    return made


def files_of(contest, number):
    held = contest.data_sets.get(role="final").essay_set
    files = Final.objects.get(essay_set=held, run=number).files.select_related("essay")
    return [each.essay for each in files]


@pytest.mark.usefixtures("contest")
def test_files_of_a_void_run_and_those_kept_back_wait_for_no_checks(log_in):
    told = texts_of(log_in(person("coordinator")).get("/desk/"), "#finals-over li")

    words = (
        "The finals of “The contest” are over: 3 essays of the final set wait for their two checks."
    )
    assert told == [f"{words} Plan the final set"]


def test_a_plan_of_the_final_set_leaves_them_out_unless_they_are_ticked(contest):
    held = contest.data_sets.get(role="final").essay_set
    void = files_of(contest, 1)[0]

    planned = essays_to_plan(Options(essay_set=held.pk))
    ticked = essays_to_plan(Options(essay_set=held.pk, picked=Picked(ticked=(void.pk,))))

    assert {each.pk for each in planned} == {each.pk for each in files_of(contest, 2)}
    assert [each.pk for each in ticked] == [void.pk]


def left_out(page):
    return texts_of(page, "#unfilled .notice"), texts_of(page, "#unfilled h3")


def test_a_plan_says_how_many_it_leaves_out_and_why(contest, log_in):
    held = contest.data_sets.get(role="final").essay_set
    idle = held.essays.count() - 3
    desk = log_in(person("coordinator"))

    of_set = left_out(desk.post("/planning/", {"essay_set": held.pk}, follow=True))
    ticked = ",".join(str(each.pk) for each in files_of(contest, 1))
    of_ticked = left_out(desk.post("/planning/", {"ticked": ticked}, follow=True))

    why = (
        f"{idle} essays of finals are left out: no run that counts has given them out, so their "
        "checks are not needed. Ticked on the desk they are planned all the same."
    )
    assert of_set == ([why], ["6 checks for nobody"])
    assert of_ticked == ([], ["6 checks for nobody"])


def test_a_forecast_counts_no_checks_of_idle_essays_but_those_that_were_given(contest, log_in):
    held = contest.data_sets.get(role="final").essay_set
    desk = log_in(person("coordinator"))

    before = texts_of(desk.get("/desk/"), ".forecasts li")
    AssignmentFactory(essay=files_of(contest, 1)[0])
    after = texts_of(desk.get("/desk/"), ".forecasts li")

    told = [f"{held}: {count} checks are left; not enough data for a forecast." for count in (6, 7)]
    assert [[each for each in lines if str(held) in each] for lines in (before, after)] == [
        [told[0]],
        [told[1]],
    ]


def test_the_desk_counts_no_idle_essays_as_not_assigned_and_lists_them_last(contest, log_in):
    held = contest.data_sets.get(role="final").essay_set
    given, void = files_of(contest, 2), files_of(contest, 1)
    settle(given[0])
    AssignmentFactory(essay=void[0])
    desk = log_in(person("coordinator"))

    asked = {"set": held.name}
    numbers = texts_of(desk.get("/desk/", asked), ".numbers a b")
    listed = {
        state: [row.pk for row in desk.get("/desk/", {**asked, "state": state}).context["rows"]]
        for state in ("unassigned", "")
    }
    words = [row.left for row in desk.get("/desk/", asked).context["rows"]]

    assert numbers == ["0", "0", "2", "0", "0", "1"]
    assert sorted(listed["unassigned"]) == sorted(each.pk for each in given[1:])
    assert sorted(listed[""]) == sorted(held.essays.values_list("pk", flat=True))
    assert listed[""][:2] == listed["unassigned"]
    assert (words[:2], sorted(words[2:])) == (
        ["not assigned"] * 2,
        [*["no check is needed"] * 6, "settled"],
    )


def test_the_results_are_due_once_the_files_of_the_standing_run_are_checked(contest):
    held, finals = contest.data_sets.get(role="final").essay_set, phase_of(contest, "finals")
    before = last_check_of(finals)

    for essay in files_of(contest, 2):
        settle(essay)
    monday = datetime(2026, 9, 7, 10, tzinfo=UTC)
    MarkupRecord.objects.update(submitted_at=monday)

    assert (before, last_check_of(finals)) == (None, monday)
    found = readiness_of([held])[held.pk]
    assert (found.essays, found.is_ready, list(essays_not_done(held))) == (3, True, [])
    verify(held)
    approve(held)


def test_participants_read_no_essay_that_no_standing_run_gave_out(contest, log_in):
    held = contest.data_sets.get(role="final").essay_set
    given = {number: {each.number for each in files_of(contest, number)} for number in (1, 2)}
    kept_back = held.essays.exclude(number__in=given[1] | given[2]).first()
    for essay in held.essays.all():
        submitted(essay, source="expert")
    Contest.objects.update(final_at=now())
    EssaySet.objects.filter(pk=held.pk).update(published_at=now() - DAY)
    browser = log_in(person("participant"))

    rows = browser.get("/api/essays/", {"set": held.name}).json()["results"]
    pages = [
        browser.get(f"{place}/{number}/").status_code
        for place, number in (
            ("/essays", kept_back.pk),
            ("/markups", kept_back.markups.get().pk),
            ("/api/essays", kept_back.pk),
        )
    ]
    of_staff = log_in(person("judge")).get(f"/essays/{kept_back.pk}/").status_code

    assert ({each["number"] for each in rows}, pages, of_staff) == (given[2], [404] * 3, 200)


def test_the_protocol_of_the_set_lists_the_files_of_the_standing_run_alone(contest):
    held = contest.data_sets.get(role="final").essay_set
    for essay in files_of(contest, 2):
        settle(essay)

    protocol = verify(held).protocol

    numbers = [each["number"] for each in json.loads(protocol.content)["essays"]]
    assert numbers == sorted(each.number for each in files_of(contest, 2))
    assert protocol.essays == 3


def test_a_protocol_that_told_idle_essays_too_is_approved_still(contest):
    held = contest.data_sets.get(role="final").essay_set
    for essay in files_of(contest, 2):
        settle(essay)
    told = contents_of(held)
    former = files_of(contest, 1)[0]
    told["essays"].append({**told["essays"][0], "id": former.pk, "number": former.number})
    protocol = SetProtocol.objects.create(
        essay_set=held, content=canonical(told), digest="f" * 64, essays=4
    )
    protocol.verdicts.create(kind="verified", who=judge())

    approve(held)

    protocol.refresh_from_db()
    assert protocol.voided_at is None


@pytest.mark.parametrize(("number", "given"), [(1, 0), (2, 1)])
def test_third_checks_are_given_of_files_of_the_standing_run_alone(number, given, contest):
    essay = files_of(contest, number)[0]
    for role, marks in (("first", ()), ("second", FAR_APART)):
        check = AssignmentFactory(essay=essay, role=role, state="submitted")
        grade(markup_id=submitted(essay, *marks, assignment=check).pk)

    arbitrate(essay_id=essay.pk)  # nobody is free
    waiting = [check.essay for check in thirds_nobody_has()]
    person("expert")
    arbitrate(essay_id=essay.pk)
    assign_waiting_thirds()

    assert ThirdCheck.objects.get(essay=essay).needed
    assert (waiting, essay.assignments.filter(role="third").count()) == ([essay] * given, given)


@pytest.mark.parametrize(("number", "keep_back"), [(1, False), (2, True)])
def test_checks_of_the_standing_run_alone_keep_results_back(number, keep_back, contest):
    held, finals = contest.data_sets.get(role="final").essay_set, phase_of(contest, "finals")
    begun, late, _other = files_of(contest, number)
    checked_by_two(held)
    run = counted(held, held.rules)
    before = waits_for_judges(contest)

    AssignmentFactory(essay=begun)
    submitted(late)

    waits = waits_for_judges(contest)
    asked = Phases([finals])
    found = (with_open_checks(asked), overtaken(asked), before, waits)
    kept_back = ({finals.pk}, {run.pk}, True, False)
    assert found == (kept_back if keep_back else (set(), set(), True, True))


@counted_by_sqlite
def test_the_idle_essays_of_other_contests_cost_a_contest_nothing(contest):
    held = contest.data_sets.get(role="final").essay_set
    readiness_of([held])

    alone = steps_of(lambda: readiness_of([held]))
    planned = {"starts_at": now() - DAY, "seed": 1, "planned_by": contest.made_by}
    for _ in range(5):
        other = data_set_of(contest_of(), essays=40).essay_set
        Final.objects.create(essay_set=other, name=f"Finals {other.pk}", **planned)
    beside_five = steps_of(lambda: readiness_of([held]))

    assert beside_five <= alone + 2
