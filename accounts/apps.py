from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import (  # noqa: PLC0415 - they register themselves
            navigation,  # noqa: F401
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
