"""Acts on many checks: asked first, done once, written down, undone as far as possible."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import date, datetime, time
from urllib.parse import parse_qs, urlencode
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay, EssaySet
from review.models.acts import BulkAct
from review.models.deadlines import SetTerms
from review.models.plans import ExpertLimit
from review.services.acts import Wish, carry_out, plan_of, undo
from review.services.expert_terms import keep_apart
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)
from tests.pages import page_of, texts_of
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

MOSCOW = ZoneInfo("Europe/Moscow")

WITHDRAW, HAND_OVER = BulkAct.Kind.WITHDRAW, BulkAct.Kind.HAND_OVER


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def essays():
    """Three essays: a check not begun, one with a draft, one submitted beside one not begun."""
    essay_set = EssaySetFactory(name="A")
    made = [EssayFactory(essay_set=essay_set, number=f"{number}") for number in range(3)]
    AssignmentFactory(essay=made[0])
    DraftFactory(assignment=AssignmentFactory(essay=made[1], state="working"))
    AssignmentFactory(essay=made[2], state="submitted")
    AssignmentFactory(essay=made[2], role="second")
    return Essay.objects.order_by()


def states():
    return [*Assignment.objects.order_by("pk").values_list("role", "state")]


def do(wish, actor, key=None):
    return carry_out(key=key or uuid.uuid4(), wish=wish, actor=actor, digest=plan_of(wish).digest)


BEFORE = [("first", "waiting"), ("first", "working"), ("first", "submitted"), ("second", "waiting")]
TAKEN = [
    *(("first", "withdrawn"), ("first", "withdrawn")),
    *(("first", "submitted"), ("second", "withdrawn")),
]


def test_open_checks_are_taken_away_and_come_back(essays, coordinator):
    act = do(Wish(WITHDRAW, essays), coordinator)
    after = states()

    undone = undo(act=act, actor=coordinator)

    assert (after, states(), undone.restored) == (TAKEN, BEFORE, 3)
    assert Counter(AuditEntry.objects.values_list("action", "actor")) == {
        ("assignment.withdrawn", coordinator.pk): 3,
        ("assignment.restored", coordinator.pk): 3,
    }


def test_what_is_done_twice_is_done_once(essays, coordinator):
    key, wish = uuid.uuid4(), Wish(WITHDRAW, essays)
    first = do(wish, coordinator, key)

    second = do(wish, coordinator, key)
    undone = [undo(act=first, actor=coordinator).restored for _ in range(2)]

    assert (first.pk, undone) == (second.pk, [3, 3])
    assert AuditEntry.objects.filter(action="assignment.withdrawn").count() == 3
    assert AuditEntry.objects.filter(action="assignment.restored").count() == 3


def test_nothing_happens_where_something_changed_since_the_question(essays, coordinator):
    wish = Wish(WITHDRAW, essays)
    seen = plan_of(wish).digest
    Assignment.objects.filter(role="second").update(state="submitted")

    with pytest.raises(Conflict, match="has changed"):
        carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=seen)

    assert states() == [*BEFORE[:3], ("second", "submitted")]


def test_checks_are_handed_over_and_back(essays, coordinator):
    expert = PersonFactory(full_name="Zoe")
    act = do(Wish(HAND_OVER, essays, expert=expert), coordinator)
    given = [*expert.assignments.order_by("pk").values_list("essay__number", "role", "state")]

    undone = undo(act=act, actor=coordinator)

    assert given == [
        ("0", "first", "waiting"),
        ("1", "first", "waiting"),
        ("2", "second", "waiting"),
    ]
    assert expert.assignments.filter(deadline_at=None).count() == 0
    assert (undone.restored, states()[:4]) == (3, BEFORE)
    assert {state for _role, state in states()[4:]} == {"withdrawn"}


def test_what_somebody_went_on_with_stays(essays, coordinator):
    expert = PersonFactory()
    act = do(Wish(HAND_OVER, essays, expert=expert), coordinator)
    begun = expert.assignments.get(essay__number="0")
    DraftFactory(assignment=begun)
    Assignment.objects.filter(pk=begun.pk).update(state="working")

    undone = undo(act=act, actor=coordinator)

    assert undone.restored == 2
    assert expert.assignments.filter(state="working").get() == begun


def test_a_check_given_to_another_meanwhile_does_not_come_back(essays, coordinator):
    act = do(Wish(WITHDRAW, essays), coordinator)
    AssignmentFactory(essay=Essay.objects.get(number="0"))

    undone = undo(act=act, actor=coordinator)

    assert undone.restored == 2
    assert [line.get("stays") for line in undone.checks] == ["taken", None, None]


def test_a_plan_says_what_stays_and_why(essays):
    holder = Assignment.objects.get(essay__number="0").expert
    foreign = EssayFactory(number="9", subject="rus")
    AssignmentFactory(essay=foreign)
    AssignmentFactory(
        essay=Essay.objects.get(number="1"), expert=holder, state="returned", role="third"
    )
    DraftFactory(assignment=Assignment.objects.get(expert=holder, role="third"))

    plan = plan_of(Wish(HAND_OVER, essays, expert=holder))

    assert [check.essay.number for check in plan.checks] == ["2"]
    assert plan.left_alone == {
        "theirs already": 1,
        "of an essay they have had": 1,
        "of a subject they do not mark": 1,
    }


def test_the_question_says_what_stays_and_why(essays, coordinator, log_in):  # noqa: ARG001
    holder = Assignment.objects.get(essay__number="0").expert
    chosen = {"act": "hand_over", "all": "1", "to": holder.pk}

    page = log_in(coordinator).get("/desk/acts/new/", chosen)

    assert texts_of(page, ".remarks li")[-1] == "1 theirs already"


def test_those_who_are_kept_apart_never_get_one_essay(coordinator):
    essay, zoe = EssayFactory(), PersonFactory()
    rival = AssignmentFactory(essay=essay).expert
    handed = AssignmentFactory(essay=essay, role="second")
    keep_apart(one=zoe, other=rival, actor=coordinator)

    plans = [
        plan_of(Wish(HAND_OVER, Essay.objects.order_by(), holder=each.pk, expert=zoe))
        for each in (handed.expert, rival)
    ]

    assert [(len(plan.checks), plan.left_alone) for plan in plans] == [
        (0, {f"of an essay of {rival}, whom they are kept apart from": 1}),
        (1, {}),
    ]


def test_a_closed_set_hands_nothing_over(essays):
    EssaySet.objects.update(state="closed")

    plan = plan_of(Wish(HAND_OVER, essays, expert=PersonFactory()))

    assert (plan.checks, plan.left_alone) == ([], {"of a set that is not open": 3})


def test_what_is_handed_over_is_due_by_the_terms_of_its_set(essays, coordinator):
    terms = {"due_by": "date", "due_on": date(2124, 5, 6), "due_time": time(18)}
    SetTerms.objects.create(essay_set=EssaySet.objects.get(), **terms)
    zoe = PersonFactory()

    do(Wish(HAND_OVER, essays, expert=zoe), coordinator)

    due = set(zoe.assignments.values_list("deadline_at", flat=True))
    assert due == {datetime(2124, 5, 6, 18, tzinfo=ZoneInfo("Europe/Moscow"))}


def test_nobody_gets_both_checks_of_an_essay(coordinator):
    essay = EssayFactory()
    for role in ("first", "second"):
        AssignmentFactory(essay=essay, role=role)
    expert = PersonFactory()

    do(Wish(HAND_OVER, Essay.objects.order_by(), expert=expert), coordinator)

    assert [*expert.assignments.values_list("role", "state")] == [("first", "waiting")]


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "participant"}], ids=str)
def test_an_unfit_account_gets_nothing(essays, coordinator, change):
    expert = PersonFactory()
    wish = Wish(HAND_OVER, essays, expert=expert)
    User.objects.filter(pk=expert.pk).update(**change)

    with pytest.raises(Refused, match="is not an active expert"):
        do(wish, coordinator)

    assert states() == BEFORE


def test_a_hundred_checks_take_the_statements_of_ten(coordinator):
    essay_set, experts = EssaySetFactory(), [PersonFactory() for _ in range(2)]
    counts = []
    for count in (10, 100):
        made = Essay.objects.bulk_create(
            Essay(essay_set=essay_set, number=f"{count}-{at}", subject="eng", text="x")
            for at in range(count)
        )
        Assignment.objects.bulk_create(
            Assignment(essay=essay, role="first", expert=experts[0]) for essay in made
        )
        these = Essay.objects.filter(pk__in=[essay.pk for essay in made])
        with CaptureQueriesContext(connection) as asked:
            undo(act=do(Wish(HAND_OVER, these, expert=experts[1]), coordinator), actor=coordinator)
        counts.append(len(asked))

    assert counts[0] == counts[1]


def sent_by(page):
    """What the last form of a page sends."""
    fields = page.find("form[method=post] input")
    return {
        name: [each["value"] for each in fields if each["name"] == name]
        for name in {each["name"] for each in fields}
    }


def test_a_coordinator_asks_does_and_undoes(essays, coordinator, log_in):  # noqa: ARG001
    client = log_in(coordinator)
    chosen = {"act": "withdraw", "essay": [Essay.objects.get(number="0").pk]}

    question = client.get("/desk/acts/new/", chosen)
    done = client.post("/desk/acts/new/", sent_by(page_of(question)))
    taken = states()
    again = client.post("/desk/acts/new/", sent_by(page_of(question)))
    after = client.post(f"{done['Location']}undo/", follow=True)

    assert taken == [("first", "withdrawn"), *BEFORE[1:]]
    assert (done.status_code, again["Location"]) == (302, done["Location"])
    assert states() == BEFORE
    assert texts_of(after, "h1") == ["Undone"]


def test_all_that_match_are_those_of_the_filter(essays, coordinator, log_in):  # noqa: ARG001
    client = log_in(coordinator)
    holder = Assignment.objects.get(essay__number="1").expert
    chosen = {"act": "withdraw", "all": "1", "expert": holder.pk, "set": "A"}

    client.post("/desk/acts/new/", sent_by(page_of(client.get("/desk/acts/new/", chosen))))

    assert states() == [BEFORE[0], ("first", "withdrawn"), *BEFORE[2:]]


def test_the_question_asks_for_an_expert_first(essays, coordinator, log_in):  # noqa: ARG001
    client, zoe = log_in(coordinator), PersonFactory(full_name="Zoe")
    chosen = {"act": "hand_over", "all": "1"}

    first = client.get("/desk/acts/new/", chosen)
    second = client.get("/desk/acts/new/", {**chosen, "to": zoe.pk})

    buttons = [texts_of(page, "form[method=post] button") for page in (first, second)]
    assert ([len(each) for each in buttons], buttons[1][-1]) == ([1, 2], "Hand over")


@pytest.mark.parametrize("act", ["withdraw", "hand_over"])
def test_an_act_on_nothing_says_that_nothing_is_ticked(essays, coordinator, log_in, act):  # noqa: ARG001
    client, desk = log_in(coordinator), "/desk/?q=0&order=number"

    said = client.get(
        f"/desk/acts/new/?q=0&order=number&act={act}",
        headers={"referer": f"http://testserver{desk}"},
    )

    assert (said.status_code, texts_of(said, "#notice")) == (
        422,
        ["Nothing is ticked: choose essays in the list first, or all of it."],
    )
    assert page_of(said).one("main a.btn")["href"] == desk


def test_after_an_act_the_list_it_was_asked_from_comes_back(coordinator, log_in):
    essay_set = EssaySetFactory(name="Ё" * 80)
    for number in range(51):
        AssignmentFactory(essay__essay_set=essay_set, essay__number=f"{number:04}")
    client = log_in(coordinator)
    words = "выборка " * 12
    asked = {"set": essay_set.name, "order": "number", "page": "2"}

    desk = page_of(client.get("/desk/", asked))
    sent = {
        each["name"]: each["value"] for each in desk.find("form[data-ticks] input[type=hidden]")
    }
    last = Essay.objects.get(number="0050")
    question = client.get("/desk/acts/new/", {**sent, "act": "withdraw", "essay": last.pk})
    done = client.post("/desk/acts/new/", sent_by(page_of(question)), follow=True)
    (back,) = [each["href"] for each in page_of(done).find("main a") if "desk/?" in each["href"]]
    act = Wish(WITHDRAW, Essay.objects.all(), query=f"?{urlencode({**asked, 'q': words})}")
    kept = do(act, coordinator).query

    assert texts_of(client.get(back), "tbody th a") == ["0050"]
    assert parse_qs(kept.removeprefix("?"), strict_parsing=True) == {
        **{name: [value] for name, value in asked.items()},
        "q": [words],
    }


@pytest.mark.parametrize("query", ["", "act=eat", "act=hand_over&to=999999", "act=hand_over&to=x"])
def test_a_question_nobody_understands_is_refused(coordinator, log_in, query):
    assert log_in(coordinator).get(f"/desk/acts/new/?{query}").status_code == 422


def test_a_stranger_does_nothing_to_checks(essays, log_in):  # noqa: ARG001
    for role in ("expert", "participant", "judge"):
        answer = log_in(PersonFactory(role=role)).post("/desk/acts/new/", {"act": "withdraw"})
        assert answer.status_code == 403

    assert states() == BEFORE


def test_receivers_are_told_apart_and_the_holder_is_none_of_them(coordinator, log_in):
    holder = AssignmentFactory(expert__full_name="Ann").expert
    AssignmentFactory(expert=holder)
    boris, zoe = (PersonFactory(full_name=name) for name in ("Boris", "Zoe"))
    AssignmentFactory(expert=zoe)
    ExpertLimit.objects.create(expert=zoe, checks=5)
    boris.set_unusable_password()
    boris.save()
    subjects = "; ".join(str(each) for each in boris.specialisms.all())

    page = log_in(coordinator).get(f"/desk/acts/new/?act=hand_over&all=1&expert={holder.pk}")

    assert texts_of(page, "#to option") == [
        "–",
        f"Boris: 0 open; {subjects}; never signed in",
        f"Zoe: 1 of 5 open; {subjects}",
    ]


def test_where_nothing_is_open_nobody_is_asked_for_and_nobody_said_to_be_missing(
    coordinator, log_in
):
    done = AssignmentFactory(state="submitted")
    PersonFactory(full_name="Zoe")
    ask = f"/desk/acts/new/?act=hand_over&essay={done.essay_id}&expert={done.expert_id}"

    page = log_in(coordinator).get(ask)

    assert texts_of(page, ".notice.warn") + texts_of(page, "#to option") == []
    assert texts_of(page, "main form p")[:1] == ["There is nothing to do: no check is touched."]


def test_the_question_names_who_is_near_and_what_is_too_much(coordinator, log_in):
    held = AssignmentFactory(expert__full_name="Ann", expert__school="Lyceum")
    beside = PersonFactory(full_name="Bob", school="Lyceum")
    AssignmentFactory(essay=held.essay, role="second", expert=beside, state="submitted")
    zoe = PersonFactory(full_name="Zoe", school="Lyceum")
    ExpertLimit.objects.create(expert=zoe, checks=0)
    ask = f"/desk/acts/new/?act=hand_over&essay={held.essay_id}&to={zoe.pk}"

    page = log_in(coordinator).get(ask)

    assert texts_of(page, ".notice.warn") == [
        "Zoe would have 1 open checks; the limit is 0.",
        "Bob is of the same school and has a check of these essays: 1.",
    ]
