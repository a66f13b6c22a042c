"""How big a rule and an answer may be. Checked when a rule is read, and again before it runs.

They keep a hostile rule from costing more than a moment; the authors' own rules use a hundredth.
Lengths count code points.
"""

from __future__ import annotations

from typing import Final

MAX_RULE: Final = 100_000
"""Signs of a rule's text, and of all its atoms together."""

MAX_ATOMS: Final = 200
MAX_DESC: Final = 20_000
"""Signs of one atom's ``desc``."""
MAX_STRINGS: Final = 1_000
"""Answer strings of one atom; the options of SM are counted one by one."""
MAX_STRING: Final = 4_000

MAX_COMBOS: Final = 100
MAX_EXPRESSION: Final = 4_000
MAX_EXPRESSIONS: Final = 8_000
"""Signs of all expressions of a rule together."""
MAX_DEPTH: Final = 60
MAX_TERMS: Final = 200
"""Operands of one chain such as ``1+2+3``, arguments of one operator."""
MAX_NUMBER: Final = 40
"""Signs of one number, of a threshold too."""
MAX_ID: Final = 40
MAX_SCORE: Final = 10**300

MAX_BLANKS: Final = 200
MAX_ANSWER: Final = 20_000
"""Signs of all blanks of an answer together, and of a text put together from them."""
MAX_WORK: Final = 100_000_000
"""Signs of texts times signs of the atoms they are held against, for one answer."""
