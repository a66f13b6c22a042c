"""Whatever is written as an expression is read or refused: never run by Python, never a crash."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.coscore.errors import ExpressionError
from schemes.core.coscore.expression import parse
from schemes.core.coscore.limits import MAX_DEPTH, MAX_EXPRESSION, MAX_TERMS
from schemes.core.coscore.nodes import within
from tests.examples import examples
from tests.schemes.core.coscore.rules import fault, refusal, value

PIECES = st.sampled_from(
    [
        *["T(0)", "L(*)", "G(0,T(0))", 'M("0",T(1))', "U(", "X(", "A(", "Q", "F(1)", "S(0)"],
        *["if", "else", "and", "or", "not", "True", "False", "lambda", "for", "in", "await"],
        *["(", ")", ",", "+", "-", "*", "/", "**", "//", "<", "==", "!=", ">=", "=", ":=", "."],
        *["1", "0.5", "1e5", "0x1", "1_0", "'*'", '"', "\\", "[", "]", "{", "}", "@", "#", "`"],
        *[" ", "\n", "\t", "\0", "（", "爱", "😀", "\u2028", "__class__", 'f"{1}"'],
    ]
)
TEXTS = st.text(max_size=30) | st.lists(PIECES, max_size=25).map("".join)


def read_or_refused(text):
    """The tree of an expression, or why there is none."""
    try:
        return parse(text)
    except ExpressionError as error:
        return error


@settings(max_examples=examples(1000))
@given(TEXTS)
def test_every_text_is_read_or_refused_with_its_place(text):
    found = read_or_refused(text)

    if isinstance(found, ExpressionError):
        assert found.column is None or 1 <= found.column <= len(text) + 1
    else:
        for node in within(found):
            assert 0 <= node.start < node.end <= len(text)
            assert all(node.start <= part.start and part.end <= node.end for part in node.parts)


@pytest.mark.parametrize(
    "expression",
    [
        "().__class__.__base__.__subclasses__()",
        "__import__('os')",
        "open('x')",
        "T.__globals__",
        "T(0).__class__",
        "T(0)[0]",
        "[1 for x in T(0)]",
        "(lambda: 1)()",
        "(x := 1)",
        "9**9**9",
        "1<<999",
        "7//2",
        "7%2",
        "~1",
        "1 in T(0)",
        "1 is 1",
        "None",
        "...",
        "1j",
        "b'1'",
        "f'{1}'",
        "'a' 'b'",
        "T(0,1)",
        "T(n=0)",
        "T(*T(0))",
        "U(*T(0))",
        "G(0,T(0),1)",
        "A(1)(2)",
        "1; 2",
        "1\n2",
        "# 1",
        "0777",
    ],
)
def test_what_is_not_in_the_language_is_refused(expression):
    with pytest.raises(ExpressionError):
        parse(expression)


@pytest.mark.parametrize(
    ("longest", "one_more", "code"),
    [
        ("+".join(["1"] * MAX_TERMS), "+1", "too-many-terms"),
        ("1<" * (MAX_TERMS - 1) + "2", "<3", "too-many-terms"),
        (" or ".join(["Q(0)"] * MAX_TERMS), " or Q(0)", "too-many-terms"),
        ("1".ljust(MAX_EXPRESSION), " ", "expression-too-long"),
    ],
    ids=["sum", "comparison", "or", "length"],
)
def test_sizes_are_bounded_to_the_sign(longest, one_more, code):
    assert parse(longest)
    with pytest.raises(ExpressionError) as caught:
        parse(longest + one_more)
    assert caught.value.code == code


@pytest.mark.parametrize("nested", ["({})", "not {}", "-{}", "U({},1)", "2 if 1 else {}", "1+({})"])
def test_depth_is_bounded_and_never_reaches_the_bounds_of_python(nested):
    expression = "1"
    for _ in range(MAX_DEPTH // 3):
        expression = nested.format(expression)
    assert parse(expression)
    for _ in range(5 * MAX_DEPTH):
        expression = nested.format(expression)

    with pytest.raises(ExpressionError) as caught:
        parse(expression)
    assert caught.value.code == "too-deep"


@pytest.mark.parametrize(
    ("deepest", "too_deep", "column"),
    [
        ("(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH, "({})", MAX_DEPTH + 1),
        ("-" * (MAX_DEPTH - 1) + "1", "-{}", MAX_DEPTH + 1),
        ("-" * (MAX_DEPTH - 1) + "1", "--{}", 1),
    ],
    ids=["brackets", "as a tree", "as a run"],
)
def test_depth_is_bounded_to_the_level(deepest, too_deep, column):
    assert parse(deepest)
    with pytest.raises(ExpressionError) as caught:
        parse(too_deep.format(deepest))
    assert (caught.value.code, caught.value.column) == ("too-deep", column)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("1e300*1e300", "number-too-big"),
        ("1/0", "division-by-zero"),
        ("0/0", "division-by-zero"),
        ("1/F(0)", "division-by-zero"),
    ],
)
def test_what_has_no_finite_value_is_an_error_of_the_answer(expression, code):
    assert fault(expression, "0")[0] == code


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("10-4-3", 3),
        ("8/4/2", 1),
        ("-2*-3", 6),
        ("1 if 0 else 2 if 0 else 3", 3),
        ("0 or 2 and 3", 3),
        ("not 0 == 1", 1),
        ("1 < 2 < 3", 1),
        ("3 > 2 > 2", 0),
        ("True + True", 2),
        ("0.1+0.2", 0.1 + 0.2),
        (" \t1\t+ 1 ", 2),
    ],
)
def test_operators_bind_as_in_python(expression, found):
    assert value(expression) == found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
def test_an_expression_stands_on_one_line(end):
    assert refusal(f"1{end}+ 1") == ("line-break", 2)
    assert refusal(f"1{end}") == ("line-break", 2)


def test_a_column_counts_signs_and_not_bytes():
    assert refusal('G("爱爱",T(0)) + G(7,T(0))', 爱爱="EM 1") == ("atom-not-defined", 16)
