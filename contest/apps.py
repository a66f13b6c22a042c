from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContestConfig(AppConfig):
    name = "contest"
    verbose_name = _("Contests")

    def ready(self) -> None:
        from accounts.access import stands_in  # noqa: PLC0415 - its models come first
        from annotator.access import hands_out  # noqa: PLC0415 - its models come first
        from contest import (  # noqa: PLC0415 - they register themselves
            navigation,  # noqa: F401
            panels,  # noqa: F401
            receivers,  # noqa: F401
        )
        from contest.access import (  # noqa: PLC0415 - its models come first
            acts_as,
            essays_handed_to,
            essays_of_uploads,
        )

        hands_out(essays_handed_to)
        hands_out(essays_of_uploads)
        stands_in(acts_as)
