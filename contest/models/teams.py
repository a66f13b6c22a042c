"""Teams of a contest: who is in them, what they applied with, what was decided (R 2.25, 3, 6.3)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models.contests import Contest
from web.validators import clean_name


class Team(models.Model):
    """A participant of a contest. Keys, sessions and markups are its ``account``'s, an account of
    the role of participants that nobody needs to sign in to: members act for it.

    ``admitted_at``: organisers admitted it to the finals; ``excluded_at``: it takes part no more,
    ``excluded_by`` names the protocol.
    """

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="teams", verbose_name=_("contest")
    )
    name = models.CharField(_("team"), max_length=80, validators=[clean_name])
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="team", verbose_name=_("account")
    )
    admitted_at = models.DateTimeField(_("admitted at"), null=True, editable=False)
    excluded_at = models.DateTimeField(_("excluded at"), null=True, editable=False)
    excluded_because = models.TextField(_("reason"), blank=True, editable=False)
    excluded_by = models.CharField(_("protocol"), max_length=200, blank=True, editable=False)
    created_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["contest", "name"]
        constraints = [
            models.UniqueConstraint("contest", Lower("name"), name="one_team_per_name"),
            models.CheckConstraint(
                condition=Q(excluded_at=None) | ~Q(excluded_because=""),
                name="excluded_team_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody in a team, from ``joined_at`` to ``left_at``; in one team of a contest at a time."""

    team = models.ForeignKey(
        Team, models.PROTECT, related_name="memberships", verbose_name=_("team")
    )
    contest = models.ForeignKey(Contest, models.PROTECT, related_name="+", editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="memberships",
        verbose_name=_("member"),
    )
    is_captain = models.BooleanField(_("captain"), default=False)
    joined_at = models.DateTimeField(_("joined at"), db_default=Now())
    left_at = models.DateTimeField(_("left at"), null=True, editable=False)

    class Meta:
        verbose_name = _("member of a team")
        verbose_name_plural = _("members of teams")
        ordering = ["team", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest", "person"],
                condition=Q(left_at=None),
                name="one_team_of_a_contest_per_person",
            ),
            models.UniqueConstraint(
                fields=["team"],
                condition=Q(left_at=None, is_captain=True),
                name="one_captain_per_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.person_id}"


class Application(models.Model):
    """A form as it was sent (R 3.1). It counts once its e-mail is confirmed: then there is a team.

    ``members``: ``[{"name": .., "email": ..}]``, the first of them its captain. ``token``: a digest
    of what the letter's link bears.
    """

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="applications", verbose_name=_("contest")
    )
    name = models.CharField(_("team"), max_length=80, validators=[clean_name])
    organisation = models.CharField(
        _("organisation"), max_length=150, blank=True, validators=[clean_name]
    )
    about = models.TextField(_("about the solution"), blank=True)
    email = models.EmailField(_("e-mail"))
    members = models.JSONField(_("members"), default=list)
    agrees = models.BooleanField(_("agrees to the regulation"), default=False)
    language = models.CharField(max_length=2, default="ru", editable=False)
    token = models.CharField(max_length=64, unique=True, editable=False)
    sent_at = models.DateTimeField(_("sent at"), db_default=Now())
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, editable=False)
    team = models.OneToOneField(
        Team,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="application",
        verbose_name=_("team"),
    )

    class Meta:
        verbose_name = _("application")
        verbose_name_plural = _("applications")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(confirmed_at=None, team=None)
                | Q(confirmed_at__isnull=False, team__isnull=False),
                name="confirmed_application_is_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id} {self.name}"


class TeamVerdict(models.Model):
    """Who said what of a team's readiness for the finals; a row never changes (R 8.1).

    Judges check the conclusion, the commission verifies it, organisers admit. ``conclusion``: what
    was concluded automatically when the verdict was given.
    """

    class Kind(models.TextChoices):
        CHECKED = "checked", pgettext_lazy("verdict of a team", "checked")
        VERIFIED = "verified", pgettext_lazy("verdict of a team", "verified")
        ADMITTED = "admitted", pgettext_lazy("verdict of a team", "admitted")
        RETURNED = "returned", pgettext_lazy("verdict of a team", "returned")

    team = models.ForeignKey(Team, models.PROTECT, related_name="verdicts", verbose_name=_("team"))
    round = models.PositiveSmallIntegerField(default=1, editable=False)
    kind = models.CharField(_("verdict"), max_length=8, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())
    reason = models.TextField(_("reason"), blank=True)
    conclusion = models.JSONField(_("conclusion"), default=dict)

    class Meta:
        verbose_name = _("verdict of a team")
        verbose_name_plural = _("verdicts of teams")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "round", "kind"], name="one_verdict_of_a_kind_per_team_and_round"
            ),
            models.UniqueConstraint(
                fields=["team", "round", "who"], name="one_verdict_of_a_person_per_team_and_round"
            ),
            models.CheckConstraint(
                condition=~Q(kind="returned") | ~Q(reason=""), name="returned_team_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id}: {self.kind}"
