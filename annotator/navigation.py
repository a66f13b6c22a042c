from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotator.access import (
    has_queue,
    has_training,
    may_import,
    may_manage_sets,
    may_practise,
)
from web.panels import Entry, offer

IMPORTS = frozenset({"annotator:imports", "annotator:imported", "annotator:undo_import"})

SETS = frozenset(
    f"annotator:{name}"
    for name in ("new_set", "essay_set", "describe_set", "publish_set", "new_rules")
)

offer(Entry(_("My essays"), "annotator:queue", has_queue, order=10))
offer(Entry(_("Practice"), "annotator:practice", may_practise, order=11))
offer(Entry(_("Training essays"), "annotator:training", has_training, order=11))
offer(
    Entry(_("Import"), "annotator:import", may_import, order=20, pages=IMPORTS, group=_("Essays"))
)
offer(Entry(_("Sets"), "annotator:sets", may_manage_sets, order=19, pages=SETS, group=_("Essays")))
