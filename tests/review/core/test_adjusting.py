from __future__ import annotations

from dataclasses import replace

from review.core.plan_values import Given, Held, Person, Reason, Rules, Taken, Unfilled, Work
from review.core.planning import plan

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
