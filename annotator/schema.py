from __future__ import annotations

from typing import Any, Final

from drf_spectacular.openapi import AutoSchema

ERRORS: Final = {
    "400": "The request cannot be read.",
    "401": "No key, or an unknown one.",
    "403": "This role may not do it.",
    "404": "There is no such thing, or it is not shown to you.",
    "405": "The address does not know this method.",
    "409": "It was changed or sent before.",
    "413": "The request is too large.",
    "415": "Send JSON.",
    "422": "The markup has problems; each is named with its place.",
    "429": "Too many tries.",
    "503": "The database does not answer; try again.",
}


class ErrorAwareSchema(AutoSchema):
    """Documents the answers every address may give besides its own."""

    def _get_response_bodies(self, direction: str = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        body = {"application/json": {"schema": {"type": "object"}}}
        for status, words in ERRORS.items():
            bodies.setdefault(status, {"description": words, "content": body})
        return bodies
