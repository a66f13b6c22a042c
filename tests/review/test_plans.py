"""Plans as rows: previewed, confirmed once, withdrawn as far as nobody began."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay
from annotator.services.assignment import hand_back
from annotator.services.drafts import open_draft
from review.core.plan_options import Options, Wanted, digest_of, outcome_from_json
from review.core.planning import plan as propose
from review.models.plans import ExpertConflict, ExpertLimit, Pin, PlannedCheck
from review.services.assigning import assign_expert, assign_third_expert, withdraw
from review.services.expert_terms import keep_apart, limit_checks, pin_check
from review.services.plan_reading import read_world
from review.services.plans import confirm_plan, drop_preview, preview_plan, withdraw_plan
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db

FIRST, SECOND = Assignment.Role.FIRST, Assignment.Role.SECOND


@pytest.fixture
def coordinator():
    return PersonFactory(role=User.Role.COORDINATOR)


def preview(coordinator, **asked):
    return preview_plan(options=Options(**asked), actor=coordinator)


def confirm(plan):
    return confirm_plan(plan=plan, seen=plan.digest, actor=plan.actor)


def carried_out(coordinator, **asked):
    plan = confirm(preview(coordinator, **asked))
    assert plan.state == "done"
    return plan


def held(essay):
    found = essay.assignments.filter(state__in=Assignment.ACTIVE).order_by("role")
    return [(each.role, each.expert) for each in found]


def reasons(plan):
    return [(row[1], row[2]) for row in plan.outcome["unfilled"]]


def test_a_preview_writes_no_check_and_a_confirmation_gives_what_it_showed(coordinator):
    experts = [PersonFactory() for _ in range(3)]
    essays = EssayFactory.create_batch(3)

    plan = preview(coordinator)
    before = Assignment.objects.count()
    done = confirm(plan)

    given = Assignment.objects.values_list("essay", "role", "expert")
    assert (before, done.state, done.given) == (0, "done", 6)
    assert sorted(given) == sorted(tuple(row[:3]) for row in plan.outcome["given"])
    assert {each.expert_id for each in Assignment.objects.all()} == {each.pk for each in experts}
    assert all(len(held(essay)) == 2 for essay in essays)
    assert PlannedCheck.objects.filter(plan=plan).count() == 6


def test_each_check_of_a_plan_is_written_down_and_names_the_plan(coordinator):
    PersonFactory.create_batch(2)
    EssayFactory(essay_set__rules__days_to_mark=3)

    plan = carried_out(coordinator)

    told = AuditEntry.objects.filter(action="expert.assigned").order_by("pk")
    rows = Assignment.objects.order_by("pk")
    assert [(each.actor, each.object_id, each.details) for each in told] == [
        (coordinator, str(row.pk), {"role": row.role, "expert": row.expert_id, "plan": plan.pk})
        for row in rows
    ]
    assert AuditEntry.objects.get(action="plan.confirmed").details["given"] == 2
    assert [(row.deadline_at - row.created_at).days for row in rows] == [3, 3]


def test_a_plan_is_confirmed_once(coordinator):
    PersonFactory.create_batch(2)
    EssayFactory()
    plan = carried_out(coordinator)

    again = confirm(plan)

    assert (again.state, Assignment.objects.count()) == ("done", 2)
    with pytest.raises(Refused, match="carried out already"):
        confirm_plan(plan=plan, seen="as it was before", actor=coordinator)


def test_a_preview_that_was_replaced_or_dropped_cannot_be_confirmed(coordinator):
    PersonFactory.create_batch(2)
    EssayFactory()
    first = preview(coordinator)
    second = preview(coordinator)
    drop_preview(plan=second)

    for plan in (first, second):
        with pytest.raises(Refused, match="was replaced"):
            confirm(plan)


def test_what_changed_since_the_preview_is_named_and_confirmed_anew(coordinator):
    ann, bob, _cy = (PersonFactory(full_name=name) for name in ("Ann", "Bob", "Cy"))
    essay, other = EssayFactory(), EssayFactory()
    plan = preview(coordinator)
    seen = plan.digest
    assign_expert(essay=essay, expert=ann, role=FIRST, actor=coordinator)
    User.objects.filter(pk=bob.pk).update(is_active=False)

    shown = confirm(plan)
    nothing = Assignment.objects.filter(planned__isnull=False).count()
    again = confirm_plan(plan=plan, seen=seen, actor=coordinator)  # pressed twice
    kept = again.changes
    done = confirm(again)

    assert kept == shown.changes
    rows = {(row[0], row[1]): row[2:] for row in shown.changes}
    before = {(row[0], row[1]): row[2] for row in plan.outcome["given"]}
    assert (shown.state, nothing, again.state, done.state) == ("preview", 0, "preview", "done")
    assert rows[essay.pk, "first"] == [before[essay.pk, "first"], ann.pk, True, False]
    changed = {check for check, who in before.items() if who == bob.pk} - {(essay.pk, "first")}
    assert changed <= rows.keys()
    assert bob not in [expert for each in (essay, other) for _role, expert in held(each)]


def test_of_two_plans_for_the_same_essays_one_wins_and_the_other_sees_what_changed(coordinator):
    PersonFactory.create_batch(3)
    essay = EssayFactory()
    rival = PersonFactory(role=User.Role.ORGANISER)
    mine, theirs = preview(coordinator), preview(rival)

    won, lost = confirm(mine), confirm(theirs)

    assert (won.state, lost.state, lost.given) == ("done", "preview", 0)
    assert [(row[0], row[1], row[3], row[4]) for row in lost.changes] == [
        (essay.pk, role, expert.pk, True) for role, expert in held(essay)
    ]
    with pytest.raises(Refused, match="nothing to anybody"):
        confirm(lost)


def test_what_was_not_begun_is_withdrawn_as_a_whole_and_may_be_given_again(coordinator):
    PersonFactory.create_batch(2)
    opened, waiting = EssayFactory(), EssayFactory()
    plan = carried_out(coordinator)
    begun = opened.assignments.get(role=FIRST)
    open_draft(assignment=begun)

    count = withdraw_plan(plan=plan, actor=coordinator)
    plan.refresh_from_db()
    again = carried_out(coordinator)

    assert (count, plan.state) == (3, "withdrawn")
    assert (held(opened)[0], len(held(opened)), len(held(waiting))) == (
        ("first", begun.expert),
        2,
        2,
    )
    assert again.given == 3
    told = AuditEntry.objects.filter(action="assignment.withdrawn")
    assert [each.details for each in told] == [{"plan": plan.pk}] * 3
    assert withdraw_plan(plan=plan, actor=coordinator) == 0
    assert AuditEntry.objects.filter(action="plan.withdrawn").count() == 1


def test_a_plan_everybody_began_cannot_be_withdrawn(coordinator):
    PersonFactory.create_batch(2)
    EssayFactory()
    plan = carried_out(coordinator)
    for each in Assignment.objects.all():
        open_draft(assignment=each)

    with pytest.raises(Refused, match="every check of it was begun"):
        withdraw_plan(plan=plan, actor=coordinator)


def test_a_check_withdrawn_unopened_does_not_count_as_had_but_an_opened_one_does(coordinator):
    ann, bob = PersonFactory(), PersonFactory()
    unopened, opened = EssayFactory(), EssayFactory()
    for essay in (unopened, opened):
        given = assign_expert(essay=essay, expert=ann, role=FIRST, actor=coordinator)
        if essay == opened:
            open_draft(assignment=given)
        withdraw(assignment=given, actor=coordinator)

    plan = carried_out(coordinator)

    assert {expert for _role, expert in held(unopened)} == {ann, bob}
    assert (held(opened), reasons(plan)) == ([("first", bob)], [("second", "had")])


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"invited": True}, "absent"),
        ({"is_active": False}, "had"),
        ({"subjects": ["hist"]}, "had"),
        ({"school": "No. 7"}, "conflict"),
    ],
    ids=str,
)
def test_who_is_no_choice_gets_nothing_and_the_reason_is_kept(coordinator, fields, reason):
    PersonFactory(school="no.  7")
    other = PersonFactory(**fields)
    EssayFactory()

    plan = carried_out(coordinator)

    assert reasons(plan) == [("second", reason)]
    assert not other.assignments.exists()


def test_limits_named_pairs_and_pins_are_kept_to(coordinator):
    ann, bob, cy = (PersonFactory() for _ in range(3))
    keep_apart(one=bob, other=ann, actor=coordinator)
    limit_checks(expert=cy, checks=1, actor=coordinator)
    essays = EssayFactory.create_batch(2)
    pin_check(essay=essays[1], expert=cy, actor=coordinator)

    plan = carried_out(coordinator)

    load = Counter(expert for essay in essays for _role, expert in held(essay))
    assert (load[cy], load[ann] + load[bob]) == (1, 2)
    assert cy in [expert for _role, expert in held(essays[1])]
    assert reasons(plan) == [("second", "limits")]
    assert list(PlannedCheck.objects.filter(is_pinned=True).values_list("assignment__expert")) == [
        (cy.pk,)
    ]


def test_an_adjustment_moves_what_was_not_begun_and_keeps_the_rest(coordinator):
    ann, bob = PersonFactory(), PersonFactory()
    essays = EssayFactory.create_batch(4)
    carried_out(coordinator)
    begun = essays[0].assignments.get(expert=ann)
    open_draft(assignment=begun)
    Pin.objects.create(essay=essays[1], expert=ann)
    cy = PersonFactory()

    plan = carried_out(coordinator, adjusts=True, out=(ann.pk,))

    has = [{expert for _role, expert in held(essay)} for essay in essays]
    assert [ann in each for each in has] == [True, True, False, False]
    assert [sum(who in each for each in has) for who in (ann, bob, cy)] == [2, 3, 3]
    begun.refresh_from_db()
    assert begun.state == "working"
    told = AuditEntry.objects.filter(action="assignment.withdrawn")
    assert [each.details for each in told] == [{"plan": plan.pk}] * plan.taken


def test_new_people_take_their_share_in_an_adjustment(coordinator):
    PersonFactory.create_batch(2)
    EssayFactory.create_batch(6)
    carried_out(coordinator)
    fresh = PersonFactory()

    carried_out(coordinator, adjusts=True)

    assert fresh.assignments.count() == 4
    assert (
        Counter(
            Assignment.objects.filter(state="waiting").values_list("expert", flat=True)
        ).most_common()[-1][1]
        == 4
    )


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({}, "abcd"),
        ({"wanted": Wanted.BOTH}, "abd"),
        ({"wanted": Wanted.ONE}, "c"),
        ({"wanted": Wanted.RETURNED}, "d"),
        ({"subject": "eng-free"}, "b"),
    ],
    ids=str,
)
def test_the_filter_chooses_essays(coordinator, asked, numbers):
    essays = EssaySetFactory()
    subjects = {"b": "eng-free"}
    _a, _b, c, d, done = (
        EssayFactory(essay_set=essays, number=number, subject=subjects.get(number, "eng"))
        for number in "abcde"
    )
    EssayFactory()
    for essay, roles in ((c, [FIRST]), (done, [FIRST, SECOND])):
        for role in roles:
            AssignmentFactory(essay=essay, role=role)
    handed = AssignmentFactory(essay=d)
    hand_back(assignment=handed, actor=handed.expert, reason="ill")

    plan = preview(coordinator, essay_set=essays.pk, **asked)

    rows = [*plan.outcome["given"], *plan.outcome["unfilled"]]
    found = Essay.objects.filter(pk__in={row[0] for row in rows}).order_by("number")
    assert "".join(each.number for each in found) == numbers


def test_a_third_check_goes_to_nobody_in_conflict_or_at_the_limit():
    ann, bob, cy = (PersonFactory(school=name) for name in ("A", "B", "A"))
    essay = EssayFactory()
    for role, expert in ((FIRST, ann), (SECOND, bob)):
        AssignmentFactory(essay=essay, role=role, expert=expert, state="submitted")
    nobody = assign_third_expert(essay=essay)
    dan = PersonFactory()
    ExpertLimit.objects.create(expert=dan, checks=0)
    still = assign_third_expert(essay=essay)
    ExpertLimit.objects.all().delete()

    given = assign_third_expert(essay=essay)

    assert (nobody, still, given.expert) == (None, None, dan)
    assert not cy.assignments.exists()


def test_by_hand_competence_and_named_pairs_are_checked(coordinator):
    ann, bob, historian = PersonFactory(), PersonFactory(), PersonFactory(subjects=["hist"])
    ExpertConflict.objects.create(one=ann, other=bob)
    essay = EssayFactory()

    with pytest.raises(Refused, match="does not mark English"):
        assign_expert(essay=essay, expert=historian, role=FIRST, actor=coordinator)
    assign_expert(essay=essay, expert=ann, role=FIRST, actor=coordinator)
    with pytest.raises(Refused, match="are not to check one essay"):
        assign_expert(essay=essay, expert=bob, role=SECOND, actor=coordinator)


def test_an_essay_takes_two_pins(coordinator):
    essay = EssayFactory()
    ann, bob, cy = (PersonFactory() for _ in range(3))
    for each in (ann, bob, ann):
        pin_check(essay=essay, expert=each, actor=coordinator)

    with pytest.raises(Refused, match="two experts are pinned"):
        pin_check(essay=essay, expert=cy, actor=coordinator)
    assert AuditEntry.objects.filter(action="check.pinned").count() == 2


def costs(coordinator, count):
    """Queries of a preview and of its confirmation, for so many essays."""
    PersonFactory.create_batch(2 + count)
    essays = EssaySetFactory()
    EssayFactory.create_batch(count, essay_set=essays)
    with CaptureQueriesContext(connection) as previewed:
        plan = preview(coordinator, essay_set=essays.pk)
    with CaptureQueriesContext(connection) as confirmed:
        confirm(plan)
    return len(previewed), len(confirmed)


def test_a_preview_and_a_confirmation_ask_as_often_for_many_as_for_one(coordinator):
    assert costs(coordinator, 1) == costs(coordinator, 30)


def test_a_plan_that_would_come_out_otherwise_beside_itself_is_carried_out_as_it_was_seen(
    coordinator,
):
    ann, bob, eve = PersonFactory.create_batch(3)
    pinned, other = (EssayFactory(text=f"{'word ' * count}.") for count in (200, 300))
    for essay in (pinned, other):
        AssignmentFactory(essay=essay, expert=ann)
    pin_check(essay=pinned, expert=eve, actor=coordinator)
    for rival in (bob, eve):
        keep_apart(one=ann, other=rival, actor=coordinator)
    plan = preview(coordinator, adjusts=True)
    world = read_world(Options(adjusts=True))
    beside = propose(world.works, world.people, world.rules, outcome_from_json(plan.outcome))

    done = confirm(plan)

    assert digest_of(beside) != plan.digest
    assert (done.state, done.given) == ("done", plan.given)
