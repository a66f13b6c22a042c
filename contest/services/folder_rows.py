"""A contest's rows as the value of ``contest.toml``, and rows made from such a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from accounts.services.people import set_active
from annotator.models import EssaySet, RuleSet
from annotator.models.sets import folded
from contest.core.contest_file import CONTEST, TABLES, ContestFile, Row
from contest.core.errors import ContestFileError, SessionCaseError
from contest.core.messages import describe
from contest.core.moments import at
from contest.core.outline import DateFault
from contest.core.parameter_values import refuse_values
from contest.core.session_json import FINAL, rules_from_log
from contest.models import Contest, DataSet, ParameterSet, Phase, Team
from contest.queries.running import outline_of
from contest.services.addresses import refuse_address
from contest.services.contests import ORDER, refuse_dates
from contest.services.data_sets import refuse_no_essays
from contest.services.parameters import refuse_scheme
from contest.services.sessions.clock import moment_now
from contest.services.showing import ACCESS
from web.core.errors import JsonValueError
from web.forms import refuse_far
from web.refusals import Refused

SAYS: Final = tuple(name for name in TABLES["rules"] if name not in ("name", "version"))
OF_SET: Final = tuple(
    name for name in TABLES["sets"] if name not in ("folder", "role", "rules", "state")
)


def file_of(contest: Contest, *, teams: bool) -> ContestFile:
    """What a contest's file says."""
    sets = list(contest.data_sets.select_related("essay_set__rules").order_by("pk"))
    parameters = list(contest.parameter_sets.select_related("rules").order_by("version"))
    rules = {each.rules for each in parameters} | {each.essay_set.rules for each in sets}
    return ContestFile(
        contest=_values(contest, CONTEST),
        phases=tuple(_values(each, TABLES["phases"]) for each in contest.phases.order_by("kind")),
        rules=tuple(
            _values(each, TABLES["rules"])
            for each in sorted(rules, key=lambda each: (each.name, each.version))
        ),
        parameters=tuple(
            _values(each, TABLES["parameters"]) | {"rules": str(each.rules)} for each in parameters
        ),
        sets=tuple(_set_row(each, folder) for each, folder in with_folders(sets)),
        teams=tuple(_team_row(each) for each in _teams(contest)) if teams else (),
    )


def with_folders(sets: Iterable[DataSet]) -> list[tuple[DataSet, str]]:
    """Sets in their order, each with its folder: ``training``, ``training-2``."""
    met: dict[str, int] = {}
    found = []
    for each in sets:
        met[each.role] = met.get(each.role, 0) + 1
        number = met[each.role]
        found.append((each, each.role if number == 1 else f"{each.role}-{number}"))
    return found


def make_contest(file: ContestFile, actor: User | None) -> Contest:
    """Save the contest's own row, its phases and parameters, in the caller's transaction.

    Raises ``ContestFileError``.
    """
    if Contest.objects.filter(slug=file.contest["slug"]).exists():
        raise ContestFileError("taken", "contest.slug", value=file.contest["slug"])
    try:
        refuse_address(file.contest["slug"])
    except Refused as refusal:
        raise ContestFileError("unfit", "contest.slug", words=str(refusal)) from None
    made = Contest(**file.contest, made_by=actor)
    _save(made, "contest")
    _refuse_of_other_kind(made, file)
    for place, row in enumerate(file.phases):
        _save(Phase(contest=made, **row), f"phases[{place}]")
    faults = ORDER if made.is_announced else (DateFault.FINALS_BEFORE_QUALIFICATION_ENDS,)
    try:
        refuse_dates(outline_of(made), at(moment_now()), faults)
    except Refused as refusal:
        raise ContestFileError("unfit", "phases", words=str(refusal)) from None
    rules = rules_of(file)
    for place, row in enumerate(file.parameters):
        path = f"parameters[{place}]"
        named = _named(rules, row, path)
        _refuse_values(row, path)
        _save(ParameterSet(contest=made, proposed_by=actor, **{**row, "rules": named}), path)
    audit(actor=actor, action="contest.made", target=made, slug=made.slug)
    return made


def _refuse_of_other_kind(contest: Contest, file: ContestFile) -> None:
    """Raise ``ContestFileError`` for what a contest of another scoring system has not."""
    if contest.scheme and contest.subject:
        words = _("A contest of essays has a subject, another one has none.")
        raise ContestFileError("unfit", "contest.subject", words=words)
    for name, refuse in (("parameters", refuse_scheme), ("sets", refuse_no_essays)):
        try:
            if getattr(file, name):
                refuse(contest)
        except Refused as refusal:
            raise ContestFileError("unfit", f"{name}[0]", words=str(refusal)) from None


def _refuse_values(row: Row, path: str) -> None:
    """Raise ``ContestFileError`` for values no contest has, by their key."""
    session = {name: each for name, each in row["session"].items() if each is not None}
    try:
        refuse_values(session, row["star_to_qualify"], row["annulled_to_qualify"])
        rules_from_log({**FINAL, **row["session"]})
    except (SessionCaseError, JsonValueError) as error:
        raise ContestFileError("unfit", path, words=describe(error, _)) from None


def rules_of(file: ContestFile) -> dict[str, RuleSet]:
    """The rules a file names, saved where they are new. Raises ``ContestFileError``."""
    found: dict[str, RuleSet] = {}
    for place, row in enumerate(file.rules):
        path = f"rules[{place}]"
        known = RuleSet.objects.filter(name=row["name"], version=row["version"]).first()
        made = known or RuleSet(**row)
        if known is None:
            _save(made, path)
        elif any(getattr(known, name) != row[name] for name in SAYS):
            raise ContestFileError("other-rules", f"{path}.version", value=str(known))
        if str(made) in found:
            raise ContestFileError("twice", path, value=str(made))
        found[str(made)] = made
    return found


def make_set(row: Row, rules: Mapping[str, RuleSet], path: str, actor: User | None) -> EssaySet:
    """Save an open set as a file says it; its essays come next. Raises ``ContestFileError``."""
    if row["role"] not in DataSet.Role.values:
        known = ", ".join(DataSet.Role.values)
        raise ContestFileError("not-one-of", f"{path}.role", value=row["role"], known=known)
    if row["state"] not in EssaySet.State.values:
        known = ", ".join(EssaySet.State.values)
        raise ContestFileError("not-one-of", f"{path}.state", value=row["state"], known=known)
    if EssaySet.objects.filter(name_folded=folded(row["name"])).exists():
        raise ContestFileError("taken", f"{path}.name", value=row["name"])
    said = {name: row[name] for name in OF_SET}
    access = ACCESS[row["role"]]
    made = EssaySet(**said, access=access, rules=_named(rules, row, path))
    _save(made, path)
    audit(actor=actor, action="set.made", target=made, rules=str(made.rules))
    return made


def make_teams(contest: Contest, file: ContestFile, actor: User | None) -> None:
    """Save the teams of a file with their accounts, which nobody signs in to."""
    for place, row in enumerate(file.teams):
        path = f"teams[{place}]"
        login = row["login"]
        account = User.objects.filter(username__iexact=login).first()
        if account is None:
            account = User(username=login, full_name=row["name"], role=User.Role.PARTICIPANT)
            account.set_unusable_password()
            _save(account, path, name_of={"username": "login"})
        elif account.role != User.Role.PARTICIPANT or Team.objects.filter(account=account).exists():
            raise ContestFileError("taken", f"{path}.login", value=login)
        said = {name: each for name, each in row.items() if name != "login"}
        said["excluded_by"] = said["excluded_by"] or ""  # a file of before has none
        made = Team(contest=contest, account=account, **said)
        _save(made, path)
        audit(actor=actor, action="team.made", target=made, account=account.pk)
        if made.excluded_at is not None:
            _close(made, actor)


def _close(team: Team, actor: User | None) -> None:
    """The account of a team that comes excluded is closed, as an exclusion closes it."""
    told = {"reason": team.excluded_because, "protocol": team.excluded_by}
    audit(actor=actor, action="team.excluded", target=team, **told, closed=team.account.is_active)
    set_active(person=team.account, active=False, actor=actor)


def _save(row: Model, path: str, name_of: Mapping[str, str] | None = None) -> None:
    """Save a row that is new. Raises ``ContestFileError`` with the key that is wrong."""
    try:
        row.full_clean()
    except ValidationError as error:
        field, told = next(iter(error.message_dict.items()))
        key = (name_of or {}).get(field, field)
        place = path if field.startswith("__") else f"{path}.{key}"
        raise ContestFileError("unfit", place, words=" ".join(told)) from None
    for each in row._meta.concrete_fields:
        moment = getattr(row, each.attname)
        try:
            if isinstance(moment, datetime):
                refuse_far(moment)
        except ValidationError as error:
            words = " ".join(error.messages)
            raise ContestFileError("unfit", f"{path}.{each.name}", words=words) from None
    row.save(force_insert=True)


def _named(rules: Mapping[str, RuleSet], row: Row, path: str) -> RuleSet:
    found = rules.get(row["rules"])
    if found is None:
        raise ContestFileError("no-such-rules", f"{path}.rules", value=row["rules"])
    return found


def _values(row: Model, keys: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in keys}


def _set_row(found: DataSet, folder: str) -> dict[str, Any]:
    kept = found.essay_set
    own = {"folder": folder, "role": found.role, "rules": str(kept.rules), "state": kept.state}
    return {**_values(kept, OF_SET), **own}


def _teams(contest: Contest) -> Iterable[Team]:
    return contest.teams.select_related("account").order_by("pk")


def _team_row(team: Team) -> dict[str, Any]:
    said = {name: getattr(team, name) for name in TABLES["teams"] if name != "login"}
    return {"login": team.account.username, **said}
