"""Exchange sessions: their rules and files, and all that happened in them."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.core.messages import joined, sentence_of
from annotator.core.origins import OF_SESSION
from annotator.core.problems import Problem, first_of, from_json
from annotator.models import Essay, EssaySet, MarkupRecord
from contest.core.session_rules import (
    Annulled,
    Content,
    Ineffective,
    Solution,
    State,
    Verdict,
    What,
)
from contest.models.finals import Final


class ExchangeSession(models.Model):
    """A session between a participant's program and the platform (Appendix 2, 2).

    ``rules`` are frozen at the opening, as ``contest.core.session_json`` writes them. ``seed``: the
    files were drawn by it. What is judged of a session follows from its events; ``state``,
    ``closed_at``, ``annulled`` and ``solution`` are kept for lists, right as of ``judged_until``:
    no later event bears an earlier moment. ``counted`` is right as of the last event.
    ``falls_due_at``: when something changes by itself next. ``events``: how many there are;
    ``key``: the program's name of its opening. ``withdrawn``: one of a final that its program ended
    before the start; it counts for nothing, and another one may be opened.
    """

    class Mode(models.TextChoices):
        ALGORITHMIC = "algorithmic", pgettext_lazy("exchange session", "qualification")
        TECHNICAL = "technical", pgettext_lazy("exchange session", "technical")
        FINAL = "final", pgettext_lazy("exchange session", "final")

    class Door(models.TextChoices):
        REST = "rest", "REST"
        SOCKETIO = "socketio", "Socket.IO"

    class Pool(models.TextChoices):
        TRAINING = "train", pgettext_lazy("exchange session", "training essays")
        TEST = "test", pgettext_lazy("exchange session", "test essays")

    class State(models.TextChoices):
        WAITING = State.WAITING.value, pgettext_lazy("exchange session", "waits for its start")
        OPEN = State.OPEN.value, pgettext_lazy("exchange session", "under way")
        FINISHED = State.FINISHED.value, pgettext_lazy("exchange session", "finished")
        TIMEOUT = State.TIMEOUT.value, pgettext_lazy("exchange session", "out of time")
        LOST = State.LOST.value, pgettext_lazy("exchange session", "connection lost")
        ABORTED = State.ABORTED.value, pgettext_lazy("exchange session", "aborted")
        STOPPED = State.STOPPED.value, pgettext_lazy("exchange session", "stopped")

    class Solution(models.TextChoices):
        STANDS = Solution.STANDS.value, pgettext_lazy("exchange session", "stands")
        ANNULLED = Solution.ANNULLED.value, pgettext_lazy("exchange session", "annulled")

    participant = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="exchange_sessions",
        verbose_name=_("participant"),
    )
    mode = models.CharField(_("mode"), max_length=11, choices=Mode)
    door = models.CharField(_("door"), max_length=8, choices=Door)
    pool = models.CharField(_("essays"), max_length=5, choices=Pool, blank=True)
    language = models.CharField(_("language"), max_length=3, blank=True)
    essay_set = models.ForeignKey(
        EssaySet,
        models.PROTECT,
        null=True,
        related_name="exchange_sessions",
        verbose_name=_("essay set"),
    )
    final = models.ForeignKey(
        Final, models.PROTECT, null=True, related_name="sessions", verbose_name=_("final")
    )
    rules = models.JSONField(_("rules"))
    seed = models.BigIntegerField(editable=False)
    key = models.CharField(max_length=80, null=True, editable=False)  # noqa: DJ001 - null is no key
    opened_at = models.DateTimeField(_("opened at"))
    state = models.CharField(_("state"), max_length=8, choices=State)
    closed_at = models.DateTimeField(_("closed at"), null=True)
    stopped_because = models.TextField(_("reason"), blank=True)
    withdrawn = models.BooleanField(_("withdrawn before the start"), default=False)
    size = models.PositiveSmallIntegerField(_("files"))
    counted = models.PositiveSmallIntegerField(_("counted"), default=0)
    annulled = models.PositiveSmallIntegerField(_("annulled"), default=0)
    solution = models.CharField(_("solution"), max_length=8, choices=Solution, blank=True)
    events = models.PositiveIntegerField(default=0, editable=False)
    last_event_at = models.DateTimeField(editable=False)
    judged_until = models.DateTimeField(editable=False)
    falls_due_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("exchange session")
        verbose_name_plural = _("exchange sessions")
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["falls_due_at"], condition=Q(closed_at=None), name="sessions_falling_due"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["participant"],
                condition=Q(closed_at=None),
                name="one_open_session_per_participant",
            ),
            models.UniqueConstraint(
                fields=["final", "participant"],
                condition=Q(final__isnull=False, withdrawn=False),
                name="one_session_per_final",
            ),
            models.UniqueConstraint(fields=["participant", "key"], name="one_session_per_key"),
            models.CheckConstraint(
                condition=Q(mode="final", final__isnull=False) | (~Q(mode="final") & Q(final=None)),
                name="session_of_a_final_names_it",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn=False) | Q(final__isnull=False, state="aborted"),
                name="withdrawn_session_was_aborted",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, state__in=["waiting", "open"])
                | (Q(closed_at__isnull=False) & ~Q(state__in=["waiting", "open"])),
                name="closed_session_says_how",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.participant_id} ({self.state})"

    @property
    def origin(self) -> str:
        """What markups made of its answers bear as their origin."""
        return f"{OF_SESSION}{self.pk}"

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def is_of_void_run(self) -> bool:
        """True for one of a final that was cancelled or started anew: it is kept and counts nowhere
        (R 7.15).
        """
        return self.final is not None and self.final.cancelled_at is not None

    @property
    def is_rehearsal(self) -> bool:
        """True for one of a run that is a rehearsal: whatever comes of it counts nowhere."""
        return self.final is not None and self.final.is_rehearsal

    @property
    def may_count(self) -> bool:
        """False for what no board is made of, whatever was answered: a rehearsal, a void run, what
        its program aborted.
        """
        if self.final is not None:
            return not (self.withdrawn or self.is_of_void_run or self.final.is_rehearsal)
        return self.state != self.State.ABORTED

    @property
    def kind_in_words(self) -> str:
        """Which mode it is of; of a run that is planned, whether that is a rehearsal."""
        return self.final.get_kind_display() if self.final else self.get_mode_display()


class SessionFile(models.Model):
    """A file of a session. By the clock ``opens_at`` and ``due_at`` are fixed at the opening of the
    session; asked for they are known once it is handed out.

    ``verdict``, ``reason``, ``answer`` and ``sends`` are kept for lists, as is said of the session.
    ``refused``: what was sent to it in vain and is kept; ``markup``: what was made of the answer.
    """

    class Verdict(models.TextChoices):
        WAITING = Verdict.WAITING.value, pgettext_lazy("file of a session", "waits")
        OPEN = Verdict.OPEN.value, pgettext_lazy("file of a session", "open")
        COUNTED = Verdict.COUNTED.value, pgettext_lazy("file of a session", "counts")
        ANNULLED = Verdict.ANNULLED.value, pgettext_lazy("file of a session", "annulled")

    class Reason(models.TextChoices):
        NOT_REQUESTED = Annulled.NOT_REQUESTED.value, _("nobody asked for it in time")
        LATE = Annulled.LATE.value, _("the answer came too late")
        REJECTED = Annulled.REJECTED.value, _("what was sent is no markup of this essay")
        MISSING = Annulled.MISSING.value, _("no answer came")

    session = models.ForeignKey(ExchangeSession, models.CASCADE, related_name="files")
    position = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("file"), max_length=60)
    essay = models.ForeignKey(
        Essay, models.PROTECT, related_name="session_files", verbose_name=_("essay")
    )
    opens_at = models.DateTimeField(_("opens at"), null=True)
    due_at = models.DateTimeField(_("due at"), null=True)
    verdict = models.CharField(_("verdict"), max_length=8, choices=Verdict, default=Verdict.WAITING)
    reason = models.CharField(_("why"), max_length=13, choices=Reason, blank=True)
    answer = models.ForeignKey(
        "SessionEvent", models.PROTECT, null=True, related_name="+", verbose_name=_("answer")
    )
    sends = models.PositiveSmallIntegerField(_("sends"), default=0)
    refused = models.PositiveSmallIntegerField(default=0, editable=False)
    markup = models.OneToOneField(
        MarkupRecord,
        models.SET_NULL,
        null=True,
        related_name="session_file",
        verbose_name=_("markup"),
    )

    class Meta:
        verbose_name = _("file of a session")
        verbose_name_plural = _("files of sessions")
        ordering = ["session", "position"]
        indexes = [models.Index(fields=["opens_at", "position"], name="files_by_opening")]
        constraints = [
            models.UniqueConstraint(fields=["session", "position"], name="one_slot_per_position"),
            models.UniqueConstraint(fields=["session", "name"], name="one_slot_per_name"),
            models.UniqueConstraint(fields=["session", "essay"], name="one_slot_per_essay"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.name}"


class SessionEvent(models.Model):
    """Something that happened in a session; a row never changes and is never deleted.

    ``number`` counts the events of a session from 0. ``named``: the file that a send named;
    ``slot`` is it, if there is one. ``body``: what was sent, as it came; ``digest`` and ``length``
    are its, ``body`` is ``None`` where enough of what was refused is kept. ``reason``: why it had
    no effect, when it came. ``problems``: what is wrong with the content, as codes and places.
    """

    class What(models.TextChoices):
        OPEN = What.OPEN.value, pgettext_lazy("event of a session", "opened")
        ASK = What.ASK.value, pgettext_lazy("event of a session", "asked for a file")
        CONNECT = What.CONNECT.value, pgettext_lazy("event of a session", "connected")
        DISCONNECT = What.DISCONNECT.value, pgettext_lazy("event of a session", "disconnected")
        SEND = What.SEND.value, pgettext_lazy("event of a session", "sent")
        ABORT = What.ABORT.value, pgettext_lazy("event of a session", "aborted")
        STOP = What.STOP.value, pgettext_lazy("event of a session", "stopped")

    class Content(models.TextChoices):
        VALID = Content.VALID.value, pgettext_lazy("what was sent", "a markup of the essay")
        BROKEN = Content.BROKEN.value, pgettext_lazy("what was sent", "not readable as a markup")
        FOREIGN = Content.FOREIGN.value, pgettext_lazy("what was sent", "not of this essay")

    class Reason(models.TextChoices):
        TOO_LATE = Ineffective.TOO_LATE.value, _("opened too late")
        ALREADY_OPEN = Ineffective.ALREADY_OPEN.value, _("the session was open already")
        ENDED = Ineffective.ENDED.value, _("the session had ended")
        NO_SESSION = Ineffective.NO_SESSION.value, _("no session was open yet")
        NOTHING_LEFT = Ineffective.NOTHING_LEFT.value, _("no file was left")
        REPEATED = Ineffective.REPEATED.value, _("sent before under the same key")
        CLOSED = Ineffective.CLOSED.value, _("sent after the session had ended")
        NOT_OPEN = Ineffective.NOT_OPEN.value, _("the file had not opened")
        FOREIGN = Ineffective.FOREIGN.value, _("not a markup of this essay")
        BROKEN = Ineffective.BROKEN.value, _("not readable as a markup")
        LATE = Ineffective.LATE.value, _("sent after the last moment")
        OVER_LIMIT = Ineffective.OVER_LIMIT.value, _("sent more often than is looked at")

    session = models.ForeignKey(ExchangeSession, models.PROTECT, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(_("time"))
    what = models.CharField(_("event"), max_length=10, choices=What)
    slot = models.ForeignKey(SessionFile, models.PROTECT, null=True, related_name="log")
    named = models.CharField(_("file"), max_length=80, blank=True)
    content = models.CharField(_("content"), max_length=7, choices=Content, blank=True)
    key = models.CharField(_("key"), max_length=100, null=True)  # noqa: DJ001 - null is no key
    digest = models.CharField(_("digest"), max_length=64, blank=True)
    length = models.PositiveIntegerField(_("bytes"), default=0)
    body = models.BinaryField(null=True)
    reason = models.CharField(_("no effect because"), max_length=12, choices=Reason, blank=True)
    problems = models.JSONField(default=list)

    class Meta:
        verbose_name = _("event of a session")
        verbose_name_plural = _("events of sessions")
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="one_event_per_number"),
            models.UniqueConstraint(fields=["session", "key"], name="one_send_per_key"),
            models.CheckConstraint(
                condition=Q(what="send") & ~Q(content="")
                | ~Q(what="send") & Q(content="", key=None),
                name="only_a_send_has_content",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} {self.number} {self.what}"

    def why_not(self) -> str:
        """Why a send has no effect, in the reader's language; empty where it has one."""
        if self.reason == self.Reason.NOT_OPEN:  # whether it is still to come is told to nobody
            return gettext("no file of this name has opened in the session")
        return str(self.Reason(self.reason).label) if self.reason else ""

    def found(self) -> list[Problem]:
        """What is wrong with what was sent, as far as it is kept."""
        return [from_json(kept) for kept in self.problems]

    def why_in_words(self) -> str:
        """Why a send has no effect, and the first thing that keeps it from being read."""
        return self._why_not_for(self._blocking()[:1])

    def why_in_a_message(self) -> str:
        """The same where nothing stands beside it: with how many other things do."""
        return self._why_not_for(first_of(self._blocking(), 1))

    def _blocking(self) -> list[Problem]:
        return [each for each in self.found() if each.blocks]

    def _why_not_for(self, problems: Iterable[Problem]) -> str:
        return joined([self.why_not(), *(sentence_of(each, gettext) for each in problems)])


class Delivery(models.Model):
    """A file was handed out; it changes no verdict."""

    slot = models.ForeignKey(SessionFile, models.PROTECT, related_name="deliveries")
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("hand-out")
        verbose_name_plural = _("hand-outs")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.slot_id} {self.at}"
