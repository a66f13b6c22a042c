"""What the API says of sessions, and reads from programs that hold them."""

from __future__ import annotations

from datetime import UTC
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotator.models import EssaySet
from annotator.serializers import FileMeta, ProblemLine, Submission
from contest.access import sets_for_sessions
from contest.core.session_rules import Annulled, Content, Ineffective, Pace, Solution, Verdict, What
from contest.models import ExchangeSession
from contest.services.sessions.opening import FEWEST, LONGEST, MOST, SHORTEST, Wish
from web.serializers import Choice, Strict, Whole

LANGUAGES: Final = ("all", "rus", "eng")
SOLUTIONS: Final = ("", *(each.value for each in Solution))

FILES: Final = _(
    "Ask for {least} to {most} files: the limits are those of the original contest’s clients."
)
SECONDS: Final = _(
    "Ask for {least} to {most} seconds: the limits are those of the original contest’s clients."
)


def within(words: Any, least: int, most: int) -> dict[str, Any]:
    """What is said of a number outside its limits, be it too small or too big."""
    told = format_lazy(words, least=least, most=most)
    return {"min_value": told, "max_value": told}


class Door(serializers.Serializer):
    """A door and its address; ``next``: where requests for the next file wait for it."""

    door = serializers.ChoiceField(ExchangeSession.Door.choices)
    address = serializers.CharField()
    next = serializers.CharField(required=False)


class DoorsAnswer(serializers.Serializer):
    """Where sessions are opened, and the moment by the clock that counts."""

    doors = Door(many=True)
    now = serializers.DateTimeField()


class SetOfSession(serializers.SlugRelatedField):
    """The name of a set whose essays whoever asks may be given; others are unknown names."""

    def get_queryset(self) -> QuerySet[EssaySet]:
        mine = sets_for_sessions(self.context["request"].user).values("pk")
        return super().get_queryset().filter(pk__in=mine)


class SessionOrder(Strict):
    """The session that is wished for; of a technical one and a final only ``mode`` is read.

    ``set``: training or test essays. ``files``: fewer where there are no more. ``time``: seconds
    for an answer. ``final``: its number, where several could be meant.
    """

    mode = Choice(ExchangeSession.Mode.choices)
    set = Choice(ExchangeSession.Pool.choices, default="train")
    files = Whole(
        min_value=FEWEST, max_value=MOST, default=300, error_messages=within(FILES, FEWEST, MOST)
    )
    time = Whole(
        min_value=SHORTEST,
        max_value=LONGEST,
        default=LONGEST,
        error_messages=within(SECONDS, SHORTEST, LONGEST),
    )
    language = Choice(LANGUAGES, default="all")
    subject = Choice(settings.SUBJECTS, required=False)
    essay_set = SetOfSession(slug_field="name", queryset=EssaySet.objects.all(), required=False)
    final = Whole(min_value=1, max_value=2**31 - 1, required=False)

    def wish(self) -> Wish:
        """What the service is asked for."""
        asked = self.validated_data
        return Wish(
            mode=ExchangeSession.Mode(asked["mode"]),
            pool=ExchangeSession.Pool(asked["set"]),
            count=asked["files"],
            seconds=asked["time"],
            language=asked["language"],
            subject=asked.get("subject", ""),
            essay_set=asked.get("essay_set"),
            final=asked.get("final"),
        )


class SessionLine(serializers.ModelSerializer):
    """A session in a list. ``solution``: of a final, once all its files have their verdicts.

    ``rehearsal``: of a final that is one, and counts nowhere. ``withdrawn``: of a final, ended by
    its program before the start: another one may be opened.
    """

    participant = serializers.CharField(source="participant.username", read_only=True)
    set = serializers.CharField(source="pool", read_only=True)
    files = serializers.IntegerField(source="size", read_only=True)
    rehearsal = serializers.BooleanField(source="is_rehearsal", read_only=True)
    solution = serializers.ChoiceField(SOLUTIONS, read_only=True)
    opened_at = serializers.DateTimeField(default_timezone=UTC, read_only=True)
    closed_at = serializers.DateTimeField(default_timezone=UTC, read_only=True, allow_null=True)

    class Meta:
        model = ExchangeSession
        fields: ClassVar = [
            *("id", "participant", "mode", "door", "set", "language", "final"),
            *("rehearsal", "state"),
            *("opened_at", "closed_at", "files", "counted", "annulled", "solution"),
            *("stopped_because", "withdrawn"),
        ]
        read_only_fields = fields


class RulesAnswer(serializers.Serializer):
    """The rules of a session, in seconds; ``null`` where there is no such rule."""

    pace = serializers.ChoiceField([each.value for each in Pace])
    start = serializers.DateTimeField(allow_null=True)
    interval = serializers.FloatField()
    limit = serializers.FloatField()
    window = serializers.FloatField(allow_null=True)
    sends = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    linger = serializers.FloatField(allow_null=True)
    lost = serializers.FloatField()


class FileState(serializers.Serializer):
    """What is known of a file; ``answer``: the event that counts; ``response``: in seconds.

    ``message``: the ``reason`` in words.
    """

    file = serializers.CharField()
    opens_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    verdict = serializers.ChoiceField([each.value for each in Verdict])
    reason = serializers.ChoiceField([each.value for each in Annulled], allow_null=True)
    message = serializers.CharField(allow_null=True)
    answer = serializers.IntegerField(allow_null=True)
    sends = serializers.IntegerField()
    response = serializers.FloatField(allow_null=True)


class SessionAnswer(SessionLine):
    """A session as of ``now``, file by file; what fell due within five seconds is not told yet."""

    now = serializers.DateTimeField()
    rules = RulesAnswer()
    verdicts = FileState(many=True)

    class Meta(SessionLine.Meta):
        fields: ClassVar = [*SessionLine.Meta.fields, "now", "rules", "verdicts"]
        read_only_fields = fields


class EssayContent(serializers.Serializer):
    """An essay as participants' programs get it."""

    meta = FileMeta()
    text = serializers.CharField()


class AnswerToFile(Submission):
    """The markup of a file; ``text`` is that of the essay, unchanged."""

    text = serializers.CharField()


class FileAnswer(serializers.Serializer):
    """A file that is handed out, number ``position`` of ``files``, and how long there is time."""

    session = serializers.IntegerField()
    file = serializers.CharField()
    position = serializers.IntegerField()
    files = serializers.IntegerField()
    opens_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    seconds_left = serializers.FloatField()
    essay = EssayContent()


class ReceiptAnswer(serializers.Serializer):
    """What became of an answer. ``reason``: why it does not count, ``message`` the same in words.

    ``repeated``: its key was used before, and this is what became of the first; ``differed``: that
    had another body. ``seconds_to_next``: until the next file opens by the clock.
    """

    session = serializers.IntegerField()
    file = serializers.CharField()
    event = serializers.IntegerField()
    accepted = serializers.BooleanField()
    reason = serializers.ChoiceField([each.value for each in Ineffective], allow_null=True)
    message = serializers.CharField()
    repeated = serializers.BooleanField()
    differed = serializers.BooleanField()
    sends_left = serializers.IntegerField()
    seconds_to_next = serializers.FloatField(allow_null=True)
    state = serializers.ChoiceField(ExchangeSession.State.choices)
    problems = ProblemLine(many=True)


class EventLine(serializers.Serializer):
    """An event of a log; ``file``, ``content`` and ``key`` belong to a send."""

    t = serializers.DateTimeField()
    type = serializers.ChoiceField([each.value for each in What])
    file = serializers.CharField(required=False)
    content = serializers.ChoiceField([each.value for each in Content], required=False)
    key = serializers.CharField(required=False)


class DeliveryLine(serializers.Serializer):
    """A file was handed out."""

    t = serializers.DateTimeField()
    file = serializers.CharField()


class LogAnswer(serializers.Serializer):
    """The log of a session, for ``razbor session``."""

    id = serializers.IntegerField()
    mode = serializers.CharField()
    rehearsal = serializers.BooleanField()
    door = serializers.CharField()
    rules = RulesAnswer()
    files = serializers.ListField(child=serializers.CharField())
    events = EventLine(many=True)
    until = serializers.DateTimeField()
    deliveries = DeliveryLine(many=True)
