from __future__ import annotations

import json

import pytest
from celery import current_app

from jobs.models import Job
from schemes import tasks
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import TooLong, Unfit
from schemes.core.use.exam import FULL
from schemes.models import SchemeInput, SchemeItem, SchemeRun, StoredKey
from schemes.services import runs
from schemes.services.keys import drop_key
from schemes.services.runs import Asked, NamedInput, drop_run, order_run
from tests.factories import PersonFactory
from tests.schemes.inputs import (
    INPUTS,
    RULE,
    SECRET,
    asked_of,
    do_all,
    ordered,
    scored,
    stored,
)
from web.client_keys import ClientKey
from web.refusals import Refused

pytestmark = pytest.mark.django_db
EVERY = sorted(INPUTS)


@pytest.fixture
def person():
    return PersonFactory()


def test_every_scheme_has_inputs_to_be_tested_with():
    assert sorted(INPUTS) == sorted(SCHEMES)


@pytest.mark.parametrize("slug", EVERY)
def test_a_run_waits_until_its_job_has_scored_it(person, slug):
    run = ordered(person, slug)
    waiting = (run.state, run.job.state, run.items.count())

    do_all()

    run.refresh_from_db()
    assert waiting == ("queued", "queued", 0)
    assert (run.state, Job.objects.get(pk=run.job_id).state) == ("done", "done")
    assert run.total == run.done == run.items.count() > 0
    assert run.version == SCHEMES[slug].version


@pytest.mark.parametrize("slug", EVERY)
def test_every_item_has_a_known_verdict_and_a_reason_in_every_language(person, slug):
    run = scored(person, slug)

    items = list(run.items.all())
    assert {item.verdict for item in items} <= set(SCHEMES[slug].verdicts)
    assert {tuple(sorted(item.reason)) for item in items} == {("en", "ru")}
    assert [item.number for item in items] == list(range(1, len(items) + 1))


def test_the_points_of_use_are_those_of_the_exam(person):
    run = scored(person, "use")

    lost = {
        item.cells["id_task"]: (item.verdict, item.points, item.reason["en"])
        for item in run.items.exclude(verdict="right")
    }
    assert lost == {
        "1": ("wrong", 0, "missing 5; too many 4"),
        "2": ("wrong", 0, f"read as “сова”; accepted: {SECRET}"),
        "3": ("unanswered", 0, "no answer"),
        "16": ("partly", 1, "missing 5"),
        "26": ("partly", 2, "wrong positions: 3, 4 (of 4)"),
    }
    assert run.figures["grade_norm"] == (FULL - 6) / FULL
    assert run.figures["lost"] == [
        {"id_task": "1", "points": 1},
        {"id_task": "2", "points": 1},
        {"id_task": "3", "points": 1},
        {"id_task": "16", "points": 1},
        {"id_task": "26", "points": 2},
    ]


def test_the_scores_of_coscore_are_those_of_the_rule(person):
    run = scored(person, "coscore", separator="-")

    rows = [
        (item.verdict, item.points, item.cells["combo:A"], item.cells["combo:B"])
        for item in run.items.all()
    ]
    assert rows == [("agrees", 3, 0, 3), ("differs", 2, 2, 0)]
    assert run.figures["histogram"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert run.figures["agreement"]["exact"] == 0.5


def test_scoring_twice_is_scoring_once(person):
    run = scored(person, "use")
    before = list(run.items.values("number", "points", "reason", "cells"))

    Job.objects.filter(pk=run.job_id).update(state="queued", attempts=0)
    SchemeRun.objects.filter(pk=run.pk).update(state="running")
    do_all()

    assert list(run.items.values("number", "points", "reason", "cells")) == before


def test_a_run_that_is_done_is_not_scored_again(person):
    run = scored(person, "use")
    run.items.all().delete()

    runs.score(run_id=run.pk)

    assert run.items.count() == 0


def test_an_input_nothing_can_be_made_of_fails_the_run_and_says_why(person):
    inputs = {"key": NamedInput(b"{"), "predictions": NamedInput(b"[]")}
    run = order_run(owner=person, asked=Asked(SCHEMES["use"], inputs))

    do_all()

    run.refresh_from_db()
    assert (run.state, Job.objects.get(pk=run.job_id).state) == ("failed", "done")
    assert [sorted(each) for each in run.problems] == [["en", "ru"]]
    assert run.problems[0]["en"].startswith("line 1, column 2: ")
    assert run.problems[0]["ru"].startswith("строка 1, столбец 2: ")


def test_what_no_database_takes_is_kept_as_replacement_signs(person):
    answers = 'text\n"a\0b"\n梨\n'
    rule = json.dumps(RULE).encode()
    inputs = {"rule": NamedInput(rule, "r\0.json"), "answers": NamedInput(answers.encode())}
    run = order_run(owner=person, asked=Asked(SCHEMES["coscore"], inputs, {"separator": "-"}))

    do_all()

    broken, sound = run.items.all()
    assert (broken.verdict, broken.cells["text"]) == ("error", "a\ufffdb")
    assert (sound.verdict, sound.points) == ("scored", 2)
    assert run.inputs.get(source="rule").name == "r\ufffd.json"


def test_ordered_twice_by_one_key_it_is_one_run(person):
    first = order_run(owner=person, asked=asked_of("use"), client_key=ClientKey("mine", "0"))
    again = order_run(owner=person, asked=asked_of("use"), client_key=ClientKey("mine", "0"))
    other = order_run(
        owner=PersonFactory(), asked=asked_of("use"), client_key=ClientKey("mine", "0")
    )

    assert (first == again, first == other) == (True, False)
    assert (SchemeRun.objects.count(), Job.objects.count()) == (2, 2)


@pytest.mark.parametrize("name", ["scoring.score_scheme", "schemes.score_run"])
def test_a_job_and_a_message_of_before_the_app_are_understood(person, name):
    run = ordered(person, "use")
    Job.objects.filter(pk=run.job_id).update(kind=name)

    current_app.tasks["scoring.score_scheme"](run.job_id)

    run.refresh_from_db()
    assert (run.state, Job.objects.get().state) == ("done", "done")


def test_more_items_than_a_run_may_have_fail_it(person, monkeypatch):
    monkeypatch.setattr(runs, "MAX_ITEMS", 29)

    run = scored(person, "use")

    assert (run.state, run.items.count()) == ("failed", 0)
    assert run.problems[0]["en"] == "There are more than 29 items. Split the input."


def test_scoring_that_takes_too_long_fails_the_run(person, monkeypatch):
    monkeypatch.setattr(runs, "SHARE", -1)

    run = scored(person, "coscore", separator="-")

    assert (run.state, run.problems[0]["en"]) == ("failed", runs.TOO_LONG)


def test_writing_that_takes_too_long_fails_the_run_and_is_not_begun_anew(person, monkeypatch):
    monkeypatch.setattr(runs, "WRITTEN", -1)

    run = scored(person, "use")

    job = Job.objects.get(pk=run.job_id)
    assert (run.state, run.problems[0]["en"]) == ("failed", runs.TOO_LONG)
    assert (job.state, job.attempts) == ("done", 1)


def test_progress_is_noted_while_a_run_is_scored(person):
    running, done = ordered(person, "use"), ordered(person, "use")
    SchemeRun.objects.filter(pk=running.pk).update(state="running")
    SchemeRun.objects.filter(pk=done.pk).update(state="done")

    for run in (running, done):
        runs._Progress(run.pk)(7, 30)

    noted = SchemeRun.objects.order_by("pk").values_list("done", "total")
    assert list(noted) == [(7, 30), (0, 0)]


def test_progress_beyond_the_time_of_a_job_ends_it(person, settings):
    settings.JOB_LIMIT_SECONDS = 0

    with pytest.raises(TooLong):
        runs._Progress(ordered(person, "use").pk)(1, 2)


def test_a_deleted_run_leaves_nothing_and_its_job_does_nothing(person):
    run = ordered(person, "use")
    job_id = run.job_id

    drop_run(run=run)
    tasks.score_run(job_id)

    counts = [each.objects.count() for each in (SchemeRun, SchemeInput, SchemeItem, Job)]
    assert counts == [0, 0, 0, 0]


@pytest.mark.parametrize("slug", EVERY)
def test_a_stored_key_stands_in_for_an_uploaded_one(person, slug):
    own = scored(person, slug)
    by_key = scored(person, slug, stored(person, slug))

    found = [
        list(run.items.values_list("number", "points", "verdict", "reason"))
        for run in (own, by_key)
    ]
    assert found[0] == found[1]
    assert by_key.veiled is False
    assert by_key.figures == own.figures


@pytest.mark.parametrize("slug", EVERY)
def test_the_key_of_somebody_else_gives_the_points_and_not_a_word_of_itself(person, slug):
    own = scored(PersonFactory(), slug)
    run = scored(person, slug, stored(PersonFactory(), slug, offered=True))

    points = [list(each.items.values_list("points", "verdict")) for each in (own, run)]
    kept = json.dumps(
        [list(run.items.values()), run.figures, run.problems, run.readings],
        ensure_ascii=False,
        default=str,
    )
    assert (run.veiled, points[0] == points[1]) == (True, True)
    assert SECRET not in kept


def test_reasons_of_a_veiled_run_tell_no_number_of_the_key(person):
    run = scored(person, "use", stored(PersonFactory(), "use", offered=True))

    reasons = {item.cells["id_task"]: item.reason["en"] for item in run.items.all()}
    assert {reasons[name] for name in ("1", "2", "3", "16", "26")} == {
        "wrong",
        "no answer",
        "partly right",
    }
    assert {item.cells["code"] for item in run.items.exclude(verdict="right")} == {
        "hidden",
        "empty-answer",
    }


def test_problems_of_somebody_elses_key_are_not_told(person):
    document = json.loads(INPUTS["use"]()["key"])
    document["data"]["test"][0]["outputs"] = f"{SECRET}, 3"
    data = json.dumps(document).encode()
    key = stored(PersonFactory(), "use", data=data, offered=True)

    own, veiled = scored(key.owner, "use", key), scored(person, "use", key)

    assert any(SECRET in each["en"] for each in own.problems)
    assert not any(SECRET in each["en"] for each in veiled.problems)


@pytest.mark.parametrize(("role", "veiled"), [("coordinator", False), ("judge", True)])
def test_coordinators_alone_see_what_a_key_of_somebody_else_says(role, veiled):
    key = stored(PersonFactory(), "use", offered=True)

    assert scored(PersonFactory(role=role), "use", key).veiled is veiled


def test_a_key_that_cannot_be_used_is_not_stored(person):
    with pytest.raises(Unfit):
        stored(person, "coscore", data=b'{"atoms": {}, "combo": {}, "comboMode": "ADD"}')

    assert StoredKey.objects.count() == 0


def test_a_name_is_given_to_one_key_of_a_scheme(person):
    stored(person, "use")
    stored(person, "coscore")

    with pytest.raises(Refused, match="another name"):
        stored(person, "use")

    assert StoredKey.objects.count() == 2


def test_a_run_whose_key_was_deleted_says_so(person):
    key = stored(person, "use")
    run = ordered(person, "use", key)

    drop_key(key=key)
    do_all()

    run.refresh_from_db()
    assert (run.state, run.problems[0]["en"]) == ("failed", runs.KEY_GONE)


def test_a_finished_run_outlives_its_key(person):
    key = stored(person, "use")
    run = scored(person, "use", key)

    drop_key(key=key)

    run.refresh_from_db()
    assert (run.state, run.key, run.items.count()) == ("done", None, 30)
