"""Problems of a markup for its subject (original.md 1.8): a list, never an exception.

The codes of the problems are those of the original platform, so that participants' programs
need not learn new ones; ``crossing-fragments`` and ``criteria-mismatch`` are ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from annotator.core.classifier import Category, Classifier
from annotator.core.problems import Problem
from annotator.core.values import Fragment, Markup, Span, fold

UNSEEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters and bidi controls: they would make a tag read as another one."""


def validate(
    markup: Markup, classifier: Classifier, *, allow_crossing: bool = False
) -> tuple[Problem, ...]:
    """Every problem of the fragments, in their order, then those of several together."""
    found: list[Problem] = []
    for number, fragment in enumerate(markup.fragments, 1):
        found += _of_one(fragment, number, classifier)
    found += _lonely_tags(markup)
    if not allow_crossing:
        found += _crossings(markup)
    return tuple(found)


def long_names(markup: Markup, limits: Mapping[str, int]) -> tuple[Problem, ...]:
    """Codes, subcodes and tags longer than ``limits`` allow: ``{"tag": 60}``."""
    return tuple(
        Problem("name-too-long", fragment=number, fields={"element": element, "limit": limit})
        for number, fragment in enumerate(markup.fragments, 1)
        for element, limit in limits.items()
        if len(getattr(fragment, element)) > limit
    )


def compare_criteria(stated: Mapping[str, int], graded: Mapping[str, int]) -> tuple[Problem, ...]:
    """``criteria-mismatch``: points an expert stated that the markup does not bear out."""
    return tuple(
        Problem(
            "criteria-mismatch",
            path="criteria",
            blocks=False,
            fields={"name": name, "stated": points, "graded": graded[name]},
        )
        for name, points in stated.items()
        if name in graded and graded[name] != points
    )


def _of_one(fragment: Fragment, number: int, classifier: Classifier) -> Iterator[Problem]:
    category = classifier.find(fragment.code)
    if not fragment.code.strip():
        yield Problem("empty-type", fragment=number)
    elif category is None:
        yield Problem("bad-error-type", fragment=number, fields={"name": fragment.code})
    else:
        yield from _of_category(fragment, number, category)
    if fragment.is_correction and not fragment.correction.strip():
        yield Problem("empty-correction", fragment=number)
    if UNSEEN.search(fragment.tag):
        yield Problem("bad-tag", fragment=number)


def _of_category(fragment: Fragment, number: int, category: Category) -> Iterator[Problem]:
    fields = {"code": category.code, "name": fragment.subcode}
    if fragment.subcode and category.subcategory(fragment.subcode) is None:
        yield Problem("bad-subtype", fragment=number, fields=fields)
    if category.whole_text_only and fragment.span:
        yield Problem("full-text-err-coordinates", fragment=number, fields=fields)


def _lonely_tags(markup: Markup) -> Iterator[Problem]:
    """A tag links fragments (1.3): one that stands alone links nothing."""
    uses = Counter(fold(fragment.tag) for fragment in markup.fragments)
    for number, fragment in enumerate(markup.fragments, 1):
        if fragment.tag.strip() and uses[fold(fragment.tag)] == 1:
            fields = {"name": fragment.tag}
            yield Problem("err-unique-tag", fragment=number, blocks=False, fields=fields)


def _crossings(markup: Markup) -> Iterator[Problem]:
    """Fragments may be nested but may not cross (1.2).

    Without those reported nothing would cross. Only the innermost of the open fragments can be
    crossed first: where an outer one is, it is crossed too.
    """
    places = [(f.span, number) for number, f in enumerate(markup.fragments, 1) if f.span]
    places.sort(key=lambda place: (place[0].start, -place[0].end))
    inside: list[tuple[Span, int]] = []
    for span, number in places:
        while inside and inside[-1][0].end <= span.start:
            inside.pop()
        if inside and inside[-1][0].crosses(span):
            fields = {"other": inside[-1][1]}
            yield Problem("crossing-fragments", fragment=number, fields=fields)
        else:
            inside.append((span, number))
