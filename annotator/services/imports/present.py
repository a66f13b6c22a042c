"""Essays as they are stored while an import is planned, then as each of its files changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotator.core.stated import Stated, frozen
from annotator.core.values import MarkedFile, Markup
from annotator.models import Assignment, Essay, MarkupRecord, RuleSet
from annotator.queries.third_checks import FIRST_TWO
from annotator.signals import third_check_asked


@dataclass(frozen=True, slots=True)
class Held:
    """An author's present markup of an essay; ``record`` is there if it is stored already."""

    markup: Markup
    stated: Mapping[str, Stated]
    role: str
    record: MarkupRecord | None = None


@dataclass(slots=True)
class Present:
    """An essay, its checks and its markups by login: as stored, then as each file changes them."""

    essay: Essay | None = None
    checks: list[Assignment] = field(default_factory=list)
    markups: dict[str, Held] = field(default_factory=dict)

    def known(self, login: str, file: MarkedFile) -> bool:
        held = self.markups.get(login)
        if held is None or (held.record and held.record.state != MarkupRecord.State.SUBMITTED):
            return False
        return held.markup == file.markup and held.stated == dict(file.stated)


def presents_of(essays: QuerySet[Essay] | Sequence[Essay]) -> list[Present]:
    """Essays as they are, with their checks and markups; five queries, however many they are."""
    found = {essay.pk: Present(essay) for essay in essays}
    if not found:
        return []
    for check in Assignment.objects.filter(essay__in=found).select_related("expert"):
        essay = found[check.essay_id].essay
        if essay is not None and check.round == essay.round:
            check.essay = essay
            found[check.essay_id].checks.append(check)
    current = MarkupRecord.objects.filter(origin="").exclude(state=MarkupRecord.State.SUPERSEDED)
    for record in (
        current.filter(essay__in=found)
        .select_related("author", "assignment")
        .prefetch_related("fragments")
    ):
        present = found[record.essay_id]
        record.essay = present.essay
        role = record.assignment.role if record.assignment in present.checks else ""
        held = Held(record.to_core(), frozen(record.stated), role, record)
        present.markups[record.author.username] = held
    return list(found.values())


def third_called(present: Present, rules: RuleSet) -> bool | None:
    """Do the two checks call a third one by the rule? ``None`` until both are in."""
    by_role = {held.role: held for held in present.markups.values() if _counts(held)}
    if present.essay is None or not by_role.keys() >= set(FIRST_TWO):
        return None
    first, second = (by_role[role].markup for role in FIRST_TWO)
    answers = third_check_asked.send(
        sender=Essay,
        subject=present.essay.core_subject,
        rules=rules,
        first=first,
        second=second,
    )
    return any(answer for _listener, answer in answers)


def _counts(held: Held) -> bool:
    return held.record is None or held.record.state == MarkupRecord.State.SUBMITTED
