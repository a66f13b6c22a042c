"""Tags link fragments; a new one is the subcode plus a number (Appendix 3, 1.3; 3, remark 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Final

from annotator.core.values import Fragment, fold

LONGEST_STEM: Final = 40
"""A tag is a short name: no subcode of a classifier is nearly as long."""


def propose_tag(tags: Iterable[str], fragment: Fragment) -> str:
    """A tag that is none of a markup's ``tags``: «множ1», or «орф2» where there is no subcode."""
    taken = set(map(fold, tags))
    stem = _letters(fragment.subcode or fragment.code.rpartition(".")[2])[:LONGEST_STEM]
    return next(tag for number in count(1) if fold(tag := f"{stem}{number}") not in taken)


def common_tag(tags: Iterable[str], first: Fragment, second: Fragment) -> str:
    """The tag that links two fragments: the one either has, the first's before the second's."""
    return first.tag or second.tag or propose_tag(tags, first)


def checks_that_link(
    one: Mapping[int, str], other: Mapping[int, str], taken: tuple[int, int]
) -> int:
    """How many of the earlier checks link two fragments a third expert has taken; 0: none does, or
    they are told apart.

    ``one``, ``other``: the tags of the fragment and of its partner in the pair, by their checks,
    folded, "" for none. ``taken``: the checks the two are from. Of one check it is that one's word
    that counts, of two checks that of either which has both, and none of them may deny it.
    """
    said = {
        check: bool(one[check]) and one[check] == other[check] for check in one if check in other
    }
    asked = set(taken) if taken[0] == taken[1] else said.keys()
    return sum(said.values()) if all(said[check] for check in asked) else 0


def _letters(name: str) -> str:
    """A tag is letters and digits (1.3)."""
    return "".join(sign for sign in name if sign.isalnum())
