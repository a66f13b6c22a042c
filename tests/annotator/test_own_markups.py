"""The short way to one's own markups leads to the same ones as the way that knows all rules."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.access import markups_seen_by, own_markups
from annotator.models import MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, PersonFactory, submitted

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", User.Role.values)
def test_they_are_those_of_what_one_may_see_that_one_has_made(role):
    somebody = PersonFactory(role=role)
    for source in MarkupRecord.Source:
        submitted(EssayFactory(), author=somebody, source=source)
    draft_of().essay.markups.update(author=somebody)
    closed = submitted(EssayFactory(), author=somebody)
    MarkupRecord.objects.filter(pk=closed.pk).update(state=MarkupRecord.State.SUPERSEDED)
    draft_of()

    seen = markups_seen_by(somebody).filter(author=somebody)

    assert set(own_markups(somebody)) == set(seen)
    everything = len(MarkupRecord.Source) + 2
    assert len(own_markups(somebody)) == (1 if role == "participant" else everything)


def test_a_stranger_is_not_led_to_a_draft(log_in):
    record = draft_of()

    answer = log_in(PersonFactory(role="expert")).get(f"/markups/{record.pk}/")

    assert answer.status_code == 404


def test_an_author_is_not_asked_who_sees_the_markups_of_others(log_in):
    record = draft_of()
    client = log_in(record.author)

    with CaptureQueriesContext(connection) as queries:
        client.get(f"/markups/{record.pk}/")

    asked = [
        each["sql"]
        for each in queries
        if each["sql"].startswith('SELECT "annotator_markuprecord"')
        and "annotator_essayset" in each["sql"]  # what the page needs comes with it
    ]
    assert len(asked) == 2  # this markup, and one taken back at last if there were one
    assert [each for each in asked if "EXISTS" in each or "IN (SELECT" in each] == []
