"""Plans when several act at once: one is carried out, a check opened meanwhile is kept."""

from __future__ import annotations

import uuid
from collections import Counter
from functools import partial

import pytest

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay
from annotator.services.drafts import open_draft
from review.core.plan_options import Options
from review.models.plans import Plan, PlannedCheck
from review.services.plans import confirm_plan, preview_plan, withdraw_plan
from tests.e2e.database import together
from tests.e2e.essays import people
from tests.e2e.visitor import Visitor
from tests.factories import EssayFactory, EssaySetFactory
from web.refusals import Refused

pytestmark = pytest.mark.full

ESSAYS = 40


@pytest.fixture
def previews(stack):  # noqa: ARG001 - the rows stand in its database
    """The same essays in a preview of each of four coordinators."""
    people(5)
    essays = EssaySetFactory(name=f"at once {uuid.uuid4().hex[:8]}")
    EssayFactory.create_batch(ESSAYS, essay_set=essays)
    options = Options(essay_set=essays.pk)
    return [preview_plan(options=options, actor=each) for each in people(4, User.Role.COORDINATOR)]


def confirmed(plan):
    return partial(confirm_plan, plan=plan, seen=plan.digest, actor=plan.actor)


def checks_of(plan):
    essays = plan.options["essay_set"]
    return Assignment.objects.filter(essay__essay_set=essays, state__in=Assignment.ACTIVE)


def test_of_plans_confirmed_at_once_one_is_carried_out_and_the_others_see_it(previews):
    same = previews[0]

    answers = together(*map(confirmed, previews), confirmed(same), confirmed(same))

    done = Plan.objects.get(pk__in=[plan.pk for plan in previews], state="done")
    plans = [each for each in answers if isinstance(each, Plan)]
    shown = [plan for plan in plans if plan.state == "preview"]
    refused = [each for each in answers if isinstance(each, Refused)]
    assert {plan.pk for plan in plans if plan.state == "done"} == {done.pk}
    assert len(answers) == len(plans) + len(refused)
    assert {len(plan.changes) for plan in shown} == {2 * ESSAYS}
    found = Counter(checks_of(same).values_list("essay", flat=True))
    assert (len(found), set(found.values())) == (ESSAYS, {2})
    assert PlannedCheck.objects.filter(plan=done).count() == 2 * ESSAYS
    told = AuditEntry.objects.filter(action="expert.assigned", details__plan=done.pk)
    assert told.count() == 2 * ESSAYS
    withdraw_plan(plan=done, actor=done.actor)


def test_a_check_opened_while_its_plan_is_withdrawn_or_adjusted_is_withdrawn_or_kept(previews):
    plan, *_ = previews
    confirmed(plan)()
    checks = list(checks_of(plan).order_by("pk"))
    options = Options(essay_set=plan.options["essay_set"], adjusts=True, out=(checks[0].expert_id,))
    adjusted = preview_plan(options=options, actor=plan.actor)

    together(
        *(partial(open_draft, assignment=each) for each in checks[:8]),
        confirmed(adjusted),
        partial(withdraw_plan, plan=plan, actor=plan.actor),
    )

    for each in Assignment.objects.filter(pk__in=[check.pk for check in checks]):
        assert each.state in {"working", "withdrawn", "waiting"}
        assert each.state != "waiting" or not each.markups.exists()
    doubled = Counter(checks_of(plan).values_list("essay", "role"))
    assert max(doubled.values(), default=1) == 1
    checks_of(plan).update(state="withdrawn")


LIMIT = 2 * ESSAYS // 5
"""So many open checks a person that five experts have room for one of two sets."""


@pytest.fixture
def rivals(stack):
    """Two coordinators, each with a preview of a set of their own, of the same five experts."""
    ours = {expert.pk for expert in people(5)}
    experts = User.objects.filter(role=User.Role.EXPERT).exclude(pk__in=ours)
    others = tuple(experts.values_list("pk", flat=True))
    found = []
    for person in people(2, User.Role.COORDINATOR):
        essays = EssaySetFactory(name=f"at once {uuid.uuid4().hex[:8]}")
        EssayFactory.create_batch(ESSAYS, essay_set=essays)
        options = Options(essay_set=essays.pk, limit=LIMIT, out=others)
        found.append((Visitor(stack, person), preview_plan(options=options, actor=person)))
    return found


def word(visitor, plan):
    return partial(visitor.post, f"/planning/{plan.pk}/confirm/", seen=plan.digest)


def test_of_two_sets_planned_at_once_one_fills_the_experts_and_the_other_reads_so(rivals):
    answers = together(*(word(*rival) for rival in rivals), *(word(*rival) for rival in rivals))

    assert [answer.status in {302, 422} for answer in answers] == [True] * 4
    plans = [Plan.objects.get(pk=plan.pk) for _visitor, plan in rivals]
    assert sorted(plan.state for plan in plans) == ["done", "preview"]
    (told,) = (at for at, plan in enumerate(plans) if plan.state == "preview")
    assert (plans[told].given, len(plans[told].changes)) == (0, 2 * ESSAYS)
    shown = rivals[told][0].get(f"/planning/{plans[told].pk}/")
    assert "What changed since you looked" in shown.text
    held = [each for plan in plans for each in checks_of(plan).values_list("expert", flat=True)]
    assert set(Counter(held).values()) == {LIMIT}
    for plan in plans:
        checks_of(plan).update(state="withdrawn")


def test_plans_and_checks_given_one_by_one_at_once_end_in_words(stack, rivals):
    (alone,) = people(1, User.Role.COORDINATOR)
    essays = [
        each
        for _visitor, plan in rivals
        for each in Essay.objects.filter(essay_set=plan.options["essay_set"]).order_by("-pk")[:5]
    ]
    press = Visitor(stack, alone).post

    answers = together(
        *(word(*rival) for rival in rivals),
        *(partial(press, f"/desk/essays/{each.pk}/assign/") for each in essays),
    )

    assert {answer.status for answer in answers} <= {302, 422}
    for _visitor, plan in rivals:
        found = Counter(checks_of(plan).values_list("essay", "role"))
        assert max(found.values(), default=1) == 1
        checks_of(plan).update(state="withdrawn")
