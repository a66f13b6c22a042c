from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import EssaySet, MarkupRecord
from annotator.services.markup import reopen
from scoring.access import boards_seen_by
from scoring.core.run_changes import moves_from_json
from scoring.models import RunDifference, RunEntry, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.runs import moves_of
from scoring.services.run_acts import (
    decide_run,
    freeze_board,
    give_verdict,
    propose_run,
    publish_board,
    withdraw_proposal,
)
from scoring.signals import publication_asked
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.runs import done_run
from tests.strategies import fragment
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

HIT, MISS = fragment(0, 4), fragment(43, 48)
APPLY, DISCARD = ScoreRun.Proposal.APPLY, ScoreRun.Proposal.DISCARD
CHECKED, VERIFIED, RETURNED = RunVerdict.Kind


@pytest.fixture(scope="module")
def run(module_rows):  # noqa: ARG001 - its rows are those of the module
    essay_set = EssaySetFactory(access=EssaySet.Access.CLOSED)
    people = [PersonFactory(role="participant", full_name=name) for name in ("Lynx", "Hare")]
    for _ in range(2):
        essay = EssayFactory(essay_set=essay_set)
        for marks in ([HIT], [HIT, MISS]):
            submitted(essay, *marks)
        for person, marks in zip(people, ([HIT], [MISS]), strict=True):
            submitted(essay, *marks, author=person, source="algorithm")
    return done_run(essay_set)


@pytest.fixture(scope="module")
def staff(module_rows):  # noqa: ARG001 - the people are rows of the module
    roles = ("coordinator", "organiser", "judge", "commission")
    return {role: PersonFactory(role=role) for role in roles}


def apply(run, staff, against=None):
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["coordinator"])
    return decide_run(run=run, proposal=APPLY, against=against, actor=staff["organiser"])


def publish(run, staff):
    if board_of_set(run) is None or board_of(run).applied != run:
        apply(run, staff)
    say(run, CHECKED, staff["judge"])
    say(run, VERIFIED, staff["commission"])
    return publish_board(essay_set=run.essay_set, run=run, actor=staff["organiser"])


def board_of_set(run):
    return StandingBoard.objects.filter(essay_set=run.essay_set).first()


def board_of(run):
    return StandingBoard.objects.get(essay_set=run.essay_set)


def say(run, kind, actor, reason=""):
    return give_verdict(run=run, kind=kind, reason=reason, actor=actor)


def test_two_people_apply_a_run_and_the_former_one_stays(run, staff):
    applied = apply(run, staff)
    later = done_run(run.essay_set)
    again = apply(later, staff, against=run.pk)

    assert (applied.state, again.state, board_of(run).applied) == ("applied", "applied", later)
    assert (applied.proposed_by, applied.decided_by) == (staff["coordinator"], staff["organiser"])
    assert applied.scores.count() == later.scores.count() == run.pairs


def test_who_proposed_does_not_decide(run, staff):
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["organiser"])

    with pytest.raises(Refused, match="somebody else does"):
        decide_run(run=run, proposal=APPLY, against=None, actor=staff["organiser"])

    assert not StandingBoard.objects.filter(applied__isnull=False).exists()


@pytest.mark.parametrize("proposal", ["apply", "discard", ""])
@pytest.mark.parametrize(
    ("state", "kept"),
    [("applied", "two_people_apply_a_run"), ("discarded", "two_people_discard_a_run")],
)
def test_the_database_keeps_that_two_people_decide_about_a_run(run, staff, proposal, state, kept):
    judge, nobody = staff["judge"].pk, None
    for proposed, decided in ((judge, judge), (judge, nobody), (nobody, judge)):
        with pytest.raises(IntegrityError, match=kept), transaction.atomic():
            ScoreRun.objects.filter(pk=run.pk).update(
                state=state, proposal=proposal, proposed_by=proposed, decided_by=decided
            )

    assert ScoreRun.objects.get(pk=run.pk).state == "ready"


def test_what_was_not_proposed_or_not_seen_is_not_done(run, staff):
    propose_run(run=run, proposal=DISCARD, reason="Wrong rules", actor=staff["coordinator"])
    with pytest.raises(Conflict, match="not proposed any more"):
        decide_run(run=run, proposal=APPLY, against=None, actor=staff["organiser"])
    with pytest.raises(Conflict, match="has proposed something already"):
        propose_run(run=run, proposal=APPLY, reason="New", actor=staff["organiser"])
    decline = {"run": run, "actor": staff["organiser"], "whose": staff["coordinator"].pk}
    with pytest.raises(Refused, match="Say why"):
        withdraw_proposal(**decline)
    withdraw_proposal(**decline, reason="Not yet")
    propose_run(run=run, proposal=APPLY, reason="New", actor=staff["organiser"])
    with pytest.raises(Conflict, match="has proposed something since"):
        withdraw_proposal(**decline, reason="Not yet")
    with pytest.raises(Conflict, match="Another run was applied meanwhile"):
        decide_run(run=run, proposal=APPLY, against=10**6, actor=staff["judge"])


def test_a_discarded_run_counts_nowhere_and_stays_readable(run, staff):
    propose_run(run=run, proposal=DISCARD, reason="Wrong rules", actor=staff["coordinator"])
    done = decide_run(run=run, proposal=DISCARD, against=None, actor=staff["judge"])

    assert (done.state, board_of(run).applied) == ("discarded", None)
    assert done.entries.count() == 2
    with pytest.raises(Conflict):
        propose_run(run=run, proposal=APPLY, reason="New", actor=staff["coordinator"])


def test_a_run_is_not_applied_when_rules_or_markups_changed_meanwhile(run, staff):
    EssaySet.objects.filter(pk=run.essay_set_id).update(rules=RuleSetFactory(name="Autumn"))
    with pytest.raises(Refused, match="goes by the rules “Autumn 1” since"):
        apply(run, staff)

    withdraw_proposal(run=run, whose=staff["coordinator"].pk, reason="x", actor=staff["organiser"])
    EssaySet.objects.filter(pk=run.essay_set_id).update(rules=run.set_rules)
    gone = MarkupRecord.objects.filter(essay__essay_set=run.essay_set, source="expert").first()
    reopen(gone, reason="A slip")
    with pytest.raises(Refused, match=gone.essay.number):
        apply(run, staff)


def test_a_board_is_published_after_the_check_and_the_verification(run, staff):
    organiser, judge, commission = (staff[name] for name in ("organiser", "judge", "commission"))
    publishing = {"essay_set": run.essay_set, "run": run, "actor": organiser}
    with pytest.raises(Refused, match="is not applied"):
        publish_board(**publishing)
    apply(run, staff)
    with pytest.raises(Refused, match="Judges check the run first"):
        say(run, VERIFIED, commission)
    say(run, CHECKED, judge)
    with pytest.raises(Refused, match="commission verifies it first"):
        publish_board(**publishing)
    with pytest.raises(Refused, match="somebody else goes on"):
        say(run, VERIFIED, judge)
    say(run, VERIFIED, commission)

    board = publish_board(**publishing)

    assert (board.public, board.published_by, board.published_at is not None) == (
        run,
        organiser,
        True,
    )


def test_a_returned_run_is_not_published_and_says_why(run, staff):
    apply(run, staff)
    with pytest.raises(Refused, match="Say why"):
        say(run, RETURNED, staff["judge"])
    say(run, RETURNED, staff["judge"], "An expert was ill")

    with pytest.raises(Refused, match="returned"):
        publish_board(essay_set=run.essay_set, run=run, actor=staff["organiser"])
    with pytest.raises(Conflict):
        say(run, CHECKED, PersonFactory(role="judge"))


def published(run, staff):
    apply(run, staff)
    say(run, CHECKED, staff["judge"])
    say(run, VERIFIED, staff["commission"])
    publish_board(essay_set=run.essay_set, run=run, actor=staff["organiser"])


def test_everybody_sees_what_is_applied_until_the_board_is_frozen(run, staff):
    published(run, staff)
    second = done_run(run.essay_set)
    apply(second, staff, against=run.pk)
    followed = board_of(run).public
    freeze_board(run=second, frozen=True, reason="Rest", actor=staff["organiser"])
    third = done_run(run.essay_set)
    apply(third, staff, against=second.pk)
    frozen = board_of(run)

    goes_on = freeze_board(run=third, frozen=False, actor=staff["organiser"])

    assert (followed, frozen.public, frozen.applied) == (second, second, third)
    assert (goes_on.public, goes_on.frozen_at) == (third, None)


def test_the_page_of_a_run_that_the_public_board_follows_names_no_publisher(log_in, run, staff):
    published(run, staff)
    second = done_run(run.essay_set)
    apply(second, staff, against=run.pk)

    told = texts_of(log_in(staff["judge"]).get(f"/scores/runs/{second.pk}/"), ".body p")

    follows = "The board of the set is published and follows every run that two people apply, "
    assert f"{follows}until it is frozen." in told
    assert "Everybody sees this run." in told
    assert [each for each in told if "published by" in each] == []


def test_a_frozen_board_that_is_published_anew_stands_still_from_then_on(log_in, run, staff):
    EssaySet.objects.filter(pk=run.essay_set_id).update(access="final")
    published(run, staff)
    freeze_board(run=run, frozen=True, reason="Rest", actor=staff["organiser"])
    second = done_run(run.essay_set)
    apply(second, staff, against=run.pk)
    for kind, who in ((CHECKED, "judge"), (VERIFIED, "commission")):
        give_verdict(run=second, kind=kind, reason="", actor=staff[who])

    asked = log_in(staff["organiser"]).get(f"/scores/runs/{second.pk}/publish/")
    publish_board(essay_set=run.essay_set, run=second, actor=staff["organiser"])

    words = "The board is frozen: it stands still at this run then, until it may go on."
    assert words in texts_of(asked, "main p")
    assert board_of(run).still_since == board_of(run).published_at
    address = f"/boards/{run.essay_set_id}/"
    still = [
        texts_of(Client().get(f"{address}?run={each.pk}"), ".notice") for each in (run, second)
    ]
    assert ["stands still since" in " ".join(each) for each in still] == [False, True]


def test_of_a_final_each_run_is_published_anew(run, staff):
    EssaySet.objects.filter(pk=run.essay_set_id).update(access="final")
    published(run, staff)
    second = done_run(run.essay_set)

    apply(second, staff, against=run.pk)

    assert (board_of(run).applied, board_of(run).public) == (second, run)


def test_every_run_that_was_public_stays_readable_for_everybody(run, staff):
    publish(run, staff)
    later = done_run(run.essay_set, seed=3)
    apply(later, staff, against=run.pk)

    assert list(boards_seen_by(AnonymousUser())) == [later, run]
    freeze_board(run=later, frozen=True, reason="Rest", actor=staff["organiser"])
    unseen = done_run(run.essay_set, seed=4)
    apply(unseen, staff, against=later.pk)
    assert list(boards_seen_by(AnonymousUser())) == [later, run]


def test_the_checks_of_a_set_that_were_returned_keep_its_board_back(run, staff):
    def against(set_id, **_):
        return "The set was returned." if set_id == run.essay_set_id else ""

    publication_asked.connect(against)
    try:
        with pytest.raises(Refused, match="The set was returned"):
            publish(run, staff)
    finally:
        publication_asked.disconnect(against)
    assert board_of(run).public is None


def test_a_page_far_into_the_ranks_costs_what_the_first_does(run, staff, log_in):
    people = User.objects.bulk_create(User(username=f"many-{n}") for n in range(120))
    RunEntry.objects.filter(run=run).delete()
    RunEntry.objects.bulk_create(
        RunEntry(
            run=run,
            participant=each,
            name=each.username,
            state="ranked",
            star=90 - n / 2,
            rank=n + 1,
            position=n + 1,
        )
        for n, each in enumerate(people)
    )
    browser, address = log_in(staff["judge"]), f"/scores/runs/{run.pk}/"
    found = []
    for number in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            page = page_of(browser.get(f"{address}?ranks={number}"))
        ranked = [each.text.strip() for each in page.find("[aria-labelledby=run-ranks] td.num")]
        asked = [each["sql"] for each in queries if "OFFSET" in each["sql"]]
        found.append((ranked[0], len(queries), asked))

    assert found == [("1", found[0][1], []), ("101", found[0][1], [])]


def test_the_page_of_a_run_that_changes_nothing_says_so(run, staff, log_in):
    apply(run, staff)
    again = done_run(run.essay_set)

    page = page_of(log_in(staff["coordinator"]).get(f"/scores/runs/{again.pk}/"))

    said = page.one("[aria-labelledby=run-moves]").text
    assert "Nobody would stand elsewhere or have another score." in said


def test_an_own_stale_tab_does_not_turn_a_proposal_round(run, staff):
    actor = staff["coordinator"]
    propose_run(run=run, proposal=APPLY, reason="New", actor=actor)

    with pytest.raises(Conflict, match="take that back first"):
        propose_run(run=run, proposal=DISCARD, reason="Second tab", actor=actor)

    kept = ScoreRun.objects.get(pk=run.pk)
    assert (kept.proposal, kept.reason) == (APPLY, "New")


def test_the_page_of_a_run_shows_what_would_change_and_lets_two_people_apply_it(run, staff, log_in):
    apply(run, staff)
    later = done_run(run.essay_set, rules=RuleSetFactory(w2=0, w6=0))
    address = f"/scores/runs/{later.pk}/"
    coordinator, organiser = log_in(staff["coordinator"]), log_in(staff["organiser"])

    page = page_of(coordinator.get(address))
    moved = [each.text for each in page.find("[aria-labelledby=run-moves] tbody tr")]
    assert any("Lynx" in each and "parameters" in each for each in moved)
    before, after = (
        {each.name: each for each in of.entries.filter(state="ranked")} for of in (run, later)
    )
    assert {row.split(" ranked ")[0] for row in moved} == {
        f"{name} {was.rank} → {after[name].rank} {was.star:.2f} → {after[name].star:.2f}"
        for name, was in before.items()
        if (was.rank, was.star) != (after[name].rank, after[name].star)
    }
    russian = page_of(coordinator.get(address, HTTP_ACCEPT_LANGUAGE="ru"))
    states = [each.text.strip() for each in russian.find("[aria-labelledby=run-moves] tbody td")]
    assert "в рейтинге" in states
    assert "other parameters" in page.text
    coordinator.post(f"{address}propose/", {"proposal": "apply", "reason": "Weights"})
    waits = page_of(coordinator.get(address))
    assert not waits.find(f"form[action={address}decide/]")
    assert "It is done by somebody else: an organiser, a judge" in waits.text
    form = page_of(organiser.get(address)).find(f"form[action={address}decide/] input")
    sent = {each["name"]: each["value"] for each in form if each["name"] != "csrfmiddlewaretoken"}
    answer = organiser.post(f"{address}decide/", sent)

    assert (answer.status_code, board_of(run).applied) == (302, later)
    judge = log_in(staff["judge"])
    assert "The run is checked" in page_of(judge.get(address)).text
    assert judge.post(f"{address}verdict/", {"kind": "checked"}).status_code == 302
    commission = log_in(staff["commission"])
    assert commission.post(f"{address}verdict/", {"kind": "verified"}).status_code == 302
    assert organiser.post(f"{address}publish/").status_code == 302
    assert board_of(run).public == later
    organiser.post(f"{address}freeze/", {"frozen": "1", "reason": "Appeals"})
    assert "stands still since" in page_of(organiser.get(address)).text


def test_who_would_move_is_looked_for_once_and_then_read(run, staff, log_in):
    apply(run, staff)
    later = done_run(run.essay_set, rules=RuleSetFactory(w2=0, w6=0))
    browser, found = log_in(staff["judge"]), moves_of(run, later)
    kept = RunDifference.objects.get(after=later)

    with CaptureQueriesContext(connection) as queries:
        page = page_of(browser.get(f"/scores/runs/{later.pk}/"))

    assert (kept.before, moves_from_json(kept.moves)) == (run, found)
    assert len(page.find("[aria-labelledby=run-moves] tbody tr")) == len(found) > 0
    sought = [each["sql"] for each in queries if "NOT EXISTS" in each["sql"]]
    assert not [each for each in sought if "scoring_runentry" in each]


def test_where_another_run_was_applied_since_the_first_reader_keeps_who_moved(run, staff, log_in):
    former = done_run(run.essay_set)
    apply(run, staff)
    browser = log_in(staff["judge"])
    assert not RunDifference.objects.exists()

    pages = [browser.get(f"/scores/runs/{former.pk}/").status_code for _ in range(2)]

    kept = RunDifference.objects.get()
    assert (pages, kept.before, kept.after, kept.moves) == ([200, 200], run, former, [])
