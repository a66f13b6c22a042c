"""What the API of the exchange reads and says."""

from __future__ import annotations

from datetime import UTC
from typing import ClassVar, Final

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotator.models import EssaySet, RuleSet
from annotator.serializers import FileMeta, ProblemLine, Submission
from contest.core.schedule import Step, Turn
from contest.core.session_rules import Annulled, Content, Ineffective, Pace, Solution, Verdict, What
from contest.models import Contest, DataSet, ExchangeSession, Parcel, ParcelFile, Upload
from contest.services.sessions.opening import FEWEST, LONGEST, MOST, SHORTEST, Wish
from web.serializers import Strict, Whole

LANGUAGES: Final = ("all", "rus", "eng")
SOLUTIONS: Final = ("", *(each.value for each in Solution))


class Door(serializers.Serializer):
    """A door and its address; ``next``: where requests for the next file wait for it."""

    door = serializers.ChoiceField(ExchangeSession.Door.choices)
    address = serializers.CharField()
    next = serializers.CharField(required=False)


class DoorsAnswer(serializers.Serializer):
    """Where sessions are opened, and the moment by the clock that counts."""

    doors = Door(many=True)
    now = serializers.DateTimeField()


class SessionOrder(Strict):
    """The session that is wished for; of a technical one and a final only ``mode`` is read.

    ``set``: training or test essays. ``files``: fewer where there are no more. ``time``: seconds
    for an answer. ``final``: its number, where several could be meant.
    """

    mode = serializers.ChoiceField(ExchangeSession.Mode.choices)
    set = serializers.ChoiceField(ExchangeSession.Pool.choices, default="train")
    files = Whole(min_value=FEWEST, max_value=MOST, default=300)
    time = Whole(min_value=SHORTEST, max_value=LONGEST, default=LONGEST)
    language = serializers.ChoiceField(LANGUAGES, default="all")
    subject = serializers.ChoiceField(settings.SUBJECTS, required=False)
    essay_set = serializers.SlugRelatedField(
        slug_field="name", queryset=EssaySet.objects.all(), required=False
    )
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

    ``withdrawn``: of a final, ended by its program before the start: another one may be opened.
    """

    participant = serializers.CharField(source="participant.username", read_only=True)
    set = serializers.CharField(source="pool", read_only=True)
    files = serializers.IntegerField(source="size", read_only=True)
    solution = serializers.ChoiceField(SOLUTIONS, read_only=True)
    opened_at = serializers.DateTimeField(default_timezone=UTC, read_only=True)
    closed_at = serializers.DateTimeField(default_timezone=UTC, read_only=True, allow_null=True)

    class Meta:
        model = ExchangeSession
        fields: ClassVar = [
            *("id", "participant", "mode", "door", "set", "language", "final", "state"),
            *("opened_at", "closed_at", "files", "counted", "annulled", "solution"),
            *("stopped_because", "withdrawn"),
        ]
        read_only_fields = fields


class ParcelOrder(Strict):
    """An archive of markups for a set: ``essay_set`` is its name."""

    essay_set = serializers.CharField()
    file = serializers.FileField()


class ParcelLine(serializers.ModelSerializer):
    """An archive of ``size`` files; ``taken``, ``known`` and ``refused`` are counts of files.

    ``state``: ``failed`` where the platform gave it up: send it again.
    """

    participant = serializers.CharField(source="participant.username", read_only=True)
    essay_set = serializers.CharField(source="essay_set.name", read_only=True)
    state = serializers.SerializerMethodField()

    class Meta:
        model = Parcel
        fields: ClassVar = [
            *("id", "participant", "essay_set", "name", "state", "size"),
            *("taken", "known", "refused", "sent_at", "done_at"),
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField([*Parcel.State.values, "failed"]))
    def get_state(self, parcel: Parcel) -> str:
        return "failed" if parcel.is_lost else parcel.state


class ParcelFileLine(serializers.ModelSerializer):
    """A file of an archive: what became of it, and why it was refused."""

    essay = serializers.CharField(source="essay.number", default=None, read_only=True)

    class Meta:
        model = ParcelFile
        fields: ClassVar = ["name", "outcome", "reason", "remarks", "essay", "markup"]
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
    door = serializers.CharField()
    rules = RulesAnswer()
    files = serializers.ListField(child=serializers.CharField())
    events = EventLine(many=True)
    until = serializers.DateTimeField()
    deliveries = DeliveryLine(many=True)


class UploadOrder(serializers.Serializer):
    """Predictions, or an archive of markups.

    ``scheme``: which scoring system predictions are of; another contest's are refused.
    """

    file = serializers.FileField()
    scheme = serializers.CharField(required=False)


class UploadLine(serializers.ModelSerializer):
    """An upload. ``public`` and ``final``: means over the items of each part, from 0 to 1.

    ``final`` is told once the phase is closed. ``problems``: why nothing could be scored.
    """

    team = serializers.CharField(source="team.name")
    phase = serializers.CharField(source="phase.kind")
    final = serializers.SerializerMethodField()
    problems = serializers.SerializerMethodField()

    class Meta:
        model = Upload
        fields = ("id", "team", "phase", "name", "digest", "size", "sent_at", "state")
        fields += ("public", "public_items", "final", "problems", "parcel")

    def get_final(self, upload: Upload) -> float | None:
        return upload.final if upload.phase.closed_at else None

    def get_problems(self, upload: Upload) -> list[str]:
        return upload.refusals()


class ChangeAnswer(serializers.Serializer):
    """The next moment at which a step of a contest begins, or ends."""

    step = serializers.ChoiceField([each.value for each in Step])
    begins = serializers.BooleanField()
    at = serializers.DateTimeField()


class ContestAnswer(serializers.Serializer):
    """A contest that is announced. ``scheme`` is empty where it is of essays of the ``subject``.

    ``step``: what is on, or comes next where ``is_waiting``. ``zone``: in which it says its dates.
    """

    slug = serializers.SlugField(source="contest.slug")
    name = serializers.CharField(source="contest")
    summary = serializers.CharField(source="contest.summary")
    subject = serializers.ChoiceField(settings.SUBJECTS, source="contest.subject", allow_blank=True)
    scheme = serializers.ChoiceField(
        [each.value for each in Contest.Scheme], source="contest.scheme", allow_blank=True
    )
    live = serializers.BooleanField(source="contest.live")
    zone = serializers.CharField(source="contest.zone")
    announced_at = serializers.DateTimeField(source="contest.announced_at")
    final_at = serializers.DateTimeField(source="contest.final_at", allow_null=True)
    step = serializers.ChoiceField(
        [each.value for each in Step], source="step.stretch.step", allow_null=True
    )
    is_waiting = serializers.BooleanField()
    next = ChangeAnswer(source="change", allow_null=True)


class StepAnswer(serializers.Serializer):
    """A step of a contest; a moment nobody knows yet is null."""

    step = serializers.ChoiceField([each.value for each in Step], source="stretch.step")
    starts = serializers.DateTimeField(source="stretch.starts", allow_null=True)
    ends = serializers.DateTimeField(source="stretch.ends", allow_null=True)
    turn = serializers.ChoiceField([each.value for each in Turn])


class ParametersAnswer(serializers.Serializer):
    """The parameters that are in force: of markups, of sessions (seconds), of the qualification.

    ``weights``: of M1 to M7.
    """

    version = serializers.IntegerField()
    since = serializers.DateTimeField()
    rules = serializers.CharField()
    weights = serializers.ListField(child=serializers.FloatField(), min_length=7, max_length=7)
    hardness = serializers.FloatField()
    third_total = serializers.ChoiceField(RuleSet.ThirdTotal.choices)
    limit = serializers.FloatField()
    interval = serializers.FloatField()
    window = serializers.FloatField(allow_null=True)
    sends = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    star_to_qualify = serializers.FloatField()
    annulled_to_qualify = serializers.FloatField()


class BoardAnswer(serializers.Serializer):
    """A board that is published; ``page`` and ``json``: where it is read, without an account."""

    kind = serializers.ChoiceField(DataSet.Role.choices)
    essay_set = serializers.CharField()
    published_at = serializers.DateTimeField(allow_null=True)
    page = serializers.CharField()
    json = serializers.CharField()


class ContestReport(ContestAnswer):
    """The same, with its task, schedule, parameters in force and published boards."""

    task = serializers.CharField(source="contest.task")
    contact = serializers.CharField(source="contest.contact")
    licence = serializers.CharField(source="contest.licence")
    schedule = StepAnswer(many=True)
    parameters = ParametersAnswer(allow_null=True)
    boards = BoardAnswer(many=True)
