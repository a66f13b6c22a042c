"""STAR of an algorithm over essays: a folder of ID.* with ID_expNN.*, or JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, permutations
from pathlib import Path
from typing import Any, Final

from annotator.core.values import Markup
from compare.core.matcher import match
from razbor.cases import Shape, fragment_of
from razbor.errors import Unusable
from razbor.folders import Folder, read_folder
from razbor.lines import answer_lines, markup_of
from razbor.options import (
    add_json,
    add_lines,
    add_weights,
    need_files,
    refuse_beside_lines,
    weights_of,
)
from razbor.remarks import Remarked, with_remarks
from razbor.tables import table
from razbor.words import _
from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.core.counts import count
from scoring.core.metrics import Weights, measure, pairwise_accuracy

Essay = tuple[Markup, Sequence[Markup]]
"""An algorithm's markup and the experts' ones of the same essay."""

ESSAY: Final = Shape(("text", "algorithm", "experts"))
SHAPE: Final = Shape(
    ("essays",),
    (),
    {
        "id": 1,
        "essays": [
            {
                "text": "She have a red bike.",
                "algorithm": [fragment_of(4, 8, "А.грамм")],
                "experts": [[fragment_of(4, 8, "А.грамм")], [fragment_of(0, 8, "А.грамм")]],
            }
        ],
    },
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "STAR of an algorithm over essays: a folder of ID.json or ID.txt with ID_expNN.json or "
        "ID_expNN.txt, or JSON Lines."
    )
    parser.add_argument("dir", nargs="?", metavar="DIR")
    system = _("the algorithm whose files are ID_LOGIN.json or ID_LOGIN.txt")
    parser.add_argument("--system", metavar="LOGIN", help=system)
    parser.add_argument(
        "--hardness",
        default="1",
        metavar="H",
        help=_("the hardness H, from 0 to 1; the default is 1"),
    )
    add_json(parser)
    add_weights(parser)
    add_lines(parser, SHAPE, of_markups=True)


def run(args: argparse.Namespace) -> int:
    weights = weights_of(args)
    if weights.w1:
        raise Unusable(_("--weights: w1 must be 0 here, since M1 needs points."))
    hardness = _hardness(args.hardness)
    if args.jsonl:
        refuse_beside_lines(args, "dir", "system")
        return answer_lines(args.jsonl, SHAPE, lambda case: _answer(case, weights, hardness))
    need_files(args, "dir")
    folder = read_folder(Path(args.dir), args.system)
    accuracies = [accuracy_of((each.algorithm, each.experts), weights) for each in folder.essays]
    found = as_json(accuracies, hardness)
    names = [essay.name for essay in folder.essays]
    if args.json:
        print(json.dumps(_with_names(found, names, folder), ensure_ascii=False, indent=1))
    elif names:
        show(names, accuracies, hardness, found)
    sys.stdout.flush()
    for _name, error in folder.refused:
        print(f"razbor: {error}", file=sys.stderr)
    for note in folder.notes():
        print(note, file=sys.stderr)
    return 2 if folder.refused else 0


def _hardness(given: str) -> float:
    try:
        hardness = float(given)
    except ValueError:
        hardness = -1.0
    if not 0 <= hardness <= 1:
        raise Unusable(_("--hardness: give a number from 0 to 1, such as 0.5."))
    return hardness


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


def _with_names(found: Mapping[str, Any], names: Iterable[str], folder: Folder) -> dict[str, Any]:
    """The figures with the essay of each, and those left out with the reason."""
    figures = zip(names, found["per_essay"], strict=True)
    return {
        **found,
        "per_essay": [{"essay": name, **each} for name, each in figures],
        "problems": [{"essay": name, "message": str(error)} for name, error in folder.refused],
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


def _answer(case: Mapping[str, Any], weights: Weights, hardness: float) -> dict[str, Any]:
    essays = case["essays"]
    if not isinstance(essays, list) or not all(isinstance(each, dict) for each in essays):
        raise Unusable(_("“essays” must be a list of objects."))
    for index, each in enumerate(essays):
        ESSAY.check(each, f"essays[{index}]")
    read = [_markups(each, f"essays[{index}]") for index, each in enumerate(essays)]
    values = [[each.markup for each in markups] for markups in read]
    accuracies = [accuracy_of((first, experts), weights) for first, *experts in values]
    return with_remarks(as_json(accuracies, hardness), *chain.from_iterable(read))


def _markups(case: Mapping[str, Any], path: str) -> list[Remarked]:
    """The algorithm's markup, then the experts'."""
    experts = case["experts"]
    if not isinstance(experts, list):
        raise Unusable(_("“experts” must be a list of lists of fragments."))
    algorithm = markup_of(case, "algorithm", path=f"{path}.algorithm")
    cases = [{"text": case["text"], "experts": each} for each in experts]
    return [
        algorithm,
        *(
            markup_of(each, "experts", path=f"{path}.experts[{index}]")
            for index, each in enumerate(cases)
        ),
    ]
