from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Scores")

    def ready(self) -> None:
        from scoring import (  # noqa: PLC0415 - they register themselves
            navigation,  # noqa: F401
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
