"""A contest by its address, and its dates in its own zone: for every view of running one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.roles import Visit
from contest.queries.running import contest_named


def of_contest(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the contest over instead of its address; moments are read and said in its zone."""

    @wraps(view)
    def found(request: Visit, slug: str, **given: Any) -> HttpResponse:
        contest = get_object_or_404(contest_named(slug))
        with timezone.override(ZoneInfo(contest.zone)):
            return view(request, contest, **given)

    return found
