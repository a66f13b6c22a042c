"""What a contest has published, and what is being made."""

from __future__ import annotations

from dataclasses import dataclass

from contest.models import Contest, Publication, PublicationOrder


@dataclass(frozen=True, slots=True)
class Archive:
    """A kind of archive of a contest: the latest one, and the latest order of one."""

    kind: Publication.Kind
    latest: Publication | None
    order: PublicationOrder | None


def archives_of(contest: Contest) -> list[Archive]:
    """Every kind of archive, in their order; two queries."""
    made = {each.kind: each for each in contest.publications.order_by("pk")}
    orders = contest.orders.select_related("job", "ordered_by").order_by("pk")
    ordered = {each.kind: each for each in orders}
    return [Archive(kind, made.get(kind), ordered.get(kind)) for kind in Publication.Kind]
