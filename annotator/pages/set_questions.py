"""The question before a set is opened, closed or archived: what happens, which way leads back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

from annotator.core.set_states import SetState
from annotator.models import EssaySet
from annotator.pages.sets import SetPage
from web.asking import Question

Access = EssaySet.Access

TITLES: Final[Mapping[SetState, Promise]] = {
    SetState.OPEN: gettext_lazy("Open “%s”?"),
    SetState.CLOSED: gettext_lazy("Close “%s”?"),
    SetState.ARCHIVED: gettext_lazy("Put “%s” into the archive?"),
}
SEEN: Final[Mapping[str, Promise]] = {
    Access.OPEN: gettext_lazy(
        "Participants see its texts and experts’ submitted markups from now on, whether or not the "
        "contest it is of is announced."
    ),
    Access.CLOSED: gettext_lazy("Participants see figures of it only."),
    Access.FINAL: gettext_lazy("Participants see its texts and markups once they are published."),
    Access.PRACTICE: gettext_lazy("Participants see nothing of practice."),
}
"""What participants see of a set that is handed out."""
STANDS: Final = gettext_lazy(
    "Overdue checks go to nobody else meanwhile, and third checks wait. What participants see "
    "of the set, reports and boards stay as they are."
)
PASSED_OVER: Final = gettext_lazy(
    "The desk, the list of training essays and the tables of accuracy leave it out; by its name "
    "it is found still. No check of it is reopened."
)
BACK: Final[Mapping[SetState, Promise]] = {
    SetState.OPEN: gettext_lazy("It cannot be prepared again afterwards, only closed."),
    SetState.CLOSED: gettext_lazy("It can be opened again."),
    SetState.ARCHIVED: gettext_lazy("It can be taken out again and is closed then."),
}


def asked_of_step(shown: SetPage, state: str) -> Question | None:
    """Before a set is brought into a state; ``None`` where nothing is asked about that."""
    essay_set = shown.essay_set
    step = next((each for each in shown.steps if each.state == state and each.asks), None)
    if step is None:
        return None
    back = reverse("annotator:essay_set", args=[essay_set.pk])
    return Question(
        title=str(TITLES[step.state]) % essay_set.name,
        words=_words(shown, step.state, str(step.means)),
        button=str(step.words),
        back=back,
        address=reverse("annotator:set_state", args=[essay_set.pk]),
        fields={"state": step.state.value, "seen": essay_set.revision},
    )


def _words(shown: SetPage, state: SetState, means: str) -> list[str]:
    words = [means]
    if state is SetState.OPEN:
        words.append(str(SEEN[shown.essay_set.access]))
    elif not shown.essay_set.is_practice:
        if shown.unfinished:
            words.append(_left(shown.unfinished))
        words.append(str(STANDS if state is SetState.CLOSED else PASSED_OVER))
    return [*words, str(BACK[state])]


def _left(unfinished: int) -> str:
    words = ngettext(
        "%d check is not submitted yet: it stays with its expert, with its deadline.",
        "%d checks are not submitted yet: they stay with their experts, with their deadlines.",
        unfinished,
    )
    return words % unfinished
