"""What must be true of a database when its jobs have ended, whatever was killed on the way.

Asked after every test, of all rows there are: a few statements in all, not some for each essay.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

from django.db.models import F

from annotator.models import Assignment, Essay, MarkupRecord
from jobs.models import Job
from review.models import ThirdCheck
from review.queries.experts import experts_free_for
from scoring.core.third_expert import third_check
from scoring.models import CriteriaRecord, PairScore

ENDED = (Job.State.DONE, Job.State.FAILED)
FIRST_TWO = (Assignment.Role.FIRST, Assignment.Role.SECOND)


def broken_promises():
    """Every promise that is not kept, as sentences; nothing when all is well."""
    essays = Essay.objects.all()
    return [
        *(f"job {job} has not ended" for job in Job.objects.exclude(state__in=ENDED)),
        *ungraded(),
        *unpaired(essays),
        *ill_arbitrated(essays),
    ]


def ungraded():
    """R2, R3: one record of criteria for each submission."""
    graded = Counter(CriteriaRecord.objects.values_list("markup_id", flat=True))
    return [
        f"markup {pk} has {graded[pk]} records of criteria"
        for pk in submitted().values_list("pk", flat=True)
        if graded[pk] != 1
    ]


def unpaired(essays):
    """One score for each ordered pair; the reference is an expert's."""
    scores = PairScore.objects.filter(assessed__essay__in=essays)
    found = Counter(scores.values_list("assessed_id", "reference_id"))
    markups, experts = defaultdict(list), defaultdict(list)
    rows = submitted().filter(essay__in=essays).values_list("essay_id", "pk", "source")
    for essay, pk, source in rows:
        markups[essay].append(pk)
        if source == MarkupRecord.Source.EXPERT:
            experts[essay].append(pk)
    pairs = (pair for essay in markups for pair in product(markups[essay], experts[essay]))
    return [
        f"the markups {pair} have {found[pair]} scores"
        for pair in pairs
        if pair[0] != pair[1] and found[pair] != 1
    ]


def ill_arbitrated(essays):
    """One decision, and one third expert if and only if the rule asks for one."""
    sheets, thirds, decisions = first_two(essays), thirds_of(essays), decisions_of(essays)
    for essay in essays.select_related("essay_set__rules"):
        held = thirds[essay.pk]
        if len(sheets[essay.pk]) < len(FIRST_TWO):
            if held:
                yield f"essay {essay} has a third expert before it has two checks"
            continue
        core = [sheets[essay.pk][role].to_core() for role in FIRST_TWO]
        total = essay.essay_set.rules.third_total
        needed = third_check(essay.core_subject, *core, third_total=total).needed
        if decisions[essay.pk] != [needed]:
            told = decisions[essay.pk]
            yield f"essay {essay}: the decisions are {told}, the rule says {needed}"
        if held != int(needed and (held > 0 or experts_free_for(essay).exists())):
            yield f"essay {essay} has {held} third experts"


def first_two(essays):
    """The points of the first and the second check of the present round, essay by essay."""
    found = CriteriaRecord.objects.filter(
        markup__essay__in=essays,
        markup__state=MarkupRecord.State.SUBMITTED,
        markup__assignment__round=F("markup__essay__round"),
        markup__assignment__state=Assignment.State.SUBMITTED,
        markup__assignment__role__in=FIRST_TWO,
    )
    sheets = defaultdict(dict)
    for sheet in found.select_related("markup__assignment"):
        sheets[sheet.markup.essay_id][sheet.markup.assignment.role] = sheet
    return sheets


def thirds_of(essays):
    """How many have the third check of the present round, essay by essay."""
    held = Assignment.objects.filter(
        essay__in=essays,
        round=F("essay__round"),
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
    )
    return Counter(held.values_list("essay_id", flat=True))


def decisions_of(essays):
    """What was decided in the present round about a third check, essay by essay."""
    made = ThirdCheck.objects.filter(essay__in=essays, round=F("essay__round"))
    decisions = defaultdict(list)
    for essay, needed in made.values_list("essay_id", "needed"):
        decisions[essay].append(needed)
    return decisions


def submitted():
    return MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)


def all_ended():
    return not Job.objects.exclude(state__in=ENDED).exists()
