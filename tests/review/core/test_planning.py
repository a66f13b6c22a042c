from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from review.core.plan_options import Options, Picked
from review.core.plan_values import (
    Given,
    Held,
    Load,
    Person,
    Proposal,
    Reason,
    Rules,
    Work,
    pair,
)
from review.core.planning import plan

BOTH = ("first", "second")
ENG = frozenset({"eng"})


@st.composite
def people(draw, most=6):
    return [
        Person(
            id=number,
            subjects=draw(st.sampled_from([ENG, ENG, frozenset({"rus"}), ENG | {"rus"}])),
            checks=draw(st.integers(0, 2)),
            words=draw(st.integers(0, 300)),
            limit=draw(st.sampled_from([None, 1, 2, 3])),
            school=draw(st.sampled_from(["", "", "A", "B"])),
            is_absent=draw(st.integers(0, 9)) == 0,
            is_out=draw(st.integers(0, 9)) == 0,
        )
        for number in range(1, draw(st.integers(1, most)) + 1)
    ]


@st.composite
def works(draw, count, most=5):
    """Essays with whatever may be known of their checks, for so many people."""
    numbers = st.integers(1, count)
    found = []
    for number in range(1, draw(st.integers(1, most)) + 1):
        known = draw(st.lists(numbers, max_size=3, unique=True))
        kinds = draw(st.lists(st.sampled_from("kmh"), min_size=3, max_size=3))
        kept = [who for who, kind in zip(known[:2], kinds, strict=False) if kind == "k"]
        moved = [who for who, kind in zip(known[:2], kinds, strict=False) if kind == "m"]
        had = {who for who in known if who not in moved}
        roles = [*BOTH]
        for _ in kept:
            roles.pop(0)
        movable = tuple(Held(roles.pop(0), who) for who in moved)
        found.append(
            Work(
                id=number,
                subject=draw(st.sampled_from(["eng", "eng", "rus"])),
                words=draw(st.integers(1, 200)),
                holes=tuple(roles),
                holders=tuple(kept),
                had=frozenset(had),
                pins=tuple(draw(st.lists(numbers, max_size=draw(st.integers(0, 1)), unique=True))),
                movable=movable,
            )
        )
    return found


@st.composite
def rules(draw, count, named=True):
    pairs = st.tuples(st.integers(1, count), st.integers(1, count))
    conflicts = {pair(*each) for each in draw(st.sets(pairs, max_size=3)) if each[0] != each[1]}
    return Rules(
        limit=draw(st.sampled_from([None, None, 2, 4])),
        kept=draw(st.integers(0, 1)),
        keeps_schools_apart=draw(st.booleans()),
        conflicts=frozenset(conflicts) if named else frozenset(),
    )


@st.composite
def worlds(draw, named=True, most=6):
    """Essays, people whose open checks count those that may be moved, and rules."""
    crowd = draw(people(most))
    essays = draw(works(len(crowd), most - 1))
    held = [(each.person, work.words) for work in essays for each in work.movable]
    crowd = [
        replace(
            one,
            checks=one.checks + sum(person == one.id for person, _ in held),
            words=one.words + sum(words for person, words in held if person == one.id),
        )
        for one in crowd
    ]
    return essays, crowd, draw(rules(len(crowd), named))


def at_odds(one, other, by):
    is_school = by.keeps_schools_apart and one.school and one.school == other.school
    return bool(is_school) or pair(one.id, other.id) in by.conflicts


def room_of(person, by):
    limits = [each for each in (person.limit, by.limit) if each is not None]
    return max(0, min(limits) - by.kept) if limits else None


def teams(essays, made):
    """Who checks each essay in the end."""
    found = {each.id: [*each.holders, *(held.person for held in each.movable)] for each in essays}
    for each in made.taken:
        found[each.work].remove(each.person)
    for each in made.given:
        found[each.work].append(each.person)
    return found


@given(worlds())
def test_nobody_gets_what_is_not_for_them(world):
    essays, crowd, by = world
    made, known = plan(*world), {each.id: each for each in crowd}
    essay = {each.id: each for each in essays}

    for each in made.given:
        person, work = known[each.person], essay[each.work]
        assert work.subject in person.subjects
        assert not person.is_absent
        assert not person.is_out
        assert person.id not in work.had
    for number, team in teams(essays, made).items():
        assert len(set(team)) == len(team)
        new = [each.person for each in made.given if each.work == number]
        assert not any(
            at_odds(known[one], known[other], by) for one in new for other in team if one != other
        )


@given(worlds())
def test_no_limit_is_passed(world):
    _essays, crowd, by = world
    made, known = plan(*world), {each.id: each for each in crowd}

    for load in made.loads:
        room = room_of(known[load.person], by)
        assert room is None or load.checks_after <= max(room, load.checks)


@given(worlds())
def test_each_check_is_given_or_named_and_the_loads_add_up(world):
    essays, _crowd, _by = world
    made = plan(*world)
    holes = Counter((each.id, role) for each in essays for role in each.holes)
    taken = Counter((each.work, each.role) for each in made.taken)
    outcome = Counter((each.work, each.role) for each in (*made.given, *made.unfilled))
    words = {each.id: each.words for each in essays}

    assert outcome == holes + taken
    assert [load.checks_after - load.checks for load in made.loads] == [
        sum(each.person == load.person for each in made.given)
        - sum(each.person == load.person for each in made.taken)
        for load in made.loads
    ]
    assert [load.words_after - load.words for load in made.loads] == [
        sum(words[each.work] for each in made.given if each.person == load.person)
        - sum(words[each.work] for each in made.taken if each.person == load.person)
        for load in made.loads
    ]


@given(worlds())
def test_only_what_may_be_moved_is_taken_and_what_is_pinned_stays(world):
    essays, _crowd, _by = world
    made = plan(*world)
    movable = {(each.id, held.role, held.person) for each in essays for held in each.movable}

    assert {(each.work, each.role, each.person) for each in made.taken} <= movable
    for work in essays:
        for who in work.pins:
            is_taken = any((each.work, each.person) == (work.id, who) for each in made.taken)
            waits = [each for each in made.unfilled if each.work == work.id]
            assert not is_taken or any(who in each.people for each in waits)
            holds = who in teams(essays, made)[work.id]
            has_place = work.holes or work.movable
            told = any(each.reason is Reason.PINNED and who in each.people for each in waits)
            assert holds or told or not has_place or not work.holes


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_what_is_given_changes_nothing(world, draw):
    essays, crowd, by = world
    shuffled = [draw.sample(each, len(each)) for each in (essays, crowd)]

    assert plan(*shuffled, by) == plan(*world)


@given(worlds(named=False))
def test_a_plan_made_again_from_itself_is_the_same(world):
    made = plan(*world)

    again = plan(*world, former=made)

    assert (again.given, again.taken, again.unfilled) == (made.given, made.taken, made.unfilled)


@given(worlds())
def test_no_check_is_left_that_somebody_could_take(world):
    essays, crowd, by = world
    made, known = plan(*world), {each.id: each for each in crowd}
    after = {load.person: load.checks_after for load in made.loads}
    essay, team = {each.id: each for each in essays}, teams(essays, made)

    for each in made.unfilled:
        if each.reason is Reason.PINNED:
            continue
        work = essay[each.work]
        assert not [
            person.id
            for person in crowd
            if work.subject in person.subjects
            and not (person.is_absent or person.is_out)
            and person.id not in work.had
            and person.id not in team[work.id]
            and not any(at_odds(person, known[other], by) for other in team[work.id])
            and (room_of(person, by) is None or after[person.id] < room_of(person, by))
        ]


def best(essays, crowd, by):
    """How many checks can be given at most, by trying everything."""
    known = {each.id: each for each in crowd}
    slots = [(each, role) for each in essays for role in each.holes]

    def fits(person, work, team, load):
        room = room_of(person, by)
        return (
            work.subject in person.subjects
            and not (person.is_absent or person.is_out)
            and person.id not in work.had
            and person.id not in team
            and (room is None or load[person.id] < room)
            and not any(at_odds(person, known[other], by) for other in team)
        )

    def tried(at, teams, load):
        if at == len(slots):
            return 0
        work, _role = slots[at]
        most = tried(at + 1, teams, load)
        for person in crowd:
            if fits(person, work, teams[work.id], load):
                with_it = {**teams, work.id: [*teams[work.id], person.id]}
                more = 1 + tried(at + 1, with_it, load | {person.id: load[person.id] + 1})
                most = max(most, more)
                if most == len(slots) - at:
                    break
        return most

    return tried(0, {each.id: [*each.holders] for each in essays}, {p.id: p.checks for p in crowd})


@given(worlds(named=False, most=4))
def test_no_plan_fills_more_where_schools_are_kept_apart(world):
    essays, crowd, by = world
    essays = [replace(each, pins=(), movable=()) for each in essays]

    assert len(plan(essays, crowd, by).given) == best(essays, crowd, by)


@given(st.lists(st.integers(1, 500), min_size=1, max_size=40), st.integers(2, 7))
def test_words_are_shared_within_the_longest_essay(lengths, count):
    crowd = [Person(id=number, subjects=ENG) for number in range(count)]
    essays = [Work(at, "eng", words, BOTH) for at, words in enumerate(lengths)]

    loads = [each.words_after for each in plan(essays, crowd, Rules()).loads]

    assert max(loads) - min(loads) <= max(lengths)


def test_two_experts_check_an_essay_and_different_pairs_meet():
    crowd = [Person(number, ENG) for number in range(6)]
    essays = [Work(number, "eng", 100, BOTH) for number in range(15)]

    made = plan(essays, crowd, Rules())

    met = Counter(pair(*team) for team in teams(essays, made).values())
    assert (len(made.given), made.unfilled, made.thirdless) == (30, (), ())
    assert len(met) >= 10  # of 15 pairs there are


def one(**fields):
    return Work(**{"id": 1, "subject": "eng", "words": 100, "holes": BOTH} | fields)


def test_whoever_is_pinned_gets_a_check_nobody_began_of_the_one_with_more():
    ann, bob, eve = Person(1, ENG, checks=1, words=100), Person(2, ENG, 2, 200), Person(3, ENG)
    held = one(holes=(), movable=(Held("first", 1), Held("second", 2)), pins=(3,))

    made = plan([held], [ann, bob, eve], Rules())

    assert made.given == (Given(held.id, "second", 3, is_pinned=True),)
    assert [(each.role, each.person) for each in made.taken] == [("second", 2)]
    settled = replace(held, movable=(Held("first", 1), Held("second", 3)))
    assert plan([settled], [ann, bob, replace(eve, checks=1, words=100)], Rules()).taken == ()


def reasons(essays, crowd, by=Rules()):  # noqa: B008 - a frozen value
    return [(each.role, each.reason, each.people) for each in plan(essays, crowd, by).unfilled]


def test_a_check_nobody_gets_has_a_reason_and_its_people():
    ann, bob = Person(1, ENG), Person(2, ENG)
    second = one(holes=("second",), holders=(1,), had=frozenset({1}))

    assert reasons([one()], [Person(1, frozenset({"rus"}))])[0] == ("first", Reason.INCOMPETENT, ())
    assert reasons([second], [ann, replace(bob, is_absent=True)]) == [
        ("second", Reason.ABSENT, (2,))
    ]
    assert reasons([second], [ann]) == [("second", Reason.HAD, (1,))]
    assert reasons([second], [replace(bob, is_absent=True)]) == [("second", Reason.ABSENT, (2,))]
    assert reasons([second], [replace(bob, is_out=True)]) == [("second", Reason.OUT, (2,))]
    apart = Rules(conflicts=frozenset({(1, 2)}))
    assert reasons([second], [ann, bob], apart) == [("second", Reason.CONFLICT, (2,))]
    assert reasons([second], [ann, replace(bob, checks=3, limit=3)]) == [
        ("second", Reason.LIMITS, (2,))
    ]
    assert reasons([replace(second, pins=(2,))], [ann, replace(bob, is_out=True)]) == [
        ("second", Reason.PINNED, (2,))
    ]


def test_of_one_school_only_one_checks_an_essay_unless_the_rules_allow_it():
    crowd = [Person(1, ENG, school="A"), Person(2, ENG, school="A")]

    assert reasons([one()], crowd) == [("second", Reason.CONFLICT, (2,))]
    assert reasons([one()], crowd, Rules(keeps_schools_apart=False)) == []


def test_somebody_is_left_for_a_third_check_where_that_is_possible():
    crowd = [
        Person(1, ENG, school="A"),
        Person(2, ENG, words=50),
        Person(3, ENG, words=60, school="A"),
        Person(4, ENG, words=99),
    ]
    by = Rules(conflicts=frozenset({(1, 2)}))

    made = plan([one()], crowd, by)
    short = plan([one()], crowd[1:3], by)

    assert ([each.person for each in made.given], made.thirdless) == ([2, 3], ())
    assert (len(short.given), short.thirdless) == (2, (1,))


def test_seats_are_kept_for_third_checks():
    crowd = [Person(number, ENG, limit=2) for number in (1, 2)]
    essays = [one(), one(id=2)]

    made = plan(essays, crowd, Rules(kept=1))

    assert [each.work for each in made.given] == [1, 1]


def test_room_is_made_by_exchanges():
    both, english = ENG | {"rus"}, Person(2, ENG, limit=1)
    crowd = [Person(1, both, limit=1), english]
    essays = [one(holes=("first",)), one(id=2, subject="rus", holes=("first",), words=5)]
    essays[1] = replace(essays[1], had=frozenset())
    crowd.append(Person(3, frozenset({"rus"}), limit=0))

    made = plan(essays, crowd, Rules())

    assert made.given == (Given(1, "first", 2), Given(2, "first", 1))


def test_a_plan_for_nothing_is_empty():
    assert plan([], [], Rules()) == Proposal()
    assert plan([], [Person(1, ENG)], Rules()) == Proposal(loads=(Load(1, 0, 0, 0, 0),))


def test_what_a_plan_was_asked_for_is_read_as_it_was_kept_and_less_has_its_defaults():
    picked = Picked(state="late", expert=4, words="sea", ticked=(1, 2))
    asked = Options(limit=2, adjusts=True, out=(3, 5), picked=picked)

    assert Options.from_json(json.loads(json.dumps(asked.to_json()))) == asked
    assert Options.from_json({}) == Options()
