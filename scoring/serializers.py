"""What the API of the scores says."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotator.models import MarkupRecord
from scoring.core.criteria import grade
from scoring.core.entries import told_origin
from scoring.core.third_expert import ENGLISH
from scoring.models import RunEntry, RunVerdict, ScoreRun


class PointsLine(serializers.Serializer):
    """The computed points of a markup: K1 and so on, their total, and K = K3 + K4 of English."""

    markup = serializers.IntegerField(source="pk")
    author = serializers.CharField(source="author_login")
    source = serializers.CharField()
    state = serializers.CharField()
    points = serializers.DictField(child=serializers.IntegerField())
    total = serializers.IntegerField()
    K = serializers.IntegerField(allow_null=True)

    def to_representation(self, instance: MarkupRecord) -> dict[str, Any]:
        sheet = grade(instance.essay.core_subject, instance.to_core())
        is_english = instance.essay.core_subject in ENGLISH
        return {
            "markup": instance.pk,
            "author": instance.author_login,
            "source": instance.source,
            "state": instance.state,
            "points": dict(sheet.points),
            "total": sheet.total,
            "K": sheet.nomination if is_english else None,
        }


class ScoreLine(serializers.Serializer):
    """A pair score: counts, metrics and accuracy in percent; null where undefined."""

    assessed = serializers.IntegerField()
    reference = serializers.IntegerField()
    rules = serializers.CharField()
    n = serializers.IntegerField()
    m = serializers.IntegerField()
    found = serializers.IntegerField()
    m1 = serializers.FloatField(allow_null=True)
    m2 = serializers.FloatField()
    m3 = serializers.FloatField()
    m4 = serializers.FloatField()
    m5 = serializers.FloatField()
    m6 = serializers.FloatField()
    m7 = serializers.FloatField(allow_null=True)
    accuracy = serializers.FloatField(allow_null=True)


class ScoresAnswer(serializers.Serializer):
    """A markup and its scores; ``restricted``: why there are none, of a test set."""

    markup = serializers.IntegerField()
    scores = ScoreLine(many=True)
    restricted = serializers.CharField(allow_null=True)


class Standing(serializers.Serializer):
    """A solution's line of a table; ``origin``: the session its answers come from, or ``free``."""

    place = serializers.IntegerField(allow_null=True)
    participant = serializers.CharField()
    origin = serializers.CharField()
    essays = serializers.IntegerField()
    STAR = serializers.FloatField(allow_null=True)
    OTAR = serializers.FloatField(allow_null=True)


class StarTableLine(serializers.Serializer):
    """The table of an essay set; ``measured`` of its essays have an expert's markup."""

    essay_set = serializers.CharField()
    rules = serializers.CharField()
    STER = serializers.FloatField(allow_null=True)
    measured = serializers.IntegerField()
    standings = Standing(many=True)


class RunVerdictLine(serializers.ModelSerializer):
    """What judges or the commission said of a run."""

    kind = serializers.CharField()
    who = serializers.CharField(source="who.username")

    class Meta:
        model = RunVerdict
        fields = ("kind", "who", "at", "reason")


class LeftOutLine(serializers.Serializer):
    """Numbers of essays that were left out, and why by its code."""

    why = serializers.CharField()
    what = serializers.ListField(child=serializers.CharField())


class ScoreRunLine(serializers.ModelSerializer):
    """A score run; ``parts_done`` of ``parts_all`` are scored. ``ster`` is percent."""

    essay_set = serializers.CharField(source="essay_set.name")
    rules = serializers.CharField()
    ordered_by = serializers.CharField(source="ordered_by.username", default=None, allow_null=True)
    state = serializers.CharField()
    parts_done = serializers.IntegerField()
    parts_all = serializers.IntegerField()

    class Meta:
        model = ScoreRun
        fields = (
            *("id", "essay_set", "rules", "seed", "state", "ordered_by", "ordered_at"),
            *("finished_at", "parts_done", "parts_all", "essays", "pairs", "ster", "digest"),
        )


class ScoreRunReport(ScoreRunLine):
    """The same with all that is said of it: what was left out, proposed, decided, vouched for."""

    hardness = serializers.FloatField(source="rules.hardness")
    unsure = serializers.CharField()
    proposal = serializers.CharField()
    left_out = LeftOutLine(many=True)
    failure = serializers.CharField(source="told_failure")
    proposed_by = serializers.CharField(
        source="proposed_by.username", default=None, allow_null=True
    )
    decided_by = serializers.CharField(source="decided_by.username", default=None, allow_null=True)
    verdicts = RunVerdictLine(many=True)

    class Meta(ScoreRunLine.Meta):
        fields = (
            *ScoreRunLine.Meta.fields,
            *("hardness", "code", "numpy", "unsure", "left_out", "failure", "proposal"),
            *("proposed_by", "proposed_at", "reason", "decided_by", "decided_at", "verdicts"),
        )


class MetricsByName(serializers.DictField):
    """M1 to M6, which an entry keeps in their order; none of them where nothing counts."""

    child = serializers.FloatField(allow_null=True)

    def to_representation(self, value: list[float | None]) -> dict[str, float | None]:
        return {f"M{number}": each for number, each in enumerate(value, 1)}


class RunEntryLine(serializers.ModelSerializer):
    """An entry of a board; percent, nothing rounded. ``metrics``: by name, M1 to M6, null where
    undefined.

    ``rank`` is null where the entry stands apart, ``state`` says why. ``low`` to ``high`` hold 95 %
    of the resampled scores, ``best`` to ``worst`` those of the ranks; null where a run has none.
    """

    participant = serializers.CharField(source="participant.username")
    origin = serializers.SerializerMethodField()
    state = serializers.CharField()
    metrics = MetricsByName()

    class Meta:
        model = RunEntry
        fields = (
            *("rank", "participant", "name", "origin", "state", "reason", "asked", "counted"),
            *("star", "otar", "metrics", "low", "high", "best", "worst"),
        )

    def get_origin(self, entry: RunEntry) -> str:
        return told_origin(entry.origin)
