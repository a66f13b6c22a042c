"""Why a third check is needed, in words."""

from __future__ import annotations

from django.template.loader import render_to_string

from annotator.core.values import Subject
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.core.third_expert import third_check


def test_several_reasons_are_parted_by_a_semicolon_and_a_blank():
    first = CriteriaSheet({"K1": 3, "K2": 3, "K3": 0, "K4": 3, "K5": 3})
    second = CriteriaSheet({"K1": 0, "K2": 0, "K3": 0, "K4": 3, "K5": 3})
    decision = third_check(Subject.LITERATURE, first, second)

    said = render_to_string("scoring/third_reasons.html", {"decision": decision})

    assert said.strip().split("; ") == [
        "K1 differs by 3",
        "K2 differs by 3",
        "K1 is 0 with one expert only",
    ]
