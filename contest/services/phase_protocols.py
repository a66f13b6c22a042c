"""The results of a phase: judges check them, the commission verifies, organisers approve (R 8).

What is said, is said of a protocol: the results as they were when judges checked them. Where they
changed since, nothing is said of it but that it is returned; then it is void, and judges check the
next one.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.services.audit import audit
from annotator.services.set_acts import hold_set
from contest.access import verdict_of_phases
from contest.core.phase_course import Step, next_step
from contest.models import Announcement, Contest, Phase, PhaseProtocol, PhaseVerdict
from contest.queries.phase_contents import (
    content_in_form_of,
    content_of,
    phase_of,
    sets_of_phase,
)
from contest.services.announcing import announce
from contest.services.both_words import in_both
from contest.services.contests import hold_contest, refuse_final
from contest.services.showing import open_final_set
from contest.services.unchecked import why_unchecked
from review.core.canonical import canonical, digest_of
from web.refusals import Conflict, Refused

Kind = PhaseVerdict.Kind
TURNS: Final = {
    Step.CHECKED: gettext_lazy("Judges check the results first."),
    Step.VERIFIED: gettext_lazy("The commission verifies the results next."),
    Step.APPROVED: gettext_lazy("Organisers approve the results next."),
}


@transaction.atomic
def say_of_phase(
    *, phase: Phase, kind: PhaseVerdict.Kind, seen: str, reason: str, actor: User
) -> PhaseVerdict:
    """Say a verdict of a phase's results, or return them with a reason.

    ``seen``: the digest of what the page showed, of the protocol or, where there was none, of the
    results as they were (``results_now``). Raises ``Refused`` out of turn, for a body that has no
    such say, for who has spoken already, while sessions go on or no board counts; ``Conflict``
    where something changed meanwhile.
    """
    contest = hold_contest(phase.contest)
    refuse_final(contest)
    own = verdict_of_phases(actor)
    if own is None or kind not in (own, Kind.RETURNED):
        raise Refused(_("Judges check, the commission verifies, organisers approve: not you."))
    standing = phase.protocols.select_for_update(of=("self",)).filter(voided_at=None).first()
    is_first = standing is None and kind == Kind.CHECKED
    if not is_first and (standing.digest if standing else "") != seen:
        raise Conflict(_("Something was said of the phase meanwhile. Look at it again."))
    if kind == Kind.RETURNED:
        return _returned(standing, reason, actor)
    said = {each.kind: each.who for each in _verdicts(standing)}
    _refuse_turn(said, kind, actor)
    if kind == Kind.APPROVED:
        _hold_sets(phase)
    protocol = _frozen(phase, seen) if standing is None else _unchanged(standing, phase)
    verdict = _say(protocol, kind, reason, actor)
    if kind == Kind.APPROVED:
        _approve(contest, phase, actor)
    return verdict


def _returned(standing: PhaseProtocol | None, reason: str, actor: User) -> PhaseVerdict:
    if standing is None:
        raise Refused(_("Nothing is checked that could be returned: judges check it first."))
    if not reason.strip():
        raise Refused(_("Say why it is returned: the judges read it."))
    said = {each.kind: each.who for each in _verdicts(standing)}
    if Kind.APPROVED in said:
        raise Refused(_("The results are approved: they are not returned any more."))
    _refuse_speaker(said, actor)
    verdict = _say(standing, Kind.RETURNED, reason, actor)
    PhaseProtocol.objects.filter(pk=standing.pk).update(voided_at=Now())
    return verdict


def _refuse_turn(said: dict[str, User], kind: PhaseVerdict.Kind, actor: User) -> None:
    following = next_step(said)
    if kind in said:
        raise Conflict(_("This was said already, by %s.") % said[kind])
    _refuse_speaker(said, actor)
    if following is not None and following.value != kind:
        raise Refused(str(TURNS[following]))


def _refuse_speaker(said: dict[str, User], actor: User) -> None:
    if actor in said.values():
        raise Refused(_("You have said something of these results: somebody else goes on."))


def results_now(phase: Phase) -> tuple[dict[str, Any], str]:
    """The results of a phase as they are now, and their digest: what judges check."""
    content = content_of(phase)
    return content, digest_of(canonical(content))


def _frozen(phase: Phase, seen: str) -> PhaseProtocol:
    """A protocol of the results as they are, which are those that were seen."""
    if missing := why_unchecked(phase):
        raise Refused(missing)
    content, digest = results_now(phase)
    if digest != seen:
        raise Conflict(_("The results are other ones than those you saw. Look at them again."))
    text = canonical(content)
    try:
        with transaction.atomic():
            return PhaseProtocol.objects.create(phase=phase, content=text, digest=digest)
    except IntegrityError:
        raise Conflict(_("Somebody checked the results at this moment. Look again.")) from None


def _hold_sets(phase: Phase) -> None:
    """No check of them is reopened while they are approved; who comes later is refused."""
    for number in sets_of_phase(phase).order_by("pk").values_list("pk", flat=True):
        hold_set(number)


def why_overtaken(protocol: PhaseProtocol, phase: Phase) -> str:
    """Why a protocol is returned only: the results changed since. Empty where they did not."""
    content = content_in_form_of(json.loads(protocol.content), phase)
    if canonical(content) == protocol.content:
        return ""
    return _("The results are other ones than those that were checked: return the protocol.")


def _unchanged(protocol: PhaseProtocol, phase: Phase) -> PhaseProtocol:
    if overtaken := why_overtaken(protocol, phase):
        raise Refused(overtaken)
    if missing := why_unchecked(phase):  # a check was reopened since, or nobody had asked then
        raise Refused(_("%s The protocol may be returned.") % missing)
    return protocol


def _say(
    protocol: PhaseProtocol, kind: PhaseVerdict.Kind, reason: str, actor: User
) -> PhaseVerdict:
    try:
        with transaction.atomic():
            made = PhaseVerdict(protocol=protocol, kind=kind, who=actor, reason=reason.strip())
            made.save(force_insert=True)
    except IntegrityError:
        raise Conflict(_("This was said at this very moment. Look at it again.")) from None
    told = {"protocol": protocol.pk, "digest": protocol.digest, "reason": made.reason}
    audit(actor=actor, action=f"phase.{kind}", target=protocol.phase, **told)
    return made


def _verdicts(protocol: PhaseProtocol | None) -> list[PhaseVerdict]:
    return list(protocol.verdicts.select_related("who")) if protocol else []


def _approve(contest: Contest, phase: Phase, actor: User) -> None:
    """The phase is closed, and everybody is told (R 6.4); with the finals the results of the
    contest are final (R 8.2.5).
    """
    Phase.objects.filter(pk=phase.pk).update(closed_at=Now())
    if phase.kind == Phase.Kind.FINALS:
        Contest.objects.filter(pk=contest.pk).update(final_at=Now())
        audit(actor=actor, action="contest.final", target=contest, slug=contest.slug)
        open_final_set(contest, actor=actor)
        title = in_both(lambda: _("The results of the finals are approved"))
        body = in_both(lambda: _approved(contest))
    else:
        title = in_both(lambda: _("The results of the qualification are approved"))
        body = in_both(lambda: _qualified(contest))
    kind = Announcement.Kind.RESULTS
    announce(contest=contest, kind=kind, title=title, body=body, actor=actor)


def _approved(contest: Contest) -> str:
    verified = _("Judges checked them, the technical commission verified them.")
    if contest.scheme:
        return verified
    opened = _(
        "Participants read the experts’ markups of the final set under “Training essays” from "
        "now on (clause 7.10 of the regulation)."
    )
    return f"{verified} {opened}"


def _qualified(contest: Contest) -> str:
    """Who is admitted to the finals so far, by name; of the others nothing is said."""
    verified = _("Judges checked them, the technical commission verified them.")
    if phase_of(contest, Phase.Kind.FINALS) is None:
        return verified
    admitted = contest.teams.filter(admitted_at__isnull=False, excluded_at=None)
    names = list(admitted.order_by("name").values_list("name", flat=True))
    if not names:
        nobody = _("Nobody is admitted to the finals yet (clause 8.1.3).")
        return f"{verified} {nobody}"
    told = _("Admitted to the finals so far (clause 8.1.3 of the regulation): %s.")
    return f"{verified} {told % ', '.join(names)}"
