"""Who may see the desk and give checks away: the one place that decides."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.roles import MANAGERS, STAFF
from annotator.access import sees_everything
from annotator.models import Essay, EssaySet
from review.models import Export


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


def may_hand_out(user: User) -> bool:
    """True for those who make protocols, and pages for pupils."""
    return user.role in STAFF


def may_see_agreement(user: User) -> bool:
    """True for those who see where experts differ."""
    return user.role in STAFF


def has_exports(user: User) -> bool:
    """True for those who have anything to order."""
    return user.role in MANAGERS or user.role == User.Role.PARTICIPANT


def sets_exported_for(user: User) -> QuerySet[EssaySet]:
    """The essay sets of which somebody may order something."""
    sets = EssaySet.objects.order_by("name")
    if user.role in MANAGERS:
        return sets
    is_open = sets.filter(access=EssaySet.Access.OPEN)
    return is_open if user.role == User.Role.PARTICIPANT else sets.none()


def kinds_exported_for(user: User) -> list[Export.Kind]:
    """What somebody may order."""
    if user.role in MANAGERS:
        return list(Export.Kind)
    return [Export.Kind.TRAINING] if user.role == User.Role.PARTICIPANT else []


def may_order_export(user: User, kind: Export.Kind, essay_set: EssaySet | None) -> bool:
    """True when this may be exported: participants take the files of open sets alone."""
    is_training = kind == Export.Kind.TRAINING
    if is_training and (essay_set is None or essay_set.access != EssaySet.Access.OPEN):
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
