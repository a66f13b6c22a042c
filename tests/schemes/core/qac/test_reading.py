"""Files -> key and responses: a broken line is named with its place, the others are read."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from schemes.core.collecting import MOST
from schemes.core.qac.errors import UnusableFileError
from schemes.core.qac.grammar import Answer
from schemes.core.qac.problems import Place
from schemes.core.qac.reading import read_key, read_responses, read_texts, with_texts
from schemes.core.qac.values import Given, Question
from tests.annotator.core.growth import LINEAR, growth
from tests.schemes.core.qac.questions import codes, files, written

BROKEN = """# key
Q1: "津", 1
"東京", 2

Q2: "東, 2
Q3: "京", 3
Q1: "市", 4
"""


def test_every_broken_line_of_a_key_is_named_and_the_others_are_read():
    key = read_key(BROKEN)

    assert key.questions == (
        Question("Q1", (Answer("津", "1"),), place=Place(2, id="Q1")),
        Question("Q3", (Answer("京", "3"),), place=Place(6, id="Q3")),
    )
    assert codes(key.problems) == [
        ("no-id", 3, ""),
        ("open-quote", 5, "Q2"),
        ("id-twice", 7, "Q1"),
    ]
    assert key.broken == {"Q2"}


def test_every_broken_line_of_the_responses_is_named_and_the_others_are_read():
    responses = read_responses(BROKEN + 'Q4: "津"\n')

    assert responses.given == (
        Given("Q1", (Answer("津", "1"),), Place(2, id="Q1")),
        Given("Q3", (Answer("京", "3"),), Place(6, id="Q3")),
    )
    assert codes(responses.problems) == [
        ("no-id", 3, ""),
        ("open-quote", 5, "Q2"),
        ("id-twice", 7, "Q1"),
        ("no-article", 8, "Q4"),
    ]
    assert responses.broken == {"Q2", "Q4"}


@pytest.mark.parametrize(
    "text",
    [
        'Q1: "津?"\nQ1: "津", 1\nQ2:',
        'Q1: "津", 1\nQ1: "津?"\nQ2:',
        'Q1, "津", 1\n#\nQ2,\nQ1: "津?"',
    ],
)
def test_the_text_of_a_question_stands_before_or_after_its_answers(text):
    key = read_key(text)

    assert [(each.id, each.text, len(each.answers)) for each in key.questions] == [
        ("Q1", "津?", 1),
        ("Q2", "", 0),
    ]
    assert key.problems == ()


def test_a_question_with_its_text_alone_has_no_answer():
    (question,) = read_key('Q1: "津?"').questions

    assert (question.text, question.answers, question.has_answers) == ("津?", (), False)


def test_a_question_whose_answers_are_broken_is_no_question_without_answers():
    key = read_key('Q1: "津?"\nQ1: 津, 1\n')

    assert (key.questions, key.broken) == ((), {"Q1"})


def test_a_text_given_twice_is_a_problem():
    assert codes(read_key('Q1: "津?"\nQ1: "津!"\nQ1:').problems) == [("id-twice", 2, "Q1")]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_a_key_without_questions_is_refused_and_responses_may_be_empty(text):
    with pytest.raises(UnusableFileError, match="no-questions"):
        read_key(text)
    assert read_responses(text).given == ()


def test_a_line_in_another_code_is_named_with_its_question():
    data = 'Q1: "津", 1\nQ2: "'.encode("euc_jp") + b'\xff", 1\n# \xff\nQ3: "\xc4\xc5", 1\n'

    responses = read_responses(data)

    assert [each.id for each in responses.given] == ["Q1", "Q3"]
    assert codes(responses.problems) == [("not-decodable", 2, "Q2")]
    assert responses.problems[0].fields == {"byte": 6, "encoding": "EUC-JP"}


def test_texts_come_from_a_file_of_their_own():
    key = read_key('Q1: "津", 1\nQ2: "a?"\nQ2:\nQ3: "b?"\nQ3:')
    texts = read_texts('# questions\nQ1: "津はどこ？"\nQ3: "c?"\nQ4: "d", 1\nQ1: "e?"\n')

    assert [each.text for each in with_texts(key, texts).questions] == ["津はどこ？", "a?", "c?"]
    assert codes(texts.problems) == [("not-a-question", 4, "Q4"), ("id-twice", 5, "Q1")]


def test_of_very_many_problems_the_number_is_told():
    problems = read_responses("津\n" * (MOST + 5)).problems

    assert len(problems) == MOST + 1
    assert (problems[-1].code, problems[-1].fields) == ("more-problems", {"count": 5})


@given(files())
def test_what_is_written_is_read_back(drawn):
    key, responses = drawn

    assert as_dictionary(read_key(written(key)).questions, "answers") == key
    assert as_dictionary(read_responses(written(responses)).given, "responses") == responses


def as_dictionary(read, name):
    return {each.id: [(one.string, one.article) for one in getattr(each, name)] for each in read}


LONG = {
    "questions": lambda size: "".join(f'Q{number}: "津", 1\n' for number in range(size)),
    "responses": lambda size: "Q1: " + ", ".join(['"津", 1'] * size),
    "no id": lambda size: "津\n" * size,
    "one id": lambda size: "Q1:\n" * size,
    "open quotes": lambda size: 'Q1: "' * size,
    "quotes": lambda size: "Q1: " + '"' * size,
    "doubled quotes": lambda size: 'Q1: "' + '""' * size + '", 1',
    "commas": lambda size: 'Q1: "津"' + "," * size,
    "blanks": lambda size: "Q1" + " " * size + "\nQ2: " + " " * size + '"',
    "blank lines": lambda size: " \n" * size,
    "id": lambda size: "Q" * size + "\n" + "1-" * size,
}


@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_time_grows_with_the_size(make):
    assert growth(read_responses, make) <= LINEAR


@pytest.mark.parametrize("seed", range(20))
def test_of_noise_every_line_is_read_or_named(seed):
    noise = random.Random(seed)
    lines = [bytes(noise.choices(b'Q1-:,"\0\xa4\xa2 #', k=30)) for _ in range(100)]
    data = b"\n".join([*lines, *["津".encode("euc_jp")] * 200])

    responses = read_responses(data)

    said = sum(not line.lstrip().startswith(b"#") and bool(line.strip()) for line in lines) + 200
    assert len(responses.given) + len(responses.problems) == said
