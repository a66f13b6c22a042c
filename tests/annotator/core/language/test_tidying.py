"""What real files have at the edges is left out of a marked text, and told."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from annotator.core.errors import CannotWriteError
from annotator.core.language import parse, render, tidy
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile, Markup, Meta
from tests.examples import examples
from tests.strategies import fragment, marked_files, nested_markups, whole_text


def told(code, number=None, path=None, **fields):
    return Problem(code, fragment=number, path=path, blocks=False, fields=fields)


def written(file):
    tidied = tidy(file)
    return parse(render(tidied.file)).file, tidied.problems


@pytest.mark.parametrize("end", ["\n", "\n\n \n", "\u3000", "\u00a0\u2003", "\r\n", "\u2028", "\t"])
def test_line_breaks_and_wide_blanks_around_a_field_are_left_out(end):
    meta = Meta(theme=f"Sport{end}", class_name=f"{end}11", test=f"егэ{end}", expert=f"exp1{end}")

    read, problems = written(MarkedFile(meta, Markup("Text.")))

    assert read.meta == Meta(theme="Sport", class_name="11", test="егэ", expert="exp1")
    assert problems == tuple(
        told("field-trimmed", name=name) for name in ("Тема", "Класс", "Тест", "Эксперт")
    )


def test_a_field_of_white_space_alone_is_empty():
    read, _ = written(MarkedFile(Meta(category="\u3000\n", task_text=" "), Markup("Text.")))

    assert read.meta == Meta()


@pytest.mark.parametrize("theme", ["one\n\ntwo", "one\r\n\r\ntwo", "one\r\rtwo"])
def test_line_breaks_within_a_field_stay_in_a_bracket(theme):
    read, problems = written(MarkedFile(Meta(theme=theme), Markup("Text.")))

    assert (read.meta.theme, problems) == ("one\n\ntwo", ())


def test_line_breaks_no_bracket_can_hold_become_blanks_and_that_is_told():
    meta = Meta(theme="see (* a *) \n\n and (\\ b \\)")

    read, problems = written(MarkedFile(meta, Markup("Text.")))

    assert read.meta.theme == "see (* a *) and (\\ b \\)"
    assert problems == (told("field-folded", name="Тема"),)


def test_blanks_around_what_is_marked_are_left_out():
    marks = (fragment(3, 9, "А.лекс"), fragment(0, 4), fragment(9, 10))

    read, problems = written(MarkedFile(Meta(), Markup("one \u00a0two x", marks)))

    assert set(read.markup.fragments) == {fragment(5, 8, "А.лекс"), fragment(0, 3), fragment(9, 10)}
    assert problems == (
        told("fragment-trimmed", 1, start=5, end=8),
        told("fragment-trimmed", 2, start=0, end=3),
    )


@pytest.mark.parametrize("element", ["comment", "explanation", "correction", "tag"])
def test_blanks_around_an_element_are_left_out(element):
    mark = fragment(0, 1, **{element: "\u3000two\r\nlines\n"})

    read, problems = written(MarkedFile(Meta(), Markup("a", (whole_text(), mark))))

    assert read.markup.fragments[0] == fragment(0, 1, **{element: "two\nlines"})
    assert problems == (told("element-trimmed", 2, element=element),)


def test_blanks_around_a_code_and_its_subcode_are_left_out():
    mark = replace(fragment(0, 1), code=" А.грамм", subcode="множ ")

    read, problems = written(MarkedFile(Meta(), Markup("a", (mark,))))

    assert read.markup.fragments == (fragment(0, 1, subcode="множ"),)
    assert [problem.fields for problem in problems] == [{"element": "code"}, {"element": "subcode"}]


def test_an_essay_loses_its_outer_blanks_and_its_fragments_move_along():
    markup = Markup("\n one two\n", (fragment(2, 5), fragment(6, 10), whole_text()))

    read, problems = written(MarkedFile(Meta(), markup))

    assert read.markup == Markup("one two", (fragment(0, 3), fragment(4, 7), whole_text()))
    assert problems == (
        told("fragment-trimmed", 2, start=6, end=9),
        told("text-trimmed", path="text"),
    )


@pytest.mark.parametrize(("text", "start"), [("a b", 1), (" a", 0)])
def test_a_fragment_of_white_space_alone_stays_and_is_refused_when_written(text, start):
    file = MarkedFile(Meta(), Markup(text, (fragment(start, start + 1),)))

    assert tidy(file).file == file
    with pytest.raises(CannotWriteError):
        render(tidy(file).file)


@given(marked_files(nested=True))
@settings(deadline=None, max_examples=examples(50))
def test_a_file_that_can_be_written_stays_as_it_is(file):
    assert (tidy(file).file, tidy(file).problems) == (file, ())


@given(marked_files())
@settings(deadline=None, max_examples=examples(100))
def test_tidying_twice_changes_nothing_more(file):
    once = tidy(file).file

    assert tidy(once).file == once


@given(nested_markups())
@settings(deadline=None, max_examples=examples(100))
def test_fragments_that_each_take_the_blank_behind_them_can_be_written(markup):
    greedy = tuple(
        replace(each, span=replace(each.span, end=min(each.span.end + 1, len(markup.text))))
        if each.span and markup.text[each.span.end : each.span.end + 1].isspace()
        else each
        for each in markup.fragments
    )

    tidied = tidy(MarkedFile(Meta(), Markup(markup.text, greedy)))

    assert tidied.file.markup == markup
