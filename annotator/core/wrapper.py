"""The wrapper of the comparison program: one essay with all its markups (files.md 1.7).

``{"essay": {"id", "meta", "text", "markups": [{"id", "isExpert", "third", "criteria",
"selections"}]}}``. Whose a markup is stands in its own ``expert``, ``meta.expert`` or
``fileName``; files that lost these name the expert in ``id``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Final

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import Reader, Reading
from annotator.core.names import is_expert, split_name
from annotator.core.values import MarkedFile, Markup, Meta

ESSAY_KEYS: Final = frozenset({"id", "meta", "text", "markups"})
MARKUP_KEYS: Final = frozenset(
    {*("id", "isExpert", "third", "criteria", "selections"), *("meta", "expert", "fileName")}
)


@dataclass(frozen=True, slots=True)
class WrappedMarkup:
    """A markup of a wrapper; ``author`` is empty where nothing says whose it is."""

    path: str
    author: str
    is_expert: bool
    reading: Reading


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The essay as an unmarked file, and its markups over the same text."""

    essay: Reading
    markups: tuple[WrappedMarkup, ...]


def is_wrapper(payload: object) -> bool:
    """True for a file that holds an essay with several markups."""
    return isinstance(payload, dict) and isinstance(payload.get("essay"), dict)


def wrapper_from_json(payload: Mapping[str, Any]) -> Wrapper:
    """Read a wrapper. Never raises on any value of ``essay``; problems carry their path."""
    reader = Reader()
    reader.mapping(payload, "", frozenset({"essay"}))
    body = reader.mapping(payload.get("essay"), "essay", ESSAY_KEYS)
    meta = reader.meta(body.get("meta"), "essay.meta")
    meta = replace(meta, id=meta.id or reader.text(body, "id", "essay"))
    text = reader.essay(body, "essay")
    if "text" not in body:
        reader.missing("essay.text", expected="string")
    bare = MarkedFile(replace(meta, expert="", third=False), Markup(text))
    items = _items(reader, body.get("markups"))
    markups = [_markup(item, f"essay.markups[{index}]", bare) for index, item in enumerate(items)]
    return Wrapper(Reading(bare, tuple(reader.problems)), _with_known_expert(markups, meta.expert))


def _items(reader: Reader, markups: object) -> list[object]:
    if isinstance(markups, list):
        return markups
    if markups is not None:
        reader.problem("err-schema-validate", "essay.markups", expected="list")
    return []


def _markup(item: object, path: str, bare: MarkedFile) -> WrappedMarkup:
    reader = Reader()
    body = reader.mapping(item, path, MARKUP_KEYS)
    own = reader.meta(body.get("meta"), f"{path}.meta")
    subject = bare.meta.subject
    markup = reader.markup(
        body.get("selections"),
        bare.markup.text,
        classifier_of(subject) if subject else every_classifier(),
        f"{path}.selections",
    )
    stated = reader.stated(body.get("criteria"), f"{path}.criteria")
    author = _author(reader, body, path, own)
    claimed = body.get("isExpert")
    by_expert = claimed if isinstance(claimed, bool) else bool(own.expert) or is_expert(author)
    third = own.third or body.get("third") is True
    meta = replace(bare.meta, expert=author if by_expert else "", third=third)
    file = MarkedFile(meta, markup, stated)
    return WrappedMarkup(path, author, by_expert, Reading(file, tuple(reader.problems)))


def _author(reader: Reader, body: Mapping[str, Any], path: str, own: Meta) -> str:
    """The author as the markup names it; a number alone names a markup, not a person."""
    said = reader.text(body, "expert", path) or own.expert
    file_name = PurePosixPath(reader.text(body, "fileName", path)).stem
    number = reader.text(body, "id", path).strip()
    named = split_name(number).author or ("" if number.isdecimal() else number)
    if body.get("isExpert") is True and not is_expert(named):
        named = ""
    return said.strip() or split_name(file_name).author or named


def _with_known_expert(markups: list[WrappedMarkup], expert: str) -> tuple[WrappedMarkup, ...]:
    """The essay's ``meta.expert`` is the author of its one expert markup that names nobody."""
    nameless = [each for each in markups if each.is_expert and not each.author]
    if len(nameless) != 1 or any(each.author == expert for each in markups):
        return tuple(markups)
    return tuple(
        replace(each, author=expert.strip()) if each is nameless[0] else each for each in markups
    )
