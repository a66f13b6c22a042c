"""Markups and their fragments."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.core.aliases import as_login
from annotator.core.origins import session_number
from annotator.core.stated import frozen
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Span
from annotator.models.essays import Assignment, Essay


def origin_words(origin: str) -> str:
    """What people read of where markups come from; empty for what was sent freely."""
    number = session_number(origin)
    return origin if number is None else gettext("session %d") % number


class MarkupRecord(models.Model):
    """One author's markup of one essay. A draft changes; what was submitted is only superseded,
    or reopened by a coordinator with a reason.

    ``version`` counts the changes: whoever changes a markup says which version was seen.
    ``client_key`` makes sending the same markup twice one submission. ``active_seconds`` is the
    time somebody was seen at work on it, last at ``active_at``. ``PRACTICE`` is an expert's try of
    an essay of a practice set and ``KEY`` what it is compared with: neither is a check, so nothing
    that asks for experts' markups or for assignments comes upon them. ``alias``: the number by
    which whoever asked knows its author (``annotator.access``); ``None`` for those who read names.
    ``known``: its fragments, where they were read already and are those of ``version``. ``page``:
    the page of a browser that is changing it. ``has_moved_keys``: a key may bring something else
    since it was changed. ``final_at``: a draft that was handed in
    at ``submitted_at`` can be recalled until then (``services.recalling``). ``origin``: where an
    algorithm's answer comes from, empty for what was sent freely; of each one counts. ``called``:
    what its author is called among namesakes, for those who read that.
    """

    alias: int | None = None
    known: list[FragmentRecord] | None = None
    page: str = ""
    has_moved_keys: bool = False
    called: str = ""

    class Source(models.TextChoices):
        EXPERT = "expert", _("expert")
        ALGORITHM = "algorithm", _("algorithm")
        PRACTICE = "practice", pgettext_lazy("markup", "practice")
        KEY = "key", pgettext_lazy("markup", "key")

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
    origin = models.CharField(_("origin"), max_length=40, blank=True, editable=False)
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
    final_at = models.DateTimeField(
        _("can be recalled until"), null=True, blank=True, editable=False
    )
    reopened_at = models.DateTimeField(_("reopened at"), null=True, blank=True)
    reopened_because = models.TextField(_("reason of the reopening"), blank=True)

    class Meta:
        verbose_name = _("markup")
        verbose_name_plural = _("markups")
        ordering = ["essay", "pk"]
        indexes = [
            models.Index(
                fields=["assignment"],
                condition=Q(state="draft", final_at__isnull=False),
                name="markups_to_be_final",
            ),
            models.Index(
                fields=["reopened_at"],
                condition=Q(reopened_at__isnull=False),
                name="markups_reopened",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["essay", "author", "origin"],
                condition=~Q(state="superseded") & ~Q(source="key"),
                name="one_current_markup_per_author",
            ),
            models.UniqueConstraint(
                fields=["essay"],
                condition=Q(source="key") & ~Q(state="superseded"),
                name="one_key_per_essay",
            ),
            models.UniqueConstraint(fields=["author", "client_key"], name="one_markup_per_key"),
            models.CheckConstraint(
                condition=Q(origin="") | Q(source="algorithm"),
                name="only_an_algorithm_has_an_origin",
            ),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False),
                name="submitted_markup_has_its_time",
            ),
            models.CheckConstraint(
                condition=Q(final_at=None) | Q(state="draft", submitted_at__isnull=False),
                name="only_a_draft_is_recalled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id} {self.author_id} ({self.state})"

    @property
    def is_try(self) -> bool:
        """True for an expert's markup of a practice essay."""
        return self.source == self.Source.PRACTICE

    @property
    def is_key(self) -> bool:
        """True for what the tries of a practice essay are compared with."""
        return self.source == self.Source.KEY

    @property
    def is_by_expert(self) -> bool:
        """True for an expert's check or try."""
        return self.source in (self.Source.EXPERT, self.Source.PRACTICE)

    @property
    def minutes_at_work(self) -> int:
        """Whole minutes somebody was seen at work on it."""
        return self.active_seconds // 60

    @property
    def author_name(self) -> str:
        """The author as whoever asked for the markup may know them, with the session an answer
        comes from; a key is nobody's.
        """
        if self.is_key:
            return pgettext("whose markup it is", "Key")
        if self.alias is None:
            name, said = self.called or str(self.author), origin_words(self.origin)
            return f"{name}, {said}" if said else name
        return gettext("Expert %d") % self.alias if self.alias else gettext("Expert")

    @property
    def author_login(self) -> str:
        """The same as programs and files have it."""
        if self.is_key:
            return "key"
        return self.author.username if self.alias is None else as_login(self.alias)

    def rows(self) -> list[FragmentRecord]:
        """The fragments in the order they were made."""
        return list(self.fragments.all()) if self.known is None else self.known

    def to_core(self) -> Markup:
        """The value: the essay's text and the fragments in the order they were made."""
        return Markup(self.essay.text, tuple(row.to_core() for row in self.rows()))

    def to_file(self) -> MarkedFile:
        """The marked file of the exchange: the essay's meta fields and this author's markup."""
        expert = self.author_login if self.is_by_expert else ""
        meta = replace(self.essay.meta(), expert=expert, third=self.third)
        return MarkedFile(meta, self.to_core(), frozen(self.stated), self.file_name)

    @property
    def file_name(self) -> str:
        """``0050051_exp106.json`` for an expert's file, ``0050051.json`` for an algorithm's."""
        suffix = f"_{self.author_login}" if self.is_by_expert or self.is_key else ""
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

    @property
    def is_as_taken(self) -> bool:
        """True for a copy that is still as it was taken, but for its tag."""
        return self.taken_from is not None and self._taking == self.taken_from._taking

    @property
    def _taking(self) -> Fragment:
        return replace(self.to_core(), id=0, tag="")

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
