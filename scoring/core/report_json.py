"""A report as JSON and as a table: what programs and spreadsheets get, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from annotator.core.values import Subject
from scoring.core.codes import NONE, Codes, Hits
from scoring.core.exchange import Exchange
from scoring.core.report import Beside, Change, EssayLine, Report

HEAD: Final = ("part", "subject", "name", "figure", "value")
"""The columns of ``report_table``: one figure a line."""
COUNTED: Final = ("accuracy", "people", "found", "recoded", "missed", "invented")


def report_to_json(found: Report, change: Change | None = None) -> dict[str, Any]:
    """All of a report; percent, nothing rounded, ``null`` where undefined."""
    return {
        "hardness": found.hardness,
        "STAR": found.star,
        "STER": found.ster,
        "OTAR": found.otar,
        "essays": found.size,
        "like_people": None if found.untold else found.like_people,
        "metrics": {
            each.name: {"solution": each.ours, "people": each.people} for each in found.metrics
        },
        "subjects": [_codes(each) for each in found.subjects],
        "per_essay": [_line(each) for each in found.lines],
        "worst": [each.essay for each in found.worst],
        "best": [each.essay for each in found.best],
        "change": asdict(change) if change else None,
        "session": _exchange(found.exchange) if found.exchange else None,
    }


def report_from_json(written: Mapping[str, Any]) -> Report:
    """The report ``report_to_json`` wrote, without its session."""
    return Report(
        written["hardness"],
        written["STAR"],
        written["STER"],
        written["OTAR"],
        tuple(
            Beside(name, each["solution"], each["people"])
            for name, each in written["metrics"].items()
        ),
        tuple(map(_codes_read, written["subjects"])),
        tuple(map(_line_read, written["per_essay"])),
    )


def report_table(found: Report, change: Change | None = None) -> Iterator[tuple[object, ...]]:
    """The figures one a line, under ``HEAD``; what is not known is an empty cell."""
    yield HEAD
    for name, value in (("STAR", found.star), ("STER", found.ster), ("OTAR", found.otar)):
        yield "summary", "", name, "percent", value
    yield "summary", "", "essays", "count", found.size
    yield "summary", "", "like_people", "count", None if found.untold else found.like_people
    for beside in found.metrics:
        yield "metric", "", beside.name, "solution", beside.ours
        yield "metric", "", beside.name, "people", beside.people
    for codes in found.subjects:
        yield from _code_rows(codes)
    for line in found.lines:
        yield from (("essay", "", line.essay, name, getattr(line, name)) for name in COUNTED)
    for name, value in asdict(change).items() if change else ():
        yield "change", "", "", name, value
    yield from _exchange_rows(found.exchange) if found.exchange else ()


def _exchange_rows(exchange: Exchange) -> Iterator[tuple[object, ...]]:
    for essay, seconds in exchange.seconds.items():
        yield "session", "", essay, "seconds", seconds
    for each in exchange.annulled:
        yield "session", "", each.essay, "annulled", each.reason
    for each in exchange.left_out:
        yield "session", "", each.essay, "left_out", each.reason


def _code_rows(codes: Codes) -> Iterator[tuple[object, ...]]:
    subject = codes.subject or ""
    for part, hits in (("code", codes.codes), ("criterion", codes.criteria)):
        for each in hits:
            figures = {**asdict(each), "precision": each.precision, "recall": each.recall}
            del figures["name"]
            for figure, value in figures.items():
                yield part, subject, each.name, figure, value
    for (theirs, ours), count in codes.meetings.items():
        yield "meeting", subject, f"{theirs or '–'} / {ours or '–'}", "count", count


def _codes(codes: Codes) -> dict[str, Any]:
    return {
        "subject": codes.subject,
        "codes": [_hits(each) for each in codes.codes],
        "criteria": [_hits(each) for each in codes.criteria],
        "confusion": [
            {"expert": theirs or None, "solution": ours or None, "count": count}
            for (theirs, ours), count in codes.meetings.items()
        ],
    }


def _codes_read(written: Mapping[str, Any]) -> Codes:
    return Codes(
        Subject(written["subject"]) if written["subject"] else None,
        tuple(map(_hits_read, written["codes"])),
        tuple(map(_hits_read, written["criteria"])),
        {
            (each["expert"] or NONE, each["solution"] or NONE): each["count"]
            for each in written["confusion"]
        },
    )


def _hits(hits: Hits) -> dict[str, Any]:
    return {**asdict(hits), "precision": hits.precision, "recall": hits.recall}


def _hits_read(written: Mapping[str, Any]) -> Hits:
    return Hits(**{field.name: written[field.name] for field in fields(Hits)})


def _line(line: EssayLine) -> dict[str, Any]:
    return {**asdict(line), "references": [*line.references]}


def _line_read(written: Mapping[str, Any]) -> EssayLine:
    return EssayLine(**{**written, "references": tuple(written["references"])})


def _exchange(exchange: Exchange) -> dict[str, Any]:
    return {
        **asdict(exchange),
        "median": exchange.median,
        "share": exchange.share,
    }
