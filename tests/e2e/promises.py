"""What must be true of a database when its jobs have ended, whatever was killed on the way."""

from __future__ import annotations

from collections import Counter
from itertools import product

from annotator.models import Assignment, Essay, MarkupRecord
from jobs.models import Job
from review.models import ThirdCheck
from review.queries import experts_free_for, sheets_of_first_two
from scoring.core.third_expert import third_check
from scoring.models import CriteriaRecord, PairScore

ENDED = (Job.State.DONE, Job.State.FAILED)


def broken_promises():
    """Every promise that is not kept, as sentences; nothing when all is well."""
    essays = Essay.objects.select_related("essay_set__rules")
    return [
        *(f"job {job} has not ended" for job in Job.objects.exclude(state__in=ENDED)),
        *ungraded(),
        *(sentence for essay in essays for sentence in unpaired(essay)),
        *(sentence for essay in essays for sentence in ill_arbitrated(essay)),
    ]


def ungraded():
    """R2, R3: one record of criteria for each submission."""
    graded = Counter(CriteriaRecord.objects.values_list("markup_id", flat=True))
    return [
        f"markup {pk} has {graded[pk]} records of criteria"
        for pk in submitted().values_list("pk", flat=True)
        if graded[pk] != 1
    ]


def unpaired(essay):
    """One score for each ordered pair; the reference is an expert's."""
    scores = PairScore.objects.filter(assessed__essay=essay)
    found = Counter(scores.values_list("assessed_id", "reference_id"))
    markups = submitted().filter(essay=essay)
    experts = markups.filter(source=MarkupRecord.Source.EXPERT)
    for pair in product(*(each.values_list("pk", flat=True) for each in (markups, experts))):
        if pair[0] != pair[1] and found[pair] != 1:
            yield f"the markups {pair} have {found[pair]} scores"


def ill_arbitrated(essay):
    """One decision, and one third expert if and only if the rule asks for one."""
    thirds = essay.assignments.filter(
        round=essay.round, role=Assignment.Role.THIRD, state__in=Assignment.ACTIVE
    ).count()
    sheets = sheets_of_first_two(essay)
    if sheets is None:
        if thirds:
            yield f"essay {essay} has a third expert before it has two checks"
        return
    first, second = (sheet.to_core() for sheet in sheets)
    rules = essay.essay_set.rules
    needed = third_check(essay.core_subject, first, second, third_total=rules.third_total).needed
    decisions = list(
        ThirdCheck.objects.filter(essay=essay, round=essay.round).values_list("needed", flat=True)
    )
    if decisions != [needed]:
        yield f"essay {essay}: the decisions are {decisions}, the rule says {needed}"
    if thirds != int(needed and (thirds > 0 or experts_free_for(essay).exists())):
        yield f"essay {essay} has {thirds} third experts"


def submitted():
    return MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)


def all_ended():
    return not Job.objects.exclude(state__in=ENDED).exists()
