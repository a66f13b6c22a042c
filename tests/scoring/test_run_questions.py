"""Before something is said of a score run that stays, a page asks and tells what happens."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format

from annotator.models import EssaySet
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard
from scoring.services.run_acts import decide_run, give_verdict, propose_run
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of
from tests.scoring.runs import done_run
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

APPLY, DISCARD = ScoreRun.Proposal.APPLY, ScoreRun.Proposal.DISCARD
CHECKED, VERIFIED, RETURNED = RunVerdict.Kind


@pytest.fixture(scope="module")
def run(module_rows):  # noqa: ARG001 - its rows are those of the module
    essay = EssayFactory(essay_set=EssaySetFactory(access="closed"))
    for _ in range(2):
        submitted(essay, fragment(0, 4))
    person = PersonFactory(role="participant", full_name="Lynx")
    submitted(essay, fragment(0, 4), author=person, source="algorithm")
    return done_run(essay.essay_set)


@pytest.fixture(scope="module")
def staff(module_rows):  # noqa: ARG001 - the people are rows of the module
    roles = ("coordinator", "organiser", "judge", "commission")
    return {role: PersonFactory(role=role) for role in roles}


def apply(run, staff):
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["coordinator"])
    return decide_run(run=run, proposal=APPLY, against=None, actor=staff["organiser"])


def board_of(run):
    return StandingBoard.objects.get(essay_set=run.essay_set)


def button_of(client, run, name):
    """The address a button of the page of a run leads to, with what the page sends along."""
    for form in page_of(client.get(f"/scores/runs/{run.pk}/")).find("main form[method=get]"):
        fields = [(each["name"], each["value"]) for each in form.find("input")]
        for button in form.find("button"):
            if button.text == name:
                pressed = [("kind", button["value"])] if "value" in button.attributes else []
                return f"{form['action']}?{urlencode(fields + pressed)}"
    return None


def question_of(client, address):
    """What a page asks: its title, all its words, and what an answer of yes would send."""
    page = page_of(client.get(address)).one("main")
    form = page.one("form[method=post]")
    fields = {each["name"]: each["value"] for each in form.find("input")}
    return page.one("h1").text, page.text, form["action"], fields


def test_who_applies_a_run_is_asked_first_and_told_what_counts_instead(run, staff, log_in):
    apply(run, staff)
    later = done_run(run.essay_set)
    propose_run(run=later, proposal=APPLY, reason="Weights", actor=staff["coordinator"])
    organiser = log_in(staff["organiser"])

    title, told, action, fields = question_of(organiser, button_of(organiser, later, "Apply…"))

    assert title == f"Apply run {later.pk}?"
    instead = f"count for “{run.essay_set}” instead of those of run {run.pk}."
    assert ("Weights" in told, instead in told) == (True, True)
    assert "It stays: only another run, applied after this one" in told
    assert board_of(run).applied == run
    assert organiser.post(action, fields).status_code == 302
    assert board_of(run).applied == later


def test_who_applies_a_run_to_a_frozen_board_is_told_when_everybody_sees_it(log_in, run, staff):
    apply(run, staff)
    StandingBoard.objects.update(public=run, published_at=Now(), frozen_at=Now())
    second = done_run(run.essay_set)
    propose_run(run=second, proposal=APPLY, reason="New", actor=staff["coordinator"])

    address = f"/scores/runs/{second.pk}/decide/?proposal=apply&against={run.pk}"
    page = page_of(log_in(staff["judge"]).get(address)).one("main")

    words = "The public board is frozen: it shows them once organisers let it go on."
    assert words in page.text


def test_of_a_frozen_board_that_was_never_published_no_thaw_is_promised(log_in, run, staff):
    apply(run, staff)
    StandingBoard.objects.update(frozen_at=Now())
    second = done_run(run.essay_set)
    propose_run(run=second, proposal=APPLY, reason="New", actor=staff["coordinator"])

    address = f"/scores/runs/{second.pk}/decide/?proposal=apply&against={run.pk}"
    page = page_of(log_in(staff["judge"]).get(address)).one("main")

    assert "The public board stays as it is until this run is verified and published." in page.text


def frozen_at_the_first(run, staff):
    """A second run counts; the public board of the set stands still at the first."""
    apply(run, staff)
    StandingBoard.objects.update(public=run, published_at=Now(), frozen_at=Now())
    second = done_run(run.essay_set)
    propose_run(run=second, proposal=APPLY, reason="New", actor=staff["coordinator"])
    return decide_run(run=second, proposal=APPLY, against=run.pk, actor=staff["organiser"])


THAW = "Let the public board go on…"


def test_who_lets_a_frozen_board_go_on_is_asked_and_told_which_run_everybody_sees(
    log_in, run, staff
):
    second = frozen_at_the_first(run, staff)
    organiser = log_in(staff["organiser"])

    title, told, action, fields = question_of(organiser, button_of(organiser, second, THAW))

    at = date_format(timezone.localtime(second.finished_at), "SHORT_DATETIME_FORMAT")
    shown = f"score run {second.pk} of {at} on the board of “{run.essay_set}” from now on"
    assert (title, board_of(run).public) == ("Let the public board go on?", run)
    assert f"Everybody reads {shown}, instead of run {run.pk}." in told
    assert "Every run that two people apply later is shown at once." in told
    unchecked = f"Nobody has checked run {second.pk}: neither judges nor the commission."
    assert unchecked in told
    assert organiser.post(action, fields).status_code == 302
    assert (board_of(run).public, board_of(run).frozen_at) == (second, None)


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([CHECKED], "Judges have checked run %d; the commission has not verified it."),
        ([CHECKED, VERIFIED], "Judges have checked run %d and the commission has verified it."),
    ],
)
def test_who_lets_a_board_go_on_is_told_how_far_its_run_was_checked(
    log_in, run, staff, verdicts, words
):
    second = frozen_at_the_first(run, staff)
    for kind, role in zip(verdicts, ("judge", "commission"), strict=False):
        give_verdict(run=second, kind=kind, reason="", actor=staff[role])
    organiser = log_in(staff["organiser"])

    _title, told, _action, _fields = question_of(organiser, button_of(organiser, second, THAW))

    assert words % second.pk in told


def test_a_run_that_was_returned_is_not_shown_by_letting_its_board_go_on(log_in, run, staff):
    second = frozen_at_the_first(run, staff)
    give_verdict(run=second, kind=RETURNED, reason="Wrong", actor=staff["judge"])
    organiser = log_in(staff["organiser"])
    page = f"/scores/runs/{second.pk}/"

    answer = organiser.post(f"{page}freeze/", {"frozen": "0"})

    assert (answer.status_code, board_of(run).public) == (422, run)
    assert button_of(organiser, second, THAW) is None
    assert organiser.get(f"{page}freeze/").headers["Location"] == page
    stays = f"the public board is that of run {run.pk}, until another one takes its place."
    assert stays in page_of(organiser.get(page)).one("main").text


def test_a_board_goes_on_with_the_run_that_was_named_or_not_at_all(log_in, run, staff):
    second = frozen_at_the_first(run, staff)
    organiser = log_in(staff["organiser"])
    _title, _told, action, fields = question_of(organiser, button_of(organiser, second, THAW))
    third = done_run(run.essay_set)
    propose_run(run=third, proposal=APPLY, reason="New", actor=staff["coordinator"])
    decide_run(run=third, proposal=APPLY, against=second.pk, actor=staff["organiser"])

    answer = organiser.post(action, fields)

    assert (answer.status_code, board_of(run).public) == (409, run)


def told_of_going_on(log_in, run, staff):
    organiser, counting = log_in(staff["organiser"]), board_of(run).applied
    return question_of(organiser, button_of(organiser, counting, THAW))[1]


def test_who_lets_a_board_go_on_that_was_never_published_is_told_that_nobody_sees_it(
    log_in, run, staff
):
    frozen_at_the_first(run, staff)
    StandingBoard.objects.update(public=None, published_at=None)

    told = told_of_going_on(log_in, run, staff)

    assert "The board is not published: nobody sees anything new by this." in told
    assert ("Everybody reads" in told, "shown at once" in told) == (False, False)


def test_who_lets_the_board_of_a_final_go_on_is_told_that_it_stays(log_in, run, staff):
    frozen_at_the_first(run, staff)
    EssaySet.objects.filter(pk=run.essay_set_id).update(access="final")

    told = told_of_going_on(log_in, run, staff)

    stays = f"Of a final each run is published anew: the board stays at run {run.pk}."
    assert stays in told
    assert ("Everybody reads" in told, "shown at once" in told) == (False, False)


def test_who_discards_a_run_is_told_that_it_never_counts(run, staff, log_in):
    propose_run(run=run, proposal=DISCARD, reason="Wrong", actor=staff["coordinator"])
    judge = log_in(staff["judge"])

    title, told, action, fields = question_of(judge, button_of(judge, run, "Discard…"))

    assert (title, "never counts" in told) == (f"Discard run {run.pk}?", True)
    assert ScoreRun.objects.get(pk=run.pk).state == "ready"
    judge.post(action, fields)
    assert ScoreRun.objects.get(pk=run.pk).state == "discarded"


def test_verdicts_of_a_run_and_its_publication_are_asked_on_a_page_of_their_own(run, staff, log_in):
    apply(run, staff)
    people = {role: log_in(staff[role]) for role in ("judge", "commission", "organiser")}
    stays = "A verdict stays as it is said: it cannot be changed or taken back."
    course = (
        ("judge", "The run is checked…", CHECKED, f"Is run {run.pk} right?"),
        ("commission", "Verify the results…", VERIFIED, f"Verify the results of run {run.pk}?"),
    )

    for role, button, kind, asked in course:
        before = RunVerdict.objects.count()
        title, told, action, fields = question_of(
            people[role], button_of(people[role], run, button)
        )
        assert (title, stays in told, RunVerdict.objects.count()) == (asked, True, before)
        people[role].post(action, fields | {"reason": "Looked at"})
        assert RunVerdict.objects.get(kind=kind).who == staff[role]
    address = f"/scores/runs/{run.pk}/publish/"
    title, told, action, fields = question_of(people["organiser"], address)

    assert (title, str(run.essay_set) in told) == ("Publish the board?", True)
    assert board_of(run).public is None
    people["organiser"].post(action, fields)
    assert board_of(run).public == run


def test_whoever_returns_a_run_has_to_say_why_on_the_question(run, staff, log_in):
    apply(run, staff)
    judge = log_in(staff["judge"])

    page = page_of(judge.get(button_of(judge, run, "Return the run…")))

    assert "required" in page.one("main textarea").attributes
    assert page.one("main form button.danger").text == "Return the run"


def test_nobody_is_asked_about_a_run_what_is_not_theirs_to_do(run, staff, log_in):
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["organiser"])
    address = f"/scores/runs/{run.pk}/"
    people = {role: log_in(staff[role]) for role in staff}
    asked = [
        ("organiser", "decide/?proposal=apply"),  # proposed it
        ("judge", "decide/?proposal=discard"),
        ("judge", "decide/"),
        ("judge", "verdict/?kind=checked"),  # it does not count yet
        ("commission", "verdict/?kind=checked"),
        ("organiser", "publish/"),
    ]

    answers = [people[role].get(address + rest) for role, rest in asked]

    assert [each.headers.get("Location") for each in answers] == [address] * len(asked)
    stranger = log_in(PersonFactory(role="participant"))
    for rest in ("decide/?proposal=apply", "verdict/?kind=checked", "publish/"):
        assert stranger.get(address + rest).status_code == 403


def test_who_returns_a_run_that_everybody_sees_reads_what_stands_there_instead(log_in, run, staff):
    apply(run, staff)
    judge, address = log_in(staff["judge"]), f"/scores/runs/{run.pk}/verdict/?kind=returned"
    none = "Its board is taken off: there is none until another run is published."
    StandingBoard.objects.filter(essay_set=run.essay_set).update(public=run, published_at=Now())

    alone = page_of(judge.get(address)).one("main").text
    former = done_run(run.essay_set)
    PublishedRun.objects.create(run=former)
    again = page_of(judge.get(address)).one("main").text

    assert (none in alone, none in again) == (True, False)
    assert f"the one of run {former.pk}, published before it, stands there again." in again


def test_of_a_run_that_is_not_applied_it_is_said_that_this_comes_first(log_in, run, staff):
    answer = log_in(staff["judge"]).post(
        f"/scores/runs/{run.pk}/verdict/", {"kind": "checked", "reason": ""}
    )

    assert answer.status_code == 422
    assert "The run is not applied: two people do that first." in page_of(answer).one("main").text


def test_who_declines_a_proposal_of_somebody_else_is_asked_whose_and_why(run, staff, log_in):
    propose_run(run=run, proposal=APPLY, reason="Weights", actor=staff["coordinator"])
    judge = log_in(staff["judge"])
    whose = staff["coordinator"]

    address = button_of(judge, run, f"Decline the proposal of {whose}…")
    title, told, action, fields = question_of(judge, address)
    unsaid = judge.post(action, fields)
    done = judge.post(action, fields | {"reason": "The third checks are missing"})

    assert title == f"Decline the proposal of {whose}?"
    assert f"{whose} proposed: apply. Weights" in told
    assert (unsaid.status_code, done.status_code) == (422, 302)
    assert ScoreRun.objects.get(pk=run.pk).proposal == ""


def test_the_page_of_a_run_tells_who_took_back_whose_proposal_and_when(run, staff, log_in):
    people = {role: log_in(person) for role, person in staff.items()}
    address = f"/scores/runs/{run.pk}/"
    coordinator, judge = staff["coordinator"], staff["judge"]

    people["coordinator"].post(f"{address}propose/", {"proposal": "apply", "reason": "Weights"})
    body = {"whose": coordinator.pk, "reason": "Too early"}
    people["judge"].post(f"{address}withdraw/", body)
    people["coordinator"].post(f"{address}propose/", {"proposal": "discard", "reason": "A slip"})
    people["coordinator"].post(f"{address}withdraw/", {"whose": coordinator.pk})

    told = [
        each.text.partition(", ")[2].partition(" ")[2]
        for each in page_of(people["judge"].get(address)).find("[aria-labelledby=run-history] li")
    ]
    assert told == [
        "a command: ordered",
        f"{coordinator}: proposed to apply it: Weights",
        f"{judge}: declined the proposal of {coordinator}: Too early",
        f"{coordinator}: proposed to discard it: A slip",
        f"{coordinator}: took the proposal back",
    ]


def test_what_is_refused_of_a_run_leads_to_its_page(run, staff, log_in):
    address = f"/scores/runs/{run.pk}/"
    organiser = log_in(staff["organiser"])
    judge = log_in(staff["judge"])
    refused = [
        organiser.post(f"{address}stop/"),
        organiser.post(f"{address}propose/", {"proposal": "apply", "reason": " "}),
        organiser.post(f"{address}decide/", {"proposal": "apply"}),
        organiser.post(f"{address}publish/"),
        organiser.post(f"{address}freeze/", {"frozen": "1"}),
        organiser.post(f"{address}withdraw/", {"whose": staff["judge"].pk}),
        judge.post(f"{address}verdict/", {"kind": "checked"}),
    ]

    assert [each.status_code for each in refused] == [409, 422, 409, 422, 422, 409, 422]
    for each in refused:
        assert address in [link["href"] for link in page_of(each).find("main .row-tools a")]


def test_a_run_that_is_being_computed_is_led_to_by_the_refusal_of_a_second_one(run, staff, log_in):
    organiser = log_in(staff["organiser"])
    body = {"essay_set": run.essay_set_id, "seed": 0}
    first = organiser.post("/scores/runs/", body)

    second = organiser.post("/scores/runs/", body)

    links = [link["href"] for link in page_of(second).find("main .row-tools a")]
    assert (second.status_code, first["Location"] in links) == (409, True)


def test_a_run_is_ordered_on_the_page_and_its_progress_is_a_part_of_it(run, staff, log_in):
    browser = log_in(staff["coordinator"])

    answer = browser.post("/scores/runs/", {"essay_set": run.essay_set_id, "seed": 3})

    made = ScoreRun.objects.latest("pk")
    assert (answer.url, made.seed) == (f"/scores/runs/{made.pk}/", 3)
    part = browser.get(answer.url, headers={"hx-request": "true"}).content.decode()
    assert part.strip().startswith('<div id="progress"')
    assert "0 of 0 essays are scored" in part
    assert browser.post("/scores/runs/", {"seed": 3}).status_code == 422
    assert browser.get(f"{answer.url}lines/").status_code == 404
    browser.post(f"{answer.url}stop/")
    assert "Stopped by" in browser.get(answer.url).content.decode()
    assert b"".join(browser.get(f"/scores/runs/{run.pk}/csv/")).startswith(b"essay,")
    assert b"".join(browser.get(f"/scores/runs/{run.pk}/lines/")).startswith(b'{"form"')
