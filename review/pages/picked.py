"""Of which essays a plan is, in words: set, subject, and what of the desk's list it keeps to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.queries import known_as
from annotator.models import EssaySet
from review.core.desk import Number
from review.core.plan_options import Options, Picked, Wanted, numbers_of, picked_of
from review.models.acts import BulkAct
from review.models.plans import Plan
from review.pages.desk import LABELS
from review.queries.plans import essays_left_by, essays_of_act
from web.refusals import Refused
from web.templatetags.ui import UNKNOWN

MOST_NAMED: Final = 100
"""So many essays an address names: two thousand letters, which every browser and server takes."""


LEFT_BY: Final = "left"
"""What names the expert from whom checks came back."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what is picked: a field of the form, which takes it away when it is not sent."""

    name: str
    value: str
    words: str


def picked_on_desk(given: QueryDict, act: BulkAct | None) -> tuple[Picked, Wanted]:
    """What an address of the desk picks, and which checks have to be missing: the essays of an act
    where it names one, those that came back from an expert, the ticked ones where some are, else
    what its filter lists. Raises ``Refused`` where its button was pressed and nothing was ticked.
    """
    if act is not None:
        return Picked(ticked=essays_of_act(act)), Wanted.ANY
    ticked = () if "all" in given else numbers_of(given.getlist("essay"))
    for expert in numbers_of(given.getlist(LEFT_BY)):
        ticked += essays_left_by(expert, given.get("set", ""))
    if ticked:
        return Picked(ticked=ticked), Wanted.ANY
    if "these" in given and "all" not in given:
        raise Refused(_("Nothing is ticked: choose essays in the list first, or all of it."))
    picked = picked_of(given.dict())
    if picked.state == Number.RETURNED:  # a question of the form
        return replace(picked, state=""), Wanted.RETURNED
    return picked, Wanted.ANY


def plan_of(held: Mapping[str, Any], expert: int) -> str:
    """Where checks that came back from an expert to the desk of a set are given to others; third
    checks go to another expert by themselves. Of very many an address names whose they were.
    """
    essays = held["essays"]
    if not essays:
        return ""
    named = {"essay": essays} if len(essays) <= MOST_NAMED else {LEFT_BY: expert}
    asked = urlencode({"set": held["place"], **named}, doseq=True)
    return f"{reverse('review:planning')}?{asked}"


def parts_of(picked: Picked) -> list[Part]:
    """What is picked, part by part, in words."""
    words = _words(picked, _names([picked]))
    return [Part(name, value, words[name]) for name, value in picked.fields.items()]


def essays_asked_for(plans: Sequence[Plan]) -> dict[int, str]:
    """Of which essays these plans are, in words, by the plans’ numbers."""
    asked = {plan.pk: Options.from_json(plan.options) for plan in plans}
    sets = EssaySet.objects.in_bulk({each.essay_set for each in asked.values() if each.essay_set})
    names = _names(each.picked for each in asked.values())
    return {number: ", ".join(_parts(options, sets, names)) for number, options in asked.items()}


def _parts(options: Options, sets: Mapping[int, Any], names: Mapping[int, str]) -> Iterable[str]:
    chosen = options.essay_set
    yield str(sets.get(chosen, UNKNOWN)) if chosen else _("All essay sets")
    if options.subject:
        yield str(dict(settings.SUBJECTS)[options.subject])
    yield from _words(options.picked, names).values()


def _names(several: Iterable[Picked]) -> dict[int, str]:
    """What to call the experts that are asked for."""
    return known_as(User.objects.filter(pk__in={each.expert for each in several if each.expert}))


def _words(picked: Picked, names: Mapping[int, str]) -> dict[str, str]:
    """The parts by their fields."""
    found = {}
    if picked.state:
        found["state"] = _("state: %s") % LABELS[Number(picked.state)]
    if picked.expert:
        found["expert"] = _("expert: %s") % names.get(picked.expert, UNKNOWN)
    if picked.words:
        found["q"] = _("search: “%s”") % picked.words
    if count := len(picked.ticked):
        found["ticked"] = ngettext("%d ticked essay", "%d ticked essays", count) % count
    return found
