"""What the API of the scores says."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotator.models import MarkupRecord
from scoring.core.criteria import grade
from scoring.core.third_expert import ENGLISH


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
    """A markup and its scores."""

    markup = serializers.IntegerField()
    scores = ScoreLine(many=True)


class Standing(serializers.Serializer):
    """A participant's line of a table."""

    place = serializers.IntegerField(allow_null=True)
    participant = serializers.CharField()
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
