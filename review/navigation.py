from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from review.access import may_see_desk
from web.panels import Entry, offer

offer(Entry(_("Desk"), "review:desk", may_see_desk, order=12))
