"""Problems of a markup for its subject (files.md 1.8): a list, never an exception.

The codes of the problems are those of the original platform, so that participants' programs
need not learn new ones; ``crossing-fragments``, ``block-without-place``, ``marked-twice`` and
``criteria-mismatch`` are ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from annotator.core.classifier import Category, Classifier
from annotator.core.problems import Problem
from annotator.core.stated import Stated, each_of, write_points
from annotator.core.values import SHORT, Fragment, MarkedFile, Markup, Span, fold

UNSEEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters and bidi controls: they would make a tag read as another one."""

MAX_FRAGMENTS: Final = 1000
"""More marks than words: such a markup is a mistake or an attack on the matcher."""
SHORT_FIELDS: Final = {"code": 60, "subcode": 60, "tag": 60}
"""Fields of a fragment that are names, and how many characters are kept of them."""

MAY_WAIT: Final = frozenset({"empty-correction"})
"""Problems a mark may have in a draft: it is made by one key and its card is filled afterwards."""


def validate(
    markup: Markup, classifier: Classifier, *, allow_crossing: bool = False
) -> tuple[Problem, ...]:
    """Every problem of the fragments, in their order, then those of several together."""
    found: list[Problem] = []
    may_be_tagged = False
    for number, fragment in enumerate(markup.fragments, 1):
        code, subcode = fragment.code, fragment.subcode
        if fragment.tag or len(code) + len(subcode) > SHORT:
            may_be_tagged = True
        elif _is_in_order(classifier, code, subcode, fragment.span is None):
            continue  # nearly always
        found += problems_alone(fragment, classifier, number)
    found += _lonely_tags(markup) if may_be_tagged else ()
    if not allow_crossing:
        found += crossings(markup)
    return tuple(found)


def problems_alone(
    fragment: Fragment, classifier: Classifier, number: int = 1
) -> Iterator[Problem]:
    """Every problem a fragment has whatever stands beside it; ``number`` is its own, from 1."""
    category = classifier.find(fragment.code)
    if category is None:
        yield _of_no_category(fragment, number, classifier)
    else:
        yield from _of_category(fragment, number, category)
    if not fragment.correction.strip() and fragment.is_correction:
        yield Problem("empty-correction", fragment=number)
    if fragment.tag and UNSEEN.search(fragment.tag):
        yield Problem("bad-tag", fragment=number)


@lru_cache(maxsize=4096)
def _is_in_order(classifier: Classifier, code: str, subcode: str, is_whole: bool) -> bool:
    """Whether code, subcode and place fit each other and nothing else is needed."""
    fragment = Fragment(None if is_whole else Span(0, 1), code, subcode)
    return next(problems_alone(fragment, classifier), None) is None


def long_names(markup: Markup, limits: Mapping[str, int]) -> tuple[Problem, ...]:
    """Codes, subcodes and tags longer than ``limits`` allow: ``{"tag": 60}``."""
    return tuple(
        Problem("name-too-long", fragment=number, fields={"element": element, "limit": limit})
        for number, fragment in enumerate(markup.fragments, 1)
        for element, limit in limits.items()
        if len(getattr(fragment, element)) > limit
    )


def beyond_limits(markup: Markup) -> tuple[Problem, ...]:
    """What of an answer is more than is kept: ``SHORT_FIELDS`` and ``MAX_FRAGMENTS``."""
    found = long_names(markup, SHORT_FIELDS)
    if len(markup.fragments) <= MAX_FRAGMENTS:
        return found
    return (*found, Problem("too-many-fragments", fields={"limit": MAX_FRAGMENTS}))


def compare_criteria(
    stated: Mapping[str, Stated], graded: Mapping[str, int], gates: Mapping[str, str]
) -> tuple[Problem, ...]:
    """``criteria-mismatch``: points an expert stated that the markup does not bear out.

    Of several points stated at once each must be the graded one. ``gates`` has the words of the
    condition a criterion got nothing for; those that failed the same one are told together.
    """
    together: dict[str, list[str]] = {}
    for name, points in stated.items():
        if name in graded and set(each_of(points)) != {graded[name]}:
            together.setdefault(gates.get(name, name), []).append(name)
    return tuple(_mismatch(names, stated, graded, gates) for names in together.values())


def _mismatch(
    names: list[str],
    stated: Mapping[str, Stated],
    graded: Mapping[str, int],
    gates: Mapping[str, str],
) -> Problem:
    fields: dict[str, object] = {
        "name": ", ".join(names),
        "stated": ", ".join(write_points(stated[name]) for name in names),
        "graded": graded[names[0]],
    }
    if names[0] in gates:
        fields["gate"] = gates[names[0]]
    return Problem("criteria-mismatch", path="criteria", blocks=False, fields=fields)


def empty_fields(file: MarkedFile, names: Mapping[str, str]) -> tuple[Problem, ...]:
    """Fields of ``meta`` that are empty; ``names`` tells the place of each: attribute -> path."""
    return tuple(
        Problem("empty-meta", path=path)
        for attribute, path in names.items()
        if getattr(file.meta, attribute) in (None, "")
    )


def _of_no_category(fragment: Fragment, number: int, classifier: Classifier) -> Problem:
    if not fragment.code.strip():
        return Problem("empty-type", fragment=number)
    fields: dict[str, object] = {"name": fragment.code}
    if classifier.is_of_all:
        fields["every"] = True
    return Problem("bad-error-type", fragment=number, fields=fields)


def _of_category(fragment: Fragment, number: int, category: Category) -> Iterator[Problem]:
    if fragment.subcode and category.subcategory(fragment.subcode) is None:
        fields = {"code": category.code, "name": fragment.subcode}
        yield Problem("bad-subtype", fragment=number, fields=fields)
    if category.whole_text_only and fragment.span is not None:
        fields = {"code": category.code, "name": fragment.subcode}
        yield Problem("full-text-err-coordinates", fragment=number, fields=fields)
    if fragment.span is None and not category.may_be_whole_text:
        fields = {"code": category.code, "name": fragment.subcode}
        yield Problem("block-without-place", fragment=number, fields=fields)


def _lonely_tags(markup: Markup) -> Iterator[Problem]:
    """A tag links fragments (1.3): one that stands alone links nothing."""
    tagged = [(number, f) for number, f in enumerate(markup.fragments, 1) if f.tag.strip()]
    uses = Counter(fold(fragment.tag) for _number, fragment in tagged)
    for number, fragment in tagged:
        if uses[fold(fragment.tag)] == 1:
            fields = {"name": fragment.tag}
            yield Problem("err-unique-tag", fragment=number, blocks=False, fields=fields)


def repeats(markup: Markup) -> tuple[Problem, ...]:
    """Fragments with the place, code, subcode and tag of an earlier one: a remark for experts."""
    first: dict[object, int] = {}
    found = []
    for number, fragment in enumerate(markup.fragments, 1):
        words = (fold(word) for word in (fragment.code, fragment.subcode, fragment.tag))
        earlier = first.setdefault((fragment.span, *words), number)
        if earlier != number:
            fields = {"other": earlier}
            found.append(Problem("marked-twice", fragment=number, blocks=False, fields=fields))
    return tuple(found)


def legal_crossings(markup: Markup) -> tuple[Problem, ...]:
    """Crossing fragments of an algorithm: legal, and remarked on."""
    return tuple(
        Problem("crossing-kept", fragment=each.fragment, blocks=False, fields=each.fields)
        for each in crossings(markup)
    )


def remarks_on(markup: Markup, classifier: Classifier) -> tuple[Problem, ...]:
    """What is odd in an algorithm's markup that is taken as it is: nothing of it blocks."""
    found = validate(markup, classifier, allow_crossing=True)
    taken = (replace(problem, blocks=False) for problem in found)
    return (*taken, *legal_crossings(markup))


def every_crossing(markup: Markup) -> Iterator[Problem]:
    """Every two fragments that cross, once; of each two ``crossings`` names one at least."""
    spans = [(number, f.span) for number, f in enumerate(markup.fragments, 1) if f.span]
    told = set()
    for number in (each.fragment for each in crossings(markup) if each.fragment):
        told.add(number)
        own = markup.fragments[number - 1].span
        for other, span in spans:
            if own and other not in told and own.crosses(span):
                yield Problem("crossing-fragments", fragment=number, fields={"other": other})


def crossings(markup: Markup) -> Iterator[Problem]:
    """Fragments may be nested but may not cross (1.2).

    Without those reported nothing would cross. Only the innermost of the open fragments can be
    crossed first: where an outer one is, it is crossed too.
    """
    spans = [(number, f.span) for number, f in enumerate(markup.fragments, 1) if f.span]
    places = sorted([(span.start, -span.end, number) for number, span in spans])
    inside: list[tuple[int, int, int]] = []
    for place in places:
        start, before_end, number = place
        while inside and -inside[-1][1] <= start:
            inside.pop()
        # The open one does not begin later: it is crossed if it ends within.
        if inside and inside[-1][0] < start and inside[-1][1] > before_end:
            fields = {"other": inside[-1][2]}
            yield Problem("crossing-fragments", fragment=number, fields=fields)
        else:
            inside.append(place)
