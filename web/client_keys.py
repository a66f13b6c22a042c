"""Sent twice under one name it counts once."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from web.refusals import Conflict


@dataclass(frozen=True, slots=True)
class ClientKey:
    """The name a program gives what it sends, and the digest of what it sent under that name."""

    name: str
    digest: str

    def refuse_other(self, known: str) -> None:
        """Raise ``Conflict`` unless the ``known`` digest is the same, or none is known."""
        if known and known != self.digest:
            raise Conflict(_("This key was used for another body. Use a new one."))
