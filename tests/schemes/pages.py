"""What the pages of the schemes say."""

from __future__ import annotations

from typing import Any

from tests.pages import page_of


def errors_of(response: Any) -> dict[str, str]:
    """The errors of a form by the labels of their fields."""
    return {
        (field.find(".label") or field.find("label"))[0].text: error.text
        for field in page_of(response).find(".field")
        for error in field.find(".bad")
    }
