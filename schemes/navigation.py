from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from schemes.access import may_use_schemes
from web.panels import Entry, offer

offer(Entry(_("Systems"), "schemes:schemes", may_use_schemes, order=50, group=_("Results")))
