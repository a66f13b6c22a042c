"""Say whether two experts differ so much that a third one must check."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any, Final

from razbor.cases import Shape
from razbor.errors import Unusable
from razbor.inputs import common_subject, refuse_two_essays
from razbor.lines import answer_lines, subject_of
from razbor.options import add_json, add_lines, add_subject, need_files, refuse_beside_lines
from razbor.remarks import read_markup
from razbor.words import _
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import MAXIMA, CriteriaSheet
from scoring.core.errors import MissingCriteriaError
from scoring.core.third_expert import Cause, Decision, third_check
from web.core.sentences import N_

TOTALS: Final = ["auto", "nomination", "all"]
CAUSES: Final = {
    Cause.TOTAL_GAP: N_("{criteria}: the totals differ by {difference}, threshold {threshold}"),
    Cause.CRITERION_GAP: N_("{criteria}: the points differ by {difference}, threshold {threshold}"),
    Cause.ONE_ZERO: N_("{criteria}: 0 with one expert only"),
    Cause.CRITERIA_APART: N_(
        "{criteria}: criteria that differ: {difference}, threshold {threshold}"
    ),
}

SHAPE: Final = Shape(
    ("subject", "first", "second"),
    (),
    {"id": 1, "subject": "eng", "first": {"K3": 3, "K4": 2}, "second": {"K3": 1, "K4": 0}},
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Say whether two experts differ so much that a third one must check.")
    parser.add_argument("first", nargs="?", help=_("the markup of one expert"))
    parser.add_argument("second", nargs="?", help=_("the markup of the other"))
    add_subject(parser)
    words = _("the total of an English essay: K3 + K4, all criteria, or all where both have them")
    parser.add_argument("--third-total", choices=TOTALS, default="auto", help=words)
    add_json(parser)
    add_lines(parser, SHAPE)


def run(args: argparse.Namespace) -> int:
    if args.jsonl:
        refuse_beside_lines(args, "first", "second", "subject")
        return answer_lines(args.jsonl, SHAPE, lambda case: _answer(case, args.third_total))
    need_files(args, "first", "second")
    first = read_markup(args.first, subject=args.subject)
    second = read_markup(args.second, subject=args.subject)
    refuse_two_essays(first, second)
    subject = common_subject(first, second) or first.subject
    sheets = [grade(subject, read.file.markup) for read in (first, second)]
    decision = third_check(subject, *sheets, third_total=args.third_total)
    if args.json:
        print(json.dumps(as_json(decision), ensure_ascii=False))
    else:
        show(decision)
    return 0


def as_json(decision: Decision) -> dict[str, Any]:
    """The decision and what calls for it."""
    reasons = [
        {
            "cause": reason.cause.value,
            "criteria": list(reason.criteria),
            "difference": reason.difference,
            "threshold": reason.threshold,
        }
        for reason in decision.reasons
    ]
    return {"needed": decision.needed, "reasons": reasons}


def show(decision: Decision) -> None:
    """One line for the totals, one for each reason."""
    words = _("totals {one} and {other}, difference {difference}, threshold {threshold}")
    one, other = decision.totals
    print(
        words.format(
            one=one, other=other, difference=decision.difference, threshold=decision.threshold
        )
    )
    for reason in decision.reasons:
        cause = _(CAUSES[reason.cause]).format(
            criteria=", ".join(reason.criteria),
            difference=reason.difference,
            threshold=reason.threshold,
        )
        print(cause)
    print(_("a third expert is needed") if decision.needed else _("no third expert is needed"))


def _answer(case: Mapping[str, Any], third_total: Any) -> dict[str, Any]:
    subject = subject_of(case)
    sheets = [_sheet(case, key, MAXIMA[subject]) for key in ("first", "second")]
    try:
        return as_json(third_check(subject, *sheets, third_total=third_total))
    except MissingCriteriaError as error:
        names = ", ".join(str(name) for name in error.fields["criteria"])  # type: ignore[attr-defined]
        raise Unusable(_("Points are missing: {names}.").format(names=names)) from None


def _sheet(case: Mapping[str, Any], key: str, maxima: Mapping[str, int]) -> CriteriaSheet:
    points = case.get(key)
    if not isinstance(points, dict) or not all(type(value) is int for value in points.values()):
        raise Unusable(_("“{key}” must be an object of whole numbers.").format(key=key))
    Shape((), tuple(maxima)).check(points, key)
    for name, value in points.items():
        if not 0 <= value <= maxima[name]:
            hint = _("{path}: {value} points cannot be. Give 0 to {most}.")
            path = f"{key}.{name}"
            raise Unusable(hint.format(path=path, value=value, most=maxima[name]))
    return CriteriaSheet(points)
