"""The process of an import dies in its midst: what came in is said, and it goes on or is undone."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import timedelta
from io import BytesIO

import pytest
from django.db import OperationalError
from django.db.models.functions import Now
from django.test import Client

from annotator.models import Essay, MarkupRecord
from annotator.models.imports import EssayImport, ImportedFile, ImportUpload
from annotator.services.imports.importing import AT_ONCE, Options, import_files
from annotator.services.imports.staging import confirm_import, stage_import
from annotator.services.imports.turns import TurnLost, take_turn
from annotator.signals import markups_imported
from jobs.signals import ticked
from tests.annotator.files import MARKED, PLAIN, named, zipped
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

NUMBERS = [f"{number:04}" for number in range(1, 2 * AT_ONCE + 3)]
CAME = 2 * AT_ONCE


class Killed(BaseException):
    """The end of a process."""


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def batch(coordinator):
    """Essays with a markup each, and a file that is none, which wait for a word."""
    members = [
        *((f"{number}.txt", PLAIN) for number in NUMBERS),
        *((f"{number}_exp1.txt", MARKED) for number in NUMBERS),
        ("notes.doc", "x"),
    ]
    options = Options(EssaySetFactory(name="Рабочая"), actor=coordinator)
    uploads = [("essays.zip", BytesIO(zipped(*members)))]
    return stage_import(uploads=uploads, options=options).batch


@contextmanager
def while_comes(number, act):
    """Do something while the markups of an essay, and of those beside it, come in."""

    def listen(essay_ids, **_):
        if Essay.objects.filter(pk__in=essay_ids, number=number).exists():
            act()

    markups_imported.connect(listen)
    try:
        yield
    finally:
        markups_imported.disconnect(listen)


def die():
    raise Killed


@pytest.fixture
def broken(batch, coordinator):
    """The same, confirmed; the process died, and its lease has run out."""
    with while_comes(NUMBERS[-1], die), suppress(Killed):
        confirm_import(batch=batch, actor=coordinator)
    EssayImport.objects.update(lease_until=Now() - timedelta(seconds=1))
    return batch


@pytest.fixture
def page(log_in, coordinator):
    def get(batch):
        return log_in(coordinator).get(f"/imports/{batch.pk}/")

    return get


def numbers():
    return list(Essay.objects.order_by("number").values_list("number", flat=True))


def state_of(batch):
    return EssayImport.objects.get(pk=batch.pk).state


def test_it_is_under_way_until_its_lease_runs_out_then_broken_off(broken):
    EssayImport.objects.update(lease_until=Now() + timedelta(minutes=1))
    ticked.send(sender=None)
    before = state_of(broken)

    EssayImport.objects.update(lease_until=Now() - timedelta(seconds=1))
    ticked.send(sender=None)

    assert (before, state_of(broken)) == ("running", "broken")


def test_while_it_is_under_way_its_page_says_how_far_it_is_and_asks_again(broken, page):
    shown = page(broken)

    assert texts_of(shown, "h1") == ["The import is under way"]
    assert texts_of(shown, "[role=status]") == [f"{CAME} of {len(NUMBERS)} essays so far."]
    assert [texts_of(shown, each) for each in ("dt", ".files tr", ".page-head .btn")] == [
        [],
        [],
        ["Next files"],
    ]
    assert f'hx-get="/imports/{broken.pk}/" hx-trigger="every 2s"' in shown.content.decode()


def test_its_page_says_how_many_essays_came_in_and_what_can_be_done(broken, page):
    ticked.send(sender=None)

    shown = page(broken)

    assert texts_of(shown, "h1") == ["The import was broken off"]
    assert texts_of(shown, "[role=alert]") == [
        (
            f"Broken off: {CAME} of {len(NUMBERS)} essays came in. What came in stays. "
            "Go on with the rest, or undo the import."
        )
    ]
    assert texts_of(shown, ".page-head .btn") == ["Next files", "Go on with the rest", "Undo"]
    assert dict(zip(texts_of(shown, "dt"), texts_of(shown, "dd"), strict=True)) == {
        "New essays": str(CAME),
        "Markups": str(CAME),
        "New accounts": "1",
    }


def test_it_goes_on_with_the_rest(broken, log_in, coordinator):
    whole = sorted([*(f"{n}.txt" for n in NUMBERS), *(f"{n}_exp1.txt" for n in NUMBERS)])
    ticked.send(sender=None)

    done = log_in(coordinator).post(f"/imports/{broken.pk}/go-on/", follow=True)

    assert texts_of(done, ".messages li") == ["The import is carried out."]
    assert texts_of(done, "dd") == [str(len(NUMBERS)), str(len(NUMBERS)), "1"]
    files = ImportedFile.objects.order_by("name").values_list("name", "outcome", "foreseen")
    assert list(files) == [
        *((name, "markup" if "exp" in name else "essay", "") for name in whole),
        ("notes.doc", "refused", ""),
    ]
    assert (numbers(), MarkupRecord.objects.count()) == (NUMBERS, len(NUMBERS))
    assert (state_of(broken), ImportUpload.objects.count()) == ("done", 0)


def test_it_goes_on_once(broken, log_in, coordinator):
    ticked.send(sender=None)
    client = log_in(coordinator)
    client.post(f"/imports/{broken.pk}/go-on/")

    again = client.post(f"/imports/{broken.pk}/go-on/", follow=True)

    assert (again.status_code, texts_of(again, "h1")) == (200, ["What became of the files"])
    assert texts_of(again, ".messages li")[-1] == "The import is carried out already."


@pytest.mark.parametrize("deed", ["confirm", "go-on"])
def test_who_presses_twice_is_shown_what_the_first_press_began(broken, log_in, coordinator, deed):
    EssayImport.objects.update(lease_until=Now() + timedelta(minutes=1))

    again = log_in(coordinator).post(f"/imports/{broken.pk}/{deed}/", follow=True)

    assert (again.status_code, texts_of(again, "h1")) == (200, ["The import is under way"])
    assert texts_of(again, ".messages li") == ["The import is under way already."]


def test_who_does_not_want_what_is_under_way_is_told_when_it_can_be_undone(
    broken, log_in, coordinator
):
    EssayImport.objects.update(lease_until=Now() + timedelta(minutes=1))

    page = log_in(coordinator).post(f"/imports/{broken.pk}/drop/", follow=True)

    assert texts_of(page, ".messages li") == [
        "It is under way already. Once it has ended, it can be undone."
    ]
    assert state_of(broken) == "running"


def test_a_database_that_fails_in_the_midst_does_not_say_that_nothing_was_saved(batch, coordinator):
    client = Client(raise_request_exception=False)
    client.force_login(coordinator)

    def fail():
        raise OperationalError

    with while_comes(NUMBERS[-1], fail):
        response = client.post(f"/imports/{batch.pk}/confirm/")

    assert (response.status_code, numbers()) == (503, NUMBERS[:CAME])
    assert texts_of(response, ".page-head p") == [
        (
            "What had come in before that is stored, the rest is not. "
            "Look how far it came before you go on."
        )
    ]


def test_it_is_undone_at_once_and_its_files_are_forgotten(broken, log_in, coordinator):
    response = log_in(coordinator).post(f"/imports/{broken.pk}/undo/", follow=True)

    assert texts_of(response, ".messages li") == ["The import is undone."]
    assert (numbers(), state_of(broken), ImportUpload.objects.count()) == ([], "undone", 0)


def test_its_files_are_kept_for_a_day(broken, page):
    EssayImport.objects.update(begun_at=Now() - timedelta(days=1, minutes=1))

    ticked.send(sender=None)

    assert ImportUpload.objects.count() == 0
    assert texts_of(page(broken), ".page-head .btn") == ["Next files", "Undo"]
    assert texts_of(page(broken), "[role=alert]") == [
        (
            f"Broken off: {CAME} of {len(NUMBERS)} essays came in. The files are not kept. "
            "Import them once more: what came in is known then. Or undo the import."
        )
    ]


def test_who_was_late_and_was_replaced_writes_nothing_more(batch, coordinator):
    def take_over():
        take_turn(EssayImport.objects.filter(pk=batch.pk))

    with while_comes(NUMBERS[AT_ONCE], take_over), pytest.raises(TurnLost):
        confirm_import(batch=batch, actor=coordinator)

    assert numbers() == NUMBERS[:CAME]


def test_who_was_late_and_was_not_replaced_goes_on(batch, coordinator):
    def be_late():
        EssayImport.objects.update(lease_until=Now() - timedelta(seconds=1))
        ticked.send(sender=None)

    with while_comes(NUMBERS[-1], be_late):
        confirm_import(batch=batch, actor=coordinator)

    assert (numbers(), state_of(batch)) == (NUMBERS, "done")


def test_an_import_by_command_that_broke_off_is_undone_or_repeated(page):
    files = [named(f"{number}_exp1.txt", MARKED) for number in NUMBERS]
    options = Options(EssaySetFactory(), from_markups=True)
    with while_comes(NUMBERS[-1], die), suppress(Killed):
        import_files(files, options)
    EssayImport.objects.update(lease_until=Now() - timedelta(seconds=1))
    ticked.send(sender=None)

    assert texts_of(page(EssayImport.objects.get()), ".page-head .btn") == ["Next files", "Undo"]
    again = [each.outcome for each in import_files(files, options)]
    assert again == [*["known"] * CAME, "markup", "markup"]
