"""The versions of a contest's parameters as a page tells them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from contest.access import body_of
from contest.core.parameter_values import changes_between, session_values
from contest.models import Consent, Contest, ParameterSet
from contest.queries.parameters import parameters_in_force, values_of
from contest.services.contest_words import PARAMETERS
from contest.services.parameters import shown
from web.asking import Question, of_verdict


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
    def replaced_at(self) -> datetime | None:
        """When another version took its place (``contest.queries.parameters.parameters_of``)."""
        found: datetime | None = getattr(self.parameters, "replaced_at", None)
        return found

    @property
    def state(self) -> str:
        """``in-force``, ``replaced``, ``rejected`` or ``proposed``."""
        if self.parameters.in_force_at:
            return "replaced" if self.replaced_at else "in-force"
        return "rejected" if self.parameters.rejected_at else "proposed"


def versions_of(found: Iterable[ParameterSet], reader: User) -> list[Version]:
    """The versions of a page, the newest first, each with what is other than in the one before."""
    listed = list(found)
    versions = []
    for number, each in enumerate(listed):
        before = next((one for one in listed[number + 1 :] if one.in_force_at), None)
        versions.append(_version(each, before, reader))
    return versions


def asked_of_consent(
    contest: Contest, parameters: ParameterSet, reader: User, agrees: str
) -> Question | None:
    """Before a judge or a member of the commission agrees (``"1"``), or does not (``"0"``)."""
    version = _version(parameters, parameters_in_force(contest), reader)
    if agrees not in ("0", "1") or not version.may_agree:
        return None
    line = _("%(name)s: %(old)s → %(new)s.")
    changed = [
        line % {"name": each.name, "old": each.former, "new": each.value}
        for each in version.values
        if each.former
    ]
    happens = (
        _(
            "Once both a judge and a member of the commission agree, the parameters are in force "
            "and announced on the site and by letters to the participants."
        )
        if agrees == "1"
        else _("The proposal is rejected at once; organisers read your reason.")
    )
    title = _("Agree to version %(n)d of the parameters of “%(contest)s”?")
    if agrees == "0":
        title = _("Reject version %(n)d of the parameters of “%(contest)s”?")
    asked = Question(
        title=title % {"n": parameters.version, "contest": contest},
        words=[*changed, happens],
        button=_("Agree") if agrees == "1" else _("Do not agree"),
        back=reverse("contest:parameters", args=[contest.slug]),
        address=reverse("contest:consent", args=[contest.slug, parameters.version]),
        fields={"agrees": agrees},
    )
    return of_verdict(asked, why_returned="" if agrees == "1" else _("Why you do not agree"))


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
