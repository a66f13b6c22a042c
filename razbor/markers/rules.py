"""An example of a participant's program: English essays by five rules, nothing but Python.

``python -m razbor.markers.rules`` reads an essay as JSON and prints a markup; with ``--lines`` it
reads an essay a line and prints a markup a line. Take it as a beginning of your own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

WORD: Final = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
VOWELS: Final = "aeiou"
SOUNDS_CONSONANT: Final = re.compile(
    r"uni(?!n|m)|us(?:e|a|u)|eu|u(?:k|ti)|one\b|once\b|uk\b|ur(?:i|ol)", re.IGNORECASE
)
"""Begins with a vowel and is spoken with a consonant: a unique, a European, a one."""
SOUNDS_VOWEL: Final = re.compile(r"hour|honest|honour|heir", re.IGNORECASE)

SINGULAR: Final = frozenset({"he", "she", "it", "everybody", "everyone", "somebody", "nobody"})
PLURAL: Final = frozenset({"we", "you", "they", "people", "children", "parents", "teenagers"})
FOR_PLURAL: Final = {"is": "are", "was": "were", "has": "have", "does": "do", "doesn't": "don't"}
FOR_SINGULAR: Final = {"are": "is", "have": "has", "do": "does", "don't": "doesn't"}
NO_SUBJECT: Final = frozenset(
    """do does did can could may might must shall should will would to let make makes made help
    helps if see that of for with by and or as than like""".split()  # noqa: SIM905 - to be read
)
"""After these words a pronoun has another verb, or is not the subject of the next word alone."""

MAY_DOUBLE: Final = frozenset({"had", "that", "very", "her"})

TRICKY: Final = frozenset(
    """
accommodate achieve acquire address advertisement aggressive although apparent appearance argument
assistance attention awareness beautiful because before beginning believe beneficial business
calendar career ceiling certainly chocolate colleague committee communicate comparison completely
concentrate confident conscious consequence convenient definitely describe develop development
different difficult disadvantage disappear disappoint discipline embarrass encourage entertainment
environment especially essential exaggerate excellent exercise existence expensive experience
explanation familiar favourite finally foreign forward friend government grammar guarantee
happiness height holiday immediately important impossible independent individual influence
information intelligent interesting interrupt knowledge language library literature maintenance
medicine necessary neighbour nowadays occasion occurred opinion opportunity parliament
particularly performance permanent personality pleasant popular possession possible prejudice
privilege probably profession pronunciation psychology punctuation receive recently recognise
recommend relevant religious responsibility responsible restaurant schedule separate significant
similar sincerely society solution strength successful surprise technology teenager therefore
tomorrow traditional transport traveller unfortunately university unnecessary until useful usually
vegetable volunteer weather whether without writing
""".split()  # noqa: SIM905
)
"""Words that are often misspelt, in their British spelling."""
NEAR_BUT_RIGHT: Final = frozenset(
    """
busyness expansive fiend impossibly possibly probable responsibly teenage teenaged traveler
travelled waiting
""".split()  # noqa: SIM905
)
"""Other words that are one letter away from these."""
SHORTEST: Final = 5
"""Letters of a word that is compared with the list."""


@dataclass(frozen=True, slots=True)
class Word:
    start: int
    end: int
    text: str

    @property
    def low(self) -> str:
        return self.text.lower().replace("’", "'")


Found = tuple[int, int, str, str, str]
"""Start, end, code, subcode, correction."""
Rule = Callable[[str, Sequence[Word]], Iterator[Found]]


def articles(text: str, words: Sequence[Word]) -> Iterator[Found]:
    """``an unique``, ``a animal``."""
    for article, word in neighbours(text, words):
        if article.low not in ("a", "an") or word.text.isupper():
            continue
        right = "an" if begins_with_vowel(word.low) else "a"
        if article.low != right:
            right = right.capitalize() if article.text[0].isupper() else right
            yield article.start, word.end, "А.грамм", "арт", f"{right} {word.text}"


def agreement(text: str, words: Sequence[Word]) -> Iterator[Found]:
    """``he have``, ``people is``; only where the subject stands at the verb."""
    before: Word | None = None
    for subject, verb in neighbours(text, words):
        earlier = text[before.end : subject.start] if before else "."
        is_free = before is None or earlier.strip() or before.low not in NO_SUBJECT
        right = None
        if is_free and subject.low in SINGULAR:
            right = FOR_SINGULAR.get(verb.low)
        elif is_free and subject.low in PLURAL:
            right = FOR_PLURAL.get(verb.low)
        if right:
            yield verb.start, verb.end, "А.грамм", "", right
        before = subject


def doubled(text: str, words: Sequence[Word]) -> Iterator[Found]:
    """``the the``."""
    for first, second in neighbours(text, words):
        if first.low == second.low and first.low not in MAY_DOUBLE:
            yield first.start, second.end, "А.лекс", "слово", first.text


def spelling(_text: str, words: Sequence[Word]) -> Iterator[Found]:
    """A word one letter away from one that is often misspelt."""
    for word in words:
        low = word.low
        if len(low) < SHORTEST or low in TRICKY or low in NEAR_BUT_RIGHT or "'" in low:
            continue
        if word.text[1:] != low[1:] or is_form_of_a_known_word(low):
            continue
        meant = next((each for each in sorted(TRICKY) if is_one_letter_away(low, each)), None)
        if meant:
            right = meant.capitalize() if word.text[0].isupper() else meant
            yield word.start, word.end, "А.орф", "", right


def contractions(_text: str, words: Sequence[Word]) -> Iterator[Found]:
    """``don't``: an essay is written in a neutral style."""
    for word in words:
        if re.search(r"n't$|^(?:i|you|we|they)'(?:m|re|ve|ll|d)$", word.low):
            right = word.text.replace("’", "'")
            for short, long in (
                ("can't", "cannot"),
                ("won't", "will not"),
                ("n't", " not"),
                ("'m", " am"),
                ("'re", " are"),
                ("'ve", " have"),
                ("'ll", " will"),
                ("'d", " would"),
            ):
                right = right.replace(short, long)
            yield word.start, word.end, "А.стиль", "стяж", right


RULES: Final[tuple[Rule, ...]] = (articles, agreement, doubled, spelling, contractions)


def mark(text: str, rules: Sequence[Rule] = RULES) -> list[dict[str, Any]]:
    """The fragments that the rules find in an English text, as ``selections``."""
    words = [Word(found.start(), found.end(), found[0]) for found in WORD.finditer(text)]
    found = sorted({each for rule in rules for each in rule(text, words)})
    return [
        {
            "id": number,
            "startSelection": start,
            "endSelection": end,
            "group": "error",
            "type": code,
            "subtype": subcode,
            "correction": correction,
        }
        for number, (start, end, code, subcode, correction) in enumerate(found, 1)
    ]


def answer(essay: Mapping[str, Any], rules: Sequence[Rule] = RULES) -> dict[str, Any]:
    """The markup of an essay; one in another language than English gets an empty one."""
    is_english = str(essay["meta"].get("subject", "")).startswith("eng")
    return {"selections": mark(essay["text"], rules) if is_english else []}


def neighbours(text: str, words: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Words with nothing but white space between them."""
    for first, second in pairwise(words):
        if not text[first.end : second.start].strip():
            yield first, second


def begins_with_vowel(word: str) -> bool:
    """By its sound: ``hour`` does, ``university`` does not."""
    if SOUNDS_VOWEL.match(word):
        return True
    return word[0] in VOWELS and not SOUNDS_CONSONANT.match(word)


def is_form_of_a_known_word(word: str) -> bool:
    """``arguments`` is ``argument`` with an ending."""
    endings = ("s", "es", "d", "ed", "ing", "ly", "r", "er", "al", "ally", "ful", "ship")
    stems = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
    return any(stem in TRICKY or f"{stem}e" in TRICKY or f"{stem}y" in TRICKY for stem in stems)


def is_one_letter_away(word: str, known: str) -> bool:
    """One letter more, less, another, or two of them exchanged."""
    if word[0] != known[0] or abs(len(word) - len(known)) > 1:
        return False
    same = next(
        (at for at, pair in enumerate(zip(word, known, strict=False)) if len({*pair}) > 1), None
    )
    at = min(len(word), len(known)) if same is None else same
    ours, theirs = word[at:], known[at:]
    exchanged = ours[:2] == theirs[:2][::-1] and ours[2:] == theirs[2:]
    return exchanged or ours[1:] in (theirs[1:], theirs) or ours == theirs[1:]


def main(arguments: Sequence[str]) -> None:
    """One essay, or with ``--lines`` one a line."""
    given = sys.stdin.buffer if "--lines" in arguments else [sys.stdin.buffer.read()]
    for essay in given:
        sys.stdout.write(json.dumps(answer(json.loads(essay))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
