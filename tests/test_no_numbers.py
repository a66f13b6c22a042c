"""NaN, infinities and words for them stop at every door, with their place; no board has any."""

from __future__ import annotations

import json
import re
from math import inf, nan

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.forms.rules import BOUNDS, RuleSetForm
from annotator.models import MarkupRecord
from contest.core.contest_file import from_toml
from contest.core.errors import ContestFileError
from contest.core.messages import describe
from scoring.core.errors import WeightsError
from scoring.core.metrics import LARGEST_WEIGHT, Weights
from scoring.models import ScoreRun, StandingBoard
from scoring.services.run_files import run_as_csv, run_as_lines
from tests.contest.core.test_contest_file import LEAST
from tests.contest.test_answers import do_answers
from tests.contest.test_parcels import send as send_parcel
from tests.contest.test_parcels import taken
from tests.contest.test_rest_door import Program, essay_of
from tests.contest.world import marked_set, team
from tests.examples import examples
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.runs import done_run

NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e400"]
"""What other readers take for numbers."""
WORDS = [f'"{each}"' for each in (*NUMBERS, "nan", " NaN ", "+inf", "-nan", "１e999", "nan(0x1)")]
FRAGMENT = "selections[0]"
PLACES = [
    *(f"{FRAGMENT}.{name}" for name in ("id", "startSelection", "endSelection", "more")),
    *("selections", "criteria.K1", "meta.year", "more"),
]
"""Where a number may stand in a file."""
HOSTILE = (st.sampled_from([*NUMBERS, *WORDS]), st.sampled_from(PLACES))
SEVERAL = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def file_of(essay, number, place):
    """The bytes of a markup with a number at a place."""
    mark = {"startSelection": 0, "endSelection": 4, "type": "А.грамм", "group": "error"}
    body = {"meta": {"id": essay.number, "subject": essay.subject}, "text": essay.text}
    outer, _point, inner = place.rpartition(".")
    body["selections"] = [{**mark, inner: "HERE"} if outer == FRAGMENT else mark]
    if outer != FRAGMENT:
        (body.setdefault(outer, {}) if outer else body)[inner] = "HERE"
    return json.dumps(body, ensure_ascii=False).replace('"HERE"', number).encode()


def refusal(number, body):
    """Where and what is said of a number that is none."""
    column = body.decode().index(number) + 1
    return f"line 1, column {column}", f"The number {number} cannot be used. Write a finite one."


@pytest.mark.django_db
@SEVERAL
@given(*HOSTILE)
def test_the_door_of_markups_refuses_what_is_no_number_by_its_place(log_in, number, place):
    with transaction.atomic():
        essay, person = EssayFactory(essay_set__access="open"), PersonFactory(role="participant")
        body = file_of(essay, number, place)

        answer = log_in(person).post(
            f"/api/essays/{essay.pk}/markups/", body, content_type="application/json"
        )

        told = answer.json()
        if number in NUMBERS:
            where, words = refusal(number, body)
            assert (answer.status_code, told["code"]) == (400, "json-bad-number")
            assert (f"line {told['line']}, column {told['column']}", words in told["message"]) == (
                where,
                True,
            )
        elif answer.status_code != 201:
            named = (
                told["fields"] if "fields" in told else {each["path"] for each in told["problems"]}
            )
            assert {*named} <= {place, FRAGMENT}
        kept = MarkupRecord.objects.filter(author=person).exists()
        assert kept == (answer.status_code == 201)
        transaction.set_rollback(True)


@pytest.mark.django_db
@SEVERAL
@given(*HOSTILE)
def test_an_answer_of_a_session_with_what_is_no_number_is_broken_and_says_where(number, place):
    with transaction.atomic():
        essay = marked_set(1).essays.get()
        program = Program(team())
        address = f"sessions/{program.open().json()['id']}/"
        file = program.post(f"{address}next/").json()["file"]
        body = file_of(essay, number, place)

        told = program.post(f"{address}files/{file}/", body).json()

        if number in NUMBERS:
            assert (told["accepted"], told["reason"]) == (False, "broken")
            (problem,) = told["problems"]
            assert (problem["place"], problem["message"]) == refusal(number, body)
        elif not told["accepted"]:
            assert {each["path"] for each in told["problems"]} in ({place}, {FRAGMENT})
        transaction.set_rollback(True)


@pytest.mark.django_db
@SEVERAL
@given(*HOSTILE)
def test_a_file_of_an_archive_with_what_is_no_number_is_left_out_by_its_place(number, place):
    with transaction.atomic():
        essay_set = EssaySetFactory(access="open", takes_parcels=True)
        essay, person = EssayFactory(essay_set=essay_set, number="0001"), team()
        body = file_of(essay, number, place)

        told = taken(send_parcel(person, essay_set, **{"0001.json": body}))["0001.json"]

        if number in NUMBERS:
            assert told == "{}: {}".format(*refusal(number, body))
        elif told != "taken":
            assert told.startswith((f"{place}: ", f"{FRAGMENT}: "))
        transaction.set_rollback(True)


@pytest.mark.django_db
@settings(SEVERAL, max_examples=examples(15))
@given(st.lists(st.tuples(*HOSTILE), min_size=4, max_size=4))
def test_whatever_was_sent_no_board_and_no_file_of_a_run_has_what_is_no_number(client, sent):
    with transaction.atomic():
        essay_set = marked_set(4)
        program = Program(team())
        number = program.open().json()["id"]
        for each in sent:
            file = program.post(f"sessions/{number}/next/").json()["file"]
            body = file_of(essay_of(number, file), *each)
            program.post(f"sessions/{number}/files/{file}/", body)
        program.post(f"sessions/{number}/abort/")
        for essay, each in zip(essay_set.essays.all(), sent, strict=True):
            address = f"/api/essays/{essay.pk}/markups/"
            body = file_of(essay, *each)
            program.http.post(address, body, content_type="application/json")
        do_answers()
        submitted(essay_set.essays.earliest("pk"), source=MarkupRecord.Source.ALGORITHM)

        run = done_run(essay_set)

        assert run.state == ScoreRun.State.READY
        StandingBoard.objects.create(
            essay_set=essay_set, applied=run, public=run, published_at=timezone.now()
        )
        ScoreRun.objects.filter(pk=run.pk).update(**applied())
        shown = [client.get(f"/boards/{essay_set.pk}/{kind}") for kind in ("", "csv/", "json/")]
        assert {each.status_code for each in shown} == {200}
        texts = [b"".join(each).decode() for each in shown]
        texts += ["".join(run_as_lines(run)), "".join(run_as_csv(run))]
        assert [NO_NUMBER.findall(each) for each in texts] == [[]] * 5
        transaction.set_rollback(True)


NO_NUMBER = re.compile(r"(?i)(?<![\w-])[+-]?(?:nan|inf|infinity)(?![\w-])")


def applied():
    judge, organiser = PersonFactory(role="judge"), PersonFactory(role="organiser")
    return {"state": "applied", "proposal": "apply", "proposed_by": judge, "decided_by": organiser}


@given(
    st.sampled_from([f"w{number}" for number in range(1, 8)]),
    st.sampled_from([nan, inf, -inf, 1e308]) | st.floats(max_value=0, exclude_max=True),
)
def test_weights_that_are_no_shares_are_refused_by_name(name, weight):
    with pytest.raises(WeightsError) as refused:
        Weights(**{name: weight})

    assert (refused.value.code, refused.value.fields["name"]) == ("bad-weight", name)


@pytest.mark.parametrize("said", ["NaN", "nan", "Infinity", "-inf", "1e999", "1e308", "1000001"])
@pytest.mark.parametrize("name", ["w1", "w6", "hardness"])
def test_the_form_of_rules_refuses_what_no_accuracy_is_averaged_with(db, name, said):  # noqa: ARG001
    assert list(form_of(**{name: said}).errors) == [name]


def test_the_largest_weight_is_asked_for_as_it_is_averaged_with(db):  # noqa: ARG001
    assert {BOUNDS[f"w{number}"] for number in range(1, 7)} == {LARGEST_WEIGHT}
    assert form_of(w2=LARGEST_WEIGHT).errors == {}


def form_of(**said):
    values = dict.fromkeys([f"w{number}" for number in range(1, 7)], "1")
    values |= {"name": "March", "version": "1", "w7": "0", "hardness": "0.5"}
    values |= {"third_total": "auto", "days_to_mark": "7"}
    return RuleSetForm({**values, **said})


PARAMETERS = """[[parameters]]
version = 1
rules = "March"
star_to_qualify = 0
annulled_to_qualify = 0
reason_ru = ""
reason_en = ""
proposed_at = 2026-11-20T10:00:00+03:00
session = {}
"""


@pytest.mark.parametrize("number", ["nan", "-nan", "inf", "+inf", "-inf", "1e999"])
@pytest.mark.parametrize("key", ["star_to_qualify", "annulled_to_qualify"])
def test_a_contests_file_names_the_parameter_that_is_no_number(key, number):
    words = f"{LEAST}\n{PARAMETERS.replace(f'{key} = 0', f'{key} = {number}')}"

    with pytest.raises(ContestFileError) as refused:
        from_toml(words)

    expected = f"parameters[0].{key}: A finite number is expected here."
    assert describe(refused.value, str) == expected
