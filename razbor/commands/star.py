"""STAR of an algorithm over essays: a folder of ID.json with ID_expNN.json, or JSON Lines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

from annotator.core.values import Markup
from compare.core.matcher import match
from razbor.inputs import Unusable, on_one_text, read_input
from razbor.lines import answer_lines, markup_of
from razbor.options import add_json, add_lines, add_weights, need_files, weights_of
from razbor.tables import table
from razbor.words import _
from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.core.counts import count
from scoring.core.metrics import Weights, measure, pairwise_accuracy

Essay = tuple[Markup, list[Markup]]
"""An algorithm's markup and the experts' ones of the same essay."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "STAR of an algorithm over essays: a folder of ID.json with ID_expNN.json, or JSON Lines."
    )
    parser.add_argument("dir", nargs="?", metavar="DIR")
    parser.add_argument(
        "--hardness",
        type=float,
        default=1.0,
        metavar="H",
        help=_("the hardness H, from 0 to 1; the default is 1"),
    )
    add_json(parser)
    add_weights(parser)
    add_lines(parser)


def run(args: argparse.Namespace) -> int:
    weights = weights_of(args)
    if weights.w1:
        raise Unusable(_("--weights: w1 must be 0 here, since M1 needs points."))
    if not 0 <= args.hardness <= 1:
        raise Unusable(_("--hardness: give a number from 0 to 1."))
    if args.jsonl:
        return answer_lines(args.jsonl, lambda case: _answer(case, weights, args.hardness))
    need_files(args, "dir")
    named = list(_essays(Path(args.dir)))
    accuracies = [accuracy_of(essay, weights) for _name, essay in named]
    found = as_json(accuracies, args.hardness)
    if args.json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        show([name for name, _essay in named], accuracies, args.hardness, found)
    return 0


def accuracy_of(essay: Essay, weights: Weights) -> EssayAccuracy:
    """M of the algorithm against each expert, and of each expert against each other one."""
    algorithm, experts = essay
    return EssayAccuracy(
        tuple(_accuracy(algorithm, expert, weights) for expert in experts),
        tuple(_accuracy(one, other, weights) for one, other in permutations(experts, 2)),
    )


def as_json(essays: list[EssayAccuracy], hardness: float) -> dict[str, Any]:
    """The figures in percent, not rounded; null where undefined."""
    return {
        "STAR": star(essays, hardness),
        "STER": ster(essays),
        "OTAR": otar(essays),
        "per_essay": [{"Mopt": each.mopt, "Mavg": each.mavg} for each in essays],
    }


def show(
    names: Iterable[str], essays: list[EssayAccuracy], hardness: float, found: Mapping[str, Any]
) -> None:
    """A line for each essay, then the figures of all."""
    rows = [
        (name, len(each.algorithm), each.star(hardness), each.ster, each.mopt, each.mavg)
        for name, each in zip(names, essays, strict=True)
    ]
    averages = [_("STAR"), _("STER"), _("OTAR")]
    print(table([_("essay"), _("experts"), *averages[:2], "Mopt", "Mavg"], rows))
    print(table(averages, [[found["STAR"], found["STER"], found["OTAR"]]]))


def _accuracy(assessed: Markup, reference: Markup, weights: Weights) -> float:
    accuracy = pairwise_accuracy(measure(count(match(assessed, reference))), weights)
    return 0.0 if accuracy is None else accuracy


def _essays(folder: Path) -> Iterator[tuple[str, Essay]]:
    if not folder.is_dir():
        raise Unusable(_("{name}: no such folder.").format(name=folder))
    files = sorted(folder.glob("*.json")) + sorted(folder.glob("*.txt"))
    experts = [file for file in files if "_exp" in file.stem]
    algorithms = [file for file in files if "_" not in file.stem]
    if not algorithms:
        raise Unusable(_("{name}: no files ID.json or ID.txt here.").format(name=folder))
    for file in algorithms:
        mine = [each for each in experts if each.stem.startswith(f"{file.stem}_exp")]
        algorithm = read_input(str(file))
        markups = [on_one_text(read_input(str(each)), algorithm)[0] for each in mine]
        yield file.stem, (algorithm.file.markup, markups)


def _answer(case: Mapping[str, Any], weights: Weights, hardness: float) -> dict[str, Any]:
    essays = case.get("essays")
    if not isinstance(essays, list) or not all(isinstance(each, dict) for each in essays):
        raise Unusable(_("“essays” must be a list of objects."))
    return as_json([accuracy_of(_essay(each), weights) for each in essays], hardness)


def _essay(case: Mapping[str, Any]) -> Essay:
    experts = case.get("experts", [])
    if not isinstance(experts, list):
        raise Unusable(_("“experts” must be a list of lists of fragments."))
    cases = ({"text": case.get("text"), "experts": each} for each in experts)
    return markup_of(case, "algorithm"), [markup_of(each, "experts") for each in cases]
