from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from review.access import has_exports, may_assign, may_see_agreement, may_see_desk
from web.panels import Entry, offer

offer(Entry(_("Desk"), "review:desk", may_see_desk, order=12))
offer(
    Entry(
        _("Planning"),
        "review:planning",
        may_assign,
        order=13,
        pages=frozenset({"review:plan", "review:plan_experts"}),
    )
)
offer(
    Entry(
        _("Deadlines"),
        "review:deadlines",
        may_see_desk,
        order=14,
        pages=frozenset({"review:terms", "review:calendar"}),
    )
)
offer(
    Entry(
        _("Agreement"),
        "review:agreement",
        may_see_agreement,
        order=45,
        pages=frozenset({"review:agreement_pairs"}),
    )
)
offer(
    Entry(_("Exports"), "review:exports", has_exports, order=65, pages=frozenset({"review:export"}))
)
