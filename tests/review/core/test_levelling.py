"""Loads are level whatever the subjects people mark, as far as anybody may have the checks."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from review.core.plan_values import Held, Person, Reason, Rules, Unfilled, Work
from review.core.planning import plan

BOTH = ("first", "second")
ENG, RUS = frozenset({"eng"}), frozenset({"rus"})


def essays(eng, rus, words=100):
    """So many essays of two subjects, of one length."""
    subjects = ["eng"] * eng + ["rus"] * rus
    return [Work(number, subject, words, BOTH) for number, subject in enumerate(subjects)]


def crowd(eng, rus, both):
    """So many people who mark one subject, the other one, or the two."""
    subjects = [ENG] * eng + [RUS] * rus + [ENG | RUS] * both
    return [Person(number, each) for number, each in enumerate(subjects)]


def checks_after(made):
    return [each.checks_after for each in made.loads]


def test_who_marks_two_subjects_leaves_to_others_what_these_can_take():
    made = plan(essays(eng=40, rus=120), crowd(eng=3, rus=7, both=6), Rules())

    assert made.unfilled == ()
    assert (min(checks_after(made)), max(checks_after(made))) == (19, 21)


def test_a_limit_is_passed_by_no_move():
    people = crowd(eng=3, rus=7, both=6)
    people[0] = replace(people[0], limit=5)

    found = checks_after(plan(essays(eng=40, rus=120), people, Rules()))

    assert (found[0], min(found[1:]), max(found[1:])) == (5, 20, 22)


def test_beside_somebody_without_room_the_others_have_what_they_have_without_them():
    works = [replace(each, words=100 + each.id * 37 % 190) for each in essays(eng=0, rus=31)]
    people = crowd(eng=0, rus=9, both=0)
    idle = Person(9, RUS, limit=0)

    assert plan(works, [*people, idle], Rules()).given == plan(works, people, Rules()).given


def test_a_pinned_check_is_moved_to_nobody():
    works = [replace(each, pins=(9,)) for each in essays(eng=0, rus=30)]

    made = plan([*works, *essays(eng=0, rus=0)], crowd(eng=0, rus=10, both=0), Rules())

    assert checks_after(made)[9] == 30


def test_whoever_is_pinned_to_an_essay_gets_no_other_check_of_it_by_a_move():
    people = [
        Person(0, ENG),
        Person(1, ENG, checks=2, words=400),
        Person(2, ENG, checks=1, words=300),
    ]
    first = (Held("first", 1),)
    pinned = Work(0, "eng", 100, ("second",), pins=(0,), movable=first)
    other = Work(1, "eng", 300, (), movable=(*first, Held("second", 2)))

    made = plan([pinned, other], people, Rules(conflicts=frozenset({(0, 1)})))

    assert made.given == ()
    assert made.unfilled == (Unfilled(0, "second", Reason.PINNED, (0,)),)


def test_room_that_moves_have_made_is_used():
    people = [
        Person(0, RUS, checks=2, words=400),
        Person(1, RUS, checks=1, words=100),
        Person(2, RUS),
    ]
    both = Work(0, "rus", 100, (), movable=(Held("first", 1), Held("second", 0)))
    half = Work(1, "rus", 300, ("second",), movable=(Held("first", 0),))

    made = plan([both, half], people, Rules(conflicts=frozenset({(0, 1), (0, 2)})))

    assert made.unfilled == (Unfilled(1, "second", Reason.CONFLICT, (1, 2)),)


def test_what_was_seen_is_not_made_level_anew():
    works, people = essays(eng=40, rus=120), crowd(eng=3, rus=7, both=6)
    seen = plan(works, people, Rules())

    again = plan(works, people, Rules(), seen)

    assert again == seen


@given(st.integers(0, 20), st.integers(0, 20), st.integers(2, 4), st.integers(2, 4))
def test_nobody_has_two_checks_more_than_somebody_who_could_have_one(eng, rus, english, both):
    works, people = essays(eng, rus), crowd(english, 2, both)

    made = plan(works, people, Rules())

    after = {each.person: each.checks_after for each in made.loads}
    subjects = {each.id: each.subject for each in works}
    teams = {}
    for each in made.given:
        teams.setdefault(each.work, set()).add(each.person)
    for each in made.given:
        could = [
            person.id
            for person in people
            if subjects[each.work] in person.subjects and person.id not in teams[each.work]
        ]
        assert after[each.person] - min((after[who] for who in could), default=0) <= 2 or not could
