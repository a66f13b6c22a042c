"""The codes an expert chooses from, in the reader's language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotator.core.classifier import Category, Classifier, Words, every_classifier
from annotator.core.values import Kind, Markup, fold

LANGUAGES = ("ru", "en")


class PaletteSubcode(NamedTuple):
    """A subcode, what it is called where codes have a name, and what it means."""

    code: str
    called: str
    comment: str


@dataclass(frozen=True, slots=True)
class PaletteCode:
    """A code of the palette and how often it is marked already.

    ``called`` is its English name in the English interface, else empty: in Russian codes are
    words themselves.
    """

    code: str
    called: str
    name: str
    example: str
    count: int
    subcodes: tuple[PaletteSubcode, ...]

    def holds(self, words: Iterable[str]) -> bool:
        """Does every one of these folded words stand somewhere in what is said of the code?"""
        subcodes = (" ".join(sub) for sub in self.subcodes)
        said = fold(" ".join((self.code, self.called, self.name, self.example, *subcodes)))
        return all(word in said for word in words)


def palette_of(classifier: Classifier, markup: Markup) -> dict[str, list[PaletteCode]]:
    """The active codes of a subject by section, in the classifier's order."""
    counts = Counter(fold(fragment.code) for fragment in markup.fragments)
    return {
        section: [
            replace(code, count=counts[folded]) if folded in counts else code
            for folded, code in codes
        ]
        for section, codes in _uncounted(classifier, interface_language()).items()
    }


@lru_cache(maxsize=32)
def _uncounted(
    classifier: Classifier, _language: str
) -> Mapping[str, Sequence[tuple[str, PaletteCode]]]:
    """The active codes in the reader's language, each behind its folded form."""
    sections: dict[str, list[tuple[str, PaletteCode]]] = {}
    for category in classifier.categories:
        if category.active:
            codes = sections.setdefault(in_own_words(category.section), [])
            codes.append((fold(category.code), _palette_code(category)))
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

    Returns ``[{"code", "called", "names", "example", "whole", "placed", "block", "tagged",
    "subcodes": [{"code", "called", "names"}]}]``: ``called`` is what a code is shown with,
    ``whole`` is for the whole text only, ``placed`` never is, ``tagged`` takes a tag.
    """
    return [
        {
            "code": category.code,
            "called": _if_english(category.english),
            "names": [*_in_both_languages(category.name), category.english],
            "example": category.example,
            "whole": category.whole_text_only,
            "placed": not category.may_be_whole_text,
            "block": category.kind is Kind.BLOCK,
            "tagged": category.takes_tag,
            "subcodes": [
                {
                    "code": sub.code,
                    "called": _if_english(sub.english),
                    "names": [*_in_both_languages(sub.comment), sub.english],
                }
                for sub in category.subcategories
            ],
        }
        for category in classifier.categories
        if category.active
    ]


def code_list(classifier: Classifier) -> SafeString:
    """The same as the data of a page, under the name its script looks for."""
    return _code_list(classifier, interface_language())


@lru_cache(maxsize=32)
def _code_list(classifier: Classifier, _language: str) -> SafeString:
    return json_script(searchable_codes(classifier), "code-list")


def in_own_words(words: Words) -> str:
    """What the classifier says, in the language the reader has chosen."""
    return words[interface_language()]


def interface_language() -> str:
    """``ru`` or ``en``: the language the reader has chosen."""
    return "ru" if (get_language() or "").startswith("ru") else "en"


def english_name(code: str, subcode: str = "") -> str:
    """What a code is called, with its subcode, in the English interface; elsewhere nothing."""
    return every_classifier().english(code, subcode) if interface_language() == "en" else ""


def subcodes_of(category: Category | None) -> tuple[PaletteSubcode, ...]:
    """The subcodes of a code, in the reader's language."""
    language = interface_language()
    return tuple(
        PaletteSubcode(sub.code, sub.english if language == "en" else "", sub.comment[language])
        for sub in (category.subcategories if category else ())
    )


def _if_english(name: str) -> str:
    return name if interface_language() == "en" else ""


def _in_both_languages(words: Words) -> list[str]:
    own = interface_language()
    return [words[own], *(words[each] for each in LANGUAGES if each != own)]


def _palette_code(category: Category) -> PaletteCode:
    return PaletteCode(
        code=category.code,
        called=_if_english(category.english),
        name=in_own_words(category.name),
        example=category.example,
        count=0,
        subcodes=subcodes_of(category),
    )
