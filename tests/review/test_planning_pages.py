from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import Assignment, Essay
from review.models.plans import ExpertLimit, Pin, Plan
from review.services.assigning import assign_expert
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

FIRST = Assignment.Role.FIRST
PINNED = "pinned to somebody who cannot have it"


@pytest.fixture
def coordinator():
    return PersonFactory(role=User.Role.COORDINATOR, full_name="Natalia")


@pytest.fixture
def desk(log_in, coordinator):
    return log_in(coordinator)


def previewed(desk, **asked):
    """The page of a new preview, and the form that confirms it."""
    page = desk.post("/planning/", asked, follow=True)
    plan = Plan.objects.get(state="preview")
    return page, f"/planning/{plan.pk}/", {"seen": plan.digest}


def test_a_plan_is_shown_before_it_is_written_and_confirmed_by_one_press(desk):
    for name in ("Ann", "Bob", "Cy"):
        PersonFactory(full_name=name)
    EssayFactory.create_batch(3)

    page, address, seen = previewed(desk)
    before = Assignment.objects.count()
    done = desk.post(f"{address}confirm/", seen, follow=True)

    assert (before, Assignment.objects.count()) == (0, 6)
    assert texts_of(page, ".plan .key") == ["6 of 6 checks"]
    assert texts_of(page, ".points-list li")[:2] == [
        "3 experts get 2 checks",
        "Open checks each of them will have: 2, words: 46",
    ]
    assert texts_of(page, "#unfilled h3") == ["Every check finds somebody"]
    assert texts_of(page, ".load-table tbody th") == ["Ann", "Bob", "Cy"]
    assert texts_of(page, ".load-table td.num")[0] == "0 → 2"
    assert texts_of(done, ".messages .notice") == ["6 checks were given."]
    assert len(texts_of(done, "tbody tr")) == 3


def test_the_plan_is_hatched_beside_what_is_open_and_ends_at_the_limit(desk):
    ann = PersonFactory(full_name="Ann")
    AssignmentFactory(expert=ann, state="working", role="third")
    AssignmentFactory(expert=ann, role="third")
    chosen = EssaySetFactory()
    EssayFactory.create_batch(2, essay_set=chosen)

    page, _address, _seen = previewed(desk, essay_set=chosen.pk, limit=4)

    bar = page_of(page).one(".load-table svg")
    assert bar["aria-label"] == "In work 1, not begun 1, by this plan 2"
    parts = [(each["class"], each["x"], each["width"]) for each in bar.find("rect")]
    assert parts == [
        ("solid", "0.0", "49.5"),
        ("soft", "49.5", "49.5"),
        ("planned", "99.0", "99.0"),
    ]
    assert bar.one("rect[fill]")["fill"] == "url(#hatch)"
    assert bar.one("path.limit")["d"] == "M198.0 0V14"


def test_a_bar_with_what_is_taken_and_what_is_added_fits_its_drawing(desk):
    ann = PersonFactory(full_name="Ann")
    _page, address, _seen = previewed(desk)
    had, has, taken = 4, 3, [[1, "first", ann.pk], [2, "first", ann.pk]]
    plan = Plan.objects.get()
    plan.outcome |= {"loads": [[ann.pk, had, 0, has, 0]], "taken": taken}
    plan.save()

    bar = page_of(desk.get(address)).one(".load-table svg")

    assert [(each["class"], each["x"], each["width"]) for each in bar.find("rect")] == [
        ("soft", "0.0", "79.2"),
        ("lost", "79.2", "79.2"),
        ("planned", "158.4", "39.6"),
    ]


def test_who_gets_as_many_as_are_taken_from_them_is_counted(desk):
    ann, bob = (PersonFactory(full_name=name) for name in ("Ann", "Bob"))
    _page, address, _seen = previewed(desk)
    plan = Plan.objects.get()
    plan.outcome |= {
        "loads": [[ann.pk, 4, 40, 4, 40], [bob.pk, 4, 40, 3, 30]],
        "taken": [[1, "first", ann.pk], [2, "first", ann.pk], [3, "first", bob.pk]],
        "given": [[4, "first", ann.pk, False], [5, "first", ann.pk, False]],
    }
    plan.save()

    points = texts_of(desk.get(address), ".points-list li")[:2]

    assert points == [
        "1 expert gets 2 checks",
        "Open checks each of them will have: 4, words: 40",
    ]


def test_before_a_plan_is_withdrawn_it_is_said_that_what_it_took_does_not_go_back(desk):
    PersonFactory.create_batch(2)
    EssayFactory()
    _page, address, seen = previewed(desk)
    desk.post(f"{address}confirm/", seen)
    Plan.objects.update(taken=2)

    asked = texts_of(desk.get(f"{address}withdraw/"), ".help")
    done = page_of(desk.get(address)).one(".page-head p").text

    assert [each.split(". ")[-1] for each in asked] == [
        "2 checks that the plan took from others do not go back."
    ]
    assert "for nobody: 0 · taken away by the plan: 2" in done


def test_what_finds_nobody_stands_there_with_the_reason_and_the_press_that_helps(desk):
    ann, bob = PersonFactory(full_name="Ann"), PersonFactory(full_name="Bob")
    essays = [EssayFactory(number=f"{number:04}") for number in (1, 2)]
    Pin.objects.create(essay=essays[1], expert=PersonFactory(full_name="Eve", subjects=["hist"]))

    page, _address, _seen = previewed(desk, limit=1, out=[bob.pk])

    assert texts_of(page, ".unfilled tbody tr") == [
        "0001 second check who is left is left out of the plan Bob Let Bob in",
        f"0002 first check {PINNED} (marks other subjects) Eve Take the pin out",
        "0002 second check everybody who is left has reached the limit Ann Raise to 2",
    ]
    again = desk.post("/planning/", {"limit": 1, "out": [bob.pk], "allow": bob.pk}, follow=True)
    assert "everybody who is left has reached the limit" in texts_of(again, ".unfilled")[0]
    (raised,) = {each["value"] for each in page_of(again).find("button[name=raise_to]")}
    helped = desk.post("/planning/", {"limit": 1, "raise_to": raised}, follow=True)
    assert texts_of(helped, ".plan .key") == ["3 of 4 checks"]
    assert ann in User.objects.filter(assignments=None)


def test_checks_of_one_reason_are_one_line_and_named_one_by_one_behind_it(desk):
    essay_set = EssaySetFactory()
    for number in range(30):
        EssayFactory(essay_set=essay_set, number=f"{number:04}")

    page, address, _seen = previewed(desk, essay_set=essay_set.pk)
    links = [each["href"] for each in page_of(page).find(".unfilled details a")]
    (link,) = [each for each in links if "reason" in each]
    alone = desk.get(f"{address}{link}")

    assert texts_of(page, ".unfilled summary") == ["60 checks"]
    assert len(texts_of(page, ".unfilled tbody tr")) == 1
    assert texts_of(page, ".unfilled li")[:3] == [
        "0000, first check",
        "0000, second check",
        "0001, first check",
    ]
    assert (len(texts_of(page, ".unfilled li")), link) == (20, "?reason=0#unfilled")
    assert len(texts_of(alone, ".unfilled tbody tr")) == 50
    assert texts_of(alone, "#unfilled .pager span")[0] == "1–50 of 60"


def test_who_comes_second_reads_that_all_is_given_and_not_to_confirm_again(desk, log_in):
    for name in ("Ann", "Bob"):
        PersonFactory(full_name=name)
    EssayFactory()
    other = log_in(PersonFactory(role="coordinator"))
    plans = []
    for each in (desk, other):
        each.post("/planning/")
        plans.append(Plan.objects.latest("pk"))

    for each, plan in zip((desk, other), plans, strict=True):
        shown = each.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest}, follow=True)

    assert texts_of(shown, ".messages .warn") == [
        "Nothing was given: what you looked at is given already, or nobody can take it."
    ]


@pytest.mark.parametrize(("state", "forms"), [("working", 1), ("submitted", 0)])
def test_an_essay_whose_two_checks_are_submitted_is_pinned_to_nobody(desk, state, forms):
    PersonFactory(full_name="Ann")
    essay = EssayFactory()
    for role in ("first", "second"):
        AssignmentFactory(essay=essay, role=role, state=state)

    shown = page_of(desk.get(f"/desk/essays/{essay.pk}/"))

    assert len(shown.find(f"form[action=/desk/essays/{essay.pk}/pin/]")) == forms


def test_what_changed_since_the_preview_is_named_and_nothing_is_given(desk, coordinator):
    ann, bob = PersonFactory(full_name="Ann"), PersonFactory(full_name="Bob")
    essay = EssayFactory(number="0412")
    _page, address, seen = previewed(desk)
    assign_expert(essay=essay, expert=bob, role=FIRST, actor=coordinator)

    shown = desk.post(f"{address}confirm/", seen, follow=True)

    assert texts_of(shown, ".messages .warn") == [
        "Nothing was given: something changed since you looked. See below, then confirm."
    ]
    assert texts_of(shown, ".changed tbody tr") == [
        "0412 first check Ann Bob has it already",
        "0412 second check Bob Ann",
    ]
    assert list(ann.assignments.all()) == []
    fresh = page_of(shown).one("input[name=seen]")["value"]
    desk.post(f"{address}confirm/", {"seen": fresh})
    assert [each.role for each in ann.assignments.all()] == ["second"]


def test_a_plan_is_withdrawn_once_the_question_is_answered(desk):
    PersonFactory(full_name="Ann")
    PersonFactory(full_name="Bob")
    EssayFactory()
    _page, address, seen = previewed(desk)
    done = desk.post(f"{address}confirm/", seen, follow=True)

    question = desk.get(f"{address}withdraw/")
    untouched = set(Assignment.objects.values_list("state", flat=True))
    after = desk.post(f"{address}withdraw/", follow=True)
    later = desk.get(f"{address}withdraw/")

    assert texts_of(done, ".page-head a.danger") == ["Withdraw 2 checks not begun…"]
    assert texts_of(question, "form p b") == ["2 checks nobody has begun"]
    assert texts_of(question, ".remarks li") == ["Ann: 1", "Bob: 1"]
    assert untouched == {"waiting"}
    assert texts_of(after, ".messages .notice") == ["2 checks were withdrawn."]
    assert texts_of(after, ".page-head p") == [
        "Natalia · All essay sets · given: 2, for nobody: 0 withdrawn"
    ]
    assert set(Assignment.objects.values_list("state", flat=True)) == {"withdrawn"}
    assert [row.split()[-5:] for row in texts_of(desk.get("/planning/"), ".plans tbody tr")] == [
        ["Natalia", "2", "0", "0", "withdrawn"]
    ]
    assert later["Location"] == address


def test_one_press_raises_the_limit_for_those_whom_no_limit_of_their_own_holds_back(desk):
    for name in ("Ann", "Bob", "Cy"):
        person = PersonFactory(full_name=name)
    ExpertLimit.objects.create(expert=person, checks=1)
    EssayFactory.create_batch(6)

    page, _address, _seen = previewed(desk, limit=2)
    raised = {each["value"] for each in page_of(page).find("button[name=raise_to]")}
    helped = desk.post("/planning/", {"limit": 2, "raise_to": max(raised)}, follow=True)

    assert texts_of(helped, ".plan .key") == ["12 of 12 checks"]


def test_plans_that_were_carried_out_say_of_which_essays_they_are(desk):
    PersonFactory()
    march, may = (EssayFactory(essay_set__name=name).essay_set for name in ("March", "May"))
    asked = [{"essay_set": march.pk, "subject": "eng"}, {"essay_set": may.pk}, {}]
    told, another = [], EssaySetFactory(name="Another")
    for each in asked:
        EssayFactory(essay_set=another)
        _page, address, seen = previewed(desk, **each)
        done = desk.post(f"{address}confirm/", seen, follow=True)
        told.append(texts_of(done, ".page-head p")[0].partition(" · given")[0])

    listed = texts_of(desk.get("/planning/"), ".plans .of-what")

    assert told == ["Natalia · March, English", "Natalia · May", "Natalia · All essay sets"]
    assert listed == ["All essay sets", "May", "March, English"]


def test_the_desk_leads_to_a_plan_of_the_set_that_is_shown(desk):
    EssayFactory(essay_set=EssaySetFactory(name="B & C"))

    links = page_of(desk.get("/desk/", {"set": "B & C"})).find(".page-head a")
    (link,) = (each for each in links if each["href"].startswith("/planning/"))
    chosen = page_of(desk.get(link["href"])).one("#id_essay_set option[selected]")
    assert chosen.text == "B & C"


def test_what_cannot_be_asked_is_said_at_its_field(desk):
    page = desk.post("/planning/", {"limit": 0, "essay_set": "x"})

    assert (page.status_code, len(texts_of(page, ".help.bad")), Plan.objects.count()) == (422, 2, 0)


@pytest.mark.parametrize("role", ["expert", "participant", "judge"])
def test_strangers_do_not_plan(log_in, role):
    client = log_in(PersonFactory(role=role))

    found = [client.get(f"/planning/{page}").status_code for page in ("", "experts/")]
    assert [*found, client.post("/planning/").status_code] == [403, 403, 403]
    assert Client().get("/planning/").headers["Location"] == "/login/?next=/planning/"
    assert "Planning" not in texts_of(client.get("/no/such/page/"), "header nav a")


def test_nobody_sees_the_preview_of_somebody_else(desk, log_in):
    PersonFactory.create_batch(2)
    EssayFactory()
    _page, address, seen = previewed(desk)
    other = log_in(PersonFactory(role=User.Role.ORGANISER))

    ways = [other.get(address), other.post(f"{address}confirm/", seen)]
    assert [each.status_code for each in ways] == [404, 404]
    assert Assignment.objects.count() == 0


def test_a_thousand_essays_for_thirty_experts_through_the_page(desk):
    experts = PersonFactory.create_batch(30)
    essays = EssaySetFactory()
    Essay.objects.bulk_create(
        EssayFactory.build(essay_set=essays, text="word " * (50 + number % 300))
        for number in range(1000)
    )

    page, address, seen = previewed(desk, limit=70)
    with CaptureQueriesContext(connection) as asked:
        desk.get(address)
    desk.post(f"{address}confirm/", seen)

    held = [each.assignments.count() for each in experts]
    assert texts_of(page, ".plan .key") == ["2000 of 2000 checks"]
    assert (sum(held), max(held) <= 70) == (2000, True)
    assert Plan.objects.get().checks.count() == 2000
    assert len(asked) <= 20


def costs(desk, address):
    desk.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert desk.get(address).status_code == 200
    return len(asked)


def test_every_page_asks_as_often_for_many_as_for_few(desk):
    found = []
    for count in (3, 30):
        PersonFactory.create_batch(count + 2)
        EssayFactory.create_batch(count)
        _page, preview, seen = previewed(desk, limit=1)
        one = costs(desk, preview)
        desk.post(f"{preview}confirm/", seen)
        found.append([one, *(costs(desk, each) for each in (preview, "/planning/"))])
        found[-1].append(costs(desk, "/planning/experts/"))

    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("query", "wanted", "picked"),
    [
        ("?set=Spring&subject=eng", "any", {}),
        ("?set=Spring&subject=eng&state=returned", "returned", {}),
        ("?set=Spring&subject=eng&state=unassigned&order=due", "any", {"state": "unassigned"}),
        ("?set=Spring&subject=eng&state=late&q=0001", "any", {"state": "late", "q": "0001"}),
        ("?set=Spring&subject=eng&expert={expert}", "any", {"expert": "{expert}"}),
    ],
)
def test_the_planner_takes_the_whole_filter_of_the_desk(log_in, query, wanted, picked):
    essay_set = EssaySetFactory(name="Spring")
    expert = PersonFactory(full_name="Anna")
    AssignmentFactory(essay__essay_set=essay_set, expert=expert)
    client = log_in(PersonFactory(role="coordinator"))
    desk = page_of(client.get(f"/desk/{query.format(expert=expert.pk)}"))
    (link,) = [each for each in desk.find("a") if each["href"].startswith("/planning/?")]

    page = page_of(client.get(link["href"]))

    chosen = {each["value"] for each in page.find("select option") if "selected" in each.attributes}
    assert chosen == {str(essay_set.pk), "eng", wanted}
    kept = {each["name"]: each["value"] for each in page.find(".picked input")}
    assert kept == {name: value.format(expert=expert.pk) for name, value in picked.items()}


@pytest.mark.parametrize("state", ["preparing", "closed"])
def test_where_a_set_is_not_open_the_plan_says_so(desk, state):
    waiting = EssayFactory(essay_set__name="May", essay_set__state=state).essay_set
    for name in ("Ann", "Bob"):
        PersonFactory(full_name=name)

    page, _address, _seen = previewed(desk, essay_set=waiting.pk)
    of_all, _address, _seen = previewed(desk)

    told = f"May is {waiting.get_state_display()}: no checks are given in it."
    assert texts_of(page, "#unfilled h3") == ["No check is missing that could be given"]
    assert texts_of(page, "#unfilled .notice") == [told]
    assert texts_of(of_all, "#unfilled .notice") == ([told] if state == "preparing" else [])
