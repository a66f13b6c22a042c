"""What the description of the API says of a markup that is declined: each problem by its place."""

from __future__ import annotations

from typing import ClassVar, Final

from web.schema import ERRORS, ErrorAwareSchema, refusal_with

PROBLEM: Final = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "place": {"type": "string"},
        "path": {"type": "string", "nullable": True},
        "fragment": {"type": "integer", "nullable": True},
        "blocks": {"type": "boolean"},
    },
    "required": ["code", "message", "place", "path", "fragment", "blocks"],
}


class ProblemAwareSchema(ErrorAwareSchema):
    """Documents the problems of a markup, too."""

    errors: ClassVar = {**ERRORS, "422": "The markup has problems; each is named with its place."}
    refusal: ClassVar = refusal_with(PROBLEM)
