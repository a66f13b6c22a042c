"""The log of a draft as its steps: what two of them both touch, what can be undone, made again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from annotator.core.changes import Change, Draft, Edit, Misfit, Placed, apply, inverse
from annotator.core.stated import Stated

RULINGS: Final = "rulings"
"""What a step touches that names nothing: what was ruled, or said, so already."""
OF: Final = "of "
"""What a step touches that takes or rules begins so; the fragment of an earlier check follows."""


class Step(StrEnum):
    """What a change of the log is to undoing.

    ``MADE``: by the expert. ``UNDONE`` and ``REDONE``: took back, made again the one before.
    ``ASIDE``: what changed nothing, the submission; it is passed over. ``FIXED``: nothing from
    before it is undone, as when the essay got another text.
    """

    MADE = "made"
    UNDONE = "undone"
    REDONE = "redone"
    ASIDE = "aside"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Undoable:
    """The versions whose inverse undoes, or makes again, the step before; the next one last.

    ``roots``: of each of them the version that made first what it takes back or makes again.
    """

    done: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()
    roots: Mapping[int, int] = field(default_factory=dict)


def undoable(log: Iterable[tuple[int, Step]]) -> Undoable:
    """Where undoing stands after a log of versions and their steps, first to last.

    A new step forgets what was undone before it.
    """
    done: list[int] = []
    undone: list[int] = []
    roots: dict[int, int] = {}
    for version, step in log:
        if step is Step.MADE:
            roots[version] = version
            done.append(version)
            undone.clear()
        elif step is Step.UNDONE:
            roots[version] = roots[done.pop()]
            undone.append(version)
        elif step is Step.REDONE:
            roots[version] = roots[undone.pop()]
            done.append(version)
        elif step is Step.FIXED:
            done.clear()
            undone.clear()
    return Undoable(tuple(done), tuple(undone), {each: roots[each] for each in (*done, *undone)})


def touched(change: Change) -> frozenset[str]:
    """What a change is about: the fragments it names, those of earlier checks it decides about, the
    criteria it states; where it names nothing, the rulings.
    """
    names = {str(edit.uid) for edit in change.edits}
    if change.restated:
        before, after = change.restated.before, change.restated.after
        names |= {key for key in {*before, *after} if before.get(key) != after.get(key)}
    origins = [edit.after.origin for edit in change.edits if edit.after and edit.after.origin]
    said = [each.number for each in change.ruled] + [each.number for each in change.reasons]
    decided = [*origins, *said]
    return frozenset(names | {f"{OF}{number}" for number in decided} or {RULINGS})


def meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether changes that touched this and that are about the same; a ruling that names nothing is
    about every ruling.
    """
    rulings = [
        any(name == RULINGS or name.startswith(OF) for name in each) for each in (one, other)
    ]
    return not one.isdisjoint(other) or (RULINGS in one | other and all(rulings))


def rebased(change: Change, stated: Mapping[str, Stated]) -> Change:
    """The change, of which other points were stated meanwhile: it states only its own anew."""
    points = change.restated
    if points is None:
        return change
    both = {*points.before, *points.after}
    own = {key for key in both if points.before.get(key) != points.after.get(key)}
    after = {key: value for key, value in stated.items() if key not in own}
    after |= {key: points.after[key] for key in own if key in points.after}
    return replace(change, restated=replace(points, before=stated, after=after))


def backwards(change: Change, draft: Draft) -> Change:
    """What takes a change back in the draft as it is by now.

    Fragments keep the numbers they have there. One whose source is gone has none any more: that
    is no difference. Raises ``Misfit`` where the draft is not what the change left.
    """
    back = inverse(change)
    edits = tuple(replace(edit, before=_met(edit, draft)) for edit in back.edits)
    found = replace(back, edits=edits)
    apply(draft, found)
    return found


def _met(edit: Edit, draft: Draft) -> Placed | None:
    present = draft.marks.get(edit.uid)
    if present and edit.before and present.origin is None:
        expected: Placed | None = replace(edit.before, origin=None)
    else:
        expected = edit.before
    if present != expected:
        raise Misfit(str(edit.uid))
    return present
