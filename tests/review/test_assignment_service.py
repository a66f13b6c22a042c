from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import AuditEntry, Specialism, User
from annotator.models import Assignment, Essay
from annotator.queries.work import work_of
from annotator.services.assignment import hand_back
from annotator.services.refusals import RoleTaken
from review.models import ThirdCheck
from review.queries.experts import experts_free_for
from review.services.assigning import (
    assign_expert,
    assign_third_expert,
    assign_two_experts,
    withdraw,
)
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from web.refusals import Refused

pytestmark = pytest.mark.django_db

FIRST, SECOND, THIRD = Assignment.Role.FIRST, Assignment.Role.SECOND, Assignment.Role.THIRD


@pytest.fixture
def coordinator():
    return PersonFactory(role=User.Role.COORDINATOR)


def assign(essay, expert, role=FIRST, actor=None):
    return assign_expert(essay=essay, expert=expert, role=role, actor=actor)


def test_the_two_least_loaded_experts_of_the_subject_are_assigned(coordinator):
    busy, free, freer, historian = (
        PersonFactory(),
        PersonFactory(),
        PersonFactory(),
        PersonFactory(subjects=["hist"]),
    )
    AssignmentFactory.create_batch(2, expert=busy)
    AssignmentFactory(expert=free)
    essay = EssayFactory()

    made = assign_two_experts(essay=essay, actor=coordinator)

    assert [(each.role, each.expert) for each in made] == [("first", freer), ("second", free)]
    assert historian not in experts_free_for(essay)


def test_the_deadline_is_as_many_days_away_as_the_rules_say(coordinator):
    essay = EssayFactory(essay_set__rules__days_to_mark=3)

    assignment = assign(essay, PersonFactory(), actor=coordinator)

    left = assignment.deadline_at - timezone.now()
    assert timedelta(days=3) - left < timedelta(minutes=1)


def test_an_assignment_is_written_down_with_who_made_it(coordinator):
    expert = PersonFactory()
    assignment = assign(EssayFactory(), expert, actor=coordinator)

    entry = AuditEntry.objects.get(action="expert.assigned")
    assert (entry.actor, entry.object_id, entry.details) == (
        coordinator,
        str(assignment.pk),
        {"role": "first", "expert": expert.pk},
    )


def test_a_check_that_is_given_cannot_be_given_again_and_its_holder_is_named():
    essay = EssayFactory(number="0412")
    assign(essay, PersonFactory(full_name="Пётр Кравцов"))

    with pytest.raises(RoleTaken, match=r"0412.*Пётр Кравцов"):
        assign(essay, PersonFactory())


def test_nobody_checks_an_essay_twice():
    essay, expert = EssayFactory(), PersonFactory()
    assign(essay, expert)

    with pytest.raises(Refused, match="has had this essay"):
        assign(essay, expert, SECOND)


@pytest.mark.parametrize(
    "person", [{"is_active": False}, {"role": "coordinator"}, {"role": "participant"}]
)
def test_only_active_experts_are_assigned(person):
    with pytest.raises(Refused, match="not an active expert"):
        assign(EssayFactory(), PersonFactory(**person))


def test_the_third_expert_is_neither_of_the_first_two_and_assigned_once():
    first, second, third, _fourth = [PersonFactory() for _ in range(4)]
    essay = EssayFactory()
    assign(essay, first)
    assign(essay, second, SECOND)

    assignment, again = assign_third_expert(essay=essay), assign_third_expert(essay=essay)

    assert (assignment.expert, assignment.role, again) == (third, "third", assignment)


def test_a_third_check_that_was_taken_away_goes_to_somebody_else_where_there_is_one(coordinator):
    essay = EssayFactory()
    assign(essay, PersonFactory())
    assign(essay, PersonFactory(), SECOND)
    loser, other = PersonFactory(), PersonFactory()
    AssignmentFactory(expert=other)  # more to do than the one who loses it

    lost = assign_third_expert(essay=essay)
    withdraw(assignment=lost, actor=coordinator)
    given = assign_third_expert(essay=essay)
    withdraw(assignment=given, actor=coordinator)
    Specialism.objects.filter(user=other).delete()

    assert (lost.expert, given.expert) == (loser, other)
    assert assign_third_expert(essay=essay).expert == loser


def test_without_a_free_expert_there_is_no_third_one_yet():
    essay = EssayFactory()
    assign(essay, PersonFactory())
    assign(essay, PersonFactory(), SECOND)

    assert assign_third_expert(essay=essay) is None


def test_an_expert_who_handed_the_essay_back_does_not_get_it_again():
    first, second = PersonFactory(), PersonFactory()
    essay = EssayFactory()
    hand_back(assignment=assign(essay, first), actor=first, reason="Узнал автора")

    made = assign(essay, second)

    assert made.expert == second
    assert list(experts_free_for(essay)) == []


def test_work_handed_back_leaves_the_queue_and_keeps_the_reason():
    expert = PersonFactory()
    assignment = assign(EssayFactory(), expert)

    hand_back(assignment=assignment, actor=expert, reason="Узнал автора")

    assert list(work_of(expert)) == []
    assert AuditEntry.objects.get(action="assignment.returned").details == {
        "reason": "Узнал автора"
    }


@pytest.mark.parametrize(
    "close",
    [
        lambda work, actor: withdraw(assignment=work, actor=actor),
        lambda work, _: hand_back(assignment=work, actor=work.expert, reason="поздно"),
    ],
)
def test_a_submitted_check_can_neither_be_handed_back_nor_taken_away(close, coordinator):
    assignment = AssignmentFactory(state=Assignment.State.SUBMITTED)

    with pytest.raises(Refused, match="closed already"):
        close(assignment, coordinator)


def test_work_taken_away_can_be_given_to_another(coordinator):
    essay = EssayFactory()
    withdraw(assignment=assign(essay, PersonFactory()), actor=coordinator)

    other = assign(essay, PersonFactory())

    assert [each.state for each in essay.assignments.all()] == ["withdrawn", "waiting"]
    assert other.role == FIRST


def test_the_database_itself_refuses_a_second_active_third_expert():
    essay = EssayFactory()
    AssignmentFactory(essay=essay, role=THIRD)

    with pytest.raises(IntegrityError), transaction.atomic():
        AssignmentFactory(essay=essay, role=THIRD)


def test_the_queue_is_one_query_however_long(django_assert_num_queries):
    expert = PersonFactory()
    AssignmentFactory.create_batch(3, expert=expert)

    with django_assert_num_queries(1):
        assert len([each.essay.essay_set.name for each in work_of(expert)]) == 3


@pytest.mark.parametrize("assign", [assign_two_experts, assign_third_expert])
def test_an_essay_that_was_taken_back_meanwhile_is_given_to_nobody(assign):
    essay = EssayFactory()
    Essay.objects.all().delete()
    options = {} if assign is assign_third_expert else {"actor": None}

    with pytest.raises(Refused, match="This essay was taken back"):
        assign(essay=essay, **options)


def test_nobody_gives_a_third_check_the_rule_has_not_called_for(coordinator):
    essay = EssayFactory(number="0412")
    one, other = (submitted(essay) for _check in range(2))
    decided = {"essay": essay, "round": 1, "first": one, "second": other}

    with pytest.raises(Refused, match="0412: the rule has not called for a third check"):
        assign(essay, PersonFactory(), THIRD, coordinator)
    decision = ThirdCheck.objects.create(**decided, needed=False)
    with pytest.raises(Refused, match="0412: the rule has not called for a third check"):
        assign(essay, PersonFactory(), THIRD, coordinator)
    ThirdCheck.objects.filter(pk=decision.pk).update(needed=True)
    given = assign(essay, PersonFactory(), THIRD, coordinator)

    assert (given.role, essay.assignments.count()) == ("third", 1)
