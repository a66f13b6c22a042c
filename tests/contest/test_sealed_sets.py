"""A final set gives nothing to experts until every session of its finals is closed (R 2.8)."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotator.models import EssaySet
from annotator.services.imports.importing import Options, Outcome, import_files
from annotator.services.set_acts import describe_set, publish
from contest.core.moments import at
from contest.models import ExchangeSession, Final
from contest.queries.sealing import sealed_numbers
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import stop
from contest.services.sessions.finals import Planned, cancel_final, plan_final
from review.core.plan_options import Options as PlanOptions
from review.services.assigning import assign_expert, assign_two_experts
from review.services.plans import confirm_plan, preview_plan
from tests.annotator.files import exchanged
from tests.contest.data_world import contest_of, data_set_of, phase_of
from tests.contest.world import SECOND, Client, Mode, final_at, team, unmarked_set
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


def final_of(data_set, ago, *people, **fields):
    """A final of a set that began so many seconds ago."""
    starts_at = at(moment_now() - ago * SECOND)
    planned = Planned(f"Final {ago} {fields}", data_set.essay_set, starts_at, **fields)
    return plan_final(planned=planned, admitted=people or [team()], actor=None)


def is_sealed(data_set, coordinator):
    try:
        preview_plan(options=PlanOptions(essay_set=data_set.essay_set_id), actor=coordinator)
    except Refused:
        return True
    return False


def test_a_set_is_sealed_until_a_final_is_over(coordinator):
    found = data_set_of(contest_of(), essays=3)
    told = [is_sealed(found, coordinator)]
    rehearsal = final_of(found, 600, kind="rehearsal", count=1)
    told.append(is_sealed(found, coordinator))
    to_come = final_of(found, -600, count=1)
    final_of(found, 600, count=1)
    told.append(is_sealed(found, coordinator))
    cancel_final(final=to_come, reason="rain", actor=None, moment=moment_now())
    told.append(is_sealed(found, coordinator))

    assert told == [True, True, True, False]
    assert rehearsal.is_rehearsal


def test_an_open_session_keeps_it_sealed(coordinator):
    found, person = data_set_of(contest_of()), team()
    start = moment_now() - 300 * SECOND
    planned = Planned("Final", found.essay_set, at(start), rules={"linger": 3000})
    plan_final(planned=planned, admitted=[person], actor=None)
    session = Client(person, mode=Mode.FINAL, moment=start).row
    before = is_sealed(found, coordinator)
    stop(session_id=session.pk, reason="over", actor=None, moment=moment_now())

    closed = ExchangeSession.objects.get(pk=session.pk).closed_at is not None
    assert (before, closed, is_sealed(found, coordinator)) == (True, True, False)


def test_the_set_of_a_final_that_belongs_to_no_contest_is_sealed_until_it_is_over(coordinator):
    essay_set, person = unmarked_set(), team()
    essay, told = essay_set.essays.first(), []

    def tell():
        try:
            with transaction.atomic():
                assign_two_experts(essay=essay, actor=coordinator)
                told.append("given")
                transaction.set_rollback(True)
        except Refused as refused:
            told.append("2.8" in str(refused))

    PersonFactory.create_batch(2, role="expert", subjects=["eng"])
    tell()
    start = moment_now() - 100 * SECOND
    planned = Planned("Spring", essay_set, at(start), rules={"linger": 3000})
    final = plan_final(planned=planned, admitted=[person], actor=None)
    tell()
    session = Client(person, mode=Mode.FINAL, moment=start).row
    Final.objects.filter(pk=final.pk).update(starts_at=at(start - 900 * SECOND))
    tell()
    stop(session_id=session.pk, reason="over", actor=None, moment=moment_now())
    tell()

    assert told == ["given", True, True, "given"]


@pytest.mark.parametrize(
    ("live", "phase", "sealed"),
    [
        (True, {"starts": -3, "ends": -2}, True),
        (True, {"starts": -3, "ends": -2, "closed": -1}, False),
        (False, {"starts": -3, "ends": 2}, True),
        (False, {"starts": -3, "ends": -2}, False),
        (False, None, True),
    ],
)
def test_without_a_final_the_phase_says_it(coordinator, live, phase, sealed):
    contest = contest_of(live=live)
    if phase:
        phase_of(contest, **phase)

    assert is_sealed(data_set_of(contest), coordinator) is sealed


def test_every_way_to_experts_is_refused_by_name(coordinator):
    found = data_set_of(contest_of(), essays=1)
    essay_set = found.essay_set
    essay = essay_set.essays.get()
    expert = PersonFactory()

    by_name = rf"Essay {essay.number} is of the set “{essay_set}”, .* \(clause 2\.8 "
    with pytest.raises(Refused, match=by_name):
        assign_expert(essay=essay, expert=expert, role="first", actor=coordinator)
    with pytest.raises(Refused, match=by_name):
        assign_two_experts(essay=essay, actor=coordinator)
    with pytest.raises(Refused, match=f"“{essay_set}” is sealed"):
        preview_plan(options=PlanOptions(essay_set=essay_set.pk), actor=coordinator)
    with pytest.raises(Refused, match=f"“{essay_set}” is sealed"):
        publish(essay_set=essay_set, at=None, seen=0, actor=coordinator)
    with pytest.raises(Refused, match=f"“{essay_set}” is sealed"):
        describe_set(essay_set=essay_set, seen=0, actor=coordinator, values={"access": "open"})
    everywhere = preview_plan(options=PlanOptions(), actor=coordinator)

    assert (everywhere.given, everywhere.unfilled) == (0, 0)
    assert EssaySet.objects.get(pk=essay_set.pk).published_at is None


def test_an_import_of_an_experts_markup_is_refused_and_of_essays_is_not(coordinator):
    found = data_set_of(contest_of(), essays=1)
    essay = found.essay_set.essays.get()
    PersonFactory(username="exp7")
    marked = exchanged(f"experts/{essay.number}_exp7.json", essay.text)
    files = [exchanged("0050051.json", "Another essay, which is new."), marked]

    rows = import_files(files, Options(found.essay_set, actor=coordinator))

    reason = (
        f"The set “{found.essay_set}” is sealed until its finals are over (clause 2.8 of the "
        "regulation): it takes no markup of an expert before."
    )
    told = {row.name: (row.outcome, row.reason) for row in rows}
    assert told == {
        "0050051.json": (Outcome.ESSAY, ""),
        marked.name: (Outcome.REFUSED, reason),
    }


def test_an_import_asks_once_for_many_essays_whether_the_set_is_sealed(coordinator):
    options = Options(data_set_of(contest_of(), essays=1).essay_set, actor=coordinator)
    asked = []
    for numbers in ((101, 103), (201, 211)):
        files = [exchanged(f"{n}{name}.json") for n in range(*numbers) for name in ("", "_exp7")]
        with CaptureQueriesContext(connection) as context:
            rows = import_files(files, options)
        assert [row.outcome for row in rows] == [Outcome.ESSAY, Outcome.REFUSED] * (len(rows) // 2)
        asked.append(len(context))

    assert asked[0] == asked[1]


def test_afterwards_it_is_planned_as_one_batch_and_the_coordinator_is_told(log_in, coordinator):
    found = data_set_of(contest_of(), essays=2)
    PersonFactory.create_batch(2)
    desk = log_in(coordinator)
    before = texts_of(desk.get("/desk/"), "#finals-over li")
    final_of(found, 600)

    told = texts_of(desk.get("/desk/"), "#finals-over li")
    plan = preview_plan(options=PlanOptions(essay_set=found.essay_set_id), actor=coordinator)
    confirm_plan(plan=plan, seen=plan.digest, actor=coordinator)

    words = "The finals of “Contest” are over: 2 essays of the final set wait for their two checks."
    assert (before, told) == ([], [f"{words} Plan the final set"])
    assert plan.given == 4
    assert texts_of(desk.get("/problems/"), "#finals-over li") == []


def test_the_page_of_a_set_says_that_it_is_sealed(log_in, coordinator):
    found = data_set_of(contest_of())

    page = page_of(log_in(coordinator).get(f"/sets/{found.essay_set_id}/"))

    assert "Contest: final" in page.text
    assert "Sealed until the finals are over" in page.text


def test_a_plan_of_all_sets_names_those_that_are_sealed(coordinator, log_in):
    found = data_set_of(contest_of(), essays=3)

    page = log_in(coordinator).post("/planning/", {}, follow=True)

    told = f"{found.essay_set} is sealed until its finals are over: no checks are given in it."
    assert texts_of(page, "#unfilled .notice") == [told]


def test_finals_outside_contests_are_asked_about_together_however_many_there_were():
    asked = []
    for count in (1, 3):
        for _number in range(count):
            final_at(moment_now() - 3000 * SECOND, team())
        with CaptureQueriesContext(connection) as context:
            assert sealed_numbers() == []
        asked.append(len(context))

    assert asked[0] == asked[1]


def test_who_opens_a_sealed_set_is_not_told_that_experts_get_its_checks(coordinator, log_in):
    found = data_set_of(contest_of(), state="preparing")
    browser, address = log_in(coordinator), f"/sets/{found.essay_set_id}/"
    given = "Checks are given to experts"
    sealed = "Experts are given nothing of it before its finals are over (clause 2.8"

    asked = page_of(browser.get(f"{address}state/?state=open")).one("main").text
    EssaySet.objects.update(state="open")
    shown = page_of(browser.get(address)).one("main").text

    assert [(given in each, sealed in each) for each in (asked, shown)] == [(False, True)] * 2
