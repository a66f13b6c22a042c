from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotator.core.codec import META_TEXTS
from annotator.core.fragment_json import FRAGMENT_TEXTS, GROUPS
from annotator.core.values import Subject
from annotator.models import Essay, MarkupRecord

POINT: Final = [{"type": "number"}, {"type": "string"}]
POINTS: Final[dict[str, Any]] = {
    "oneOf": [*POINT, {"type": "array", "items": {"oneOf": POINT}, "maxItems": 20}]
}


class EssayLine(serializers.ModelSerializer):
    """An essay in a list."""

    essay_set = serializers.CharField(source="essay_set.name", read_only=True)

    class Meta:
        model = Essay
        fields = [
            *("id", "number", "version", "uuid", "essay_set", "subject"),
            *("theme", "class_name", "year"),
        ]
        read_only_fields = fields


class MarkupLine(serializers.ModelSerializer):
    """A markup in a list."""

    author = serializers.CharField(source="author_login", read_only=True)

    class Meta:
        model = MarkupRecord
        fields = [
            *("id", "essay", "author", "source", "state", "third"),
            *("submitted_at", "superseded_at"),
        ]
        read_only_fields = fields


@extend_schema_field(
    {
        "oneOf": [
            {"type": "object", "additionalProperties": POINTS},
            {"type": "array", "items": {"oneOf": [*POINTS["oneOf"], {"type": "object"}]}},
        ],
        "example": {"K1": 3, "K2": 2.5, "K3": [1, 2]},
    }
)
class CriteriaField(serializers.JSONField):
    """Points stated beside the computed ones: by criterion, or in a list from K1 on."""


class Described(serializers.Serializer):
    """A serializer whose fields are named by a table: ``class`` and camelCase are no names."""

    def named(self) -> Mapping[str, serializers.Field]:
        return {}

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **self.named()}


class SentFragment(Described):
    """A fragment that is sent; its bounds are half-open and count the text's characters from 0.

    Both bounds are 0 for a mistake of the whole text. ``type`` is a code of the subject's
    classifier, ``subtype`` a subcode of it.
    """

    id = serializers.IntegerField(required=False)
    group = serializers.ChoiceField([*GROUPS], required=False)

    def named(self) -> Mapping[str, serializers.Field]:
        needed = ("startSelection", "endSelection")
        return {
            **{key: serializers.IntegerField() for key in needed},
            **{key: serializers.CharField(required=key == "type") for key in FRAGMENT_TEXTS},
        }


class Submission(serializers.Serializer):
    """What a participant sends: the regulation's JSON (Appendix 3, 2), or its essentials."""

    selections = SentFragment(many=True)
    text = serializers.CharField(required=False)
    criteria = CriteriaField(required=False)
    meta = serializers.DictField(required=False)
    fileName = serializers.CharField(required=False)  # noqa: N815 - the exchange calls it so
    problems = serializers.ListField(child=serializers.JSONField(), required=False)
    """What ``razbor parse --json`` found in the text; not read."""


class ProblemLine(serializers.Serializer):
    """A problem: its place in words, the path in what was sent, the fragment from 1."""

    code = serializers.CharField()
    message = serializers.CharField()
    place = serializers.CharField()
    path = serializers.CharField(allow_null=True)
    fragment = serializers.IntegerField(allow_null=True)
    blocks = serializers.BooleanField()


class Accepted(serializers.Serializer):
    """A markup that was accepted."""

    id = serializers.IntegerField()
    essay = serializers.IntegerField()
    fragments = serializers.IntegerField()
    repeated = serializers.BooleanField()
    remarks = ProblemLine(many=True)


class FileMeta(Described):
    """``meta`` of the exchange format."""

    year = serializers.IntegerField(allow_null=True)
    subject = serializers.ChoiceField([*[each.value for each in Subject], ""])
    third = serializers.BooleanField()

    def named(self) -> Mapping[str, serializers.Field]:
        return {key: serializers.CharField() for key in META_TEXTS}


class FileFragment(Described):
    """One of ``selections``; a mistake of the whole text has the bounds 0, 0."""

    id = serializers.IntegerField()
    group = serializers.ChoiceField([*GROUPS])

    def named(self) -> Mapping[str, serializers.Field]:
        bounds = ("startSelection", "endSelection")
        return {
            **{key: serializers.IntegerField() for key in bounds},
            **{key: serializers.CharField() for key in FRAGMENT_TEXTS},
        }


@extend_schema_field({"type": "object", "additionalProperties": POINTS})
class StatedPoints(serializers.JSONField):
    """Points an author states, by criterion."""


class EssayAnswer(serializers.Serializer):
    """An essay without markup, as the exchange format writes it."""

    meta = FileMeta()
    text = serializers.CharField()
    criteria = StatedPoints()


class MarkupAnswer(Described):
    """A marked file of the exchange format."""

    meta = FileMeta()
    text = serializers.CharField()
    selections = FileFragment(many=True)
    criteria = StatedPoints()

    def named(self) -> Mapping[str, serializers.Field]:
        return {"fileName": serializers.CharField()}
