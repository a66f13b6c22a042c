"""What a line of JSON Lines holds: the keys of each command, and an example of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from razbor.errors import Unusable
from razbor.words import _
from web.core.sentences import in_one_line

NAMED: Final = 5
"""So many unknown keys of a line are named."""

BESIDE: Final = re.compile(
    r"id|note|title|lang|words|category|group|flags|firm|alt|oracle|nomination|n|m"
    r"|canonical_tiebreak|quirk_texts|rule_decision|solvers_agreed|undetermined_criteria"
    r"|(?:expect|original|formula|reasons|deviat)[a-z_K]*"
)
"""What may stand beside a case: its id, and what the worked cases of ``tests/golden`` say of
themselves. None of it changes an answer."""
NOTHING: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys an object must have, those it may have, and an example where help shows one."""

    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()
    example: Mapping[str, Any] | None = None

    @property
    def line(self) -> str:
        """The example as a line of a file."""
        return json.dumps(self.example, ensure_ascii=False)

    def check(
        self, found: Mapping[str, Any], path: str = "", *, beside: re.Pattern[str] = NOTHING
    ) -> None:
        """Raises ``Unusable`` naming every key that is missing and the first unknown ones.

        A misspelt key would otherwise be read as one that was left out.
        """
        known = {*self.needed, *self.optional}
        missing = [key for key in self.needed if key not in found]
        unknown = [key for key in found if key not in known and not beside.fullmatch(key)]
        told = [_("The key “{name}” is missing. Add it.").format(name=key) for key in missing]
        told += [
            _("The key “{name}” is unknown. Check its spelling.").format(name=in_one_line(key))
            for key in unknown[:NAMED]
        ]
        if told:
            raise Unusable(f"{path}: {' '.join(told)}" if path else " ".join(told))


FRAGMENT: Final = Shape(
    ("startSelection", "endSelection", "type"),
    ("id", "group", "subtype", "comment", "explanation", "correction", "tag"),
)
"""A fragment, as in ``selections`` of the exchange format."""


def fragment_of(start: int, end: int, code: str, **more: str) -> dict[str, Any]:
    """A fragment of an example."""
    return {"startSelection": start, "endSelection": end, "type": code, **more}
