"""Practice essays for tests."""

from __future__ import annotations

from typing import Any

from annotator.core.values import Fragment
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.services.markup import row_of, submit_markup
from annotator.services.practising import start_try
from tests.factories import EssayFactory, EssaySetFactory, submitted
from tests.strategies import fragment

KEY = (fragment(0, 4), fragment(5, 11))


def practice_essay(*key: Fragment, has_key: bool = True, by: Any = None, **fields: Any) -> Essay:
    """An essay of an open practice set, with its key, which this person has given."""
    practice = EssaySet.Access.PRACTICE
    fields.setdefault("essay_set", EssaySetFactory(access=practice))
    essay: Essay = EssayFactory(**fields)
    if has_key:
        submitted(essay, *(key or KEY), author=by, source=MarkupRecord.Source.KEY)
    return essay


def tried(essay: Essay, expert: Any, *fragments: Fragment) -> MarkupRecord:
    """An expert's try that was submitted."""
    record = start_try(essay=essay, expert=expert)
    for each in fragments:
        row_of(record, each).save()
    return submit_markup(record=record, version=record.version)
