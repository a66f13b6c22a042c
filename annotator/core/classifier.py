"""The classifiers: which semantic blocks and mistakes a subject knows (Appendix 3, 3).

The codes are facts of the contest, the standard comments of А.лекс, А.запас, А.грамм and А.уров
are the regulation's own words, all other names and descriptions are ours. The data lie beside
this module in ``classifiers/<subject>.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from annotator.core.values import CORRECTION_CODE, Kind, Subject, fold

Words = Mapping[str, str]
"""The same words in every language of the interface: ``{"ru": ..., "en": ...}``."""


@dataclass(frozen=True, slots=True)
class Subcategory:
    """A subcode and its standard comment (Appendix 3, 1.2)."""

    code: str
    comment: Words
    english: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """One code of a classifier; ``english`` is what it is called where nobody reads Russian."""

    code: str
    kind: Kind
    name: Words
    example: str = ""
    section: Words = field(default_factory=dict)
    criteria: tuple[str, ...] = ()
    subcategories: tuple[Subcategory, ...] = ()
    takes_correction: bool = True
    takes_tag: bool = True
    whole_text_only: bool = False
    active: bool = True
    english: str = ""

    @property
    def may_be_whole_text(self) -> bool:
        """Only a mistake can concern the text as a whole; a block is words of it (1.2, 1.3)."""
        return self.kind is Kind.MISTAKE

    def subcategory(self, code: str) -> Subcategory | None:
        """The subcode of that name, in any letter case."""
        wanted = fold(code)
        return next((item for item in self.subcategories if fold(item.code) == wanted), None)


class Classifier:
    """The codes of one subject, or of several together, looked up in any letter case."""

    def __init__(self, categories: Iterable[Category], *, is_of_all: bool = False) -> None:
        self.is_of_all = is_of_all
        self.categories = tuple(categories)
        self._by_code = {fold(category.code): category for category in self.categories}

    def find(self, code: str) -> Category | None:
        """The category of a code, or ``None`` when the classifier has no such code."""
        return self._by_code.get(fold(code))

    def kind(self, code: str) -> Kind:
        """The kind of a code; what is unknown counts as a mistake."""
        category = self.find(code)
        return category.kind if category else Kind.MISTAKE

    def standard_comment(self, code: str, subcode: str, language: str = "ru") -> str:
        """The comment a subcode stands for; empty when there is none (Appendix 3, 1.2)."""
        category = self.find(code)
        found = category.subcategory(subcode) if category and subcode else None
        return found.comment[language] if found else ""

    def english(self, code: str, subcode: str = "") -> str:
        """What a code is called in English, with its subcode: ``Grammar: article``.

        Empty for a code it does not know; a subcode it does not know is left out.
        """
        category = self.find(code)
        if category is None:
            return ""
        found = category.subcategory(subcode) if subcode else None
        return ": ".join(filter(None, (category.english, found.english if found else "")))


@cache
def classifier_of(subject: Subject) -> Classifier:
    """The classifier of a subject."""
    source = resources.files("annotator.core") / "classifiers" / f"{subject.value}.json"
    return Classifier(_category(item) for item in json.loads(source.read_text("utf-8")))


@cache
def every_classifier() -> Classifier:
    """All subjects together: for a file that does not say what it is about."""
    merged: dict[str, Category] = {}
    for subject in Subject:
        for category in classifier_of(subject).categories:
            known = merged.get(fold(category.code))
            merged[fold(category.code)] = _union(known, category) if known else category
    return Classifier(merged.values(), is_of_all=True)


def plain_classifier(codes: Mapping[str, tuple[Kind, Iterable[str]]]) -> Classifier:
    """A classifier of bare codes, ``{code: (kind, subcodes)}``; ИСП is always known."""
    nameless: Words = {"ru": "", "en": ""}
    categories = [
        Category(
            code,
            kind,
            nameless,
            subcategories=tuple(Subcategory(name, nameless) for name in subcodes),
        )
        for code, (kind, subcodes) in codes.items()
    ]
    return Classifier([Category(CORRECTION_CODE, Kind.MISTAKE, nameless), *categories])


def _category(item: Mapping[str, Any]) -> Category:
    return Category(
        code=item["code"],
        kind=Kind(item["kind"]),
        name=item["name"],
        example=item.get("example", ""),
        section=item["section"],
        criteria=tuple(item["criteria"]),
        subcategories=tuple(
            Subcategory(each["code"], each["comment"], each["english"]) for each in item["subcodes"]
        ),
        takes_correction=item["takes_correction"],
        takes_tag=item["takes_tag"],
        whole_text_only=item["whole_text_only"],
        active=item["active"],
        english=item["english"],
    )


def _union(known: Category, other: Category) -> Category:
    more = [item for item in other.subcategories if known.subcategory(item.code) is None]
    return Category(
        code=known.code,
        kind=known.kind,
        name=known.name,
        example=known.example,
        section=known.section,
        criteria=known.criteria,
        subcategories=(*known.subcategories, *more),
        takes_correction=known.takes_correction,
        takes_tag=known.takes_tag,
        whole_text_only=known.whole_text_only,
        active=known.active,
        english=known.english,
    )
