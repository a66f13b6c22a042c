"""A fragment in the regulation's JSON (Appendix 3, 2): its keys, and plain ones read quickly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from annotator.core.classifier import Classifier
from annotator.core.problems import Problem
from annotator.core.values import SHORT, Fragment, Kind, fragment_of, span_of

GROUPS: Final = {"meaning": Kind.BLOCK, "error": Kind.MISTAKE}
FRAGMENT_TEXTS: Final = {
    "type": "code",
    "subtype": "subcode",
    "comment": "comment",
    "explanation": "explanation",
    "correction": "correction",
    "tag": "tag",
}
FRAGMENT_KEYS: Final = frozenset({*FRAGMENT_TEXTS, "id", "startSelection", "endSelection", "group"})
BIGGEST: Final = 2**31 - 1
DEFAULTS: Final[Mapping[str, object]] = {
    "startSelection": None,
    "endSelection": None,
    "id": 0,
    "group": "",
    **dict.fromkeys(FRAGMENT_TEXTS, ""),
}
"""What a key that is left out stands for; of places there is nothing."""
_all_values: Final = itemgetter(*DEFAULTS)


NAMES_OF_TYPES: Final[Mapping[type, str]] = {list: "list", str: "string"}
"""What is often sent in place of a whole file: its fragments alone, or bracket text."""


def no_object(value: object, path: str) -> Problem:
    """No object stands where one is expected; of a whole file (no ``path``), what does."""
    fields = {"expected": "object"}
    if not path:
        fields["whole"] = NAMES_OF_TYPES.get(type(value), "other")
    return Problem("err-schema-validate", path=path, fields=fields)


def plain_fragment(item: object, length: int, classifier: Classifier) -> Fragment | None:
    """A fragment of which there is nothing to say, quickly; ``None`` where there may be."""
    if type(item) is not dict or (values := _values(item)) is None:
        return None
    start, end, number, group, code, subcode, comment, explanation, correction, tag = values
    if not (type(start) is type(end) is type(number) is int):
        return None
    is_whole = start == end == 0
    if not (is_whole or 0 <= start < end <= length) or abs(number) > BIGGEST:
        return None
    is_told = type(code) is type(subcode) is type(comment) is type(explanation) is str
    if not (is_told and type(correction) is type(tag) is type(group) is str):
        return None
    find_kind = _kind if len(code) + len(group) <= SHORT else _kind_of
    kind = find_kind(classifier, code, group)
    if kind is None:
        return None
    span = None if is_whole else span_of(start, end)
    return fragment_of(span, (code, subcode, comment, explanation, correction, tag), kind, number)


def _values(item: dict[str, Any]) -> tuple[Any, ...] | None:
    """The values of the keys in the order of ``DEFAULTS``; ``None`` where there are others."""
    if len(item) == len(DEFAULTS):
        try:
            found: tuple[Any, ...] = _all_values(item)  # nearly always
        except KeyError:
            return None
        return found
    if not item.keys() <= FRAGMENT_KEYS:
        return None
    return tuple([item.get(key, default) for key, default in DEFAULTS.items()])


def _kind_of(classifier: Classifier, code: str, group: str) -> Kind | None:
    """The kind of a fragment; ``None`` where its group is unknown or not that of its code."""
    category, given = classifier.find(code), GROUPS.get(group)
    if group and (given is None or (category and given is not category.kind)):
        return None
    return category.kind if category else given or Kind.MISTAKE


_kind: Final = lru_cache(maxsize=4096)(_kind_of)
