"""A plan of what the desk lists: by its filter, by ticks, and after an act on checks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from annotator.models import Assignment, Essay
from review.core.plan_options import Options, Picked, picked_of
from review.models.plans import Plan
from review.services.plans import confirm_plan, preview_plan
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.review.test_acts import sent_by

pytestmark = pytest.mark.django_db

STATES = ("first", "second")


@pytest.fixture
def coordinator():
    return PersonFactory(role=User.Role.COORDINATOR, full_name="Natalia")


@pytest.fixture
def desk(log_in, coordinator):
    return log_in(coordinator)


@pytest.fixture
def spring():
    """Essays of which each lacks one check: 0001 is late, 0002 is Anna's, 0003 is of the sea."""
    essay_set = EssaySetFactory(name="Spring")
    anna, boris = (PersonFactory(full_name=name) for name in ("Anna", "Boris"))
    late, hers, of_sea = (
        EssayFactory(essay_set=essay_set, number=f"000{n}", theme=theme)
        for n, theme in ((1, "Home"), (2, "Home"), (3, "The sea"))
    )
    over = timezone.now() - timedelta(days=1)
    AssignmentFactory(essay=late, expert=boris, deadline_at=over)
    AssignmentFactory(essay=hers, expert=anna)
    AssignmentFactory(essay=of_sea, expert=boris)
    PersonFactory.create_batch(3)
    return essay_set


def numbers(plan):
    """The essays a plan gives checks of, by their numbers."""
    found = {row[0] for row in plan.outcome["given"]}
    return sorted(Essay.objects.filter(pk__in=found).values_list("number", flat=True))


def picked_in(form):
    """What of the desk's list a form sends along."""
    return {each["name"]: each["value"] for each in form.find(".picked input")}


def pks(*found):
    essays = dict(Essay.objects.values_list("number", "pk"))
    return tuple(sorted(essays[number] for number in found))


@pytest.mark.parametrize(
    ("query", "words", "planned"),
    [
        ("", [], ["0001", "0002", "0003"]),
        ("&state=late", ["state: Late"], ["0001"]),
        ("&q=sea", ["search: “sea”"], ["0003"]),
        ("&expert={anna}", ["expert: Anna"], ["0002"]),
        ("&state=unassigned", ["state: Not assigned"], ["0001", "0002", "0003"]),
        ("&state=late&q=sea", ["state: Late", "search: “sea”"], []),
        ("&state=third", ["state: Wait for the third"], []),
    ],
)
def test_a_plan_is_of_what_the_desk_lists(desk, spring, query, words, planned):
    anna = User.objects.get(full_name="Anna")
    listed = page_of(desk.get(f"/desk/?set=Spring{query.format(anna=anna.pk)}"))
    (way,) = [each for each in listed.find("a") if each["href"].startswith("/planning/?")]
    form = page_of(desk.get(way["href"]))

    asked = {"essay_set": spring.pk, "wanted": "any"} | picked_in(form)
    page = desk.post("/planning/", asked, follow=True)

    plan = Plan.objects.get()
    assert numbers(plan) == planned
    assert texts_of(page, ".picked label") == words
    assert texts_of(page, ".page-head p") == [
        f"{', '.join(['Spring', *words])} · nothing is written yet"
    ]


def test_the_ticked_essays_of_the_desk_are_planned_and_no_others(desk, spring):
    ticked = pks("0003", "0001")
    listed = page_of(desk.get("/desk/?set=Spring&state=unassigned"))
    button = listed.one(".bulk button[name=these]")
    asked = {"set": "Spring", "state": "unassigned", "these": "1", "essay": ticked}

    form = page_of(desk.get(button["formaction"], asked))
    desk.post("/planning/", picked_in(form) | {"essay_set": spring.pk, "wanted": "any"})
    plan = Plan.objects.get()
    shown = texts_of(desk.get(f"/planning/{plan.pk}/"), ".picked label")
    desk.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest})
    listed, done = desk.get("/planning/"), desk.get(f"/planning/{plan.pk}/")

    assert numbers(plan) == ["0001", "0003"]
    assert Options.from_json(plan.options).picked == Picked(ticked=ticked)
    assert shown == ["2 ticked essays"]
    assert texts_of(listed, "td.of-what") == ["Spring, 2 ticked essays"]
    assert "Spring, 2 ticked essays" in texts_of(done, ".page-head p")[0]
    assert texts_of(done, "tbody th") == ["0001", "0003"]


@pytest.mark.usefixtures("spring")
def test_where_all_of_the_list_is_ticked_its_filter_is_planned(desk):
    asked = {"set": "Spring", "q": "sea", "these": "1", "all": "1", "essay": pks("0001")}

    form = page_of(desk.get("/planning/", asked))

    assert texts_of(desk.get("/planning/", asked), ".picked label") == ["search: “sea”"]
    assert form.one(".picked input")["value"] == "sea"


@pytest.mark.usefixtures("spring")
def test_where_nothing_is_ticked_it_is_said(desk):
    page = desk.get("/planning/", {"set": "Spring", "these": "1"})

    assert page.status_code == 422
    assert "Nothing is ticked: choose essays in the list first" in page.content.decode()


@pytest.mark.usefixtures("spring")
def test_a_stranger_plans_nothing_of_the_desk(log_in):
    expert = log_in(PersonFactory(role="expert"))

    assert expert.get("/planning/", {"these": "1", "essay": pks("0001")}).status_code == 403
    assert expert.post("/planning/", {"wanted": "any", "ticked": "1"}).status_code == 403
    assert not Plan.objects.exists()


@pytest.mark.usefixtures("spring")
def test_who_only_reads_the_desk_has_no_button_to_plan(log_in):
    commission = log_in(PersonFactory(role="commission"))

    assert page_of(commission.get("/desk/?set=Spring")).find("button[name=these]") == []


def test_a_part_that_is_unticked_in_the_form_is_kept_to_no_more(desk, spring):
    late = {"essay_set": spring.pk, "wanted": "any", "state": "late"}
    desk.post("/planning/", late)
    plan = Plan.objects.get()
    sent = {"essay_set": spring.pk, "wanted": "any", "seen": plan.digest}

    page = desk.post(f"/planning/{plan.pk}/confirm/", sent, follow=True)
    plan.refresh_from_db()

    (said,) = texts_of(page, ".messages .notice")
    assert said.startswith("You changed: what of the desk’s list is planned. Nothing was given")
    assert (plan.state, numbers(plan)) == ("preview", ["0001", "0002", "0003"])
    assert page_of(page).find(".picked") == []


def test_a_form_with_a_mistake_keeps_what_is_picked(desk, spring):
    asked = {"essay_set": spring.pk, "wanted": "any", "limit": "0", "q": "sea", "ticked": "1,2"}

    page = desk.post("/planning/", asked)

    assert page.status_code == 422
    assert texts_of(page, ".picked label") == ["search: “sea”", "2 ticked essays"]


def test_the_filter_is_asked_anew_at_the_confirmation(coordinator, spring):
    asked = Options(essay_set=spring.pk, picked=Picked(state="late"))
    plan = preview_plan(options=asked, actor=coordinator)
    before, seen = numbers(plan), plan.digest
    Assignment.objects.update(deadline_at=timezone.now() + timedelta(days=1))
    count = Assignment.objects.count()

    plan = confirm_plan(plan=plan, seen=seen, actor=coordinator)

    (work,) = pks("0001")
    assert (before, numbers(plan), plan.state) == (["0001"], [], "preview")
    assert [row[:2] + row[4:] for row in plan.changes] == [[work, "second", True, False]]
    assert Assignment.objects.count() == count


@pytest.mark.usefixtures("spring")
def test_after_checks_were_taken_away_the_very_essays_are_planned(desk):
    anna = User.objects.get(full_name="Anna")
    question = page_of(desk.get(f"/desk/acts/new/?act=withdraw&all=1&set=Spring&expert={anna.pk}"))
    page = page_of(desk.post("/desk/acts/new/", sent_by(question), follow=True))
    (way,) = [each for each in page.find("main a") if each["href"].startswith("/planning/")]

    form = page_of(desk.get(way["href"]))
    desk.post("/planning/", picked_in(form) | {"wanted": "any"})

    assert texts_of(desk.get(way["href"]), ".picked label") == ["1 ticked essay"]
    assert numbers(Plan.objects.get()) == ["0002"]


def test_ticked_essays_without_anything_to_give_are_counted(desk, spring):
    busy = EssayFactory(essay_set=spring)
    for role in STATES:
        AssignmentFactory(essay=busy, role=role)
    closed = EssayFactory(essay_set__state="closed")
    ticked = ",".join(map(str, [busy.pk, closed.pk, *pks("0001")]))

    page = desk.post("/planning/", {"wanted": "any", "ticked": ticked}, follow=True)

    told = [each for each in texts_of(page, ".points-list li") if "ticked" in each]
    assert told == ["2 ticked essays have no check to give, or their sets are not open"]
    assert numbers(Plan.objects.get()) == ["0001"]


def test_a_thousand_ticked_essays_are_planned_in_as_many_queries_as_one(desk, coordinator):
    PersonFactory.create_batch(3)
    essays = EssaySetFactory()
    first = EssayFactory(essay_set=essays)
    Essay.objects.bulk_create(
        Essay(
            essay_set=essays,
            number=f"n{n}",
            subject=first.subject,
            text=first.text,
        )
        for n in range(1000)
    )
    everybody = list(Essay.objects.values_list("pk", flat=True))
    costs = []
    for some in (everybody[:1], everybody[:1], everybody[:1000]):
        with CaptureQueriesContext(connection) as asked:
            desk.post("/planning/", {"wanted": "any", "ticked": ",".join(map(str, some))})
        plan = Plan.objects.get(state="preview")
        with CaptureQueriesContext(connection) as shown:
            desk.get(f"/planning/{plan.pk}/")
        costs.append((len(asked), len(shown)))

    plan = confirm_plan(plan=plan, seen=plan.digest, actor=coordinator)

    assert (plan.state, plan.given) == ("done", 2000)
    assert costs[1] == costs[2]


@pytest.mark.usefixtures("spring")
def test_a_plan_is_the_same_in_whatever_order_essays_were_ticked(coordinator):
    found = pks("0001", "0002", "0003")
    digests = set()
    for order in (found, found[::-1]):
        picked = picked_of({"ticked": ",".join(map(str, order))})
        digests.add(preview_plan(options=Options(picked=picked), actor=coordinator).digest)

    assert len(digests) == 1


@pytest.mark.parametrize("ticked", ["", "x,-1,٣", ",", "9" * 30])
def test_ticks_that_are_no_numbers_pick_nothing(ticked):
    assert picked_of({"ticked": ticked, "state": "nowhere", "expert": "x"}) == Picked()
