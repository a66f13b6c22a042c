"""Around an act on many checks: who is offered before it, where it leads afterwards."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.http import urlencode

from accounts.models import AuditEntry, Specialism
from review.models.acts import BulkAct
from tests.factories import AssignmentFactory, DraftFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.review.test_acts import sent_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def test_only_those_who_mark_a_subject_of_the_checks_are_offered_them(desk):
    english = AssignmentFactory(essay__subject="eng", expert__full_name="Ann")
    AssignmentFactory(essay__subject="rus", expert=english.expert)
    for name, subjects in (("Boris", ["eng"]), ("Vera", ["rus", "hist"]), ("Zoe", ["hist"])):
        PersonFactory(full_name=name, subjects=subjects)
    asked = "/desk/acts/new/?act=hand_over"

    offered = [
        [each.split(":")[0] for each in texts_of(desk.get(f"{asked}&{which}"), "#to option")]
        for which in (f"expert={english.expert_id}&all=1", f"essay={english.essay_id}")
    ]

    assert offered == [["–", "Boris", "Vera"], ["–", "Boris"]]


def test_the_list_of_receivers_is_the_same_once_one_of_them_is_chosen(desk):
    first = AssignmentFactory(expert__full_name="Ann")
    second = AssignmentFactory(expert__full_name="Boris")
    asked = f"/desk/acts/new/?act=hand_over&essay={first.essay_id}&essay={second.essay_id}"

    before, after = (
        [each.split(":")[0] for each in texts_of(desk.get(f"{asked}{chosen}"), "#to option")]
        for chosen in ("", f"&to={second.expert_id}")
    )

    assert (before, after) == (["–", "Ann", "Boris"], ["–", "Ann", "Boris"])


def test_where_nobody_else_can_have_the_checks_the_question_says_so(desk):
    check = AssignmentFactory(essay__subject="eng")
    PersonFactory(subjects=["hist"])
    Specialism.objects.filter(subject="eng").exclude(user=check.expert).delete()

    page = desk.get(f"/desk/acts/new/?act=hand_over&essay={check.essay_id}")

    assert texts_of(page, ".notice.warn") == [
        "No other active expert marks the subjects of these checks."
    ]


def done(desk, **asked):
    """The page after an act, with its links."""
    question = page_of(desk.get("/desk/acts/new/", asked))
    page = page_of(desk.post("/desk/acts/new/", sent_by(question), follow=True))
    return [each["href"] for each in page.find("main a")]


def test_from_what_was_taken_away_a_way_leads_to_planning_these_essays(desk, log_in):
    check = AssignmentFactory(essay__essay_set=EssaySetFactory(name="March"))
    asked = {"set": "March", "subject": check.essay.subject}

    links = done(desk, act="withdraw", all="1", **asked)

    planning = f"/planning/?{urlencode(asked)}&after={BulkAct.objects.get().key}"
    assert planning in links
    form = page_of(desk.get(planning))
    assert [each.text for each in form.find("#id_essay_set option[selected]")] == ["March"]
    assert form.one(".picked input")["value"] == str(check.essay_id)
    assert log_in(PersonFactory(role="expert")).get(planning).status_code == 403


def test_what_was_handed_over_needs_no_planning(desk):
    check = AssignmentFactory()
    receiver = PersonFactory()

    links = done(desk, act="hand_over", all="1", to=receiver.pk)

    assert [each for each in links if each.startswith("/planning/")] == []
    assert check.essay.assignments.filter(expert=receiver).count() == 1


def question_on(desk, essay, kept=""):
    """The question before one check is taken away, as the page of its essay leads there."""
    page = page_of(desk.get(f"/desk/essays/{essay.pk}/{kept}"))
    (link,) = [each["href"] for each in page.find(".a-act a")]
    return link, page_of(desk.get(link))


def test_one_check_is_taken_away_after_a_question_and_comes_back(desk):
    begun = AssignmentFactory(state="working", expert__full_name="Ann")
    DraftFactory(assignment=begun)
    kept = "?list=desk&state=working&at=0"
    here = f"/desk/essays/{begun.essay_id}/{kept}"

    link, question = question_on(desk, begun.essay, kept)
    done = desk.post(link, sent_by(question), follow=True)
    begun.refresh_from_db()
    taken = begun.state
    undo = page_of(done).one("main form[method=post]")["action"]
    undone = page_of(desk.post(undo, follow=True))
    begun.refresh_from_db()

    assert [each.text for each in question.find(".remarks li")] == ["Ann: 1"]
    assert [each.text for each in question.find(".notice.warn")] == [
        (
            "1 of them is begun; its draft is kept. "
            "Who has begun a check gets its essay back only when this is undone."
        )
    ]
    assert here in [each["href"] for each in question.find("main a")]  # cancel
    assert texts_of(done, "h1") == ["Done"]
    assert [page.one("#to-essay")["href"] for page in (page_of(done), undone)] == [here, here]
    assert (taken, begun.state) == ("withdrawn", "working")
    assert AuditEntry.objects.filter(action="assignment.restored").count() == 1


def test_an_act_on_many_checks_leads_to_no_essay_and_looks_for_none(desk):
    essay_set = EssaySetFactory()
    asked = {"act": "withdraw", "all": "1", "set": essay_set.name}
    statements = []
    for checks in (3, 4, 8):
        for _check in range(checks):
            AssignmentFactory(essay__essay_set=essay_set)
        question = page_of(desk.get("/desk/acts/new/", asked))
        address = desk.post("/desk/acts/new/", sent_by(question))["Location"]
        with CaptureQueriesContext(connection) as told:
            page = page_of(desk.get(address))
        assert page.find("#to-essay") == []
        statements.append(len(told))

    assert statements[1:] == [statements[0] - 1] * 2


def test_of_an_essay_with_two_open_checks_the_other_one_stays(desk):
    check = AssignmentFactory(expert__full_name="Ann")
    other = AssignmentFactory(essay=check.essay, role="second", expert__full_name="Boris")
    address = f"/desk/assignments/{check.pk}/withdraw/"

    desk.post(address, sent_by(page_of(desk.get(address))))

    states = [type(each).objects.get(pk=each.pk).state for each in (check, other)]
    assert states == ["withdrawn", "waiting"]


def test_without_the_question_nothing_is_taken_away(desk):
    check = AssignmentFactory()

    answer = desk.post(f"/desk/assignments/{check.pk}/withdraw/")

    assert (answer.status_code, BulkAct.objects.count()) == (422, 0)
    check.refresh_from_db()
    assert check.state == "waiting"
