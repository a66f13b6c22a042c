"""Every case of tests/golden/markup_language.jsonl."""

import json
from collections import Counter
from pathlib import Path

import pytest

from annotator.core.classifier import plain_classifier
from annotator.core.codec import META_TEXTS
from annotator.core.fragment_json import GROUPS
from annotator.core.language import parse
from annotator.core.language.header import read_subject
from annotator.core.values import Fragment, MarkedFile, Markup, Meta, Span, in_reading_order

GOLDEN = Path(__file__).parents[3] / "golden"
CASES = [
    json.loads(line) for line in (GOLDEN / "markup_language.jsonl").read_text("utf-8").splitlines()
]
CLASSIFIERS = {
    name: plain_classifier(
        {code: (GROUPS[each["group"]], each["subtypes"]) for code, each in codes.items()}
    )
    for name, codes in json.loads(
        (GOLDEN / "classifiers_for_cases.json").read_text("utf-8")
    ).items()
}
ELEMENTS = ("comment", "explanation", "correction", "tag")


def meta_of(fields):
    texts = {META_TEXTS[key]: value for key, value in fields.items() if key in META_TEXTS}
    return Meta(
        **texts,
        year=int(fields["year"]) if "year" in fields else None,
        subject=read_subject(fields["subject"]) if "subject" in fields else None,
    )


def fragments_of(given, classifier):
    span = None if given["whole_text"] else Span(given["start"], given["end"])
    elements = {name: given[name] for name in ELEMENTS}
    for code, subcode in given["codes"] or [["", ""]]:
        yield Fragment(span, code, subcode, **elements, kind=classifier.kind(code))


def reading_of(expected, classifier):
    fragments = [
        each for given in expected["fragments"] for each in fragments_of(given, classifier)
    ]
    points = {name: int(value) for name, value in expected["criteria"].items()}
    markup = Markup(expected["text"], tuple(in_reading_order(fragments)))
    return MarkedFile(meta_of(expected["meta"]), markup, points)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_golden_case_is_read_in_one_of_the_right_ways(case):
    classifier = CLASSIFIERS[case["classifier"]]
    right = [case["expected"], *(each["expected"] for each in case["alternatives"])]

    parsed = parse(case["marked"], source=case.get("source"), classifier=classifier)

    markup = parsed.file.markup
    ordered = Markup(markup.text, tuple(in_reading_order(markup.fragments)))
    found = MarkedFile(parsed.file.meta, ordered, parsed.file.stated)
    readings = [reading_of(expected, classifier) for expected in right]
    assert found in readings
    numbers = Counter(problem.number for problem in parsed.problems)
    needed = Counter(right[readings.index(found)]["errors"])
    assert needed <= numbers <= needed + Counter(case["errors_optional"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden_positions_spell_the_golden_words(case):
    markup = reading_of(case["expected"], CLASSIFIERS[case["classifier"]]).markup

    words = [
        given["text"] for given in case["expected"]["fragments"] for _ in given["codes"] or [0]
    ]
    assert Counter(map(markup.covered, markup.fragments)) == Counter(words)


def test_all_golden_cases_are_here():
    assert len({case["id"] for case in CASES}) == len(CASES) == 52
    assert {number for case in CASES for number in case["expected"]["errors"]} == set(range(1, 9))
