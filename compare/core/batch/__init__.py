"""The one matcher for many pairs of markups at once: the pairs of ``match``. Needs numpy.

``columns`` holds fragments, ``corpus`` says which markups are compared, ``edges`` finds what may
belong together, ``settling`` and ``small`` decide nearly all of it, ``matching`` puts it together,
``telling`` makes it the values of a pair.
"""

from compare.core.batch.columns import Columns, FragmentLists, columns_of, listed, pack
from compare.core.batch.corpus import Corpus
from compare.core.batch.matching import Portion, match_all
from compare.core.batch.telling import comparisons

__all__ = [
    "Columns",
    "Corpus",
    "FragmentLists",
    "Portion",
    "columns_of",
    "comparisons",
    "listed",
    "match_all",
    "pack",
]
