"""Protocols of sets become void once something of the set is no more as they say.

Whoever changes something of an essay holds its decision on the third check (``finals``), whoever
writes a protocol holds those of all essays of the set (``verdicts``): of the two the later one
sees what the earlier one did. A protocol's row is the last one to be locked.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from accounts.services.audit import audit
from annotator.models import Essay, MarkupRecord
from jobs.services.work import fenced, order
from review.models import SetProtocol, ThirdCheck
from review.queries.verdicts import standing_protocols

Void = SetProtocol.Void


def void_protocol(
    *, protocol_id: int, because: SetProtocol.Void, reason: str = "", about: str = ""
) -> None:
    """Void a protocol, in the caller's transaction; one that is void already stays as it is."""
    still = SetProtocol.objects.filter(pk=protocol_id, voided_at=None)
    if still.update(voided_at=Now(), voided_because=because, reason=reason, about=about):
        protocol = SetProtocol.objects.defer("content").get(pk=protocol_id)
        told = {"set": protocol.essay_set_id, "because": because.value, "essay": about}
        audit(actor=None, action="protocol.voided", target=protocol, reason=reason, **told)


def void_protocol_of_set(*, set_id: int, because: SetProtocol.Void) -> None:
    """Void the protocol that stands of a set, if one does."""
    _void_of(set_id, because, reason="", about="")


def void_protocol_of_essay(*, essay_id: int, because: SetProtocol.Void, reason: str = "") -> None:
    """Void the protocol of an essay's set: the essay is no more as it says."""
    essay = Essay.objects.only("essay_set", "number").get(pk=essay_id)
    decisions = ThirdCheck.objects.select_for_update(of=("self",)).order_by("pk")
    list(decisions.filter(essay=essay_id).values("pk"))
    _void_of(essay.essay_set_id, because, reason=reason, about=essay.number)


def void_protocol_of_check(*, markup_id: int) -> None:
    """An expert's markup came in: what was verified before it does not hold any more."""
    found = MarkupRecord.objects.filter(pk=markup_id, source=MarkupRecord.Source.EXPERT)
    for set_id, number in found.values_list("essay__essay_set", "essay__number"):
        _void_of(set_id, Void.CHANGED, reason="", about=number)


def void_protocol_of_import(*, essay_ids: list[int]) -> None:
    """Markups of essays of a set came in by an import: those of experts void what was verified
    before.
    """
    essays = Essay.objects.filter(pk__in=essay_ids)
    for protocol in standing_protocols().filter(essay_set__in=essays.values("essay_set")):
        came = MarkupRecord.objects.filter(
            essay__in=essay_ids,
            submitted_at__gte=protocol.made_at,
            source=MarkupRecord.Source.EXPERT,
        )
        for number in came.order_by("essay").values_list("essay__number", flat=True)[:1]:
            void_protocol(protocol_id=protocol.pk, because=Void.CHANGED, about=number)


def void_protocol_of_reopened(*, markup_id: int) -> None:
    """A check is open again: the protocol is void for the reason its expert reads."""
    record = MarkupRecord.objects.only("essay", "reopened_because").get(pk=markup_id)
    void_protocol_of_essay(
        essay_id=record.essay_id, because=Void.REOPENED, reason=record.reopened_because
    )


def order_to_void(*, essay_ids: list[int], because: SetProtocol.Void) -> None:
    """Promise to void the protocols of these essays' sets.

    For whoever holds many essays at once, and may not wait for a protocol besides.
    """
    of_sets = Essay.objects.filter(pk__in=essay_ids).values("essay_set")
    for pk in standing_protocols().filter(essay_set__in=of_sets).values_list("pk", flat=True):
        order(
            kind="review.void_set_protocol",
            key=f"void-protocol:{pk}",
            args={"protocol_id": pk, "because": because.value},
        )


@transaction.atomic
def carry_out_voiding(*, protocol_id: int, because: str) -> None:
    """What ``order_to_void`` promised. Safe to repeat."""
    with fenced():
        void_protocol(protocol_id=protocol_id, because=Void(because))


def _void_of(set_id: int, because: SetProtocol.Void, *, reason: str, about: str) -> None:
    for pk in standing_protocols().filter(essay_set=set_id).values_list("pk", flat=True):
        void_protocol(protocol_id=pk, because=because, reason=reason, about=about)
