"""The description of the API tells of every address what it may decline, and how."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, build_basic_type
from drf_spectacular.types import OpenApiTypes

ERRORS: Final = {
    "400": "The request cannot be read.",
    "401": "No key, or an unknown one.",
    "403": "This role may not do it.",
    "404": "There is no such thing, or it is not shown to you.",
    "405": "The address does not know this method.",
    "406": "The answer is JSON; ``Accept`` asks for something else.",
    "409": "It was changed or sent before.",
    "413": "The request is too large.",
    "415": "Send JSON.",
    "422": "What was sent has problems.",
    "429": "Too many tries.",
    "503": "The database does not answer; try again.",
}
WORDS: Final = {"type": "array", "items": {"type": "string"}}


def refusal_with(problem: dict[str, Any]) -> dict[str, Any]:
    """What is declined: what is wrong in one sentence, and each ``problem`` of it if it has any."""
    return {
        "type": "object",
        "properties": {
            "code": {"type": "string"},
            "message": {"type": "string"},
            "fields": {
                "type": "object",
                "additionalProperties": {
                    "oneOf": [WORDS, {"type": "object", "additionalProperties": WORDS}]
                },
            },
            "problems": {"type": "array", "items": problem},
            "path": {"type": "string"},
            "line": {"type": "integer"},
            "column": {"type": "integer"},
            "byte": {"type": "integer"},
        },
        "required": ["code", "message"],
    }


class FileOfBytes(OpenApiSerializerFieldExtension):
    """A file is sent as bytes; drf-spectacular takes it for the address it would be answered by."""

    target_class = "rest_framework.fields.FileField"

    def map_serializer_field(self, *_: Any) -> Any:
        return build_basic_type(OpenApiTypes.BINARY)


class ErrorAwareSchema(AutoSchema):
    """Documents the answers every address may give besides its own."""

    errors: ClassVar = ERRORS
    refusal: ClassVar = refusal_with({"type": "object"})

    def _get_response_bodies(self, direction: str = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        refusal = ResolvedComponent("Refusal", ResolvedComponent.SCHEMA, self.refusal, "Refusal")
        self.registry.register_on_missing(refusal)
        body = {"application/json": {"schema": refusal.ref}}
        for status, words in self.errors.items():
            bodies.setdefault(status, {"description": words, "content": body})
        return bodies
