"""QAC, question answering as NTCIR-3 scored it: scoring.pl Ver. 1.50 (schemes.md 4)."""

from schemes.core.qac.decoding import Encoding
from schemes.core.qac.errors import ExtractionError, QacError, UnusableFileError
from schemes.core.qac.extractions import extract
from schemes.core.qac.reading import read_key, read_responses, read_texts, with_texts
from schemes.core.qac.report import score_to_json
from schemes.core.qac.scoring import score
from schemes.core.qac.tables import res_lines, score_lines
from schemes.core.qac.values import Match, Options, Score, Task

__all__ = [
    "Encoding",
    "ExtractionError",
    "Match",
    "Options",
    "QacError",
    "Score",
    "Task",
    "UnusableFileError",
    "extract",
    "read_key",
    "read_responses",
    "read_texts",
    "res_lines",
    "score",
    "score_lines",
    "score_to_json",
    "with_texts",
]
