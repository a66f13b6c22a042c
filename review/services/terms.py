"""What coordinators say of deadlines: the terms of a set, the days of the calendar, addresses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.db import transaction
from django.forms.models import model_to_dict

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from review.models.deadlines import CalendarDay, LetterTerms, SetTerms, TimeLimit


@transaction.atomic
def save_terms(*, terms: SetTerms, limits: Mapping[str, int | None], actor: User) -> SetTerms:
    """Keep the terms of a set and its limits in minutes by subject; ``None`` is no limit.

    Deadlines that were given stay: the terms are for what is given from now on.
    """
    EssaySet.objects.select_for_update(no_key=True).get(pk=terms.essay_set_id)
    known = SetTerms.objects.filter(essay_set=terms.essay_set_id).first()
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
    return terms


def name_working_days(*, essay_set: EssaySet, days: int, zone: str, actor: User | None) -> None:
    """Let checks of a set be due so many working days after they are given, by the days of a time
    zone, where nobody has said by when yet. Safe to repeat.
    """
    said = {"due_by": SetTerms.DueBy.WORKING, "working_days": days, "zone": zone}
    named, is_new = SetTerms.objects.get_or_create(essay_set=essay_set, defaults=said)
    if is_new:
        terms = {name: str(value) for name, value in said.items()}
        audit(actor=actor, action="deadlines.terms", target=named.essay_set, terms=terms)


@transaction.atomic
def enter_day(*, day: date, works: bool, note: str, actor: User) -> CalendarDay:
    """Say of a day that it is worked or off, whatever the country's calendar says."""
    entered, _made = CalendarDay.objects.update_or_create(
        day=day, defaults={"works": works, "note": note}
    )
    audit(actor=actor, action="calendar.entered", target=entered, day=str(day), works=works)
    return entered


@transaction.atomic
def drop_day(*, day: CalendarDay, actor: User) -> None:
    """Let a day be again as the country's calendar has it. Safe to repeat."""
    audit(actor=actor, action="calendar.dropped", target=day, day=str(day.day), works=day.works)
    CalendarDay.objects.filter(pk=day.pk).delete()


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
