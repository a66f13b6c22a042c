"""SpaCE2022, subtask 2: reasons of spatial anomalies in Chinese texts (schemes.md 3)."""

from schemes.core.space2022.errors import Space2022Error, UnusableFileError
from schemes.core.space2022.marks import spans_of, winner_of
from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.report import question_to_json, score_to_json
from schemes.core.space2022.scoring import score, score_question
from schemes.core.space2022.values import Level, Score

__all__ = [
    "Level",
    "Score",
    "Space2022Error",
    "UnusableFileError",
    "question_to_json",
    "read_answers",
    "read_predictions",
    "score",
    "score_question",
    "score_to_json",
    "spans_of",
    "winner_of",
]
