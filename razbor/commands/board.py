"""The board of algorithms: ranks, ties, how sure they are; of a folder, or cases as JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from annotator.core.values import Markup
from razbor.bulk import accuracies_of
from razbor.cases import Shape
from razbor.errors import Unusable
from razbor.folders import (
    Folder,
    algorithms_in,
    board_folder,
    listed,
    read_folder,
    unanswered_in,
    unused_beside,
)
from razbor.lines import answer_lines
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
from razbor.tables import table
from razbor.words import _
from scoring.core.board import (
    LARGEST_SEED,
    Board,
    Participant,
    Resampling,
    Row,
    Standing,
    Unsure,
    board,
    decimals_of,
    told_ranks,
)
from scoring.core.board_json import board_case_from_json, board_to_json
from scoring.core.board_messages import REASONS, UNSURE, describe
from scoring.core.entries import is_enough
from scoring.core.metrics import Weights
from web.core.errors import JsonValueError

SHAPE: Final = Shape(
    ("hardness", "essays", "participants"),
    (),
    {
        "id": 1,
        "hardness": 1,
        "essays": {"0001": {"experts": [80, 60]}},
        "participants": [{"name": "lynx", "state": "ranked", "accuracy": {"0001": [70, 50]}}],
    },
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "The board of algorithms over essays: a folder of ID_expNN.json or ID_expNN.txt with a "
        "folder of ID.json or ID.txt for each algorithm, the unpacked archive of a contest’s "
        "finals, or JSON Lines."
    )
    parser.add_argument("dir", nargs="?", metavar="FOLDER")
    add_hardness(parser)
    seed = _("the seed of the resamples that tell how sure ranks are; the default is 0")
    parser.add_argument("--seed", default="0", metavar="S", help=seed)
    add_json(parser)
    add_weights(parser)
    add_lines(parser, SHAPE)


def run(args: argparse.Namespace) -> int:
    seed = _seed(args.seed)
    resampling = resampling_of(seed)
    if args.jsonl:
        refuse_beside_lines(args, "dir")
        status = answer_lines(args.jsonl, SHAPE, lambda case: _answer(case, resampling))
        if resampling is None:
            print(f"razbor: {_(UNSURE[Unsure.NO_NUMPY])}", file=sys.stderr)
        return status
    need_files(args, "dir")
    weights, hardness = weights_of(args), hardness_of(args)
    if weights.w1:
        raise Unusable(_("--weights: w1 must be 0 here, since M1 needs points."))
    root = Path(args.dir)
    files = board_folder(root)
    folders = {
        name: read_folder(path, experts_in=files.experts, kinds=files.kinds)
        for name, path in algorithms_in(files.algorithms)
    }
    if not any(each.experts for folder in folders.values() for each in folder.essays):
        _refuse_unjudged(root, folders)
    essays, participants = _measured(folders, weights)
    unanswered = set.intersection(*(set(each.unanswered) for each in folders.values()))
    alone, refused = unanswered_in(files.experts, unanswered, files.kinds)
    essays |= _people(alone, weights)
    made = board(essays, participants, hardness, resampling)
    if args.json:
        print(json.dumps(board_to_json(made), ensure_ascii=False, indent=1))
    else:
        show(made)
    sys.stdout.flush()
    for _essay, error in refused:
        print(f"razbor: {error}", file=sys.stderr)
    status = _tell(folders, unused_beside(files.experts))
    _tell_partial(made)
    return status or (2 if refused else 0)


def _refuse_unjudged(root: Path, folders: Mapping[str, Folder]) -> None:
    """Raises ``Unusable`` where there is nothing to make a board of; says first what was wrong."""
    _tell(folders, [])
    if any(folder.refused for folder in folders.values()):
        hint = _("{name}: no essay is left to make a board of. Correct the files named above.")
    else:
        hint = _(
            "{name}: no essay an algorithm has marked was marked by an expert. Put the experts’ "
            "files ID_expNN.json or ID_expNN.txt here."
        )
    raise Unusable(hint.format(name=root))


def _measured(
    folders: Mapping[str, Folder], weights: Weights
) -> tuple[dict[str, tuple[float, ...]], list[Participant]]:
    """The essays experts have marked, and the algorithms with their accuracies."""
    essays: dict[str, tuple[float, ...]] = {}
    participants = []
    for name, folder in folders.items():
        judged = [each for each in folder.essays if each.experts]
        measured = accuracies_of([(each.algorithm, each.experts) for each in judged], weights)
        found = {each.name: values for each, values in zip(judged, measured, strict=True)}
        essays |= {essay: each.experts for essay, each in found.items()}
        accuracy = {essay: each.algorithm for essay, each in found.items()}
        participants.append(Participant(name, Standing.RANKED, accuracy))
    return essays, participants


def _people(
    essays: Mapping[str, tuple[Markup, ...]], weights: Weights
) -> dict[str, tuple[float, ...]]:
    """M of the pairs of experts of essays that nobody has answered: N and STER count them too."""
    experts = list(essays.values())
    measured = accuracies_of([(Markup(each[0].text, ()), each) for each in experts], weights)
    return {name: each.experts for name, each in zip(essays, measured, strict=True)}


def _tell(folders: Mapping[str, Folder], unused: Sequence[str]) -> int:
    """Say what was refused and what the board leaves out, by the name of the algorithm."""
    for name, folder in folders.items():
        for _essay, error in folder.refused:
            print(f"razbor: {name}: {error}", file=sys.stderr)
    for name, folder in folders.items():
        for note in folder.notes():
            print(f"{name}: {note}", file=sys.stderr)
    if unused:
        print(_("not used: {names}").format(names=listed(unused)), file=sys.stderr)
    return 2 if any(folder.refused for folder in folders.values()) else 0


def _tell_partial(made: Board) -> None:
    """Name those who are ranked though they have answered a part: the platform sets them apart."""
    words = _(
        "ranked by {counted} of {essays} essays alone; on the platform who leaves out more than a "
        "twentieth has no rank"
    )
    for row in made.rows:
        if not is_enough(row.counted, made.essays):
            told = words.format(counted=row.counted, essays=made.essays)
            print(f"{row.name}: {told}", file=sys.stderr)


def resampling_of(seed: int) -> Resampling | None:
    """The bootstrap, where numpy is installed."""
    try:
        from scoring.core.bootstrap import Bootstrap  # noqa: PLC0415 - numpy may be missing
    except ImportError:
        return None
    return Bootstrap(seed)


def show(made: Board) -> None:
    """A line for each ranked algorithm, those apart, the human line, how sure it is."""
    digits = decimals_of([row.star for row in made.rows])
    head = [_("rank"), _("algorithm"), _("STAR"), "95 %", _("ranks"), _("OTAR"), _("essays")]
    print(table(head, [_row(row, digits) for row in made.rows]))
    if made.ster is not None:
        print("\n" + _("Experts among themselves, STER: {ster:.2f}").format(ster=made.ster))
    for each in made.apart:
        print(f"{each.name}: {_(REASONS[each.reason])}")
    for row in made.rows:
        if row.sureness and row.sureness.like:
            words = _("{name} cannot be told apart from {others}")
            print(words.format(name=row.name, others=", ".join(row.sureness.like)))
    if made.unsure:
        print(_(UNSURE[made.unsure]))


def _row(row: Row, digits: int) -> list[object]:
    sure = row.sureness
    return [
        row.rank,
        row.name,
        f"{row.star:.{digits}f}",
        f"{sure.interval[0]:.2f}–{sure.interval[1]:.2f}" if sure else None,
        told_ranks(*sure.ranks) if sure else None,
        row.otar,
        row.counted,
    ]


def _seed(given: str) -> int:
    if given.isascii() and given.isdecimal() and int(given) <= LARGEST_SEED:
        return int(given)
    hint = _("--seed: give a whole number from 0 to {most}, such as 7.")
    raise Unusable(hint.format(most=LARGEST_SEED))


def _answer(found: Mapping[str, Any], resampling: Resampling | None) -> dict[str, Any]:
    try:
        case = board_case_from_json(found)
    except JsonValueError as error:
        raise Unusable(describe(error, _)) from None
    return board_to_json(board(case.essays, case.participants, case.hardness, resampling))
