"""What happened to a score run, from the trail of its changes: who did what, when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import AuditEntry, User
from scoring.models import ScoreRun
from scoring.queries.runs import changes_of

WORDS: Final = {
    "run.ordered": pgettext_lazy("history of a run", "ordered"),
    "run.apply_proposed": pgettext_lazy("history of a run", "proposed to apply it"),
    "run.discard_proposed": pgettext_lazy("history of a run", "proposed to discard it"),
    "run.applied": pgettext_lazy("history of a run", "applied it"),
    "run.discarded": pgettext_lazy("history of a run", "discarded it"),
    "run.stopped": pgettext_lazy("history of a run", "stopped it"),
    "run.failed": pgettext_lazy("history of a run", "it failed"),
    "run.checked": pgettext_lazy("history of a run", "checked it"),
    "run.verified": pgettext_lazy("history of a run", "verified it"),
    "run.returned": pgettext_lazy("history of a run", "returned it"),
    "board.published": pgettext_lazy("history of a run", "published its board"),
    "board.taken_off": pgettext_lazy("history of a run", "its board was taken off"),
    "board.frozen": pgettext_lazy("history of a run", "froze the board"),
    "board.goes_on": pgettext_lazy("history of a run", "let the board go on"),
}
WITHDRAWN: Final = "run.proposal_withdrawn"


@dataclass(frozen=True, slots=True)
class Happened:
    """A change of a run: ``who`` did it, or a command, or the platform by itself."""

    at: datetime
    who: str
    words: str
    reason: str


def history_of_run(run: ScoreRun) -> list[Happened]:
    """All changes of a run, the earliest first."""
    return [
        Happened(entry.at, _who(entry), words, _reason(run, entry))
        for entry in changes_of(run)
        if (words := _told(entry))
    ]


def _who(entry: AuditEntry) -> str:
    if entry.actor is not None:
        return str(entry.actor)
    return _("a command") if entry.action == "run.ordered" else _("the platform")


def _told(entry: AuditEntry) -> str:
    if entry.action != WITHDRAWN:
        return str(WORDS.get(entry.action, ""))
    whose = entry.details.get("whose")  # the trail of before says the login of then alone
    login = str(entry.details.get("proposed_by", ""))
    wanted = {"pk": whose} if whose else {"username": login}
    person = User.objects.filter(**wanted).first()
    if not login or (person is not None and person.pk == entry.actor_id):
        return _("took the proposal back")
    return _("declined the proposal of %s") % (person or login)


def _reason(run: ScoreRun, entry: AuditEntry) -> str:
    if entry.action == "run.failed":
        return run.told_failure
    return str(entry.details.get("reason", ""))
