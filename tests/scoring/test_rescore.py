"""`manage.py rescore`: orders and prints, never applies."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from scoring.models import ScoreRun
from scoring.services.run_acts import decide_run, propose_run
from scoring.services.run_ordering import order_run
from tests.factories import EssayFactory, PersonFactory, RuleSetFactory
from tests.scoring.runs import done_run, marked_set, work_off

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - its rows are those of the module
    return marked_set()


def test_the_command_orders_and_prints_and_never_applies(world, capsys):
    call_command("rescore", set=world.name)
    run = ScoreRun.objects.get()
    work_off()
    call_command("rescore", run=run.pk)
    call_command("rescore")

    said = capsys.readouterr().out
    run.refresh_from_db()
    assert run.state == "ready"
    assert f"Run {run.pk} is ordered." in said
    first = "No run counts for the set yet: this one would be the first."
    assert f"{first}\nА: 1; 81.02\n" in said
    assert "Nothing is applied by this command" in said
    assert f"{run.pk}  {world}  {world.rules}  ready, in the shadow  3/3" in said
    for words in ({"set": "none such"}, {"run": 10**6}, {"set": world.name, "rules": "none"}):
        with pytest.raises(CommandError, match=r"There (is|are) no"):
            call_command("rescore", **words)


def test_the_command_says_that_nobody_would_move(world, capsys):
    run, again = done_run(world), done_run(world)
    people = PersonFactory(role="coordinator"), PersonFactory(role="organiser")
    propose_run(run=run, proposal="apply", reason="First", actor=people[0])
    decide_run(run=run, proposal="apply", against=None, actor=people[1])

    call_command("rescore", run=again.pk)

    assert capsys.readouterr().out.splitlines() == [
        f"Run {again.pk} of the set “{world}” is ready. If it were applied:",
        "Nobody would stand elsewhere or have another score.",
        "Nothing is applied by this command: two people do it on the page.",
    ]


def test_the_command_names_essays_left_out_and_intervals_that_would_be_others(world, capsys):
    EssayFactory(essay_set=world, number="7007")
    run, again = done_run(world), done_run(world)
    people = PersonFactory(role="coordinator"), PersonFactory(role="organiser")
    propose_run(run=run, proposal="apply", reason="First", actor=people[0])
    decide_run(run=run, proposal="apply", against=None, actor=people[1])
    ScoreRun.objects.update(unsure="")
    sure = {"low": 67.0, "high": 69.0, "best": 1, "worst": 2}
    name = again.entries.get(position=1, rank=1).name
    run.entries.filter(name=name).update(**sure)
    again.entries.filter(name=name).update(**{**sure, "high": 69.5, "worst": 3})

    call_command("rescore", run=again.pk)

    assert capsys.readouterr().out.splitlines()[1:] == [
        "Essays no expert has marked (1): 7007",
        "Nobody would stand elsewhere or have another score.",
        "Other intervals of STAR and of ranks: 1",
        f"{name}: 67.00–69.00, 1–2 → 67.00–69.50, 1–3",
        "Nothing is applied by this command: two people do it on the page.",
    ]


def test_the_command_says_how_a_run_stands_and_what_to_do_about_it(world, capsys):
    people = PersonFactory(role="coordinator"), PersonFactory(role="organiser", full_name="Eve")
    run, later, gone, stopped = (done_run(world) for _ in range(4))
    for each, proposal in ((run, "apply"), (later, "apply"), (gone, "discard")):
        propose_run(run=each, proposal=proposal, reason="Wrong rules.", actor=people[0])
        against = run.pk if each is later else None
        decide_run(run=each, proposal=proposal, against=against, actor=people[1])
    waits = order_run(essay_set=world, actor=None)
    ScoreRun.objects.filter(pk=stopped.pk).update(state="failed", failure="Stopped by Eve.")

    for each in (run, later, gone, stopped, waits):
        call_command("rescore", run=each.pk)

    assert capsys.readouterr().out.splitlines() == [
        f"Run {run.pk} was applied once; run {later.pk} counts for the set “{world}” now.",
        f"Run {later.pk} is applied: it counts for the set “{world}” already.",
        f"Run {gone.pk} was discarded by Eve and counts nowhere: Wrong rules.",
        f"Run {stopped.pk} failed: Stopped by Eve. Order another: manage.py rescore --set …",
        f"Run {waits.pk} is being computed, 0 of 0 essays. Ask later.",
    ]


@pytest.mark.parametrize("number", [-1, 0, 10**6, 10**30])
def test_a_run_that_is_none_is_refused_with_a_remedy(db, number):  # noqa: ARG001 - the database
    with pytest.raises(CommandError, match=rf"There is no run {number}\. See all of them"):
        call_command("rescore", run=number)


def test_the_command_is_asked_for_one_thing_at_a_time(world):
    with pytest.raises(CommandError, match="--set and --run: choose one of them"):
        call_command("rescore", run=1, set=world.name)


@pytest.mark.parametrize("words", [{"rules": "Rules 2"}, {"seed": 7}, {"rules": "x", "run": 1}])
@pytest.mark.usefixtures("world")
def test_rules_and_a_seed_without_a_set_are_no_order(words):
    told = "--rules and --seed go with --set, which orders a run"
    with pytest.raises(CommandError, match=told):
        call_command("rescore", **words)


def test_the_command_tells_why_in_the_words_of_the_page_and_in_the_language_of_its_reader(
    world, capsys, monkeypatch
):
    run, later = done_run(world), done_run(world, rules=RuleSetFactory(w2=0, w6=0))
    people = PersonFactory(role="coordinator"), PersonFactory(role="organiser")
    propose_run(run=run, proposal="apply", reason="First", actor=people[0])
    decide_run(run=run, proposal="apply", against=None, actor=people[1])

    for language in ("en", "ru"):
        monkeypatch.setenv("LANGUAGE", language)
        call_command("rescore", run=later.pk)

    said = capsys.readouterr().out
    assert "(parameters)" in said
    assert "(параметры)" in said


def test_the_command_says_what_to_do_about_a_database_that_is_not_prepared(db):  # noqa: ARG001 - a savepoint of its own
    with transaction.atomic(), connection.cursor() as cursor:
        table = ScoreRun._meta.db_table
        cursor.execute(f"ALTER TABLE {table} RENAME TO apart")
        with pytest.raises(CommandError, match=r"manage\.py migrate") as refused:
            call_command("rescore")
        transaction.set_rollback(True)

    assert "\n" not in str(refused.value)
