"""A score run is ordered, what it scores is fixed, and it may be stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from math import ceil
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay, EssaySet, MarkupRecord, RuleSet
from annotator.queries.essays import LATEST
from annotator.services.set_acts import hold_set
from jobs.models import Job
from jobs.services.work import Promise, fenced, order, order_all
from scoring.access import rules_to_count_by
from scoring.core.board import LARGEST_SEED
from scoring.core.entries import Field, Solution, field_of, placed, set_apart
from scoring.core.errors import WeightsError
from scoring.models import RunEntry, RunPart, ScoreRun
from scoring.queries.annulments import annulments_among
from scoring.services.code import code_digest
from scoring.services.pairs import weights_of
from scoring.signals import solutions_asked
from web.refusals import Conflict, Refused

FEWEST_OF_A_PART, MOST_OF_A_PART = 100, 250
PARTS: Final = 8
"""So many parts a run has at least, where they are not too small for it."""
MARKUPS_OF_A_PART: Final = 40_000
"""About so many markups are scored by one job at most, those of 400 solutions of 100 essays: it
takes ten seconds or some.
"""
PEOPLE_AT_ONCE: Final = 5000
State, Cause = ScoreRun.State, ScoreRun.Cause


class Submitted(NamedTuple):
    """A markup that may be scored."""

    essay: int
    markup: int
    author: int
    source: str
    origin: str
    at: datetime


class Answered(NamedTuple):
    """An essay of a run, the experts' markups of it, and those of entries."""

    essay: int
    number: str
    subject: str
    experts: Sequence[int]
    answers: Sequence[tuple[int, int]]


def order_run(
    *, essay_set: EssaySet, actor: User | None, rules: RuleSet | None = None, seed: int = 0
) -> ScoreRun:
    """Promise a run over a set, under the rules its results count by or others. It counts nowhere
    until it is applied.

    Raises ``Refused`` for what cannot be scored, ``Conflict`` while another run is being computed.
    """
    rules = rules or rules_to_count_by(essay_set)
    _refuse_unusable(essay_set, rules, seed)
    try:
        with transaction.atomic():
            hold_set(essay_set.pk)  # a check that is being reopened is open before it is ordered
            run = ScoreRun.objects.create(
                essay_set=essay_set,
                rules=rules,
                set_rules=essay_set.rules,
                seed=seed,
                code=code_digest(),
                ordered_by=actor,
            )
            order(
                kind="scoring.prepare_run",
                key=f"run:{run.pk}:prepare",
                args={"run_id": run.pk},
                priority=Job.Priority.RUNS,
            )
            audit(actor=actor, action="run.ordered", target=run, rules=str(rules), seed=seed)
    except IntegrityError:
        raise Conflict(
            _("A run of the set “%s” is being computed. Wait for it, or stop it.") % essay_set
        ) from None
    return run


def prepare_run(*, run_id: int) -> None:
    """Fix what a run scores and order its first part, a single essay. Safe to repeat."""
    run = ScoreRun.objects.select_related("essay_set").get(pk=run_id)
    told = field_of(_told_of_solutions(run.essay_set))
    markups = _submitted(run.essay_set)  # afterwards: all answers of a solution that is told of
    field = _field(run.essay_set, told, markups)
    with fenced():
        held = hold_run(run_id)
        if held.state != State.COMPUTING or held.parts.exists():
            return
        if field.unread:
            fail_run(run_id=run_id, cause=Cause.UNREAD, failure=", ".join(field.unread))
            return
        if not field.solutions:
            fail_run(run_id=run_id, cause=Cause.NO_SOLUTION)
            return
        _fix(held, markups, field)


def hold_run(run_id: int) -> ScoreRun:
    """The run, locked to the end of the transaction: one after another say what comes next."""
    return ScoreRun.objects.select_for_update(no_key=True).get(pk=run_id)


@transaction.atomic
def fail_run(*, run_id: int, cause: Cause | None = None, failure: str = "") -> None:
    """Say of a run that is being computed that it cannot be; its jobs do nothing more.

    ``failure`` is what the ``cause`` names, or the fault itself.
    """
    failed = ScoreRun.objects.filter(pk=run_id, state=State.COMPUTING).update(
        state=State.FAILED, cause=cause or "", failure=failure[:4000], finished_at=Now()
    )
    if failed:
        run = ScoreRun.objects.get(pk=run_id)
        audit(actor=None, action="run.failed", target=run, reason=run.told_failure)


@transaction.atomic
def stop_run(*, run_id: int, actor: User) -> None:
    """Break off a run that is being computed. Raises ``Conflict`` where it is not."""
    stopped = ScoreRun.objects.filter(pk=run_id, state=State.COMPUTING).update(
        state=State.FAILED, cause=Cause.STOPPED, failure=str(actor), finished_at=Now()
    )
    if not stopped:
        raise Conflict(_("The run is not being computed any more. Look at it again."))
    audit(actor=actor, action="run.stopped", target=ScoreRun.objects.get(pk=run_id))


def fail_run_of_job(*, job_id: int) -> None:
    """Where a job of a run is given up, its run has failed, by the name of what it was about."""
    job = Job.objects.get(pk=job_id)
    part_id, run_id = job.args.get("part_id"), job.args.get("run_id")
    if not job.kind.startswith("scoring.") or (part_id is None and run_id is None):
        return
    part = RunPart.objects.filter(pk=part_id).first()
    if part is not None:
        numbers = [each["number"] for each in part.content]
        about = numbers[0] if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
        fail_run(run_id=part.run_id, cause=Cause.PART, failure=f"{about}: {job.error}")
    elif run_id is not None:
        fail_run(run_id=run_id, failure=job.error)


def left_out(reasons: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """What was left out, named in order, by why."""
    found: dict[str, set[str]] = defaultdict(set)
    for why, what in reasons:
        found[why].add(what)
    return [{"why": why, "what": sorted(found[why])} for why in sorted(found)]


def _refuse_unusable(essay_set: EssaySet, rules: RuleSet, seed: int) -> None:
    if essay_set.is_practice:
        raise Refused(_("Nothing is counted of practice: there is nothing to score."))
    if not 0 <= seed <= LARGEST_SEED:
        raise Refused(_("The seed must be a whole number from 0 to %d.") % LARGEST_SEED)
    if not _average(rules):
        words = _("No accuracy can be averaged by the rules “%s”. Choose others.")
        raise Refused(words % rules)
    if not _submissions(essay_set, MarkupRecord.Source.EXPERT).exists():
        raise Refused(_("The set “%s” has no essay that an expert has marked.") % essay_set)
    if not _has_solutions(essay_set):
        words = _("Nobody has sent a solution of the set “%s”: there is nothing to rank.")
        raise Refused(words % essay_set)


def _has_solutions(essay_set: EssaySet) -> bool:
    """Is there a markup of an algorithm, or a session whose answers are none yet?"""
    if _submissions(essay_set, MarkupRecord.Source.ALGORITHM).exists():
        return True
    found = field_of(_told_of_solutions(essay_set))
    return bool(found.solutions or found.unread)


def _told_of_solutions(essay_set: EssaySet) -> list[Field]:
    answers = solutions_asked.send(sender=EssaySet, set_id=essay_set.pk)
    return [answer for _receiver, answer in answers if answer is not None]


def _average(rules: RuleSet) -> bool:
    """Can accuracies be averaged by these rules?"""
    try:
        weights_of(rules)
    except WeightsError:
        return False
    return 0 <= rules.hardness <= 1


def _submitted(essay_set: EssaySet) -> list[Submitted]:
    found = _submissions(essay_set, MarkupRecord.Source.EXPERT, MarkupRecord.Source.ALGORITHM)
    fields = ("essay_id", "pk", "author_id", "source", "origin", "submitted_at")
    return [Submitted(*row) for row in found.order_by("pk").values_list(*fields)]


def _submissions(essay_set: EssaySet, *sources: MarkupRecord.Source) -> QuerySet[MarkupRecord]:
    """The submitted markups from these of the latest versions of a set's essays."""
    return MarkupRecord.objects.filter(
        essay__essay_set=essay_set,
        essay__closed_at=None,
        state=MarkupRecord.State.SUBMITTED,
        source__in=sources,
    )


def _field(essay_set: EssaySet, told: Field, markups: Sequence[Submitted]) -> Field:
    """The solutions others told of, and what was sent freely where that counts; set apart those
    that do not stand.
    """
    free = _sent_freely(markups) if told.essays is None else ()
    solutions = (*told.solutions, *free)
    asked = {essay_set.pk: {(each.participant, each.origin) for each in solutions}}
    annulled = annulments_among(asked)[essay_set.pk]
    return replace(told, solutions=tuple(set_apart(solutions, annulled)))


def _sent_freely(markups: Sequence[Submitted]) -> tuple[Solution, ...]:
    """What came in no session, of each participant one solution."""
    freely: dict[int, list[Submitted]] = defaultdict(list)
    for each in markups:
        if each.source == MarkupRecord.Source.ALGORITHM and not each.origin:
            freely[each.author].append(each)
    return tuple(
        Solution(author, "", max(one.at for one in sent), frozenset(one.essay for one in sent))
        for author, sent in freely.items()
    )


def _fix(run: ScoreRun, markups: Sequence[Submitted], field: Field) -> None:
    latest = Essay.objects.filter(LATEST, essay_set=run.essay_set_id)
    rows = latest.order_by("number").values_list("pk", "number", "subject")
    essays = [row for row in rows if field.essays is None or row[0] in field.essays]
    experts: dict[int, list[int]] = defaultdict(list)
    for each in markups:
        if each.source == MarkupRecord.Source.EXPERT:
            experts[each.essay].append(each.markup)
    marked = [row for row in essays if row[0] in experts]
    reasons = [("no-expert", number) for essay, number, _subject in essays if essay not in experts]
    run.essays = len(marked)
    run.left_out = left_out(reasons)
    run.save(update_fields=["essays", "left_out"])
    if not marked:
        fail_run(run_id=run.pk, cause=Cause.UNMARKED)
        return
    entries = _make_entries(run, field, {essay for essay, *_rest in marked}, experts)
    answers: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for each in markups:
        entry = entries.get((each.author, each.origin))
        if each.source == MarkupRecord.Source.ALGORITHM and entry is not None:
            answers[each.essay].append((entry, each.markup))
    _make_parts(run, [Answered(*row, experts[row[0]], answers[row[0]]) for row in marked])
    order_parts(run, first=True)


def _make_entries(
    run: ScoreRun, field: Field, marked: set[int], experts: Mapping[int, Sequence[int]]
) -> dict[tuple[int, str], int]:
    """The entries by participant and origin."""
    paired = {essay for essay in marked if len(experts[essay]) > 1}
    names = names_of({each.participant for each in field.solutions})
    RunEntry.objects.bulk_create(
        (
            RunEntry(
                run=run,
                participant_id=each.participant,
                origin=each.origin,
                name=names[each.participant],
                state=each.state.value,
                reason=each.reason,
                asked=len(each.essays & marked),
            )
            for each in placed(field.solutions, paired)
        ),
        batch_size=1000,
    )
    made = run.entries.values_list("participant_id", "origin", "pk")
    return {(participant, origin): pk for participant, origin, pk in made}


def names_of(people: Collection[int]) -> dict[int, str]:
    """How people are called, some thousand at once."""
    numbers = sorted(people)
    return {
        person.pk: str(person)
        for first in range(0, len(numbers), PEOPLE_AT_ONCE)
        for person in User.objects.filter(pk__in=numbers[first : first + PEOPLE_AT_ONCE])
    }


def _make_parts(run: ScoreRun, essays: Sequence[Answered]) -> None:
    """The first essay with an answer alone, then the others in the order of their numbers."""
    first = next((each for each in essays if each.answers), essays[0])
    others = [each for each in essays if each is not first]
    RunPart.objects.bulk_create(
        (
            RunPart(run=run, number=number, essays=len(part), content=[_content(e) for e in part])
            for number, part in enumerate([[first], *parted(others)])
        ),
        batch_size=50,
    )


def parted(essays: Sequence[Answered]) -> list[Sequence[Answered]]:
    """The parts of a run besides its first essay, as even as can be, in one order always.

    Each has 100 to 250 essays, where there are so many; fewer only where so many solutions answer
    each essay that 100 of them would keep one job too long.
    """
    count = len(essays)
    markups = sum(len(each.experts) + len(each.answers) for each in essays)
    wanted = min(max(PARTS, ceil(count / MOST_OF_A_PART)), max(1, count // FEWEST_OF_A_PART))
    parts = min(count, max(wanted, ceil(markups / MARKUPS_OF_A_PART)))
    ends = [count * number // parts for number in range(parts + 1)] if parts else []
    return [essays[first:last] for first, last in pairwise(ends)]


def _content(essay: Answered) -> dict[str, Any]:
    return {
        "essay": essay.essay,
        "number": essay.number,
        "subject": essay.subject,
        "experts": [*essay.experts],
        "answers": [[*each] for each in essay.answers],
    }


def order_parts(run: ScoreRun, *, first: bool) -> None:
    """Promise the first part of a run, or all others."""
    parts = run.parts.filter(number=0) if first else run.parts.exclude(number=0)
    order_all(
        (
            Promise("scoring.score_part", f"run:{run.pk}:part:{number}", {"part_id": pk})
            for number, pk in parts.order_by("number").values_list("number", "pk")
        ),
        priority=Job.Priority.RUNS,
    )
