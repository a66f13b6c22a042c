"""Pages for pupils as files that need nothing else: their styles stand within."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from django.contrib.staticfiles import finders
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from annotator.models import EssaySet
from review.models import FinalGrade
from review.pages.pupil import PupilPage, pupil_page
from review.queries.grades import grades_for_pupils

BATCH: Final = 50
"""So many essays are read at once, however many a set has."""
STYLES: Final = ("css/tokens.css", "css/essay.css", "css/pupil.css")
COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


def pupil_file(page: PupilPage) -> bytes:
    """The page as a file of HTML, which no policy of ours guards: its styles come along."""
    bare = render_to_string("review/pupil/file.html", {"page": page})
    return bare.replace("</head>", f"<style>{_styles()}</style></head>", 1).encode()


def pupil_files(essay_set: EssaySet) -> Iterator[tuple[str, bytes]]:
    """The files of all essays of a set whose grades count, a batch of them in memory at a time.

    In the language of whoever asked: what is written while a download runs is on its own.
    """
    return _files(essay_set, get_language() or "")


def _files(essay_set: EssaySet, language: str) -> Iterator[tuple[str, bytes]]:
    last = 0
    while batch := list(_grades(essay_set).filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        for grade in batch:
            page = pupil_page(grade)
            with override(language):
                contents = pupil_file(page)
            yield page.file_name, contents


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
