"""What the front page shows of an essay of the demo: its mistakes, and who found them likewise.

Irina's four mistakes of the passage, with their codes; then whether Anna and “Lynx” give the same
code and the same correction. A test counts it again from the demo's files.
"""

from __future__ import annotations

from typing import Final

SPECIMEN: Final = (
    ("learn", "teach", "А.лекс", True, True),
    ("English language", "the English language", "А.грамм", True, True),
    ("games", "the games", "А.грамм", False, False),
    ("must to understand", "must understand", "А.грамм", True, True),
)
