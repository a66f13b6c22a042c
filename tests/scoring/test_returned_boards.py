"""A run that is returned after everybody saw it: its board is taken off, and it is told why."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from annotator.models import EssaySet
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.reports import revision_of, run_reported
from scoring.services.run_acts import (
    decide_run,
    freeze_board,
    give_verdict,
    propose_run,
    publish_board,
)
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.runs import done_run
from tests.strategies import fragment
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

APPLY = ScoreRun.Proposal.APPLY
CHECKED, VERIFIED, RETURNED = RunVerdict.Kind


@pytest.fixture(scope="module")
def staff(module_rows):  # noqa: ARG001 - the people are rows of the module
    roles = ("coordinator", "organiser", "judge", "commission")
    return {role: PersonFactory(role=role) for role in roles}


@pytest.fixture(scope="module")
def first(staff):
    """A run of a set that everybody sees."""
    essay = EssayFactory(essay_set=EssaySetFactory(access="closed"))
    for _ in range(2):
        submitted(essay, fragment(0, 4))
    person = PersonFactory(role="participant", full_name="Lynx")
    submitted(essay, fragment(0, 4), author=person, source="algorithm")
    run = done_run(essay.essay_set)
    apply(run, staff)
    publish(run, staff)
    return run


def apply(run, staff, against=None):
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["coordinator"])
    return decide_run(run=run, proposal=APPLY, against=against, actor=staff["organiser"])


def publish(run, staff):
    for kind, role in ((CHECKED, "judge"), (VERIFIED, "commission")):
        give_verdict(run=run, kind=kind, reason="", actor=staff[role])
    publish_board(essay_set=run.essay_set, run=run, actor=staff["organiser"])


def give_back(run, reason="The third check was missing"):
    give_verdict(run=run, kind=RETURNED, reason=reason, actor=PersonFactory(role="judge"))


def second_of(first, staff):
    """A later run that the public board follows."""
    second = done_run(first.essay_set, seed=2)
    apply(second, staff, against=first.pk)
    return second


def board_of(run):
    return StandingBoard.objects.get(essay_set=run.essay_set)


def address_of(run):
    return f"/boards/{run.essay_set_id}/"


def heads(answer):
    return [each for each in texts_of(answer, "main .page-head p") if "Score run" in each]


def test_the_run_published_before_stands_there_again_and_a_dated_word_says_why(first, staff):
    second = second_of(first, staff)
    followed = board_of(first).public

    give_back(second)

    board, public = board_of(first), Client().get(address_of(first))
    day = date_format(timezone.localtime(), "SHORT_DATE_FORMAT")
    assert (followed, board.public, board.applied) == (second, first, second)
    assert board.published_at == PublishedRun.objects.get(run=first).at
    assert f"Score run {first.pk} of" in heads(public)[0]
    assert texts_of(public, ".notice span") == [
        (
            f"The board of “{first.essay_set}” was that of score run {second.pk} until {day}: "
            "it was returned."
        )
    ]
    assert "third check was missing" not in public.content.decode()
    assert not page_of(public).find(".runs-list a")
    assert Client().get(f"{address_of(first)}?run={second.pk}").status_code == 404


def test_a_board_that_has_no_run_before_is_taken_off_with_a_dated_word(first):
    give_back(first)

    public = Client().get(address_of(first))

    board = board_of(first)
    assert (board.public, board.published_at, board.published_by) == (None, None, None)
    day = date_format(timezone.localtime(), "SHORT_DATE_FORMAT")
    (told,) = texts_of(public, ".empty")
    assert f"was that of score run {first.pk} until {day}: it was returned." in told
    assert "Lynx" not in public.content.decode()
    for ending in ("json/", "csv/", f"?run={first.pk}"):
        assert Client().get(address_of(first) + ending).status_code == 404


def test_nobody_is_told_of_a_board_that_never_was(first):
    PublishedRun.objects.filter(run=first).delete()
    StandingBoard.objects.update(public=None, published_at=None)
    give_back(first)

    assert Client().get(address_of(first)).status_code == 404


def test_staff_read_the_returned_board_and_what_everybody_reads(first, staff, log_in):
    second = second_of(first, staff)
    give_back(second)

    told = texts_of(log_in(staff["organiser"]).get(address_of(first)), ".notice span")

    returned = RunVerdict.objects.get(kind=RETURNED)
    day = date_format(timezone.localtime(), "SHORT_DATE_FORMAT")
    assert told == [
        (
            f"{returned.who} returned this run on {day}: staff alone reads its board. "
            f"Everybody reads the board of run {first.pk}."
        )
    ]


def test_the_next_run_takes_the_place_and_the_word_is_past(first, staff):
    second = second_of(first, staff)
    give_back(second)
    third = done_run(first.essay_set, seed=3)

    apply(third, staff, against=second.pk)

    public = Client().get(address_of(first))
    assert (board_of(first).public, texts_of(public, ".notice")) == (third, [])
    links = [each["href"] for each in page_of(public).find(".runs-list a")]
    assert links == [f"?run={third.pk}", f"?run={first.pk}"]


@pytest.mark.parametrize("access", ["closed", "final"])
@pytest.mark.parametrize("frozen", [True, False])
def test_the_board_of_a_returned_run_neither_stands_still_nor_goes_on(first, staff, access, frozen):
    EssaySet.objects.filter(pk=first.essay_set_id).update(access=access)
    freeze_board(run=first, frozen=not frozen, reason="Rest", actor=staff["organiser"])
    give_back(first)
    before = board_of(first).frozen_at

    with pytest.raises(Refused, match="neither stands still nor goes on"):
        freeze_board(run=first, frozen=frozen, actor=staff["organiser"])

    assert board_of(first).frozen_at == before


@pytest.mark.parametrize("frozen", [True, False])
def test_a_board_is_frozen_for_the_run_it_is_asked_for_or_not_at_all(first, staff, frozen):
    second_of(first, staff)
    first.refresh_from_db()

    with pytest.raises(Conflict, match="Another run counts"):
        freeze_board(run=first, frozen=frozen, actor=staff["organiser"])

    assert board_of(first).frozen_at is None


def test_nothing_is_offered_on_the_page_of_a_returned_run(first, staff, log_in):
    give_back(first)

    page = page_of(log_in(staff["organiser"]).get(f"/scores/runs/{first.pk}/"))

    told = page.one("[aria-labelledby=run-public]")
    assert "This run was returned: there is no public board until another" in told.text
    assert [each.text for each in told.find("button")] == []


def test_a_report_of_a_final_is_taken_from_the_run_everybody_sees_again(first, staff):
    EssaySet.objects.filter(pk=first.essay_set_id).update(access="final")
    second = second_of(first, staff)
    publish(second, staff)
    give = {"essay_set": first.essay_set, "author_id": 1, "origin": "", "former": None}
    first.essay_set.refresh_from_db()
    before = run_reported(first.essay_set), revision_of(**give, run=second)
    give_back(second)

    assert before == (second, f"run-{second.pk}")
    assert run_reported(first.essay_set) == first
    assert revision_of(**give, run=first) == f"run-{first.pk}-after-{second.pk}"


def test_the_run_everybody_sees_again_says_so_on_its_page_and_is_frozen_there(first, staff, log_in):
    second = second_of(first, staff)
    give_back(second)
    browser, address = log_in(staff["organiser"]), f"/scores/runs/{first.pk}/"

    told = page_of(browser.get(address)).one("[aria-labelledby=run-public]")
    frozen = browser.post(f"{address}freeze/", {"frozen": "1", "reason": "Rest"})
    still = board_of(first)
    browser.post(f"{address}freeze/", {"frozen": "0"})

    words = f"Run {second.pk} was returned: this one is the public board until another"
    assert words in told.text
    assert f"Everybody sees this run: published by {staff['organiser']}" in told.text
    assert [each.text.strip() for each in told.find("button")] == ["Freeze the public board…"]
    assert (frozen.status_code, still.frozen_at is not None, still.public) == (302, True, first)
    assert (board_of(first).frozen_at, board_of(first).public) == (None, first)


def test_a_run_that_was_never_checked_is_named_before_it_stands_there_again(first, staff, log_in):
    second = second_of(first, staff)
    third = done_run(first.essay_set, seed=3)
    apply(third, staff, against=second.pk)
    judge = log_in(PersonFactory(role="judge"))

    words = texts_of(judge.get(f"/scores/runs/{third.pk}/verdict/?kind=returned"), "main p")
    give_back(third)
    page = page_of(judge.get(f"/scores/runs/{second.pk}/")).one("[aria-labelledby=run-public]")

    taken = f"the one of run {second.pk}, published before it, stands there again."
    unchecked = f"Nobody has checked run {second.pk}: neither judges nor the commission."
    assert f"Its board is taken off: {taken} {unchecked}" in words
    assert unchecked in page.text


def test_a_board_that_never_was_public_is_not_frozen(first, staff, log_in):
    PublishedRun.objects.filter(run=first).delete()
    StandingBoard.objects.update(public=None, published_at=None)
    browser, address = log_in(staff["organiser"]), f"/scores/runs/{first.pk}/"

    page = page_of(browser.get(address)).one("[aria-labelledby=run-public]")
    answer = browser.post(f"{address}freeze/", {"frozen": "1"})

    assert "Freeze the public board" not in page.text
    assert answer.status_code == 422
    words = f"There is no public board of “{first.essay_set}” that could stand still."
    assert words in page_of(answer).one("main").text
    assert board_of(first).frozen_at is None


def test_of_a_final_the_run_everybody_sees_is_frozen_while_another_one_counts(first, staff, log_in):
    EssaySet.objects.filter(pk=first.essay_set_id).update(access="final")
    second = second_of(first, staff)
    browser = log_in(staff["organiser"])

    other = browser.post(f"/scores/runs/{second.pk}/freeze/", {"frozen": "1"})
    own = browser.post(f"/scores/runs/{first.pk}/freeze/", {"frozen": "1", "reason": "Rest"})

    assert (other.status_code, own.status_code) == (409, 302)
    assert f"Everybody sees run {first.pk}: look at that one." in page_of(other).one("main").text
    assert (board_of(first).public, board_of(first).frozen_at is None) == (first, False)


def test_lists_tell_which_run_counts_is_public_was_returned_or_replaced(
    first, staff, log_in, capsys
):
    second = second_of(first, staff)
    give_back(second)
    waiting = done_run(first.essay_set, seed=3)
    browser = log_in(staff["organiser"])

    listed = texts_of(browser.get("/scores/runs/"), ".runs tbody td")[::4]
    boards = texts_of(browser.get(address_of(first)), ".runs-list .muted")
    everybodys = texts_of(Client().get(address_of(first)), ".runs-list .muted")
    call_command("rescore")

    told = ["ready, in the shadow", "counts now, returned", "replaced, public"]
    assert listed == told
    assert boards == [f"{each}, {first.rules}" for each in told]
    assert everybodys == []
    lines = capsys.readouterr().out.splitlines()
    numbers = (waiting.pk, second.pk, first.pk)
    assert lines == [
        f"{number}  {first.essay_set}  {first.rules}  {each}  1/1"
        for number, each in zip(numbers, told, strict=True)
    ]
