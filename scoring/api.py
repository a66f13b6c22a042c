from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView, get_object_or_404
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator.access import essays_seen_by, markups_seen_by, sets_measured_for
from annotator.queries.solutions import is_told_by_essays
from scoring.access import may_read_logins, may_see_runs
from scoring.core.entries import told_origin
from scoring.models import PairScore, RunEntry, ScoreRun
from scoring.pages.report_parts import UNTOLD
from scoring.pages.tables import ScoreTable, score_tables
from scoring.queries.runs import board_entries, finished_runs, runs_told
from scoring.queries.tables import scores_seen_by
from scoring.serializers import (
    PointsLine,
    RunEntryLine,
    ScoreRunLine,
    ScoreRunReport,
    ScoresAnswer,
    StarTableLine,
)
from scoring.services.run_files import run_as_csv, run_as_lines
from web.files import as_file
from web.serializers import StrictQuery

FORMS: Final = {
    "jsonl": (run_as_lines, "application/x-ndjson"),
    "csv": (run_as_csv, "text/csv; charset=utf-8"),
}
"""How the results of a run are written, and what that is called."""


class Scores(StrictQuery, APIView):
    """Scores of a markup against every expert's of its essay that this account may see.

    Of a test set none of a solution of fewer than ten essays: ``restricted`` says so.
    """

    @extend_schema(responses={200: ScoresAnswer})
    def get(self, request: Request, pk: int) -> Response:
        record = get_object_or_404(markups_seen_by(request.user), pk=pk)
        scores = [as_json(score) for score in scores_seen_by(request.user, record)]
        is_own = record.author_id == request.user.pk
        restricted = str(UNTOLD) if is_own and not is_told_by_essays(record) else None
        return Response({"markup": record.pk, "scores": scores, "restricted": restricted})


class PointsOfMarkup(StrictQuery, APIView):
    """The points K a markup gives its essay, computed from its fragments."""

    @extend_schema(responses={200: PointsLine})
    def get(self, request: Request, pk: int) -> Response:
        record = get_object_or_404(markups_seen_by(request.user), pk=pk)
        return Response(PointsLine(record).data)


class PointsOfEssay(StrictQuery, APIView):
    """The same of every markup of an essay that this account may see."""

    @extend_schema(responses={200: PointsLine(many=True)})
    def get(self, request: Request, pk: int) -> Response:
        essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
        found = markups_seen_by(request.user).filter(essay=essay).order_by("pk")
        return Response(PointsLine(found.prefetch_related("fragments"), many=True).data)


class StarTables(StrictQuery, APIView):
    """STAR of the participants in every essay set this account may see, not rounded.

    Staff read logins, everybody else full names; of test sets and finals a participant reads the
    own line alone, unless the set shows all of them.
    """

    @extend_schema(responses={200: StarTableLine(many=True)})
    def get(self, request: Request) -> Response:
        sets = list(sets_measured_for(request.user))
        return Response([_table(each) for each in score_tables(request.user, sets)])


class _Runs(StrictQuery):
    """Score runs are for staff: others are refused before anything is looked for."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in SAFE_METHODS and not may_see_runs(request.user):
            raise PermissionDenied


class ScoreRuns(_Runs, ListAPIView):
    """All score runs, the latest first. They are ordered on their page or by ``rescore`` alone."""

    queryset = ScoreRun.objects.none()
    serializer_class = ScoreRunLine
    filter_backends = ()

    def get_queryset(self) -> QuerySet[ScoreRun]:
        return runs_told()


class OneScoreRun(_Runs, RetrieveAPIView):
    """A score run: its state and rules, what was left out, who said what of it."""

    queryset = ScoreRun.objects.none()
    serializer_class = ScoreRunReport

    def get_queryset(self) -> QuerySet[ScoreRun]:
        return runs_told()


class ScoreRunEntries(_Runs, ListAPIView):
    """The board of a finished run: ranked entries in their order, then those apart."""

    queryset = RunEntry.objects.none()
    serializer_class = RunEntryLine
    filter_backends = ()

    def get_queryset(self) -> QuerySet[RunEntry]:
        return board_entries(get_object_or_404(finished_runs(), pk=self.kwargs["pk"]))


class ScoreRunResults(_Runs, APIView):
    """All of a finished run: JSON Lines of the run, its entries and its pairs; or pairs as CSV."""

    query_names = ("as",)

    @extend_schema(
        parameters=[OpenApiParameter("as", str, enum=["jsonl", "csv"])],
        responses={
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        run = get_object_or_404(finished_runs(), pk=pk)
        form = request.query_params.get("as", "jsonl")
        if form not in FORMS:
            raise ValidationError({"as": [_("Say jsonl or csv.")]})
        lines, kind = FORMS[form]
        return as_file(StreamingHttpResponse(lines(run), content_type=kind), f"run-{pk}.{form}")


def as_json(score: PairScore) -> dict[str, Any]:
    """A pair score: counts, metrics and accuracy in percent, and the rules they follow."""
    return {
        "assessed": score.assessed_id,
        "reference": score.reference_id,
        "rules": str(score.rules),
        "n": score.n,
        "m": score.m,
        "found": score.found,
        **asdict(score.metrics()),
        "accuracy": score.accuracy,
    }


def _table(seen: ScoreTable) -> dict[str, Any]:
    is_staff = may_read_logins(seen.viewer)
    return {
        "essay_set": seen.essay_set.name,
        "rules": str(seen.essay_set.rules),
        "STER": seen.ster,
        "measured": seen.table.measured,
        "standings": [
            {
                "place": line.place,
                "participant": line.participant.username if is_staff else name,
                "origin": told_origin(line.origin),
                "essays": line.essays,
                "STAR": line.star,
                "OTAR": line.otar,
            }
            for name, line in seen.lines
        ],
    }
