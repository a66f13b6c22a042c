"""Results of finals wait until each essay has its two checks, and a third one by rule (R 7.9)."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from contest.models import Final as PlannedFinal
from contest.models import FinalFile, PhaseProtocol
from contest.services.unchecked import why_unchecked
from review.models import ThirdCheck
from tests.contest.phases import applied, phase, say, waits_for_judges
from tests.contest.running_world import DAY, announced, over, team_in
from tests.factories import AssignmentFactory, EssayFactory, submitted
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    made = announced()
    team_in(made, "Lynx")
    return made


def test_the_finals_are_not_checked_before_two_experts_have_checked_each_essay(contest):
    over(contest, "finals")
    run = applied(contest)
    held, before = run.essay_set, run.ordered_at - DAY
    essays = [EssayFactory(essay_set=held, number=number) for number in ("9000001", "9000002")]
    final = PlannedFinal.objects.create(essay_set=held, name="F", starts_at=before, seed=7)
    FinalFile.objects.bulk_create(
        FinalFile(final=final, position=place, essay=essay) for place, essay in enumerate(essays)
    )
    for essay in [*essays, essays[0]]:
        submitted(essay, source="expert")
    third = AssignmentFactory(essay=essays[1], role="third", state="submitted")
    submitted(essays[1], source="expert", assignment=third)
    MarkupRecord.objects.update(submitted_at=before)

    with pytest.raises(Refused, match=r"Fewer have checked 1 of them, the first is 9000002: plan"):
        say(contest, "checked", "judge", of="finals")
    assert not waits_for_judges(contest)
    submitted(essays[1], source="expert")
    MarkupRecord.objects.update(submitted_at=before)
    assert waits_for_judges(contest)
    say(contest, "checked", "judge", of="finals")

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def test_the_finals_are_not_checked_while_a_third_check_is_called_for_that_nobody_has(contest):
    over(contest, "finals")
    run = applied(contest)
    essay = EssayFactory(essay_set=run.essay_set, number="9000007")
    first, second = (submitted(essay, source="expert") for _expert in range(2))
    MarkupRecord.objects.update(submitted_at=run.ordered_at - DAY)
    called = ThirdCheck.objects.create(
        essay=essay, round=essay.round, first=first, second=second, needed=True
    )

    with pytest.raises(Refused, match=r"^Clause 7\.9 .* call for a third one .* is 9000007: give"):
        say(contest, "checked", "judge", of="finals")
    assert not PhaseProtocol.objects.exists()
    assert not waits_for_judges(contest)
    AssignmentFactory(essay=essay, role="third", state="submitted")
    assert waits_for_judges(contest)
    say(contest, "checked", "judge", of="finals")

    assert (called.needed, PhaseProtocol.objects.get().phase.kind) == (True, "finals")


def test_nor_while_it_is_not_decided_whether_one_is_called_for(contest):
    over(contest, "finals")
    run = applied(contest)
    essay = EssayFactory(essay_set=run.essay_set, number="9000007")
    pair = [
        submitted(essay, assignment=AssignmentFactory(essay=essay, role=role, state="submitted"))
        for role in ("first", "second")
    ]
    MarkupRecord.objects.update(submitted_at=run.ordered_at - DAY)

    with pytest.raises(Refused, match=r"^Clause 7\.9 .* not decided yet .* is 9000007: wait"):
        say(contest, "checked", "judge", of="finals")
    assert not waits_for_judges(contest)
    first, second = pair
    decided = {"essay": essay, "round": essay.round, "first": first, "second": second}
    ThirdCheck.objects.create(**decided, needed=False)
    assert waits_for_judges(contest)
    say(contest, "checked", "judge", of="finals")

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def test_no_run_is_asked_for_while_checks_are_to_come(contest):
    held = over(contest, "finals").contest.data_sets.get(role="final").essay_set
    check = AssignmentFactory(essay=held.essays.first())

    before = why_unchecked(phase(contest, "finals"))
    submitted(check.essay, source="expert", assignment=check)
    check.state = check.State.SUBMITTED
    check.save()

    assert before.startswith("Clause 7.10 of the regulation: experts still mark the final set.")
    assert why_unchecked(phase(contest, "finals")).startswith("No score run counts")
