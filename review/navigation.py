from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from review.access import has_exports, may_assign, may_see_agreement, may_see_desk, may_see_verdicts
from web.panels import Entry, offer

offer(Entry(_("Desk"), "review:desk", may_see_desk, order=12, group=_("Work")))
offer(
    Entry(
        _("Planning"),
        "review:planning",
        may_assign,
        order=13,
        group=_("Work"),
        pages=frozenset({"review:plan", "review:plan_experts"}),
    )
)
offer(
    Entry(
        _("Deadlines"),
        "review:deadlines",
        may_see_desk,
        order=14,
        group=_("Work"),
        pages=frozenset({"review:terms", "review:calendar"}),
    )
)
offer(
    Entry(
        _("Verification"),
        "review:verification",
        may_see_verdicts,
        order=16,
        pages=frozenset({"review:verdicts", "review:set_history", "review:set_protocol"}),
    )
)
offer(
    Entry(
        _("Agreement"),
        "review:agreement",
        may_see_agreement,
        order=45,
        group=_("Results"),
        pages=frozenset({"review:agreement_pairs"}),
    )
)
offer(
    Entry(
        _("Exports"),
        "review:exports",
        has_exports,
        order=65,
        pages=frozenset({"review:export"}),
        group=_("Results"),
    )
)
