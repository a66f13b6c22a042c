from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator.access import essays_seen_by, markups_seen_by, sets_measured_for
from scoring.access import may_read_logins
from scoring.models import PairScore
from scoring.pages import ScoreTable, score_tables
from scoring.queries import scores_seen_by
from scoring.serializers import PointsLine, ScoresAnswer, StarTableLine
from web.serializers import StrictQuery


class Scores(StrictQuery, APIView):
    """Scores of a markup against every expert's of its essay that this account may see."""

    @extend_schema(responses={200: ScoresAnswer})
    def get(self, request: Request, pk: int) -> Response:
        record = get_object_or_404(markups_seen_by(request.user), pk=pk)
        scores = scores_seen_by(request.user, record)
        return Response({"markup": record.pk, "scores": [as_json(score) for score in scores]})


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
        "STER": seen.table.ster,
        "measured": seen.table.measured,
        "standings": [
            {
                "place": line.place,
                "participant": line.participant.username if is_staff else name,
                "essays": line.essays,
                "STAR": line.star,
                "OTAR": line.otar,
            }
            for name, line in seen.lines
        ],
    }
