"""Who is connected, whether the gateways live, and when none of them did."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from contest.models.sessions import ExchangeSession


class ConnectionLease(models.Model):
    """The connection of a participant: the newest is the ``holder``, until its lease runs out."""

    participant = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="connection_lease"
    )
    holder = models.UUIDField(unique=True)
    until = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("connection")
        verbose_name_plural = _("connections")

    def __str__(self) -> str:
        return f"{self.participant_id} {self.holder}"


class GatewayBeat(models.Model):
    """A sign of life of a gateway."""

    name = models.CharField(max_length=200, unique=True)
    beat_at = models.DateTimeField()

    class Meta:
        verbose_name = _("gateway")
        verbose_name_plural = _("gateways")

    def __str__(self) -> str:
        return self.name


class Outage(models.Model):
    """A time in which no gateway answered. One that lasts still is not saved."""

    began_at = models.DateTimeField(_("began at"))
    ended_at = models.DateTimeField(_("ended at"))

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-began_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__gt=F("began_at")), name="outage_ends_after_it_began"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.began_at} – {self.ended_at}"


class ProgramLog(models.Model):
    """What a participant's program wrote into its own log and sent; nothing reads it but people."""

    participant = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="program_logs"
    )
    session = models.ForeignKey(
        ExchangeSession, models.SET_NULL, null=True, related_name="program_logs"
    )
    at = models.DateTimeField(_("time"))
    entries = models.JSONField(_("entries"))

    class Meta:
        verbose_name = _("log of a program")
        verbose_name_plural = _("logs of programs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.participant_id} {self.at}"
