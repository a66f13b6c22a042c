"""The text on the screen is the stored text, whatever is marked, and its places are right."""

from __future__ import annotations

import random
import re

import pytest

from annotator.core.classifier import classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject
from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from annotator.services.reading import read_named_file
from annotator.templatetags.essay_text import essay_text
from tests.annotator.test_marking_page import AWKWARD
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.full

SETS = 200
HAIR = 0.5  # pixels
ALPHABET = [
    "кот",
    "Sport",
    "don’t",
    "e\u0301t",
    "👩‍🏫",
    "𝒜b",
    "<b>",
    "&amp;",
    '"q"',
    "שלום",
    "\u202exy\u202c",
]
SPACES = [" ", " ", " ", "\u00a0", "\n", "\n\n", " , "]
CODES = [each for each in classifier_of(Subject.ENGLISH).categories if each.active]

READ = """
async ([places, words, html]) => {
  const essay = document.getElementById("essay");
  if (html !== null) essay.innerHTML = html;
  const { read, offsetOf, pointOf, rangeOf, quote, fragmentsAt } = await import(places);
  read(essay);
  const walker = document.createTreeWalker(essay, NodeFilter.SHOW_TEXT);
  const points = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < node.length; at += [...node.data.slice(at, at + 2)][0].length)
      points.push([node, at, at + [...node.data.slice(at, at + 2)][0].length]);
  return {
    text: essay.textContent,
    words: words.map(([start, end]) => {
      const [first, last] = [points[start], points[end - 1]];
      getSelection().setBaseAndExtent(first[0], first[1], last[0], last[2]);
      const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
      const from = offsetOf(anchorNode, anchorOffset);
      const to = offsetOf(focusNode, focusOffset);
      const point = pointOf(start);
      return [
        from, to, quote({ start: from, end: to }), rangeOf({ start, end }).toString(),
        offsetOf(point.node, point.offset), fragmentsAt(start),
      ];
    }),
  };
}
"""
"""What the page says of places that are selected, found without its scripts."""


def words_of(text):
    return [found.span() for found in re.finditer(r"\S+", text)]


def over(markup, at):
    found = [each for each in markup.fragments if each.span.start <= at < each.span.end]
    return [e.id for e in sorted(found, key=lambda e: (e.span.start, -e.span.end, e.id))]


def random_markup(seed):
    """Nested, crossing, equal and adjacent fragments over a text of awkward signs."""
    draw = random.Random(seed)
    count = draw.randint(3, 40)
    text = "".join(draw.choice(ALPHABET) + draw.choice(SPACES) for _ in range(count)).strip()
    spans = []
    for _ in range(draw.randint(1, 12)):
        start = draw.randrange(len(text))
        spans.append((start, draw.randint(start + 1, len(text))))
        one, other = draw.choice(spans), draw.choice(spans)
        spans.append(draw.choice([one, (one[0], max(one[1], other[1])), (one[0], one[0] + 1)]))
        if one[1] < len(text):
            spans.append((one[1], draw.randint(one[1] + 1, len(text))))
    fragments = []
    for number, span in enumerate(spans, 1):
        code = draw.choice(CODES)
        tag = draw.choice(["", f"т{number}"])
        fragments.append(Fragment(Span(*span), code.code, tag=tag, kind=code.kind, id=number))
    return Markup(text, tuple(fragments))


def expected(markup):
    return [
        [start, end, markup.text[start:end], markup.text[start:end], start, over(markup, start)]
        for start, end in words_of(markup.text)
    ]


def test_any_overlap_keeps_the_text_and_every_word_its_place(desk, module):
    page = desk().page

    for seed in range(SETS):
        markup = random_markup(seed)
        given = [module("places"), words_of(markup.text), str(essay_text(markup))]
        read = page.evaluate(READ, given)

        assert read["text"] == markup.text
        assert read["words"] == expected(markup)


@pytest.mark.parametrize("text", AWKWARD)
def test_the_page_shows_the_stored_text_and_gives_its_words_back(desk, module, text):
    middle = len(text) // 2
    screen = desk(text, fragment(0, middle), fragment(1, middle + 1, "А.лекс"))
    rows = list(screen.record.fragments.order_by("pk"))

    read = screen.page.evaluate(READ, [module("places"), words_of(text), None])

    markup = screen.record.to_core()
    assert read["text"] == text
    assert read["words"] == expected(markup)
    assert len(rows) == 2


@pytest.mark.parametrize("text", AWKWARD)
def test_a_word_that_is_selected_is_the_word_that_is_stored(desk, text):
    screen = desk(text)
    places = words_of(text)

    for version, (start, end) in enumerate(places[:3], 1):
        screen.choose(start, end).letters("uh").press("Enter").saved(version)

    assert screen.marks("start", "end") == places[:3]


def test_windows_line_ends_are_read_as_line_feeds(desk, module):
    lines = "first line\r\nsecond line\r\n\r\nthe last one"
    text = read_named_file("0000001.txt", lines.encode()).file.markup.text
    screen = desk(text)

    read = screen.page.evaluate(READ, [module("places"), words_of(text), None])

    assert read["text"] == text == lines.replace("\r\n", "\n")
    assert read["words"] == expected(Markup(text))


LONG = (
    "Some people think that sport unite people, while others does not agree with them at all. "
    "I believe that sport make people more stronger, and it is a well-known fact, isn’t it? "
    "However, there is those who say that it’s only a waste of time and money for all of us.\n\n"
    "To conclude, I would like to say that everybody should choose what he or she like to do."
)
SIZES = {"wide": (1440, 900), "narrow": (1000, 800), "a phone": (375, 740)}


@pytest.mark.parametrize("size", SIZES)
def test_marks_tags_and_cards_move_no_word(desk, size):
    viewport = dict(zip(("width", "height"), SIZES[size], strict=True))
    screen = without_fonts(desk(LONG, viewport=viewport))
    places = words_of(LONG)
    before = screen.top().rects(*places)

    draw = random.Random(size)
    for start, _end in draw.sample(places, 36):
        end = draw.choice([last for _first, last in places if last > start])
        add(screen.record, fragment(start, end, draw.choice(["А.грамм", "А.лекс", "ПРОБЛЕМА"])))
    add(screen.record, fragment(0, 4, tag="множ1"), fragment(18, 22, tag="множ1", comment="so"))
    add(screen.record, fragment(5, 11, "ИСП", correction="persons"), whole_text("А.логика"))
    screen.page.reload()
    screen.ready()

    assert len(screen.record.to_core().fragments) == 40
    assert_stand(screen, places, before)
    screen.page.locator("#marks button").nth(5).press("Enter")
    screen.page.locator("#cards form, #cards .card").first.wait_for()
    assert_stand(screen, places, before)


def test_a_mark_moves_no_word_when_it_comes_when_it_is_active_and_when_it_goes(desk):
    screen = desk(LONG)
    places = words_of(LONG)
    before = screen.top().rects(*places)

    screen.into_text().press("Control+Shift+ArrowRight").letters("uh vy").press("Tab")
    screen.page.locator("#cards form").wait_for()
    assert_stand(screen, places, before)
    screen.page.fill("#card-tag", "множ1")
    screen.press("Control+Enter").saved(2)
    assert screen.page.locator("[data-tag]").count() == 2
    assert_stand(screen, places, before)
    screen.press("Delete").saved(3)
    assert_stand(screen, places, before)


def without_fonts(screen):
    """Fonts are optional: one that comes in time for the second load only would move every word."""
    screen.page.route("**/*.woff2", lambda route: route.abort("aborted"))
    screen.page.reload()
    return screen.ready()


def assert_stand(screen, places, before):
    """Every word has as many line boxes as before, and they are where they were.

    Chromium rounds widths to a 64th of a pixel, each piece of a line by itself.
    """
    now = screen.top().rects(*places)
    assert [len(boxes) for boxes in now] == [len(boxes) for boxes in before]
    flat = [[number for box in boxes for number in box] for boxes in now]
    assert flat == [
        pytest.approx([number for box in boxes for number in box], abs=HAIR) for boxes in before
    ]


def add(record, *fragments):
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in fragments)
    MarkupRecord.objects.filter(pk=record.pk).update(version=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_kinds_of_marks_differ_without_colour(desk, scheme):
    """A block has corners and no line below, a mistake a whole line, ИСП a dotted one."""
    block, mistake = fragment(0, 4, "ПРОБЛЕМА"), fragment(5, 11)
    screen = desk(LONG, block, mistake, fragment(12, 17, "ИСП", correction="x"))
    screen.page.emulate_media(color_scheme=scheme)

    layers = screen.page.locator("#essay [data-m]").evaluate_all(
        """(pieces) => pieces.map((piece) => {
          const drawn = (name) => getComputedStyle(piece).getPropertyValue(name).trim();
          return ["--bs", "--be", "--l0"].map((name) => drawn(name).split("(")[0]);
        })"""
    )

    assert layers == [
        ["linear-gradient", "linear-gradient", ""],
        ["", "", "linear-gradient"],
        ["", "", "repeating-linear-gradient"],
    ]
