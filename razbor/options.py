"""Options several commands share."""

from __future__ import annotations

import argparse

from annotator.core.values import Subject
from razbor.cases import Shape
from razbor.errors import Unusable
from razbor.helping import end_with
from razbor.words import _
from scoring.core.errors import WeightsError
from scoring.core.metrics import Weights


def add_subject(parser: argparse.ArgumentParser) -> None:
    """``--subject``."""
    words = _("the subject of the essay; without it, the one the file names")
    parser.add_argument("--subject", choices=[item.value for item in Subject], help=words)


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help=_("print JSON, figures not rounded"))


def add_weights(parser: argparse.ArgumentParser) -> None:
    """``--weights w1,..,w7``."""
    words = _("weights of M1 to M7, separated by commas; the default is 0,1,1,1,1,1,0")
    parser.add_argument("--weights", default="0,1,1,1,1,1,0", metavar="w1,..,w7", help=words)


def add_hardness(parser: argparse.ArgumentParser) -> None:
    """``--hardness H``."""
    parser.add_argument(
        "--hardness",
        default="1",
        metavar="H",
        help=_("the hardness H, from 0 to 1; the default is 1"),
    )


def hardness_of(args: argparse.Namespace) -> float:
    """H of STAR. Raises ``Unusable``."""
    try:
        hardness = float(args.hardness)
    except ValueError:
        hardness = -1.0
    if not 0 <= hardness <= 1:
        raise Unusable(_("--hardness: give a number from 0 to 1, such as 0.5."))
    return hardness


def add_lines(parser: argparse.ArgumentParser, shape: Shape, *, of_markups: bool = False) -> None:
    """``--jsonl FILE``, and at the end of the help a line of such a file."""
    words = _("one case a line instead of files; one answer a line, in the same order")
    if of_markups:
        words += "; " + _("what is wrong with a markup stands in “remarks” of the answer")
    parser.add_argument("--jsonl", metavar="FILE", help=words)
    end_with(parser, [_("a line of --jsonl FILE:"), f"  {shape.line}"])


def weights_of(args: argparse.Namespace) -> Weights:
    """The weights given. Raises ``Unusable`` for any that cannot be averaged with."""
    parts = args.weights.split(",")
    try:
        weights = Weights(*(float(part) for part in parts))
    except (TypeError, ValueError, WeightsError):
        weights = None
    if len(parts) != 7 or weights is None:
        raise Unusable(_("--weights: give seven numbers from 0 to 1000000, not all of them 0."))
    if weights.w7:
        raise Unusable(_("--weights: w7 must be 0, since nobody enters M7."))
    return weights


def refuse_beside_lines(args: argparse.Namespace, *names: str) -> None:
    """Files and what is said of them have no place beside ``--jsonl``. Raises ``Unusable``."""
    for name in names:
        given = getattr(args, name)
        if given and name in ("subject", "system"):
            hint = _(
                "--{name} is for files: in --jsonl FILE every line says its own. Leave it out."
            )
            raise Unusable(hint.format(name=name))
        if given:
            raise Unusable(
                _("{name}: not read beside --jsonl FILE. Leave it out.").format(name=given)
            )


def need_files(args: argparse.Namespace, *names: str) -> None:
    """Without ``--jsonl`` the files must be given."""
    if not all(getattr(args, name) for name in names):
        raise Unusable(_("Give the files, or --jsonl FILE."))
