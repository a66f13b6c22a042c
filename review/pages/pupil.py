"""What a pupil gets of a settled essay: the text, the mistakes explained, points with reasons.

No name stands on it: neither of the experts nor of anybody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from annotator.core.classifier import Classifier, classifier_of
from annotator.core.values import Kind, Markup, fold
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.pages.marks import Mark, marks_of, text_language
from annotator.pages.palette import in_own_words, interface_language
from review.models import FinalGrade
from scoring.core.criteria import explain
from scoring.core.criteria.reasons import code_itself, describe
from scoring.core.criteria.sheet import K_MAX, MAXIMA


@dataclass(frozen=True, slots=True)
class CriterionLine:
    """The points of a criterion and why they are not all there."""

    name: str
    points: int
    maximum: int
    reason: str


@dataclass(frozen=True, slots=True)
class PupilCheck:
    """A check that counted; ``mistakes`` are in reading order."""

    name: str
    markup: Markup
    mistakes: Sequence[Mark]
    criteria: Sequence[CriterionLine]
    total: int


@dataclass(frozen=True, slots=True)
class PupilPage:
    """The page of one essay."""

    essay: Essay
    grade: FinalGrade
    checks: Sequence[PupilCheck]

    @property
    def maximum(self) -> int:
        """The highest total."""
        return K_MAX[self.essay.core_subject]

    @property
    def text_language(self) -> str:
        """The language the essay is written in."""
        return text_language(self.essay.subject)

    @property
    def file_name(self) -> str:
        """The name it is kept by: the essay's number, where a disk takes it as it is."""
        number = self.essay.number
        is_plain = number[0].isalnum() and all(sign.isalnum() or sign in "-_." for sign in number)
        return f"{number}.html" if is_plain else f"essay-{self.essay.pk}.html"


def pupil_page(grade: FinalGrade) -> PupilPage:
    """The page of a grade of ``review.queries.grades_for_pupils``: it asks for nothing more."""
    essay = grade.essay
    records = {
        Assignment.Role.FIRST.value: grade.first,
        Assignment.Role.SECOND.value: grade.second,
        Assignment.Role.THIRD.value: grade.third,
    }
    checks = [
        _check(essay, role, record, grade.sheets[role])
        for role, record in records.items()
        if record is not None and role in grade.counted
    ]
    return PupilPage(essay, grade, checks)


def _check(essay: Essay, role: str, record: MarkupRecord, points: Mapping[str, int]) -> PupilCheck:
    markup = Markup(essay.text, tuple(row.to_core() for row in record.fragments.all()))
    marks = marks_of(markup, classifier_of(essay.core_subject))
    return PupilCheck(
        str(Assignment.Role(role).label),
        markup,
        [mark for mark in marks if mark.fragment.kind is not Kind.BLOCK],
        list(_criteria(essay, markup, points)),
        sum(points.values()),
    )


def _criteria(essay: Essay, markup: Markup, points: Mapping[str, int]) -> list[CriterionLine]:
    """A reason is told where the criteria still give the points that were settled."""
    subject = essay.core_subject
    why = explain(subject, markup)
    call = partial(_called, classifier_of(subject))
    lines = []
    for name, maximum in MAXIMA[subject].items():
        given = points.get(name, 0)
        is_told = why[name].points == given < maximum
        reason = describe(subject, why[name], _, call=call) if is_told else ""
        lines.append(CriterionLine(name, given, maximum, reason))
    return lines


def _called(classifier: Classifier, code: str) -> str:
    """A code, or a family («Г.»), by the classifier's words, for who knows no codes."""
    name = _name(classifier, code)
    told = code_itself(code)
    return _("“%(name)s” (%(code)s)") % {"name": name, "code": told} if name else told


def _name(classifier: Classifier, code: str) -> str:
    if code.endswith("."):
        of_it = [each for each in classifier.categories if fold(each.code).startswith(fold(code))]
        return ", ".join(dict.fromkeys(in_own_words(each.section) for each in of_it))
    category = classifier.find(code)
    if category is None:
        return ""
    if interface_language() == "en" and category.english:
        return category.english
    return in_own_words(category.name).removesuffix(".")
