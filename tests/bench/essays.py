"""Essays to measure with: drawn by chance, the same in every run."""

from __future__ import annotations

import random
import re

from annotator.core.classifier import Category, classifier_of
from annotator.core.values import Fragment, Markup, Span, Subject

WORDS = [
    "people",
    "think",
    "that",
    "sport",
    "unites",
    "nations",
    "because",
    "every",
    "game",
    "brings",
    "joy",
    "and",
    "health",
]


def text_of(words: int, chance: random.Random) -> str:
    """So many words in sentences and paragraphs."""
    said = []
    for number in range(1, words + 1):
        end = "\n" if number % 60 == 0 else ". " if number % 15 == 0 else " "
        said.append(chance.choice(WORDS) + end)
    return "".join(said).strip()


def nested_markup(words: int, fragments: int, seed: int = 1) -> Markup:
    """Mistakes of a few words nested in blocks of a paragraph, none crossing."""
    chance = random.Random(seed)
    text = text_of(words, chance)
    codes = [each for each in classifier_of(Subject.ENGLISH).categories if not each.whole_text_only]
    places = [word.span() for word in re.finditer(r"\w+", text)]
    spans: list[Span] = []
    while len(spans) < fragments:
        first = chance.randrange(words)
        last = min(words - 1, first + chance.choice([0, 1, 1, 2, 8, 40]))
        span = Span(places[first][0], places[last][1])
        if not any(span.crosses(other) for other in spans):
            spans.append(span)
    made = (_fragment(span, chance.choice(codes), at) for at, span in enumerate(spans, 1))
    return Markup(text, tuple(made))


def overlapping_markup(fragments: int, seed: int) -> Markup:
    """Fragments of three codes that nearly all overlap: the hardest markup to match."""
    chance = random.Random(seed)
    text = text_of(300, random.Random(0))
    starts = [chance.randrange(len(text) // 2) for _ in range(fragments)]
    made = (Span(at, at + chance.randrange(1, len(text) // 2)) for at in starts)
    codes = ["А.грамм", "А.лекс", "А.орф"]
    return Markup(text, tuple(Fragment(span, chance.choice(codes)) for span in made))


def _fragment(span: Span, category: Category, number: int) -> Fragment:
    return Fragment(span, category.code, kind=category.kind, correction="another word", id=number)
