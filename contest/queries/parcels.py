"""The files of an archive of markups, as people look for them."""

from __future__ import annotations

from django.db.models import Case, QuerySet, Value, When

from contest.models import Parcel, ParcelFile


def files_of(parcel: Parcel) -> QuerySet[ParcelFile]:
    """Those that were refused first, each kind in the order of the archive."""
    refused = When(outcome=ParcelFile.Outcome.REFUSED, then=Value(0))
    in_order = parcel.files.order_by(Case(refused, default=Value(1)), "position")
    return in_order.select_related("essay")
