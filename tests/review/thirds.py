"""An essay whose third check is at work, beside two submitted ones that differ."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils import timezone

from annotator.core.values import Fragment
from annotator.models import Assignment, Essay, MarkupRecord
from review.queries.settling import undecided_pairs
from review.services.rulings import take_neither
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory, submitted
from tests.strategies import fragment

TEXT = "Some people think that sport unite people."
AGREED = fragment(0, 4, "А.грамм")
LEFT, RIGHT = fragment(12, 17, "А.лекс"), fragment(12, 17, "А.орф")
ONLY_LEFT, ONLY_RIGHT = fragment(18, 22, "А.грамм"), fragment(29, 34, "А.лекс")


@dataclass
class Thirds:
    """``record``: the third expert's draft."""

    record: MarkupRecord
    first: MarkupRecord
    second: MarkupRecord
    essay: Essay = field(init=False)

    def __post_init__(self) -> None:
        self.essay = self.record.essay

    def rows(self, side: str) -> list[int]:
        """The numbers of the fragments of a side, in order."""
        return list(getattr(self, side).fragments.order_by("pk").values_list("pk", flat=True))

    def submit(self) -> MarkupRecord:
        """The third markup handed in, unheard."""
        now = timezone.now()
        MarkupRecord.objects.filter(pk=self.record.pk).update(state="submitted", submitted_at=now)
        Assignment.objects.filter(pk=self.record.assignment_id).update(
            state="submitted", submitted_at=now
        )
        return MarkupRecord.objects.get(pk=self.record.pk)


def settle_rest(record: MarkupRecord) -> None:
    """Neither fragment of what is undecided."""
    numbers = [number for pair in undecided_pairs(record) for number in pair]
    take_neither(record=record, version=record.version, fragments=numbers)


def thirds(
    first: tuple[Fragment, ...] = (AGREED, LEFT, ONLY_LEFT),
    second: tuple[Fragment, ...] = (AGREED, RIGHT, ONLY_RIGHT),
    text: str = TEXT,
    **rules: object,
) -> Thirds:
    """A third expert's draft beside two submitted checks with these fragments."""
    record = draft_of(text, role="third", rules=rules)
    earlier = (
        submitted(
            record.essay,
            *fragments,
            assignment=AssignmentFactory(essay=record.essay, role=role, state="submitted"),
        )
        for role, fragments in (("first", first), ("second", second))
    )
    return Thirds(record, *earlier)
