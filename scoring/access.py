"""Who may read which figures: the one place that decides; of markups, ``annotator.access``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.roles import EVERYBODY, MANAGERS, STAFF
from annotator.access import sets_measured_for
from annotator.models import EssaySet, RuleSet
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.published import not_returned, returns_of_published
from scoring.signals import (
    counting_asked,
    counting_rules_asked,
    names_asked,
    readers_asked,
    results_asked,
    withheld_asked,
)

DECIDING: Final = frozenset(
    {User.Role.ORGANISER, User.Role.JUDGE, User.Role.COMMISSION, User.Role.ADMINISTRATOR}
)
"""Roles that apply or discard a run somebody else has proposed (R 2.17)."""
FINISHED: Final = (ScoreRun.State.READY, ScoreRun.State.APPLIED, ScoreRun.State.DISCARDED)
PUBLISHING: Final = frozenset({User.Role.ORGANISER, User.Role.ADMINISTRATOR})
"""Roles that publish boards (R 8.1.3, 8.2.5)."""


def may_read_scores(user: User) -> bool:
    """True for those who have a page of tables; which ones ``sets_measured_for`` says."""
    return user.role in EVERYBODY


def has_own_figures(user: User) -> bool:
    """True for those whose markups are measured by the experts' ones."""
    return user.role == User.Role.PARTICIPANT


def may_read_logins(user: User) -> bool:
    """True for those who read participants' logins; everybody else reads full names."""
    return user.role in STAFF


def name_for(viewer: User | AnonymousUser, participant: User) -> str:
    """What somebody knows a participant by: logins are for staff and for oneself."""
    is_known = isinstance(viewer, User)
    if is_known and (may_read_logins(viewer) or participant == viewer):
        return str(participant)
    return participant.full_name or _("Participant without a name")


def names_on_boards(sets: Collection[int]) -> dict[int, dict[int, str]]:
    """What boards of these sets call those who are known by another name than their account's, by
    set and participant: teams.
    """
    found: dict[int, dict[int, str]] = {number: {} for number in sets}
    for _receiver, told in names_asked.send(sender=StandingBoard, set_ids=sets):
        for number, names in told.items():
            found[number] |= names
    return found


def may_read_report(user: User, author_id: int) -> bool:
    """True for staff and for whose solution it is."""
    is_own = user.role == User.Role.PARTICIPANT and user.pk == author_id
    return is_own or user.role in STAFF


def may_read_figures_of(user: User, essay_set: EssaySet, run: ScoreRun | None) -> bool:
    """True for the accuracies in a report that is one's to read.

    Of finals none are told before a run was applied (R 8.2).
    """
    if essay_set.access == EssaySet.Access.FINAL and run is None:
        return False
    is_archived = essay_set.state == EssaySet.State.ARCHIVED
    return sets_measured_for(user, archived=is_archived).filter(pk=essay_set.pk).exists()


def knows_keys(user: User) -> bool:
    """True for those who may know what experts marked on test essays."""
    return user.role in STAFF


def reads_others_at_once(user: User) -> bool:
    """True for those who read others' figures before a board is published."""
    return user.role in STAFF or user.role == User.Role.EXPERT


def may_see_runs(user: User) -> bool:
    """True for those who read score runs, also those in the shadow."""
    return user.role in STAFF


def may_order_runs(user: User) -> bool:
    """True for those who order runs, and propose what becomes of them."""
    return user.role in MANAGERS


def may_decide_runs(user: User) -> bool:
    """True for those who do what somebody else has proposed of runs."""
    return user.role in DECIDING


def may_decide_run(user: User, run: ScoreRun) -> bool:
    """True for those who do what was proposed of a run: never who has proposed it."""
    return may_decide_runs(user) and run.proposed_by_id not in (None, user.pk)


def may_publish_boards(user: User) -> bool:
    """True for those who publish and freeze boards."""
    return user.role in PUBLISHING


def verdict_of_runs(user: User) -> RunVerdict.Kind | None:
    """What somebody's role says of a run in its turn: judges check, the commission verifies."""
    said = {
        User.Role.JUDGE: RunVerdict.Kind.CHECKED,
        User.Role.COMMISSION: RunVerdict.Kind.VERIFIED,
    }
    return said.get(user.role)


def boards_seen_by(user: User | AnonymousUser) -> QuerySet[ScoreRun]:
    """The runs whose boards a person may read, the latest first.

    Staff read those of every run that is finished, everybody the ones that are or were published
    (R 8.2.5), unless they are withheld or were returned.
    """
    runs = ScoreRun.objects.select_related("essay_set", "rules").order_by("-pk")
    if isinstance(user, User) and user.role in STAFF:
        return runs.filter(state__in=FINISHED)
    public = StandingBoard.objects.filter(public__isnull=False)
    were_public = Q(pk__in=PublishedRun.objects.values("run"))
    runs = not_returned(runs.filter(were_public | Q(pk__in=public.values("public"))))
    for _receiver, withheld in withheld_asked.send(sender=StandingBoard):
        runs = runs.exclude(essay_set__in=withheld)
    return runs


def boards_taken_off(user: User | AnonymousUser, sets: Iterable[int]) -> QuerySet[RunVerdict]:
    """The returns because of which a person reads no board of these sets, or an earlier one.

    Staff read every run and are told on it what was said of it.
    """
    found = returns_of_published(sets)
    if isinstance(user, User) and user.role in STAFF:
        return found.none()
    for _receiver, withheld in withheld_asked.send(sender=StandingBoard):
        found = found.exclude(run__essay_set__in=withheld)
    return found


def why_withheld(essay_set_id: int) -> str:
    """Who alone reads the published board of a set, and why; empty where everybody does."""
    answers = readers_asked.send(sender=StandingBoard, set_id=essay_set_id)
    return next((words for _receiver, words in answers if words), "")


def why_run_stays(board: StandingBoard | None, *, holds: bool = False) -> str:
    """Why the run that counts for a set is replaced or returned no more; empty where it may be.

    ``holds``: it stays so to the end of the transaction.
    """
    if board is None or board.applied_id is None:
        return ""
    answers = results_asked.send(sender=EssaySet, set_id=board.essay_set_id, holds=holds)
    return next((words for _receiver, words in answers if words), "")


def rules_to_count_by(essay_set: EssaySet) -> RuleSet:
    """By which rules results of a set count: those somebody keeps for it, or else its own."""
    answers = counting_rules_asked.send(sender=EssaySet, set_id=essay_set.pk)
    kept = next((number for _receiver, number in answers if number is not None), None)
    return essay_set.rules if kept is None else RuleSet.objects.get(pk=kept)


def counted_otherwise(run: ScoreRun) -> str:
    """By which other rules a run should have been counted; empty where by none."""
    answers = counting_asked.send(sender=ScoreRun, run_id=run.pk, set_id=run.essay_set_id)
    return next((words for _receiver, words in answers if words), "")
