"""The winning pair of a SpaCE2022 question over its context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from annotator.templatetags.essay_text import essay_text
from schemes.core.space2022.drawing import markup_of
from schemes.core.space2022.marks import RoleMarks

register = template.Library()


@register.simple_tag
def drawn_pair(question: Mapping[str, Any]) -> SafeString:
    """The context of a kept question with hit, missed and extra characters painted."""
    names = ("hit", "missed", "extra")
    roles = [
        RoleMarks(each["role"], *(frozenset(each[name]) for name in names))
        for each in question["roles"]
    ]
    return essay_text(markup_of(question["context"], roles))
