"""What holds of every board (standings.md)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.core.board import (
    FEWEST_ESSAYS,
    Participant,
    Standing,
    Sureness,
    Unsure,
    board,
    told_ranks,
)
from scoring.core.bootstrap import Bootstrap

ESSAYS = {f"{number:04d}": (70.0, 60.0) for number in range(12)}
values = st.lists(st.floats(0, 100), max_size=3).map(tuple)


@st.composite
def participants(draw):
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6))
    return [
        Participant(
            name,
            draw(st.sampled_from([Standing.RANKED, Standing.RANKED, Standing.ANNULLED])),
            draw(st.dictionaries(st.sampled_from([*ESSAYS]), values, max_size=12)),
        )
        for name in names
    ]


@given(participants(), st.floats(0, 1), st.randoms())
def test_the_order_in_which_participants_come_changes_nothing(people, hardness, random):
    shuffled = random.sample(people, len(people))

    assert board(ESSAYS, shuffled, hardness, None) == board(ESSAYS, people, hardness, None)


@given(participants(), st.floats(0, 1))
def test_those_apart_move_nobody_and_each_stands_once(people, hardness):
    found = board(ESSAYS, people, hardness, None)

    ranked = [each for each in people if each.standing is Standing.RANKED]
    assert board(ESSAYS, ranked, hardness, None).rows == found.rows
    told = [*(row.name for row in found.rows), *(each.name for each in found.apart)]
    assert sorted(told) == sorted(each.name for each in people)


@given(participants())
def test_a_rank_is_one_and_how_many_are_strictly_better(people):
    rows = board(ESSAYS, people, 1, None).rows

    for row in rows:
        assert row.rank == 1 + sum(other.star > row.star for other in rows)


@settings(max_examples=8)
@given(participants(), st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_board_and_a_twin_is_never_told_apart(people, seed):
    twins = [
        *people,
        *(Participant(f"{each.name}'", each.standing, each.accuracy) for each in people),
    ]

    found = board(ESSAYS, twins, 1, Bootstrap(seed))

    assert found == board(ESSAYS, twins, 1, Bootstrap(seed))
    rows = {row.name: row for row in found.rows}
    for name, row in rows.items():
        if not name.endswith("'"):
            twin = rows[f"{name}'"]
            assert (row.sureness.interval, row.sureness.ranks) == (
                twin.sureness.interval,
                twin.sureness.ranks,
            )
            assert twin.name in row.sureness.like
            assert name in twin.sureness.like
            low, high = row.sureness.ranks
            assert 1 <= low <= high <= len(rows)


def test_a_board_says_why_it_does_not_say_how_sure_it_is():
    one = [Participant("a", Standing.RANKED, {"0000": (50.0,)})]
    few = dict([*ESSAYS.items()][: FEWEST_ESSAYS - 1])

    assert board(few, one, 1, Bootstrap()).unsure is Unsure.FEW_ESSAYS
    assert board(ESSAYS, one, 1, None).unsure is Unsure.NO_NUMPY
    assert board(ESSAYS, one, 1, Bootstrap()).unsure is None


@pytest.mark.parametrize(("ranked", "apart", "unsure"), [(1000, 9, None), (1001, 0, "many-ranked")])
def test_up_to_a_thousand_ranked_ones_it_is_said_how_sure_a_board_is(ranked, apart, unsure):
    def sure(_essays, _values, names):
        return [Sureness((0.0, 1.0), (1, 2), ()) for _ in names]

    standings = [Standing.RANKED] * ranked + [Standing.ANNULLED] * apart
    people = [
        Participant(f"{number:04}", standing, {"0000": (number / 20,)})
        for number, standing in enumerate(standings)
    ]

    found = board(ESSAYS, people, 1, sure)

    assert (found.unsure, len(found.rows)) == (unsure, ranked)
    assert {row.sureness is None for row in found.rows} == {unsure is not None}


@pytest.mark.parametrize(("ends", "told"), [((1, 1), "1"), ((2, 3), "2–3"), ((9, 11), "9–11")])
def test_an_interval_of_ranks_is_told_as_one_number_where_it_is_one(ends, told):
    assert told_ranks(*ends) == told
