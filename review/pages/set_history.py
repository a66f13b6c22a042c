"""What happened to the checks of a set, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from annotator.models import Assignment, EssaySet, MarkupRecord
from review.models import SetProtocol
from review.pages.history import Event, names_told, reason_of, sentences_of_checks


def events_of(entries: Iterable[AuditEntry]) -> list[Event]:
    """Entries of ``history_of_set`` in words, in three queries more."""
    rows = list(entries)
    checks = _checks_of(rows)
    told = [(each, checks.get((each.object_type, each.object_id))) for each in rows]
    names = names_told(told)
    return [_event(*each, names) for each in told]


def _checks_of(rows: Sequence[AuditEntry]) -> Mapping[tuple[str, str], Assignment]:
    """The check each entry is about, by kind and number of its object."""
    check, markup = Assignment._meta.label_lower, MarkupRecord._meta.label_lower
    held = Assignment.objects.select_related("expert", "essay").defer("essay__text")
    direct = held.in_bulk(_numbers(rows, check))
    records = MarkupRecord.objects.filter(pk__in=_numbers(rows, markup), assignment__isnull=False)
    by_markup = dict(records.values_list("pk", "assignment"))
    of_markups = held.in_bulk(by_markup.values())
    found = {(check, str(pk)): each for pk, each in direct.items()}
    return found | {(markup, str(pk)): of_markups[held] for pk, held in by_markup.items()}


def _numbers(rows: Sequence[AuditEntry], kind: str) -> list[int]:
    return [int(each.object_id) for each in rows if each.object_type == kind]


def _event(entry: AuditEntry, check: Assignment | None, names: Mapping[int, str]) -> Event:
    reason = reason_of(entry)
    said: dict[str, Any] = {"reason": reason}
    if check:
        said |= {"check": check.get_role_display(), "expert": names[check.expert_id]}
    words = _sentence(entry) % (_fields(entry) | said)
    if check:
        words = _("essay %(number)s: %(words)s") % {"number": check.essay.number, "words": words}
    return Event(entry.at, names[entry.actor_id] if entry.actor_id else "", words, reason)


def _fields(entry: AuditEntry) -> dict[str, Any]:
    """What an entry's sentence may name, with words in place of codes."""
    fields = {"reason": "", "given": 0, "taken": 0, "withdrawn": 0, "digest": "", "because": ""}
    fields |= {name: entry.details[name] for name in fields if name in entry.details}
    fields |= {"check": _("check"), "expert": "", "state": "", "digest": fields["digest"][:12]}
    if entry.action == "set.state":
        fields["state"] = EssaySet.State(entry.details["after"]).label
    if entry.action == "protocol.voided":
        fields["because"] = SetProtocol.Void(entry.details["because"]).label
    return fields


def _sentence(entry: AuditEntry) -> str:
    """The sentence of an action; what has none yet is told by its name."""
    return {**sentences_of_checks(), **_sentences()}.get(entry.action, entry.action)


def _sentences() -> dict[str, str]:
    return {
        "plan.confirmed": _("plan carried out: %(given)s given, %(taken)s taken away"),
        "plan.withdrawn": _("plan withdrawn: %(withdrawn)s checks taken back"),
        "set.state": _("the set is %(state)s"),
        "set.changed": _("the set was changed"),
        "set.verified": _("results verified, protocol %(digest)s"),
        "set.approved": _("results approved, protocol %(digest)s"),
        "set.returned": _("results returned: “%(reason)s”"),
        "set.sent": _("sent to the judges again: “%(reason)s”"),
        "protocol.voided": _("the protocol is void: %(because)s"),
    }
