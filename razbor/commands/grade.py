"""Compute the points of an essay from its markup."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any, Final

from annotator.core.values import Markup, Subject
from razbor.cases import Shape, fragment_of
from razbor.lines import answer_lines, markup_of, subject_of
from razbor.options import add_json, add_lines, add_subject, need_files, refuse_beside_lines
from razbor.remarks import read_markup, with_remarks
from razbor.tables import table
from razbor.words import _
from scoring.core.criteria import explain, grade
from scoring.core.criteria.reasons import describe

SHAPE: Final = Shape(
    ("text", "subject", "selections"),
    (),
    {
        "id": 1,
        "subject": "eng",
        "text": "She have a red bike.",
        "selections": [fragment_of(4, 8, "А.грамм", correction="has")],
    },
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Compute the points of an essay from its markup.")
    parser.add_argument("file", nargs="?", help=_("a .txt in the markup language or a .json"))
    add_subject(parser)
    add_json(parser)
    add_lines(parser, SHAPE, of_markups=True)


def run(args: argparse.Namespace) -> int:
    if args.jsonl:
        refuse_beside_lines(args, "file", "subject")
        return answer_lines(args.jsonl, SHAPE, _answer)
    need_files(args, "file")
    read = read_markup(args.file, subject=args.subject)
    if args.json:
        print(json.dumps(as_json(read.subject, read.file.markup), ensure_ascii=False))
    else:
        show(read.subject, read.file.markup)
    return 0


def as_json(subject: Subject, markup: Markup) -> dict[str, Any]:
    """The points by criterion and their total; for English also K = K3 + K4."""
    sheet = grade(subject, markup)
    found: dict[str, Any] = {"criteria": dict(sheet.points), "total": sheet.total}
    if subject in (Subject.ENGLISH, Subject.ENGLISH_FREE):
        found["K"] = sheet.nomination
    return found


def show(subject: Subject, markup: Markup) -> None:
    """The criteria with their reasons."""
    rows = []
    for name, why in explain(subject, markup).items():
        rows.append((name, why.points, why.maximum, describe(subject, why, _)))
    found = as_json(subject, markup)
    print(table([_("criterion"), _("points"), _("of"), _("because of")], rows))
    print(_("total {total}").format(total=found["total"]))
    if "K" in found:
        print(f"K = K3 + K4 = {found['K']}")


def _answer(case: Mapping[str, Any]) -> dict[str, Any]:
    subject = subject_of(case)
    read = markup_of(case, "selections", subject)
    return with_remarks(as_json(subject, read.markup), read)
