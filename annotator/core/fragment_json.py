"""A fragment in the regulation's JSON (Appendix 3, 2): its keys, and plain ones read quickly."""

from __future__ import annotations

from typing import Final

from annotator.core.classifier import Classifier
from annotator.core.values import Fragment, Kind, Span

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


def plain_fragment(item: object, length: int, classifier: Classifier) -> Fragment | None:
    """A fragment of which there is nothing to say, quickly; ``None`` where there may be."""
    if type(item) is not dict or not item.keys() <= FRAGMENT_KEYS:
        return None
    start, end, number = item.get("startSelection"), item.get("endSelection"), item.get("id", 0)
    if type(start) is not int or type(end) is not int or type(number) is not int:
        return None
    is_whole = start == end == 0
    if not (is_whole or 0 <= start < end <= length) or abs(number) > BIGGEST:
        return None
    texts = [item.get(key, "") for key in FRAGMENT_TEXTS]
    if {*map(type, texts)} != {str}:
        return None
    group = item.get("group", "")
    category = classifier.find(texts[0])
    given = GROUPS.get(group) if type(group) is str else None
    if group != "" and (given is None or (category and given is not category.kind)):
        return None
    kind = category.kind if category else given or Kind.MISTAKE
    span = None if is_whole else Span(start, end)
    code, subcode, comment, explanation, correction, tag = texts
    return Fragment(span, code, subcode, comment, explanation, correction, tag, kind, number)
