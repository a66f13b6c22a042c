"""The parameters of a contest as everybody reads them: what holds, since when, how it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from contest.core.session_json import FINAL
from contest.models import ParameterSet
from contest.services.parameters import in_percent
from contest.services.sessions.opening import LONGEST, SHORTEST

NONE: Final = "–"
APPENDIX: Final = pgettext_lazy("clause", "App. 1")

LABELS: Final[Mapping[str, tuple[Promise, Promise | str]]] = {
    "weights": (gettext_lazy("Weights of M1 to M7"), APPENDIX),
    "hardness": (gettext_lazy("Hardness H (1: the mean of the experts)"), APPENDIX),
    "limit": (gettext_lazy("Seconds for an answer"), "7.6"),
    "interval": (gettext_lazy("Seconds between two files"), "7.5"),
    "window": (gettext_lazy("Seconds to open a session after the start"), "7.4"),
    "sends": (gettext_lazy("Answers to a file that are looked at"), "11.4"),
    "share": (gettext_lazy("Annulled files at most"), "7.7"),
    "third": (gettext_lazy("Total that calls the third expert"), "7.9"),
    "star": (gettext_lazy("STAR to be admitted"), "6.3"),
}
"""What each parameter is called, and the clause of the regulation it stands in."""

OF_SESSIONS: Final = frozenset({"limit", "interval", "window", "sends", "share"})


@dataclass(frozen=True, slots=True)
class Told:
    """What a parameter is in the qualification and in the finals, in the reader's notation."""

    qualification: str
    finals: str

    def __str__(self) -> str:
        here, there = self.qualification, self.finals
        if here in (there, NONE):
            return there
        return here if there == NONE else f"{here} / {there}"


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter that holds; ``since``: from when on it has been as it is."""

    label: Promise
    clause: Promise | str
    told: Told
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Version:
    """A version that came into force: what it changed, why, who proposed it, who agreed."""

    number: int
    since: datetime | None
    changes: Sequence[tuple[Promise, Told, Told]]
    reason: str
    reason_language: str
    proposed_by: str
    agreed: Sequence[str]


@dataclass(frozen=True, slots=True)
class InForce:
    """The parameters that hold and how they came to; ``history``: the latest first.

    ``kept``: which sets were marked by other rules, in words.
    """

    number: int
    since: datetime | None
    rows: Sequence[Row]
    history: Sequence[Version]
    kept: str = ""


def in_force(versions: Sequence[ParameterSet], *, of_sessions: bool = True) -> InForce | None:
    """Of the versions that are or were in force, the first one first; ``None``: there are none.

    ``of_sessions``: with what holds in live sessions alone.
    """
    if not versions:
        return None
    told = [values_of(each) for each in versions]
    rows = [
        Row(label, clause, told[-1][name], _since(name, versions, told))
        for name, (label, clause) in LABELS.items()
        if of_sessions or name not in OF_SESSIONS
    ]
    history = [_version(at, versions, told) for at in range(len(versions))]
    last = versions[-1]
    return InForce(last.version, last.in_force_at, rows, history[::-1])


def values_of(version: ParameterSet) -> dict[str, Told]:
    """Each parameter of a version by its name in ``LABELS``."""
    session: Mapping[str, Any] = {**FINAL, **version.session}
    rules = version.rules
    weights = " : ".join(_number(getattr(rules, f"w{each}")) for each in range(1, 8))
    asked = f"{SHORTEST}–{LONGEST}"
    return {
        "weights": Told(weights, weights),
        "hardness": Told(_number(rules.hardness), _number(rules.hardness)),
        "limit": Told(asked, _number(session["limit"])),
        "interval": Told(asked, _number(session["interval"])),
        "window": Told(NONE, _number(session["window"])),
        "sends": Told(_number(session["sends"]), _number(session["sends"])),
        "share": Told(_share(version.annulled_to_qualify), _share(session["share"])),
        "third": Told(NONE, str(rules.get_third_total_display())),
        "star": Told(_number(version.star_to_qualify), NONE),
    }


def called(person: User | None) -> str:
    """What the public reads of somebody: a name and a role, never a login."""
    if person is None:
        return ""
    role = str(person.get_role_display())
    return f"{person.full_name} ({role})" if person.full_name else role


def _since(
    name: str, versions: Sequence[ParameterSet], told: Sequence[Mapping[str, Told]]
) -> datetime | None:
    since = versions[-1].in_force_at
    for version, values in zip(versions[::-1], told[::-1], strict=True):
        if values[name] != told[-1][name]:
            break
        since = version.in_force_at
    return since


def _version(
    at: int, versions: Sequence[ParameterSet], told: Sequence[Mapping[str, Told]]
) -> Version:
    version = versions[at]
    changes = list(_changes(told[at - 1], told[at])) if at else []
    agreed = [called(each.who) for each in version.consents.all()]
    proposed_by = called(version.proposed_by)
    return Version(
        version.version,
        version.in_force_at,
        changes,
        version.reason,
        version.reason_language,
        proposed_by,
        agreed,
    )


def _changes(
    former: Mapping[str, Told], present: Mapping[str, Told]
) -> Iterator[tuple[Promise, Told, Told]]:
    for name, (label, _clause) in LABELS.items():
        if former[name] != present[name]:
            yield label, former[name], present[name]


def _number(value: float | None) -> str:
    if value is None:
        return NONE
    return formats.localize(int(value) if value == int(value) else value)


def _share(value: float | None) -> str:
    return NONE if value is None else in_percent(value)
