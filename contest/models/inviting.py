"""Who is asked into a team, and the letters about applications and invitations (R 3.1)."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from contest.models.contests import Contest
from contest.models.teams import Application, Team
from web.validators import clean_name


class TeamInvitation(models.Model):
    """Somebody is asked into a team by e-mail; only who has the letter can say yes or no.

    ``token``: a digest of what its link bears. One of
    ``accepted_at``, ``declined_at`` and ``dropped_at`` is there once it is answered or taken back.
    """

    team = models.ForeignKey(
        Team, models.PROTECT, related_name="invitations", verbose_name=_("team")
    )
    contest = models.ForeignKey(Contest, models.PROTECT, related_name="+", editable=False)
    name = models.CharField(_("name"), max_length=150, validators=[clean_name])
    email = models.EmailField(_("e-mail"))
    token = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("invited by"),
    )
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    accepted_at = models.DateTimeField(_("accepted at"), null=True, editable=False)
    declined_at = models.DateTimeField(_("declined at"), null=True, editable=False)
    dropped_at = models.DateTimeField(_("taken back at"), null=True, editable=False)

    class Meta:
        verbose_name = _("invitation to a team")
        verbose_name_plural = _("invitations to teams")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                "team",
                Lower("email"),
                condition=Q(accepted_at=None, declined_at=None, dropped_at=None),
                name="one_open_invitation_per_address",
            ),
            models.CheckConstraint(
                condition=(Q(declined_at=None) & Q(dropped_at=None))
                | (Q(accepted_at=None) & Q(dropped_at=None))
                | (Q(accepted_at=None) & Q(declined_at=None)),
                name="invitation_is_answered_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.email}"

    @property
    def is_open(self) -> bool:
        return not (self.accepted_at or self.declined_at or self.dropped_at)


class TeamLetter(models.Model):
    """A letter to an address that may have no account yet, about one application or invitation.

    ``key`` makes its Message-ID; ``home``: what its link begins with. A letter is ``sent_at`` some
    moment, or refused for good (``refused_at``, ``error``).
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    application = models.OneToOneField(
        Application, models.CASCADE, null=True, related_name="letter"
    )
    invitation = models.OneToOneField(
        TeamInvitation, models.CASCADE, null=True, related_name="letter"
    )
    language = models.CharField(_("language"), max_length=2, default="ru")
    home = models.CharField(max_length=200)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    error = models.CharField(_("error"), max_length=300, blank=True)
    refused_at = models.DateTimeField(_("refused at"), null=True)
    sent_at = models.DateTimeField(_("sent at"), null=True)

    class Meta:
        verbose_name = _("letter about a team")
        verbose_name_plural = _("letters about teams")
        constraints = [
            models.CheckConstraint(
                condition=Q(application=None, invitation__isnull=False)
                | Q(application__isnull=False, invitation=None),
                name="letter_is_about_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application_id} {self.invitation_id}"
