"""What one step makes of a draft, and how it is taken back: values, made, applied and inverted."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from annotator.core.stated import Stated, frozen
from annotator.core.values import Fragment, Kind, Span

WORDS: Final = ("code", "subcode", "comment", "explanation", "correction", "tag")


class Misfit(ValueError):
    """A change meets a draft that is not as the change saw it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A fragment in a draft. ``origin``: the number of the earlier one it was taken from."""

    fragment: Fragment
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """The fragments of a draft by their ids, which stay whatever changes, and the stated points."""

    marks: Mapping[UUID, Placed] = field(default_factory=dict)
    stated: Mapping[str, Stated] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edit:
    """One fragment before and after; ``None`` where it was not there, or is not any more."""

    uid: UUID
    before: Placed | None
    after: Placed | None


@dataclass(frozen=True, slots=True)
class Restated:
    """The stated points before and after."""

    before: Mapping[str, Stated]
    after: Mapping[str, Stated]


@dataclass(frozen=True, slots=True)
class Ruled:
    """Is neither fragment of a pair of the earlier checks taken, before and after?

    ``number``: of one of the two; ``span``: where it lies, ``None`` for the whole text.
    """

    number: int
    span: Span | None
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class Reasoned:
    """Why it is decided so about a fragment of the earlier checks, before and after; "" for nothing
    said. ``number`` and ``span`` as of ``Ruled``.
    """

    number: int
    span: Span | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one step makes of a draft, each fragment at most once."""

    edits: tuple[Edit, ...] = ()
    restated: Restated | None = None
    ruled: tuple[Ruled, ...] = ()
    reasons: tuple[Reasoned, ...] = ()

    def without_origins(self, origins: Set[int | None]) -> Change:
        """The change, after which no fragment is said to be taken from one of these."""
        edits = tuple(
            replace(edit, after=replace(edit.after, origin=None))
            if edit.after and edit.after.origin in origins
            else edit
            for edit in self.edits
        )
        return replace(self, edits=edits)


def apply(draft: Draft, change: Change) -> Draft:
    """The draft after the change. Raises ``Misfit`` where it is not what the change saw before."""
    marks, stated = dict(draft.marks), draft.stated
    for edit in change.edits:
        if marks.get(edit.uid) != edit.before:
            raise Misfit(str(edit.uid))
        marks.pop(edit.uid, None)
        if edit.after:
            marks[edit.uid] = edit.after
    if change.restated:
        if dict(stated) != dict(change.restated.before):
            raise Misfit("stated")
        stated = change.restated.after
    return Draft(marks, stated)


def inverse(change: Change) -> Change:
    """The change that takes this one back."""
    edits = (Edit(edit.uid, edit.after, edit.before) for edit in reversed(change.edits))
    points = change.restated
    ruled = (replace(each, before=each.after, after=each.before) for each in change.ruled)
    reasons = (replace(each, before=each.after, after=each.before) for each in change.reasons)
    stated = Restated(points.after, points.before) if points else None
    return Change(tuple(edits), stated, tuple(ruled), tuple(reasons))


def difference(before: Draft, after: Draft) -> Change:
    """The least change that makes the one draft of the other."""
    uids = dict.fromkeys((*before.marks, *after.marks))
    pairs = ((uid, before.marks.get(uid), after.marks.get(uid)) for uid in uids)
    edits = tuple(Edit(uid, old, new) for uid, old, new in pairs if old != new)
    is_restated = dict(before.stated) != dict(after.stated)
    return Change(edits, Restated(before.stated, after.stated) if is_restated else None)


def to_json(change: Change) -> dict[str, Any]:
    """The change as JSON can hold it; ``from_json`` gives it back, with the fragments' numbers."""
    edits = [[str(edit.uid), _written(edit.before), _written(edit.after)] for edit in change.edits]
    written: dict[str, Any] = {"edits": edits}
    if change.restated:
        written["stated"] = [dict(change.restated.before), dict(change.restated.after)]
    if change.ruled:
        written["ruled"] = [
            [each.number, _ends(each.span), each.before, each.after] for each in change.ruled
        ]
    if change.reasons:
        written["reasons"] = [
            [each.number, _ends(each.span), each.before, each.after] for each in change.reasons
        ]
    return written


def from_json(written: Mapping[str, Any]) -> Change:
    """The change that ``to_json`` wrote."""
    edits = (Edit(UUID(uid), _read(old), _read(new)) for uid, old, new in written["edits"])
    stated = written.get("stated")
    ruled = (
        Ruled(number, Span(*ends) if ends else None, *states)
        for number, ends, *states in written.get("ruled", ())
    )
    reasons = (
        Reasoned(number, Span(*ends) if ends else None, *words)
        for number, ends, *words in written.get("reasons", ())
    )
    restated = Restated(*map(frozen, stated)) if stated else None
    return Change(tuple(edits), restated, tuple(ruled), tuple(reasons))


def _ends(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


def _written(placed: Placed | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    fragment = placed.fragment
    words = {name: getattr(fragment, name) for name in WORDS if getattr(fragment, name)}
    number = {"id": fragment.id} if fragment.id else {}
    return {
        "span": _ends(fragment.span),
        "kind": fragment.kind.value,
        "origin": placed.origin,
        **words,
        **number,
    }


def _read(written: Mapping[str, Any] | None) -> Placed | None:
    if written is None:
        return None
    words = {name: written.get(name, "") for name in WORDS}
    span = Span(*written["span"]) if written["span"] else None
    fragment = Fragment(span, kind=Kind(written["kind"]), **words, id=written.get("id", 0))
    return Placed(fragment, written["origin"])
