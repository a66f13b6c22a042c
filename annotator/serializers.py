from __future__ import annotations

from rest_framework import serializers

from annotator.models import Essay, MarkupRecord


class EssayLine(serializers.ModelSerializer):
    """An essay in a list."""

    essay_set = serializers.CharField(source="essay_set.name", read_only=True)

    class Meta:
        model = Essay
        fields = ["id", "number", "uuid", "essay_set", "subject", "theme", "class_name", "year"]
        read_only_fields = fields


class MarkupLine(serializers.ModelSerializer):
    """A markup in a list."""

    author = serializers.CharField(source="author.username", read_only=True)

    class Meta:
        model = MarkupRecord
        fields = ["id", "essay", "author", "source", "state", "third", "submitted_at"]
        read_only_fields = fields


class Submission(serializers.Serializer):
    """What a participant sends: the regulation's JSON (Appendix 3, 2), or its essentials."""

    selections = serializers.ListField(child=serializers.DictField())
    text = serializers.CharField(required=False)
    criteria = serializers.DictField(required=False)


class Accepted(serializers.Serializer):
    """A markup that was accepted."""

    id = serializers.IntegerField()
    essay = serializers.IntegerField()
    fragments = serializers.IntegerField()
    repeated = serializers.BooleanField()
    remarks = serializers.ListField(child=serializers.DictField())
