from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given

from annotator.core.painting import lanes
from annotator.core.values import Fragment, Kind, Markup, Span
from annotator.templatetags.essay_text import essay_text
from tests.pages import page_of
from tests.strategies import fragment, markups, whole_text

PIECE = re.compile(
    r'<span(?: class="(?P<names>[^"]*)")? data-s="(?P<start>\d+)"'
    r'(?: data-m="(?P<numbers>[\d ]+)")?(?: data-tag="(?P<tags>[^"]*)")?>(?P<words>[^<]*)</span>'
)


def numbered(markup):
    """The same markup, its fragments numbered from 1 as rows are."""
    fragments = (replace(each, id=at) for at, each in enumerate(markup.fragments, 1))
    return Markup(markup.text, tuple(fragments))


def pieces(markup):
    """Where a piece begins, its words, its classes, the fragments over it, its tags."""
    return [
        (
            int(found["start"]),
            unescape(found["words"]),
            (found["names"] or "").split(),
            [int(number) for number in (found["numbers"] or "").split()],
            unescape(found["tags"] or ""),
        )
        for found in PIECE.finditer(essay_text(markup))
    ]


def over(markup, at):
    """The fragments over a character, outer before inner."""
    found = [
        each for each in markup.fragments if each.span and each.span.start <= at < each.span.end
    ]
    return sorted(found, key=lambda each: (each.span.start, -each.span.end, each.id))


def colours(markup, at):
    """What the rules of colours say of one character (screens.md 0)."""
    fragments = over(markup, at)
    blocks = sum(each.kind is Kind.BLOCK for each in fragments)
    corrections = sum(each.is_correction for each in fragments)
    mistakes = len(fragments) - blocks - corrections
    step = min(len(fragments), 5)
    names = ["f"] if fragments else []
    names += [f"g{min(blocks, 5)}"] if blocks else []
    if mistakes:
        names.append(f"y{step}" if blocks else f"r{step}")
    elif corrections:
        names.append(f"b{step}")
    lane = lanes(markup)
    for each in fragments:
        if each.kind is Kind.MISTAKE:
            letter = "i" if each.is_correction else "m"
            names.append(f"{letter}{lane[each.id - 1]}")
    return names


@given(markups())
def test_the_visible_text_is_the_essay(markup):
    html = essay_text(markup)

    assert unescape(re.sub(r"<[^>]*>", "", html)) == markup.text
    assert page_of(html).raw == markup.text


@given(markups())
def test_pieces_are_flat_and_nothing_stands_outside_them(markup):
    html = essay_text(markup)

    bare = PIECE.sub("", html)
    assert re.fullmatch(r'(<p class="par( blank)?"></p>)+', bare)


@given(markups())
def test_every_piece_knows_its_place(markup):
    end = 0
    for start, words, _names, _numbers, _tags in pieces(numbered(markup)):
        assert start == end
        assert markup.text[start : start + len(words)] == words != ""
        end += len(words)

    assert end == len(markup.text)


@given(markups(max_size=8))
def test_every_character_has_the_colours_and_fragments_that_lie_over_it(markup):
    markup = numbered(markup)

    for start, words, names, numbers, _tags in pieces(markup):
        painted = [name for name in names if name not in ("bs", "be")]
        for at in range(start, start + len(words)):
            assert painted == colours(markup, at)
            assert numbers == [each.id for each in over(markup, at)]


@given(markups(max_size=8))
def test_blocks_show_where_they_begin_and_end(markup):
    markup = numbered(markup)
    blocks = [each.span for each in markup.fragments if each.kind is Kind.BLOCK and each.span]

    for start, words, names, _numbers, _tags in pieces(markup):
        begins = any(span.start == start for span in blocks)
        ends = any(span.end == start + len(words) for span in blocks)
        assert [name for name in names if name in ("bs", "be")] == ["bs"] * begins + ["be"] * ends


@given(markups(max_size=8))
def test_tags_stand_where_their_fragments_end_inner_ones_first(markup):
    markup = numbered(markup)

    for start, words, _names, _numbers, tags in pieces(markup):
        last = start + len(words) - 1
        ending = [each for each in over(markup, last) if each.span.end == last + 1 and each.tag]
        assert tags.split() == list(dict.fromkeys(each.tag for each in reversed(ending)))


@given(markups())
def test_every_line_is_a_paragraph_with_its_line_feed(markup):
    paragraphs = page_of(essay_text(markup)).find("p.par")

    assert [each.raw for each in paragraphs] == re.findall(r"[^\n]*\n|[^\n]+", markup.text)
    assert ["blank" in each["class"] for each in paragraphs] == [
        not each.raw.strip() for each in paragraphs
    ]


def test_what_is_html_in_an_essay_stays_text():
    text = "<b>x</b> & &lt; \"q\" 'a'"

    html = essay_text(Markup(text, (fragment(0, 8),)))

    assert html == (
        '<p class="par"><span class="f r1 m0" data-s="0" data-m="0">&lt;b&gt;x&lt;/b&gt;</span>'
        '<span data-s="8"> &amp; &amp;lt; "q" \'a\'</span></p>'
    )


@pytest.mark.parametrize("tag", ['"><script>', "a&b", "'x'"])
def test_what_is_html_in_a_tag_stays_a_tag(tag):
    html = essay_text(Markup("Some people", (fragment(0, 4, tag=tag),)))

    (piece,) = page_of(html).find("[data-tag]")
    assert (piece["data-tag"], page_of(html).find("script")) == (tag, [])


def test_a_mark_over_two_lines_has_its_tag_on_the_last_piece_only():
    markup = numbered(Markup("one\ntwo", (fragment(0, 7, tag="т1"),)))

    assert pieces(markup) == [
        (0, "one\n", ["f", "r1", "m0"], [1], ""),
        (4, "two", ["f", "r1", "m0"], [1], "т1"),
    ]


def test_a_mistake_in_a_block_is_yellow_and_both_show_their_depth():
    block = Fragment(Span(0, 11), "ПРОБЛЕМА", kind=Kind.BLOCK)
    markup = numbered(Markup("Some people", (block, block, fragment(5, 11))))

    assert [names for _start, _words, names, _numbers, _tags in pieces(markup)] == [
        ["f", "g2", "bs"],
        ["f", "g2", "y3", "m0", "be"],
    ]


def test_a_correction_is_blue_until_a_mistake_lies_over_it():
    correction = fragment(0, 11, "ИСП", correction="x")
    markup = numbered(Markup("Some people", (correction, fragment(0, 4))))

    assert [names for _start, _words, names, _numbers, _tags in pieces(markup)] == [
        ["f", "r2", "i1", "m0"],
        ["f", "b1", "i1"],
    ]


def test_colours_have_five_steps():
    deep = Markup("Some", (fragment(0, 4),) * 7)

    assert re.findall(r"\b[ry]\d+\b", essay_text(deep)) == ["r5"]


def test_mistakes_of_the_whole_text_paint_nothing():
    markup = Markup("Some people", (whole_text(),))

    assert essay_text(markup) == '<p class="par"><span data-s="0">Some people</span></p>'


def test_two_markups_of_equal_marks_are_painted_with_the_numbers_of_their_own():
    painted = [
        essay_text(Markup("people", (Fragment(Span(0, 6), "А.орф", id=number),)))
        for number in (7, 1301)
    ]

    assert ['data-m="7"' in painted[0], 'data-m="1301"' in painted[1]] == [True, True]
