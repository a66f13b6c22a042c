"""What an act on many checks took is not given back where that would be against a rule by now."""

from __future__ import annotations

import uuid

import pytest

from accounts.services.people import set_active
from annotator.models import Assignment, Essay
from annotator.services.versions import replace_essay
from review.models import Note
from review.models.acts import BulkAct
from review.services.acts import Wish, carry_out, plan_of, undo
from review.services.expert_terms import keep_apart
from review.services.notes import write_note
from tests.factories import TEXT, AssignmentFactory, DraftFactory, EssayFactory, PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

WITHDRAW, HAND_OVER = BulkAct.Kind.WITHDRAW, BulkAct.Kind.HAND_OVER
State = Assignment.State


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


def act_on(essay, actor, **wanted):
    wish = Wish(essays=Essay.objects.filter(pk=essay.pk), **wanted)
    return carry_out(key=uuid.uuid4(), wish=wish, actor=actor, digest=plan_of(wish).digest)


def state_of(check):
    return Assignment.objects.values_list("state", flat=True).get(pk=check.pk)


def told(client, act):
    """What the page of an act says it would leave, and what it says it left once it is undone."""
    before = client.get(f"/desk/acts/{act.key}/")
    after = client.post(f"/desk/acts/{act.key}/undo/", follow=True)
    return [(page.status_code, texts_of(page, "#left li")) for page in (before, after)]


def test_a_check_of_a_version_that_was_replaced_stays_away(coordinator, log_in):
    check = AssignmentFactory()
    act = act_on(check.essay, coordinator, kind=WITHDRAW)
    replace_essay(essay=check.essay, text=f"{TEXT}!", reason="A sign", actor=coordinator)

    said = told(log_in(coordinator), act)

    assert said == [(200, ["the essay has a new version since (1)"])] * 2
    assert state_of(check) == State.WITHDRAWN


def test_what_was_handed_over_moved_to_the_new_version_and_stays_there(coordinator):
    check, zoe = AssignmentFactory(), PersonFactory()
    act = act_on(check.essay, coordinator, kind=HAND_OVER, expert=zoe)
    replace_essay(essay=check.essay, text=f"{TEXT}!", reason="A sign", actor=coordinator)

    undone = undo(act=act, actor=coordinator)

    assert (undone.restored, zoe.assignments.get().state) == (0, State.WAITING)
    assert state_of(check) == State.WITHDRAWN


@pytest.mark.parametrize("role", ["second", "third"])
def test_nobody_gets_a_check_back_beside_another_one_of_the_essay(coordinator, log_in, role):
    check = AssignmentFactory()
    act = act_on(check.essay, coordinator, kind=WITHDRAW)
    AssignmentFactory(essay=check.essay, role=role, expert=check.expert)

    said = told(log_in(coordinator), act)

    assert said == [(200, ["the expert has another check of the essay by now (1)"])] * 2
    assert state_of(check) == State.WITHDRAWN


def test_what_its_expert_has_handed_back_since_is_another_check_too(coordinator):
    check = AssignmentFactory(state="working")
    DraftFactory(assignment=check)
    act = act_on(check.essay, coordinator, kind=WITHDRAW)
    AssignmentFactory(essay=check.essay, role="second", expert=check.expert, state="returned")

    assert undo(act=act, actor=coordinator).restored == 0


def test_nobody_gets_a_check_back_beside_whom_they_are_kept_apart_from(coordinator, log_in):
    check = AssignmentFactory()
    act = act_on(check.essay, coordinator, kind=WITHDRAW)
    rival = AssignmentFactory(essay=check.essay, role="second").expert
    keep_apart(one=rival, other=check.expert, actor=coordinator)

    said = told(log_in(coordinator), act)

    words = "the expert is kept apart from whoever has another check of the essay (1)"
    assert said == [(200, [words])] * 2
    assert state_of(check) == State.WITHDRAWN


def test_both_checks_of_an_essay_come_back_together(coordinator):
    check = AssignmentFactory()
    other = AssignmentFactory(essay=check.essay, role="second")
    act = act_on(check.essay, coordinator, kind=WITHDRAW)

    assert undo(act=act, actor=coordinator).restored == 2
    assert {state_of(check), state_of(other)} == {State.WAITING}


@pytest.fixture
def two_apart(coordinator):
    """An act that took both checks of an essay, whose experts are kept apart since."""
    check = AssignmentFactory()
    other = AssignmentFactory(essay=check.essay, role="second")
    act = act_on(check.essay, coordinator, kind=WITHDRAW)
    keep_apart(one=other.expert, other=check.expert, actor=coordinator)
    return act, check, other


def test_of_two_who_are_kept_apart_since_neither_gets_a_check_back(coordinator, log_in, two_apart):
    act, check, other = two_apart

    said = told(log_in(coordinator), act)

    words = "the expert is kept apart from whoever has another check of the essay (2)"
    assert said == [(200, [words])] * 2
    assert {state_of(check), state_of(other)} == {State.WITHDRAWN}


def test_nor_where_an_act_is_undone_batch_by_batch(coordinator, log_in, two_apart, monkeypatch):
    act, check, other = two_apart
    monkeypatch.setattr("review.services.acts.BATCH", 1)

    said = told(log_in(coordinator), act)

    words = "the expert is kept apart from whoever has another check of the essay (2)"
    assert said == [(200, [words])] * 2
    assert {state_of(check), state_of(other)} == {State.WITHDRAWN}


def test_beside_a_rival_whose_check_stays_away_anyhow_a_check_comes_back(coordinator, two_apart):
    act, check, other = two_apart
    set_active(person=other.expert, active=False, actor=coordinator)

    assert undo(act=act, actor=coordinator).restored == 1
    assert (state_of(check), state_of(other)) == (State.WAITING, State.WITHDRAWN)


def test_a_check_that_was_handed_over_comes_back_where_its_expert_has_nothing_else(coordinator):
    essay = EssayFactory()
    checks = [AssignmentFactory(essay=essay, role=role) for role in ("first", "second")]
    act = act_on(essay, coordinator, kind=HAND_OVER, expert=PersonFactory())

    assert undo(act=act, actor=coordinator).restored == 1
    assert [state_of(each) for each in checks] == [State.WAITING] * 2


def test_who_is_handed_a_check_over_keeps_what_was_said_of_one_that_was_taken_away(coordinator):
    lost = AssignmentFactory()
    other = AssignmentFactory(essay=lost.essay, role="second")
    note = write_note(check=lost, key=uuid.uuid4(), words="I know this pupil")
    act = act_on(lost.essay, coordinator, kind=WITHDRAW, holder=lost.expert_id)

    act_on(lost.essay, coordinator, kind=HAND_OVER, expert=lost.expert)

    assert Note.objects.get().pk == note.pk
    assert (state_of(lost), state_of(other)) == (State.WITHDRAWN, State.WITHDRAWN)
    assert undo(act=act, actor=coordinator).restored == 0
