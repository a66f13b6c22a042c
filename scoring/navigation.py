from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.access import may_read_scores, may_see_runs
from web.panels import Entry, offer

offer(Entry(_("Scores"), "scoring:scores", may_read_scores, order=40, group=_("Results")))
offer(
    Entry(
        _("Score runs"),
        "scoring:runs",
        may_see_runs,
        order=41,
        group=_("Results"),
        pages=frozenset({"scoring:run"}),
    )
)
