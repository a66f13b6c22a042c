"""One markup against several others: what each of them has for each of its fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.values import Fragment, Markup
from compare.core.comparison import Comparison
from compare.core.matcher import match
from compare.core.rows import State, differences, place_in_text


@dataclass(frozen=True, slots=True)
class Thread:
    """Fragments of several markups that belong together, as indices, ``None`` for none.

    ``base`` is that of the markup the others are laid against; ``others`` stand in their order.
    """

    base: int | None
    others: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Several:
    """A markup, those it is laid against, the matching with each, and the threads of all."""

    base: Markup
    others: tuple[Markup, ...]
    comparisons: tuple[Comparison, ...]
    threads: tuple[Thread, ...]

    def fragments(self, thread: Thread) -> tuple[Fragment | None, ...]:
        """The fragments of a thread, that of the base first."""
        indices = (thread.base, *thread.others)
        markups = (self.base, *self.others)
        return tuple(
            None if index is None else markup.fragments[index]
            for markup, index in zip(markups, indices, strict=True)
        )

    def states(self, thread: Thread) -> tuple[State | None, ...]:
        """How each of the others stands to the base; ``None`` where neither has anything."""
        base, *others = self.fragments(thread)
        return tuple(_state(base, other) for other in others)


def lay_out(base: Markup, others: Sequence[Markup]) -> Several:
    """Match a markup with each of several others (Appendix 2, 3), and tie their fragments up.

    A fragment of the base is tied to its partners. What the base has nothing for is tied to its
    partner in the next of the others that has nothing for the base either. Threads come in
    reading order, whole-text mistakes last.
    """
    comparisons = tuple(match(base, other) for other in others)
    partners = [{pair.left: pair.right for pair in each.pairs} for each in comparisons]
    threads = [
        Thread(index, tuple(of_other.get(index) for of_other in partners))
        for index in range(len(base.fragments))
    ]
    threads += _left_over(others, [set(each.only_right) for each in comparisons])
    several = Several(base, tuple(others), comparisons, tuple(threads))
    ordered = sorted(threads, key=lambda thread: _reading_place(several, thread))
    return Several(base, tuple(others), comparisons, tuple(ordered))


def _left_over(others: Sequence[Markup], free: list[set[int]]) -> list[Thread]:
    """Threads of what the base has nothing for; ``free`` is used up."""
    threads = []
    for first, markup in enumerate(others):
        partners = [
            {pair.left: pair.right for pair in match(markup, other).pairs}
            for other in others[first + 1 :]
        ]
        for index in sorted(free[first]):
            tied: list[int | None] = [None] * first + [index]
            for place, of_other in enumerate(partners, first + 1):
                partner = of_other.get(index)
                is_free = partner is not None and partner in free[place]
                tied.append(partner if is_free else None)
                if is_free and partner is not None:
                    free[place].remove(partner)
            threads.append(Thread(None, tuple(tied)))
    return threads


def _state(base: Fragment | None, other: Fragment | None) -> State | None:
    if base is None:
        return State.ONLY_RIGHT if other else None
    if other is None:
        return State.ONLY_LEFT
    return next(iter(differences(base, other)), State.SAME)


def _reading_place(several: Several, thread: Thread) -> tuple[bool, int, int, bool]:
    place = place_in_text(filter(None, several.fragments(thread)))
    return *place, thread.base is None
