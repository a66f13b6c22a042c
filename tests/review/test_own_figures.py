"""What experts read of their own work, on the start page and beside the others."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from review.models import ThirdCheck
from scoring.models import CriteriaRecord, PairScore
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.steps import counted_by_sqlite, steps_of

pytestmark = pytest.mark.django_db

PAGE = "/queue/figures/"
COUNTS = {"n": 1, "m": 1, "found": 1, "equal_codes": 1, "equal_subcodes": 1}
COUNTS |= {"localization": 1.0, "equal_corrections": 0}


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="Spring")


def checked(essay_set, *experts, number="1", minutes=10, totals=(5, 5), m1=80.0, third=None):
    """An essay with the submitted checks of two experts, measured against each other."""
    essay = EssayFactory(essay_set=essay_set, number=number)
    records = []
    for expert, role, total in zip(experts, ("first", "second"), totals, strict=True):
        check = AssignmentFactory(
            essay=essay, expert=expert, role=role, state="submitted", submitted_at=timezone.now()
        )
        record = submitted(essay, assignment=check)
        record.active_seconds = minutes * 60
        record.save()
        CriteriaRecord.objects.create(markup=record, points={}, total=total)
        records.append(record)
    for one, other in (records, records[::-1]):
        PairScore.objects.create(
            assessed=one, reference=other, rules=essay_set.rules, m1=m1, **COUNTS
        )
    if third is not None:
        pair = {"first": records[0], "second": records[1]}
        ThirdCheck.objects.create(essay=essay, round=1, needed=third, **pair)
    return records


def cells(response, row="table.done tbody tr"):
    lines = page_of(response).find(row)
    return [[each.text for each in line.find("th") + line.find("td")] for line in lines]


def test_the_history_tells_points_agreement_and_what_became_of_the_third_check(log_in, essay_set):
    own, other = PersonFactory(), PersonFactory()
    checked(essay_set, own, other, number="1", totals=(5, 9), third=True)
    checked(essay_set, own, other, number="2", m1=None, third=False)
    checked(essay_set, own, other, number="3", m1=33.34)

    found = cells(log_in(own).get("/queue/"))

    assert [[line[0], *line[-3:]] for line in found] == [
        ["3", "5", "33.3", "not decided yet"],
        ["2", "5", "–", "not needed"],
        ["1", "5", "80.0", "called, not submitted yet"],
    ]


def test_while_another_check_of_the_essay_is_open_the_other_one_is_not_measured(log_in, essay_set):
    own, other = PersonFactory(), PersonFactory()
    (record, _) = checked(essay_set, own, other)
    AssignmentFactory(essay=record.essay, expert=own, role="second", round=2, state="waiting")

    (line,) = cells(log_in(own).get("/queue/"))

    assert line[-2] == "–"


def test_figures_stand_beside_the_median_of_three_others_and_name_nobody(log_in, essay_set):
    own = PersonFactory(full_name="Own Name")
    others = [PersonFactory(full_name=f"Other{number}") for number in range(3)]
    for at, other in enumerate(others):
        checked(essay_set, own, other, number=f"{at}", minutes=10 * (at + 1), third=at == 0)

    response = log_in(own).get(PAGE)

    assert cells(response, "table.own tbody tr") == [
        ["Spring English", "3 others 1", "20 others 20", "80.0 others 80.0", "33 % others 0 %"]
    ]
    assert "Other" not in response.content.decode()


def test_beside_two_others_nothing_is_told_of_them(log_in, essay_set):
    own, one, other = PersonFactory(), PersonFactory(), PersonFactory()
    checked(essay_set, own, one, number="1")
    checked(essay_set, own, other, number="2")

    response = log_in(own).get(PAGE)

    assert page_of(response).find("table.own tbody tr") != []
    assert [each for each in texts_of(response, "table.own .sub") if "others" in each] == []


def test_the_figures_take_the_same_queries_for_one_set_and_for_three(
    log_in, django_assert_num_queries
):
    own, other = PersonFactory(), PersonFactory()
    client = log_in(own)
    for count in (1, 2):
        for _each in range(count):
            checked(EssaySetFactory(), own, other)
        client.get(PAGE)
        with django_assert_num_queries(9):
            client.get(PAGE)


def test_without_any_check_the_page_says_so_and_a_stranger_gets_none(log_in):
    response = log_in(PersonFactory()).get(PAGE)
    statuses = [
        log_in(PersonFactory(role=role)).get(PAGE).status_code
        for role in ("coordinator", "participant", "judge")
    ]

    assert texts_of(response, ".empty b") == ["Nothing was submitted yet"]
    assert statuses == [403, 403, 403]
    assert Client().get(PAGE).headers["Location"].startswith("/login/")


@counted_by_sqlite
def test_what_others_mark_costs_the_start_page_nothing(essay_set, log_in):
    ann, *others = PersonFactory.create_batch(3)
    checked(essay_set, ann, others[0])
    desk, steps = log_in(ann), []
    for more in (0, 100):
        for number in range(more):
            checked(essay_set, *others, number=f"other {number}")
        desk.get("/queue/")
        steps.append(steps_of(lambda: desk.get("/queue/")))

    assert steps[1] <= 2 * steps[0] + 4  # so few hundreds are never quite the same


@counted_by_sqlite
def test_four_times_as_many_checks_cost_their_expert_four_times_as_much_at_most(essay_set, log_in):
    ann, bob = PersonFactory.create_batch(2)
    desk, steps = log_in(ann), []
    for first, last in ((0, 60), (60, 240)):
        for number in range(first, last):
            checked(essay_set, ann, bob, number=str(number))
        desk.get("/queue/")
        steps.append(steps_of(lambda: desk.get("/queue/")))

    assert steps[1] <= 4 * steps[0]
