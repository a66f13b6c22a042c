"""A solution that is annulled stands apart from the STAR table, with the reason (R 10.1)."""

from __future__ import annotations

import pytest
from django.utils import timezone

from contest.services.sessions.clock import moment_now
from contest.services.sessions.settling import settle_due
from scoring.core.entries import Annulment
from scoring.queries.tables import star_table
from tests.contest.test_answers import do_answers
from tests.contest.world import SECOND, Client, Mode, final_at, team
from tests.factories import PersonFactory, submitted
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def final():
    """Of two participants of a final one is silent for a file of three; experts marked it then."""
    people = [team(), team()]
    start = moment_now() - 600 * SECOND
    found = final_at(start, *people, share=0.05)
    for person, answered in zip(people, (3, 2), strict=True):
        client = Client(person, mode=Mode.FINAL, moment=start)
        for number in range(answered):
            slot = client.next(60 * number + 1).slot
            client.send(slot, 60 * number + 5)
    settle_due()
    for each in found.files.select_related("essay"):
        for _expert in range(2):
            submitted(each.essay, fragment(0, 4, "А.грамм"))
    do_answers()
    return found


def test_an_annulled_solution_has_no_line_and_moves_nobody(final, log_in):
    whole, annulled = final.sessions.order_by("pk")

    table = star_table(final.essay_set)

    assert [(line.origin, line.place) for line in table.standings] == [(whole.origin, 1)]
    told = [(each.participant, each.origin, each.annulment) for each in table.apart]
    assert told == [(annulled.participant, annulled.origin, Annulment(1, 3))]
    words = "The solution is annulled: 1 of its 3 files were, more than the rules allow."
    page = page_of(log_in(PersonFactory(role="judge")).get("/scores/"))
    (line,) = [each.text for each in page.find(".panel li") if words in each.text]
    assert f"session {annulled.pk}" in line
    final.essay_set.published_at = timezone.now()
    final.essay_set.save()
    own = log_in(annulled.participant).get("/scores/").content.decode()
    assert words in own
    assert words not in log_in(whole.participant).get("/scores/").content.decode()
