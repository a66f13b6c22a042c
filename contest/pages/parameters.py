"""The versions of a contest's parameters as a page tells them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from contest.access import body_of
from contest.core.parameter_values import changes_between, session_values
from contest.models import Consent, ParameterSet
from contest.queries.parameters import values_of
from contest.services.contest_words import PARAMETERS
from contest.services.parameters import shown


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter in words; ``former``: what it was in the version before, where that differs."""

    name: str
    value: str
    former: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version with its values; ``may_agree``: whoever looks has a say in it yet."""

    parameters: ParameterSet
    values: tuple[Value, ...]
    consents: tuple[Consent, ...]
    may_agree: bool

    @property
    def state(self) -> str:
        """``in-force``, ``rejected`` or ``proposed``."""
        if self.parameters.in_force_at:
            return "in-force"
        return "rejected" if self.parameters.rejected_at else "proposed"


def versions_of(found: Iterable[ParameterSet], reader: User) -> list[Version]:
    """The versions of a page, the newest first, each with what is other than in the one before."""
    listed = list(found)
    versions = []
    for number, each in enumerate(listed):
        before = next((one for one in listed[number + 1 :] if one.in_force_at), None)
        versions.append(_version(each, before, reader))
    return versions


def initial_of(parameters: ParameterSet | None) -> dict[str, Any]:
    """What a form of parameters begins with: the latest, or those of the regulation."""
    if parameters is None:
        return {**session_values({}), "star_to_qualify": 0, "annulled_to_qualify": 0.05}
    return {
        **session_values(parameters.session),
        "rules": parameters.rules_id,
        "star_to_qualify": parameters.star_to_qualify,
        "annulled_to_qualify": parameters.annulled_to_qualify,
    }


def _version(each: ParameterSet, before: ParameterSet | None, reader: User) -> Version:
    values = values_of(each)
    changes = changes_between(values_of(before), values) if before else ()
    former = {one.name: shown(one.name, one.old) for one in changes}
    consents = tuple(each.consents.all())
    body = body_of(reader)
    is_open = not (each.in_force_at or each.rejected_at) and each.contest.is_announced
    may = is_open and body is not None and each.proposed_by_id != reader.pk
    may = may and body not in [one.body for one in consents]
    return Version(
        each,
        tuple(
            Value(str(PARAMETERS[name]), shown(name, value), former.get(name, ""))
            for name, value in values.items()
        ),
        consents,
        may and reader.pk not in [one.who_id for one in consents],
    )
