"""The cards of the marking screen: the windows of all fragments at a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from annotator.core.classifier import Category
from annotator.core.tags import propose_tag
from annotator.core.values import Fragment
from annotator.forms.fragments import FragmentForm
from annotator.models import Phrase
from annotator.models.phrases import folded
from annotator.pages.marks import Mark, Marked, standard_comment_of
from annotator.pages.palette import PaletteSubcode, subcodes_of
from annotator.queries.phrases import phrases_of

PHRASES: Final = 4


@dataclass(frozen=True, slots=True)
class Stack:
    """The windows of all fragments at a place (Appendix 3, 1.8.8); ``opened`` can be changed.

    ``crosses``: the marks it crosses, which is said as soon as it is made. ``subcodes``: those of
    the code and what they mean.
    """

    opened: Mark
    others: tuple[Mark, ...]
    category: Category | None
    standard_comment: str
    proposed_tag: str
    phrases: tuple[Phrase, ...]
    crosses: tuple[Mark, ...]
    subcodes: tuple[PaletteSubcode, ...]

    @property
    def needs_correction(self) -> bool:
        """ИСП says nothing without what should stand there (Appendix 3, 1.2)."""
        return self.opened.fragment.is_correction and not self.opened.fragment.correction

    @property
    def offers_comment(self) -> bool:
        """True where a comment may say what no subcode says."""
        return bool(self.subcodes) and not self.standard_comment

    @property
    def subcode(self) -> str:
        """The subcode as the classifier writes it: a file may use another letter case."""
        found = self.category.subcategory(self.opened.fragment.subcode) if self.category else None
        return found.code if found else ""

    @property
    def first_field(self) -> str:
        """The field that is to be filled next: it gets the focus when the card opens."""
        if self.subcodes and not self.subcode:
            return "subcode"
        return "correction" if self.takes_correction else "comment"

    @property
    def takes_correction(self) -> bool:
        """Does the code allow a correction, or is one there already?"""
        allowed = self.category is None or self.category.takes_correction
        return allowed or bool(self.opened.fragment.correction)

    @property
    def takes_tag(self) -> bool:
        """Does the code allow a tag, or is one there already?"""
        allowed = self.category is None or self.category.takes_tag
        return allowed or bool(self.opened.fragment.tag)


def stack_of(
    marked: Marked, number: int, *, at: int | None = None, form: FragmentForm | None = None
) -> Stack | None:
    """The windows over the place ``at``, or over where the mark begins; ``None`` for no mark.

    A ``form`` that was refused shows what was typed.
    """
    opened = next((mark for mark in marked.marks if mark.number == number), None)
    if opened is None:
        return None
    if form and form.errors:
        opened = replace(opened, fragment=form.typed(opened.fragment))
    fragment = opened.fragment
    category = marked.classifier.find(fragment.code)
    others = [mark for mark in _over(marked.marks, opened, at) if mark.number != number]
    return Stack(
        opened=opened,
        others=tuple(reversed(others)),  # innermost first
        category=category,
        standard_comment=standard_comment_of(marked.classifier, fragment),
        proposed_tag=propose_tag((each.tag for each in marked.markup.fragments), fragment),
        phrases=_phrases(marked, fragment) if category else (),
        crosses=crossed_by(marked.marks, opened),
        subcodes=subcodes_of(category),
    )


def crossed_by(marks: Iterable[Mark], one: Mark) -> tuple[Mark, ...]:
    """The marks that cross a mark: they may be nested but do not cross (Appendix 3, 1.2)."""
    span = one.fragment.span
    if span is None:
        return ()
    return tuple(each for each in marks if each.fragment.span and span.crosses(each.fragment.span))


def _over(marks: Iterable[Mark], opened: Mark, at: int | None) -> list[Mark]:
    """The marks over a place, outer before inner; a whole-text mistake has none beside it."""
    if opened.fragment.span is None:
        return []
    place = opened.fragment.span.start if at is None else at
    return [
        mark
        for mark in marks
        if mark.fragment.span and mark.fragment.span.start <= place < mark.fragment.span.end
    ]


def _phrases(marked: Marked, fragment: Fragment) -> tuple[Phrase, ...]:
    """Own phrases of the code, but for what is offered as its standard comment already."""
    standard = folded(standard_comment_of(marked.classifier, fragment))
    comment = Phrase.Field.COMMENT
    is_offered = bool(standard) and not fragment.comment
    return tuple(
        each
        for each in phrases_of(marked.record.author, fragment.code, most=PHRASES)
        if not (is_offered and each.field == comment and each.folded == standard)
    )
