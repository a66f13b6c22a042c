"""What a line may say, and what is told of a line that says something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemes.core.qac.errors import LineError
from schemes.core.qac.grammar import (
    Answer,
    Line,
    id_of,
    is_comment,
    parse_carefully,
    parse_line,
)
from tests.schemes.core.qac.questions import ANSWERS, line

ID = "QAC1-1100-01"
TSU = Answer("津市", "990201005")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"{ID}:", Line(ID)),
        (f"{ID},", Line(ID)),
        (ID, Line(ID)),
        (f"  {ID} :  ", Line(ID)),
        (f'{ID}: "津市", 990201005', Line(ID, (TSU,))),
        (f'{ID}, "津市",990201005', Line(ID, (TSU,))),
        (f'{ID}:"津市",990201005,"津",1', Line(ID, (TSU, Answer("津", "1")))),
        (f'{ID}, "津市",990201005,T,18, "津",1,H,0', Line(ID, (TSU, Answer("津", "1")))),
        (f'{ID}: "津市", 990201005,', Line(ID, (TSU,))),
        (f'{ID}: "津市", 990201005,,', Line(ID, (TSU,))),
        (f'{ID}: "東京, 大阪", JA-1', Line(ID, (Answer("東京, 大阪", "JA-1"),))),
        (f'{ID}: "a ""b"" c", 1', Line(ID, (Answer('a "b" c', "1"),))),
        (f'{ID}: """b""", 1', Line(ID, (Answer('"b"', "1"),))),
        (f'{ID}: "　津市 ", 990201005', Line(ID, (TSU,), trimmed=1)),
        (f'{ID}: "津はどこ？"', Line(ID, text="津はどこ？")),
        (f'{ID}: "3500 m", 1', Line(ID, (Answer("3500 m", "1"),))),
    ],
)
def test_a_line_is_read(text, read):
    assert parse_line(text) == read


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ('"津市", 990201005', "no-id", None),
        (': "津市", 990201005', "no-id", None),
        ("津市", "no-id", None),
        ("Tsu", "no-id", None),
        ('1, 3: "津市", 990201005', "blank-inside", None),
        ('QAC1 1100-01: "津市", 990201005', "blank-inside", None),
        ('QAC1-1100- 01, "津市", 990201005', "blank-inside", None),
        (f'{ID}: "津市", 990201 005', "blank-inside", 21),
        (f'{ID}: "津市", 990201005, T, 1 2', "blank-inside", 35),
        (f'{ID}： "津市", 1', "no-id", None),
        (f'{ID} "津市", 1', "no-id", None),
        (f"{ID}: 津市, 1", "unquoted-answer", 15),
        (f"{ID}: ,", "unquoted-answer", 15),
        (f'{ID}: "津", 1, NTT, 2', "unquoted-answer", 23),
        (f'{ID}: "津", 江戸橋, 2', "unquoted-answer", 20),
        (f'{ID}: "津", 1, T, 東', "unquoted-answer", 26),
        (f'{ID}: "津", 1, T, 2, 3', "unquoted-answer", 29),
        (f"{ID}: “津”, 1", "unquoted-answer", 15),
        (f'{ID}: "津, 1', "open-quote", 15),
        (f'{ID}: "津", 1, "', "open-quote", 23),
        (f'{ID}: "津"", 1', "open-quote", 15),
        (f'{ID}: "a "b" c", 1', "after-quote", 19),
        (f'{ID}: "津" 1', "after-quote", 19),
        (f'{ID}: "津", "東", 1', "no-article", 15),
        (f'{ID}: "津", , 1', "no-article", 15),
        (f'{ID}: "津", 1, "東"', "no-article", 23),
        (f'{ID}: "", 1', "empty-string", 15),
        (f'{ID}: "　", 1', "empty-string", 15),
        (f'{ID}: ""', "empty-string", 15),
        (f'{ID}: "津\0", 1', "control-character", 17),
        (f'{ID}: "\x1b[2J", 1', "control-character", 16),
        (f'{ID}: "a\u2028b", 1', "control-character", 17),
        (f'{ID}: "\ud800", 1', "control-character", 16),
    ],
)
def test_a_line_is_refused_at_its_column(text, code, column):
    with pytest.raises(LineError) as caught:
        parse_line(text)

    assert (caught.value.code, caught.value.column) == (code, column)


@pytest.mark.parametrize(
    ("text", "name"),
    [(f'{ID}: "津', ID), (f"{ID}, 津", ID), ("津: 1", ""), ("", ""), ("Tsu", "")],
)
def test_the_id_of_a_broken_line_is_still_told(text, name):
    assert id_of(text) == name


def test_a_comment_begins_with_a_number_sign():
    assert [is_comment(text) for text in ("# 注釈", " #", f'{ID}: "#1", 1', "")] == [
        *(True, True, False, False)
    ]


@given(ANSWERS.filter(bool), st.sampled_from([":", ",", ": ", " , "]))
def test_what_is_written_is_read_back(answers, separator):
    read = parse_line(line(ID, answers, separator))

    assert [(each.string, each.article) for each in read.answers] == answers


@given(st.text(st.sampled_from('Q1-:,"# 津\t\0'), max_size=40))
def test_any_line_is_read_or_refused_at_a_column_it_has(text):
    read = read_or_refuse(text)

    if isinstance(read, Line):
        assert read.id
        assert read.text is None or not read.answers
    else:
        assert read is None or 1 <= read <= len(text)


@given(
    st.lists(
        st.sampled_from(['"津"', '" "', '"a""b"', "1", "JA-1", "津", ",", ", ", "T", " ", '"', "#"])
    ).map("".join)
)
def test_a_line_read_at_one_go_is_read_as_carefully(rest):
    text = f"{ID}: {rest}"

    assert read_or_refuse(text) == read_or_refuse(text, parse_carefully)


def read_or_refuse(text, parse=parse_line):
    """The line, or the column of what is wrong with it."""
    try:
        return parse(text)
    except LineError as error:
        return error.column
