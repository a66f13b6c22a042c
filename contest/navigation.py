from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from contest.access import (
    may_plan_finals,
    may_read_contests,
    may_see_exchange,
    may_take_part,
)
from web.panels import Entry, offer

offer(
    Entry(
        _("Sessions"),
        "contest:sessions",
        may_see_exchange,
        order=35,
        group=_("Contest"),
        pages=frozenset({"contest:session", "contest:now", "contest:parcels", "contest:parcel"}),
    )
)
offer(Entry(_("Finals"), "contest:finals", may_plan_finals, order=36, group=_("Contest")))
offer(
    Entry(
        _("Contests"),
        "contest:contests",
        may_read_contests,
        order=34,
        group=_("Contest"),
        pages=frozenset(
            {"contest:contest", "contest:announcement", "contest:contest_board", "contest:modules"}
        ),
        public=True,
    )
)
offer(
    Entry(
        _("Team"),
        "contest:own_teams",
        may_take_part,
        order=34,
        group=_("Contest"),
        pages=frozenset({"contest:cabinet"}),
    )
)
