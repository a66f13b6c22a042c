"""Criteria by subject (Appendix 3, 3; markup.md 2): grading a markup, and saying why."""

from __future__ import annotations

from typing import Final

from annotator.core.values import Markup, Subject
from scoring.core.criteria.english import ENGLISH
from scoring.core.criteria.grader import Grader, Reasons
from scoring.core.criteria.history import HISTORY
from scoring.core.criteria.literature import LITERATURE
from scoring.core.criteria.russian import RUSSIAN
from scoring.core.criteria.russian_free import RUSSIAN_FREE
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.criteria.social_science import SOCIAL_SCIENCE

GRADERS: Final[dict[Subject, Grader]] = {
    Subject.RUSSIAN: RUSSIAN,
    Subject.RUSSIAN_FREE: RUSSIAN_FREE,
    Subject.LITERATURE: LITERATURE,
    Subject.SOCIAL_SCIENCE: SOCIAL_SCIENCE,
    Subject.HISTORY: HISTORY,
    Subject.ENGLISH: ENGLISH,
    Subject.ENGLISH_FREE: ENGLISH,
}


def grade(subject: Subject, markup: Markup) -> CriteriaSheet:
    """The points of an essay, computed from its markup."""
    return GRADERS[subject](markup)


def explain(subject: Subject, markup: Markup) -> dict[str, Reasons]:
    """The same points with their reasons, by criterion."""
    return GRADERS[subject].explain(markup)
