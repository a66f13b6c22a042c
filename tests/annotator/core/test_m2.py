"""M2: blocks of tokens, and the marks over them."""

from __future__ import annotations

from hypothesis import given

from annotator.core.m2 import m2_of, tokens_of
from annotator.core.values import Fragment, Kind, Markup, Span
from tests.strategies import fragment, markups, whole_text


def blocks_of(written):
    """The tokens of every block and its edits as ``(first, last, code, correction)``."""
    found = []
    for block in written.split("\n\n")[:-1]:
        said, *told = block.split("\n")
        edits = []
        for line in told:
            place, code, correction, *rest = line.split("|||")
            assert rest == ["REQUIRED", "-NONE-", "0"]
            sign, first, last = place.split(" ")
            assert sign == "A"
            edits.append((int(first), int(last), code, correction))
        found.append((said.removeprefix("S ").split(" "), edits))
    return found


def test_the_tokens_are_words_with_what_stands_in_them_and_single_signs():
    text = "He doesn't co-operate: «да, кое-что» 3.5_x!"

    words = [text[each.start : each.end] for each in tokens_of(text)]

    assert words == [
        *("He", "doesn't", "co-operate", ":", "«", "да", ","),
        *("кое-что", "»", "3", ".", "5_x", "!"),
    ]


def test_marks_stand_in_the_lines_they_have_words_in():
    text = "He go home.\n\nIt rain ."
    markup = Markup(
        text,
        (
            fragment(3, 5, "А.грамм", subcode="глаг", correction="goes"),
            fragment(6, 20, "А.лог", correction="a ||| b\nc"),
            fragment(20, 21, "А.пункт"),
            Fragment(Span(0, 2), "А.тезис", kind=Kind.BLOCK),
            whole_text("А.объем"),
        ),
    )

    assert blocks_of(m2_of(markup)) == [
        (
            ["He", "go", "home", "."],
            [
                (-1, -1, "А.объем", "-NONE-"),
                (1, 2, "А.грамм глаг", "goes"),
                (2, 4, "А.лог", "a | b c"),
            ],
        ),
        (
            ["It", "rain", "."],
            [(0, 2, "А.лог", "-NONE-"), (2, 2, "А.пункт", "-NONE-")],
        ),
    ]


def test_a_correction_is_written_in_tokens_as_the_text_is():
    markup = Markup("He go", (fragment(3, 5, "А.пункт", correction="doesn't, «he»."),))

    assert blocks_of(m2_of(markup)) == [
        (["He", "go"], [(1, 2, "А.пункт", "doesn't , « he » .")]),
    ]


def test_a_line_without_marks_says_so():
    assert m2_of(Markup("Fine.")) == (
        "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )


@given(markups())
def test_the_tokens_under_a_mark_hold_all_its_words(markup):
    blocks = blocks_of(m2_of(markup))

    lines = [line for line in markup.text.split("\n") if line.strip()]
    assert [tokens for tokens, _edits in blocks] == [
        [line[each.start : each.end] for each in tokens_of(line)] for line in lines
    ]
    mistakes = [each for each in markup.fragments if each.kind is Kind.MISTAKE and each.span]
    for mark in mistakes:
        code = f"{mark.code} {mark.subcode}".strip()
        for (tokens, edits), words in zip(blocks, words_by_line(markup, mark), strict=True):
            under = ["".join(tokens[at:end]) for at, end, name, _words in edits if name == code]
            assert not words or any(words in each for each in under)


def words_by_line(markup, mark):
    """What a mark covers of each line that is not blank, without white space."""
    at = 0
    for line in markup.text.split("\n"):
        if line.strip():
            covered = line[max(0, mark.span.start - at) : max(0, mark.span.end - at)]
            yield "".join(covered.split())
        at += len(line) + 1
