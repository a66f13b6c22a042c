"""What the API answers about two markups, described for its schema."""

from __future__ import annotations

from rest_framework import serializers


class LossParts(serializers.Serializer):
    """What the loss of a pair is made of: see ``compare.core.comparison.Loss``."""

    jaccard = serializers.FloatField()
    apart = serializers.BooleanField()
    begin = serializers.BooleanField()
    code = serializers.BooleanField()


class PairLine(serializers.Serializer):
    """Fragments by their indices, from 0."""

    left = serializers.IntegerField()
    right = serializers.IntegerField()
    loss = serializers.FloatField()
    parts = LossParts()


class ComparisonAnswer(serializers.Serializer):
    """Pairs and fragments left alone, by index."""

    loss = serializers.FloatField()
    pairs = PairLine(many=True)
    only_left = serializers.ListField(child=serializers.IntegerField())
    only_right = serializers.ListField(child=serializers.IntegerField())
