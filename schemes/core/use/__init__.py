"""USE, the Russian Unified State Exam task of MERA: metric grade_norm (schemes.md 1)."""

from schemes.core.use.errors import UnusableFileError, UseError
from schemes.core.use.formats import refuse_idle_split
from schemes.core.use.prompts import prompts_of, read_instructions
from schemes.core.use.reading import read_key, read_predictions
from schemes.core.use.report import score_to_json
from schemes.core.use.rules import score_answer
from schemes.core.use.scoring import score
from schemes.core.use.validation import check_dataset
from schemes.core.use.values import Options, Score, Task

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
    "refuse_idle_split",
    "score",
    "score_answer",
    "score_to_json",
]
