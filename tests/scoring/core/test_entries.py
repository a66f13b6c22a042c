from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scoring.core.entries import (
    Annulment,
    EntryState,
    Field,
    Solution,
    field_of,
    is_enough,
    placed,
    set_apart,
)

START = datetime(2026, 5, 1, tzinfo=UTC)
ESSAYS = frozenset(range(40))
SECOND = timedelta(seconds=1)


def solution(origin="", after=0, essays=ESSAYS, participant=1, **fields):
    at = START + after * SECOND
    return Solution(participant, origin, at, frozenset(essays), **fields)


def states(*solutions):
    return {each.origin: each.state.value for each in placed(solutions, ESSAYS)}


def test_of_a_participant_the_last_solution_over_the_whole_set_stands():
    part = solution("session-3", 3, range(39))

    assert states(solution("session-1", 1), solution("session-2", 2), part) == {
        "session-1": "former",
        "session-2": "ranked",
        "session-3": "former",
    }


def test_free_answers_are_a_solution_of_their_own_and_count_when_they_came_last():
    assert states(solution("session-1", 1), solution("", 2)) == {
        "session-1": "former",
        "": "ranked",
    }
    assert states(solution("session-1", 2), solution("", 1)) == {
        "session-1": "ranked",
        "": "former",
    }


@pytest.mark.parametrize(("missing", "stands"), [(2, ""), (3, "session-1")])
def test_free_answers_stand_beside_a_session_while_few_are_missing(missing, stands):
    free = solution("", 2, range(40 - missing))

    found = placed([solution("session-1", 1), free], ESSAYS)

    assert [each.origin for each in found if each.state is EntryState.RANKED] == [stands]


def test_a_session_over_a_part_has_no_rank_and_too_few_free_answers_wait_for_their_count():
    assert states(solution("session-1", essays=range(39))) == {"session-1": "part"}
    assert states(solution("", essays=range(10))) == {"": "ranked"}


def test_an_annulled_last_solution_keeps_its_reason_and_the_former_does_not_come_back():
    annulled = solution("session-2", 2, state=EntryState.ANNULLED, reason="3 / 40")

    found = placed([solution("session-1", 1), annulled], ESSAYS)

    assert [(each.state.value, each.reason) for each in found] == [
        ("former", ""),
        ("annulled", "3 / 40"),
    ]


def test_what_does_not_stand_is_set_apart_with_why():
    solutions = [solution("session-1"), solution("session-2"), solution(), solution(participant=2)]
    annulments = {
        (1, "session-1"): Annulment(3, 40),
        (1, "session-2"): Annulment(0, 40, "Marked by hand"),
        (1, ""): Annulment(0, 0, "A second team", is_excluded=True),
    }

    found = set_apart(solutions, annulments)

    assert [(each.state.value, each.reason) for each in found] == [
        ("annulled", "3 / 40"),
        ("annulled", "Marked by hand"),
        ("excluded", "A second team"),
        ("ranked", ""),
    ]


def test_participants_do_not_touch_each_other():
    found = placed([solution(participant=2), solution("session-1", participant=1)], ESSAYS)

    assert [(each.participant, each.state.value) for each in found] == [
        (1, "ranked"),
        (2, "ranked"),
    ]


@pytest.mark.parametrize(
    ("counted", "essays", "enough"),
    [(95, 100, True), (94, 100, False), (19, 20, True), (18, 19, False), (0, 0, True)],
)
def test_a_twentieth_may_be_missing_and_no_more(counted, essays, enough):
    assert is_enough(counted, essays) is enough


def test_what_several_know_is_told_together():
    one, other = solution("session-1"), solution("session-2")
    limited = Field(frozenset({1, 2}), (other,), ("session-3",))

    found = field_of([Field(None, (one,)), limited, Field(None, ())])

    assert found == Field(frozenset({1, 2}), (one, other), ("session-3",))
    assert field_of([]) == Field(None, ())
