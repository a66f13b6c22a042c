"""The meta fields at the head of a marked file (Appendix 3, 1.5; markup.md 1.4, 8)."""

import pytest

from annotator.core.language import parse
from annotator.core.language.header import read_subject
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile, Markup, Meta, Subject

SPORT = Meta(theme="Sport", year=2020)


def read(marked):
    parsed = parse(marked)
    return parsed.file, parsed.problems


def unknown(line, name, column=1):
    return Problem("unknown-field", 1, line, column, blocks=False, fields={"name": name})


def unreadable(line, name, value):
    fields = {"name": name, "value": value}
    return Problem("bad-field-value", 1, line, 1, blocks=False, fields=fields)


@pytest.mark.parametrize(
    "marked",
    [
        "Тема: Sport\nГод: 2020\n\nText.",
        "Тема: Sport\n\n\n \nГод: 2020\n\nText.",
        "\n\n  Тема : Sport\nГод:2020\n\nText.",
        "\ufeffТема: Sport\r\nГод: 2020\r\n\r\nText.",
        "ТЕМА: Sport\rгод: 2020\r\rText.",
        "Тема: (* Sport *)\nГод: (\\2020\\)\n\nText.",
        "Тема: (*\n\nSport\n\n*)\nГод: 2020\n\nText.",
        "Год: 2020\nТема: Sport\nText.",
        "Линия:\nКласс:\nТема: Sport\nГод: 2020\n\nText.\n",
    ],
)
def test_the_same_fields_are_read_however_they_are_laid_out(marked):
    assert read(marked) == (MarkedFile(SPORT, Markup("Text.")), ())


def test_a_sentence_with_a_colon_is_the_essay_where_no_field_has_so_long_a_name():
    essay = f"{'Sport unites people. ' * 3}So: play.\n{'We all know that well. ' * 3}And: sing."

    assert read(f"Тема: Sport\nГод: 2020\n{essay}") == (MarkedFile(SPORT, Markup(essay)), ())


def test_every_field_of_the_table_has_its_place():
    marked = (
        "Тема: т\nИсходный текст: и\nПредмет: история\nЛиния: л\n"
        "Класс: 2 курс\nГод: 2020\nТест: егэ\nЭксперт: СеверусСнейп2020\n\nx"
    )

    meta = parse(marked).file.meta

    assert meta == Meta(
        theme="т",
        task_text="и",
        subject=Subject.HISTORY,
        category="л",
        class_name="2 курс",
        year=2020,
        test="егэ",
        expert="СеверусСнейп2020",
    )


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("русский", Subject.RUSSIAN),
        ("русский-свободное", Subject.RUSSIAN_FREE),
        ("литература", Subject.LITERATURE),
        ("обществознание", Subject.SOCIAL_SCIENCE),
        ("история", Subject.HISTORY),
        ("английский", Subject.ENGLISH),
        ("английский-свободное", Subject.ENGLISH_FREE),
        ("  Английский ", Subject.ENGLISH),
        ("Русский  язык", Subject.RUSSIAN),
        ("ENG-free", Subject.ENGLISH_FREE),
        *((subject.value, subject) for subject in Subject),
        ("химия", None),
        ("", None),
    ],
)
def test_a_subject_is_known_by_its_russian_name_and_by_its_code(name, subject):
    assert read_subject(name) is subject


def test_points_are_read_with_a_latin_and_a_cyrillic_letter():
    file, problems = read("K1: 2\nК2: 0\nk10:1\nк 3: 3\nK4:\n\nx")

    assert (file.stated, problems) == ({"K1": 2, "K2": 0, "K10": 1, "K3": 3}, ())


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("3.5", 3.5),
        ("3,5", 3.5),
        ("2; 3", (2, 3)),
        ("2, 3", (2, 3)),
        ("[2, 3,5]", (2, 3.5)),
        ("[2]", 2),
        ("3.0", 3),
    ],
)
def test_halves_and_points_left_open_are_read(written, points):
    assert read(f"K1: {written}\n\nx") == (MarkedFile(Meta(), Markup("x"), {"K1": points}), ())


def test_a_value_keeps_its_lines_and_the_signs_of_the_other_bracket():
    marked = (
        "Исходный текст: (\\ Первая: строка.\n\nКласс: 5 (* не поле *)\n\\)\nГод: 2020\n\nText."
    )

    file, problems = read(marked)

    task = "Первая: строка.\n\nКласс: 5 (* не поле *)"
    assert (file, problems) == (MarkedFile(Meta(task_text=task, year=2020), Markup("Text.")), ())


def test_a_bracket_that_is_never_closed_holds_its_own_line_only():
    file, _ = read("Тема: (* Sport\nГод: 2020\n\nText.")

    assert file == MarkedFile(Meta(theme="(* Sport", year=2020), Markup("Text."))


def test_a_bracket_that_closes_within_a_line_is_part_of_the_value():
    file, _ = read("Тема: (*Sport*) unites people\nГод: 2020\n\nText.")

    assert file.meta == Meta(theme="(*Sport*) unites people", year=2020)


def test_an_unknown_field_is_skipped_where_it_stands():
    file, problems = read(
        "Школа: № 57\nТема: Sport\n\n Год: 2020\nПочта : a@b.c\nбез поля\n\nText."
    )

    assert file == MarkedFile(SPORT, Markup("Text."))
    assert problems == (unknown(1, "Школа"), unknown(5, "Почта"), unknown(6, "без поля"))


def test_the_name_of_an_unknown_field_is_shown_shortened():
    _, problems = read("Тема: Sport\n" + "ж" * 99 + ": 1\n\nText.")

    assert problems == (unknown(2, "ж" * 60),)


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [
        ("Год: две тысячи", "Год", "две тысячи"),
        ("Год: 20200", "Год", "20200"),
        ("Год: -5", "Год", "-5"),
        ("Предмет: химия", "Предмет", "химия"),
        ("К2: два", "K2", "два"),
        ("K2: 1.5.2", "K2", "1.5.2"),
        ("K2: -1", "K2", "-1"),
        ("K2: 10000", "K2", "10000"),
    ],
)
def test_a_value_that_cannot_be_read_is_skipped_and_told(field, name, value):
    file, problems = read(f"Тема: Sport\n{field}\n\nText.")

    assert file == MarkedFile(Meta(theme="Sport"), Markup("Text."))
    assert problems == (unreadable(2, name, value),)


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is no header.\n\nText.",
        "Dear Ben,\nthank you.\n\nТема: Sport\n\nText.",
        "K: 2\nK100: 2\nТемы: x\n\nText.",
        "Тема Sport\n\nText.",
        "Тема\n\nText.",
        "K1",
        "Класс\nу нас дружный.\n\nКонец.",
        "Sport — это тема: разговора.",
        ":: x\n: y",
    ],
)
def test_text_that_merely_looks_like_a_header_is_text(text):
    assert read(text) == (MarkedFile(Meta(), Markup(text)), ())


def test_a_field_below_the_essay_has_begun_is_text():
    file, problems = read("Тема: Sport\nГод: 2020\n\nText.\n\nКласс: 11")

    assert (file, problems) == (MarkedFile(SPORT, Markup("Text.\n\nКласс: 11")), ())


def test_without_an_empty_line_the_essay_follows_the_last_field():
    file, problems = read("Тема: Sport\nШкола: 7\nГод: 2020\nFirst line\nsecond: line.")

    assert file == MarkedFile(SPORT, Markup("First line\nsecond: line."))
    assert problems == (unknown(2, "Школа"),)


def test_a_file_of_a_header_alone_has_an_empty_essay():
    assert read("Тема: Sport\nГод: 2020") == (MarkedFile(SPORT, Markup("")), ())


@pytest.mark.parametrize("marked", ["", " ", "\n\n", "\ufeff", "\r\n"])
def test_an_empty_file_is_an_empty_essay(marked):
    assert read(marked) == (MarkedFile(Meta(), Markup("")), ())
