"""Schools in questions to the database, by the one rule of ``review.core.schools``."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Value, When

from accounts.models import User
from review.core.schools import school_named


def school_at(path: str) -> Case:
    """The school at a path, as an expression: all names of one school are the same, and blank ones
    are empty. One query, for names that are written in several ways.
    """
    named = defaultdict(list)
    written = User.objects.exclude(school="").order_by("school").values_list("school", flat=True)
    for name in written.distinct():
        named[school_named(name)].append(name)
    others = [
        When(**{f"{path}__in": names}, then=Value(names[0] if key else ""))
        for key, names in named.items()
        if not key or len(names) > 1
    ]
    return Case(*others, default=F(path))


def colleagues_of(people: QuerySet[Any, Any], school: Case | None = None) -> Q:
    """Users of a school that one of these is of, by their numbers; these themselves among them.

    ``school``: ``school_at("school")``, where many ask one after another.
    """
    placed = User.objects.annotate(place=school or school_at("school")).exclude(place="")
    schools = placed.filter(pk__in=people).values("place")
    return Q(pk__in=placed.filter(place__in=schools).values("pk"))
