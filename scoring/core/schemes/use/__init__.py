"""USE, the Russian Unified State Exam task of MERA: metric grade_norm (schemes.md 1)."""

from scoring.core.schemes.use.errors import UnusableFileError, UseError
from scoring.core.schemes.use.prompts import prompts_of, read_instructions
from scoring.core.schemes.use.reading import read_key, read_predictions
from scoring.core.schemes.use.report import score_to_json
from scoring.core.schemes.use.rules import score_answer
from scoring.core.schemes.use.scoring import score
from scoring.core.schemes.use.validation import check_dataset
from scoring.core.schemes.use.values import Options, Score, Task

__all__ = [
    "Options",
    "Score",
    "Task",
    "UnusableFileError",
    "UseError",
    "check_dataset",
    "prompts_of",
    "read_instructions",
    "read_key",
    "read_predictions",
    "score",
    "score_answer",
    "score_to_json",
]
