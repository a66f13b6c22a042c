"""The third expert's desk beside the text: pairs of the earlier checks, taken or decided about."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services.tokens import issue_token
from annotator.models import MarkupRecord
from review.models import Ruling, ThirdCheck
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.thirds import AGREED, LEFT, RIGHT, thirds
from tests.strategies import whole_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk():
    return thirds()


@pytest.fixture
def client(desk, log_in):
    return log_in(desk.record.author)


def version(desk):
    return MarkupRecord.objects.get(pk=desk.record.pk).version


def post(client, desk, name, **fields):
    values = {"version": version(desk), **fields}
    return client.post(f"/markups/{desk.record.pk}/{name}/", values)


def panel(client, desk):
    return page_of(client.get(f"/markups/{desk.record.pk}/"))


def test_the_pairs_of_the_two_checks_stand_beside_the_text(client, desk):
    first, second = desk.rows("first"), desk.rows("second")

    rows = panel(client, desk).find("#pairs .pair")

    found = [
        [row.attributes.get(name, "") for name in ("data-state", "data-first", "data-second")]
        for row in rows
    ]
    assert found == [
        ["same", str(first[0]), str(second[0])],
        ["code", str(first[1]), str(second[1])],
        ["only_left", str(first[2]), ""],
        ["only_right", "", str(second[2])],
    ]
    assert [row["data-places"] for row in rows] == [
        "0-4,0-4,",
        "12-17,12-17,",
        "18-22,,",
        ",29-34,",
    ]
    assert [row.one(".pair-words").text for row in rows] == [
        "same Some",
        "another code think",
        "first check only that",
        "second check only unite",
    ]


def test_a_side_shows_what_its_expert_wrote(log_in):
    left = replace(LEFT, subcode="выбор", correction="believe", comment="word", explanation="why")
    desk = thirds(first=(left,), second=(replace(RIGHT, span=AGREED.span), whole_text("А.абз")))

    page = panel(log_in(desk.record.author), desk)

    assert [each.text for each in page.find("#pairs .take")] == [
        "2 second check: А.орф Spelling",
        "1 first check: А.лекс выбор Vocabulary believe word why",
        "2 second check: А.абз",
    ]
    assert "Whole text" in page.find("#pairs .pair")[2].text


def test_different_borders_are_shown_on_both_sides(log_in):
    wider = replace(LEFT, span=replace(LEFT.span, end=22))
    desk = thirds(first=(LEFT,), second=(wider,))

    page = panel(log_in(desk.record.author), desk)

    assert [each.text for each in page.find("#pairs .take q")] == ["think", "think that"]


def test_why_there_is_a_third_check_stands_there_too(client, desk):
    reason = {"cause": "total-gap", "criteria": ["K3"], "difference": 6, "threshold": 4}
    decision = {"first": desk.first, "second": desk.second, "reasons": [reason]}
    ThirdCheck.objects.create(essay=desk.essay, round=1, needed=True, **decision)

    assert texts_of(client.get(f"/markups/{desk.record.pk}/"), "#settling .help") == [
        "A third check is needed: the totals differ by 6, the threshold is 4."
    ]


@pytest.mark.parametrize("role", ["first", "second"])
def test_the_first_two_experts_have_no_such_desk(log_in, role):
    record = draft_of(role=role)

    assert texts_of(log_in(record.author).get(f"/markups/{record.pk}/"), "#settling") == []


def test_a_third_expert_who_marks_blindly_has_none_before_the_submission(log_in):
    desk = thirds(blind_first=True)

    assert panel(log_in(desk.record.author), desk).find("#settling") == []


def test_a_check_that_was_reopened_is_not_shown(client, desk):
    MarkupRecord.objects.filter(pk=desk.first.pk).update(state="draft", submitted_at=None)

    states = [row["data-state"] for row in panel(client, desk).find("#pairs .pair")]

    assert states == ["only_right"] * 3


def test_what_is_taken_appears_in_the_text_and_the_list_and_is_known_as_taken(client, desk):
    source = desk.rows("first")[1]

    answer = page_of(post(client, desk, "take", sources=source))

    row = desk.record.fragments.get()
    assert (row.code, row.start, row.end, row.taken_from_id) == ("А.лекс", 12, 17, source)
    assert answer.one("#said").text == "Taken: 1 fragment"
    assert [each["data-mark"] for each in answer.find("[data-mark]")] == [str(row.pk)]
    taken = answer.one("#taken")
    assert (taken["data-taken"].split(), taken["data-version"]) == ([f"{source}:{row.pk}"], "1")
    assert answer.one("#saved")["data-version"] == "1"


def test_agreed_fragments_are_taken_in_one_request(client, desk):
    sources = [desk.rows("first")[0], desk.rows("first")[2]]

    answer = post(client, desk, "take", sources=" ".join(map(str, sources)))

    assert texts_of(answer, "#said") == ["Taken: 2 fragments"]
    assert list(desk.record.fragments.values_list("taken_from", flat=True)) == sources


def test_a_fragment_taken_twice_is_there_once(client, desk):
    source = desk.rows("first")[0]
    post(client, desk, "take", sources=source)

    again = post(client, desk, "take", version=0, sources=source)

    assert (again.status_code, texts_of(again, "#said")) == (200, ["Taken already"])
    assert desk.record.fragments.count() == 1


def test_a_taking_sent_again_says_what_it_has_taken(client, desk):
    sources = desk.rows("first")[:2]
    sent = {"version": 0, "sources": " ".join(map(str, sources)), "uid": uuid.uuid4()}
    once = post(client, desk, "take", **sent)

    again = post(client, desk, "take", **sent)

    assert texts_of(again, "#said") == texts_of(once, "#said") == ["Taken: 2 fragments"]
    assert desk.record.fragments.count() == 2


@pytest.mark.parametrize(("name", "more"), [("neither", {}), ("reasons", {"reason": "so"})])
def test_a_page_that_shows_less_than_there_is_gets_what_another_one_marked(
    client, desk, name, more
):
    other = desk.rows("first")[1]
    words = {"start": 0, "end": 4, "quote": "Some", "code": "А.орф", "page": "there:1"}
    assert post(client, desk, "fragments", **words).status_code == 200

    late = post(client, desk, name, version=0, shown=0, fragments=other, **more)
    next_one = post(client, desk, name, shown=2, fragments=other, **more)

    assert texts_of(late, "#marks q") == ["Some"]
    assert page_of(next_one).find("#marks") == []
    for each in (late, next_one):
        told, saved = (page_of(each).one(name)["data-version"] for name in ("#taken", "#saved"))
        assert told == saved


def test_an_undone_decision_is_told_with_the_answer(client, desk):
    first = desk.rows("first")[0]
    post(client, desk, "neither", fragments=first)

    undone = page_of(post(client, desk, "undo")).one("#taken")

    assert (undone["data-ruled"], undone["data-version"]) == ("", "2")


def test_after_a_taken_fragment_was_dropped_it_is_free_again(client, desk):
    source = desk.rows("first")[0]
    post(client, desk, "take", sources=source)
    (row,) = desk.record.fragments.all()

    post(client, desk, f"fragments/{row.pk}/drop")

    free = page_of(client.get(f"/markups/{desk.record.pk}/taken/")).one("#taken")
    assert (free["data-taken"], free["data-version"]) == ("", "2")


def test_a_taken_fragment_that_is_brought_back_still_knows_its_source(client, desk):
    source = desk.rows("first")[0]
    post(client, desk, "take", sources=source)
    dropped = page_of(post(client, desk, f"fragments/{desk.record.fragments.get().pk}/drop"))
    form = {field["name"]: field["value"] for field in dropped.find(".toast input")}

    post(client, desk, "fragments", **form, quote="Some")
    post(client, desk, "take", sources=source)

    row = desk.record.fragments.get()
    assert (row.code, row.taken_from_id) == ("А.грамм", source)


@pytest.mark.parametrize("role", ["third", "first"])
def test_no_fragment_claims_to_be_taken_from_what_its_author_may_not_see(log_in, role):
    foreign = thirds().rows("first")[0]
    record = draft_of(role=role)
    form = {"version": 0, "code": "А.грамм", "start": 0, "end": 4, "quote": "Some"}

    answer = log_in(record.author).post(
        f"/markups/{record.pk}/fragments/", {**form, "origin": foreign}
    )

    assert (answer.status_code, record.fragments.get().taken_from_id) == (200, None)


@pytest.mark.parametrize("sources", ["", "x", "1.5", "-1", "²", "9" * 19, "1,2"])
def test_numbers_that_cannot_be_read_are_refused(client, desk, sources):
    answer = post(client, desk, "take", sources=sources)

    assert answer.status_code == 422
    assert (desk.record.fragments.count(), version(desk)) == (0, 0)


def test_a_stale_page_takes_nothing(client, desk):
    MarkupRecord.objects.filter(pk=desk.record.pk).update(version=2)

    answer = post(client, desk, "take", version=1, sources=desk.rows("first")[0])

    assert (answer.status_code, desk.record.fragments.count()) == (409, 0)


def test_two_pages_decide_about_two_pairs_unasked_and_about_one_pair_only_once(client, desk):
    (_same, mine, left), (_twin, theirs, right) = desk.rows("first"), desk.rows("second")

    def decided(page, name, **fields):
        return post(client, desk, name, version=0, page=page, **fields).status_code

    assert decided("a", "take", sources=mine, instead_of=theirs) == 200
    assert decided("b", "take", sources=left) == 200
    assert decided("c", "neither", fragments=right) == 200
    taken = [mine, left]
    assert sorted(desk.record.fragments.values_list("taken_from", flat=True)) == sorted(taken)

    assert decided("b", "take", sources=theirs, instead_of=mine) == 409
    assert decided("b", "neither", fragments=f"{mine} {theirs}") == 409
    assert decided("a", "take", sources=right) == 409
    assert sorted(desk.record.fragments.values_list("taken_from", flat=True)) == sorted(taken)
    assert set(Ruling.objects.filter(neither=True).values_list("fragment", flat=True)) == {right}


def test_the_reason_of_a_decision_is_kept_for_both_sides_and_can_be_taken_back(client, desk):
    pair = [desk.rows("first")[1], desk.rows("second")[1]]

    def decided(reason):
        answer = post(client, desk, "reasons", fragments=" ".join(map(str, pair)), reason=reason)
        rulings = Ruling.objects.order_by("fragment").values_list("markup", "fragment", "reason")
        return answer.status_code, list(rulings)

    kept = [(desk.record.pk, number, "no mistake") for number in pair]
    assert decided("unclear")[0] == 200
    assert decided(" no mistake ") == (200, kept)
    shown = [row["value"] for row in panel(client, desk).find("#pairs [data-reason]")]
    assert shown == ["", "no mistake", "", ""]
    assert decided("") == (200, [])
    assert version(desk) == 3


def test_a_reason_that_is_too_long_or_not_of_this_essay_is_refused(client, desk):
    other = thirds().rows("first")[0]
    own = desk.rows("first")[0]

    answers = [
        post(client, desk, "reasons", fragments=own, reason="x" * 501),
        post(client, desk, "reasons", fragments=own, reason="\0"),
        post(client, desk, "reasons", fragments=other, reason="x"),
        post(client, desk, "reasons", version=7, fragments=own, reason="x"),
    ]

    assert [answer.status_code for answer in answers] == [422, 422, 409, 409]
    assert (list(Ruling.objects.all()), version(desk)) == ([], 0)


@pytest.mark.parametrize("name", ["take", "reasons"])
@pytest.mark.parametrize(("role", "status"), [("expert", 404), ("coordinator", 403)])
def test_nobody_decides_in_the_draft_of_another(desk, log_in, name, role, status):
    stranger = log_in(PersonFactory(role=role))
    number = desk.rows("first")[0]

    answer = post(stranger, desk, name, sources=number, fragments=number, reason="x")

    assert answer.status_code == status
    assert (version(desk), Ruling.objects.count()) == (0, 0)


def test_after_the_submission_nothing_is_taken_any_more(client, desk):
    desk.submit()

    answer = post(client, desk, "take", sources=desk.rows("first")[0])

    assert answer.status_code == 409


def test_the_desk_costs_the_same_for_few_fragments_and_for_many(log_in):
    few, many = thirds(), thirds(first=(AGREED, LEFT) * 20, second=(RIGHT,) * 30)
    for desk in (few, many):
        for side in ("first", "second"):
            sources = " ".join(map(str, desk.rows(side)))
            post(log_in(desk.record.author), desk, "take", sources=sources)

    def queries(desk):
        client = log_in(desk.record.author)
        with CaptureQueriesContext(connection) as counted:
            client.get(f"/markups/{desk.record.pk}/")
        return len(counted)

    assert queries(few) == queries(many)


@pytest.mark.parametrize("asked_by", ["page", "api"])
def test_the_file_of_a_third_markup_says_so(desk, log_in, asked_by):
    third = desk.submit()
    judge = PersonFactory(role=User.Role.JUDGE)

    def third_in(record):
        if asked_by == "page":
            return log_in(judge).get(f"/markups/{record.pk}/json/").json()["meta"]["third"]
        key = {"authorization": f"Token {issue_token(user=judge, name='program')}"}
        client = log_in(judge)
        client.logout()
        return client.get(f"/api/markups/{record.pk}/", headers=key).json()["meta"]["third"]

    assert [third_in(each) for each in (third, desk.first)] == [True, False]
