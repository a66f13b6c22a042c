"""What coordinators do with an essay set: each act once, audited, and none over another's.

An act says which ``revision`` of the set was seen. Where another one came first it is refused, and
where it is done already, as when a form is sent twice, nothing more is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError
from django.db.models.functions import Now
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.core.set_states import SetState, may_become
from annotator.models import EssaySet, RuleSet
from annotator.models.sets import folded
from annotator.queries.sets import scored_by_rules, unfinished_in
from annotator.services.gates import may_go_by, refuse_access, refuse_publication, refuse_rules
from annotator.services.sets import refuse_like_name
from annotator.signals import rules_changed
from web.refusals import Conflict, Refused

State = EssaySet.State
MOMENT_OF: Final = {
    State.OPEN: "opened_at",
    State.CLOSED: "closed_at",
    State.ARCHIVED: "archived_at",
}
"""Where it is kept when a set was last brought into a state."""


@transaction.atomic
def found_essay_set(*, essay_set: EssaySet, actor: User) -> EssaySet:
    """Save a new set that is being prepared, and its rules where these are new.

    The same form sent twice makes it once. Raises ``Refused`` where another set has the name.
    """
    essay_set.state = State.PREPARING
    refuse_like_name(essay_set)
    try:
        with transaction.atomic():
            if essay_set.rules.pk is None:
                essay_set.rules.save(force_insert=True)
            essay_set.save(force_insert=True)
    except IntegrityError:
        return _made_before(essay_set)
    audit(actor=actor, action="set.made", target=essay_set, rules=str(essay_set.rules))
    return essay_set


def _made_before(essay_set: EssaySet) -> EssaySet:
    present = EssaySet.objects.filter(name=essay_set.name).first()
    own = (
        *("access", "shows_rivals", "names_experts", "takes_parcels"),
        *("rules_id", "guidelines", "state"),
    )
    if present is None or any(getattr(present, name) != getattr(essay_set, name) for name in own):
        raise Refused(_("There is a set “%s” already. Choose another name.") % essay_set.name)
    return present


@transaction.atomic
def describe_set(
    *, essay_set: EssaySet, seen: int, actor: User | None, values: Mapping[str, Any]
) -> bool:
    """Give a set another name, rules, guidelines or access; false where it has them already.

    Raises ``Conflict``, and ``Refused`` for other rules once markups were handed in under these or
    where somebody else says by which it goes, and where essays that are checked would become
    practice, or the other way. Only finals are published: with that access a set loses the moment
    to come that was named for it.
    """
    held = hold_set(essay_set.pk)
    changed = {name: each for name, each in values.items() if getattr(held, name) != each}
    if not changed:
        return False
    _refuse_other(held, seen)
    if "rules" in changed:
        refuse_other_rules(held)
        refuse_rules(held, changed["rules"])
    if "access" in changed:
        refuse_access(held, changed["access"])
        refuse_other_use(held, changed["access"])
        if held.published_at is not None and held.published_at > _now(held):
            changed["published_at"] = None
    if "name" in changed:
        refuse_like_name(held, changed["name"])
    before = {name: _told(getattr(held, name)) for name in changed}
    after = {name: _told(each) for name, each in changed.items()}
    try:
        with transaction.atomic():
            _write(held, **changed)
    except IntegrityError:
        raise Refused(
            _("There is a set “%s” already. Choose another name.") % changed["name"]
        ) from None
    audit(actor=actor, action="set.changed", target=held, before=before, after=after)
    if "rules" in changed:
        rules_changed.send(sender=EssaySet, set_id=held.pk)
    return True


@transaction.atomic
def bring_into(*, essay_set: EssaySet, state: str, seen: int, actor: User) -> bool:
    """Open, close or archive a set, or take it back; false where it is so already.

    Raises ``Conflict``, and ``Refused`` where the step cannot be made.
    """
    held = hold_set(essay_set.pk)
    if held.state == state:
        return False
    _refuse_other(held, seen)
    wanted = State(state)
    if not may_become(SetState(held.state), SetState(wanted)):
        message = _("The set is %(state)s: it cannot become %(wanted)s from there.")
        fields = {"state": held.get_state_display(), "wanted": wanted.label}
        raise Refused(message % fields)
    if wanted == State.ARCHIVED:
        refuse_unfinished(held)
    before = held.state
    _write(held, state=state, **{MOMENT_OF[wanted]: Now()})
    audit(actor=actor, action="set.state", target=held, before=before, after=state)
    return True


@transaction.atomic
def publish(*, essay_set: EssaySet, at: datetime | None, seen: int, actor: User) -> bool:
    """Let participants see the experts' markups of finals, now or from a moment on.

    False where it is so already. A moment in the future may be moved, one that came may not.
    """
    held = hold_set(essay_set.pk)
    now = _now(held)
    is_published = held.published_at is not None and held.published_at <= now
    if is_published or (at is not None and held.published_at == at):
        return False
    _refuse_other(held, seen)
    refuse_publication(held)
    if at is not None and at <= now:
        raise Refused(_("That moment is past. Name one to come, or publish now."))
    before = held.published_at
    _write(held, published_at=at or Now())
    held.refresh_from_db(fields=["published_at"])
    after = held.published_at
    audit(actor=actor, action="set.published", target=held, before=_told(before), at=_told(after))
    return True


@transaction.atomic
def keep_back(*, essay_set: EssaySet, seen: int, actor: User) -> bool:
    """Take back a publication at a moment to come; false where none is named.

    Raises ``Conflict``, and ``Refused`` once the moment has come.
    """
    held = hold_set(essay_set.pk)
    before = held.published_at
    if before is None:
        return False
    _refuse_other(held, seen)
    if before <= _now(held):
        raise Refused(_("The set “%s” is published by now, and stays so.") % held)
    _write(held, published_at=None)
    audit(actor=actor, action="set.kept_back", target=held, before=_told(before))
    return True


@transaction.atomic
def delete_set(*, essay_set: EssaySet, actor: User) -> None:
    """Delete a set that holds no essay. Raises ``Refused``."""
    held = hold_set(essay_set.pk)
    if held.essays.exists():
        raise Refused(_("The set holds essays: it can be archived, not deleted."))
    audit(actor=actor, action="set.deleted", target=held, name=held.name)
    try:
        with transaction.atomic():
            held.delete()
    except (ProtectedError, IntegrityError):
        message = _("The set cannot be deleted: something stands in it or was written down of it.")
        raise Refused(message) from None


@transaction.atomic
def rule_anew(
    *, essay_set: EssaySet, newest: int, seen: int, actor: User, values: Mapping[str, Any]
) -> RuleSet:
    """Make the next version of a set's rules, which the set takes while it may take any.

    ``newest``: the last version that was seen. What is there never changes; the same form sent
    twice makes one version. Raises ``Conflict``, and ``Refused`` where nothing is different.
    """
    held = hold_set(essay_set.pk)
    rules = _next_rules(held.rules, newest, values, actor)
    if held.rules != rules and not scored_by_rules(held) and may_go_by(held, rules):
        describe_set(essay_set=held, seen=seen, actor=actor, values={"rules": rules})
    return rules


def _next_rules(base: RuleSet, newest: int, values: Mapping[str, Any], actor: User) -> RuleSet:
    rules = RuleSet(**{**_says(base), **values, "name": base.name, "version": newest + 1})
    made = RuleSet.objects.filter(name=base.name)
    if not made.filter(version=newest).exists():  # no page shows it
        raise Conflict(_("Somebody made these rules anew at this moment. Look again."))
    present = made.filter(version__gt=newest).order_by("version").first()
    if present is not None and _says(present) == _says(rules):
        return present
    if present is not None:
        message = _("Somebody made version %d of these rules meanwhile. Look at it first.")
        raise Conflict(message % present.version)
    if _says(rules) == _says(base):
        raise Refused(_("Nothing is different from %s.") % base)
    try:
        with transaction.atomic():
            rules.save(force_insert=True)
    except IntegrityError:
        raise Conflict(_("Somebody made these rules anew at this moment. Look again.")) from None
    audit(actor=actor, action="rules.made", target=rules, rules=str(rules))
    return rules


def hold_set(set_id: int) -> EssaySet:
    """Lock a set's row to the end of the transaction. Raises ``Refused`` when it is gone."""
    held = EssaySet.objects.select_for_update(of=("self",)).select_related("rules")
    found = held.filter(pk=set_id).first()
    if found is None:
        raise Refused(_("This set was deleted meanwhile."))
    return found


def refuse_other_rules(essay_set: EssaySet) -> None:
    """Raise ``Refused`` where scores and decisions name the rules a set has."""
    if scored_by_rules(essay_set):
        message = _("Markups were handed in under %s: the set keeps these rules.")
        raise Refused(message % essay_set.rules)


def refuse_other_use(essay_set: EssaySet, access: str) -> None:
    """Raise ``Refused`` where a set with essays would become practice, or cease to be."""
    if EssaySet.Access.PRACTICE in (essay_set.access, access) and essay_set.essays.exists():
        message = _("The set “%s” holds essays: practice begins and ends with an empty set.")
        raise Refused(message % essay_set)


def refuse_unfinished(essay_set: EssaySet) -> None:
    """Raise ``Refused`` where checks of a set are not submitted: it is not archived."""
    left = unfinished_in(essay_set).count()
    if left:
        message = _("Checks that are not submitted: %d. Wait for them or take them away first.")
        raise Refused(message % left)


def _refuse_other(held: EssaySet, seen: int) -> None:
    if held.revision != seen:
        raise Conflict(_("Somebody changed the set meanwhile. Look at it again."))


def _now(held: EssaySet) -> datetime:
    now: datetime = EssaySet.objects.filter(pk=held.pk).values_list(Now(), flat=True).get()
    return now


def _write(held: EssaySet, **changes: Any) -> None:
    if "name" in changes:
        changes["name_folded"] = folded(changes["name"])
    EssaySet.objects.filter(pk=held.pk).update(**changes, revision=F("revision") + 1)


def _says(rules: RuleSet) -> dict[str, Any]:
    """What rules say, without their name and number."""
    return model_to_dict(rules, exclude=["id", "name", "version", "created_at"])


def _told(value: Any) -> Any:
    """A value as the audit trail keeps it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, bool | str | int | None) else str(value)
