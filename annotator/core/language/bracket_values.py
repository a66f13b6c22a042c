"""Values of meta fields that stand in brackets, perhaps over several lines (Appendix 3, 1.5)."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.core.language.signs import OPENING


@dataclass(frozen=True, slots=True)
class BracketValue:
    """What stood between the brackets, and the offset at which the next line begins."""

    value: str
    next_line: int


def bracket_around(value: str) -> str | None:
    """The opening bracket a value may stand behind: neither sign of its kind is in the value."""
    kinds = OPENING.items()
    return next((one for one, other in kinds if one not in value and other not in value), None)


class BracketValues:
    """Finds closing brackets; every place is looked for once, so that all of it stays linear."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, int] = {}
        self._ends: dict[int, int | None] = {}

    def read(self, begin: int, opening: str) -> BracketValue | None:
        """The value whose opening bracket stands at ``begin``.

        ``None`` when its closing bracket is missing, so that the next one belongs to another
        bracket of this kind, or when something follows the closing one on its line.
        """
        closing = OPENING[opening]
        inside = begin + len(opening)
        end, other = self._next(closing, inside), self._next(opening, inside)
        if end < 0 or 0 <= other < end:
            return None
        next_line = self._line_after(end + len(closing))
        if next_line is None:
            return None
        return BracketValue(self._text[inside:end].strip(), next_line)

    def _next(self, sign: str, at: int) -> int:
        """Where ``sign`` stands next, from ``at`` on; -1 when nowhere."""
        known = self._found.get(sign, -2)
        if known == -1 or known >= at:
            return known
        self._found[sign] = self._text.find(sign, at)
        return self._found[sign]

    def _line_after(self, at: int) -> int | None:
        """The beginning of the next line, if nothing stands between ``at`` and it."""
        if at not in self._ends:
            end = self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            self._ends[at] = None if self._text[at:end].strip() else end + 1
        return self._ends[at]
