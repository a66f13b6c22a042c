"""A set of essays: what it is called, by which rules it goes, how far it is."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.core.set_states import SetState
from web.validators import clean_name


def folded(name: str) -> str:
    """A name as those that differ from it in capital letters alone are folded too.

    Made here, as databases do not agree on the letters of every alphabet.
    """
    return name.casefold()


class FoldedName(models.CharField):
    """The folded ``name`` of a row, written whenever the row is.

    Names that were alike before their table knew it bear a line more, so that each is one of its
    own; they keep it until somebody gives them another name.
    """

    def pre_save(self, row: models.Model, add: bool) -> str:
        value = super().pre_save(row, add)
        name = folded(row.name)  # type: ignore[attr-defined]
        if value.partition("\n")[0] != name:
            value = name
            setattr(row, self.attname, value)
        return str(value)


class EssaySet(models.Model):
    """A data set (2.5) and the rules it is marked and scored by.

    What a state allows stands in ``annotator.core.set_states``. ``revision`` counts the acts of
    coordinators: whoever changes a set says which one was seen.
    """

    class Access(models.TextChoices):
        OPEN = "open", _("training: participants see the markups")
        CLOSED = "closed", _("test: participants see figures only")
        FINAL = "final", _("finals: participants see the markups once they are published")
        PRACTICE = "practice", _("practice: experts try essays and see the key at once")

    class State(models.TextChoices):
        PREPARING = SetState.PREPARING.value, pgettext_lazy("essay set", "being prepared")
        OPEN = SetState.OPEN.value, pgettext_lazy("essay set", "open")
        CLOSED = SetState.CLOSED.value, pgettext_lazy("essay set", "closed")
        ARCHIVED = SetState.ARCHIVED.value, pgettext_lazy("essay set", "archived")

    name = models.CharField(_("name"), max_length=80, unique=True, validators=[clean_name])
    name_folded = FoldedName(max_length=260, editable=False)
    access = models.CharField(_("access"), max_length=8, choices=Access, default=Access.CLOSED)
    published_at = models.DateTimeField(
        _("published at"),
        null=True,
        blank=True,
        help_text=_("For finals: from this moment on participants see the experts’ markups."),
    )
    shows_rivals = models.BooleanField(
        _("participants see each other’s figures"),
        default=False,
        help_text=_("By full names. Else, of test sets and finals, they see their own alone."),
    )
    names_experts = models.BooleanField(
        _("participants read experts’ names"),
        default=False,
        help_text=_("Else as “Expert 3”, by a number that is another one in every set."),
    )
    takes_parcels = models.BooleanField(
        _("participants hand in markups as an archive"),
        default=False,
        help_text=_("A .zip of .json and .txt files, as often as they like. Never of finals."),
    )
    rules = models.ForeignKey("annotator.RuleSet", models.PROTECT, verbose_name=_("rules"))
    guidelines = models.TextField(_("guidelines for experts"), blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.OPEN)
    opened_at = models.DateTimeField(_("opened at"), null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("essay set")
        verbose_name_plural = _("essay sets")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name_folded"], name="one_set_per_name_in_any_case")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_practice(self) -> bool:
        """True where nothing is checked: experts try essays that have a key."""
        return self.access == self.Access.PRACTICE
