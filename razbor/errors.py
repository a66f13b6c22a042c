"""What ends a command; small, because Ctrl+C may come before anything else is loaded."""

from __future__ import annotations


class Unusable(Exception):
    """The input cannot be used; ``str()`` names the file, the place and the remedy."""
