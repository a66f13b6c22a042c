from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.core.contest_file import CONTEST, TABLES, ContestFile, Kind, from_toml, to_toml
from contest.core.errors import ContestFileError
from contest.core.messages import describe

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
MOMENTS = st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
NUMBERS = st.floats(-1e9, 1e9)
VALUES = {
    Kind.NAME: TEXTS.filter(bool),
    Kind.FOLDER: st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True),
    Kind.TEXT: TEXTS,
    Kind.FLAG: st.booleans(),
    Kind.COUNT: st.integers(0, 2**15 - 1),
    Kind.NUMBER: NUMBERS,
    Kind.MOMENT: MOMENTS,
    Kind.WORDS: st.dictionaries(TEXTS, TEXTS, max_size=3),
    Kind.VALUES: st.dictionaries(TEXTS, st.none() | NUMBERS | st.integers(0, 99), max_size=3),
}


def rows(keys, **fixed):
    drawn = {
        name: st.none() | VALUES[key.kind] if key.may_lack else VALUES[key.kind]
        for name, key in keys.items()
    }
    return st.fixed_dictionaries(drawn | fixed)


ZONES = st.sampled_from(["Europe/Moscow", "America/St_Johns", "UTC", "Asia/Kathmandu"])
FILES = st.builds(
    ContestFile,
    rows(CONTEST, zone=ZONES),
    **{name: st.lists(rows(keys), max_size=2).map(tuple) for name, keys in TABLES.items()},
)

LEAST = """\
format = 1

[contest]
slug = "grammar"
name_ru = "Грамматика"
name_en = ""
subject = "eng"
scheme = ""
zone = "Europe/Moscow"
live = true
shows_test_board = false
contact = ""
licence = "CC BY 4.0"
applications_from = 2026-11-20T10:00:00+03:00
summary_ru = \"\"\"
Первая строка
вторая \\"с кавычками\\"\"\"\"
summary_en = ""
task_ru = ""
task_en = ""
"""


@given(FILES)
def test_what_is_written_is_read_and_written_to_the_same_bytes(file):
    words = to_toml(file)

    assert from_toml(words) == file
    assert to_toml(from_toml(words)) == words


def test_a_written_file_is_one_that_people_write():
    file = from_toml(LEAST)

    assert to_toml(file) == LEAST
    assert file.contest["applications_from"] == datetime(2026, 11, 20, 7, tzinfo=UTC)
    assert file.contest["summary_ru"] == 'Первая строка\nвторая "с кавычками"'


def test_a_moment_without_an_offset_is_of_the_contests_zone():
    file = from_toml(LEAST.replace("+03:00", ""))

    assert file == from_toml(LEAST)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('slug = "grammar"', "slug = grammar", "line 4, column 8: this is not TOML."),
        ("format = 1", "format = 2", "format: Write format = 1"),
        ("[contest]", "[contests]", "The key “contests” is unknown."),
        ('slug = "grammar"\n', "", "contest: The key “slug” is missing. Add it."),
        ('slug = "grammar"', 'slug = ""', "contest.slug: The string is empty."),
        ("live = true", "live = 1", "contest.live: Write true or false here."),
        ("live = true", "live = true\nlife = 1", "contest: The key “life” is unknown."),
        ("Europe/Moscow", "Europe/Moskva", "contest.zone: “Europe/Moskva” is no time zone."),
        ("Europe/Moscow", "../etc", "contest.zone: “../etc” is no time zone."),
        ("2026-11-20T10:00:00+03:00", '"soon"', "contest.applications_from: A moment such as"),
        ('""\n', '"\\u0000"\n', "contest.name_en: The string holds a NUL character."),
        ("task_en", "phases = 3\ntask_en", "contest: The key “phases” is unknown."),
    ],
)
def test_an_error_names_the_line_or_the_key_and_the_remedy(old, new, said):
    with pytest.raises(ContestFileError) as error:
        from_toml(LEAST.replace(old, new, 1))

    assert describe(error.value, str).startswith(said)


@pytest.mark.parametrize(("rest", "column"), [("folder = ", 10), ("folder =", 9), ("folder", 7)])
def test_a_file_that_breaks_off_is_wrong_where_it_ends(rest, column):
    words = f"{LEAST}\n[[sets]]\n{rest}"

    with pytest.raises(ContestFileError) as error:
        from_toml(words)

    line = words.count("\n") + 1
    assert describe(error.value, str).startswith(f"line {line}, column {column}: this is not TOML.")


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("32767", "parameters[0]: The key “rules” is missing. Add it."),
        ("32768", "parameters[0].version: A number from 0 to 32767 is expected here."),
        ("-1", "parameters[0].version: A number from 0 to 32767 is expected here."),
        ("1.5", "parameters[0].version: A whole number of 0 or more is expected here."),
        ("true", "parameters[0].version: A whole number of 0 or more is expected here."),
    ],
)
def test_a_count_is_a_whole_number_that_a_column_holds(version, said):
    with pytest.raises(ContestFileError) as error:
        from_toml(f"{LEAST}\n[[parameters]]\nversion = {version}\n")

    assert describe(error.value, str) == said


def test_rows_of_lists_are_named_by_their_place():
    words = LEAST + '\n[[sets]]\nfolder = "../etc"\n'

    with pytest.raises(ContestFileError) as error:
        from_toml(words)

    assert describe(error.value, str) == (
        "sets[0].folder: Write the name of a folder: up to 40 Latin letters, digits, - and _."
    )
