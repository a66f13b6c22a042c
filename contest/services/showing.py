"""What participants see of the sets of a contest, and from when on (R 2.6 to 2.8, 7.10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import EssaySet
from annotator.services.set_acts import hold_set, publish
from contest.models import Contest, DataSet
from contest.models import Final as PlannedFinal
from contest.queries.run_moments import answered_until, counted
from contest.services.sessions.clock import moment_now
from web.refusals import Refused

Role = DataSet.Role
ACCESS: Final[Mapping[str, EssaySet.Access]] = {
    Role.TRAINING: EssaySet.Access.OPEN,
    Role.TEST: EssaySet.Access.CLOSED,
    Role.FINAL: EssaySet.Access.FINAL,
}
"""What participants see of a set, by what it is to its contest."""


def open_final_set(contest: Contest, *, actor: User) -> None:
    """Let participants read the experts' markups of the finals, now that the results are final.

    In the caller's transaction; a contest without a final set has nothing to open.
    """
    found = contest.data_sets.filter(role=Role.FINAL, essay_set__access=ACCESS[Role.FINAL]).first()
    if found is not None:
        held = hold_set(found.essay_set_id)
        publish(essay_set=held, at=None, seen=held.revision, actor=actor)


def refuse_publication_before_results(*, set_id: int) -> None:
    """Raise ``Refused`` for the final set of a contest whose results are not final (R 7.10)."""
    found = _set_at_work(set_id)
    if found is not None and found.role == Role.FINAL:
        message = _(
            "Clause 7.10 of the regulation: “%(set)s” is the final set of the contest "
            "“%(contest)s”. Participants read its markups once organisers approve the results of "
            "the finals; nothing else opens them."
        )
        raise Refused(message % {"set": found.essay_set, "contest": found.contest})


def refuse_other_checks(*, set_ids: Iterable[int]) -> None:
    """Raise ``Refused`` where the results of a contest are final that rest on the experts' markups
    of one of these sets, and participants read these (R 7.10, 8.2.5).
    """
    sets = DataSet.objects.filter(role=Role.FINAL, essay_set__in=list(set_ids))
    found = sets.filter(contest__final_at__isnull=False).select_related("contest", "essay_set")
    if (held := found.first()) is not None:
        message = _(
            "Clause 8.2.5 of the regulation: the results of the contest “%(contest)s” are final, "
            "and participants read the experts’ markups of its final set “%(set)s”. They stay."
        )
        raise Refused(message % {"contest": held.contest, "set": held.essay_set})


def refuse_other_access(*, set_id: int, access: str) -> None:
    """Raise ``Refused`` where a set of a contest at work would show what its kind does not."""
    found = _set_at_work(set_id)
    if found is not None and access != ACCESS[found.role]:
        message = _(
            "Clauses 2.6 to 2.8 of the regulation: the set “%(set)s” belongs to the contest "
            "“%(contest)s”. Until its results are final the access stays “%(access)s”."
        )
        fields = {"set": found.essay_set, "contest": found.contest}
        raise Refused(message % {**fields, "access": ACCESS[found.role].label})


def refuse_read(essay_set: EssaySet) -> None:
    """Raise ``Refused`` for a set whose essays participants read, or will, by another way than a
    final (R 2.8).
    """
    if essay_set.access == EssaySet.Access.OPEN:
        message = _(
            "Clause 2.8 of the regulation: nobody has seen the essays of a final before it, and "
            "participants read the essays of the set “%s”. Choose another set; rehearsals may take "
            "this one."
        )
        raise Refused(message % essay_set)
    if essay_set.access != EssaySet.Access.FINAL:
        message = _(
            "Clause 2.8 of the regulation: nobody has seen the essays of a final before it, and "
            "those of the set “%s” are given in other sessions too. Choose a set of finals, or a "
            "rehearsal."
        )
        raise Refused(message % essay_set)
    refuse_published(essay_set)


def refuse_before_its_final(*, set_id: int, access: str = EssaySet.Access.OPEN) -> None:
    """Raise ``Refused`` where participants would read a set whose final is not over, or be given it
    in other sessions (R 2.8).
    """
    if access == EssaySet.Access.FINAL:
        return
    now = moment_now()
    kind = PlannedFinal.Kind.FINAL
    runs = PlannedFinal.objects.filter(essay_set=set_id, kind=kind, cancelled_at=None)
    for each in counted(runs).select_related("essay_set").order_by("starts_at", "pk"):
        if now <= answered_until(each):
            message = _(
                "Clause 2.8 of the regulation: the set “%(set)s” has a file of the final "
                "“%(final)s”, which is not over. Participants read nothing of it before."
            )
            raise Refused(message % {"set": each.essay_set, "final": each})


def refuse_published(essay_set: EssaySet) -> None:
    """Raise ``Refused`` for a set participants see, or will: no final set before its finals."""
    if essay_set.published_at is not None:
        message = _(
            "Clause 2.8 of the regulation: nobody has seen the final set before the finals. The "
            "set “%s” is published, or will be."
        )
        raise Refused(message % essay_set)


def why_board_is_withheld(*, set_id: int) -> str:
    """Who alone reads the board of a test set its contest does not show (R 6.4); else empty."""
    sets = DataSet.objects.select_related("contest")
    kept = sets.filter(essay_set=set_id, role=Role.TEST, contest__shows_test_board=False).first()
    if kept is None:
        return ""
    setting = Contest._meta.get_field("shows_test_board").verbose_name
    message = _(
        "Only judges, the commission, organisers and coordinators read this board: in the contest "
        "“%(contest)s” the setting “%(setting)s” is off."
    )
    return message % {"contest": kept.contest, "setting": setting}


def _set_at_work(set_id: int) -> DataSet | None:
    """What a set is to its contest, as long as the results of that are not final."""
    sets = DataSet.objects.select_related("contest", "essay_set")
    return sets.filter(essay_set=set_id, contest__final_at=None).first()
