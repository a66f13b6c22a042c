"""Which parameters a contest goes by, and which are proposed (R 2.17)."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from contest.core.parameter_values import session_values
from contest.models import Consent, Contest, ParameterSet

WEIGHTS = ("w1", "w2", "w3", "w4", "w5", "w6")


def parameters_in_force(contest: Contest) -> ParameterSet | None:
    """The newest parameters that are in force, with their rules."""
    found = contest.parameter_sets.filter(in_force_at__isnull=False)
    return found.select_related("rules").order_by("-version").first()


def proposal_of(contest: Contest) -> ParameterSet | None:
    """What is proposed and neither agreed to nor rejected; before the announcement the first."""
    found = contest.parameter_sets.filter(in_force_at=None, rejected_at=None)
    return found.select_related("rules", "proposed_by").first()


def parameters_of(contest: Contest) -> QuerySet[ParameterSet]:
    """All versions with who said what of them, the newest first.

    ``replaced_at``: when the next one that came into force did.
    """
    said = Prefetch("consents", queryset=Consent.objects.select_related("who").order_by("pk"))
    later = ParameterSet.objects.filter(
        contest=OuterRef("contest"), version__gt=OuterRef("version"), in_force_at__isnull=False
    )
    next_one = Subquery(later.order_by("version").values("in_force_at")[:1])
    found = contest.parameter_sets.select_related("rules", "proposed_by", "contest")
    return found.annotate(replaced_at=next_one).prefetch_related(said).order_by("-version")


def values_of(parameters: ParameterSet) -> dict[str, Any]:
    """All values of a version by their names, as versions are compared."""
    rules = parameters.rules
    return {
        "rules": str(rules),
        **{name: getattr(rules, name) for name in WEIGHTS},
        "hardness": rules.hardness,
        "third_total": rules.third_total,
        **session_values(parameters.session),
        "star_to_qualify": parameters.star_to_qualify,
        "annulled_to_qualify": parameters.annulled_to_qualify,
    }
