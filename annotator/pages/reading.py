"""An essay to be read: its text with one of its markups, or without any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import QueryDict

from accounts.models import User
from accounts.queries import known_as
from annotator.core.values import Markup
from annotator.models import Essay, MarkupRecord
from annotator.pages.marks import Marked, marked_of, text_language
from annotator.pages.neighbours import neighbours_of
from web.forms import is_number_of_row

TABS: Final = 8
"""Up to so many markups have a tab above the text; of more the list leads to each."""


def reading(
    user: User,
    essay: Essay,
    seen: QuerySet[MarkupRecord],
    listed: Sequence[MarkupRecord],
    asked: QueryDict,
) -> dict[str, Any]:
    """What the page of an essay shows; ``seen`` are the markups its reader may open."""
    marked = _chosen(seen, asked.get("markup", ""))
    return {
        "essay": essay,
        "markups": listed,
        "tabs": listed[:TABS],
        "marked": marked,
        "painted": marked.markup if marked else Markup(essay.text),
        "text_language": text_language(essay.subject),
        "beside": neighbours_of(user, essay, asked),
    }


def tell_apart(markups: Iterable[MarkupRecord]) -> None:
    """Give authors of one name their logins, for those who know authors by name: staff."""
    listed = list(markups)
    names = known_as(each.author for each in listed)
    for each in listed:
        each.called = names[each.author_id]


def _chosen(seen: QuerySet[MarkupRecord], number: str) -> Marked | None:
    if not is_number_of_row(number):
        return None
    record = seen.filter(pk=int(number)).prefetch_related("fragments").first()
    return marked_of(record) if record else None
