"""The analytic report of an algorithm over a folder of markups (regulation 2.23)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import floor
from pathlib import Path
from typing import Any, Final

from contest.core.session_json import Case, judgement_to_json
from contest.core.session_rules import Annulled, Verdict
from razbor.bulk import compared
from razbor.commands.session import read_log, why_annulled
from razbor.errors import Unusable
from razbor.folders import EssayMarkups, Folder, answers_in
from razbor.options import add_hardness, add_json, add_weights, hardness_of, weights_of
from razbor.tables import table
from razbor.words import _
from scoring.core.codes import Codes, meetings_of
from scoring.core.counts import Counts
from scoring.core.exchange import AnnulledFile, Exchange
from scoring.core.metrics import Weights, measure, pairwise_accuracy
from scoring.core.report import Against, Answer, Change, EssayLine, Measured, Report, change, report
from scoring.core.report_json import COUNTED, report_table, report_to_json
from web.core.sheets import as_csv

ESSAY: Final = ("essay", *COUNTED)
SECOND: Final = 1_000_000
"""Spans of a log are microseconds."""
CONFUSED: Final = 10
"""So many pairs of confused codes are printed."""
NAMED: Final = 20
"""So many files of a session that are not in the folder are named."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "The analytic report of an algorithm: figures beside those of the experts, precision and "
        "recall by code and by criterion, what it confuses, its best and worst essays. DIR holds "
        "what razbor star reads."
    )
    parser.add_argument("dir", metavar="DIR")
    system = _(
        "the algorithm whose files are ID_LOGIN.json or ID_LOGIN.txt, or lie in a folder LOGIN, as "
        "razbor board reads them"
    )
    parser.add_argument("--system", metavar="LOGIN", help=system)
    last = _(
        "earlier answers of the algorithm, to tell what has become better and worse; the experts "
        "of the first folder count, files of experts in this one do not"
    )
    parser.add_argument("--last", metavar="DIR", help=last)
    session = _("the log of a session: response times, annulled files, which do not count")
    parser.add_argument("--session", metavar="LOG", help=session)
    add_hardness(parser)
    add_json(parser)
    parser.add_argument("--csv", action="store_true", help=_("a figure a line, as CSV"))
    add_weights(parser)


def run(args: argparse.Namespace) -> int:
    if args.json and args.csv:
        raise Unusable(_("--json and --csv: choose one of them."))
    weights, hardness = weights_of(args), hardness_of(args)
    if weights.w1:
        raise Unusable(_("--weights: w1 must be 0 here, since M1 needs points."))
    exchange = exchange_of(read_log(args.session)) if args.session else None
    folder = answers_in(Path(args.dir), args.system)
    found = report(answers_of(folder.essays, weights), hardness, exchange)
    if exchange:
        _tell_unknown(exchange, folder)
    folders, since = [folder], None
    if args.last:
        before = answers_in(Path(args.last), args.system, experts_in=Path(args.dir))
        step = change(found, report(answers_of(before.essays, weights), hardness))
        since = replace(step, than=args.last)
        folders.append(before)
    if args.json:
        print(json.dumps(report_to_json(found, since), ensure_ascii=False, indent=1))
    elif args.csv:
        sys.stdout.writelines(as_csv(report_table(found, since)))
    else:
        show(found, since)
    sys.stdout.flush()
    return _tell(folders)


def _tell_unknown(exchange: Exchange, folder: Folder) -> None:
    """Name the files of a session the folder does not have: nothing is said of them."""
    named = {*exchange.seconds, *(each.essay for each in exchange.annulled)}
    unknown = sorted(named - {each.name for each in folder.essays})
    if unknown:
        words = _("--session: the folder has no such files, which are left out: {names}")
        listed = ", ".join(unknown[:NAMED]) + (" …" if len(unknown) > NAMED else "")
        print(words.format(names=listed), file=sys.stderr)


def answers_of(essays: Sequence[EssayMarkups], weights: Weights) -> list[Answer]:
    """The essays measured: of each the algorithm against every expert, these among themselves."""
    pairs = [pair for essay in essays for pair in _pairs(essay)]
    measured = iter(compared(pairs))
    return [
        Answer(
            essay.name,
            essay.subject,
            tuple(
                Against(name, _measured(counts, weights), meetings_of(comparison, essay.subject))
                for name, (comparison, counts) in zip(essay.references, measured, strict=False)
            ),
            tuple(_measured(next(measured)[1], weights) for _each in _people(essay)),
        )
        for essay in essays
    ]


def exchange_of(log: Case) -> Exchange:
    """What the log of a session says of its files."""
    judged = log.judged()
    files = judgement_to_json(log, judged)["files"]
    refused = {each.file: each.refused for each in judged.files}
    share = log.rules.share
    annulled = [each for each in files if each["verdict"] == Verdict.ANNULLED]
    return Exchange(
        len(files),
        log.rules.limit / SECOND,
        None if share is None else floor(share * len(files)),
        {each["file"]: each["response"] for each in files if each["response"] is not None},
        tuple(
            AnnulledFile(
                each["file"],
                each["reason"],
                why_annulled(Annulled(each["reason"]), refused[each["file"]]),
            )
            for each in annulled
        ),
    )


def show(found: Report, since: Change | None) -> None:
    """The figures, then codes, criteria, what is confused, the worst and the best essays."""
    figures = [_("STAR"), _("STER"), _("OTAR"), _("essays")]
    print(table(figures, [[found.star, found.ster, found.otar, len(found.lines)]]))
    if since:
        print(_since(since))
    people = [_("metric"), _("algorithm"), _("experts")]
    print("\n" + table(people, [(each.name, each.ours, each.people) for each in found.metrics]))
    for codes in found.subjects:
        _show_codes(codes)
    for words, lines in ((_("Worst essays"), found.worst), (_("Best essays"), found.best)):
        if lines:
            print(f"\n{words}\n{_essays(lines)}")
    if found.exchange:
        _show_exchange(found.exchange)


def _since(change: Change) -> str:
    """What became better and worse, over the essays that count in both."""
    if change.difference is None:
        return _("Since the last: no essay counts in both.")
    words = _(
        "Since the last, over the essays that count in both ({common}): STAR {difference:+.2f}; "
        "{better} better, {worse} worse"
    )
    told = {"common": change.common, "better": change.better, "worse": change.worse}
    return words.format(difference=change.difference, **told)


def _show_codes(codes: Codes) -> None:
    head = [_("experts"), _("algorithm"), _("right"), _("precision"), _("recall")]
    for name, hits in ((_("code"), codes.codes), (_("criterion"), codes.criteria)):
        rows = [
            (each.name, each.theirs, each.ours, each.right, each.precision, each.recall)
            for each in hits
        ]
        if rows:
            print(
                ("\n" + f"{codes.subject}\n" if codes.subject else "\n")
                + table([name, *head], rows)
            )
    confused = codes.confusions[:CONFUSED]
    if confused:
        print("\n" + table([_("experts"), _("algorithm"), _("times")], confused))


def _essays(lines: Iterable[EssayLine]) -> str:
    head = [_("STAR"), _("STER"), _("found"), _("other code"), _("missed"), _("invented")]
    rows = [
        (
            each.essay,
            each.accuracy,
            each.people,
            each.found,
            each.recoded,
            each.missed,
            each.invented,
        )
        for each in lines
    ]
    return table([_("essay"), *head], rows)


def _show_exchange(exchange: Exchange) -> None:
    if exchange.median is not None:
        words = _("Answers: median {median:.1f} s, 95 % within {most:.1f} s")
        print("\n" + words.format(median=exchange.median, most=exchange.most))
    words = _("Annulled: {count} of {all} ({share:.1%})")
    count = len(exchange.annulled)
    print("\n" + words.format(count=count, all=exchange.files, share=exchange.share / 100))
    for each in exchange.annulled:
        print(f"  {each.essay}: {each.words}")


def _tell(folders: Iterable[Folder]) -> int:
    refused = [error for folder in folders for _name, error in folder.refused]
    for error in refused:
        print(f"razbor: {error}", file=sys.stderr)
    for folder in folders:
        for note in folder.notes():
            print(note, file=sys.stderr)
    return 2 if refused else 0


def _pairs(essay: EssayMarkups) -> Iterable[tuple[Any, Any]]:
    yield from ((essay.algorithm, expert) for expert in essay.experts)
    yield from _people(essay)


def _people(essay: EssayMarkups) -> Iterable[tuple[Any, Any]]:
    experts = enumerate(essay.experts)
    for place, one in experts:
        yield from ((one, other) for at, other in enumerate(essay.experts) if at != place)


def _measured(counts: Counts, weights: Weights) -> Measured:
    metrics = measure(counts)
    return metrics, pairwise_accuracy(metrics, weights)
