"""A comparison as files: CSV for a spreadsheet, JSON for a program."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from accounts.roles import EVERYBODY, Visit, open_to
from annotator.models import MarkupRecord
from annotator.queries.third_checks import third_markup_beside
from compare.pages.comparison import ComparisonPage, ShownRow
from compare.queries import Sides
from compare.views import asked_filter, sides_of
from scoring.core.third_expert import Decision
from scoring.pages.figures import Measured, measured
from scoring.services.pairs import weights_of
from web.files import csv_file, json_file

COLUMNS: Final = (
    *("row", "kind"),
    *("left_code", "left_subcode", "left_start", "left_end", "left_words", "left_correction"),
    *("right_code", "right_subcode", "right_start", "right_end", "right_words"),
    *("right_correction", "loss", "borders", "other_beginning", "other_code", "why_alone"),
)


@require_GET
@open_to(EVERYBODY)
def comparison_json(request: Visit, left: int, right: int) -> HttpResponse:
    sides = sides_of(request, left, right)
    page = ComparisonPage(sides, asked_filter(request))
    found = figures_of(sides, page)
    if not sides.figures_only:
        found["pairs"] = [line_of(each) for each in page.shown]
    return json_file(found, file_name(sides, "json"))


@require_GET
@open_to(EVERYBODY)
def comparison_csv(request: Visit, left: int, right: int) -> HttpResponse:
    sides = sides_of(request, left, right)
    if sides.figures_only:
        raise Http404
    page = ComparisonPage(sides, asked_filter(request))
    lines = [{**line_of(each), "why_alone": reason_of(each)} for each in page.shown]
    table = [COLUMNS, *([cell(line[name]) for name in COLUMNS] for line in lines)]
    return csv_file(request, table, file_name(sides, "csv"))


def file_name(sides: Sides, ending: str) -> str:
    return f"{sides.left.essay.number}_{sides.left.pk}_{sides.right.pk}.{ending}"


def cell(value: object) -> object:
    """Yes and no as 1 and 0, which a spreadsheet can add up."""
    return int(value) if isinstance(value, bool) else value


def figures_of(sides: Sides, page: ComparisonPage) -> dict[str, Any]:
    """The figures of a comparison with their counts; where only these are shown, nobody's name and
    no points.
    """
    figures = measured(page.comparison, sides.left.essay.core_subject, sides.rules)
    return {
        "essay": sides.left.essay.number,
        "left": markup_of(sides.left, named=not sides.figures_only),
        "right": markup_of(sides.right, named=not sides.figures_only),
        "rules": str(sides.rules),
        "counts": asdict(figures.counts),
        "metrics": asdict(figures.metrics),
        "weights": asdict(weights_of(sides.rules)),
        "accuracy": figures.accuracy,
        "points": None if sides.figures_only else _points_of(figures),
        "third_check": third_check_of(sides, figures.decision) if sides.are_first_two else None,
    }


def _points_of(figures: Measured) -> dict[str, dict[str, int]]:
    left, right = figures.sheets
    return {"left": dict(left.points), "right": dict(right.points)}


def markup_of(record: MarkupRecord, *, named: bool) -> dict[str, Any]:
    return {"id": record.pk, "author": record.author_login if named else None}


def third_check_of(sides: Sides, decision: Decision) -> dict[str, Any]:
    came = third_markup_beside(sides.left) is not None
    return {
        "totals": list(decision.totals),
        "difference": decision.difference,
        "threshold": decision.threshold,
        "needed": decision.needed and not came,
        "came": came,
    }


def reason_of(row: ShownRow) -> str | None:
    """Why a fragment is alone, in the reader's words; a program reads the cause in JSON."""
    return row.sentence if row.why else None


def line_of(row: ShownRow) -> dict[str, Any]:
    """A row of a comparison for programs; what a side has not is ``None``."""
    line: dict[str, Any] = {"row": row.number, "kind": row.row.state.value}
    for side, mark in (("left", row.left), ("right", row.right)):
        fragment = mark.fragment if mark else None
        span = fragment.span if fragment else None
        line |= {
            f"{side}_code": fragment.code if fragment else None,
            f"{side}_subcode": fragment.subcode if fragment else None,
            f"{side}_start": span.start if span else None,
            f"{side}_end": span.end if span else None,
            f"{side}_words": mark.words if mark else None,
            f"{side}_correction": fragment.correction if fragment else None,
        }
    loss = row.row.loss
    return line | {
        "loss": loss.total if loss else None,
        "borders": loss.jaccard if loss else None,
        "other_beginning": loss.begin if loss else None,
        "other_code": loss.code if loss else None,
        "why_alone": row.why.cause.value if row.why else None,
    }
