"""STAR of an algorithm over essays: a folder of ID.* with ID_expNN.*, or JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from razbor.bulk import accuracies_of
from razbor.cases import Shape, fragment_of
from razbor.errors import Unusable
from razbor.folders import Folder, answers_in
from razbor.lines import answer_chunks, markup_of
from razbor.options import (
    add_hardness,
    add_json,
    add_lines,
    add_weights,
    hardness_of,
    need_files,
    refuse_beside_lines,
    weights_of,
)
from razbor.remarks import Remarked, with_remarks
from razbor.tables import table
from razbor.words import _
from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.core.metrics import Weights

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
    add_hardness(parser)
    add_json(parser)
    add_weights(parser)
    add_lines(parser, SHAPE, of_markups=True)


def run(args: argparse.Namespace) -> int:
    weights = weights_of(args)
    if weights.w1:
        raise Unusable(_("--weights: w1 must be 0 here, since M1 needs points."))
    hardness = hardness_of(args)
    if args.jsonl:
        refuse_beside_lines(args, "dir", "system")
        return answer_chunks(
            args.jsonl, SHAPE, _case, lambda cases: _answers(cases, weights, hardness)
        )
    need_files(args, "dir")
    folder = answers_in(Path(args.dir), args.system)
    essays = [(each.algorithm, each.experts) for each in folder.essays]
    accuracies = accuracies_of(essays, weights)
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


def _case(case: Mapping[str, Any]) -> list[list[Remarked]]:
    """Of each essay the algorithm's markup, then the experts'."""
    essays = case["essays"]
    if not isinstance(essays, list) or not all(isinstance(each, dict) for each in essays):
        raise Unusable(_("“essays” must be a list of objects."))
    for index, each in enumerate(essays):
        ESSAY.check(each, f"essays[{index}]")
    return [_markups(each, f"essays[{index}]") for index, each in enumerate(essays)]


def _answers(
    cases: Sequence[list[list[Remarked]]], weights: Weights, hardness: float
) -> Iterator[dict[str, Any]]:
    values = [[each.markup for each in markups] for case in cases for markups in case]
    accuracies = iter(accuracies_of([(first, experts) for first, *experts in values], weights))
    for case in cases:
        found = as_json(list(islice(accuracies, len(case))), hardness)
        yield with_remarks(found, *chain.from_iterable(case))


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
