"""What is written is read back as it was meant, or it is refused with the place."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from annotator.core.errors import CannotWriteError
from annotator.core.language import parse, render
from annotator.core.values import MarkedFile, Markup, Meta, Subject, in_reading_order
from tests.examples import examples
from tests.strategies import fragment, marked_files, marked_texts, whole_text

WRITTEN = MarkedFile(
    Meta(theme="Sport", subject=Subject.ENGLISH, class_name="11", year=2017, expert="e1"),
    Markup(
        "Some people think, that.",
        (
            fragment(0, 24, "ПРОБЛЕМА"),
            fragment(12, 18, "А.пункт", correction="think", tag="1"),
            fragment(12, 18, "А.лекс", subcode="слово", comment="к", explanation="п"),
            whole_text("А.объем"),
            whole_text("А.уров", subcode="прост", comment="к"),
            whole_text("", explanation="п"),
        ),
    ),
    {"K3": 2, "K4": 0},
)


def comparable(file):
    """All of a file that the language has a place for, its fragments in reading order."""
    place = Meta(
        theme=file.meta.theme,
        task_text=file.meta.task_text,
        subject=file.meta.subject,
        category=file.meta.category,
        class_name=file.meta.class_name,
        year=file.meta.year,
        test=file.meta.test,
        expert=file.meta.expert,
    )
    fragments = tuple(in_reading_order(file.markup.fragments))
    return MarkedFile(place, Markup(file.markup.text, fragments), file.stated)


def assert_read_back_or_refused(file):
    try:
        written = render(file)
    except CannotWriteError:
        return
    assert comparable(parse(written).file) == comparable(file)


def test_a_file_is_written_with_a_header_and_one_bracket_for_each_fragment():
    assert render(WRITTEN) == (
        "Тема: Sport\n"
        "Предмет: английский\n"
        "Класс: 11\n"
        "Год: 2017\n"
        "Эксперт: e1\n"
        "K3: 2\n"
        "K4: 0\n"
        "\n"
        "(* ПРОБЛЕМА \\ Some people (\\ А.пункт \\ (\\ А.лекс слово \\ think, \\ к :: п \\)"
        " >> think # 1 \\) that. *)\n"
        "(\\ А.объем \\)\n"
        "(\\ А.уров прост \\  \\ к \\)\n"
        "(\\  \\  :: п \\)\n"
    )


def test_the_example_is_read_back_whole():
    assert parse(render(WRITTEN)).file == WRITTEN


def test_a_header_is_written_even_when_there_is_nothing_to_say():
    assert render(MarkedFile(Meta(), Markup("Text."))) == "Тема: \n\nText.\n"
    assert render(MarkedFile(Meta(), Markup(""))) == "Тема: \n\n\n"


def test_the_regulations_own_example_is_written_as_it_stands():
    text = "Все удивлялись его силой."
    span = fragment(19, 24, "ИСП", correction="силе")
    meta = Meta(subject=Subject.RUSSIAN)

    written = render(MarkedFile(meta, Markup(text, (span,))))

    body = "Все удивлялись его (\\ ИСП \\ силой >> силе \\)."
    assert written == f"Тема: \nПредмет: русский\n\n{body}\n"


def test_halves_and_points_left_open_are_written_and_read_back():
    file = MarkedFile(Meta(), Markup("x"), {"K1": 3.5, "K2": (2, 2.5), "K3": 3})

    assert render(file) == "Тема: \nK1: 3.5\nK2: 2; 2.5\nK3: 3\n\nx\n"
    assert parse(render(file)).file == file


@given(marked_files(nested=True))
@settings(deadline=None, max_examples=examples(150))
def test_every_nested_markup_is_written_and_read_back(file):
    assert comparable(parse(render(file)).file) == comparable(file)


@given(marked_files())
@settings(deadline=None, max_examples=examples(150))
def test_any_markup_is_read_back_or_refused(file):
    assert_read_back_or_refused(file)


@given(marked_texts())
@settings(deadline=None, max_examples=examples(150))
def test_whatever_was_read_is_read_back_or_refused(marked):
    assert_read_back_or_refused(parse(marked).file)


@given(marked_files(nested=True))
@settings(deadline=None, max_examples=examples(50))
def test_numbers_of_fragments_and_keys_of_json_do_not_change_what_is_written(file):
    meta = replace(file.meta, id="0000001", uuid="u", name="n", third=True, markup_uuid="m")
    numbered = tuple(replace(each, id=7) for each in file.markup.fragments)

    known = MarkedFile(meta, Markup(file.markup.text, numbered), file.stated, "a.json")

    assert render(known) == render(file)


@pytest.mark.parametrize(
    "meta",
    [
        Meta(year=0),
        Meta(year=-5),
        Meta(year=12345),
        Meta(theme="a\rГод: 2019"),
        Meta(expert="a\r\rb"),
        Meta(test="a\nb\n\nc"),
        Meta(theme="*) \\)"),
        Meta(task_text="(* a\n\\)"),
        Meta(category="\\) x\n*"),
        Meta(theme="Год: 2019"),
    ],
)
def test_a_meta_field_is_never_lost_in_silence(meta):
    assert_read_back_or_refused(MarkedFile(meta, Markup("Text.")))


@pytest.mark.parametrize(
    "text",
    [
        "She said: A (B)",
        "a\\ b # c :: d >> e",
        "x (",
        "2 * (3 + 4) * 5",
        "Заметка: это не поле\n\nТема: но это ниже",
        "\ufeffx",
        "(",
        ")",
        "\\",
        "*",
    ],
)
def test_text_that_only_resembles_markup_is_written_as_it_is(text):
    file = MarkedFile(Meta(), Markup(text))

    assert render(file) == f"Тема: \n\n{text}\n"
    assert parse(render(file)).file == file


@pytest.mark.parametrize("text", ["(", ")", "*", ":", ">", "a (", ") b", "* *", ">> "])
@pytest.mark.parametrize("code", ["А.грамм", "ВЫВОД", ""])
def test_signs_never_arise_where_a_fragment_meets_its_text(text, code):
    inner = fragment(1, 1 + len(text.strip()), code, comment=text.strip(), tag=text.strip())

    assert_read_back_or_refused(MarkedFile(Meta(), Markup(f"({text.strip()})", (inner,))))


def test_codes_are_written_in_the_letter_case_they_came_in():
    file = MarkedFile(
        Meta(subject=Subject.ENGLISH), Markup("x", (fragment(0, 1, "а.ГРАММ", subcode="Множ"),))
    )

    assert render(file).endswith("\n\n(\\ а.ГРАММ Множ \\ x \\)\n")
    assert parse(render(file)).file == file
