from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotator.access import markups_seen_by, sets_measured_for
from annotator.models import EssaySet
from scoring.models import PairScore
from scoring.queries import StarTable, scores_seen_by, star_tables


class Scores(APIView):
    """Scores of a markup against every expert's of its essay that this account may see."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, pk: int) -> Response:
        record = get_object_or_404(markups_seen_by(request.user), pk=pk)
        scores = scores_seen_by(request.user, record)
        return Response({"markup": record.pk, "scores": [as_json(score) for score in scores]})


class StarTables(APIView):
    """STAR of the participants in every essay set this account may see, not rounded."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        sets = list(sets_measured_for(request.user))
        return Response([_table(*each) for each in zip(sets, star_tables(sets), strict=True)])


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


def _table(essay_set: EssaySet, table: StarTable) -> dict[str, Any]:
    return {
        "essay_set": essay_set.name,
        "rules": str(essay_set.rules),
        "STER": table.ster,
        "standings": [
            {
                "participant": line.participant.username,
                "essays": line.essays,
                "STAR": line.star,
                "OTAR": line.otar,
            }
            for line in table.standings
        ],
    }
