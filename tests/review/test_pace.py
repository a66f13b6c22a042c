"""The pace of a set is that of experts at work here, whatever was brought by files."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotator.models import Assignment, MarkupRecord
from annotator.services.imports.importing import Options, import_files
from annotator.services.versions import replace_essay
from review.core.desk import Asked
from review.queries.desk import tallies_of
from review.queries.pace import paces
from tests.annotator.files import exchanged
from tests.factories import EssayFactory, EssaySetFactory, submitted
from tests.review.exporting import checked

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="Spring")


@pytest.fixture
def brought(essay_set, coordinator):
    """Three essays with both their checks done elsewhere."""
    files = [
        exchanged(f"{at}{author}.json")
        for at in ("0001", "0002", "0003")
        for author in ("", "_exp1", "_exp2")
    ]
    import_files(files, Options(essay_set, actor=coordinator))


def pace_of(essay_set):
    pace = paces(tallies_of(Asked(set_name=essay_set.name)))[essay_set.pk]
    return pace.recent, pace.left


@pytest.mark.usefixtures("brought")
def test_checks_that_came_with_an_import_are_done_but_are_no_pace(essay_set):
    EssayFactory(essay_set=essay_set, number="0004")

    assert Assignment.objects.filter(state="submitted").count() == 6
    assert pace_of(essay_set) == (0, 2)


@pytest.mark.usefixtures("brought")
def test_checks_done_here_are_the_pace(essay_set):
    checked(EssayFactory(essay_set=essay_set, number="0004"))
    Assignment.objects.filter(essay__number="0004").update(submitted_at=timezone.now())

    assert pace_of(essay_set) == (1, 1)


@pytest.mark.usefixtures("brought")
def test_an_imported_check_that_is_done_anew_here_counts(essay_set):
    check = Assignment.objects.filter(essay__number="0001").earliest("pk")
    MarkupRecord.objects.filter(assignment=check).update(state="superseded")
    submitted(check.essay, assignment=check, author=check.expert)

    assert pace_of(essay_set) == (1, 0)


@pytest.mark.usefixtures("brought")
def test_a_version_that_was_replaced_leaves_nothing_to_do(essay_set, coordinator):
    essay = EssayFactory(essay_set=essay_set, number="0004")

    replace_essay(essay=essay, text="Another text.", reason="A misprint", actor=coordinator)

    assert pace_of(essay_set) == (0, 2)
