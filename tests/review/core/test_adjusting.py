from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given

from review.core.plan_values import Given, Held, Person, Reason, Rules, Taken, Unfilled, Work
from review.core.planning import plan
from tests.review.core.test_planning import worlds

BOTH = ("first", "second")
ENG = frozenset({"eng"})


def test_a_check_is_not_taken_from_its_expert_for_one_who_cannot_have_it():
    crowd = [
        Person(1, ENG),
        Person(2, ENG, is_absent=True),
        Person(3, ENG, words=300, checks=1),
    ]
    held = Work(1, "eng", 50, (), holders=(1,), had=frozenset({1}), pins=(2,))
    held = replace(held, movable=(Held("second", 3),))

    made = plan([held], crowd, Rules(keeps_schools_apart=False))

    assert (made.given, made.taken, made.unfilled) == ((), (), ())


def test_a_check_stays_with_its_expert_rather_than_going_to_nobody_for_the_sake_of_another():
    crowd = [Person(1, ENG), Person(2, ENG, checks=1, words=4, limit=1)]
    held = Work(1, "eng", 1, (), (1,), frozenset({1}), movable=(Held("second", 2),))
    longer = Work(2, "eng", 2, ("second",), (1,), frozenset({1}))

    made = plan([held, longer], crowd, Rules(keeps_schools_apart=False))

    assert (made.given, made.taken) == ((), ())
    assert made.unfilled == (Unfilled(2, "second", Reason.LIMITS, (2,)),)


def test_of_a_former_plan_only_what_cannot_stay_changes():
    crowd = [Person(number, ENG, school=str(number)) for number in range(6)]
    essays = [Work(number, "eng", 90 + number, BOTH) for number in range(20)]
    made = plan(essays, crowd, Rules())

    short = plan(essays[1:], [replace(crowd[0], is_out=True), *crowd[1:]], Rules(), former=made)

    stays = {each for each in made.given if each.work != 0 and each.person != 0}
    assert stays < set(short.given)
    assert len(short.given) == 38


def test_an_adjustment_moves_what_its_people_cannot_keep_and_what_is_too_much():
    kept = Held("first", 1)
    crowd = [Person(1, ENG, checks=1, words=100), Person(2, ENG), Person(3, ENG)]
    essay = Work(1, "eng", 100, (), holders=(3,), had=frozenset({3}), movable=(kept,))

    stays = plan([essay], crowd, Rules())
    moves = plan([essay], [replace(crowd[0], is_out=True), *crowd[1:]], Rules())
    stuck = plan([essay], [replace(crowd[0], is_out=True), crowd[2]], Rules())
    busy = plan([essay], [replace(crowd[0], checks=9, words=900), *crowd[1:]], Rules())

    assert (stays.given, stays.taken) == ((), ())
    for each in (moves, busy):
        assert (each.given, each.taken) == ((Given(1, "first", 2),), (Taken(1, "first", 1),))
    assert (stuck.given, stuck.taken) == ((), (Taken(1, "first", 1),))
    assert stuck.unfilled == (Unfilled(1, "first", Reason.OUT, (1,)),)


def carried_out(essays, crowd, made):
    """Essays and people as they are once a plan was carried out: what it gave may be moved again,
    unless it is whom a pin names that has it.
    """
    has = {(work.id, held.role): held.person for work in essays for held in work.movable}
    for each in made.taken:
        del has[each.work, each.role]
    has |= {(each.work, each.role): each.person for each in made.given}
    loads = {each.person: each for each in made.loads}
    people = [
        replace(each, checks=loads[each.id].checks_after, words=loads[each.id].words_after)
        for each in crowd
    ]
    return [
        _with_checks(work, {r: p for (w, r), p in has.items() if w == work.id}) for work in essays
    ], people


def _with_checks(work, has):
    pinned = [person for person in has.values() if person in work.pins]
    roles = {*work.holes, *(held.role for held in work.movable)}
    return replace(
        work,
        holes=tuple(sorted(roles - has.keys())),
        holders=(*work.holders, *pinned),
        had=work.had | {*pinned},
        movable=tuple(Held(role, who) for role, who in has.items() if who not in work.pins),
    )


@pytest.mark.parametrize("seed", range(6))
def test_what_was_adjusted_is_adjusted_once(seed):
    draw = random.Random(seed)
    subjects = ("eng", "rus", "lit")
    crowd = [
        Person(
            number,
            frozenset(draw.sample(subjects, draw.choice([1, 1, 2]))),
            limit=draw.choice([None, None, 60]),
            school=str(draw.randint(0, 6)),
        )
        for number in range(12)
    ]
    essays = [
        Work(number, draw.choice(subjects), draw.randint(80, 500), BOTH) for number in range(200)
    ]
    for subject in subjects:  # one after another, so that who marks two has more than others
        own = [each for each in essays if each.subject == subject]
        others = [each for each in essays if each.subject != subject]
        own, crowd = carried_out(own, crowd, plan(own, crowd, Rules()))
        essays = [*others, *own]

    moved = []
    for _time in range(4):
        made = plan(essays, crowd, Rules())
        moved.append(len(made.taken))
        essays, crowd = carried_out(essays, crowd, made)

    assert moved[1:] == [0, 0, 0]


@given(worlds())
def test_a_plan_that_was_carried_out_changes_nothing_when_it_is_made_again(world):
    essays, crowd, by = world

    again = plan(*carried_out(essays, crowd, plan(*world)), by)

    assert (again.given, again.taken) == ((), ())


def test_a_check_changes_hands_for_more_than_its_own_words_alone():
    crowd = [Person(1, ENG, checks=2, words=300), Person(2, ENG, words=101), Person(3, ENG)]
    held = Work(1, "eng", 100, (), (3,), frozenset({3}), movable=(Held("first", 1),))

    stays = plan([held], crowd, Rules())
    goes = plan([held], [crowd[0], replace(crowd[1], words=100), crowd[2]], Rules())

    assert stays.given == ()
    assert goes.given == (Given(1, "first", 2),)
