from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.access import may_administer, may_keep_people
from web.panels import Entry, offer

offer(Entry(_("People"), "accounts:people", may_keep_people, order=30, group=_("People")))
offer(Entry(_("Administration"), "admin:index", may_administer, order=90, group=_("People")))
