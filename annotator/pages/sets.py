"""What the pages of essay sets show, put together from queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.core.set_states import STEPS, SetState
from annotator.models import Essay, EssaySet
from annotator.queries.essays import LATEST
from annotator.queries.practice import has_key
from annotator.queries.sets import scored_by_rules, subjects_of, unfinished_in
from annotator.services.gates import is_sealed, may_be_published, may_go_by
from web.zones import told_at

MEANS: Final = {
    SetState.PREPARING: _("Nothing is handed out yet, neither to experts nor to participants."),
    SetState.OPEN: _("Checks are given to experts, and algorithms’ markups come in."),
    SetState.CLOSED: _(
        "No new checks are given and no more markups by algorithms come in. What was given may "
        "still be submitted."
    ),
    SetState.ARCHIVED: _("Lists pass the set over, and nothing is imported into it."),
}
"""What a state means to those who lead a set."""

SEALED: Final = {
    **MEANS,
    SetState.OPEN: _(
        "Experts are given nothing of it before its finals are over (clause 2.8 of the regulation)."
    ),
}
"""The same of a set of finals that are not over."""

WORDS: Final = {
    (SetState.PREPARING, SetState.OPEN): _("Open the set"),
    (SetState.OPEN, SetState.CLOSED): _("Close the set"),
    (SetState.CLOSED, SetState.OPEN): _("Open it again"),
    (SetState.CLOSED, SetState.ARCHIVED): _("Put it into the archive"),
    (SetState.ARCHIVED, SetState.CLOSED): _("Take it out of the archive"),
}
"""What each step is called on its button."""

WAYS_BACK: Final = frozenset(
    {(SetState.CLOSED, SetState.OPEN), (SetState.ARCHIVED, SetState.CLOSED)}
)
"""Steps that are made at once; before any other one a question is asked."""

PRACTISED: Final = {
    SetState.PREPARING: _("Essays come in and get their keys. Nobody sees them yet."),
    SetState.OPEN: _("Experts try the essays that have a key, as often as they like."),
    SetState.CLOSED: _("No new tries. What was begun may be submitted."),
    SetState.ARCHIVED: _("Put aside: it stands in no list but this one."),
}
"""What the states mean for a set of practice."""

SHOWN: Final = {
    EssaySet.Access.OPEN: _("Participants see texts and experts’ markups already."),
    EssaySet.Access.CLOSED: _(
        "Of a test set participants see figures only, whatever is published."
    ),
    EssaySet.Access.FINAL: _(
        "Participants will see the texts of all essays and every markup that experts have "
        "submitted, on their pages and through the API, with numbers instead of experts’ names."
    ),
    EssaySet.Access.PRACTICE: _("Participants see nothing of practice."),
}
"""What participants see of a set, or will see once it is published."""

SHOWN_WITH_NAMES: Final = _(
    "Participants will see the texts of all essays and every markup that experts have "
    "submitted, with the experts’ names, on their pages and through the API."
)
"""The same of a set of finals that names its experts."""


@dataclass(frozen=True, slots=True)
class SetLine:
    """A set in the list, with how many essays of which subject it has."""

    essay_set: EssaySet
    subjects: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Step:
    """A state a set may be brought into: its button, what it means, whether it is asked about."""

    state: SetState
    words: Promise | str
    means: Promise | str
    asks: bool


@dataclass(frozen=True, slots=True)
class SetPage:
    """A set with all that is said of it and may be done with it."""

    essay_set: Any
    subjects: list[tuple[str, int]]
    unfinished: int
    rules_stay: str
    is_empty: bool
    essays: QuerySet[Essay]
    without_key: int = 0
    is_sealed: bool = False

    @property
    def means(self) -> Promise | str:
        return self._words[SetState(self.essay_set.state)]

    @property
    def _words(self) -> Mapping[SetState, Promise]:
        if self.essay_set.is_practice:
            return PRACTISED
        return SEALED if self.is_sealed else MEANS

    @property
    def shown(self) -> Promise | str:
        """What participants see, or will see."""
        if self.essay_set.access == EssaySet.Access.FINAL and self.essay_set.names_experts:
            return SHOWN_WITH_NAMES
        return SHOWN[EssaySet.Access(self.essay_set.access)]

    @property
    def steps(self) -> list[Step]:
        present = SetState(self.essay_set.state)
        return [
            Step(each, WORDS[present, each], self._words[each], (present, each) not in WAYS_BACK)
            for each in STEPS[present]
        ]

    @property
    def is_published(self) -> bool:
        at = self.essay_set.published_at
        return at is not None and at <= self.essay_set.now

    @property
    def published_when(self) -> str:
        """The moment of its publication, of a set that has one."""
        at = self.essay_set.published_at
        return moment_told(at) if at else ""

    @property
    def may_be_published(self) -> bool:
        return not self.is_published and may_be_published(self.essay_set)


def publication_told(at: datetime | None) -> str:
    """What is told once a set is published, now or from a moment on."""
    if at is None:
        return gettext("It is published: participants see texts and markups from now on.")
    return gettext("It will be published %s.") % moment_told(at)


def moment_told(at: datetime) -> str:
    """A moment by the clocks of the pages, whose zone is named."""
    return told_at(at, get_current_timezone_name())


def set_lines(sets: Sequence[EssaySet]) -> list[SetLine]:
    """Sets as lines of the list, in one query."""
    found = subjects_of(sets)
    return [SetLine(each, _named(found[each.pk])) for each in sets]


def set_page(essay_set: EssaySet) -> SetPage:
    """All that the page of a set shows; ``now`` is the database's."""
    with_now = EssaySet.objects.select_related("rules").annotate(now=Now()).get(pk=essay_set.pk)
    essays = with_now.essays.filter(LATEST).order_by("number", "pk")
    if with_now.is_practice:
        essays = essays.annotate(has_key=has_key())
    return SetPage(
        essay_set=with_now,
        subjects=_named(subjects_of([with_now])[with_now.pk]),
        unfinished=unfinished_in(with_now).count(),
        rules_stay=why_rules_stay(with_now),
        is_empty=not with_now.essays.exists(),
        essays=essays,
        without_key=essays.filter(has_key=False).count() if with_now.is_practice else 0,
        is_sealed=is_sealed(with_now),
    )


def _named(subjects: list[tuple[str, int]]) -> list[tuple[str, int]]:
    names = dict(settings.SUBJECTS)
    return [(str(names[subject]), count) for subject, count in subjects]


def why_rules_stay(essay_set: EssaySet) -> str:
    """Why a set keeps the rules it has, in words; empty where it may take others."""
    if scored_by_rules(essay_set):
        return gettext("Markups were handed in under these: they stay.")
    if not may_go_by(essay_set, None):
        return gettext("The set belongs to a contest and goes by its parameters.")
    return ""
