"""The files of an archive of markups, as people look for them."""

from __future__ import annotations

from django.db.models import Case, QuerySet, Value, When

from contest.models import Parcel, ParcelFile


def files_of(parcel: Parcel) -> QuerySet[ParcelFile]:
    """Those that were refused first, then those with remarks; each kind as in the archive."""
    refused = When(outcome=ParcelFile.Outcome.REFUSED, then=Value(0))
    plain = When(remarked=[], then=Value(2))
    in_order = parcel.files.order_by(Case(refused, plain, default=Value(1)), "position")
    return in_order.select_related("essay")
