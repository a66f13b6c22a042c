from __future__ import annotations

import uuid

import pytest
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotator.models import MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.drafts import add_fragment
from annotator.services.imports.importing import Imported, Options, Outcome, import_files
from annotator.services.markup import submit_markup
from annotator.services.recalling import make_final
from tests.annotator.conftest import HTMX
from tests.annotator.files import MARKED, TEXT, named
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    PersonFactory,
    marking_form,
)
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

FILE = named("0001_exp7.txt", MARKED)


@pytest.fixture
def draft():
    """An empty draft of expert exp7."""
    essay = EssayFactory(number="0001", text=TEXT)
    expert = PersonFactory(username="exp7")
    return DraftFactory(assignment=AssignmentFactory(essay=essay, expert=expert, state="working"))


@pytest.fixture
def marked(draft):
    add_fragment(record=draft, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))
    draft.refresh_from_db()
    return draft


@pytest.fixture
def bring(draft):
    def import_it():
        (imported,) = import_files([FILE], Options(draft.essay.essay_set))
        return imported

    return import_it


def states():
    return list(MarkupRecord.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.usefixtures("marked")
def test_a_draft_an_expert_is_at_work_on_is_not_replaced_but_named(bring):
    assert bring() == Imported(
        "0001_exp7.txt",
        Outcome.REFUSED,
        "exp7 is at work on a draft of essay 0001 (marks so far: 1), which is not replaced. "
        "It can come in once that check is handed back or submitted.",
    )
    assert states() == ["draft"]


def test_an_empty_draft_gives_way_and_is_named(bring):
    assert bring() == Imported(
        "0001_exp7.txt",
        Outcome.MARKUP,
        remarks=("It replaces the draft of essay 0001 that exp7 has begun and that is empty.",),
    )
    assert states() == ["superseded", "submitted"]


def test_an_empty_check_that_can_be_recalled_yet_is_not_replaced(draft, bring, settings):
    settings.RECALL_SECONDS = 60
    submit_markup(record=draft, version=draft.version)

    brought = bring()

    assert (brought.outcome, states()) == (Outcome.REFUSED, ["draft"])
    draft.refresh_from_db()
    assert draft.final_at is not None
    make_final(record=draft)
    assert (bring().outcome, states()) == (Outcome.MARKUP, ["superseded", "submitted"])


def test_a_markup_an_expert_has_handed_in_is_replaced_by_name(marked, bring):
    submit_markup(record=marked, version=marked.version)

    assert bring() == Imported(
        "0001_exp7.txt",
        Outcome.MARKUP,
        remarks=("It replaces the markup of essay 0001 that exp7 handed in before.",),
    )
    assert states() == ["superseded", "submitted"]


def mark(log_in, record):
    form = marking_form(record, start=0, end=4)
    return log_in(record.author).post(f"/markups/{record.pk}/fragments/", form, headers=HTMX)


def said(response):
    assert response.status_code == 409
    return response.content.decode()


def test_who_has_the_replaced_draft_open_is_told_of_the_import(draft, bring, log_in):
    bring()
    when = date_format(localtime(EssayImport.objects.get().begun_at), "SHORT_DATETIME_FORMAT")

    sentence = f"This markup is closed: an import of {when} brought another one in its place."
    assert sentence in said(mark(log_in, draft))


def test_who_has_a_submitted_markup_open_is_told_that_it_is_submitted(marked, log_in):
    submit_markup(record=marked, version=marked.version)

    assert "This markup is closed: it was submitted." in said(mark(log_in, marked))


def test_who_has_lost_the_check_is_told_so(draft, log_in):
    draft.assignment.state = "withdrawn"
    draft.assignment.save()

    sentence = "This markup is closed: its check was handed back or taken away."
    assert sentence in said(mark(log_in, draft))
