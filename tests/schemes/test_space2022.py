"""SpaCE2022 in the web: what a run keeps, what is drawn, what a veiled run does not tell."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from schemes.adapters import SCHEMES
from schemes.adapters.scheme import Unfit
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.schemes.core.space2022.questions import (
    MISPLACED,
    as_lines,
    fragment,
    question,
    reason,
    record,
)
from tests.schemes.inputs import INPUTS, SECRET, scored

SCHEME = SCHEMES["space2022"]
APART = "他从北京坐火车到上海出差。"


def run(answers, predictions, *, veiled=False):
    reads = SCHEME.read({"answers": answers, "predictions": predictions}, {})
    return SCHEME.score(reads, {}, veiled, lambda _done, _all: None)


def prepared(**more):
    return run(*(text.encode() for text in INPUTS["space2022"]().values()), **more)


def shown(found, language="en"):
    with override(language):
        return render_to_string(SCHEME.template, {"figures": json.loads(json.dumps(found.figures))})


def test_every_question_has_its_figures_and_the_reason_for_them():
    found = prepared()

    assert [(each.name, each.verdict, each.reason["en"]) for each in found.items] == [
        ("1", "partly", "hit 3, missed 6, extra 0"),
        ("2", "right", "hit 6, missed 0, extra 0"),
        ("3", "wrong", "no character hit"),
        ("4", "unanswered", "no prediction"),
    ]
    assert [each.points for each in found.items] == [0.5, 1.0, 0.0, 0.0]
    assert (found.figures["element_f1"], found.figures["imperfect"]) == (0.375, 3)


def test_the_winning_pair_is_painted_over_the_context_where_indices_stand_apart():
    asked = reason("C", fragment("S", 0, context=APART), fragment("P", 1, 2, 3, 7, 8, 9))
    del asked["fragments"][1]["text"]
    given = reason("C", {"role": "P", "idxes": [1, 2, 3, 4, 7]})

    html = shown(run(as_lines(question(asked, context=APART)), as_lines(record(given))))

    essay = re.search(r'<div class="essay" lang="zh">(.*?)</div>', html, re.DOTALL)[1]
    pieces = re.findall(r'<span(?: class="([^"]+)")? data-s="(\d+)"[^>]*>([^<]*)</span>', essay)
    assert pieces == [
        ("f r1 m0", "0", "他"),
        ("f g1 bs be", "1", "从北京"),
        ("f b1 i0", "4", "坐"),
        ("", "5", "火车"),
        ("f g1 bs be", "7", "到"),
        ("f r1 m0", "8", "上海"),
        ("", "10", "出差。"),
    ]
    rows = re.findall(r'<th scope="row">(.)</th>((?:<td lang="zh">[^<]*</td>)+)', html)
    assert [(role, re.findall(">([^<]+)<", cells)) for role, cells in rows] == [
        ("S", ["–", "他", "–"]),
        ("P", ["从北京…到", "上海", "坐"]),
    ]


def test_a_pair_without_an_element_is_drawn_by_its_text_and_says_so():
    found = run(as_lines(question(MISPLACED)), as_lines(record(reason("B", fragment("S1", 4)))))

    assert "no element was hit, so the best pair by text is drawn" in shown(found)
    assert "ни один элемент не совпал" in shown(found, "ru")


def test_the_context_is_escaped():
    context = "<b>书</b>"
    found = run(
        as_lines(question(reason("C", fragment("S", 3), fragment("E", 0)), context=context)),
        as_lines(record(reason("C", fragment("S", 3, context=context)))),
    )

    html = shown(found)
    assert "<b>" not in html
    words = re.findall(r'data-s="\d+"[^>]*>([^<]*)</span>', html)
    assert unescape("".join(words)) == context


def test_questions_without_a_context_are_scored_and_not_drawn():
    found = run(
        as_lines(question(MISPLACED, context=None)),
        as_lines(record(reason("A", fragment("text1", 4)))),
    )

    assert (found.figures["drawn"], found.items[0].points) == ([], 0.5)


def test_a_veiled_run_tells_neither_words_nor_places_of_the_key():
    found = prepared(veiled=True)

    kept = [found.figures, [(each.cells, each.group, each.reason) for each in found.items]]
    assert SECRET not in json.dumps(kept, ensure_ascii=False)
    assert SECRET in json.dumps(prepared().figures, ensure_ascii=False)
    assert [each.cells["roles"] for each in found.items] == [[], [], [], []]
    assert [each.cells["line"] for each in found.items] == [None] * 4
    assert found.figures["drawn"] == []
    assert [each.points for each in found.items] == [0.5, 1.0, 0.0, 0.0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, ["C1 – C1", "element F1 0.5000"]),
        (2, ["C1 – C2", "element F1 1.0000"]),
        (3, ["no character hit"]),
        (4, ["no prediction"]),
    ],
)
def test_why_draws_each_question_of_the_table(log_in, number, said):
    person = PersonFactory(role="participant")
    run = scored(person, "space2022")

    page = page_of(log_in(person).get(f"/schemes/runs/{run.uuid}/items/{number}/"))

    article = page.one("#answer article")
    assert article.one("h3").text == str(number)
    assert [words for words in said if words not in article.text] == []
    assert json.loads(page.one("textarea[name=question]").text)["qid"] == str(number)


@pytest.mark.parametrize(
    ("question", "prediction", "sentence"),
    [
        (b"{", b"", "answers, line 1, record 1: This is not JSON. Look at the quotes, commas and"),
        (b"[{]", b"", "line 1, column 3: This is not JSON. Look at the quotes, commas"),
        (b"\n", b"", "answers: No question can be scored."),
    ],
)
def test_a_question_that_cannot_be_drawn_is_refused(question, prediction, sentence):
    answer = SCHEME.tools["draw"].answer({"question": question, "prediction": prediction})

    assert answer["refused"].startswith(sentence)


@pytest.mark.parametrize(
    ("answers", "predictions", "sentence"),
    [
        (b"", b"", "answers: No question can be scored. Check that this is the answer file."),
        (b"[]", b"", "answers: No question can be scored. Check that this is the answer file."),
        (b"[", b"", "line 1, column 2: This is not JSON. Look at the quotes, commas and brackets"),
        (as_lines(question()), b"{}", "predictions, line 1, record 1, qid: The field is missing."),
    ],
)
def test_unusable_files_are_refused_with_place_and_remedy(answers, predictions, sentence):
    with pytest.raises(Unfit) as caught:
        run(answers, predictions)

    assert caught.value.sentences[0]["en"].startswith(sentence)
