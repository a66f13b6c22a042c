"""When two fragments say the same: their subcodes and comments (M4), their corrections (M6).

Regulation, Appendix 1, M4 and M6; the readings are markup.md 15 to 18 and 20 to 21.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final
from unicodedata import category

from annotator.core.classifier import every_classifier
from annotator.core.values import Fragment, fold

Paraphrase = Callable[[str, str], bool]
"""Do two comments say the same?"""

DROPPED: Final = frozenset("PZC")
"""First letters of the Unicode categories a comment is compared without: punctuation, white
space, control signs."""


def same_words(first: str, second: str) -> bool:
    """Equal but for letter case, ё, punctuation and white space (markup.md 17)."""
    return bare(first) == bare(second)


def subcodes_agree(left: Fragment, right: Fragment, paraphrase: Paraphrase = same_words) -> bool:
    """M4: an equal subcode, or a comment that is a paraphrase (markup.md 15 to 18).

    Two comments are compared with each other, one comment with the standard comment of the
    other side's subcode. Without a subcode on either side a lone comment is ignored.
    """
    first, second = fold(left.subcode), fold(right.subcode)
    if first and first == second:
        return True
    if left.comment.strip() and right.comment.strip():
        return paraphrase(left.comment, right.comment)
    if not first and not second:
        return True
    return _says_the_standard(left, right, paraphrase) or _says_the_standard(
        right, left, paraphrase
    )


def corrections_agree(left: Fragment, right: Fragment) -> bool:
    """M6: both corrected alike; letter case may be the mistake, so it counts (markup.md 20-21)."""
    first = left.correction.split()
    return bool(first) and first == right.correction.split()


def _says_the_standard(said: Fragment, coded: Fragment, paraphrase: Paraphrase) -> bool:
    """The comment of one side against the subcode of the other, which has no comment."""
    standard = every_classifier().standard_comment(coded.code, coded.subcode)
    return bool(said.comment.strip() and standard) and paraphrase(said.comment, standard)


@lru_cache(maxsize=1024)
def bare(comment: str) -> str:
    """What comments are compared by (markup.md 17)."""
    folded = comment.casefold().replace("ё", "е")
    return "".join(sign for sign in folded if category(sign)[0] not in DROPPED)
