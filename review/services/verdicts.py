"""Verdicts of sets: judges verify, then the commission approves; either may return the set,
and those who lead it send it again.

What is said, it is said of a protocol: the checks and final grades as they are at that moment.
Each verdict names what its page showed (``seen_of``): sent twice it counts once, and where
something changed meanwhile nobody says anything of what nobody has seen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from annotator.services.set_acts import hold_set
from review.core.canonical import canonical, digest_of
from review.models import Letter, SetProtocol, ThirdCheck, Verdict
from review.queries.set_contents import contents_of, tells_as_it_is
from review.queries.verdicts import (
    approval_of,
    lacking_of,
    readiness_of,
    standing_protocols,
    verdicts_of,
)
from review.services.revisions import revision_of_results
from review.services.set_protocols import void_protocol
from review.signals import letters_ordered
from web.refusals import Conflict, Refused

Kind, Void = Verdict.Kind, SetProtocol.Void
ACTIONS: Final = {
    Kind.VERIFIED: "set.verified",
    Kind.APPROVED: "set.approved",
    Kind.RETURNED: "set.returned",
    Kind.SENT: "set.sent",
}
HELD: Final = "55P03"
"""What PostgreSQL says where somebody holds a row and nobody is to be waited for."""


def seen_of(essay_set: EssaySet) -> str:
    """What a page of a set shows, as a digest: its results, and the last verdict of it."""
    last = verdicts_of(essay_set).values_list("pk", flat=True).first()
    return digest_of(f"{revision_of_results(essay_set)} {last}")


def verify_set(*, essay_set: EssaySet, actor: User, seen: str, reason: str = "") -> Verdict:
    """A judge says that the results of a set are right: they are frozen as a protocol.

    Raises ``Refused`` where something is missing, ``Conflict`` where something changed meanwhile.
    """
    content = contents_of(essay_set)
    with transaction.atomic():
        held = hold_set(essay_set.pk)
        said = _said_before(held, Kind.VERIFIED, actor, seen)
        if said:
            return said
        protocol = _frozen(held, content, seen)
        return _say(protocol, Kind.VERIFIED, actor, seen, reason)


def approve_set(*, essay_set: EssaySet, actor: User, seen: str, reason: str = "") -> Verdict:
    """The commission approves what judges verified; not by whom it was verified.

    Raises ``Refused`` where nothing is verified, ``Conflict`` where something changed meanwhile.
    """
    _void_what_differs(essay_set)
    with transaction.atomic():
        held = hold_set(essay_set.pk)
        said = _said_before(held, Kind.APPROVED, actor, seen)
        if said:
            return said
        protocol = _verified(held, actor, seen)
        return _say(protocol, Kind.APPROVED, actor, seen, reason)


def return_set(*, essay_set: EssaySet, actor: User, seen: str, reason: str) -> Verdict:
    """Give a set back to its coordinators, with a reason: its protocol is void with that.

    Before anything is verified a protocol is made of what is returned; afterwards what was verified
    is. Coordinators get a letter. Raises ``Refused`` and ``Conflict``.
    """
    content = contents_of(essay_set)
    with transaction.atomic():
        held = hold_set(essay_set.pk)
        said = _said_before(held, Kind.RETURNED, actor, seen)
        if said:
            return said
        if not reason:
            raise Refused(_("Say why the set is returned: its coordinators read it."))
        is_verified = standing_protocols().filter(essay_set=held).exists()
        protocol = _verified(held, actor, seen) if is_verified else _frozen(held, content, seen)
        verdict = _say(protocol, Kind.RETURNED, actor, seen, reason)
        void_protocol(protocol_id=protocol.pk, because=Void.RETURNED, reason=reason)
        _write_letters(verdict)
        return verdict


def send_set(*, essay_set: EssaySet, actor: User, seen: str, reason: str) -> Verdict:
    """Send a returned set to the judges again, with what was done about their reason.

    Raises ``Refused`` where it was not returned or is not done, ``Conflict`` where something
    changed meanwhile.
    """
    with transaction.atomic():
        held = hold_set(essay_set.pk)
        said = _said_before(held, Kind.SENT, actor, seen)
        if said:
            return said
        if not reason:
            raise Refused(_("Say what was done about the reason: judges read it."))
        last = verdicts_of(held).first()
        if last is None or last.kind != Kind.RETURNED:
            raise Refused(_("The set does not wait for its coordinators: nobody has returned it."))
        _refuse_unseen(held, seen)
        _refuse_undone(held)
        return _say(last.protocol, Kind.SENT, actor, seen, reason)


def against_publication(*, set_id: int) -> str:
    """What stands against showing everybody the board of a set, in a sentence (R 8.2.3 to 8.2.5).

    Empty where nothing does. What was said of checks that were voided does not count.
    """
    essay_set = EssaySet.objects.get(pk=set_id)
    words = {
        Verdict.Kind.RETURNED: _("The set was returned: its board is not published."),
        Verdict.Kind.VERIFIED: _("Judges verify the checks of the set anew first."),
        Verdict.Kind.APPROVED: _("The commission approves the checks of the set first."),
    }
    lacking = lacking_of(essay_set)
    return str(words[lacking]) if lacking else ""


def refuse_undoing(*, set_ids: Sequence[int]) -> None:
    """Raise ``Refused`` where the results of one of these sets are approved: they rest on it."""
    approval = approval_of(set_ids)
    if approval is not None:
        message = _(
            "The results of the set “%(set)s” are approved, by %(who)s: what they rest on stays."
        )
        fields = {"set": approval.protocol.essay_set, "who": approval.who}
        raise Refused(message % fields)


def _said_before(held: EssaySet, kind: Verdict.Kind, actor: User, seen: str) -> Verdict | None:
    """The verdict this very form has given already, as when it is sent twice."""
    return verdicts_of(held).filter(kind=kind, who=actor, seen=seen).first()


def _frozen(held: EssaySet, content: dict[str, Any], seen: str) -> SetProtocol:
    """A protocol of a set nobody has verified, as it is while its decisions are held."""
    if held.state == EssaySet.State.ARCHIVED:
        raise Refused(_("The set “%s” is in the archive. Take it out first.") % held)
    standing = standing_protocols().filter(essay_set=held).first()
    if standing is not None:
        who = standing.verdicts.select_related("who").get(kind=Kind.VERIFIED).who
        raise Conflict(_("The set is verified already, by %s.") % who)
    _hold_decisions(held)
    _refuse_unseen(held, seen)
    _refuse_undone(held)
    text = canonical(content)
    return SetProtocol.objects.create(
        essay_set=held, content=text, digest=digest_of(text), essays=len(content["essays"])
    )


def _verified(held: EssaySet, actor: User, seen: str) -> SetProtocol:
    """The protocol that is verified and not approved, held to the end of the transaction."""
    protocol = standing_protocols().filter(essay_set=held).select_for_update(of=("self",)).first()
    if protocol is None:
        message = _("Nothing is verified that could be approved: judges verify the set first.")
        raise Refused(message)
    said = {each.kind: each.who for each in protocol.verdicts.select_related("who")}
    if Kind.APPROVED in said:
        raise Conflict(_("The set is approved already, by %s.") % said[Kind.APPROVED])
    if actor in said.values():
        raise Refused(_("Who verified a set does not decide about it again: somebody else does."))
    _refuse_unseen(held, seen)
    return protocol


def _hold_decisions(held: EssaySet) -> None:
    """Hold the decisions on the third checks of a set, or nothing: nobody is waited for.

    Raises ``Conflict`` where somebody changes an essay of the set at this very moment.
    """
    decisions = ThirdCheck.objects.filter(essay__essay_set=held).order_by("pk")
    try:
        with transaction.atomic():
            list(decisions.select_for_update(of=("self",), nowait=True).values("pk"))
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") != HELD:
            raise
        message = _("A check of this set changes at this very moment. Look at the set again.")
        raise Conflict(message) from None


def _refuse_unseen(held: EssaySet, seen: str) -> None:
    if seen_of(held) != seen:
        raise Conflict(_("Something of the set changed meanwhile. Look at it again."))


def _refuse_undone(held: EssaySet) -> None:
    if not readiness_of([held])[held.pk].is_ready:
        raise Refused(_("The set is not done yet: its page says what is missing."))


def _void_what_differs(essay_set: EssaySet) -> None:
    """Void the protocol that stands where the set is not as it says, by whatever way that came."""
    protocol = SetProtocol.objects.filter(essay_set=essay_set, voided_at=None).first()
    if protocol is None or tells_as_it_is(json.loads(protocol.content), essay_set):
        return
    with transaction.atomic():
        void_protocol(protocol_id=protocol.pk, because=Void.CHANGED)


def _say(protocol: SetProtocol, kind: Verdict.Kind, actor: User, seen: str, reason: str) -> Verdict:
    verdict = Verdict(protocol=protocol, kind=kind, who=actor, seen=seen, reason=reason)
    verdict.save(force_insert=True)
    about = {"protocol": protocol.pk, "digest": protocol.digest, "reason": reason}
    audit(actor=actor, action=ACTIONS[kind], target=protocol.essay_set, **about)
    return verdict


def _write_letters(verdict: Verdict) -> None:
    """A letter to each coordinator that can have one; the pages tell the others."""
    people: Sequence[User] = User.objects.filter(role=User.Role.COORDINATOR, is_active=True)
    letters = Letter.objects.bulk_create(
        Letter(person=person, verdict=verdict) for person in people if person.email
    )
    letters_ordered.send(sender=Letter, letters=[(letter.pk, 0) for letter in letters])
