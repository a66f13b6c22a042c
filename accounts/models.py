from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.signals import password_renewed
from accounts.validators import PUBLISHED_PASSWORD
from web.validators import clean_name

FOLLOWING_ROLE: Final = ("is_staff", "is_superuser")
"""Django's own rights."""


class UserManager(DjangoUserManager):
    def create_superuser(  # type: ignore[override]
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> User:
        """An administrator, as ``manage.py createsuperuser`` makes one."""
        return super().create_superuser(
            username, email, password, role=User.Role.ADMINISTRATOR, **fields
        )


class User(AbstractUser):
    """An account. One account has one role: who checks is not who decides (regulation, 8).

    ``password_is_published``: its password is the demo's, which everybody knows.
    ``closings``: how many times it was closed; sessions begun before the last time are over.
    """

    class Role(models.TextChoices):
        EXPERT = "expert", _("Expert")
        PARTICIPANT = "participant", _("Participant")
        COORDINATOR = "coordinator", _("Coordinator")
        ORGANISER = "organiser", _("Organiser")
        JUDGE = "judge", _("Judge")
        COMMISSION = "commission", _("Technical commission")
        ADMINISTRATOR = "administrator", _("Administrator")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    full_name = models.CharField(
        pgettext_lazy("person", "name"), max_length=150, blank=True, validators=[clean_name]
    )
    email = models.EmailField(_("e-mail"), blank=True)
    role = models.CharField(_("role"), max_length=16, choices=Role, default=Role.EXPERT)
    school = models.CharField(_("school"), max_length=150, blank=True, validators=[clean_name])
    password_is_published = models.BooleanField(default=False, editable=False)
    closings = models.PositiveIntegerField(default=0, editable=False)

    objects = UserManager()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                condition=~Q(email=""),
                name="one_account_per_email",
                violation_error_message=_("Another account has this e-mail."),
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="one_account_per_login",
                violation_error_message=_("Another account has this login in other letter case."),
            ),
        ]

    def __str__(self) -> str:
        return self.full_name or self.username

    def marks_of(self, subjects: Iterable[str]) -> set[str]:
        """The subjects its owner marks, of those that are named: only experts mark any."""
        return set(subjects) if self.role == self.Role.EXPERT else set()

    def clean(self) -> None:
        super().clean()
        alike = User.objects.filter(username__iexact=self.username).exclude(pk=self.pk)
        other = alike.exclude(username=self.username).first()
        if other is not None:
            message = _("There is an account %(login)s: logins must differ in more than case.")
            said = ValidationError(message, params={"login": other.username})
            raise ValidationError({"username": said})

    def save(self, *args: Any, **kwargs: Any) -> None:
        # They follow the role: nobody gets them by another way.
        for name in FOLLOWING_ROLE:
            setattr(self, name, self.role == self.Role.ADMINISTRATOR)
        fields = kwargs.get("update_fields")
        renewed = (fields is None or "password" in fields) and self._has_new_password()
        with transaction.atomic():
            super().save(*args, **kwargs)
            if renewed:
                password_renewed.send(sender=User, user_id=self.pk)

    def _has_new_password(self) -> bool:
        """By any way there is, one that opens nothing among them; Django forgets it in save()."""
        if self._state.adding:
            return False
        if self._password is not None:
            return True
        kept = User.objects.filter(pk=self.pk, password=self.password)
        return not self.has_usable_password() and not kept.exists()

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(raw_password)
        self.password_is_published = raw_password == PUBLISHED_PASSWORD

    def get_session_auth_hash(self) -> str:
        return f"{super().get_session_auth_hash()}{self.closings or ''}"

    def get_full_name(self) -> str:
        return self.full_name or self.username

    def get_short_name(self) -> str:
        return self.full_name.split(" ")[0] or self.username


class Specialism(models.Model):
    """A subject an expert is able to mark."""

    user = models.ForeignKey(User, models.CASCADE, related_name="specialisms")
    subject = models.CharField(_("subject"), max_length=16, choices=settings.SUBJECTS)

    class Meta:
        verbose_name = _("specialism")
        verbose_name_plural = _("specialisms")
        ordering = ["subject"]
        constraints = [
            models.UniqueConstraint(fields=["user", "subject"], name="one_specialism_per_subject"),
        ]

    def __str__(self) -> str:
        return self.get_subject_display()


class ApiToken(models.Model):
    """A key to the API. Only its digest is kept: the token itself is shown once.

    ``used_at`` is right to the minute: it is not written at every request. ``member``: who made it
    in the name of the account and answers for it.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    member = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")
    name = models.CharField(_("name"), max_length=60, validators=[clean_name])
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=8, editable=False)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} …{self.hint}"


class RateBucket(models.Model):
    """The moments something was tried at, in seconds since 1970 by the database's clock."""

    key = models.CharField(max_length=200, unique=True)
    moments = models.JSONField(default=list)
    at = models.DateTimeField(db_default=Now(), db_index=True)

    now: datetime

    def __str__(self) -> str:
        return f"{self.key}: {len(self.moments)}"


class KnownPlace(models.Model):
    """A browser or an address an account was opened from; ``mark`` tells neither to a reader."""

    user = models.ForeignKey(User, models.CASCADE, related_name="known_places")
    mark = models.CharField(max_length=64)
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "mark"], name="one_mark_per_known_place"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.mark[:8]}"


class AuditEntry(models.Model):
    """Who did what to what: written with the change itself, never altered (a trigger watches)."""

    actor = models.ForeignKey(
        User, models.PROTECT, null=True, related_name="+", verbose_name=_("who")
    )
    action = models.CharField(_("action"), max_length=40)
    object_type = models.CharField(_("kind of object"), max_length=40)
    object_id = models.CharField(_("object"), max_length=40)
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("time"), db_default=Now())

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["object_type", "object_id"])]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"
