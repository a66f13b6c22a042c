"""Who may see the desk and give checks away: the one place that decides."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.roles import MANAGERS, STAFF
from annotator.access import may_manage_sets, sees_everything
from annotator.models import Assignment, Essay, EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.models import Export, Note, Verdict


def may_see_desk(user: User) -> bool:
    """True for those who see every essay and who checks it."""
    return user.role in STAFF


def may_assign(user: User) -> bool:
    """True for those who give checks away, take them back and reopen them."""
    return user.role in MANAGERS


def may_read_decisions(user: User) -> bool:
    """True for those who may read what a third check decided, of markups they may see."""
    return user.role in STAFF or user.role == User.Role.EXPERT


def may_see_grade(user: User, essay: Essay) -> bool:
    """True for those who see everything that was marked on an essay: staff, and who has done."""
    return user.role != User.Role.PARTICIPANT and sees_everything(user, essay)


def may_read_notes(user: User) -> bool:
    """True for those who read what experts write to the coordinators."""
    return user.role in STAFF


def checks_noted_by(user: User) -> QuerySet[Assignment]:
    """The checks somebody may write to the coordinators about: own ones, not taken away."""
    if user.role != User.Role.EXPERT:
        return Assignment.objects.none()
    return Assignment.objects.filter(expert=user).exclude(state=Assignment.State.WITHDRAWN)


def notes_seen_by(user: User) -> QuerySet[Note]:
    """An expert's own messages; all of them for staff."""
    found = Note.objects.select_related("assignment__expert", "answered_by")
    if may_read_notes(user):
        return found
    return found.filter(assignment__in=checks_noted_by(user))


def may_hand_out(user: User) -> bool:
    """True for those who make protocols, and pages for pupils."""
    return user.role in STAFF


def may_see_agreement(user: User) -> bool:
    """True for those who see where experts differ."""
    return user.role in STAFF


def may_see_verdicts(user: User) -> bool:
    """True for those who see who checked what of a set, and what was said of it."""
    return user.role in STAFF


def verdicts_said_by(user: User, *, is_verified: bool) -> list[Verdict.Kind]:
    """What somebody may say of a set that is done: judges first, then the commission.

    ``is_verified``: a judge has said so, and nobody has decided since.
    """
    kinds = verdicts_of_role(user)
    in_turn = Verdict.Kind.APPROVED if is_verified else Verdict.Kind.VERIFIED
    return kinds if in_turn in kinds else []


def verdicts_of_role(user: User) -> list[Verdict.Kind]:
    """What somebody's role ever says of a set: judges verify and the commission approves, or they
    return it; those who lead sets send it again.
    """
    kind = Verdict.Kind
    said = {
        User.Role.JUDGE: [kind.VERIFIED, kind.RETURNED],
        User.Role.COMMISSION: [kind.APPROVED, kind.RETURNED],
    }
    return said.get(user.role, [kind.SENT] if may_manage_sets(user) else [])


def has_exports(user: User) -> bool:
    """True for those who have anything to order."""
    return user.role in MANAGERS or user.role == User.Role.PARTICIPANT


def sets_exported_for(user: User) -> QuerySet[EssaySet]:
    """The essay sets of which somebody may order something; none for practice."""
    sets = EssaySet.objects.filter(CHECKED_SETS).order_by("name")
    if user.role in MANAGERS:
        return sets
    is_open = sets.filter(access=EssaySet.Access.OPEN).exclude(state=EssaySet.State.PREPARING)
    return is_open if user.role == User.Role.PARTICIPANT else sets.none()


def kinds_exported_for(user: User) -> list[Export.Kind]:
    """What somebody may order."""
    if user.role in MANAGERS:
        return list(Export.Kind)
    return [Export.Kind.TRAINING] if user.role == User.Role.PARTICIPANT else []


def is_closed_to_learners(kind: Export.Kind, essay_set: EssaySet | None) -> bool:
    """True for a training set of a set that is not open: nobody takes it, whoever asks."""
    is_open = essay_set is None or essay_set.access == EssaySet.Access.OPEN
    return kind == Export.Kind.TRAINING and not is_open


def may_order_export(user: User, kind: Export.Kind, essay_set: EssaySet | None) -> bool:
    """True when this may be exported: participants take the files of open sets alone."""
    if is_closed_to_learners(kind, essay_set):
        return False
    is_seen = essay_set is None or sets_exported_for(user).filter(pk=essay_set.pk).exists()
    return kind in kinds_exported_for(user) and is_seen


def exports_seen_by(user: User) -> QuerySet[Export]:
    """Own exports, and for managers those of each other; of people everybody keeps others."""
    found = Export.objects.select_related("owner", "essay_set", "job")
    own = Q(owner=user, kind__in=kinds_exported_for(user))
    if user.role in MANAGERS:
        own |= ~Q(kind__in=[Export.Kind.PEOPLE, Export.Kind.TRAINING])
    return found.filter(own)
