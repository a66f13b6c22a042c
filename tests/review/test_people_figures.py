"""What stands beside experts in the list of people."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from annotator.models import MarkupRecord
from review.services.assigning import withdraw
from scoring.models import PairScore
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.steps import counted_by_sqlite, steps_of

pytestmark = pytest.mark.django_db

NOW = timezone.now()
FIGURES = {"equal_codes": 1, "equal_subcodes": 1, "localization": 1, "equal_corrections": 1}


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def given(expert, state, days=1, **fields):
    deadline = NOW + timedelta(days=days)
    return AssignmentFactory(expert=expert, state=state, deadline_at=deadline, **fields)


def done(expert, seconds, essay=None):
    check = given(expert, "submitted", essay=essay or EssayFactory())
    record = submitted(check.essay, assignment=check)
    MarkupRecord.objects.filter(pk=record.pk).update(active_seconds=seconds, active_at=NOW)
    return record


def agree(one, other, n, m, found):
    PairScore.objects.create(
        assessed=one,
        reference=other,
        rules=one.essay.essay_set.rules,
        m1=90,
        n=n,
        m=m,
        found=found,
        **FIGURES,
    )


@pytest.fixture
def ann():
    """Given 7 checks, 3 done, 1 late, 1 handed back; one taken away counts for nothing."""
    ann, bob = PersonFactory(full_name="Ann"), PersonFactory(full_name="Bob")
    for seconds, *counts in ((600, 3, 1, 2), (1200, 2, 3, 1), (6000, 0, 0, 0)):
        own = done(ann, seconds)
        check = given(bob, "submitted", essay=own.essay, role="second")
        other = submitted(own.essay, assignment=check)
        robot = submitted(own.essay, source="algorithm")
        agree(own, other, *counts)
        agree(robot, own, 9, 9, 1)
    DraftFactory(assignment=given(ann, "working", days=-1))
    given(ann, "waiting", days=2)
    given(ann, "waiting")
    given(ann, "returned", days=-3)
    given(ann, "withdrawn", days=-3)
    return ann


def cells(desk, person, query=""):
    rows = page_of(desk.get(f"/people/{query}")).find("tbody tr")
    row = next(row for row in rows if person.full_name in row.text)
    return [cell.text for cell in row.find("td.fig")]


def test_the_figures_of_an_expert(desk, ann):
    seen = date_format(timezone.localtime(NOW), "SHORT_DATE_FORMAT")

    assert cells(desk, ann) == ["7", "3", "1", "1", "20", "80.0", seen]


def test_who_did_nothing_has_no_figures(desk):
    new = PersonFactory(full_name="New", last_login=None)

    assert cells(desk, new) == [*"––––––", "never"]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("late", ["Ann", "Bob", "Cid"]),
        ("given", ["Ann", "Bob", "Cid"]),
        ("-given", ["Cid", "Bob", "Ann"]),
        ("nonsense", ["Ann", "Bob", "Cid"]),
        ("password", ["Ann", "Bob", "Cid"]),
    ],
)
def test_people_stand_in_the_order_of_a_figure(desk, ann, sort, names):  # noqa: ARG001
    PersonFactory(full_name="Cid")

    page = desk.get(f"/people/?sort={sort}")

    shown = [name for name in texts_of(page, ".a-name a") if name in names]
    assert shown == names


def test_fifty_people_cost_what_one_does(desk, ann, django_assert_num_queries):  # noqa: ARG001
    for query in ("", "?sort=agreement", "?sort=-seen_at"):
        with django_assert_num_queries(7):
            desk.get(f"/people/{query}")
    for _ in range(50):
        done(PersonFactory(), 60)
    for query in ("", "?sort=agreement", "?sort=-seen_at"):
        with django_assert_num_queries(7):
            desk.get(f"/people/{query}")


def test_the_desk_lists_what_an_expert_holds(desk, ann):  # noqa: ARG001
    (link,) = page_of(desk.get("/people/?q=Ann")).find("td.fig a")

    page = desk.get(link["href"])

    assert (link.text, page.context["page"].paginator.count) == ("7", 6)  # handed back: not held


def test_closing_says_what_went_back_where(desk, ann):
    told = texts_of(desk.post(f"/people/{ann.pk}/activity/", follow=True), ".messages li")

    assert told[0] == "Ann: the account is closed."
    assert len(told) == 4  # each of the three checks is of a set of its own
    assert all("1 check went back to the desk of set-" in each for each in told[1:])
    assert [each for each in told if "Drafts kept: 1." in each] != []


def test_after_an_account_is_closed_a_plan_of_what_came_back_is_one_press_away(desk):
    gone = PersonFactory(full_name="Ann")
    back = AssignmentFactory(expert=gone, essay=EssayFactory(number="b1"))
    AssignmentFactory(expert=gone, role="third", essay=EssayFactory(number="t1"))
    PersonFactory(full_name="Bob")

    page = desk.post(f"/people/{gone.pk}/activity/", follow=True)
    (link,) = page_of(page).find(".messages a")
    form = page_of(desk.get(link["href"]))
    chosen = form.one("select[name=essay_set] option[selected]")

    assert (link.text, int(chosen["value"])) == (
        "Plan the checks nobody has",
        back.essay.essay_set_id,
    )


def test_the_plan_after_an_account_is_closed_is_of_the_essays_whose_checks_came_back(desk):
    gone = PersonFactory(full_name="Ann")
    back = AssignmentFactory(expert=gone, essay=EssayFactory(number="b1"))
    EssayFactory(number="b2", essay_set=back.essay.essay_set)  # nobody has ever had a check of it
    PersonFactory(full_name="Bob")

    page = desk.post(f"/people/{gone.pk}/activity/", follow=True)
    (link,) = page_of(page).find(".messages a")
    form = page_of(desk.get(link["href"]))

    assert link["href"] == f"/planning/?set={back.essay.essay_set.name}&essay={back.essay_id}"
    assert form.one("input[name=ticked]")["value"] == str(back.essay_id)


def test_after_an_account_with_very_many_checks_is_closed_the_plan_is_of_these_very_essays(desk):
    gone, essay_set = PersonFactory(full_name="Ann"), EssaySetFactory(name="Large")
    back = EssayFactory.create_batch(101, essay_set=essay_set)
    for essay in back:
        AssignmentFactory(expert=gone, essay=essay)
    taken = AssignmentFactory(expert=gone, essay=EssayFactory(essay_set=essay_set))
    withdraw(assignment=taken, actor=PersonFactory(role="coordinator"))
    AssignmentFactory(expert=gone, essay=EssayFactory(number="elsewhere"))
    EssayFactory(essay_set=essay_set, number="nobody had it")

    page = desk.post(f"/people/{gone.pk}/activity/", follow=True)
    link = next(each for each in page_of(page).find(".messages a") if "Large" in each["href"])
    form = page_of(desk.get(link["href"]))

    assert link["href"] == f"/planning/?set=Large&left={gone.pk}"
    ticked = form.one("input[name=ticked]")["value"].split(",")
    assert ticked == [str(each.pk) for each in back]


@counted_by_sqlite
def test_four_times_as_many_checks_cost_the_list_four_times_as_much_at_most(desk):
    essay_set, steps = EssaySetFactory(), []
    one, other = PersonFactory(), PersonFactory()
    for more in (20, 60):
        for essay in EssayFactory.create_batch(more, essay_set=essay_set):
            agree(*(submitted(essay, author=each) for each in (one, other)), 1, 1, 1)
        steps.append(steps_of(lambda: desk.get("/people/?sort=agreement")))

    assert steps[1] <= 4 * steps[0]
