from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from accounts.models import AuditEntry
from annotator.models import EssaySet, RuleSet
from annotator.services.gates import takes_checks
from annotator.services.set_acts import (
    bring_into,
    delete_set,
    describe_set,
    found_essay_set,
    keep_back,
    publish,
    rule_anew,
)
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor():
    return PersonFactory(role="coordinator")


def trail():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "details"))


def now():
    EssaySetFactory()
    return EssaySet.objects.values_list(Now(), flat=True)[0]


def new_set(**fields):
    rules = RuleSet.objects.filter(name="R").first() or RuleSetFactory(name="R")
    return EssaySet(name="Finals", rules=rules, **fields)


def test_a_set_is_made_once_and_begins_in_preparation(actor):
    made = [found_essay_set(essay_set=new_set(), actor=actor) for _ in range(2)]

    (stored,) = EssaySet.objects.all()
    assert (made, stored.state, trail()) == (
        [stored, stored],
        "preparing",
        [("set.made", {"rules": "R 1"})],
    )


def test_a_name_belongs_to_one_set(actor):
    found_essay_set(essay_set=new_set(), actor=actor)

    with pytest.raises(Refused, match="There is a set “Finals” already"):
        found_essay_set(essay_set=new_set(guidelines="Other."), actor=actor)


def test_what_is_said_of_a_set_changes_once_with_the_old_and_the_new(actor):
    essay_set = EssaySetFactory(name="Old")
    values = {"name": "New", "guidelines": "Mark all.", "access": "closed"}

    done = [describe_set(essay_set=essay_set, seen=0, actor=actor, values=values) for _ in range(2)]

    essay_set.refresh_from_db()
    assert (done, essay_set.name, essay_set.guidelines) == ([True, False], "New", "Mark all.")
    before, after = {"name": "Old", "guidelines": ""}, {"name": "New", "guidelines": "Mark all."}
    assert trail() == [("set.changed", {"before": before, "after": after})]


def test_of_two_coordinators_at_once_the_second_is_told(actor):
    essay_set = EssaySetFactory()
    describe_set(essay_set=essay_set, seen=0, actor=actor, values={"name": "One"})

    with pytest.raises(Conflict, match="Somebody changed the set meanwhile"):
        describe_set(essay_set=essay_set, seen=0, actor=actor, values={"name": "Two"})

    assert EssaySet.objects.get().name == "One"


def test_a_set_does_not_take_the_name_of_another(actor):
    EssaySetFactory(name="Taken")
    essay_set = EssaySetFactory(name="Mine")

    with pytest.raises(Refused, match="There is a set “Taken” already"):
        describe_set(essay_set=essay_set, seen=0, actor=actor, values={"name": "Taken"})


@pytest.mark.parametrize("name", ["FINALS", "Финал"])
def test_a_name_that_differs_in_capitals_alone_is_refused(actor, name):
    taken = EssaySetFactory(name="Finals" if name == "FINALS" else "ФИНАЛ")
    other, alike = EssaySetFactory(name="May"), new_set()
    alike.name = name
    said = f"There is a set “{taken.name}” already, whose name differs from “{name}”"

    with pytest.raises(Refused, match=said):
        found_essay_set(essay_set=alike, actor=actor)
    with pytest.raises(Refused, match=said):
        describe_set(essay_set=other, seen=0, actor=actor, values={"name": name})

    assert describe_set(essay_set=taken, seen=0, actor=actor, values={"name": name})
    assert EssaySet.objects.filter(name=name).get() == taken


def test_rules_stay_once_markups_were_handed_in_under_them(actor):
    essay_set = EssaySetFactory(rules__name="Old")
    other = RuleSetFactory()
    submitted(EssayFactory(essay_set=essay_set))

    with pytest.raises(Refused, match="handed in under Old 1"):
        describe_set(essay_set=essay_set, seen=0, actor=actor, values={"rules": other})


def test_a_set_goes_through_its_states_and_keeps_when(actor):
    essay_set = EssaySetFactory(state="preparing")
    states = ["open", "closed", "archived", "closed", "open"]

    done = [
        bring_into(essay_set=essay_set, state=state, seen=seen, actor=actor)
        for seen, state in enumerate(states)
    ]

    essay_set.refresh_from_db()
    moments = (essay_set.opened_at, essay_set.closed_at, essay_set.archived_at)
    assert (done, essay_set.state, None in moments) == ([True] * 5, "open", False)
    steps = zip(["preparing", *states], states, strict=False)
    assert trail() == [("set.state", {"before": old, "after": new}) for old, new in steps]


def test_what_is_so_already_is_done_once(actor):
    essay_set = EssaySetFactory(state="preparing")

    done = [bring_into(essay_set=essay_set, state="open", seen=0, actor=actor) for _ in range(2)]

    assert (done, len(trail())) == ([True, False], 1)


def test_a_state_nobody_has_seen_is_not_left(actor):
    essay_set = EssaySetFactory(state="preparing")
    bring_into(essay_set=essay_set, state="open", seen=0, actor=actor)

    with pytest.raises(Conflict):
        bring_into(essay_set=essay_set, state="closed", seen=0, actor=actor)


@pytest.mark.parametrize(
    ("state", "wanted"),
    [("preparing", "closed"), ("open", "archived"), ("open", "preparing"), ("archived", "open")],
)
def test_no_step_is_left_out_and_nothing_is_prepared_again(actor, state, wanted):
    essay_set = EssaySetFactory(state=state)

    with pytest.raises(Refused, match="cannot become"):
        bring_into(essay_set=essay_set, state=wanted, seen=0, actor=actor)


def test_a_set_with_checks_in_work_is_not_archived(actor):
    essay_set = EssaySetFactory(state="closed")
    AssignmentFactory(essay__essay_set=essay_set)

    with pytest.raises(Refused, match="not submitted: 1"):
        bring_into(essay_set=essay_set, state="archived", seen=0, actor=actor)


def test_finals_are_published_once_by_the_clock_of_the_database(actor, web_clock):
    essay_set = EssaySetFactory(access="final")
    before = now()
    web_clock(-7200)

    done = [publish(essay_set=essay_set, at=None, seen=0, actor=actor) for _ in range(2)]

    essay_set.refresh_from_db()
    assert (done, before <= essay_set.published_at <= now()) == ([True, False], True)
    ((action, details),) = trail()
    told = {"before": None, "at": essay_set.published_at.isoformat()}
    assert (action, details) == ("set.published", told)


def test_a_moment_to_come_may_be_moved_and_one_that_came_may_not(actor):
    essay_set = EssaySetFactory(access="final")
    tomorrow, later = now() + timedelta(days=1), now() + timedelta(days=2)

    done = [
        publish(essay_set=essay_set, at=tomorrow, seen=0, actor=actor),
        publish(essay_set=essay_set, at=tomorrow, seen=0, actor=actor),
        publish(essay_set=essay_set, at=later, seen=1, actor=actor),
        publish(essay_set=essay_set, at=None, seen=2, actor=actor),
        publish(essay_set=essay_set, at=later, seen=3, actor=actor),
    ]

    essay_set.refresh_from_db()
    assert (done, essay_set.published_at < tomorrow) == ([True, False, True, True, False], True)


def test_a_moment_to_come_is_taken_back_and_nothing_is_published_then(actor):
    essay_set = EssaySetFactory(access="final")
    tomorrow = now() + timedelta(days=1)
    publish(essay_set=essay_set, at=tomorrow, seen=0, actor=actor)

    with pytest.raises(Conflict, match="changed the set meanwhile"):
        keep_back(essay_set=essay_set, seen=0, actor=actor)
    done = [keep_back(essay_set=essay_set, seen=1, actor=actor) for _ in range(2)]

    essay_set.refresh_from_db()
    assert (done, essay_set.published_at) == ([True, False], None)
    assert trail()[-1] == ("set.kept_back", {"before": tomorrow.isoformat()})


def test_a_set_that_is_none_of_finals_any_more_is_not_published_then(actor):
    essay_set = EssaySetFactory(access="final")
    tomorrow = now() + timedelta(days=1)
    publish(essay_set=essay_set, at=tomorrow, seen=0, actor=actor)

    describe_set(essay_set=essay_set, seen=1, actor=actor, values={"access": "closed"})
    describe_set(essay_set=essay_set, seen=2, actor=actor, values={"access": "final"})

    essay_set.refresh_from_db()
    assert essay_set.published_at is None
    before = {"access": "final", "published_at": tomorrow.isoformat()}
    after = {"access": "closed", "published_at": None}
    assert trail()[1] == ("set.changed", {"before": before, "after": after})


def test_what_was_published_stays_so_whatever_the_set_is_then(actor):
    essay_set = EssaySetFactory(access="final")
    publish(essay_set=essay_set, at=None, seen=0, actor=actor)

    describe_set(essay_set=essay_set, seen=1, actor=actor, values={"access": "open"})

    essay_set.refresh_from_db()
    assert essay_set.published_at is not None


def test_what_was_published_is_not_taken_back(actor):
    essay_set = EssaySetFactory(access="final")
    publish(essay_set=essay_set, at=None, seen=0, actor=actor)

    with pytest.raises(Refused, match="is published by now, and stays so"):
        keep_back(essay_set=essay_set, seen=1, actor=actor)


@pytest.mark.parametrize(
    ("fields", "days", "reason"),
    [
        ({"access": "closed"}, None, "Only finals are published"),
        ({"access": "final", "state": "preparing"}, None, "being prepared"),
        ({"access": "final"}, -1, "That moment is past"),
    ],
)
def test_nothing_else_is_published(actor, fields, days, reason):
    essay_set = EssaySetFactory(**fields)
    at = now() + timedelta(days=days) if days else None

    with pytest.raises(Refused, match=reason):
        publish(essay_set=essay_set, at=at, seen=0, actor=actor)


def test_only_an_empty_set_is_deleted(actor):
    empty, full = EssaySetFactory(name="Empty"), EssayFactory().essay_set

    delete_set(essay_set=empty, actor=actor)
    with pytest.raises(Refused, match="holds essays"):
        delete_set(essay_set=full, actor=actor)

    assert (list(EssaySet.objects.all()), trail()) == ([full], [("set.deleted", {"name": "Empty"})])


def test_rules_get_a_next_version_once_and_the_set_takes_it(actor):
    essay_set = EssaySetFactory(rules__name="R")
    former = RuleSet.objects.values().get()

    made = [
        rule_anew(essay_set=essay_set, newest=1, seen=0, actor=actor, values={"hardness": 0.5})
        for _ in range(2)
    ]

    second = RuleSet.objects.get(version=2)
    essay_set.refresh_from_db()
    assert (made, essay_set.rules) == ([second, second], second)
    changed = {"id": second.pk, "version": 2, "hardness": 0.5, "created_at": second.created_at}
    assert RuleSet.objects.values().get(pk=second.pk) == {**former, **changed}
    assert RuleSet.objects.values().get(version=1) == former


def test_a_set_that_was_marked_keeps_its_rules(actor):
    essay_set = EssaySetFactory(rules__name="R")
    submitted(EssayFactory(essay_set=essay_set))

    rule_anew(essay_set=essay_set, newest=1, seen=0, actor=actor, values={"w1": 2})

    essay_set.refresh_from_db()
    assert (str(essay_set.rules), RuleSet.objects.count()) == ("R 1", 2)


def test_of_two_next_versions_the_second_is_told(actor):
    essay_set = EssaySetFactory(rules__name="R")
    rule_anew(essay_set=essay_set, newest=1, seen=0, actor=actor, values={"w1": 2})

    with pytest.raises(Conflict, match="Somebody made version 2"):
        rule_anew(essay_set=essay_set, newest=1, seen=0, actor=actor, values={"w1": 3})


@pytest.mark.parametrize("newest", [2, 7, 32767, 2**31, 10**30])
def test_a_version_that_nobody_made_was_not_seen(essay_set, actor, newest):
    with pytest.raises(Conflict):
        rule_anew(essay_set=essay_set, newest=newest, seen=0, actor=actor, values={"w1": 3})

    assert not RuleSet.objects.filter(name=essay_set.rules.name, version__gt=1).exists()


def test_the_same_rules_are_no_version(actor):
    essay_set = EssaySetFactory(rules__name="R")

    with pytest.raises(Refused, match="Nothing is different from R 1"):
        rule_anew(essay_set=essay_set, newest=1, seen=0, actor=actor, values={"w1": 0})


@pytest.mark.parametrize(
    ("state", "taken"),
    [("preparing", False), ("open", True), ("closed", False), ("archived", False)],
)
def test_checks_are_given_in_an_open_set_alone(state, taken):
    assert takes_checks(EssayFactory(essay_set__state=state)) is taken
