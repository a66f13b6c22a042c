"""What the rules would say of markups that are not stored yet."""

from __future__ import annotations

from annotator.core.values import Markup, Subject
from annotator.models import RuleSet
from scoring.core.criteria import grade
from scoring.core.third_expert import third_check


def would_call_third_check(
    *, subject: Subject, rules: RuleSet, first: Markup, second: Markup
) -> bool:
    """Would two checks of an essay, marked so, call a third one? (Appendix 3, 3)"""
    sheets = grade(subject, first), grade(subject, second)
    return third_check(subject, *sheets, third_total=rules.third_total).needed
