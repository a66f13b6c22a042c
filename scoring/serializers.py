"""What the API of the schemes says and takes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import SchemeItem, SchemeRun, StoredKey
from scoring.schemes.tables import as_json
from scoring.schemes.words import in_language


class SourceLine(serializers.Serializer):
    name = serializers.CharField()
    label = serializers.CharField()
    help = serializers.CharField()
    is_key = serializers.BooleanField()


class OptionLine(serializers.Serializer):
    name = serializers.CharField()
    label = serializers.CharField()
    help = serializers.CharField()


class SchemeLine(serializers.Serializer):
    """A scheme: its inputs and its options."""

    slug = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    version = serializers.CharField()
    sources = SourceLine(many=True)
    options = OptionLine(many=True)


class RunOrder(serializers.Serializer):
    """A run as JSON: ``inputs`` are texts by the names of the scheme's sources.

    As multipart/form-data: a file for each source under ``<source>_file``, options and
    ``stored_key`` as fields.
    """

    inputs = serializers.DictField(
        child=serializers.CharField(trim_whitespace=False, allow_blank=True), required=False
    )
    options = serializers.DictField(required=False)
    stored_key = serializers.UUIDField(required=False)
    name = serializers.CharField(required=False, max_length=80)


class RunLine(serializers.ModelSerializer):
    """A run in a list."""

    id = serializers.UUIDField(source="uuid", read_only=True)
    state = serializers.SerializerMethodField()
    stored_key = serializers.UUIDField(source="key.uuid", read_only=True, default=None)

    class Meta:
        model = SchemeRun
        fields = [
            *("id", "scheme", "version", "name", "options", "stored_key", "state", "done", "total"),
            *("created_at", "started_at", "finished_at"),
        ]
        read_only_fields = fields

    def get_state(self, run: SchemeRun) -> str:
        return SchemeRun.State.FAILED.value if run.is_lost else run.state


class RunReport(RunLine):
    """A run with what came out of it; its items are a list of their own."""

    problems = serializers.SerializerMethodField()
    readings = serializers.SerializerMethodField()

    class Meta(RunLine.Meta):
        fields = [*RunLine.Meta.fields, "figures", "problems", "readings"]
        read_only_fields = fields

    def get_problems(self, run: SchemeRun) -> list[str]:
        return [in_language(each) for each in run.problems]

    def get_readings(self, run: SchemeRun) -> list[str]:
        return [in_language(each) for each in run.readings]


@extend_schema_field(OpenApiTypes.OBJECT)
class Cells(serializers.Field):
    """What a scheme knows of an item besides."""


class ItemLine(serializers.ModelSerializer):
    """An item of a run with its points and the reason."""

    max = serializers.FloatField(source="maximum", allow_null=True)
    reason = serializers.CharField()
    cells = Cells()

    class Meta:
        model = SchemeItem
        fields = ["number", "name", "group", "verdict", "points", "max", "reason", "cells"]

    def to_representation(self, instance: SchemeItem) -> dict[str, Any]:
        return as_json(instance)


class KeyLine(serializers.ModelSerializer):
    """A stored key, without its contents."""

    id = serializers.UUIDField(source="uuid", read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = StoredKey
        fields = ["id", "scheme", "name", "owner", "offered", "size", "made_at"]
        read_only_fields = fields


class KeyOrder(serializers.Serializer):
    """A key to be stored: its contents as a text."""

    scheme = serializers.CharField(max_length=40)
    name = serializers.CharField(max_length=80)
    content = serializers.CharField(trim_whitespace=False)
    offered = serializers.BooleanField(required=False, default=False)


class KeyChange(serializers.Serializer):
    offered = serializers.BooleanField()
