"""Score short answers by a CoScore rule: a table of answers, a check of the rule, JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from razbor.cases import Shape
from razbor.errors import Unusable
from razbor.helping import Example, add_examples
from razbor.inputs import read_text
from razbor.lines import answer_lines
from razbor.options import add_json, add_lines
from razbor.tables import table
from razbor.words import _
from schemes.core.coscore.agreement import RATINGS, Agreement
from schemes.core.coscore.answers import SEPARATOR, read_answers
from schemes.core.coscore.messages import reading_of, sentence_of
from schemes.core.coscore.problems import Problem, shown
from schemes.core.coscore.reading import Reading, read_rule
from schemes.core.coscore.results import (
    Results,
    outcome_as_json,
    problem_as_json,
    readings_of,
    score_answers,
    to_csv,
    to_json,
)
from schemes.core.coscore.scorer import Scorer

RULE: Final = {
    "atoms": {"0": {"type": "SM", "desc": "water,ice"}},
    "combos": {"A": {"combo": "M(0,T(0))", "score": 2, "mode": "value"}},
    "comboMode": "ADD",
}
SHAPE: Final = Shape(("rule", "blanks"), (), {"id": 1, "rule": RULE, "blanks": ["water and ice"]})
ANSWERS: Final = ("text,score", "water-and ice,2", "steam-,0")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Score short answers by a CoScore rule.")
    parser.add_argument("--rule", metavar="RULE", help=_("the rule, a JSON file"))
    parser.add_argument(
        "--answers", metavar="DATA", help=_("a CSV with the column text, or text,score")
    )
    parser.add_argument("--check", metavar="RULE", help=_("only say what is wrong with a rule"))
    words = _("stands between the blanks of an answer; the default is -")
    parser.add_argument("--delimiter", default=SEPARATOR, metavar="-", help=words)
    add_json(parser)
    parser.add_argument("--csv", action="store_true", help=_("a column for each combo"))
    rule = json.dumps(RULE)
    add_examples(
        parser,
        _("files, by an example:"),
        Example("--rule", _("one JSON object; docs/schemes/coscore.md has the language"), (rule,)),
        Example("--answers", _("CSV; score, which people gave, may be left out"), ANSWERS),
    )
    add_lines(parser, SHAPE)


def run(args: argparse.Namespace) -> int:
    _refuse_mixture(args)
    if args.jsonl:
        return answer_lines(args.jsonl, SHAPE, _answer)
    if args.check:
        return check(args.check, as_json=args.json)
    scorer = _scorer(args.rule)
    sheet = read_answers(read_text(args.answers), separator=args.delimiter)
    if sheet.refused:
        raise Unusable(f"{args.answers}: {_first(sheet.problems)}")
    results = score_answers(scorer, sheet)
    if args.json:
        print(json.dumps(to_json(results, _), ensure_ascii=False, indent=1))
    elif args.csv:
        sys.stdout.write(to_csv(results, _).replace("\r\n", "\n"))  # as all that is printed
    else:
        show(results)
    return 0


def _refuse_mixture(args: argparse.Namespace) -> None:
    modes = [bool(args.rule and args.answers), bool(args.check), bool(args.jsonl)]
    if sum(modes) != 1 or bool(args.rule) != bool(args.answers):
        raise Unusable(_("Give --rule and --answers, or --check RULE, or --jsonl FILE."))
    if args.json and args.csv:
        raise Unusable(_("Give --json or --csv, not both."))


def check(name: str, *, as_json: bool) -> int:
    """All problems of a rule and the readings its scores will rest on."""
    read = read_rule(read_text(name))
    readings = Scorer(read.rule).readings if read.rule else ()
    if as_json:
        print(json.dumps(_check_as_json(read, readings), ensure_ascii=False, indent=1))
    else:
        for problem in read.problems:
            print(sentence_of(problem, _))
        for code in readings:
            print(reading_of(code, _))
        if read.rule:
            print(_("{name}: the rule can be used.").format(name=name))
    if read.rule is None:
        raise Unusable(f"{name}: {_first(read.problems)}")
    return 0


def show(results: Results) -> None:
    """A line for each answer, what is odd, and the figures of all."""
    head = [_("file line"), _("score"), *results.combos, _("label"), _("answer")]
    rows = [
        (
            each.row.line,
            each.outcome.score,
            *each.outcome.points.values(),
            each.row.label,
            shown(each.row.text),
        )
        for each in results.rows
    ]
    print(table(head, rows))
    for sentence in _told(results):
        print(sentence)
    counts = ", ".join(f"{rating}: {results.histogram[rating]}" for rating in RATINGS)
    print(_("answers by score: {counts}").format(counts=counts))
    if results.agreement and results.agreement.count:
        _show_agreement(results.agreement)
    for sentence in readings_of(results, _).values():
        print(sentence)


def _told(results: Results) -> Iterator[str]:
    """What concerns one row with its line; what concerns many once, with their number."""
    yield from (sentence_of(problem, _) for problem in results.problems)
    for each in results.rows:
        yield from (sentence_of(problem, _) for problem in each.own_problems)
    many = Counter(
        sentence_of(problem, _) for each in results.rows for problem in each.outcome.warnings
    )
    answers = _("answers: {count}")
    for sentence, count in many.items():
        yield f"{sentence} ({answers.format(count=count)})"


def _show_agreement(found: Agreement) -> None:
    """The confusion matrix without ratings nobody gave, then the figures."""
    columns = list(zip(*found.matrix, strict=True))
    used = [rating for rating in RATINGS if any(found.matrix[rating]) or any(columns[rating])]
    head = [_("label \\ score"), *map(str, used)]
    print(table(head, ([f"{one}", *(found.matrix[one][other] for other in used)] for one in used)))
    names = [_("answers with a label"), _("exact agreement"), _("quadratic weighted kappa")]
    print(table(names, [[found.count, found.exact, found.kappa]]))


def _check_as_json(read: Reading, readings: Iterable[str]) -> dict[str, Any]:
    return {
        "accepted": read.rule is not None,
        "problems": [problem_as_json(problem, _) for problem in read.problems],
        "readings": [{"code": code, "message": reading_of(code, _)} for code in readings],
    }


def _scorer(name: str) -> Scorer:
    read = read_rule(read_text(name))
    if read.rule is None:
        raise Unusable(f"{name}: {_first(read.problems)}")
    return Scorer(read.rule)


def _first(problems: Iterable[Problem]) -> str:
    """The first reason to refuse, and how many more there are."""
    blocking = [sentence_of(problem, _) for problem in problems if problem.blocks]
    more = _("and more: {count}").format(count=len(blocking) - 1)
    return f"{blocking[0]} ({more})" if len(blocking) > 1 else blocking[0]


def _answer(case: Mapping[str, Any]) -> dict[str, Any]:
    rule = case["rule"]
    text = rule if isinstance(rule, str) else json.dumps(rule, ensure_ascii=False)
    scorer = _prepared(text)
    if isinstance(scorer, str):
        raise Unusable(scorer)
    outcome = scorer.score(case["blanks"])
    if outcome.errors:
        return {"error": "; ".join(sentence_of(problem, _) for problem in outcome.errors)}
    return outcome_as_json(outcome)


@lru_cache(maxsize=64)
def _prepared(text: str) -> Scorer | str:
    """A rule that was read once, or why it was refused: many lines have the same one."""
    read = read_rule(text)
    return Scorer(read.rule) if read.rule else _first(read.problems)
