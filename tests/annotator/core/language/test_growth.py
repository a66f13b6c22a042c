"""Hostile files are read in linear time (reliability.md S8)."""

import pytest

from annotator.core.language import parse
from tests.annotator.core.growth import LINEAR, growth
from tests.strategies import english

ESSAY = "She is more closer to me. " * 50

FAMILIES = {
    "brackets that never close": lambda n: "(\\ А.грамм \\ x " * n,
    "brackets that close nothing": lambda n: "\\)*)" * n,
    "bare opening brackets": lambda n: "(\\(*" * n,
    "deep nesting": lambda n: "(* ПРОБЛЕМА \\ " * n + "x" + " *)" * n,
    "deep nesting of nothing": lambda n: "(\\" * n + "\\)" * n,
    "many small fragments": lambda n: "(\\ А.орф \\ wrld >> world \\) and " * n,
    "many elements in one bracket": lambda n: "(\\ А.грамм \\ x " + ">> a :: b # c " * n + "\\)",
    "brackets inside a comment": lambda n: "(\\ А.грамм \\ x \\ " + "(* a \\) :: " * n,
    "separators": lambda n: "(\\ А.грамм \\ x " + "\\" * n,
    "hashes": lambda n: "(\\ А.грамм \\ x " + "#" * n,
    "hashes outside": lambda n: "#" * n,
    "unknown words": lambda n: "(\\ " + "слово " * n + "\\ x \\)",
    "one endless word": lambda n: "(\\ " + "ж" * n,
    "white space": lambda n: " " * n + "(\\ А.грамм \\" + " " * n + "x" + "\n" * n + "\\)",
    "white space between brackets": lambda n: "(\\ А.орф \\ a \\)  \n" * n,
    "many codes in one bracket": lambda n: "(\\ " + "А.грамм " * n + "\\ x \\)",
    "many codes and a long comment": lambda n: "(\\ " + "А.грамм " * n + "\\ x \\ " + "к" * 8 * n,
    "lines of fields": lambda n: "Тема: x\n" * n,
    "fields with empty lines": lambda n: "Тема: x\n\n" * n,
    "empty lines below a field": lambda n: "Тема: x\n" + "\n" * n + "x",
    "unknown fields": lambda n: "Тема: x\n" + "Школа: 7\n" * n,
    "values that never close": lambda n: "Тема: (* x\n" * n,
    "values that close nowhere near": lambda n: "Тема: (*\n" * n + "*)" + "x" * 10 * n,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_twice_the_file_takes_at_most_two_and_a_half_times_as_long(name):
    assert growth(lambda text: parse(text, classifier=english()), FAMILIES[name]) <= LINEAR


def test_groups_of_codes_are_read_in_linear_time():
    groups = growth(
        lambda text: parse(text, classifier=english()),
        lambda n: "(\\ " + "А.грамм \\ " * n + "x \\)",
        size=25_000,
    )

    assert groups <= LINEAR


@pytest.mark.parametrize(
    "repeated",
    ["(\\ А.глагол \\ {} \\) ", "(\\ {} \\ x \\) ", "(\\ А.орф \\ А.лекс \\ {} \\)", "{} ", "  {}"],
)
def test_comparing_with_the_essay_takes_linear_time(repeated):
    def make(n):
        return repeated.format(ESSAY) * (n // 50)

    def run(text):
        return parse(text, source=ESSAY * 400, classifier=english())

    assert growth(run, make, size=100) <= LINEAR
