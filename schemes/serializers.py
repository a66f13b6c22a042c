"""What the API of the schemes says and takes."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from schemes.adapters.tables import as_json
from schemes.adapters.words import in_language
from schemes.models import SchemeItem, SchemeRun, StoredKey
from web.serializers import NO_OBJECT, Strict, Truth


class SourceLine(serializers.Serializer):
    name = serializers.CharField()
    label = serializers.CharField()
    help = serializers.CharField()
    is_key = serializers.BooleanField()


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "boolean"}]})
class TextOrTruth(serializers.Field):
    """A value of an option."""


class OptionLine(serializers.Serializer):
    """An option: ``values`` are those allowed, null where any text is."""

    name = serializers.CharField()
    label = serializers.CharField()
    help = serializers.CharField()
    type = serializers.ChoiceField(["string", "boolean"])
    values = serializers.ListField(child=serializers.CharField(allow_blank=True), allow_null=True)
    default = TextOrTruth()


class SchemeLine(serializers.Serializer):
    """A scheme: its inputs and its options."""

    slug = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    version = serializers.CharField()
    sources = SourceLine(many=True)
    options = OptionLine(many=True)


class RunOrder(Strict):
    """A run as JSON: ``inputs`` are texts by the names of the scheme's sources.

    As multipart/form-data: a file for each source under ``<source>_file``, options and
    ``stored_key`` as fields.
    """

    inputs = serializers.DictField(
        child=serializers.CharField(trim_whitespace=False, allow_blank=True),
        required=False,
        error_messages={"not_a_dict": NO_OBJECT},
    )
    options = serializers.DictField(required=False, error_messages={"not_a_dict": NO_OBJECT})
    stored_key = serializers.UUIDField(required=False)
    name = serializers.CharField(required=False, max_length=80)


class RunLine(serializers.ModelSerializer):
    """A run in a list."""

    id = serializers.UUIDField(source="uuid", read_only=True)
    state = serializers.SerializerMethodField()
    stored_key = serializers.UUIDField(
        source="key.uuid", read_only=True, default=None, allow_null=True
    )

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
        if run.is_lost:
            hint = _(
                "The run was given up after three tries. "
                "Try smaller inputs, or tell an administrator."
            )
            return [hint]
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


class KeyOrder(Strict):
    """A key to be stored: its contents as a text."""

    scheme = serializers.CharField(max_length=40)
    name = serializers.CharField(max_length=80)
    content = serializers.CharField(trim_whitespace=False)
    offered = Truth(required=False, default=False)


class KeyChange(Strict):
    offered = Truth()
