from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.access import may_read_scores
from web.panels import Entry, offer

offer(Entry(_("Scores"), "scoring:scores", may_read_scores, order=40))
