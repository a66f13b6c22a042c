from __future__ import annotations

import uuid
from dataclasses import replace

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import annotator.alias_models
import annotator.change_models
import annotator.import_models  # noqa: F401 - Django looks for models here
from annotator.core.aliases import as_login
from annotator.core.stated import frozen
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject
from annotator.phrase_models import Phrase  # noqa: F401 - named here by all who use it
from annotator.rule_models import RuleSet as RuleSet  # noqa: PLC0414 - it is a model of this app
from annotator.set_models import EssaySet as EssaySet  # noqa: PLC0414 - it is a model of this app


class Essay(models.Model):
    """A version of a pupil's essay (2.30). Its text never changes: the database refuses (see the
    migration). Another text is another version, which closes this one.

    ``revision`` counts the corrections of what is said about it.
    """

    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="essays", verbose_name=_("essay set")
    )
    number = models.CharField(_("number"), max_length=60)
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subject = models.CharField(_("subject"), max_length=16, choices=settings.SUBJECTS)
    text = models.TextField(_("text"))
    theme = models.TextField(_("theme"), blank=True)
    task_text = models.TextField(_("source text"), blank=True)
    class_name = models.CharField(_("class"), max_length=60, blank=True)
    year = models.PositiveSmallIntegerField(_("year"), null=True, blank=True)
    category = models.CharField(_("line"), max_length=120, blank=True)
    test = models.CharField(_("test"), max_length=120, blank=True)
    round = models.PositiveSmallIntegerField(_("round of checks"), default=1)
    imported_at = models.DateTimeField(_("imported at"), db_default=Now())
    version = models.PositiveSmallIntegerField(_("version"), default=1, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)
    closed_at = models.DateTimeField(_("replaced at"), null=True, blank=True, editable=False)
    replaced_because = models.TextField(_("why it was replaced"), blank=True, editable=False)

    class Meta:
        verbose_name = _("essay")
        verbose_name_plural = _("essays")
        ordering = ["essay_set", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set", "number", "version"], name="one_essay_per_version"
            ),
            models.UniqueConstraint(
                fields=["essay_set", "number"],
                condition=Q(closed_at=None),
                name="one_latest_version_per_number",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="essay_has_a_text"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def core_subject(self) -> Subject:
        return Subject(self.subject)

    def meta(self) -> Meta:
        """The meta fields of the exchange format that belong to the essay."""
        return Meta(
            id=self.number,
            uuid=str(self.uuid),
            theme=self.theme,
            class_name=self.class_name,
            year=self.year,
            subject=self.core_subject,
            task_text=self.task_text,
            category=self.category,
            test=self.test,
        )


class Assignment(models.Model):
    """A promise that an expert will mark an essay."""

    class Role(models.TextChoices):
        FIRST = "first", _("first check")
        SECOND = "second", _("second check")
        THIRD = "third", _("third check")

    class State(models.TextChoices):
        WAITING = "waiting", _("not begun")
        WORKING = "working", _("in work")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("handed back")
        WITHDRAWN = "withdrawn", _("withdrawn")

    ACTIVE = (State.WAITING, State.WORKING, State.SUBMITTED)

    essay = models.ForeignKey(
        Essay, models.PROTECT, related_name="assignments", verbose_name=_("essay")
    )
    round = models.PositiveSmallIntegerField(_("round of checks"), default=1)
    role = models.CharField(_("check"), max_length=6, choices=Role)
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="assignments",
        verbose_name=_("expert"),
    )
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    deadline_at = models.DateTimeField(_("deadline"), null=True, blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    submitted_at = models.DateTimeField(_("submitted at"), null=True, blank=True)

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ["essay", "round", "pk"]
        indexes = [
            models.Index(
                fields=["deadline_at"],
                condition=Q(state__in=["waiting", "working"]),
                name="open_checks_by_deadline",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["essay", "round", "role"],
                condition=Q(state__in=["waiting", "working", "submitted"]),
                name="one_active_expert_per_role",
            ),
            # who lost it unopened may have it again; who had begun, ``review`` passes over
            models.UniqueConstraint(
                fields=["essay", "round", "expert"],
                condition=~Q(state="withdrawn"),
                name="one_assignment_per_expert",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id} {self.role}: {self.expert_id}"

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE

    @property
    def is_late(self) -> bool:
        """Submitted after its deadline: accepted, and marked so."""
        return bool(self.submitted_at and self.deadline_at and self.submitted_at > self.deadline_at)


class MarkupRecord(models.Model):
    """One author's markup of one essay. A draft changes; what was submitted is only superseded,
    or reopened by a coordinator with a reason.

    ``version`` counts the changes: whoever changes a markup says which version was seen.
    ``client_key`` makes sending the same markup twice one submission. ``active_seconds`` is the
    time somebody was seen at work on it, last at ``active_at``. ``alias``: the number by which
    whoever asked knows its author (``annotator.access``); ``None`` for those who read names.
    """

    alias: int | None = None

    class Source(models.TextChoices):
        EXPERT = "expert", _("expert")
        ALGORITHM = "algorithm", _("algorithm")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        SUBMITTED = "submitted", _("submitted")
        SUPERSEDED = "superseded", _("superseded")

    essay = models.ForeignKey(
        Essay, models.PROTECT, related_name="markups", verbose_name=_("essay")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="markups", verbose_name=_("author")
    )
    source = models.CharField(_("source"), max_length=9, choices=Source)
    assignment = models.ForeignKey(
        Assignment,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="markups",
        verbose_name=_("assignment"),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    version = models.PositiveIntegerField(_("version"), default=0)
    third = models.BooleanField(_("third check"), default=False)
    stated = models.JSONField(_("stated points"), default=dict, blank=True)
    client_key = models.CharField(_("key of the submission"), max_length=80, null=True, blank=True)  # noqa: DJ001 - null is no key
    client_digest = models.CharField(_("digest of what was sent"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    saved_at = models.DateTimeField(_("saved at"), db_default=Now())
    active_seconds = models.PositiveIntegerField(_("seconds at work"), default=0)
    active_at = models.DateTimeField(_("last at work"), db_default=Now())
    submitted_at = models.DateTimeField(_("submitted at"), null=True, blank=True)
    superseded_at = models.DateTimeField(_("superseded at"), null=True, blank=True)
    reopened_at = models.DateTimeField(_("reopened at"), null=True, blank=True)
    reopened_because = models.TextField(_("reason of the reopening"), blank=True)

    class Meta:
        verbose_name = _("markup")
        verbose_name_plural = _("markups")
        ordering = ["essay", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["essay", "author"],
                condition=~Q(state="superseded"),
                name="one_current_markup_per_author",
            ),
            models.UniqueConstraint(fields=["author", "client_key"], name="one_markup_per_key"),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False),
                name="submitted_markup_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id} {self.author_id} ({self.state})"

    @property
    def author_name(self) -> str:
        """The author as whoever asked for the markup may know them."""
        if self.alias is None:
            return str(self.author)
        return gettext("Expert %d") % self.alias if self.alias else gettext("Expert")

    @property
    def author_login(self) -> str:
        """The same as programs and files have it."""
        return self.author.username if self.alias is None else as_login(self.alias)

    def to_core(self) -> Markup:
        """The value: the essay's text and the fragments in the order they were made."""
        rows = self.fragments.all()
        return Markup(self.essay.text, tuple(row.to_core() for row in rows))

    def to_file(self) -> MarkedFile:
        """The marked file of the exchange: the essay's meta fields and this author's markup."""
        is_expert = self.source == self.Source.EXPERT
        expert = self.author_login if is_expert else ""
        meta = replace(self.essay.meta(), expert=expert, third=self.third)
        return MarkedFile(meta, self.to_core(), frozen(self.stated), self.file_name)

    @property
    def file_name(self) -> str:
        """``0050051_exp106.json`` for an expert's file, ``0050051.json`` for an algorithm's."""
        is_expert = self.source == self.Source.EXPERT
        suffix = f"_{self.author_login}" if is_expert else ""
        return f"{self.essay.number}{suffix}.json"


class FragmentRecord(models.Model):
    """A fragment of a markup; without bounds it is a mistake of the whole text.

    ``uid`` is given by the client that made it, so that a repeated request makes it once.
    ``taken_from``: the fragment of an earlier check the third expert took it from.
    """

    class Kind(models.TextChoices):
        BLOCK = Kind.BLOCK.value, _("semantic block")
        MISTAKE = Kind.MISTAKE.value, _("mistake")

    markup = models.ForeignKey(MarkupRecord, models.CASCADE, related_name="fragments")
    uid = models.UUIDField(default=uuid.uuid4)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=7, choices=Kind)
    code = models.CharField(max_length=60, blank=True)
    subcode = models.CharField(max_length=60, blank=True)
    comment = models.TextField(blank=True)
    explanation = models.TextField(blank=True)
    correction = models.TextField(blank=True)
    tag = models.CharField(max_length=60, blank=True)
    taken_from = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["markup", "uid"], name="one_fragment_per_uid"),
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True)
                | Q(start__gte=0, start__lt=F("end")),
                name="fragment_is_not_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.start}–{self.end}"

    def to_core(self) -> Fragment:
        """The value; ``id`` is the row's."""
        has_span = self.start is not None and self.end is not None
        return Fragment(
            span=Span(self.start, self.end) if has_span else None,  # type: ignore[arg-type]
            code=self.code,
            subcode=self.subcode,
            comment=self.comment,
            explanation=self.explanation,
            correction=self.correction,
            tag=self.tag,
            kind=Kind(self.kind),
            id=self.pk or 0,
        )
