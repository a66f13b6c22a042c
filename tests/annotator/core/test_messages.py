"""Every finding of the core can be told in a sentence, and its place in words."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import annotator.core
import web.core
from annotator.core.codec import file_from_json, submission_from_json
from annotator.core.errors import CannotWriteError, MarkupError, SpanError
from annotator.core.language import parse, render, tidy
from annotator.core.language.signs import ELEMENTS
from annotator.core.messages import (
    CROSSING_IN_LANGUAGE,
    SENTENCES,
    WORDS,
    describe,
    describe_error,
    place_of,
    sentence_of,
)
from annotator.core.problems import Problem, first_of
from annotator.core.validation import (
    MAX_FRAGMENTS,
    beyond_limits,
    compare_criteria,
    empty_fields,
    legal_crossings,
    long_names,
    repeats,
    validate,
)
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject
from tests.strategies import english, fragment, whole_text
from web.core.errors import JsonTextError
from web.core.json_text import read_json

CORE = Path(annotator.core.__file__).parent
ERROR_NAMES = {each.__name__ for each in (*MarkupError.__subclasses__(), JsonTextError)}
NAMES = {"Problem", "problem", "_fault", *ERROR_NAMES}


def literals(node):
    """The strings an argument may be: a literal, or either branch of a condition."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) | literals(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def codes_in(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in NAMES:
                yield from literals(node.args[0])
            elif name == "append" and len(getattr(node.args[0], "elts", ())) == 3:
                yield from literals(node.args[0].elts[1])  # a Fault of the header


SOURCE_CODES = {
    code
    for path in [*CORE.rglob("*.py"), *Path(web.core.__file__).parent.rglob("*.py")]
    for code in codes_in(ast.parse(path.read_text("utf-8")))
}
SERVICE_CODES = {"not-of-this-essay", "several-markups"}
"""What only a service finds, since it knows the essays."""


def english_words(sentence):
    return sentence


def marked(text, source=None):
    return lambda: parse(text, source=source, classifier=english()).problems


def read(payload, essay=None):
    return lambda: file_from_json(payload, essay=essay).problems


def sent(payload):
    return lambda: submission_from_json(payload, meta=Meta(id="8"), text="x").problems


def selection(start, end, code="А.орф", **more):
    item = {"type": code, "startSelection": start, "endSelection": end, **more}
    return read({"text": "abc", "selections": [item]})


def checked(*fragments):
    return lambda: validate(Markup("abcdef", fragments), english())


def written(text, *fragments, **meta):
    file = MarkedFile(Meta(subject=Subject.ENGLISH, **meta), Markup(text, fragments))
    return lambda: render(file)


def tidied(text, *fragments, **meta):
    file = MarkedFile(Meta(**meta), Markup(text, fragments))
    return lambda: tidy(file).problems


def stating(**points):
    return lambda: render(MarkedFile(Meta(), Markup("x"), points))


PROBLEMS = {
    "unknown-field": marked("Тема: x\nШкола: 7\n\nx"),
    "bad-field-value": marked("Год: нет\n\nx"),
    "unknown-code": marked("(\\ А.глагол \\ x \\)"),
    "separator-forgotten": marked("(\\ А.грамм x \\)"),
    "no-code": marked("(\\ \\ x \\)"),
    "not-closed": marked("(\\ А.грамм \\ x"),
    "nothing-to-close": marked("x *)"),
    "other-bracket": marked("(\\ А.грамм \\ x *)"),
    "no-correction": marked("(\\ ИСП \\ x \\)"),
    "text-differs": marked("x y", "x z"),
    "field-trimmed": tidied("x", theme="x\n"),
    "field-folded": tidied("x", theme="(* \n \\)"),
    "text-trimmed": tidied(" x"),
    "fragment-trimmed": tidied("x y", fragment(0, 2)),
    "element-trimmed": tidied("x", fragment(0, 1, tag="т ")),
    "err-schema-validate": read({"text": 1.5}),
    "unknown-key": read({"text": "", "color": 1}),
    "unknown-subject": read({"text": "", "meta": {"subject": "химия"}}),
    "number-otherwise": read(
        {"text": "ab", "selections": [{"type": "А", "startSelection": "0", "endSelection": 1}]}
    ),
    "number-for-text": read(
        {
            "text": "ab",
            "selections": [
                {"type": "А", "startSelection": 0, "endSelection": 1, "correction": 5},
            ],
        }
    ),
    "number-too-big": read({"text": "", "meta": {"year": 10**20}}),
    "group-differs": selection(0, 1, group="meaning"),
    "negative-coordinates": selection(-1, 1),
    "start-coordinates": selection(2, 1),
    "bad-range": selection(2, 9),
    "err-equality-coordinates": selection(2, 2),
    "text-normalised": read(
        {"text": "a\r\nb", "selections": [{"type": "А", "startSelection": 0, "endSelection": 1}]}
    ),
    "another-essay": sent({"meta": {"id": "7"}, "selections": []}),
    "err-text-handler-callback": read({"text": "x"}, "y"),
    "empty-type": checked(fragment(0, 1, "")),
    "bad-error-type": checked(fragment(0, 1, "Г.упр")),
    "bad-subtype": checked(fragment(0, 1, subcode="конт")),
    "empty-correction": checked(fragment(0, 1, "ИСП")),
    "bad-tag": checked(fragment(0, 1, tag="\x1c")),
    "name-too-long": lambda: long_names(Markup("x", (fragment(0, 1, tag="т1"),)), {"tag": 1}),
    "too-many-fragments": lambda: beyond_limits(
        Markup("x", (fragment(0, 1),) * (MAX_FRAGMENTS + 1))
    ),
    "full-text-err-coordinates": checked(fragment(0, 1, "А.объем")),
    "block-without-place": checked(Fragment(None, "ВЫВОД")),
    "err-unique-tag": checked(fragment(0, 1, tag="т1")),
    "marked-twice": lambda: repeats(Markup("x", (fragment(0, 1), fragment(0, 1)))),
    "crossing-fragments": checked(fragment(0, 3), fragment(2, 4)),
    "empty-meta": lambda: empty_fields(MarkedFile(Meta(), Markup("x")), {"theme": "meta.theme"}),
    "crossing-kept": lambda: legal_crossings(Markup("abcd", (fragment(0, 3), fragment(2, 4)))),
    "further-problems": lambda: first_of([Problem("no-code")] * 3, 2)[2:],
    "criteria-mismatch": lambda: compare_criteria({"K1": 2}, {"K1": 1}, {}),
}
ERRORS = {
    "text-has-outer-space": written(" x"),
    "text-has-carriage-return": written("x\ry"),
    "text-reads-as-header": written("Тема: x"),
    "sign-in-text": written("x (* y"),
    "sign-in-element": written("x", fragment(0, 1, comment="#")),
    "fragment-has-outer-space": written("x y", fragment(0, 2)),
    "field-cannot-hold": written("x", expert=" "),
    "bad-criterion": stating(total=3),
    "code-not-in-classifier": written("x", Fragment(Span(0, 1), "Г.упр")),
    "subcode-not-in-classifier": written("x", fragment(0, 1, subcode="конт")),
    "kind-differs": written("x", Fragment(Span(0, 1), "А.орф", kind=Kind.BLOCK)),
    "correction-is-missing": written("x", whole_text(), fragment(0, 1, "ИСП")),
    "crossing-fragments": written("abcd", fragment(0, 3), fragment(2, 4, "ВЫВОД")),
    "read-otherwise": written("x", fragment(0, 1, " А.орф")),
    "not-a-span": lambda: Span(3, 3),
    "span-outside-text": lambda: Markup("x", (fragment(0, 2),)),
    "not-json": lambda: read_json("{"),
    "not-utf8": lambda: read_json(b"\xff"),
    "utf-16": lambda: read_json('{"a": 1}'.encode("utf-16")),
    "is-packed": lambda: read_json(b"PK\x03\x04\xff"),
    "json-too-deep": lambda: read_json("[" * 99),
    "json-repeated-key": lambda: read_json('{"a": 1, "a": 2}', unique_keys=True),
    "json-bad-number": lambda: read_json("NaN"),
    "text-has-nul": lambda: read_json('"\\u0000"'),
    "text-has-surrogate": lambda: read_json('"\\ud800"'),
}
NUMBERED = ["sign-in-element", "fragment-has-outer-space", "code-not-in-classifier"]
NUMBERED += ["subcode-not-in-classifier", "kind-differs", "correction-is-missing"]
NUMBERED += ["read-otherwise"]


def caught(make):
    with pytest.raises((SpanError, CannotWriteError, JsonTextError)) as found:
        make()
    return found.value


def fields_of(sentence):
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_code_of_the_source_has_a_sentence_and_every_sentence_is_needed():
    loading = (CORE.parent / "services" / "loading.py").read_text("utf-8")

    assert set(SENTENCES) == SOURCE_CODES | SERVICE_CODES
    assert [code for code in SERVICE_CODES if f'"{code}"' not in loading] == []


def test_every_code_of_the_source_has_an_example_here():
    assert set(PROBLEMS) | set(ERRORS) == SOURCE_CODES


@pytest.mark.parametrize("code", PROBLEMS)
def test_the_fields_of_a_problem_fill_its_sentence(code):
    (problem,) = PROBLEMS[code]()

    assert problem.code == code
    sentence = describe(problem, english_words)
    assert not fields_of(sentence)
    for name in fields_of(SENTENCES[code]):
        assert str(problem.fields[name]) in sentence


@pytest.mark.parametrize("code", ERRORS)
def test_the_fields_of_an_error_fill_its_sentence(code):
    error = caught(ERRORS[code])

    assert error.code == code
    sentence = describe_error(error, english_words)
    for name in fields_of(
        CROSSING_IN_LANGUAGE if code == "crossing-fragments" else SENTENCES[code]
    ):
        assert str(error.fields[name]) in sentence


@pytest.mark.parametrize("code", NUMBERED)
def test_an_error_of_one_fragment_says_which(code):
    error = caught(ERRORS[code])

    assert f"ragment {error.fields['number']}" in describe_error(error, english_words)


def test_what_is_refused_is_not_said_to_have_been_left_out():
    sentence = describe_error(caught(ERRORS["correction-is-missing"]), english_words)

    assert "left out" not in sentence


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_ends_with_a_full_stop_and_names_its_fields(code):
    sentence = SENTENCES[code]

    assert sentence.strip() == sentence
    assert sentence.endswith(".")
    assert all(name.isidentifier() for name in fields_of(sentence))


@pytest.mark.parametrize(
    ("problem", "place", "sentence"),
    [
        (
            parse("Тема: x\n\nShe is (\\ А.грамм \\ so *)").problems[0],
            "line 3, column 24",
            "“*)” closes the bracket, though “\\)” was expected.",
        ),
        (
            file_from_json({"text": "", "meta": {"subject": "химия"}}).problems[0],
            "meta.subject",
            (
                "The subject “химия” is unknown. "
                "Use rus, lit, social, hist, eng, rus-free or eng-free."
            ),
        ),
        (
            validate(Markup("abc", (fragment(0, 2), fragment(1, 3))), english())[0],
            "fragment 2",
            "The fragment crosses fragment 1. Nest one in the other.",
        ),
        (
            compare_criteria({"K3": 2}, {"K3": 3}, {})[0],
            "criteria",
            "K3 is stated as 2, but the markup gives 3.",
        ),
        (Problem("empty-type"), "", "The fragment has no code. Choose one."),
    ],
    ids=["line", "path", "fragment", "criterion", "nowhere"],
)
def test_a_problem_is_told_with_its_place(problem, place, sentence):
    assert place_of(problem, english_words) == place
    assert describe(problem, english_words) == sentence


def test_crossing_fragments_are_both_named_in_the_error():
    assert describe_error(caught(ERRORS["crossing-fragments"]), english_words) == (
        "А.грамм (0–3) crosses ВЫВОД (2–4); the bracket language can only nest. "
        "Use the JSON format."
    )


def test_types_and_elements_that_sentences_name_have_their_words():
    trees = [ast.parse(path.read_text("utf-8")) for path in CORE.glob("*.py")]
    keywords = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    words = {
        word
        for each in keywords
        if each.arg in ("expected", "element")
        for word in literals(each.value)
    }

    assert {*words, *ELEMENTS.values()} - WORDS.keys() == {"true, false", "error, meaning"}


def test_a_type_and_an_element_are_translated():
    problem = Problem("err-schema-validate", path="text", fields={"expected": "list"})
    error = CannotWriteError("sign-in-element", number=1, element="tag")

    assert describe(problem, "<{}>".format).endswith("is expected here: <list>.>")
    assert describe_error(error, "<{}>".format).startswith("<Fragment 1: the <tag> holds")


def test_a_word_that_is_none_of_those_expected_is_not_said_to_be_of_another_type():
    selection = {"type": "А.грамм", "startSelection": 0, "endSelection": 1, "group": "mistake"}
    (problem,) = file_from_json({"text": "x", "selections": [selection]}).problems

    assert sentence_of(problem, english_words) == (
        "selections[0].group: “mistake” is none of the words that may stand here: error, meaning."
    )


@pytest.mark.parametrize(
    ("payload", "place", "expected"),
    [
        ({}, "text", "string"),
        ({"text": "x", "selections": [{"endSelection": 1}]}, "selections[0].startSelection", None),
    ],
    ids=["text", "number"],
)
def test_a_value_that_is_missing_is_not_said_to_be_of_another_type(payload, place, expected):
    (problem,) = file_from_json(payload).problems

    assert (problem.code, place_of(problem, english_words)) == ("err-schema-validate", place)
    assert describe(problem, english_words) == (
        f"This is missing. Add it; expected: {expected or 'whole number'}."
    )


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("А.грамм\nарт", "А.грамм\\nарт"),
        ("a\r\n\u2028b", "a\\r\\n\\u2028b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202eb", "\\u202eb"),
        ("10\N{NO-BREAK SPACE}л\u0301", "10\N{NO-BREAK SPACE}л\u0301"),
    ],
    ids=["line feed", "line ends", "escape", "direction", "kept"],
)
def test_a_code_that_breaks_lines_is_told_on_one_line(word, told):
    problem = Problem("bad-error-type", fragment=1, fields={"name": word})

    assert describe(problem, english_words) == (
        f"The code “{told}” is not in the classifier of this subject. Check its spelling."
    )


def test_a_key_that_breaks_lines_is_told_on_one_line():
    (problem,) = file_from_json({"text": "", "a\nb": 1}).problems

    assert place_of(problem, english_words) == "a\\nb"


def test_words_are_translated_before_the_fields_are_filled_in():
    russian = {
        "line {line}, column {column}": "строка {line}, знак {column}",
        "“{sign}” closes nothing and was dropped.": "«{sign}» ничего не закрывает.",
    }
    (problem,) = PROBLEMS["nothing-to-close"]()

    assert describe(problem, russian.__getitem__) == "«*)» ничего не закрывает."
    assert place_of(problem, russian.__getitem__) == "строка 1, знак 3"


@pytest.mark.parametrize("word", ["{word}", "{", "}}", "%s", "{0}"])
def test_words_of_the_essay_cannot_disturb_a_sentence(word):
    problem = Problem("unknown-code", fields={"word": word})

    assert describe(problem, english_words) == (
        f"The code “{word}” is not in the classifier and was left out. Check its spelling."
    )
