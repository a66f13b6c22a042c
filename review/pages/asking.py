"""The question before a coordinator reminds people of their open checks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.http import QueryDict

from accounts.models import User
from accounts.pages.inviting import by_name, called
from accounts.services.inviting import told_lately
from annotator.access import has_queue
from review.queries.deadlines import open_checks
from review.services.asking import REMINDED
from review.services.letters import why_not
from web.forms import is_number_of_row

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Reminded:
    """Who would get a letter, about how many checks; who had one a moment ago; by names that tell
    them apart who has no address or one that was refused, and who has nothing open, or marks no
    more.
    """

    people: Sequence[tuple[User, int]]
    lately: Sequence[User]
    unreachable: Sequence[str]
    idle: Sequence[str]
    key: uuid.UUID

    @property
    def called_lately(self) -> list[str]:
        """Who had one a moment ago, by names that tell them apart."""
        return called(self.lately)

    @property
    def asked(self) -> list[int]:
        """The numbers of whom to remind; who was reminded a moment ago is told of, not reminded."""
        return [person.pk for person in (*(one for one, _count in self.people), *self.lately)]


def reminded_by(given: QueryDict, kept: QuerySet[User]) -> Reminded:
    """The ticked ones; as many queries, however many they are."""
    ticked = [int(word) for word in given.getlist("person") if is_number_of_row(word)][:AT_ONCE]
    chosen = by_name(kept.filter(pk__in=ticked).select_related("letter_terms"))
    counted = dict(
        open_checks(None)
        .filter(expert__in=[person.pk for person in chosen], deadline_at__isnull=False)
        .order_by()
        .values_list("expert")
        .annotate(n=Count("pk"))
    )
    at_work = [
        person
        for person in chosen
        if person.pk in counted and person.is_active and has_queue(person)
    ]
    reachable = [person for person in at_work if not why_not(person)]
    lately = told_lately([person.pk for person in reachable], REMINDED)
    return Reminded(
        people=[(each, counted[each.pk]) for each in reachable if each.pk not in lately],
        lately=[person for person in reachable if person.pk in lately],
        unreachable=called([person for person in at_work if why_not(person)]),
        idle=called([person for person in chosen if person not in at_work]),
        key=uuid.uuid4(),
    )
