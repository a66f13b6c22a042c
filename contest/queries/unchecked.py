"""What keeps the results of phases from being checked: each is asked of several phases at once, in
as many queries as of one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from annotator.core.origins import OF_SESSION
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord, RuleSet
from annotator.queries.essays import LATEST
from annotator.queries.sets import idle_essays, of_idle_essay
from contest.models import DataSet, ExchangeSession, FinalFile, Phase, SessionFile, Upload
from contest.models import Final as PlannedFinal
from contest.queries.counting import other_runs_of
from contest.queries.phase_contents import runs_that_count, sets_by_phase
from contest.queries.sealing import runs_to_come
from contest.queries.solutions_of_teams import sessions_in_phases
from review.models import ThirdCheck
from review.queries.desk import being_decided, with_progress
from review.queries.verdicts import open_checks
from scoring.models import RunEntry, RunVerdict, ScoreRun
from scoring.queries.annulments import annulments_among, entries_in_doubt, is_otherwise
from scoring.queries.overtaken import runs_missing_answers, runs_missing_checks


class Phases:
    """Phases whose results are asked about, with the runs that count for their sets."""

    def __init__(self, phases: Iterable[Phase]) -> None:
        self.found = {each.pk: each for each in phases}

    @cached_property
    def finals(self) -> Phases:
        """Those of them that are finals."""
        own = [each for each in self.found.values() if each.kind == Phase.Kind.FINALS]
        return self if len(own) == len(self.found) else Phases(own)

    @cached_property
    def sets(self) -> dict[int, list[EssaySet]]:
        """The essay sets of each phase, by its number."""
        return sets_by_phase(self.found.values())

    @cached_property
    def runs(self) -> list[ScoreRun]:
        """The score runs that count for them, by the names of the sets."""
        return runs_that_count({each.pk for sets in self.sets.values() for each in sets})

    def of_sets(self, sets: Collection[int]) -> set[int]:
        """The numbers of the phases that are held on one of these sets."""
        return {
            number
            for number, own in self.sets.items()
            if not {each.pk for each in own}.isdisjoint(sets)
        }

    def first_of_runs(self, runs: Collection[int]) -> Iterator[tuple[int, ScoreRun]]:
        """Of each phase that has one the first of these runs, given by their numbers."""
        for number, own in self.sets.items():
            sets = {each.pk for each in own}
            found = (run for run in self.runs if run.essay_set_id in sets and run.pk in runs)
            for run in list(found)[:1]:
                yield number, run

    def of_kind(self, kind: Phase.Kind) -> dict[int, int]:
        """The numbers of the phases of a kind, by their contests."""
        return {each.contest_id: each.pk for each in self.found.values() if each.kind == kind}


def over(phases: Phases) -> set[int]:
    """Those whose time is over."""
    found = Phase.objects.filter(pk__in=phases.found, ends_at__lte=Now())
    return set(found.values_list("pk", flat=True))


def with_open_sessions(phases: Phases) -> set[int]:
    """Those of which a session has not ended yet."""
    found = set()
    for kind in Phase.Kind:
        if own := phases.of_kind(kind):
            going_on = sessions_in_phases(own, kind).filter(closed_at=None).order_by()
            contests = going_on.values_list("participant__team__contest", flat=True).distinct()
            found |= {own[contest] for contest in contests}
    return found


def with_runs_to_come(phases: Phases, now: datetime) -> dict[int, PlannedFinal]:
    """Those of finals of which a run is still to be held, with the first one."""
    own = phases.of_kind(Phase.Kind.FINALS)
    coming = runs_to_come(own, now) if own else {}
    return {own[contest]: run for contest, run in coming.items()}


def with_waiting_uploads(phases: Phases) -> set[int]:
    """Those of which uploads are not scored or taken in yet."""
    waiting = Upload.objects.filter(phase__in=phases.found, state=Upload.State.WAITING)
    return set(waiting.order_by().values_list("phase", flat=True))


def returned(phases: Phases) -> set[int]:
    """The runs that were returned: nobody stands by them."""
    verdicts = RunVerdict.objects.filter(run__in=phases.runs, kind=RunVerdict.Kind.RETURNED)
    return set(verdicts.values_list("run", flat=True))


def outdated(phases: Phases) -> set[int]:
    """The runs that count a solution otherwise than it stands now: it was annulled or excluded
    since they were ordered, or stands again.
    """
    sets = {run.pk: run.essay_set_id for run in phases.runs}
    doubts = entries_in_doubt(phases.runs)
    asked: dict[int, set[tuple[int, str]]] = {number: set() for number in sets.values()}
    for each in doubts:
        asked[sets[each.run]].add((each.participant, each.origin))
    now = annulments_among(asked)
    return {
        each.run
        for each in doubts
        if is_otherwise(each.state, now[sets[each.run]].get((each.participant, each.origin)))
    }


def without_the_last(phases: Phases) -> set[int]:
    """The runs that have not all solutions of their phase: a session ended later than they were
    ordered of which they have no entry, or they have not scored an answer that came later, in an
    upload or freely.
    """
    if not phases.runs:
        return set()
    ended = {each for kind in Phase.Kind for each in _ended_since(phases, kind)}
    entries = RunEntry.objects.filter(
        run__in={run for run, *_solution in ended},
        participant__in={participant for _run, participant, _session in ended},
    )
    known = set(entries.order_by().values_list("run", "participant", "origin")) if ended else set()
    early = {
        run
        for run, participant, session in ended
        if (run, participant, f"{OF_SESSION}{session}") not in known
    }
    return early | runs_missing_answers(phases.runs, _sent_since(phases))


def _ended_since(phases: Phases, kind: Phase.Kind) -> list[tuple[int, int, int]]:
    """The sessions of phases of a kind that ended after a run of a set of theirs was ordered: the
    run, the participant, the session.
    """
    own = phases.of_kind(kind)
    if not own:
        return []
    sessions = sessions_in_phases(own, kind).order_by()
    sessions = sessions.exclude(state=ExchangeSession.State.ABORTED, final=None)
    sessions = sessions.exclude(withdrawn=True).exclude(final__cancelled_at__isnull=False)
    run = "essay__essay_set__board__applied"
    files = SessionFile.objects.filter(
        session__in=sessions.filter(closed_at__gt=min(each.ordered_at for each in phases.runs)),
        session__closed_at__gt=F(f"{run}__ordered_at"),
        essay__essay_set__in=[each.pk for number in own.values() for each in phases.sets[number]],
    )
    return list(files.order_by().values_list(run, "session__participant", "session").distinct())


def _sent_since(phases: Phases) -> QuerySet[MarkupRecord]:
    """What teams sent in no session since the run of its set was ordered; of finals with live
    sessions there is nothing.
    """
    sets = {
        each.pk
        for number, own in phases.sets.items()
        for each in own
        if each.access != EssaySet.Access.FINAL or not phases.found[number].contest.live
    }
    return MarkupRecord.objects.filter(
        essay__essay_set__in=sets,
        source=MarkupRecord.Source.ALGORITHM,
        origin="",
        author__team__contest=F("essay__essay_set__data_set__contest"),
        submitted_at__gt=F("essay__essay_set__board__applied__ordered_at"),
    )


def by_other_rules(phases: Phases) -> dict[int, tuple[ScoreRun, RuleSet]]:
    """The runs that go by other weights or another H than the parameters, with the rules these
    say.
    """
    sets = DataSet.objects.filter(essay_set__in=[run.essay_set_id for run in phases.runs])
    found = other_runs_of(sets) if phases.runs else []
    return {run.pk: (run, rules) for run, rules in found}


def with_open_checks(phases: Phases) -> set[int]:
    """Those of whose sets checks are given and not submitted, third ones among them; of idle essays
    they keep nothing back.
    """
    checks = open_checks(_numbers(phases)).filter(~of_idle_essay()).order_by()
    return phases.of_sets(set(checks.values_list("essay__essay_set", flat=True)))


def half_checked(phases: Phases) -> dict[int, list[str]]:
    """The essays that standing runs of finals gave out and fewer than two experts have marked, by
    their numbers: third checks count as none of the two (R 7.9).
    """
    marked = MarkupRecord.objects.filter(
        essay=OuterRef("pk"),
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
    ).exclude(assignment__role=Assignment.Role.THIRD)
    experts = marked.order_by().values("essay").annotate(count=Count("author", distinct=True))
    given = FinalFile.objects.filter(
        final__essay_set=OuterRef("essay_set"),
        final__kind=PlannedFinal.Kind.FINAL,
        final__cancelled_at=None,
        essay__number=OuterRef("number"),
    )
    essays = Essay.objects.filter(LATEST, Exists(given), essay_set__in=_numbers(phases))
    short = essays.annotate(experts=Coalesce(Subquery(experts.values("count")), 0))
    return _by_phase(phases, short.filter(experts__lt=2))


def thirds_missing(phases: Phases) -> dict[int, list[str]]:
    """The essays whose first two checks call for a third one that nobody has handed in, by their
    numbers (R 7.9): also those nobody could be given yet.
    """
    done = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state=Assignment.State.SUBMITTED,
    )
    called = ThirdCheck.objects.filter(~Exists(done), needed=True, round=F("essay__round"))
    essays = Essay.objects.filter(
        LATEST, pk__in=called.values("essay"), essay_set__in=_numbers(phases)
    )
    return _by_phase(phases, essays.exclude(idle_essays()))


def thirds_undecided(phases: Phases) -> dict[int, list[str]]:
    """The essays of whose first two checks it is not said yet whether they call for a third one, by
    their numbers: it follows from their points, whose job may have failed.
    """
    essays = Essay.objects.filter(LATEST, essay_set__in=_numbers(phases)).exclude(idle_essays())
    return _by_phase(phases, with_progress(essays).filter(being_decided()))


def overtaken(phases: Phases) -> set[int]:
    """The runs that miss a check that stands; none of idle essays."""
    return runs_missing_checks(phases.runs, Q(~of_idle_essay())) if phases.runs else set()


def _numbers(phases: Phases) -> set[int]:
    return {each.pk for sets in phases.sets.values() for each in sets}


def _by_phase(phases: Phases, essays: QuerySet[Essay]) -> dict[int, list[str]]:
    """The numbers of essays in their order, of each phase that is held on sets with any."""
    found: dict[int, list[str]] = defaultdict(list)
    rows = list(essays.order_by("number").values_list("essay_set", "number"))
    for phase, sets in phases.sets.items():
        own = {each.pk for each in sets}
        for set_id, number in rows:
            if set_id in own:
                found[phase].append(number)
    return dict(found)
