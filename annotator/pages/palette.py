"""The codes an expert chooses from, in the reader's language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from annotator.core.classifier import Category, Classifier, Words
from annotator.core.values import Markup, fold

LANGUAGES = ("ru", "en")


@dataclass(frozen=True, slots=True)
class PaletteCode:
    """A code of the palette and how often it is marked already."""

    code: str
    name: str
    example: str
    count: int
    subcodes: tuple[tuple[str, str], ...]

    def holds(self, words: Iterable[str]) -> bool:
        """Does every one of these folded words stand somewhere in what is said of the code?"""
        subcodes = (" ".join(sub) for sub in self.subcodes)
        said = fold(" ".join((self.code, self.name, self.example, *subcodes)))
        return all(word in said for word in words)


def palette_of(classifier: Classifier, markup: Markup) -> dict[str, list[PaletteCode]]:
    """The active codes of a subject by section, in the classifier's order."""
    counts = Counter(fold(fragment.code) for fragment in markup.fragments)
    sections: dict[str, list[PaletteCode]] = {}
    for category in classifier.categories:
        if category.active:
            codes = sections.setdefault(in_own_words(category.section), [])
            codes.append(_palette_code(category, counts[fold(category.code)]))
    return sections


def filtered_palette(classifier: Classifier, words: str) -> dict[str, list[PaletteCode]]:
    """The codes that hold all of these words somewhere in their names, subcodes or examples."""
    wanted = fold(words).split()
    found = {}
    for section, codes in palette_of(classifier, Markup("")).items():
        if fitting := [code for code in codes if code.holds(wanted)]:
            found[section] = fitting
    return found


def searchable_codes(classifier: Classifier) -> list[dict[str, Any]]:
    """The active codes as type-ahead searches them: names of both languages, the reader's first.

    Returns ``[{"code", "names", "example", "whole", "placed", "subcodes": [{"code", "names"}]}]``:
    ``whole`` is for the whole text only, ``placed`` never is.
    """
    return [
        {
            "code": category.code,
            "names": _in_both_languages(category.name),
            "example": category.example,
            "whole": category.whole_text_only,
            "placed": not category.may_be_whole_text,
            "subcodes": [
                {"code": sub.code, "names": _in_both_languages(sub.comment)}
                for sub in category.subcategories
            ],
        }
        for category in classifier.categories
        if category.active
    ]


def in_own_words(words: Words) -> str:
    """What the classifier says, in the language the reader has chosen."""
    return words[interface_language()]


def interface_language() -> str:
    """``ru`` or ``en``: the language the reader has chosen."""
    return "ru" if (get_language() or "").startswith("ru") else "en"


def _in_both_languages(words: Words) -> list[str]:
    own = interface_language()
    return [words[own], *(words[each] for each in LANGUAGES if each != own)]


def _palette_code(category: Category, count: int) -> PaletteCode:
    return PaletteCode(
        code=category.code,
        name=in_own_words(category.name),
        example=category.example,
        count=count,
        subcodes=tuple((sub.code, in_own_words(sub.comment)) for sub in category.subcategories),
    )
