"""What two matched markups have in common, in counts: the only thing that is ever summed.

Regulation, Appendix 1: the numerators and denominators of M2 to M6.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from compare.core.comparison import Comparison
from scoring.core.localization import WORD, jaccard
from scoring.core.paraphrase import (
    Paraphrase,
    corrections_agree,
    same_words,
    subcodes_agree,
)
from scoring.core.words import words_of


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of one comparison: X is the assessed markup, Y the reference.

    ``n``, ``m``: fragments of X, of Y. ``found``: matched pairs, and among them those of equal
    code, of agreeing subcode or comment, of equal correction. ``localization``: the sum of the
    pairs' Jaccard measures in words, exactly rounded, so that the pairs' order does not matter.
    """

    n: int
    m: int
    found: int = 0
    equal_codes: int = 0
    equal_subcodes: int = 0
    localization: float = 0.0
    equal_corrections: int = 0

    @property
    def missed(self) -> int:
        """Fragments of Y that X has nothing for."""
        return self.m - self.found

    @property
    def invented(self) -> int:
        """Fragments of X that Y has nothing for."""
        return self.n - self.found


def count(comparison: Comparison, *, paraphrase: Paraphrase = same_words) -> Counts:
    """Count a comparison whose left side is assessed and whose right side is the reference."""
    words = words_of(comparison.left.text, WORD)
    pairs = [(pair.loss, *comparison.fragments(pair)) for pair in comparison.pairs]
    return Counts(
        n=len(comparison.left.fragments),
        m=len(comparison.right.fragments),
        found=len(pairs),
        equal_codes=sum(not loss.code for loss, _, _ in pairs),
        equal_subcodes=sum(subcodes_agree(x, y, paraphrase) for _, x, y in pairs),
        localization=fsum(jaccard(words, x.span, y.span) for _, x, y in pairs),
        equal_corrections=sum(corrections_agree(x, y) for _, x, y in pairs),
    )
