"""The comparison page on the server: SQLite, one client, two markups of 60 fragments each."""

from __future__ import annotations

from collections.abc import Iterator

from django.test import Client

from accounts.models import User
from annotator.models import MarkupRecord
from tests.bench.essays import nested_markup
from tests.bench.timing import Case
from tests.factories import EssayFactory, PersonFactory, submitted

FRAGMENTS = 60


def two_markups() -> tuple[MarkupRecord, MarkupRecord]:
    """Two experts' markups of an essay of 300 words, with little in common."""
    left, right = (nested_markup(300, FRAGMENTS, seed) for seed in (1, 2))
    essay = EssayFactory(text=left.text)
    other = [each for each in right.fragments if each.span and each.span.end <= len(left.text)]
    return submitted(essay, *left.fragments), submitted(essay, *left.fragments[:20], *other[:40])


def cases() -> Iterator[Case]:
    left, right = two_markups()
    client = Client()
    client.force_login(PersonFactory(role=User.Role.JUDGE))
    address = f"/compare/{left.pk}/{right.pk}/"
    count = len(left.to_core().fragments) + len(right.to_core().fragments)
    yield Case(
        f"open a comparison, {count} fragments",
        lambda: client.get(address),
        lambda: client.get("/desk/"),
        "a plain page",
    )
    yield Case(
        "filter a comparison",
        lambda: client.get(f"{address}?kind=code", headers={"HX-Request": "true"}),
        lambda: client.get("/desk/"),
        "a plain page",
    )
