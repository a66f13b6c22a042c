"""Why somebody would stand elsewhere by a score run, in words of pages and of the command line."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.core.run_changes import Moved, Why
from scoring.models import RunEntry

WHY: Final = {
    Why.ENTRY: pgettext_lazy("why a score differs", "in one of the runs only"),
    Why.SOLUTION: pgettext_lazy("why a score differs", "another solution"),
    Why.STATE: pgettext_lazy("why a score differs", "ranked in one of the runs only"),
    Why.MARKUP: pgettext_lazy("why a score differs", "markups"),
    Why.RULE: pgettext_lazy("why a score differs", "the program"),
    Why.PARAMETER: pgettext_lazy("why a score differs", "parameters"),
    Why.OTHERS: pgettext_lazy("why a score differs", "others moved"),
}

LEFT_OUT: Final = {
    "no-expert": _("Essays no expert has marked"),
    "withdrawn": _("Essays of which a markup was withdrawn"),
    "undefined": _("Essays with an accuracy that is undefined"),
}


def state_in(moved: Moved) -> str | None:
    """What the later run says of the participant's entry, in words."""
    return str(RunEntry.State(moved.after.state).label) if moved.after else None
