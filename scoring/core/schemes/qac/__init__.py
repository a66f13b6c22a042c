"""QAC, question answering as NTCIR-3 scored it: scoring.pl Ver. 1.50 (schemes.md 4)."""

from scoring.core.schemes.qac.decoding import Encoding
from scoring.core.schemes.qac.errors import ExtractionError, QacError, UnusableFileError
from scoring.core.schemes.qac.extractions import extract
from scoring.core.schemes.qac.reading import read_key, read_responses, read_texts, with_texts
from scoring.core.schemes.qac.report import score_to_json
from scoring.core.schemes.qac.scoring import score
from scoring.core.schemes.qac.tables import res_lines, score_lines
from scoring.core.schemes.qac.values import Match, Options, Score, Task

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
