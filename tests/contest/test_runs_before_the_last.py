"""Results are checked of a run that has the last solutions of the phase (R 6.3, 8.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotator.models import MarkupRecord
from contest.models import ExchangeSession, Phase, PhaseProtocol
from contest.queries.unchecked import Phases, without_the_last
from contest.services.sessions.finals import Planned, plan_final
from tests.contest.markup_world import markups_contest, sent_by, team_of, work_off, zipped
from tests.contest.phases import counted, phase, say, waits_for_judges
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.test_solutions import closed
from tests.factories import submitted
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db
MOMENT = timedelta(seconds=1)
EARLY = r"^Score run %d of the set “%s” was ordered before the last solutions were complete: apply"


@pytest.fixture
def contest():
    made = announced()
    team_in(made)
    over(made, "qualification")
    return made


@pytest.fixture
def run(contest):
    held = contest.data_sets.get(role="test").essay_set
    return counted(held, contest.parameter_sets.get().rules)


def session_ended(contest, run, *, after=MOMENT, role="test", **fields):
    essays = contest.data_sets.get(role=role).essay_set.essays.all()
    session = closed(contest.teams.get().account, essays, **fields)
    ExchangeSession.objects.filter(pk=session.pk).update(closed_at=run.ordered_at + after)


def test_a_session_that_ended_after_the_run_was_ordered_asks_for_another_run(contest, run, log_in):
    session_ended(contest, run)

    with pytest.raises(Refused, match=EARLY % (run.pk, run.essay_set)):
        say(contest, "checked", "judge")
    page = page_of(log_in(person("judge")).get("/contests/spring/protocols/qualification/"))
    assert "before the last solutions were complete" in page.text
    assert page.find("button[name=kind]") == []
    counted(run.essay_set, run.rules)
    ExchangeSession.objects.update(closed_at=run.ordered_at)
    say(contest, "checked", "judge")

    assert PhaseProtocol.objects.get().phase.kind == "qualification"


def test_a_qualification_waits_for_judges_only_where_these_could_check_it(contest, run):
    before = waits_for_judges(contest, "qualification")

    session_ended(contest, run)

    assert (before, waits_for_judges(contest, "qualification")) == (True, False)


def test_a_run_that_has_a_session_which_ended_while_it_waited_for_its_turn_is_whole(contest, run):
    session_ended(contest, run)
    other = closed(contest.teams.get().account, run.essay_set.essays.all())
    for session in ExchangeSession.objects.all():
        entry = {"participant": session.participant, "origin": session.origin, "name": "Lynx"}
        run.entries.create(**entry, state="former" if session == other else "no-answers")

    assert without_the_last(Phases([phase(contest)])) == set()
    run.entries.filter(state="former").delete()
    ExchangeSession.objects.filter(pk=other.pk).update(closed_at=run.ordered_at + 2 * MOMENT)
    assert without_the_last(Phases([phase(contest)])) == {run.pk}


@pytest.mark.parametrize(
    "fields",
    [{"after": -MOMENT}, {"state": "aborted"}, {"role": "training"}],
    ids=["before", "aborted", "of-another-set"],
)
def test_no_other_session_does(contest, run, fields):
    session_ended(contest, run, **fields)

    say(contest, "checked", "judge")

    assert PhaseProtocol.objects.exists()


def test_nor_is_a_run_whole_that_an_upload_has_overtaken():
    contest = markups_contest()
    sent_by(team_of(contest), zipped(contest, "А.грамм", "А.лекс"))
    work_off()
    held = contest.data_sets.get(role="test").essay_set
    run = counted(held, held.rules)
    ends = run.ordered_at - MOMENT
    Phase.objects.filter(kind="qualification").update(starts_at=ends - MOMENT, ends_at=ends)
    sent = MarkupRecord.objects.filter(source="algorithm")
    sent.update(submitted_at=run.ordered_at + MOMENT)

    with pytest.raises(Refused, match=EARLY % (run.pk, held)):
        say(contest, "checked", "judge")
    sent.update(submitted_at=run.ordered_at - MOMENT)
    say(contest, "checked", "judge")

    assert PhaseProtocol.objects.exists()


def test_a_run_that_has_an_upload_which_was_taken_in_while_it_waited_for_its_turn_is_whole():
    contest = markups_contest()
    held = contest.data_sets.get(role="test").essay_set
    team = team_of(contest)
    for essay in held.essays.all():
        submitted(essay)
    run = counted(held, held.rules)
    sent_by(team, zipped(contest, "А.грамм", "А.лекс"))
    work_off()
    entry = run.entries.create(participant=team.account, name="Lynx", state="ranked", star=1)
    answers = MarkupRecord.objects.filter(author=team.account).order_by("essay__number")
    content = [
        {"essay": each.essay_id, "number": each.essay.number, "subject": "eng", "experts": []}
        for each in answers
    ]
    for told, each in zip(content, answers, strict=True):
        told["answers"] = [[entry.pk, each.pk]]
    part = run.parts.create(number=0, essays=2, content=content)
    whole = without_the_last(Phases([phase(contest)]))
    content[1]["answers"] = []
    part.save()

    assert (whole, without_the_last(Phases([phase(contest)]))) == (set(), {run.pk})


def test_nor_is_a_run_whole_that_free_answers_of_a_team_have_overtaken(contest, run):
    essay = run.essay_set.essays.get()
    whole = without_the_last(Phases([phase(contest)]))
    submitted(essay, author=person("participant"), source="algorithm")
    of_nobody = without_the_last(Phases([phase(contest)]))

    submitted(essay, author=contest.teams.get().account, source="algorithm")

    found = without_the_last(Phases([phase(contest)]))
    assert (whole, of_nobody, found) == (set(), set(), {run.pk})


@pytest.mark.parametrize(("withdrawn", "is_missed"), [(False, True), (True, False)])
def test_an_aborted_session_of_the_final_counts_but_one_that_was_withdrawn(
    contest, withdrawn, is_missed
):
    held = contest.data_sets.get(role="final").essay_set
    planned = Planned("Final", held, now() - DAY)
    final = plan_final(planned=planned, admitted=[contest.teams.get().account], actor=None)
    run = counted(held, contest.parameter_sets.get().rules)
    fields = {"mode": "final", "state": "aborted", "withdrawn": withdrawn}

    session_ended(contest, run, role="final", final=final, **fields)

    found = without_the_last(Phases([phase(contest, "finals")]))
    assert found == ({run.pk} if is_missed else set())
