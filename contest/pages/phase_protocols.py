"""What the page and the paper of a phase's protocol show."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from contest.access import verdict_of_phases
from contest.core.phase_course import next_step, results_due
from contest.models import Phase, PhaseProtocol, PhaseVerdict
from contest.queries.phase_contents import last_check_of, phase_of, protocols_of
from contest.services.phase_protocols import results_now, why_overtaken
from contest.services.unchecked import why_unchecked
from review.core.canonical import digest_of
from review.services.due import work_calendar
from web.asking import Question, of_verdict

Kind = PhaseVerdict.Kind
ASKED: Final = {
    Kind.CHECKED: gettext_lazy("Are the results right: %(phase)s, “%(contest)s”?"),
    Kind.VERIFIED: gettext_lazy("Verify the results: %(phase)s, “%(contest)s”?"),
    Kind.APPROVED: gettext_lazy("Approve the results: %(phase)s, “%(contest)s”?"),
    Kind.RETURNED: gettext_lazy("Return the results: %(phase)s, “%(contest)s”?"),
}
"""What is asked before a verdict."""
ANSWERS: Final = {
    Kind.CHECKED: gettext_lazy("The results are right"),
    Kind.VERIFIED: gettext_lazy("Verify the results"),
    Kind.APPROVED: gettext_lazy("Approve the results"),
    Kind.RETURNED: gettext_lazy("Return the results"),
}
WHAT_HAPPENS: Final = {
    Kind.CHECKED: gettext_lazy(
        "The results are frozen as a protocol as they are now. The technical commission verifies "
        "it next; where they change later, it is returned."
    ),
    Kind.VERIFIED: gettext_lazy(
        "The protocol that judges checked bears your verdict too. Organisers approve it next."
    ),
    Kind.APPROVED: gettext_lazy(
        "With your approval the phase is closed. It is announced on the site and by letters to the "
        "participants, with the teams that are admitted by then (clause 6.4 of the regulation)."
    ),
    Kind.RETURNED: gettext_lazy(
        "The protocol is void, your reason stands beside it, and judges check the results anew."
    ),
}


@dataclass(frozen=True, slots=True)
class PhasePage:
    """A phase: the protocol that stands, and what whoever looks may say of it.

    ``missing``: why nobody can check, verify or approve the results now, in words.
    ``due``: by when the results of the finals are told (R 7.10), ``None`` while checks are open.
    ``results``: as they are now, where judges check them next; ``seen``: the digest of what the
    page shows, the protocol or these.
    """

    standing: PhaseProtocol | None
    kinds: tuple[PhaseVerdict.Kind, ...]
    waits_for: PhaseVerdict.Kind | None
    missing: str
    due: datetime | None
    results: dict[str, Any] | None
    seen: str

    @classmethod
    def of(cls, phase: Phase, reader: User) -> PhasePage:
        standing = protocols_of(phase).filter(voided_at=None).first()
        said = {each.kind: each.who_id for each in standing.verdicts.all()} if standing else {}
        following = next_step(said)
        turn = Kind(following.value) if following else None
        own = verdict_of_phases(reader)
        is_open = not phase.contest.is_final
        missing = why_unchecked(phase) if is_open and turn else ""
        if standing and is_open and turn and not missing:
            missing = why_overtaken(standing, phase)
        may = is_open and turn is not None and reader.pk not in said.values()
        kinds = [own] if may and own == turn and own and not missing else []
        if may and standing and own != Kind.CHECKED:
            kinds.append(Kind.RETURNED)
        results, seen = None, standing.digest if standing else ""
        if turn == Kind.CHECKED and is_open and not missing:
            results, seen = results_now(phase)
        told = (with_ties(results) if results else None, seen)
        return cls(standing, tuple(kinds), turn, missing, _due(phase), *told)


def asked_of_phase(page: PhasePage, phase: Phase, kind: str, seen: str) -> Question | None:
    """Before a verdict is said of a phase; ``seen``: the digest its page showed. ``None`` where
    it is not for whoever looks to say.
    """
    if kind not in page.kinds:
        return None
    said, returns = Kind(kind), kind == Kind.RETURNED
    address = {"args": [phase.contest.slug, phase.kind]}
    told = {"phase": phase.get_kind_display(), "contest": phase.contest}
    asked = Question(
        title=str(ASKED[said] % told),
        words=[str(_words_of(said, phase))],
        button=str(ANSWERS[said]),
        back=reverse("contest:phase_protocol", **address),
        address=reverse("contest:say_of_phase", **address),
        fields={"kind": kind, "seen": seen},
    )
    return of_verdict(asked, why_returned=_("Why the results are returned") if returns else "")


def _words_of(kind: PhaseVerdict.Kind, phase: Phase) -> str:
    is_last = kind == Kind.APPROVED and phase.kind == Phase.Kind.FINALS
    if is_last:
        return _(
            "With your approval the results are final: nothing is annulled or taken back any more. "
            "It is announced on the site and by letters to the participants. Clause 7.10 of the "
            "regulation: experts’ markups of the final set open to all participants."
        )
    if kind == Kind.APPROVED and phase_of(phase.contest, Phase.Kind.FINALS) is None:
        return _(
            "With your approval the phase is closed. It is announced on the site and by letters to "
            "the participants (clause 6.4 of the regulation)."
        )
    return str(WHAT_HAPPENS[kind])


@dataclass(frozen=True)
class PaperOfPhase:
    """A protocol for paper: what was frozen, read back from its own JSON, and which ranks of it
    several share.
    """

    protocol: PhaseProtocol

    @cached_property
    def content(self) -> dict[str, Any]:
        return with_ties(json.loads(self.protocol.content))

    @property
    def verdicts(self) -> list[PhaseVerdict]:
        return sorted(self.protocol.verdicts.all(), key=lambda each: each.pk)

    @property
    def is_whole(self) -> bool:
        """True while the text has the digest it was frozen with."""
        return digest_of(self.protocol.content) == self.protocol.digest


def with_ties(content: dict[str, Any]) -> dict[str, Any]:
    """Results of a phase, of each rank whether several share it."""
    for table in (*content["boards"], *filter(None, [content.get("uploads")])):
        sharing = Counter(row["rank"] for row in table["rows"])
        for row in table["rows"]:
            row["is_tied"] = row["rank"] is not None and sharing[row["rank"]] > 1
    return content


def _due(phase: Phase) -> datetime | None:
    if phase.kind != Phase.Kind.FINALS:
        return None
    last = last_check_of(phase)
    if last is None:
        return None
    calendar = work_calendar(last.year - 1, last.year + 2)
    return results_due(calendar, last, ZoneInfo(phase.contest.zone)).at
