"""The character code is found for each file; what is no text is told, not guessed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemes.core.qac import decoding
from schemes.core.qac.decoding import Encoding, Lines, Undecodable, read_lines
from schemes.core.qac.errors import UnusableFileError
from tests.annotator.core.growth import LINEAR, growth

TEXT = 'QAC1-1-01: "ソニー表示は〜どこですか。"\nQAC1-1-01: "三重県津市", 990201002'
CODECS = {
    Encoding.UTF_8: "utf-8",
    Encoding.EUC_JP: "euc_jp",
    Encoding.SHIFT_JIS: "shift_jis",
    Encoding.ISO_2022_JP: "iso2022_jp",
}


@pytest.mark.parametrize("encoding", Encoding)
def test_each_code_is_found_and_gives_the_same_text(encoding):
    read = read_lines(TEXT.encode(CODECS[encoding]))

    assert read == Lines(TEXT.split("\n"), encoding)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", Encoding)
def test_lines_end_as_they_like(encoding, end):
    read = read_lines(TEXT.replace("\n", end).encode(CODECS[encoding]))

    assert read.lines == TEXT.split("\n")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", Encoding.UTF_8),
        (b"QAC1-1-01:", Encoding.UTF_8),
        ("\ufeffソ".encode(), Encoding.UTF_8),
        ("Где? Ответ".encode(), Encoding.UTF_8),
        ("①番".encode("euc_jis_2004"), Encoding.EUC_JP),
        ("①番の㈱ソ".encode("cp932"), Encoding.SHIFT_JIS),
        ("ｱｲｳ表".encode("cp932"), Encoding.SHIFT_JIS),
    ],
)
def test_rarer_files(data, encoding):
    assert read_lines(data).encoding is encoding


@pytest.mark.parametrize("sign", "〜‖−¢£¬")
def test_signs_two_makers_read_otherwise_are_the_same(sign):
    read = {
        read_lines(f"津{sign}の表".encode(codec)).lines[0]
        for codec in ("euc_jp", "shift_jis", "iso2022_jp")
    }

    assert read == {f"津{sign}の表"}


def test_a_line_that_cannot_be_read_does_not_stop_the_others():
    lines = TEXT.encode("euc_jp").split(b"\n")

    read = read_lines(b"\n".join([*lines, b'QAC1-2-01: "\xa4\xff", 1', *lines]))

    assert read == Lines(
        [*TEXT.split("\n"), Undecodable(13, 'QAC1-2-01: "'), *TEXT.split("\n")], Encoding.EUC_JP
    )


@pytest.mark.parametrize("broken", [b'Q1: "\xa4", 1', b'Q1: "\xe3\x81", 1', b'Q1: "\x82", 1'])
@pytest.mark.parametrize("encoding", [Encoding.UTF_8, Encoding.EUC_JP, Encoding.SHIFT_JIS])
def test_a_broken_line_does_not_make_another_code_of_the_file(encoding, broken):
    data = TEXT.encode(CODECS[encoding])

    assert read_lines(data + b"\n" + broken).encoding is encoding


def test_a_code_that_is_given_is_not_questioned():
    read = read_lines("ｱ".encode("cp932") * 2, Encoding.SHIFT_JIS)

    assert read == Lines(["ｱｱ"], Encoding.SHIFT_JIS)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (TEXT.encode("utf-16"), "utf-16", None),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\n\xfe\xfd", "not-text", 4),
        (b"QAC1-1-01:\n" + b"\xff\n" * 2, "not-text", 2),
        (b"\x1b$B\xff", "not-text", 1),
    ],
)
def test_what_is_no_text_is_refused(data, code, line):
    with pytest.raises(UnusableFileError) as caught:
        read_lines(data)

    assert (caught.value.code, caught.value.fields.get("line")) == (code, line)


@pytest.mark.parametrize("make", [bytes, lambda size: "x" * size])
def test_a_file_is_not_larger_than_said(make, monkeypatch):
    monkeypatch.setattr(decoding, "MAX_BYTES", 2**20)

    assert len(read_lines(make(2**20)).lines) == 1
    with pytest.raises(UnusableFileError, match="file-too-large"):
        read_lines(make(2**20 + 1))


@given(st.binary(max_size=300))
def test_any_bytes_are_lines_or_refused(data):
    read = read_or_refuse(data)

    assert read is None or all(isinstance(line, str | Undecodable) for line in read.lines)


@given(st.text(st.sampled_from('津市ソ表東京、。 \n:"1Q'), max_size=60), st.sampled_from(Encoding))
def test_a_text_is_never_lost(text, encoding):
    """Two codes may fit short texts; under the right one the text is as it was."""
    data = text.encode(CODECS[encoding])

    assert read_lines(data, encoding).lines == text.split("\n")


@pytest.mark.parametrize(
    "make",
    [
        lambda size: b"\xa4\xa2" * size,
        lambda size: b"\xa4\xa2\n" * size + b"\xff\n",
        lambda size: b"\xff\n" + b"1\n" * size,
        lambda size: b"\x1b$B" * size,
        lambda size: random.Random(size).randbytes(size),
        bytes,
    ],
    ids=["one line", "a broken line", "one bad byte", "escapes", "noise", "NUL"],
)
def test_time_grows_with_the_size(make):
    assert growth(read_or_refuse, make) <= LINEAR


def read_or_refuse(data):
    try:
        return read_lines(data)
    except UnusableFileError:
        return None
