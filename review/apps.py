from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Checks")

    def ready(self) -> None:
        from review import (  # noqa: PLC0415 - they register themselves
            navigation,  # noqa: F401
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
