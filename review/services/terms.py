"""What coordinators say of deadlines: the terms of a set, the days of the calendar, addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from review.core.canonical import canonical, digest_of
from review.models.deadlines import CalendarDay, LetterTerms, SetTerms, TimeLimit
from review.queries.deadlines import limits_of
from web.refusals import Conflict


def seen_of_terms(terms: SetTerms | None, limits: Mapping[str, int | None]) -> str:
    """What a page of a set's terms shows, limits in minutes among it, as a digest; empty where
    nothing was said of them yet.
    """
    if terms is None:
        return ""
    said = {name: str(value) for name, value in model_to_dict(terms, exclude=["id"]).items()}
    minutes = {subject: minutes for subject, minutes in limits.items() if minutes}
    return digest_of(canonical({"terms": said, "limits": minutes}))


@transaction.atomic
def save_terms(
    *, terms: SetTerms, limits: Mapping[str, int | None], seen: str, actor: User
) -> bool:
    """Keep the terms of a set and its limits in minutes by subject, ``None`` is no limit; false
    where they are so already, as when a form is sent twice.

    Deadlines that were given stay: the terms are for what is given from now on. Raises
    ``Conflict`` where others were kept since ``seen``.
    """
    held = EssaySet.objects.select_for_update(no_key=True).get(pk=terms.essay_set_id)
    known = SetTerms.objects.filter(essay_set=held).first()
    present = seen_of_terms(known, limits_of(held))
    if present == seen_of_terms(terms, limits):
        return False
    if present != seen:
        raise Conflict(_("Somebody changed the terms of this set meanwhile. Look at them again."))
    terms.pk = known.pk if known else None
    terms.save(force_insert=known is None)
    TimeLimit.objects.filter(essay_set=terms.essay_set_id).delete()
    TimeLimit.objects.bulk_create(
        TimeLimit(essay_set_id=terms.essay_set_id, subject=subject, minutes=minutes)
        for subject, minutes in sorted(limits.items())
        if minutes
    )
    audit(
        actor=actor,
        action="deadlines.terms",
        target=terms.essay_set,
        terms={name: str(value) for name, value in model_to_dict(terms).items()},
        limits={subject: minutes for subject, minutes in limits.items() if minutes},
    )
    return True


def name_working_days(*, essay_set: EssaySet, days: int, zone: str, actor: User | None) -> None:
    """Let checks of a set be due so many working days after they are given, by the days of a time
    zone, where nobody has said by when yet. Safe to repeat.
    """
    said = {"due_by": SetTerms.DueBy.WORKING, "working_days": days, "zone": zone}
    named, is_new = SetTerms.objects.get_or_create(essay_set=essay_set, defaults=said)
    if is_new:
        terms = {name: str(value) for name, value in said.items()}
        audit(actor=actor, action="deadlines.terms", target=named.essay_set, terms=terms)


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of a day that was entered; ``before``: how it was entered already."""

    before: CalendarDay | None
    is_new: bool


@transaction.atomic
def enter_day(*, day: date, works: bool, note: str, actor: User) -> Entered:
    """Say of a day that it is worked or off, whatever the country's calendar says. Entered as it is
    already, it stays so.
    """
    said = {"works": works, "note": note}
    rows = CalendarDay.objects.select_for_update()
    before, is_first = rows.get_or_create(day=day, defaults=said)
    if not is_first and (before.works, before.note) == (works, note):
        return Entered(before, is_new=False)
    CalendarDay.objects.filter(pk=before.pk).update(**said)
    audit(actor=actor, action="calendar.entered", target=before, day=str(day), works=works)
    return Entered(None if is_first else before, is_new=True)


@transaction.atomic
def drop_day(*, day: CalendarDay, actor: User) -> bool:
    """Let a day be again as the country's calendar has it; false where somebody was quicker."""
    removed, _kinds = CalendarDay.objects.filter(pk=day.pk).delete()
    if removed:
        audit(actor=actor, action="calendar.dropped", target=day, day=str(day.day), works=day.works)
    return bool(removed)


@transaction.atomic
def try_address_again(*, terms: LetterTerms, actor: User) -> None:
    """Send letters to an address again that was refused. Safe to repeat."""
    again = LetterTerms.objects.filter(pk=terms.pk, refused_at__isnull=False).update(
        refused_at=None, refused_because="", refused_address=""
    )
    if again:
        audit(actor=actor, action="address.trusted", target=terms.person)


def choose_language(*, person: User, language: str) -> None:
    """In which language somebody reads letters."""
    LetterTerms.objects.update_or_create(person=person, defaults={"language": language})
