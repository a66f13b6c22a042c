"""A coordinator reminds people by hand: one letter each, about all their open checks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from django.db import transaction

from accounts.models import User
from accounts.services.audit import audit_all, entry
from accounts.services.inviting import Sent, told_lately
from review.core.reminding import ASKED
from review.models.deadlines import Letter
from review.queries.deadlines import open_checks
from review.services.reminding import fill_letters

REMINDED: Final = "person.reminded"


@transaction.atomic
def remind_people(*, people: Sequence[int], press: uuid.UUID, actor: User) -> Sent:
    """Order a letter to each of these experts who has open checks, unless one was just now.

    ``press``: the question that was answered. Of one answered twice, the second orders nothing.
    Checks without a deadline are not told of.
    """
    checks = open_checks(None).filter(expert__in=people, deadline_at__isnull=False)
    held = User.objects.select_for_update(no_key=True).filter(
        pk__in=people, is_active=True, role=User.Role.EXPERT
    )
    keys = {uuid.uuid5(press, str(person.pk)): person for person in held.order_by("pk")}
    known = set(Letter.objects.filter(key__in=keys).values_list("key", flat=True))
    waiting = list(checks)
    having = {check.expert_id for check in waiting}
    asked = {k: each for k, each in keys.items() if k not in known and each.pk in having}
    lately = told_lately([each.pk for each in asked.values()], REMINDED)
    made = Letter.objects.bulk_create(
        Letter(person=each, key=k) for k, each in asked.items() if each.pk not in lately
    )
    fill_letters(made, waiting, ASKED)
    audit_all(entry(actor=actor, action=REMINDED, target=letter.person) for letter in made)
    return Sent(len(made), len(lately))
