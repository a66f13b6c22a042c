from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from annotator.models import Assignment, MarkupRecord
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

ESSAYS = "table tbody th"


@pytest.fixture
def expert():
    return PersonFactory()


def given(expert, number, **fields):
    fields.setdefault("deadline_at", timezone.now() + timedelta(days=2, minutes=1))
    essay = EssayFactory(number=number)
    return AssignmentFactory(essay=essay, expert=expert, **fields)


def test_the_queue_lists_work_by_deadline_and_what_is_done(log_in, expert):
    now = timezone.now()
    given(expert, "0003", deadline_at=now + timedelta(days=3))
    given(expert, "0001", deadline_at=now - timedelta(days=1), state="working")
    given(expert, "0002", state="submitted", submitted_at=now)
    given(expert, "0004", state="withdrawn")
    given(PersonFactory(), "0005")

    response = log_in(expert).get("/queue/")

    assert texts_of(response, ".page-head p") == ["2 essays wait for you."]
    assert texts_of(response, ESSAYS) == ["0001", "0003", "0002"]
    assert texts_of(response, "button.primary") == ["Go on 0001", "Start 0003"]
    assert ["late" in each["class"] for each in page_of(response).find(".left-time")] == [
        True,
        False,
    ]


def test_the_queue_names_the_sets_of_equal_numbers_where_there_are_several(log_in, expert):
    first, other = (EssayFactory(number="0001") for _ in range(2))
    browser = log_in(expert)
    AssignmentFactory(essay=first, expert=expert)
    assert texts_of(browser.get("/queue/"), ".set-name") == []

    AssignmentFactory(essay=other, expert=expert)

    names = {first.essay_set.name, other.essay_set.name}
    assert len(names) == 2
    assert set(texts_of(browser.get("/queue/"), ".set-name")) == names


def test_submitted_checks_name_their_sets_where_there_are_several(log_in, expert):
    browser, essays = log_in(expert), [EssayFactory(number="0001") for _ in range(2)]
    shown = []
    for essay in essays:
        AssignmentFactory(essay=essay, expert=expert, state="submitted")
        shown.append(set(texts_of(browser.get("/queue/"), ".done .set-name")))

    assert shown == [set(), {each.essay_set.name for each in essays}]


def test_an_empty_queue_says_what_will_come(log_in, expert):
    response = log_in(expert).get("/queue/")

    assert texts_of(response, ".empty b") == ["Nothing waits"]
    assert texts_of(response, ".page-head p") == []


def test_the_queue_takes_the_same_queries_for_one_essay_and_for_five(
    log_in, expert, django_assert_num_queries
):
    client = log_in(expert)
    for count in (1, 4):
        for at in range(count):
            given(expert, f"{count}{at}")
            given(expert, f"d{count}{at}", state="submitted", submitted_at=timezone.now())
        client.get("/queue/")
        with django_assert_num_queries(14):
            client.get("/queue/")


def test_work_begins_with_a_draft(log_in, expert):
    assignment = given(expert, "0001")

    response = log_in(expert).post(f"/assignments/{assignment.pk}/begin/")

    record = MarkupRecord.objects.get()
    assert response.headers["Location"] == f"/markups/{record.pk}/"
    assert (record.assignment, record.assignment.state) == (assignment, "working")


def test_a_check_is_handed_back_with_a_reason(log_in, expert):
    assignment = given(expert, "0001")

    response = log_in(expert).post(
        f"/assignments/{assignment.pk}/return/", {"reason": "I know the pupil"}, follow=True
    )

    assert texts_of(response, ".messages li") == ["Essay 0001 is back in the pool."]
    assert Assignment.objects.get().state == "returned"
    (entry,) = AuditEntry.objects.filter(action="assignment.returned")
    assert (entry.actor, entry.details) == (expert, {"reason": "I know the pupil"})


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("", "Say why you hand the essay back."),
        ("  ", "Say why you hand the essay back."),
        (
            "x" * 301,
            "Reason: Ensure this value has at most 300 characters (it has 301).",
        ),
        ("a\0b", "Reason: Null characters are not allowed."),
    ],
    ids=["none", "blanks", "too long", "a NUL"],
)
def test_without_a_reason_nothing_is_handed_back(log_in, expert, reason, said):
    assignment = given(expert, "0001")

    response = log_in(expert).post(
        f"/assignments/{assignment.pk}/return/", {"reason": reason}, follow=True
    )

    assert texts_of(response, ".messages li") == [said]
    assert Assignment.objects.get().state == "waiting"


SUBMITTED, GONE = (
    "The check of essay 0001 is submitted already.",
    "The check of essay 0001 is not with you any more: it was handed back or taken away.",
)


@pytest.mark.parametrize(
    ("action", "state", "said"),
    [
        ("begin", "submitted", SUBMITTED),
        ("begin", "withdrawn", GONE),
        ("begin", "returned", GONE),
        ("return", "submitted", SUBMITTED),
        ("return", "withdrawn", GONE),
    ],
)
def test_a_queue_of_before_is_told_what_became_of_the_check(log_in, expert, action, state, said):
    assignment = given(expert, "0001", state=state)

    response = log_in(expert).post(
        f"/assignments/{assignment.pk}/{action}/",
        {"reason": "x"},
        headers={"referer": "http://testserver/queue/"},
    )

    assert (response.status_code, texts_of(response, "#notice")) == (409, [said])
    assert page_of(response).one("main a.btn")["href"] == "/queue/"
    assert Assignment.objects.get().state == state


def test_what_was_handed_in_and_can_be_recalled_is_said_to_be_submitted(log_in, expert):
    assignment = given(expert, "0001", state="working")
    DraftFactory(
        assignment=assignment,
        submitted_at=timezone.now(),
        final_at=timezone.now() + timedelta(minutes=1),
    )

    response = log_in(expert).post(f"/assignments/{assignment.pk}/begin/")

    assert texts_of(response, "#notice") == [SUBMITTED]


def test_a_second_press_hands_nothing_back_once_more_and_says_so(log_in, expert):
    assignment = given(expert, "0001")
    client, address = log_in(expert), f"/assignments/{assignment.pk}/return/"

    pages = [client.post(address, {"reason": "I know the pupil"}, follow=True) for _ in range(2)]

    said = [texts_of(page, ".messages li") for page in pages]
    assert said == [["Essay 0001 is back in the pool."]] * 2
    assert AuditEntry.objects.filter(action="assignment.returned").count() == 1


@pytest.mark.parametrize("action", ["begin", "return"])
def test_a_stranger_has_no_part_in_it(log_in, expert, action):
    assignment = given(expert, "0001")
    address = f"/assignments/{assignment.pk}/{action}/"

    statuses = [
        log_in(PersonFactory(role=role)).post(address, {"reason": "x"}).status_code
        for role in ("expert", "coordinator", "participant")
    ]

    assert statuses == [404, 403, 403]
    assert Client().post(address).headers["Location"].startswith("/login/")
    assert Assignment.objects.get().state == "waiting"


def test_the_essay_page_shows_the_bare_text_and_the_markups_open_to_the_reader(log_in, expert):
    text = "if a < b:\n  <b>x</b>\n\n𝒜 "
    assignment = AssignmentFactory(essay=EssayFactory(text=text), expert=expert, state="working")
    own = MarkupRecord.objects.create(
        essay=assignment.essay, author=expert, source="expert", assignment=assignment
    )
    submitted(assignment.essay)

    response = log_in(expert).get(f"/essays/{assignment.essay.pk}/")

    page = page_of(response)
    assert page.one(".essay").raw == text
    assert [link["href"] for link in page.find(".markup-list a")] == [f"/markups/{own.pk}/"]


def test_every_two_submitted_markups_can_be_laid_beside_each_other(log_in):
    essay = EssayFactory()
    one, other = submitted(essay), submitted(essay, source="algorithm")

    response = log_in(PersonFactory(role="judge")).get(f"/essays/{essay.pk}/")

    links = [each["href"] for each in page_of(response).find(".matrix td a")]
    assert links == [f"/compare/{one.pk}/{other.pk}/", f"/compare/{other.pk}/{one.pk}/"]


def test_the_essay_page_takes_the_same_queries_for_two_markups_and_for_six(
    log_in, django_assert_num_queries
):
    client = log_in(PersonFactory(role="judge"))
    essay = EssayFactory()
    for count in (2, 4):
        for _ in range(count):
            submitted(essay)
        client.get(f"/essays/{essay.pk}/")
        with django_assert_num_queries(21):
            client.get(f"/essays/{essay.pk}/")


@pytest.mark.parametrize("number", [0, 10**30])
def test_an_essay_that_is_not_there_is_not_there(log_in, number):
    client = log_in(PersonFactory(role="judge"))

    assert client.get(f"/essays/{number}/").status_code == 404
    assert client.get(f"/markups/{number}/").status_code == 404


def test_a_stranger_does_not_see_the_essay(log_in):
    essay = EssayFactory()

    statuses = [
        log_in(PersonFactory(role=role)).get(f"/essays/{essay.pk}/").status_code
        for role in ("expert", "participant")
    ]

    assert statuses == [404, 404]


def test_the_next_essay_is_late_or_begun_before_it_is_due_next(log_in, expert):
    now = timezone.now()
    given(expert, "0001", deadline_at=now + timedelta(days=1))
    given(expert, "0002", deadline_at=now + timedelta(days=2), state="working")
    late = given(expert, "0003", deadline_at=now - timedelta(days=1))
    client = log_in(expert)

    answers = [client.post("/queue/next/") for _press in range(2)]

    record = MarkupRecord.objects.get()
    assert record.assignment == late
    assert [each.headers["Location"] for each in answers] == [f"/markups/{record.pk}/"] * 2
    assert texts_of(client.get("/queue/"), ESSAYS) == ["0003", "0002", "0001"]


def test_where_nothing_waits_there_is_no_next_essay(log_in, expert):
    given(expert, "0001", state="submitted", submitted_at=timezone.now())
    given(PersonFactory(), "0002")

    response = log_in(expert).post("/queue/next/", follow=True)

    assert texts_of(response, ".messages li") == ["Nothing waits: there is no next essay."]
    assert page_of(response).find("#next-essay") == []
    assert not MarkupRecord.objects.exists()


def test_nobody_but_experts_opens_the_next_essay(log_in):
    statuses = [
        log_in(PersonFactory(role=role)).post("/queue/next/").status_code
        for role in ("coordinator", "participant")
    ]

    assert statuses == [403, 403]
    assert Client().post("/queue/next/").headers["Location"].startswith("/login/")


@pytest.mark.parametrize(("waiting", "shown"), [(1, 1), (0, 0)])
def test_a_check_that_is_done_leads_to_the_next_one(log_in, expert, waiting, shown):
    for at in range(waiting):
        given(expert, f"000{at}")
    done = given(expert, "0009", state="submitted")
    record = submitted(done.essay, assignment=done)

    response = log_in(expert).get(f"/markups/{record.pk}/")
    to_others = log_in(PersonFactory(role="coordinator")).get(f"/markups/{record.pk}/")

    assert len(page_of(response).find("#next-essay")) == shown
    assert page_of(to_others).find("#next-essay") == []
