from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from compare.core.comparison import Comparison
from compare.core.matcher import match
from compare.queries import sides_seen_by
from compare.serializers import ComparisonAnswer
from web.serializers import StrictQuery


class ComparisonOfTwo(StrictQuery, APIView):
    """Two markups of one essay, optimally matched: pairs and fragments left alone, by index."""

    @extend_schema(responses={200: ComparisonAnswer})
    def get(self, request: Request, left: int, right: int) -> Response:
        sides = sides_seen_by(request.user, left, right)
        if sides is None or sides.figures_only:
            raise Http404
        if not sides.are_of_one_essay:
            raise NotFound(_("These are markups of different essays."))
        return Response(as_json(match(sides.left.to_core(), sides.right.to_core())))


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison with fragments by their indices, from 0."""
    return {
        "loss": comparison.loss,
        "pairs": [
            {
                "left": pair.left,
                "right": pair.right,
                "loss": pair.loss.total,
                "parts": asdict(pair.loss),
            }
            for pair in comparison.pairs
        ],
        "only_left": list(comparison.only_left),
        "only_right": list(comparison.only_right),
    }
