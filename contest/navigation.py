from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from contest.access import (
    may_plan_finals,
    may_read_contests,
    may_see_exchange,
    may_take_part,
)
from web.panels import Entry, offer

OF_EVERYBODY: Final = (
    *("contest", "announcement", "contest_board", "modules", "apply", "confirm_application"),
    *("invitation", "uploads", "upload_terms", "upload_board"),
)
OF_STAFF: Final = (
    *("new_contest", "manage", "describe_contest", "plan_phase", "add_data_set", "announcements"),
    *("announce_contest", "contest_finals", "plan_contest_final", "cancel_contest_final"),
    *("restart_contest_final", "solutions", "annul", "annul_upload"),
    *("exclude_team", "parameters"),
    *("propose_parameters", "consent", "phase_protocol", "phase_paper", "say_of_phase"),
    *("teams", "say_of_teams", "team", "say_of_team", "archives"),
)
PAGES: Final = frozenset(f"contest:{name}" for name in (*OF_EVERYBODY, *OF_STAFF))
"""The pages of a contest, also as forms give them back."""

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
        pages=PAGES,
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
