"""Letters that a stack has sent."""

from __future__ import annotations

from email import message_from_string, policy


def letters_to_everybody(stack):
    """The letters that went out, by the name before the @."""
    found = {}
    for written_to in sorted((stack.folder / "mail").glob("*.log")):
        for text in written_to.read_text("utf-8").split("-" * 79):
            letter = message_from_string(text.lstrip(), policy=policy.default)
            if letter["To"]:
                found.setdefault(letter["To"].partition("@")[0], []).append(letter.get_content())
    return found
