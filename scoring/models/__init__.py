"""The rows of the app, where Django looks for them; each module has those of one matter."""

from scoring.models.boards import PublishedRun, RunVerdict, StandingBoard
from scoring.models.figures import CriteriaRecord, PairScore
from scoring.models.reports import SolutionReport
from scoring.models.runs import RunDifference, RunEntry, RunPair, RunPart, ScoreRun

__all__ = [
    "CriteriaRecord",
    "PairScore",
    "PublishedRun",
    "RunDifference",
    "RunEntry",
    "RunPair",
    "RunPart",
    "RunVerdict",
    "ScoreRun",
    "SolutionReport",
    "StandingBoard",
]
