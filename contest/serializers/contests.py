"""What the API says of contests, which everybody may read."""

from __future__ import annotations

from django.conf import settings
from rest_framework import serializers

from annotator.models import RuleSet
from contest.core.schedule import Step, Turn
from contest.models import Contest, DataSet


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


class UploadBoardAnswer(serializers.Serializer):
    """Where the board of uploads is read, as a page and as JSON."""

    page = serializers.CharField()
    json = serializers.CharField()


class ContestReport(ContestAnswer):
    """The same, with its task, schedule, parameters in force and published boards.

    ``upload_board``: null where uploads have none, or none that whoever asks may read.
    """

    task = serializers.CharField(source="contest.task")
    contact = serializers.CharField(source="contest.contact")
    licence = serializers.CharField(source="contest.licence")
    schedule = StepAnswer(many=True)
    parameters = ParametersAnswer(allow_null=True)
    boards = BoardAnswer(many=True)
    upload_board = UploadBoardAnswer(allow_null=True)
