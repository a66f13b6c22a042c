"""What is known of how a check came about: counts while it is at work, its log once submitted."""

from __future__ import annotations

import uuid

import pytest

from annotator.core.stated import frozen
from annotator.core.steps import Step
from annotator.models import MarkupRecord
from annotator.services.claiming import keep_step
from annotator.services.drafts import add_fragment, delete_fragment, state_criteria
from annotator.services.markup import close
from annotator.services.stepping import step
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TEXT = "Some people think."


@pytest.fixture
def record():
    made = draft_of(TEXT)
    new = fragment(0, 4)
    row = add_fragment(record=made, version=0, uid=uuid.uuid4(), fragment=new)
    delete_fragment(record=made, version=1, row=row)
    step(record=made, way=Step.UNDONE)
    state_criteria(record=made, version=3, stated=frozen({"K1": 2}))
    MarkupRecord.objects.filter(pk=made.pk).update(active_seconds=150)
    return MarkupRecord.objects.get(pk=made.pk)


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


def history(browser, record):
    return browser.get(f"/markups/{record.pk}/history/")


def test_a_submitted_check_tells_who_made_which_change(coordinator, record):
    close(record)

    response = history(coordinator, record)

    name = str(record.author)
    assert texts_of(response, "tbody th") == [
        "own points K1",
        "Undone: deleted: А.грамм “Some”",
        "deleted: А.грамм “Some”",
        "marked: А.грамм “Some”",
    ]
    assert texts_of(response, "tbody .a-state") == [name] * 4
    page = coordinator.get(f"/markups/{record.pk}/")
    assert "History of changes" in texts_of(page, ".files a")


def test_of_a_draft_only_counts_and_time_are_told(coordinator, log_in, record):
    essay = f"/essays/{record.essay_id}/"

    (told,) = texts_of(coordinator.get(essay), ".at-work li")

    assert told == f"{record.author} first check, 1 mark so far, 2 min at work"
    assert history(coordinator, record).status_code == 404
    assert texts_of(log_in(record.author).get(essay), ".at-work li") == []


def test_changes_over_an_earlier_text_quote_no_words_of_the_present_one(coordinator, record):
    record.version += 1
    record.save()
    keep_step(record, step=Step.FIXED)
    close(record)

    told = texts_of(history(coordinator, record), "tbody th")

    assert told[0] == "the essay got another text"
    assert told[2:] == ["Undone: deleted: А.грамм", "deleted: А.грамм", "marked: А.грамм"]


def test_the_author_reads_it_too_and_a_stranger_does_not(log_in, record):
    close(record)

    answers = [
        history(log_in(person), record).status_code
        for person in (record.author, PersonFactory(), PersonFactory(role="participant"))
    ]

    assert answers == [200, 404, 403]


def test_a_page_of_a_long_history_takes_few_queries(
    coordinator, record, django_assert_max_num_queries
):
    for number in range(60):
        new = fragment(number % 10, number % 10 + 2)
        add_fragment(record=record, version=record.version, uid=uuid.uuid4(), fragment=new)
    close(record)

    with django_assert_max_num_queries(10):
        response = history(coordinator, record)

    assert len(texts_of(response, "tbody th")) == 50
