"""Pages for pupils as files that need nothing else: their styles stand within."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.contrib.staticfiles import finders
from django.db.models import Count, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotator.models import Essay, EssaySet
from review.core.desk import BY_CODE, Number
from review.models import FinalGrade
from review.pages.desk import STATES
from review.pages.pupil import PupilPage, pupil_page
from review.queries.grades import essays_of_grades, essays_without_page, grades_for_pupils
from web.core.batches import batched

BATCH: Final = 50
"""So many essays are read at once, however many a set has."""
LINES: Final = 500
"""So many essays without a page are named at once."""
STYLES: Final = ("css/tokens.css", "css/essay.css", "css/pupil.css")
COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


def pupil_file(page: PupilPage) -> bytes:
    """The page as a file of HTML, which no policy of ours guards: its styles come along."""
    bare = render_to_string("review/pupil/file.html", {"page": page})
    return bare.replace("</head>", f"<style>{_styles()}</style></head>", 1).encode()


@dataclass(frozen=True, slots=True)
class Graded:
    """How many of the essays of a set have a grade, and so a page for the pupil."""

    n: int
    of: int


def graded_in(essay_set: EssaySet) -> Graded:
    """One query, whatever the set’s size."""
    has_grade = Q(pk__in=_grades(essay_set).order_by().values("essay"))
    counts = essays_of_grades(essay_set).aggregate(n=Count("pk", filter=has_grade), of=Count("pk"))
    return Graded(**counts)


def pupil_files(essay_set: EssaySet) -> Iterator[tuple[str, bytes | Iterator[bytes]]]:
    """The files of all essays of a set whose grades count, by number, a batch of them in memory at
    a time; where there are others, at last a text that names them and says why.

    In the language of whoever asked: what is written while a download runs is on its own.
    """
    return _files(essay_set, get_language() or "")


def _files(essay_set: EssaySet, language: str) -> Iterator[tuple[str, bytes | Iterator[bytes]]]:
    ordered = _grades(essay_set).order_by("essay__number", "pk")
    numbers = list(ordered.values_list("pk", flat=True))
    for some in batched(numbers, BATCH):
        for grade in ordered.filter(pk__in=some):
            page = pupil_page(grade)
            with override(language):
                contents = pupil_file(page)
            yield page.file_name, contents
    left = essays_without_page(essay_set, up_to=max(numbers, default=0))
    if left.exists():
        with override(language):
            name = _("Left out.txt")
        yield name, _left_out(essay_set, left, language)


def _left_out(essay_set: EssaySet, left: QuerySet[Essay], language: str) -> Iterator[bytes]:
    """A line an essay, a batch of lines at a time."""
    with override(language):
        said = _("No page was made of these essays: they have no final grade yet.")
    lines = [f"{essay_set.name}\n{said}\n\n"]
    for essay in left.iterator(chunk_size=LINES):
        with override(language):
            lines.append(f"{essay.number}: {_why_none(essay_set, essay)}\n")
        if len(lines) >= LINES:
            yield "".join(lines).encode()
            lines.clear()
    yield "".join(lines).encode()


def _why_none(essay_set: EssaySet, essay: Essay) -> str:
    if essay_set.rules.final_rule(essay.core_subject) is None:
        return _("the rules of the set state no final grade for this subject")
    number = BY_CODE[essay.progress].number  # type: ignore[attr-defined]
    if number is Number.SETTLED:
        return _("settled, the grade is being made")
    return str(STATES[number])


def _grades(essay_set: EssaySet) -> QuerySet[FinalGrade]:
    return grades_for_pupils().filter(essay__essay_set=essay_set)


@cache
def _styles() -> str:
    """The styles of the page, ours alone, without what they say to those who write them."""
    found = []
    for name in STYLES:
        path = finders.find(name)
        if path is None:
            raise FileNotFoundError(name)
        with open(path, encoding="utf-8") as file:
            found.append(COMMENT.sub("", file.read()))
    return "".join(found)
