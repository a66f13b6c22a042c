from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

PUBLISHED_PASSWORD: Final = "razbor-demo"  # noqa: S105 - the demo's, printed at its first start


class NotPublished:
    """Refuse the password that every copy of the demo has."""

    def validate(self, password: str, _user: object = None) -> None:
        if password == PUBLISHED_PASSWORD:
            raise ValidationError(self.get_help_text())

    def get_help_text(self) -> str:
        return _("The demo’s password is known to everybody. Choose another.")
