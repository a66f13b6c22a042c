"""Two experts of one name are told apart wherever somebody chooses between them."""

from __future__ import annotations

import re

import pytest

from accounts.services.audit import audit
from annotator.models import Assignment, MarkupRecord
from review.models.acts import BulkAct
from review.models.plans import Pin, Plan
from review.services.agreeing import compute_agreement
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.work import score

pytestmark = pytest.mark.django_db

ANNAS = ["Anna Orlova (a1)", "Anna Orlova (a2)"]
ANNA = re.compile(r"Anna Orlova(?: \(\w+\))?")


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def checks():
    """Two checks of one Anna, one of another."""
    anna, other = (PersonFactory(username=name, full_name="Anna Orlova") for name in ("a1", "a2"))
    return [AssignmentFactory(expert=expert) for expert in (anna, anna, other)]


@pytest.mark.parametrize("page", ["/desk/", "/deadlines/"])
def test_filters_name_their_logins(coordinator, checks, page):
    boris = AssignmentFactory(expert=PersonFactory(full_name="Boris"))

    found = page_of(coordinator.get(page, {"expert": checks[0].expert_id}))

    options = found.find("#expert option")
    assert [each.text for each in options[1:]] == ["Anna Orlova (a1)", "Anna Orlova (a2)", "Boris"]
    assert [each["value"] for each in options if "selected" in each.attributes] == [
        str(checks[0].expert_id)
    ]
    assert boris.pk


@pytest.mark.usefixtures("checks")
def test_questions_count_their_checks_apart(coordinator):
    taken = coordinator.get("/desk/acts/new/", {"act": "withdraw", "all": "1"})
    moved = coordinator.get("/deadlines/extend/", {"all": "1", "working_days": 2, "reason": "flu"})

    assert texts_of(taken, ".remarks li") == ["Anna Orlova (a1): 2", "Anna Orlova (a2): 1"]
    assert texts_of(moved, "#experts li") == ["Anna Orlova (a1): 2", "Anna Orlova (a2): 1"]


def test_a_plan_to_be_withdrawn_names_them_apart(coordinator):
    for login in ("a1", "a2"):
        PersonFactory(username=login, full_name="Anna Orlova")
    EssayFactory()
    coordinator.post("/planning/")
    plan = Plan.objects.get()
    coordinator.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest})
    assert Assignment.objects.count() == 2

    asked = coordinator.get(f"/planning/{plan.pk}/withdraw/")

    assert texts_of(asked, ".remarks li") == ["Anna Orlova (a1): 1", "Anna Orlova (a2): 1"]


@pytest.mark.usefixtures("checks")
def test_who_may_get_checks_and_who_has_them_by_a_plan_is_named_apart(coordinator):
    boris = AssignmentFactory(expert=PersonFactory(full_name="Boris"))
    asked = {"act": "hand_over", "all": "1", "expert": boris.expert_id}

    offered = texts_of(coordinator.get("/desk/acts/new/", asked), "#to option")
    planned = texts_of(coordinator.post("/planning/", follow=True), ".load-table tbody th")
    free = texts_of(coordinator.get(f"/desk/essays/{boris.essay_id}/"), "#pinned option")

    assert [each.split(":")[0] for each in offered] == ["–", *ANNAS]
    assert sorted(planned) == [*ANNAS, "Boris"]
    assert sorted(free) == ANNAS


def test_a_plan_names_them_apart_once_it_is_done_also_where_one_stands_alone(coordinator):
    anna = PersonFactory(username="a1", full_name="Anna Orlova")
    boris = PersonFactory(full_name="Boris")
    PersonFactory(username="a2", full_name="Anna Orlova", is_active=False)
    EssayFactory(number="7")
    coordinator.post("/planning/")
    plan = Plan.objects.get()
    coordinator.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest})

    done = coordinator.get(f"/planning/{plan.pk}/")
    asked = coordinator.get(f"/planning/{plan.pk}/withdraw/")

    roles = Assignment.objects.values_list("expert", "role")
    labels = {expert: Assignment.Role(role).label for expert, role in roles}
    (told,) = texts_of(done, "tbody td")
    assert sorted(told.split("; ")) == sorted(
        [
            f"{labels[anna.pk]}: Anna Orlova (a1), not begun",
            f"{labels[boris.pk]}: Boris, not begun",
        ]
    )
    assert texts_of(asked, ".remarks li") == ["Anna Orlova (a1): 1", "Boris: 1"]


def test_what_changed_since_a_plan_was_looked_at_names_them_apart(coordinator):
    for login in ("a1", "a2"):
        PersonFactory(username=login, full_name="Anna Orlova")
    EssayFactory(number="7")
    coordinator.post("/planning/")
    plan = Plan.objects.get()
    leaves = plan.outcome["given"][0][2]
    coordinator.post("/planning/experts/limits/", {f"checks-{leaves}": 0})

    page = coordinator.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest}, follow=True)

    cells = texts_of(page, ".changed tbody td")
    assert {cell for cell in cells if "Anna" in cell} <= set(ANNAS)
    assert [cell for cell in cells if "Anna" in cell]
    (left,) = texts_of(page, ".unfilled .sub")
    assert left in ANNAS


def test_pairs_of_experts_who_differ_name_them_apart(coordinator):
    anna = PersonFactory(username="a1", full_name="Anna Orlova")
    PersonFactory(username="a2", full_name="Anna Orlova")
    essay = EssayFactory(essay_set__name="March")
    given = {"first": anna, "second": PersonFactory(full_name="Boris")}
    score(
        *(
            submitted(
                essay,
                assignment=AssignmentFactory(
                    essay=essay, role=role, expert=expert, state="submitted"
                ),
            )
            for role, expert in given.items()
        )
    )
    compute_agreement(set_id=essay.essay_set_id)

    page = coordinator.get("/agreement/?set=March")
    link, *_ = [each["href"] for each in page_of(page).find(".cards.two td a")]
    pairs = coordinator.get(link)

    named = {"Anna Orlova (a1)", "Boris"}
    assert {*texts_of(page, ".cards.two tbody th")[0].split(" – ")} == named
    assert {*texts_of(pairs, ".page-head p")[0].rpartition("; ")[2].split(" – ")} == named


@pytest.mark.usefixtures("checks")
def test_rows_of_the_desk_and_of_deadlines_name_them_apart(coordinator):
    desk = texts_of(coordinator.get("/desk/"), "tbody .chk")
    due = texts_of(coordinator.get("/deadlines/"), "tbody .a-second")

    named = [*ANNAS, ANNAS[0]]
    assert sorted(each.split(",")[0] for each in desk if "Anna" in each) == sorted(named)
    assert sorted(due) == sorted(named)


def test_the_checks_of_an_essay_and_its_pins_name_them_apart(coordinator, checks):
    anna, _same, other = checks
    second = AssignmentFactory(essay=anna.essay, role="second", expert=other.expert)
    Pin.objects.create(essay=anna.essay, expert=other.expert)

    page = page_of(coordinator.get(f"/desk/essays/{second.essay_id}/"))

    assert [each.text.partition(")")[0] + ")" for each in page.find("td.a-name")[:2]] == ANNAS
    assert page.one(".pins span").text == "Pinned to Anna Orlova (a2): plans keep to it."


def test_who_verifies_a_set_reads_them_apart(coordinator, checks):
    anna, _same, other = checks
    AssignmentFactory(essay=anna.essay, role="second", expert=other.expert)

    page = page_of(coordinator.get(f"/verdicts/sets/{anna.essay.essay_set_id}/"))

    assert [each.text.partition(",")[0].strip() for each in page.find("td .chk")] == ANNAS
    assert [each.text for each in page.find(".told a")] == ANNAS


def test_who_gets_checks_is_named_apart_before_and_after(coordinator, checks):
    boris = AssignmentFactory(expert=PersonFactory(full_name="Boris"))
    asked = {"act": "hand_over", "all": "1", "expert": boris.expert_id}
    asked["to"] = checks[0].expert_id

    page = page_of(coordinator.get("/desk/acts/new/", asked))
    sent = {name: page.one(f".narrow-left [name={name}]")["value"] for name in ("key", "seen")}
    coordinator.post("/desk/acts/new/", {**asked, **sent})
    done = coordinator.get(f"/desk/acts/{BulkAct.objects.get().key}/")

    assert "would go over to Anna Orlova (a1), " in page.find(".narrow-left form p")[0].text
    assert texts_of(done, "section p")[0] == "1 check was handed over to Anna Orlova (a1)."


@pytest.fixture
def essay():
    """An essay both Annas have checked."""
    essay = EssayFactory(essay_set__access="open")
    for role, login in (("first", "a1"), ("second", "a2")):
        anna = PersonFactory(username=login, full_name="Anna Orlova")
        check = AssignmentFactory(essay=essay, role=role, expert=anna, state="submitted")
        record = submitted(essay, assignment=check)
        audit(actor=anna, action="markup.submitted", target=record)
    return essay


def named_on(page, selector):
    """The names of the Annas there, with what is behind each in brackets."""
    return [found for each in page.find(selector) for found in ANNA.findall(each.text)]


def test_the_page_of_an_essay_and_its_protocol_name_them_apart_to_staff(coordinator, essay):
    page = page_of(coordinator.get(f"/essays/{essay.pk}/"))
    paper = page_of(coordinator.get(f"/essays/{essay.pk}/protocol/"))
    desk = page_of(coordinator.get(f"/desk/essays/{essay.pk}/"))

    places = (".tabs a", ".checks th", ".matrix tbody th", ".markup-list a")
    assert [named_on(page, place) for place in places] == [ANNAS] * 4
    assert [named_on(paper, place) for place in (".checks th", ".signed dd")] == [ANNAS] * 2
    assert named_on(desk, ".markup-list a") == ANNAS


def test_histories_of_an_essay_and_of_its_set_name_them_apart(coordinator, essay):
    page = page_of(coordinator.get(f"/essays/{essay.pk}/"))
    whole = page_of(coordinator.get(f"/verdicts/sets/{essay.essay_set_id}/history/"))

    for history in (page, whole):
        assert named_on(history, ".history b") == ANNAS[::-1]
        assert named_on(history, ".history li span") == ANNAS[::-1]


def test_checks_at_work_name_them_apart(coordinator, essay):
    anna = Assignment.objects.get(role="second")
    Assignment.objects.filter(pk=anna.pk).update(state="working")
    MarkupRecord.objects.filter(assignment=anna).update(state="draft", submitted_at=None)

    page = page_of(coordinator.get(f"/essays/{essay.pk}/"))

    assert named_on(page, ".at-work li") == ["Anna Orlova (a2)"]


@pytest.mark.parametrize("role", ["expert", "participant"])
def test_nobody_but_staff_reads_their_logins(log_in, essay, role):
    reader = Assignment.objects.get(role="first").expert if role == "expert" else None

    page = log_in(reader or PersonFactory(role=role)).get(f"/essays/{essay.pk}/")

    assert page.status_code == 200
    assert "(a1)" not in page.content.decode()
    assert "(a2)" not in page.content.decode()
