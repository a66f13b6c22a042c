"""What the parts of a contest are called in refusals and announcements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.core.outline import DateFault, Part

PARTS: Final[Mapping[str, Any]] = {
    Part.NAME_RU: _("name in Russian"),
    Part.NAME_EN: _("name in English"),
    Part.SUMMARY_RU: _("summary in Russian"),
    Part.SUMMARY_EN: _("summary in English"),
    Part.TASK_RU: _("task in Russian"),
    Part.TASK_EN: _("task in English"),
    Part.CONTACT: _("organisers’ e-mail"),
    Part.APPLICATIONS_FROM: _("applications from"),
    Part.APPLICATIONS_UNTIL: _("applications until"),
    Part.QUALIFICATION: _("dates of the qualification"),
    Part.FINALS: _("dates of the finals"),
    Part.TRAINING: _("training set"),
    Part.TEST: _("test set"),
    Part.FINAL: _("final set"),
    Part.PARAMETERS: pgettext_lazy("of a contest", "parameters"),
}

DATES: Final[Mapping[DateFault, Any]] = {
    DateFault.QUALIFICATION_OVER: _("The qualification would be over already: move its end."),
    DateFault.FINALS_WITHIN_NOTICE: _(
        "Clause 7.5 of the regulation: the start of the finals is announced at least 10 days "
        "ahead. Name a later day."
    ),
    DateFault.FINALS_BEFORE_QUALIFICATION_ENDS: _(
        "The finals would start before the qualification ends: move one of them."
    ),
    DateFault.APPLICATIONS_OVER: _("Applications would be over already: move their end."),
    DateFault.APPLICATIONS_AFTER_FINALS: _(
        "Applications would be taken after the finals have started: end them earlier."
    ),
}

PARAMETERS: Final[Mapping[str, Any]] = {
    "rules": _("rules"),
    **{f"w{number}": f"w{number}" for number in range(1, 7)},
    "hardness": _("hardness H"),
    "third_total": _("total for the third check"),
    "limit": _("seconds for an answer"),
    "interval": _("seconds between two files"),
    "sends": _("answers to a file that are looked at"),
    "share": _("share of annulled files above which a solution is annulled"),
    "window": _("seconds after the start in which a session may be opened"),
    "star_to_qualify": _("STAR to be admitted, %"),
    "annulled_to_qualify": _("share of annulled files at most"),
}
"""Every parameter of a contest by the name ``contest.queries.parameters.values_of`` gives it."""


def listed(names: Iterable[str], words: Mapping[str, Any] = PARTS) -> str:
    """These parts in words, one after another."""
    return ", ".join(str(words[each]) for each in names)
