from __future__ import annotations

import pytest

from annotator.core.values import Meta, Subject
from annotator.services.reading import read_named_file
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, told
from tests.strategies import fragment
from web.refusals import Refused

ESSAY = "Some people think.\r\n\r\nI believe that sport make people more stronger."
RUSSIAN = "Люди занимаются спортом каждый день и радуются этому."


def refusal(name, data):
    with pytest.raises(Refused) as refused:
        read_named_file(name, data)
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "number", "author", "is_expert"),
    [
        ("0001001.txt", "0001001", "", False),
        ("0001001_exp13.txt", "0001001", "exp13", True),
        ("0001001_EXP13.TXT", "0001001", "EXP13", True),
        ("0001001_lynx.txt", "0001001", "lynx", False),
        ("0001001_express.txt", "0001001", "express", False),
        ("essay_on_sport.txt", "essay_on", "sport", False),
        ("0001001_draft_exp13.txt", "0001001_draft", "exp13", True),
        ("эссе 1.txt", "эссе 1", "", False),
        ("0000001_ru_his_slug_exp061.txt", "0000001", "exp061", True),
        ("0000028_ru_his_po_periodu_1921___1928_noexp.txt", "0000028", "", False),
        ("0000028_ru_his_po_periodu_1921___1928.txt", "0000028", "", False),
        ("0000002_ru_soc_EXP7.txt", "0000002", "EXP7", True),
        ("0000003_en_en_sport_unites_people_NoExp.txt", "0000003", "", False),
        ("0001001_noexp.txt", "0001001", "", False),
    ],
)
def test_a_name_says_the_essay_and_the_author(name, number, author, is_expert):
    file = read_named_file(name, PLAIN.encode())

    assert (file.number, file.author, file.is_expert) == (number, author, is_expert)


@pytest.mark.parametrize(
    ("name", "number", "author"),
    [
        ("0001001_exp13.json", "0001001", "exp13"),
        ("exp13.json", "0000028", "exp13"),
        ("_exp13.json", "0000028", ""),
        ("ru_his_slug_exp061.json", "0000028", "exp061"),
    ],
)
def test_a_name_that_begins_with_no_number_leaves_it_to_the_file(name, number, author):
    data = exchanged(name, id="0000028").data

    file = read_named_file(name, data)

    assert (file.number, file.author) == (number, author)


@pytest.mark.parametrize("name", [".txt", "_exp1.txt", "exp1.txt", "._0001.txt", " .txt", "-1.txt"])
def test_a_name_without_a_number_is_refused(name):
    reason = "The file’s name must begin with the essay’s number."

    assert refusal(name, PLAIN.encode()) == reason


def test_an_essay_comes_without_its_header():
    file = read_named_file("0001.txt", PLAIN.encode())

    assert (file.file.markup.text, file.file.markup.fragments) == (TEXT, ())
    assert file.file.meta == Meta(theme="Sport unites people", subject=Subject.ENGLISH)
    assert (file.is_marked, file.remarks) == (False, ())


def test_brackets_become_fragments_over_the_unmarked_text():
    file = read_named_file("0001_exp1.txt", MARKED.encode())

    assert file.file.markup.text == TEXT
    assert file.file.markup.fragments == (fragment(12, 17, "А.лекс", correction="believe"),)
    assert file.file.stated == {"K3": 2}


def test_the_header_names_the_expert_where_the_file_name_does_not():
    file = read_named_file("0001.txt", f"Эксперт: Соколова\n{PLAIN}".encode())

    assert (file.author, file.is_expert, file.is_marked) == ("Соколова", True, True)


def test_odd_places_of_a_file_are_remarked_with_their_line():
    text = PLAIN.replace("people think", "people (\\ А.грам \\ think \\)")

    file = read_named_file("0001_exp1.txt", text.encode())

    remark = "The code “А.грам” is not in the classifier and was left out. Check its spelling."
    assert told(file.remarks) == f"line 4, column 16: {remark}"


def test_line_ends_become_line_feeds():
    file = read_named_file("0001.txt", ESSAY.encode())

    assert file.file.markup.text == ESSAY.replace("\r\n", "\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_utf8_and_what_a_byte_order_mark_announces_are_read(encoding):
    file = read_named_file("0001.txt", RUSSIAN.encode(encoding))

    assert file.file.markup.text == RUSSIAN


def test_the_exchange_format_may_have_a_byte_order_mark():
    data = b'\xef\xbb\xbf{"text": "Some people."}'

    assert read_named_file("0001.json", data).file.markup.text == "Some people."


@pytest.mark.parametrize("suffix", ["txt", "json"])
@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1251", "Windows-1251"),
        ("koi8-r", "KOI8-R"),
        ("cp866", "CP866"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
    ],
)
def test_another_encoding_is_refused_by_its_name(suffix, encoding, name):
    reason = f"The file seems to be in {name}. Save it as UTF-8."

    assert refusal(f"0001.{suffix}", RUSSIAN.encode(encoding)) == reason


def test_the_few_russian_words_of_an_english_file_give_its_encoding_away():
    reason = "The file seems to be in Windows-1251. Save it as UTF-8."

    assert refusal("0001.txt", PLAIN.encode("cp1251")) == reason


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Некрепкая", "Some", "Да", RUSSIAN, PLAIN, "Да, нет\n" * 1000])
def test_utf16_without_a_mark_is_refused_however_short(text, encoding):
    reason = "The file seems to be in UTF-16. Save it as UTF-8."

    assert refusal("0001.txt", text.encode(encoding)) == reason


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7 some text", "PDF"),
        (b"{\\rtf1 some text}", "RTF"),
        (b"PK\x03\x04 some text", "a Word document, a table or an archive"),
        (b"\xd0\xcf\x11\xe0 some text", "an old Word document"),
        (b"\x89PNG\r\n\x1a\n some text", "a picture"),
    ],
)
def test_files_of_other_kinds_are_refused_by_their_beginning(data, kind):
    reason = f"The file is no text but {kind}. Save the essay as text in UTF-8."

    assert refusal("0001.txt", data) == reason


@pytest.mark.parametrize("data", [bytes(range(1, 256)) * 9, b"\x01\x02 Some people \x03" * 9])
def test_binary_content_is_no_essay(data):
    reason = "The file is no text. Save the essay as text in UTF-8."

    assert refusal("0001.txt", data) == reason


def test_a_stray_control_character_is_not_binary():
    file = read_named_file("0001.txt", f"{PLAIN}\x1f and more".encode())

    assert file.file.markup.text == f"{TEXT}\x1f and more"


def test_a_byte_order_mark_that_lies_is_said_to():
    reason = "The file begins as UTF-16 and goes on otherwise. Save it as UTF-8."

    assert refusal("0001.txt", b"\xff\xfe\x41\x04\x42") == reason


def test_bytes_of_no_known_encoding_are_refused_with_their_place():
    reason = "Byte 2 is not UTF-8. Save the file in that encoding."

    assert refusal("0001.txt", b"ab\xff") == reason


@pytest.mark.parametrize("text", ["", "  \n ", "Тема: Sport\n\n"])
def test_a_file_without_an_essay_is_refused(text):
    assert refusal("0001.txt", text.encode()) == "The file holds no essay."


@pytest.mark.parametrize("text", ["Some\0 people", "Тема: Sport\0\n\nSome people"])
def test_a_nul_anywhere_in_the_file_is_refused(text):
    assert refusal("0001.txt", text.encode()) == "The file holds a NUL."


def test_an_essay_may_have_a_hundred_thousand_characters():
    kept = read_named_file("0001.txt", b"a" * 100_000)

    assert len(kept.file.markup.text) == 100_000
    too_long = "The essay is longer than 100,000 characters."
    assert refusal("0001.txt", b"a" * 100_001) == too_long


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            '{"text": "abc",}',
            "line 1, column 16: This is not JSON. Look at the quotes, commas and brackets here.",
        ),
        ('{"text": "a\\u0000b"}', "A string holds a NUL character. Remove it."),
        (
            '{"text": "a\\ud800b"}',
            "A string holds half of a surrogate pair. Write the whole character.",
        ),
        (
            '{"text": "abc", "selections": {}}',
            "selections: A value of another type is expected here: list.",
        ),
        (
            '{"text": "abc", "selections": [{"id": 1, "startSelection": 1, "endSelection": 9}]}',
            "selections[0]: The bounds 1–9 lie outside the text of 3 characters.",
        ),
    ],
)
def test_a_json_file_is_refused_with_the_place_of_what_is_wrong(body, reason):
    assert refusal("0001.json", body.encode()) == reason
