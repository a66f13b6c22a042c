"""Hypothesis strategies that build core values."""

from __future__ import annotations

from hypothesis import strategies as st

from annotator.core.classifier import Category, Classifier, classifier_of
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject

WORDS = st.sampled_from(
    ["кот", "Sport", "think", ",", "e\u0301", "👩‍🏫", "и", "…", "don’t", "(a)", "x"]
)
SPACES = st.sampled_from([" ", "  ", "\n", "\n\n", "\u00a0"])
NOTES = st.sampled_from(["", "", "has", "better word", "форма числа"])
TAGS = st.sampled_from(["", "", "", "т1", "множ1", "2"])
STATED = st.integers(0, 9) | st.sampled_from([0.5, 3.5, (2, 3), (1, 1.5)])
POINTS = st.dictionaries(st.sampled_from(["K1", "K2", "K3", "K4", "K12"]), STATED)
SUBJECTS = st.sampled_from(Subject)

MARKS = ["(\\", "(*", "\\)", "*)", "\\", "::", ">>", "#"]
HEADS = ["А.грамм", "множ", "а.ЛЕКС", "ИСП", "ПРОБЛЕМА", "А.глагол", "Г.упр"]
FIELDS = ["Тема:", "Год: 2020", "K1: 2", "К3:", "Предмет: история", "Школа: 7", "Класс: (*"]
LINES = [" ", "\n", "\n\n", "\r\n", "\r", "\t", "\u00a0", "\x1f", "\ufeff"]

HEADER_TEXTS = st.sampled_from(
    [
        *["", "", "Sport", "две\nстроки\n\nи третья", "x: y"],
        *["(* со звёздочкой", "a *) b\nc", "a \\) b\nc"],
    ]
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """An essay's text: words of many scripts, white space of many kinds, none at the ends."""
    pieces = draw(st.lists(st.tuples(WORDS, SPACES), min_size=1, max_size=20))
    return "".join(word + space for word, space in pieces).strip()


@st.composite
def marked_texts(draw: st.DrawFn) -> str:
    """Anything an expert's file might hold: signs, codes, fields, words, odd line ends."""
    pieces = st.sampled_from([*MARKS, *MARKS, *HEADS, *FIELDS, *LINES, "word", "…", "e\u0301"])
    return draw(st.text(max_size=3)) + "".join(draw(st.lists(pieces, max_size=40)))


@st.composite
def spans(draw: st.DrawFn, size: int) -> Span:
    start = draw(st.integers(0, size - 1))
    return Span(start, draw(st.integers(start + 1, size)))


@st.composite
def fragments(draw: st.DrawFn, size: int, subject: Subject = Subject.ENGLISH) -> Fragment:
    """A fragment of a text of ``size`` code points, with a code of the subject's classifier."""
    category: Category = draw(st.sampled_from(classifier_of(subject).categories))
    subcodes = ["", *(item.code for item in category.subcategories)]
    return Fragment(
        span=draw(st.none() | spans(size)) if draw(st.booleans()) else draw(spans(size)),
        code=category.code,
        subcode=draw(st.sampled_from(subcodes)),
        comment=draw(NOTES),
        explanation=draw(NOTES),
        correction=draw(NOTES),
        tag=draw(TAGS),
        kind=category.kind,
    )


@st.composite
def markups(
    draw: st.DrawFn,
    text: str | None = None,
    max_size: int = 6,
    subject: Subject = Subject.ENGLISH,
) -> Markup:
    """A markup whose fragments may be nested, crossing, equal, or of the whole text."""
    essay = draw(texts()) if text is None else text
    drawn = st.lists(fragments(len(essay), subject), max_size=max_size)
    return Markup(essay, tuple(draw(drawn)))


@st.composite
def nested_markups(draw: st.DrawFn, subject: Subject = Subject.ENGLISH) -> Markup:
    """A markup the bracket language can write: nothing crosses, no span touches white space."""
    markup = draw(markups(max_size=8, subject=subject))
    kept: list[Fragment] = []
    for drawn in markup.fragments:
        covered = markup.covered(drawn)
        fits = covered == covered.strip() and (drawn.correction or not drawn.is_correction)
        if fits and not any(_cross(drawn, other) for other in kept):
            kept.append(drawn)
    return Markup(markup.text, tuple(kept))


@st.composite
def marked_files(draw: st.DrawFn, *, nested: bool = False) -> MarkedFile:
    """A file of any subject; its meta fields are those a header has a place for."""
    subject = draw(SUBJECTS)
    build = nested_markups if nested else markups
    meta = Meta(
        theme=draw(HEADER_TEXTS),
        class_name=draw(st.sampled_from(["", "11", "2 курс"])),
        year=draw(st.none() | st.integers(1, 9999)),
        subject=subject,
        task_text=draw(HEADER_TEXTS),
        category=draw(st.sampled_from(["", "право"])),
        expert=draw(st.sampled_from(["", "exp106"])),
        test=draw(st.sampled_from(["", "егэ тренировка"])),
    )
    return MarkedFile(meta, draw(build(subject=subject)), draw(POINTS))


def json_values() -> st.SearchStrategy[object]:
    """Any value a JSON reader may hand over, many of them shaped like a file of the exchange."""
    numbers = st.integers() | st.sampled_from([10**400, -(10**4000), 2**31, 1e308, 2.0, 0.5])
    odd = st.sampled_from(["", "0", "-1", "--5", "5-", "٣", "²", "eng", "error", "А.грамм"])
    plain = st.none() | st.booleans() | numbers | odd | st.text(max_size=5)
    anything = st.recursive(
        plain,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=10,
    )

    def part(*keys: str) -> st.SearchStrategy[object]:
        return st.dictionaries(st.sampled_from([*keys, "id", "?"]), odd | anything)

    item = part("type", "startSelection", "endSelection", "group", "tag", "subtype")
    parts = {
        "meta": part("year", "subject", "theme", "third", "class"),
        "text": plain,
        "selections": st.lists(item, max_size=4),
        "criteria": part("K1", "К2", "k 3", "total"),
    }
    return anything | item | st.lists(item) | st.fixed_dictionaries({}, optional=parts)


def fragment(start: int, end: int, code: str = "А.грамм", **fields: str) -> Fragment:
    """A fragment for an example, of the kind its English code has."""
    return Fragment(Span(start, end), code, kind=kind_of(code), **fields)


def whole_text(code: str = "А.грамм", **fields: str) -> Fragment:
    """A mistake of the whole text for an example, of the kind its English code has."""
    return Fragment(None, code, kind=kind_of(code), **fields)


def kind_of(code: str) -> Kind:
    return english().kind(code)


def english() -> Classifier:
    return classifier_of(Subject.ENGLISH)


def _cross(one: Fragment, other: Fragment) -> bool:
    return bool(one.span and other.span and one.span.crosses(other.span))
