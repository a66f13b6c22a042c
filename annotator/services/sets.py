"""Essay sets, made where their essays come from."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet, RuleSet
from web.refusals import Refused


def new_essay_set(*, name: str, rules: str = "") -> EssaySet:
    """A closed set under the newest version of these rules, or under the only ones there are.

    Where there are no rules at all, they are new and the regulation's. Nothing is saved. Raises
    ``Refused``.
    """
    essay_set = EssaySet(name=name.strip(), rules=rules_named(rules))
    try:
        essay_set.full_clean(exclude=["rules"])
    except ValidationError as error:
        message = _("“%(name)s” cannot be the name of a set: %(reason)s")
        fields = {"name": name, "reason": " ".join(error.messages)}
        raise Refused(message % fields) from None
    refuse_like_name(essay_set)
    return essay_set


def refuse_like_name(essay_set: EssaySet, name: str = "") -> None:
    """Raise ``Refused`` where another set's name differs from a set's, or from the one it is to
    get, in capital letters alone.

    Compared here, as databases do not agree on the letters of every alphabet.
    """
    wanted = name or essay_set.name
    others = EssaySet.objects.exclude(pk=essay_set.pk).values_list("name", flat=True)
    alike = [other for other in others if other.casefold() == wanted.casefold()]
    if alike and wanted not in alike:
        message = _(
            "There is a set “%(other)s” already, whose name differs from “%(name)s” in capital "
            "letters alone. Use that set, or choose another name."
        )
        raise Refused(message % {"other": alike[0], "name": wanted})


@transaction.atomic
def make_essay_set(*, essay_set: EssaySet, actor: User | None) -> None:
    """Save a new set, and its rules where they are new."""
    if essay_set.rules.pk is None:
        essay_set.rules.save(force_insert=True)
    essay_set.save(force_insert=True)
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
