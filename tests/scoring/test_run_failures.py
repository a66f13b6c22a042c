"""Why a run failed or is applied no more is read on its page, in the language of its reader."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssayImport, EssaySet, FragmentRecord, MarkupRecord
from annotator.services.markup import hand_in, reopen
from annotator.services.versions import replace_essay
from scoring.models import ScoreRun
from scoring.services.run_acts import propose_run, why_outdated, withdraw_proposal
from scoring.services.run_ordering import order_run, stop_run
from scoring.signals import solutions_asked
from tests.factories import PersonFactory, RuleSetFactory, submitted
from tests.pages import page_of
from tests.scoring.runs import TASKS, done_run, marked_set, waiting, work_off
from tests.steps import counted_by_sqlite, steps_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return marked_set()


def without_solutions(world):
    run = order_run(essay_set=world, actor=None)
    MarkupRecord.objects.filter(essay__essay_set=world, source="algorithm").update(state="draft")
    work_off()
    return run


def without_experts(world):
    run = order_run(essay_set=world, actor=None)
    MarkupRecord.objects.filter(essay__essay_set=world, source="expert").update(state="draft")
    work_off()
    return run


def by_another_program(world):
    run = order_run(essay_set=world, actor=None)
    ScoreRun.objects.update(code="another")
    work_off()
    return run


def stopped(world):
    run = order_run(essay_set=world, actor=None)
    stop_run(run_id=run.pk, actor=PersonFactory(full_name="Petrov"))
    return run


WORDS = {
    without_solutions: (
        "No solution of the set counts: there is nothing to rank.",
        "Ни одно решение выборки не учитывается: ранжировать нечего.",
    ),
    without_experts: (
        "No essay of the set was marked by an expert.",
        "Ни одно эссе выборки не размечено экспертом.",
    ),
    by_another_program: (
        "The program that scores was changed meanwhile.",
        "Программа, которая считает, тем временем сменилась.",
    ),
    stopped: ("Stopped by Petrov.", "Остановил пользователь Petrov."),
}


@pytest.mark.parametrize("fail", WORDS)
def test_why_a_run_failed_is_told_in_the_language_of_its_reader(world, fail):
    run = fail(world)
    reader = Client()
    reader.force_login(PersonFactory(role="coordinator"))

    told = []
    for language in ("en", "ru"):
        spoken = {"accept-language": language}
        page = reader.get(f"/scores/runs/{run.pk}/", headers=spoken).content.decode()
        said = reader.get(f"/api/scores/runs/{run.pk}/", headers=spoken).json()["failure"]
        other = WORDS[fail][language == "en"]
        told.append((said, said in page, other in page))

    assert told == [(words, True, False) for words in WORDS[fail]]


def test_a_fault_that_is_no_sentence_of_ours_is_told_as_it_came(world):
    run = order_run(essay_set=world, actor=None)
    ScoreRun.objects.update(state="failed", failure="SpanError: 10")
    run.refresh_from_db()

    assert run.told_failure == "SpanError: 10"


def test_the_page_of_a_failed_run_says_what_is_next(world, log_in):
    run = by_another_program(world)

    page = page_of(log_in(PersonFactory(role="coordinator")).get(f"/scores/runs/{run.pk}/"))

    _why, said = page.find("[aria-labelledby=run-facts] p")
    assert said.text == (
        "Nothing counts otherwise by this run. Once the cause is mended, another one is ordered. "
        "Score runs"
    )
    assert [each["href"] for each in said.find("a")] == ["/scores/runs/"]


def test_a_run_whose_set_goes_by_other_rules_since_says_so_and_is_proposed_to_be_discarded_alone(
    world, log_in
):
    run = done_run(world)
    EssaySet.objects.filter(pk=world.pk).update(rules=RuleSetFactory(name="Autumn"))

    page = page_of(log_in(PersonFactory(role="coordinator")).get(f"/scores/runs/{run.pk}/"))

    becomes = page.one("[aria-labelledby=run-proposal]")
    words = "The set goes by the rules “Autumn 1” since. Order another run."
    assert words in [each.text for each in becomes.find("p")]
    assert [each["value"] for each in becomes.find("button[name=proposal]")] == ["discard"]


def test_a_run_a_markup_of_which_is_gone_since_says_so_before_it_is_proposed(world, log_in):
    run = done_run(world)
    gone = MarkupRecord.objects.filter(essay__essay_set=world, source="expert").first()
    reopen(gone, reason="A slip")

    page = page_of(log_in(PersonFactory(role="coordinator")).get(f"/scores/runs/{run.pk}/"))
    told = io.StringIO()
    call_command("rescore", "--run", str(run.pk), stdout=told)

    becomes = page.one("[aria-labelledby=run-proposal]")
    words = f"Markups were withdrawn since, of the essays {gone.essay.number}. Order another run."
    assert words in [each.text for each in becomes.find("p")]
    assert [each["value"] for each in becomes.find("button[name=proposal]")] == ["discard"]
    assert told.getvalue().startswith(f"{words}\n")


@pytest.mark.parametrize("source", ["expert", "algorithm"])
def test_which_markups_of_a_run_are_gone_is_asked_of_each_side_by_itself(source, world):
    run = done_run(world)
    gone = MarkupRecord.objects.filter(essay__essay_set=world, source=source).first()
    MarkupRecord.objects.filter(pk=gone.pk).update(state="draft", reopened_at=Now())

    with CaptureQueriesContext(connection) as asked:
        words = why_outdated(run)

    # PostgreSQL joins one NOT EXISTS of a million pairs; two in one condition it looks up apiece
    assert gone.essay.number in words
    assert [each["sql"] for each in asked if each["sql"].count("EXISTS") > 1] == []


def test_a_check_that_was_reopened_and_handed_in_again_since_is_another_one(world):
    run = done_run(world)
    changed = MarkupRecord.objects.filter(essay__essay_set=world, source="expert").first()
    assert why_outdated(run) == ""

    reopen(changed, reason="A slip")
    hand_in([changed])

    assert MarkupRecord.objects.get(pk=changed.pk).state == "submitted"
    assert f"of the essays {changed.essay.number}. Order another run." in why_outdated(run)


def test_a_check_that_was_being_reopened_as_a_run_was_ordered_is_gone(world):
    run = done_run(world)
    gone = MarkupRecord.objects.filter(essay__essay_set=world, source="expert").first()

    reopen(gone, reason="A slip")
    MarkupRecord.objects.filter(pk=gone.pk).update(reopened_at=run.ordered_at)

    assert f"of the essays {gone.essay.number}. Order another run." in why_outdated(run)


def test_what_was_reopened_while_a_run_was_computed_is_left_out_though_it_came_again(world):
    run = order_run(essay_set=world, actor=None)
    while (job := waiting().order_by("pk").first()).kind != "scoring.finish_run":
        TASKS[job.kind](job.pk)
    changed = MarkupRecord.objects.filter(essay__number="0000", source="expert")
    for each in changed:
        reopen(each, reason="A slip")
        hand_in([each])

    work_off()

    run.refresh_from_db()
    assert run.left_out == [{"why": "withdrawn", "what": ["0000"]}]
    assert (run.essays, run.scores.filter(essay__number="0000").exists()) == (2, False)


@pytest.mark.parametrize("source", ["expert", "algorithm"])
def test_markups_an_import_brought_and_took_back_since_are_gone(source, world):
    run = done_run(world)
    essay = world.essays.get(number="0001")

    taken_out(essay.markups.filter(source=source).first())

    assert "of the essays 0001. Order another run." in why_outdated(run)


def taken_out(markup):
    """A markup as the undoing of the import leaves it that had brought it."""
    essay_set, number = markup.essay.essay_set, markup.essay.number
    undone = EssayImport.objects.create(
        essay_set=essay_set, set_name=essay_set.name, state="undone", undone_at=Now()
    )
    undone.files.create(name=f"{number}.json", outcome="markup", number=number)
    FragmentRecord.objects.filter(markup=markup).delete()
    MarkupRecord.objects.filter(pk=markup.pk).delete()


def test_a_run_of_an_essay_that_has_a_new_version_since_is_not_applied(world):
    run, essay = done_run(world), world.essays.order_by("number").first()

    replace_essay(
        essay=essay, text=f"{essay.text}!", reason="A sign", actor=PersonFactory(role="coordinator")
    )

    words = f"New versions took the place of these essays since: {essay.number}. Order another run."
    assert why_outdated(run) == words
    assert why_outdated(done_run(world)) == ""


def test_the_page_of_a_ready_run_looks_no_pair_up_while_nothing_was_reopened(world):
    run = done_run(world)

    with CaptureQueriesContext(connection) as asked:
        assert why_outdated(run) == ""

    assert [each["sql"] for each in asked if "scoring_runpair" in each["sql"]] == []


@pytest.mark.parametrize("withdraw", [lambda gone: reopen(gone, reason="A slip"), taken_out])
@counted_by_sqlite
def test_what_was_withdrawn_is_found_by_itself_among_however_many_pairs(withdraw, world):
    run = done_run(world)
    gone = MarkupRecord.objects.filter(essay__essay_set=world, source="expert").first()
    withdraw(gone)
    before = steps_of(lambda: why_outdated(run))
    pair, first = run.scores.first(), 10**6

    for number in range(first, first + 5000):
        pair.pk, pair.assessed_id, pair.reference_id = None, number, number
        pair.save(force_insert=True)

    assert steps_of(lambda: why_outdated(run)) < before + 10
    assert gone.essay.number in why_outdated(run)


def test_a_run_has_the_answers_that_come_in_while_solutions_are_asked_for(world):
    run, essay = order_run(essay_set=world, actor=None), world.essays.first()
    came = []

    def comes_in(**_):
        if not came:
            came.append(submitted(essay, fragment(0, 4), author=author, source="algorithm"))

    author = PersonFactory(role="participant")
    solutions_asked.connect(comes_in)
    try:
        TASKS["scoring.prepare_run"](waiting().get().pk)
    finally:
        solutions_asked.disconnect(comes_in)

    told = [each for part in run.parts.all() for each in part.content]
    assert came[0].pk in {markup for each in told for _entry, markup in each["answers"]}


def test_a_proposal_is_told_as_declined_or_taken_back_also_of_whom_has_another_login_now(
    world, log_in
):
    run = done_run(world)
    one, other = (PersonFactory(role="coordinator", full_name=name) for name in ("Ivanov", "Orlov"))
    for actor, reason in ((one, ""), (other, "Too early")):
        propose_run(run=run, proposal="apply", reason="New", actor=one)
        withdraw_proposal(run=run, whose=one.pk, reason=reason, actor=actor)
    User.objects.filter(pk=one.pk).update(username="another")

    page = page_of(log_in(other).get(f"/scores/runs/{run.pk}/"))

    told = [each.text for each in page.find("[aria-labelledby=run-history] li")]
    assert told[2].endswith("Ivanov: took the proposal back")
    assert told[4].endswith("Orlov: declined the proposal of Ivanov: Too early")


def test_a_trail_of_before_names_the_login_of_then(world, log_in):
    run, judge = done_run(world), PersonFactory(role="judge")
    details = {"proposal": "apply", "proposed_by": "gone", "reason": "Too early"}
    audit(actor=judge, action="run.proposal_withdrawn", target=run, **details)

    page = page_of(log_in(judge).get(f"/scores/runs/{run.pk}/"))

    assert "declined the proposal of gone: Too early" in page.text


def test_nobody_is_said_to_apply_what_is_applied_no_more(world, log_in):
    run, coordinator = done_run(world), PersonFactory(role="coordinator")
    propose_run(run=run, proposal="apply", reason="New", actor=coordinator)
    browser = log_in(coordinator)
    before = page_of(browser.get(f"/scores/runs/{run.pk}/")).one("[aria-labelledby=run-proposal]")
    EssaySet.objects.filter(pk=world.pk).update(rules=RuleSetFactory(name="Autumn"))

    after = page_of(browser.get(f"/scores/runs/{run.pk}/")).one("[aria-labelledby=run-proposal]")

    words = "It is done by somebody else"
    assert (words in before.text, words in after.text) == (True, False)
