"""The rows of the app, where Django looks for them; each module has those of one matter."""

from annotator.models.aliases import ExpertAlias
from annotator.models.changes import MarkupChange, NotCarried
from annotator.models.essays import Assignment, Essay
from annotator.models.hints import SeenHint
from annotator.models.imports import EssayImport, ImportedFile, ImportUpload
from annotator.models.markups import FragmentRecord, MarkupRecord
from annotator.models.phrases import Phrase
from annotator.models.rules import RuleSet
from annotator.models.sets import EssaySet

__all__ = [
    "Assignment",
    "Essay",
    "EssayImport",
    "EssaySet",
    "ExpertAlias",
    "FragmentRecord",
    "ImportUpload",
    "ImportedFile",
    "MarkupChange",
    "MarkupRecord",
    "NotCarried",
    "Phrase",
    "RuleSet",
    "SeenHint",
]
