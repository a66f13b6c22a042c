"""Essay sets, made where their essays come from."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet, RuleSet
from annotator.models.sets import folded
from web.refusals import Refused


def new_essay_set(*, name: str, rules: str = "") -> EssaySet:
    """A closed set under the newest version of these rules, or under the only ones there are.

    Where there are no rules at all, they are new and the regulation's. Nothing is saved. Raises
    ``Refused``.
    """
    essay_set = EssaySet(name=name.strip(), rules=rules_named(rules))
    try:
        essay_set.full_clean(exclude=["rules"], validate_unique=False)
        refuse_taken_name(essay_set)
    except ValidationError as error:
        message = _("“%(name)s” cannot be the name of a set: %(reason)s")
        fields = {"name": name, "reason": " ".join(error.messages)}
        raise Refused(message % fields) from None
    refuse_like_name(essay_set)
    return essay_set


def refuse_taken_name(essay_set: EssaySet) -> None:
    """Raise ``Refused`` where another set has this very name."""
    if EssaySet.objects.filter(name=essay_set.name).exclude(pk=essay_set.pk).exists():
        raise Refused(_("There is a set “%s” already. Choose another name.") % essay_set.name)


def refuse_like_name(essay_set: EssaySet, name: str = "") -> None:
    """Raise ``Refused`` where another set's name differs from a set's, or from the one it is to
    get, in capital letters alone.

    Of two at one instant the database refuses one.
    """
    wanted = name or essay_set.name
    alone, one_of_several = folded(wanted), f"{folded(wanted)}\n"
    others = EssaySet.objects.filter(
        Q(name_folded=alone) | Q(name_folded__startswith=one_of_several)
    ).exclude(pk=essay_set.pk)
    alike = list(others.order_by("pk").values_list("name", flat=True))
    if alike and wanted not in alike:
        message = _(
            "There is a set “%(other)s” already, whose name differs from “%(name)s” in capital "
            "letters alone. Use that set, or choose another name."
        )
        raise Refused(message % {"other": alike[0], "name": wanted})


@transaction.atomic
def make_essay_set(*, essay_set: EssaySet, actor: User | None) -> None:
    """Save a new set, and its rules where they are new.

    Raises ``Refused`` where another one got the name, in capital letters or not, at this moment.
    """
    if essay_set.rules.pk is None:
        essay_set.rules.save(force_insert=True)
    try:
        with transaction.atomic():
            essay_set.save(force_insert=True)
    except IntegrityError:
        raise Refused(
            _("There is a set “%s” already. Choose another name.") % essay_set.name
        ) from None
    audit(actor=actor, action="set.made", target=essay_set, rules=str(essay_set.rules))


def rules_named(name: str = "") -> RuleSet:
    """The newest version of these rules, or of the only ones; new ones, not saved, of none.

    Raises ``Refused``.
    """
    names = list(RuleSet.objects.order_by("name").values_list("name", flat=True).distinct())
    if not names and not name:
        return RuleSet(name=_("Regulation"))
    if not name and len(names) == 1:
        name = names[0]
    found = RuleSet.objects.filter(name=name).order_by("-version").first()
    if found is None:
        message = _("Say which rules the set follows. There are: %s.")
        raise Refused(message % (", ".join(names) or _("none yet")))
    return found
