"""Match two markups of one text and measure how exactly the first repeats the second."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotator.core.values import Markup, Subject
from compare.core.comparison import Comparison
from compare.core.matcher import match
from razbor.bulk import compared
from razbor.cases import Shape, fragment_of
from razbor.errors import Unusable
from razbor.inputs import common_subject, on_one_text
from razbor.lines import answer_chunks, markup_of, subject_of
from razbor.options import (
    add_json,
    add_lines,
    add_subject,
    add_weights,
    need_files,
    refuse_beside_lines,
    weights_of,
)
from razbor.remarks import Remarked, read_markup, with_remarks
from razbor.tables import table
from razbor.words import _
from scoring.core.counts import count
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import K_MAX
from scoring.core.metrics import Metrics, Weights, m1, measure, pairwise_accuracy

SHAPE: Final = Shape(
    ("text", "X", "Y"),
    ("subject",),
    {
        "id": 1,
        "text": "She have a red bike.",
        "X": [fragment_of(4, 8, "А.грамм", correction="has")],
        "Y": [fragment_of(0, 8, "А.грамм", correction="has")],
    },
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Match two markups of one text and measure how exactly the first repeats the second."
    )
    parser.add_argument("x", nargs="?", help=_("the assessed markup"))
    parser.add_argument("y", nargs="?", help=_("the reference"))
    add_subject(parser)
    add_json(parser)
    add_weights(parser)
    add_lines(parser, SHAPE, of_markups=True)


def run(args: argparse.Namespace) -> int:
    weights = weights_of(args)
    if args.jsonl:
        refuse_beside_lines(args, "x", "y", "subject")
        return answer_chunks(
            args.jsonl,
            SHAPE,
            lambda case: _case(case, weights),
            lambda cases: _answers(cases, weights),
        )
    need_files(args, "x", "y")
    left = read_markup(args.x, subject=args.subject)
    right = read_markup(args.y, subject=args.subject)
    subject = common_subject(left, right)
    comparison = match(*on_one_text(left, right))
    m1 = m1_of(comparison.left, comparison.right, weights, subject)
    metrics = measure(count(comparison), m1=m1)
    if args.json:
        print(json.dumps(as_json(comparison, metrics, weights), ensure_ascii=False, indent=1))
    else:
        show(comparison, metrics, weights)
    return 0


def m1_of(left: Markup, right: Markup, weights: Weights, subject: Subject | None) -> float | None:
    """M1, which needs the subject; left out when it has no weight."""
    if not weights.w1:
        return None
    if subject is None:
        raise Unusable(_("--weights: w1 above 0 needs --subject, since M1 compares points."))
    return m1(grade(subject, left).total, grade(subject, right).total, K_MAX[subject])


def as_json(comparison: Comparison, metrics: Metrics, weights: Weights) -> dict[str, Any]:
    """The comparison by indices from 0, percent not rounded."""
    named = {f"M{number}": getattr(metrics, f"m{number}") for number in range(2, 7)}
    if metrics.m1 is not None:
        named = {"M1": metrics.m1, **named}
    return {
        "loss": comparison.loss,
        "pairs": [[pair.left, pair.right, pair.loss.total] for pair in comparison.pairs],
        "only_left": list(comparison.only_left),
        "only_right": list(comparison.only_right),
        "metrics": named,
        "accuracy": pairwise_accuracy(metrics, weights),
    }


def show(comparison: Comparison, metrics: Metrics, weights: Weights) -> None:
    """The pairs, what stays alone, the metrics."""
    rows: list[tuple[object, ...]] = []
    for pair in comparison.pairs:
        one, other = comparison.fragments(pair)
        words = comparison.left.covered(one)[:40]
        rows.append((pair.left + 1, pair.right + 1, one.code, other.code, words, pair.loss.total))
    for number in comparison.only_left:
        one = comparison.left.fragments[number]
        rows.append((number + 1, None, one.code, None, comparison.left.covered(one)[:40], 1.0))
    for number in comparison.only_right:
        other = comparison.right.fragments[number]
        rows.append((None, number + 1, None, other.code, comparison.right.covered(other)[:40], 1.0))
    print(table(["X", "Y", _("code in X"), _("code in Y"), _("words"), _("loss")], rows))
    found = as_json(comparison, metrics, weights)
    figures = [*found["metrics"].items(), ("M", found["accuracy"]), ("Q", found["loss"])]
    print(table([name for name, _value in figures], [[value for _name, value in figures]]))


@dataclass(frozen=True, slots=True)
class Case:
    """Two markups of a line, and M1 where it counts."""

    left: Remarked
    right: Remarked
    m1: float | None


def _case(case: Mapping[str, Any], weights: Weights) -> Case:
    subject = subject_of(case) if weights.w1 or "subject" in case else None
    left, right = markup_of(case, "X", subject), markup_of(case, "Y", subject)
    return Case(left, right, m1_of(left.markup, right.markup, weights, subject))


def _answers(cases: Sequence[Case], weights: Weights) -> Iterator[dict[str, Any]]:
    found = compared([(case.left.markup, case.right.markup) for case in cases])
    for case, (comparison, counts) in zip(cases, found, strict=True):
        told = as_json(comparison, measure(counts, m1=case.m1), weights)
        yield with_remarks(told, case.left, case.right)
