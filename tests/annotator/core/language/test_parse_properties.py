"""What holds of any text whatever: it is read, and nothing the pupil wrote is lost."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotator.core.language import parse
from annotator.core.language.faults import NUMBERS
from annotator.core.language.signs import SIGN
from annotator.core.values import Markup, normalise
from tests.examples import examples
from tests.strategies import MARKS, english, marked_texts, texts
from web.core.lines import Lines

MARKED = marked_texts() | st.text() | st.text(alphabet="(\\*):>#а \n")
WORDS = [f"w{number}" for number in range(30)]


def solid(text):
    return [sign for sign in text if not sign.isspace()]


def is_part(inner, outer):
    """True when ``inner`` can be had from ``outer`` by leaving things out."""
    rest = iter(outer)
    return all(item in rest for item in inner)


@given(MARKED, st.none() | texts() | marked_texts())
@settings(deadline=None, max_examples=examples(250))
@example("(\\(*(\\\\\\::>>##(*\\)*)", "(*")
def test_any_text_is_read_and_every_place_is_in_it(marked, source):
    parsed = parse(marked, source=source, classifier=english())

    markup, text = parsed.file.markup, normalise(marked)
    assert markup.text == markup.text.strip()
    for fragment in markup.fragments:
        assert markup.covered(fragment) == markup.covered(fragment).strip()
        assert fragment.span is None or fragment.span.end <= len(markup.text)
    places = {Lines(text).place(offset) for offset in range(len(text) + 1)}
    for problem in parsed.problems:
        assert (problem.line, problem.column) in places
        assert problem.number == NUMBERS[problem.code]
        assert not problem.blocks
    assert [(p.line, p.column) for p in parsed.problems] == sorted(
        (p.line, p.column) for p in parsed.problems
    )


@given(MARKED)
@settings(deadline=None, max_examples=examples(200))
def test_the_essay_holds_nothing_the_file_does_not(marked):
    text = parse(marked, classifier=english()).file.markup.text

    assert is_part(solid(text), solid(marked))


@given(st.text() | texts() | st.sampled_from(["Тема", "к1\n\nx", "Год\nпрошёл"]))
@settings(deadline=None, max_examples=examples(200))
def test_text_without_brackets_and_fields_is_the_essay_as_it_is(text):
    plain = normalise(text).translate(str.maketrans("\\*:", "/+;"))

    parsed = parse("\ufeff" + plain, classifier=english())

    assert (parsed.file.markup, parsed.problems) == (Markup(plain.strip()), ())


@given(st.lists(st.sampled_from([*MARKS, *MARKS, "А.грамм", "множ", "\n", *WORDS]), max_size=40))
@settings(deadline=None, max_examples=examples(250))
def test_every_word_is_kept_in_the_essay_or_in_an_element(pieces):
    parsed = parse(" ".join(pieces), classifier=english())

    kept = [parsed.file.markup.text]
    for each in parsed.file.markup.fragments:
        kept += [each.comment, each.explanation, each.correction, each.tag]
    found = set(" ".join(kept).split())
    dropped = {p.fields["word"] for p in parsed.problems if p.code == "unknown-code"}
    assert set(pieces) & set(WORDS) == found & set(WORDS) | dropped


@given(st.lists(st.sampled_from([*MARKS, " ", "word ", "a:b", "…", "*", "(", ")", "\\"])))
@settings(deadline=None, max_examples=examples(200))
def test_without_an_opening_bracket_only_closing_ones_are_dropped(pieces):
    marked = re.sub(r"\((?=[\\*])", "[", "".join(pieces))

    parsed = parse(marked, classifier=english())

    cut = [piece for piece in SIGN.split(marked) if piece not in ("\\)", "*)")]
    assert parsed.file.markup == Markup("".join(cut).strip())
    assert len(parsed.problems) == len(SIGN.split(marked)) - len(cut)


@given(marked_texts(), st.none() | texts())
@settings(deadline=None, max_examples=examples(200))
def test_error_8_is_told_when_more_than_white_space_differs(marked, essay):
    source = parse(marked, classifier=english()).file.markup.text if essay is None else essay

    parsed = parse(marked, source=source, classifier=english())

    same = parsed.file.markup.text.split() == normalise(source).split()
    assert [p.code for p in parsed.problems].count("text-differs") == (0 if same else 1)


@given(texts(), texts())
@settings(deadline=None, max_examples=examples(200))
def test_error_8_is_told_where_the_words_part(written, essay):
    problems = parse(written, source=essay).problems

    ours, theirs = solid(written), solid(essay)
    if ours != theirs:
        (problem,) = problems
        lines = written.split("\n")
        before = [*lines[: problem.line - 1], lines[problem.line - 1][: problem.column - 1]]
        agreed = len(solid("".join(before)))
        assert ours[:agreed] == theirs[:agreed]
        assert ours[agreed : agreed + 1] != theirs[agreed : agreed + 1]
