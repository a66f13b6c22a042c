from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Now

from accounts.models import Specialism, User
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord, Phrase
from annotator.models.changes import MarkupChange, NotCarried
from annotator.models.hints import SeenHint
from annotator.signals import sealed_asked
from web.prepared import Given, Prepared

UNFINISHED = [Assignment.State.WAITING, Assignment.State.WORKING]
FIRST_TWO = [Assignment.Role.FIRST, Assignment.Role.SECOND]

_WAITING_TO_BE_FINAL = MarkupRecord.objects.filter(
    assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT, final_at__isnull=False
)
HANDED_IN = Q(Exists(_WAITING_TO_BE_FINAL))
"""Checks whose expert has handed in a markup that can be recalled yet."""
OPEN = Q(state__in=UNFINISHED) & ~HANDED_IN
"""Checks that wait for their expert: what was handed in does not, though it is not final yet."""
OVERDUE = Q(deadline_at__lt=Now()) & OPEN
"""Those of them whose deadline is over by the database's clock: the one answer to what is late."""

LATEST = Q(closed_at=None)
"""Essays no other version has taken the place of."""
LISTED = LATEST & ~Q(essay_set__state=EssaySet.State.ARCHIVED)
"""The essays of lists: latest versions, and none from the archive."""
CHECKED_SETS = ~Q(access=EssaySet.Access.PRACTICE)
"""The sets whose essays are checked: all but those for practice, of which nothing is counted."""
CHECKED = ~Q(essay_set__access=EssaySet.Access.PRACTICE)
"""The essays of these."""
TAKES_CHECKS = LATEST & CHECKED & Q(essay_set__state=EssaySet.State.OPEN)
"""The essays checks may be given of."""


def sealed_sets() -> set[int]:
    """Sets that an app above keeps sealed: nothing of them is given to experts yet (R 2.8)."""
    return {pk for _who, sets in sealed_asked.send(sender=EssaySet) for pk in sets}


def latest_of(essay: Essay) -> Essay:
    """The version of an essay that counts."""
    return Essay.objects.get(LATEST, essay_set=essay.essay_set_id, number=essay.number)


def versions_of_essay(essays: QuerySet[Essay], essay: Essay) -> QuerySet[Essay]:
    """Those of these essays that are versions of one, first to last."""
    same = essays.filter(essay_set=essay.essay_set_id, number=essay.number)
    return same.order_by("version")


def steps_of(record: MarkupRecord) -> QuerySet[MarkupChange]:
    """The log of a markup, the last step first."""
    return record.changes.order_by("-version")


def last_fixed(record: MarkupRecord) -> int:
    """The version at which the essay got its present text; 0 where it had no other one."""
    fixed = record.changes.filter(step=MarkupChange.Step.FIXED)
    return fixed.aggregate(last=Max("version"))["last"] or 0


def with_counts(drafts: QuerySet[MarkupRecord]) -> QuerySet[MarkupRecord]:
    """Drafts with the number of their ``marks``, in the order of the checks."""
    counted = drafts.select_related("author", "assignment").annotate(marks=Count("fragments"))
    return counted.order_by("assignment__role", "pk")


def not_carried(record: MarkupRecord) -> QuerySet[NotCarried]:
    """What the essay's new version had no place for, and its expert has not seen yet."""
    return record.not_carried.filter(dismissed_at=None)


def sets_with_counts(*, archived: bool) -> QuerySet[EssaySet]:
    """Essay sets with the number of their essays and the subjects these have, newest first."""
    counted = Count("essays", filter=Q(essays__closed_at=None))
    in_archive = Q(state=EssaySet.State.ARCHIVED)
    found = EssaySet.objects.filter(in_archive if archived else ~in_archive)
    return found.select_related("rules").annotate(count=counted, now=Now()).order_by("-pk")


def subjects_of(sets: Sequence[EssaySet]) -> dict[int, list[tuple[str, int]]]:
    """How many essays of which subject each set has, in one query."""
    essays = Essay.objects.filter(LATEST, essay_set__in=[each.pk for each in sets])
    counted = essays.values_list("essay_set", "subject").annotate(Count("pk"))
    found: dict[int, list[tuple[str, int]]] = {each.pk: [] for each in sets}
    for set_id, subject, count in counted.order_by("subject"):
        found[set_id].append((subject, count))
    return found


def scored_by_rules(essay_set: EssaySet) -> bool:
    """Was anything handed in under the rules of a set? Scores and decisions name them then, also
    those of a check that can be recalled yet: it was held to these rules and waits for no others.

    Nothing is stored of practice: its figures follow the rules the set has.
    """
    uncounted = [MarkupRecord.Source.PRACTICE, MarkupRecord.Source.KEY]
    handed_in = MarkupRecord.objects.exclude(state=MarkupRecord.State.DRAFT, final_at=None).exclude(
        source__in=uncounted
    )
    return handed_in.filter(essay__essay_set=essay_set).exists()


def unfinished_in(essay_set: EssaySet) -> QuerySet[Assignment]:
    """Checks of a set that are given and not submitted."""
    return Assignment.objects.filter(essay__essay_set=essay_set, state__in=UNFINISHED)


def handed_in_by(expert_id: int) -> list[MarkupRecord]:
    """What an expert has handed in and can recall yet, latest first; ``now``: to tell how long."""
    return _HANDED_IN_BY(expert=expert_id)


_HANDED_IN_BY: Final = Prepared(
    lambda: (
        MarkupRecord.objects.filter(
            author=Given("expert"), state=MarkupRecord.State.DRAFT, final_at__isnull=False
        )
        .select_related("essay__essay_set")
        .annotate(now=Now())
        .order_by("-final_at", "-pk")
    )
)


def work_of(expert: User) -> QuerySet[Assignment]:
    """An expert's checks that are not submitted in the order they are to be done.

    Late ones first, then those that were begun, then the others; each by deadline.
    """
    own = MarkupRecord.objects.filter(assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT)
    return (
        Assignment.objects.filter(OPEN, expert=expert)
        .select_related("essay__essay_set")
        .annotate(
            now=Now(),
            reopened_because=Subquery(own.values("reopened_because")[:1]),
            is_earlier_reopened=Exists(
                reopened_since(OuterRef("created_at")).filter(
                    essay=OuterRef("essay"), assignment__round=OuterRef("round")
                )
            ),
        )
        .order_by(
            Case(
                When(deadline_at__lt=Now(), then=Value(0)),
                When(state=Assignment.State.WORKING, then=Value(1)),
                default=Value(2),
            ),
            F("deadline_at").asc(nulls_last=True),
            "pk",
        )
    )


def third_markups() -> QuerySet[MarkupRecord]:
    """Submitted markups of third checks."""
    return MarkupRecord.objects.filter(
        state=MarkupRecord.State.SUBMITTED, assignment__role=Assignment.Role.THIRD
    )


def third_markup_beside(record: MarkupRecord) -> MarkupRecord | None:
    """The submitted third check of the round in which a first or second check was made."""
    if record.assignment is None or record.assignment.role not in FIRST_TWO:
        return None
    found = third_markups().filter(essay=record.essay_id)
    return found.filter(assignment__round=record.assignment.round).first()


def reopened_since(moment: Any) -> QuerySet[MarkupRecord]:
    """First and second checks that are open again, or were submitted again after a moment."""
    is_open = Q(state=MarkupRecord.State.DRAFT)
    is_back = Q(state=MarkupRecord.State.SUBMITTED, submitted_at__gt=moment)
    return MarkupRecord.objects.filter(
        is_open | is_back, assignment__role__in=FIRST_TWO, reopened_at__isnull=False
    )


def reopened_beside(record: MarkupRecord) -> list[MarkupRecord]:
    """Earlier checks that were reopened while a third expert has had the essay."""
    assignment = record.assignment
    if assignment is None or assignment.role != Assignment.Role.THIRD:
        return []
    found = reopened_since(assignment.created_at).filter(
        essay=record.essay_id, assignment__round=assignment.round
    )
    return list(found.select_related("assignment").order_by("assignment__role"))


def submitted_markups(essay: Essay) -> QuerySet[MarkupRecord]:
    """The markups of an essay that count, experts before algorithms."""
    return (
        essay.markups.filter(state=MarkupRecord.State.SUBMITTED)
        .select_related("author", "assignment", "essay")
        .prefetch_related("fragments")
        .order_by("-source", "pk")
    )


def earlier_checks(record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """The first and the second check of an essay, for the markup of its third expert (R 7.9)."""
    is_draft = record.state == MarkupRecord.State.DRAFT
    is_given = record.assignment is not None and record.assignment.is_active
    is_blind = record.essay.essay_set.rules.blind_first
    if not record.third or (is_draft and (is_blind or not is_given)):
        return MarkupRecord.objects.none()
    found = record.essay.markups.filter(
        state=MarkupRecord.State.SUBMITTED,
        assignment__role__in=FIRST_TWO,
        assignment__round=record.essay.round,
    )
    return found.select_related("assignment").order_by("assignment__role")


def takeable(record: MarkupRecord) -> QuerySet[FragmentRecord]:
    """The fragments a third expert may take into this draft."""
    return FragmentRecord.objects.filter(markup__in=earlier_checks(record))


def know_sources(
    rows: Iterable[FragmentRecord], among: Iterable[FragmentRecord] = ()
) -> list[FragmentRecord]:
    """The rows, with what they were taken from: asked for at once, but for those ``among``."""
    source = FragmentRecord._meta.get_field("taken_from")
    found = list(rows)
    copies = [row for row in found if row.taken_from_id and not source.is_cached(row)]
    known = {row.pk: row for row in among}
    unknown = {row.taken_from_id for row in copies} - known.keys()
    if unknown:
        known |= FragmentRecord.objects.in_bulk(unknown)
    for row in copies:
        source.set_cached_value(row, known.get(row.taken_from_id))
    return found


_FRAGMENTS: Final = Prepared(lambda: FragmentRecord.objects.filter(markup=Given("markup")))


def fragments_of(record: MarkupRecord) -> list[FragmentRecord]:
    """The fragments of a markup in the order they were made."""
    rows = _FRAGMENTS(markup=record.pk)
    of_markup = FragmentRecord._meta.get_field("markup")
    for row in rows:
        of_markup.set_cached_value(row, record)
    return rows


def phrases_of(expert: User, code: str, *, most: int) -> list[Phrase]:
    """What an expert has written in the fields of a code: the ``most`` used of each.

    Written out: every answer with a card asks it, and putting it together took longer than it.
    """
    table = Phrase._meta.db_table
    ranked = (
        f'SELECT *, ROW_NUMBER() OVER (PARTITION BY field ORDER BY uses DESC, id) AS "place"'  # noqa: S608
        f' FROM "{table}" WHERE user_id = %s AND code = %s'
    )
    asked = f'SELECT * FROM ({ranked}) AS "ranked" WHERE place <= %s ORDER BY uses DESC, id'  # noqa: S608
    return list(Phrase.objects.raw(asked, [expert.pk, code, most]))


def quick_marks_of(expert: User, codes: Iterable[str], *, most: int) -> list[Phrase]:
    """The comments an expert has used more than once in marks of these codes, most used first.

    No two of a code read alike: of those that differ by case, blanks or a full stop, it is the
    most used one.
    """
    found: dict[tuple[str, str], Phrase] = {}
    for phrase in _used_comments(tuple(codes), most * most)(user=expert.pk):
        found.setdefault((phrase.code, phrase.folded), phrase)
    return list(found.values())[:most]


@lru_cache(maxsize=32)
def _used_comments(codes: tuple[str, ...], most: int) -> Prepared[Phrase]:
    used = Phrase.objects.filter(user=Given("user"), field=Phrase.Field.COMMENT, uses__gt=1)
    return Prepared(lambda: used.filter(code__in=codes)[:most])


_SEEN_HINTS: Final = Prepared(
    lambda: SeenHint.objects.filter(user=Given("user")).values_list("hint", flat=True)
)


def unseen_hints(expert: User) -> frozenset[str]:
    """The hints of the marking screen an expert has not put away."""
    return frozenset(SeenHint.Hint.values) - frozenset(_SEEN_HINTS(user=expert.pk))


def tries_of(essay: Essay) -> QuerySet[MarkupRecord]:
    """What experts have made of a practice essay, drafts and earlier tries too."""
    return essay.markups.filter(source=MarkupRecord.Source.PRACTICE)


def key_of(essay: Essay) -> MarkupRecord | None:
    """What tries of a practice essay are compared with, if it was given."""
    keys = essay.markups.filter(source=MarkupRecord.Source.KEY)
    return keys.filter(state=MarkupRecord.State.SUBMITTED).select_related("author").first()


def has_key() -> Exists:
    """Whether an essay has what its tries are compared with."""
    keys = MarkupRecord.objects.filter(essay=OuterRef("pk"), source=MarkupRecord.Source.KEY)
    return Exists(keys.filter(state=MarkupRecord.State.SUBMITTED))


def practice_open_to(expert: User | Given) -> QuerySet[Essay]:
    """The practice essays of an expert's subjects in open sets, with a key or yet without one."""
    return Essay.objects.filter(
        LATEST,
        essay_set__access=EssaySet.Access.PRACTICE,
        essay_set__state=EssaySet.State.OPEN,
        subject__in=Specialism.objects.filter(user=expert).values("subject"),
    )


_PRACTICE_WITH_KEY: Final = Prepared(
    lambda: practice_open_to(Given("expert")).filter(has_key()).values_list("pk", flat=True)[:1]
)


def has_practice(expert: User) -> bool:
    """True where an expert has practice essays whose tries are compared with a key."""
    return bool(_PRACTICE_WITH_KEY(expert=expert.pk))


def practice_essays(expert: User) -> QuerySet[Essay]:
    """The practice essays of an expert's subjects that have a key, in open sets.

    ``key``: its markup; ``own`` and ``own_state``: the expert's present try; ``tries``: how many
    the expert has submitted.
    """
    state = MarkupRecord.State
    of_essay = MarkupRecord.objects.filter(essay=OuterRef("pk")).order_by()
    keys = of_essay.filter(source=MarkupRecord.Source.KEY, state=state.SUBMITTED)
    own = of_essay.filter(source=MarkupRecord.Source.PRACTICE, author=expert)
    present = own.exclude(state=state.SUPERSEDED)
    handed_in = own.filter(submitted_at__isnull=False).values("essay").annotate(n=Count("pk"))
    return (
        practice_open_to(expert)
        .annotate(
            key=Subquery(keys.values("pk")[:1]),
            own=Subquery(present.values("pk")[:1]),
            own_state=Subquery(present.values("state")[:1]),
            tries=Coalesce(Subquery(handed_in.values("n")), 0),
        )
        .filter(key__isnull=False)
        .select_related("essay_set")
        .order_by("essay_set__name", "number", "pk")
    )


def markups_for_key(essay: Essay) -> QuerySet[MarkupRecord]:
    """Submitted markups by experts of other essays that have the same text, latest first."""
    source = MarkupRecord.Source
    return (
        MarkupRecord.objects.filter(
            state=MarkupRecord.State.SUBMITTED,
            source__in=[source.EXPERT, source.PRACTICE],
            essay__subject=essay.subject,
            essay__text=essay.text,
        )
        .exclude(essay=essay)
        .select_related("essay__essay_set", "author", "assignment")
        .order_by("-submitted_at", "-pk")
    )


def essays_with_markups(essays: QuerySet[Essay], participant: User) -> QuerySet[Essay]:
    """Essays with the numbers of their markups by experts and of the participant's own."""
    submitted = Q(markups__state=MarkupRecord.State.SUBMITTED)
    by_experts = Q(markups__source=MarkupRecord.Source.EXPERT)
    return (
        essays.select_related("essay_set")
        .annotate(
            expert_markups=Count("markups", filter=submitted & by_experts),
            own_markups=Count("markups", filter=submitted & Q(markups__author=participant)),
        )
        .order_by("essay_set__name", "number")
    )
