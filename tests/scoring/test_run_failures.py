"""Why a run failed or is applied no more is read on its page, in the language of its reader."""

from __future__ import annotations

import pytest
from django.test import Client

from annotator.models import EssaySet, MarkupRecord
from scoring.models import ScoreRun
from scoring.services.run_ordering import order_run, stop_run
from tests.factories import PersonFactory, RuleSetFactory
from tests.pages import page_of
from tests.scoring.runs import done_run, marked_set, work_off

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
