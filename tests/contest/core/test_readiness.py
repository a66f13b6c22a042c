from __future__ import annotations

import json

import pytest

from contest.core.admission import Step, round_after, step_after
from contest.core.readiness import (
    Conclusion,
    Condition,
    Lines,
    Name,
    Passed,
    conclude,
    conclusion_from_json,
    conclusion_to_json,
    missing_fields,
)

LINES = Lines(annulled=0.05, star=60)
WHOLE = {
    "name": "Alfa",
    "about": "Rules and a net",
    "email": "a@example.org",
    "members": [{"name": "Anna", "email": "a@example.org"}],
    "agrees": True,
}


def met(conclusion):
    return {each.name.value: each.is_met for each in conclusion.conditions}


def test_a_whole_form_and_a_passed_qualification_are_a_positive_conclusion():
    found = conclude([], [Passed(0.05, 60.0)], LINES)

    assert found == Conclusion(
        (
            Condition(Name.FORM, True),
            Condition(Name.ANNULLED, True, 0.05, 0.05),
            Condition(Name.STAR, True, 60.0, 60),
        )
    )
    assert found.is_ready


@pytest.mark.parametrize(
    ("missing", "passed", "lines", "unmet"),
    [
        (["about"], [Passed(0, 90)], LINES, ["form"]),
        ([], [Passed(0.051, 90)], LINES, ["annulled"]),
        ([], [Passed(0, 59.99)], LINES, ["star"]),
        ([], [Passed(None, None)], LINES, ["annulled", "star"]),
        ([], [], LINES, ["annulled", "star"]),
        ([], [Passed(0, 90)], None, ["annulled", "star"]),
        ([], [Passed(0, 90), Passed(0.06, 90)], LINES, ["annulled"]),
        ([], [Passed(0, 90), Passed(0, 10)], LINES, ["star"]),
        ([], [Passed(0, 90), Passed(None, None)], LINES, ["annulled", "star"]),
    ],
)
def test_what_is_missing_too_low_or_unknown_is_no_pass(missing, passed, lines, unmet):
    found = conclude(missing, passed, lines)

    assert [each.name.value for each in found.unmet] == unmet
    assert not found.is_ready


@pytest.mark.parametrize(
    ("missing", "passed", "lines", "is_negative"),
    [
        ([], [Passed(None, None)], LINES, False),
        ([], [Passed(0, None)], LINES, False),
        ([], [], LINES, False),
        ([], [Passed(0.9, 1)], None, False),
        (["about"], [], LINES, True),
        ([], [Passed(0.06, None)], LINES, True),
        ([], [Passed(0, 59)], LINES, True),
        ([], [Passed(0, 60)], LINES, False),
    ],
)
def test_what_is_not_known_yet_is_no_failure(missing, passed, lines, is_negative):
    assert conclude(missing, passed, lines).is_negative is is_negative


def test_of_several_test_sets_the_worst_is_told():
    found = conclude([], [Passed(0.01, 90), Passed(0.02, 70)], LINES)

    assert [each.value for each in found.conditions] == [None, 0.02, 70]


def test_without_live_sessions_nothing_can_be_annulled():
    assert met(conclude([], [Passed(None, 90)], LINES, live=False)) == {"form": True, "star": True}


def test_where_another_scoring_system_scores_there_is_no_star_and_a_scored_upload_passes():
    scored, none = (conclude([], [], None, live=False, scored=each) for each in (2, 0))

    assert met(scored) == {"form": True, "scored": True}
    assert (scored.is_ready, none.is_ready, none.is_negative) == (True, False, False)
    assert met(conclude(["about"], [], None, live=False, scored=1))["form"] is False


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({}, []),
        ({"organisation": ""}, []),
        ({"name": ""}, ["name"]),
        ({"about": "", "agrees": False}, ["about", "agrees"]),
        ({"members": []}, ["members"]),
        ({"members": [{"name": "Anna", "email": ""}]}, ["members"]),
    ],
)
def test_empty_fields_of_an_application_are_named(change, missing):
    assert missing_fields({**WHOLE, **change}) == missing


def test_a_team_without_an_application_lacks_all_of_it():
    assert missing_fields({}) == ["name", "about", "email", "members", "agrees"]


def test_a_conclusion_is_kept_as_json_and_read_again():
    found = conclude(["about"], [Passed(0.1, None)], LINES)

    assert conclusion_from_json(json.loads(json.dumps(conclusion_to_json(found)))) == found


@pytest.mark.parametrize(
    ("kinds", "step", "number"),
    [
        ([], Step.JUDGES, 1),
        (["checked"], Step.COMMISSION, 1),
        (["checked", "verified"], Step.ORGANISERS, 1),
        (["checked", "verified", "admitted"], Step.ADMITTED, 1),
        (["returned"], Step.JUDGES, 2),
        (["checked", "returned", "checked"], Step.COMMISSION, 2),
    ],
)
def test_a_team_waits_for_judges_the_commission_and_organisers(kinds, step, number):
    assert (step_after(kinds), round_after(kinds)) == (step, number)
