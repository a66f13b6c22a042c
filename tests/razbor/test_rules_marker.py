"""The example of a participant's program: what its rules find, and what that is worth."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

from annotator.core.language import parse
from annotator.core.values import Fragment, Markup, Span
from config.bootstrap import ROOT
from razbor.answers import check
from razbor.bulk import accuracies_of
from razbor.markers.rules import answer, mark
from scoring.core.accuracy import star
from scoring.core.metrics import Weights

DEMO = ROOT / "review" / "demo"


def found(text):
    """Words, code and correction of each fragment."""
    return [
        (text[each["startSelection"] : each["endSelection"]], each["type"], each["correction"])
        for each in mark(text)
    ]


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("He is an unique boy.", [("an unique", "А.грамм", "a unique")]),
        ("A hour ago", [("A hour", "А.грамм", "An hour")]),
        ("a university, an uninvited guest, an hour, a one, an urn", []),
        ("She have a dog.", [("have", "А.грамм", "has")]),
        ("People has cats.", [("has", "А.грамм", "have")]),
        ("Does she have a dog? Let it do so. The lives of people is short.", []),
        ("I saw the the film.", [("the the", "А.лекс", "the")]),
        ("He had had a car. No, no.", []),
        ("An agressive, Independant man", [
            ("agressive", "А.орф", "aggressive"),
            ("Independant", "А.орф", "Independent"),
        ]),
        ("arguments, affect, ONCE, Separated opinions", []),
        ("I can’t go", [("can’t", "А.стиль", "cannot")]),
        ("", []),
    ],
)  # fmt: skip
def test_each_rule_finds_plain_cases_and_leaves_what_is_right(text, fragments):
    assert found(text) == fragments


def test_essays_in_another_language_get_an_empty_markup():
    essay = {"meta": {"subject": "rus"}, "text": "He have"}

    assert answer(essay) == {"selections": []}


def essays():
    """The English essays of the demo: what a program gets, and the experts' markups."""
    for path in sorted(DEMO.glob("???????.txt")):
        file = parse(path.read_text("utf-8")).file
        if file.meta.subject.value.startswith("eng"):
            text = file.markup.text
            read = [
                parse(each.read_text("utf-8"), source=text).file.markup
                for each in sorted(DEMO.glob(f"{path.stem}_exp*.txt"))
            ]
            experts = [each for each in read if each.text == text]
            yield {"meta": {"subject": file.meta.subject.value}, "text": text}, experts


def markup_of(essay):
    sent = json.loads(check(json.dumps(answer(essay)).encode(), essay).body)
    spans = [(each["startSelection"], each["endSelection"]) for each in sent["selections"]]
    fragments = [
        Fragment(Span(*span), each["type"], each["subtype"], correction=each["correction"])
        for span, each in zip(spans, sent["selections"], strict=True)
    ]
    return Markup(essay["text"], tuple(fragments))


def by_chance(essay, markup, chance):
    """As many fragments, of the same codes and lengths, anywhere."""
    fragments = []
    for each in markup.fragments:
        length = each.span.end - each.span.start
        start = chance.randrange(len(essay["text"]) - length)
        fragments.append(Fragment(Span(start, start + length), each.code, each.subcode))
    return Markup(essay["text"], tuple(fragments))


def star_of(pairs):
    return star(list(accuracies_of(pairs, Weights(0, 1, 1, 1, 1, 1, 0))), 1.0)


def test_the_rules_score_above_chance_on_the_demo():
    given = list(essays())
    marked = [(markup_of(essay), experts) for essay, experts in given]
    chance = random.Random(7)

    by_rules = star_of(marked)
    luck = [
        star_of([
            (by_chance(essay, markup, chance), experts)
            for (essay, _), (markup, experts) in zip(given, marked, strict=True)
        ])
        for _ in range(20)
    ]  # fmt: skip

    assert len(given) == 8
    assert by_rules > max(luck)


def run(arguments, data):
    command = [sys.executable, "-m", "razbor.markers.rules", *arguments]
    done = subprocess.run(command, cwd=ROOT, input=data, capture_output=True, check=True)
    return done.stdout


def test_the_program_takes_one_essay_or_one_a_line():
    essay = {"meta": {"subject": "eng"}, "text": "She have a dog."}
    line = json.dumps(essay).encode()

    once, twice = run([], line), run(["--lines"], line + b"\n" + line + b"\n")

    assert json.loads(once) == answer(essay)
    assert [json.loads(each) for each in twice.splitlines()] == [answer(essay)] * 2
