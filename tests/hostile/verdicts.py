"""What must be true of every answer, and what is compared between databases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from config.admission import ANONYMOUS
from tests.hostile.corpus.inputs import Input
from tests.hostile.pages import OUTSIDE, Page
from tests.hostile.visitor import Answer

FINE = frozenset({200, 201, 204, 286, 302})
REFUSED = frozenset({400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 429})
FAULT = re.compile(r"Traceback|[a-z]+\.[a-z]+Error\b|site-packages|SELECT .* FROM|psycopg|sqlite3")


@dataclass(frozen=True, slots=True)
class Case:
    """An input at a door; ``place`` is where in the request it stands.

    ``expected``: the answers that are right; ``path``: what a refusal must name; ``warns``:
    whether a page that is shown again must say what is wrong with it.
    """

    door: str
    place: str
    input: Input[Any]
    expected: frozenset[int] = FINE | REFUSED
    path: str = ""
    warns: bool | None = None

    def __str__(self) -> str:
        return f"{self.door} · {self.place} · {self.input.name}"


def complaints(case: Case, answer: Answer, written: bool) -> Iterator[str]:
    """Everything that is wrong with an answer; ``written`` tells that rows changed.

    A large body may be refused at any door: how large, tests/config/test_doors.py asks.
    """
    if answer.status >= 500:
        yield f"{answer.status}: {answer.fault or answer.body[:200]!r}"
        return
    too_large = answer.status == 413 and answer.asked > ANONYMOUS
    if answer.status not in case.expected and not too_large:
        yield f"{answer.status}, not {sorted(case.expected)}: {answer.body[:300]!r}"
    if answer.status in REFUSED and written:
        yield f"{answer.status}, but rows were written"
    if OUTSIDE.match(answer.headers.get("Location", "")):
        yield f"leads away to {answer.headers['Location'][:200]}"
    if answer.is_page:
        yield from _of_page(case, answer)
    elif answer.status in REFUSED and case.input.name != "HEAD":  # its answers have no words
        yield from _of_refusal(case, answer)
    if answer.status in REFUSED and FAULT.search(_echoless(case, answer)):
        yield f"tells of its inside: {answer.body[:300]!r}"


def _of_page(case: Case, answer: Answer) -> Iterator[str]:
    page = Page(answer.text)
    if page.dangers:
        yield f"could run or lead away: {page.dangers[:3]}"
    if answer.status in REFUSED - {405} and not (page.sentences or page.title):
        yield f"{answer.status} without a sentence: {answer.body[:300]!r}"
    if case.warns is not None and case.warns != bool(page.sentences):
        yield f"{answer.status} says {page.sentences[:3]}"


def _of_refusal(case: Case, answer: Answer) -> Iterator[str]:
    if not answer.is_json:
        yield f"{answer.status} that is neither a page nor JSON: {answer.body[:200]!r}"
        return
    body = answer.json()
    if not (isinstance(body, dict) and body.get("code") and body.get("message")):
        yield f"{answer.status} without a sentence: {answer.body[:300]!r}"
        return
    places = places_of(body)
    if answer.status == 400 and not places:
        yield f"400 without a place: {answer.body[:300]!r}"
    if answer.status in (400, 422) and case.path and not _named(case.path, places):
        yield f"{answer.status} names {places[:3]}, not {case.path}"


def places_of(body: dict[str, Any]) -> list[str]:
    """The places a refusal names: lines, bytes, headers, paths, fields, fragments."""
    places = [f"{key} {body[key]}" for key in ("line", "byte", "header") if key in body]
    places += [body["path"]] if "path" in body else []
    places += list(body.get("fields", ()))
    for problem in body.get("problems", ()):
        places.append(problem["path"] if problem["path"] is not None else problem["place"])
    return places


def _named(path: str, places: list[str]) -> bool:
    return any(place.startswith((path, "line ", "byte ", "fragment ")) for place in places)


def _echoless(case: Case, answer: Answer) -> str:
    """The answer without what it says again of the input itself."""
    value = case.input.value
    text = answer.body.decode("utf-8", "replace")
    return "" if isinstance(value, str) and FAULT.search(value) else text


def verdict(answer: Answer) -> list[Any]:
    """What must be the same on every database: the status and the words of a refusal."""
    if answer.is_json and answer.status in REFUSED and answer.body:  # HEAD has none
        body = answer.json()
        problems = [
            [problem["code"], problem["path"], problem["fragment"]]
            for problem in body.get("problems", [])[:20]
        ]
        return [answer.status, body.get("code"), body.get("message"), problems]
    if answer.is_page and answer.status != 200:
        return [answer.status, "", " ".join(Page(answer.text).sentences)[:300], []]
    return [answer.status, "", "", []]
