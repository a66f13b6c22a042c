"""Three hints on a first visit to the marking screen, each put away for good."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import EssaySet, SeenHint
from annotator.services.hints import put_away
from tests.annotator.drafts import draft_of
from tests.annotator.practising import practice_essay
from tests.factories import AssignmentFactory, DraftFactory, PersonFactory, submitted
from tests.pages import page_of

pytestmark = pytest.mark.django_db

ALL = ["submit", "select", "keys"]


@pytest.fixture
def hints(log_in):
    def found(record, user=None):
        page = page_of(log_in(user or record.author).get(f"/markups/{record.pk}/"))
        return [each["data-hint"] for each in page.find(".hint")]

    return found


def test_a_first_visit_shows_three_hints_with_a_button_each(log_in):
    record = draft_of("Some people think.")

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert [each["data-hint"] for each in page.find(".hint")] == ALL
    assert [each["data-value"] for each in page.find(".hint button")] == ALL
    assert {each["data-address"] for each in page.find(".hint")} == {"/hints/"}


def test_a_hint_that_was_put_away_comes_no_more_on_any_essay_or_browser(log_in, hints):
    record = draft_of("Some people think.")

    responses = [log_in(record.author).post("/hints/", {"hint": "keys"}) for _again in range(2)]

    assert [response.status_code for response in responses] == [204, 204]
    assert list(SeenHint.objects.values_list("user", "hint")) == [(record.author.pk, "keys")]
    other = DraftFactory(assignment=AssignmentFactory(expert=record.author))
    assert hints(record) == hints(other) == ["submit", "select"]
    assert hints(draft_of("Somebody else’s.")) == ALL


def test_readers_and_authors_of_submitted_checks_get_none(hints):
    record = submitted(draft_of("Some people think.").essay)

    assert hints(record) == []


@pytest.mark.parametrize(("has_key", "links"), [(True, ["/practice/"]), (False, [])])
def test_the_hint_leads_to_practice_where_there_is_an_essay_with_a_key(log_in, has_key, links):
    record = draft_of("Some people think.")
    practice_essay(has_key=has_key, subject=record.essay.subject)

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert [each["href"] for each in page.find(".hint a")] == links


def test_a_practice_essay_does_not_lead_to_practice(log_in):
    record = draft_of("Some people think.")
    practice_essay(subject=record.essay.subject)
    EssaySet.objects.filter(pk=record.essay.essay_set_id).update(access=EssaySet.Access.PRACTICE)

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert page.find(".hint a") == []
    assert len(page.find(".hint")) == 3


@pytest.mark.parametrize("sent", [{}, {"hint": "others"}, {"hint": "x" * 300}])
def test_what_is_no_hint_is_refused_and_kept_nowhere(log_in, sent):
    response = log_in(PersonFactory()).post("/hints/", sent)

    assert response.status_code == 422
    assert SeenHint.objects.count() == 0


def test_hints_cost_two_queries_and_once_put_away_one(log_in):
    record = draft_of("Some people think.")
    client = log_in(record.author)

    def count():
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/markups/{record.pk}/")
        return len(queries)

    before = count()
    for hint in SeenHint.Hint.values:
        put_away(user=record.author, hint=hint)
    assert count() == before - 1


def test_a_stranger_is_asked_to_log_in(client):
    response = client.post("/hints/", {"hint": "keys"})

    assert (response.status_code, response["Location"].partition("?")[0]) == (302, "/login/")
