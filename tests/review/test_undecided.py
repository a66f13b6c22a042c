"""A third check leaves no pair of the earlier ones undecided; nothing is dropped by nobody."""

from __future__ import annotations

import uuid

import pytest

from annotator.models import MarkupRecord
from annotator.services.markup import row_of
from review.models import Ruling
from review.queries.settling import reasons_of
from tests.factories import PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.review.thirds import AGREED, LEFT, RIGHT, thirds
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

UID = uuid.UUID(int=7)


@pytest.fixture
def desk():
    """One pair the two agree on, one with other codes, and one fragment on each side."""
    return thirds()


@pytest.fixture
def client(desk, log_in):
    return log_in(desk.record.author)


def now(desk):
    return MarkupRecord.objects.get(pk=desk.record.pk)


def post(client, desk, name, **fields):
    path = f"/markups/{desk.record.pk}/{name}/"
    return client.post(path, {"version": now(desk).version, **fields}, follow=True)


def pairs_of(desk):
    """The four pairs of the desk, by the numbers of their fragments."""
    first, second = desk.rows("first"), desk.rows("second")
    return [(first[0], second[0]), (first[1], second[1]), (first[2],), (second[2],)]


def numbers(*pairs):
    return " ".join(str(number) for pair in pairs for number in pair)


def undecided(client, desk):
    return texts_of(client.get(f"/markups/{desk.record.pk}/"), "#undecided")


def test_a_third_check_is_not_submitted_with_undecided_pairs(client, desk):
    first, second, *_ = pairs_of(desk)
    post(client, desk, "take", sources=first[0])
    post(client, desk, "neither", fragments=numbers(second))

    answer = post(client, desk, "submit")

    assert texts_of(answer, ".messages span") == [
        "2 pairs of the earlier checks are undecided. Take a fragment of each, or neither."
    ]
    assert (now(desk).state, undecided(client, desk)) == ("draft", ["2"])


def test_it_is_submitted_once_every_pair_is_decided(client, desk):
    first, second, third, fourth = pairs_of(desk)
    post(client, desk, "take", sources=f"{first[0]} {fourth[0]}")
    post(client, desk, "neither", fragments=numbers(second, third))
    assert undecided(client, desk) == ["0"]

    post(client, desk, "submit")

    assert now(desk).state == "submitted"


def test_what_is_taken_neither_of_is_known_to_the_page(client, desk):
    answer = post(client, desk, "neither", fragments=numbers(*pairs_of(desk)[:2]))

    ruled = page_of(answer).one("#taken")["data-ruled"].split()
    assert ruled == numbers(*pairs_of(desk)[:2]).split()
    assert page_of(answer).one("#saved")["data-version"] == "1"
    assert undecided(client, desk) == ["2"]


def test_neither_keeps_the_reasons_that_were_given_and_may_come_twice(client, desk):
    (_first, second, *_) = pairs = pairs_of(desk)
    post(client, desk, "reasons", fragments=numbers(second), reason="both are wrong")

    for _ in range(2):
        post(client, desk, "neither", fragments=numbers(*pairs))

    assert dict(Ruling.objects.values_list("fragment", "reason")) == {
        number: "both are wrong" if number in second else "" for pair in pairs for number in pair
    }


def test_neither_is_taken_back_and_the_pair_undecided_again(client, desk):
    first, second = pairs_of(desk)[:2]
    post(client, desk, "neither", fragments=numbers(first, second))
    post(client, desk, "reasons", fragments=numbers(second), reason="both are wrong")

    post(client, desk, "neither", fragments=numbers(first, second), taken_back="1")

    assert undecided(client, desk) == ["4"]
    rulings = Ruling.objects.order_by("fragment").values_list("fragment", "neither", "reason")
    assert list(rulings) == [(number, False, "both are wrong") for number in second]


def ruled(desk):
    return {row.fragment_id for row in Ruling.objects.filter(markup=desk.record, neither=True)}


def said(answer):
    return page_of(answer).one("#toast").text


def test_decisions_are_undone_and_made_again_in_the_order_of_the_log(client, desk):
    """Taken, ruled twice, then taken after all: each step back is the one before."""
    first, second, third, _fourth = pairs_of(desk)
    post(client, desk, "take", sources=first[0])
    post(client, desk, "neither", fragments=numbers(second))
    post(client, desk, "neither", fragments=numbers(third))
    post(client, desk, "take", sources=second[0], instead_of=second[1])

    def state():
        taken = set(desk.record.fragments.values_list("taken_from", flat=True))
        return taken, ruled(desk)

    states = [state()]
    words = []
    for _ in range(4):
        words.append(said(post(client, desk, "undo")))
        states.append(state())
    again = []
    for _ in range(4):
        post(client, desk, "redo")
        again.append(state())

    assert states == [
        ({first[0], second[0]}, {*third}),
        ({first[0]}, {*second, *third}),
        ({first[0]}, {*second}),
        ({first[0]}, set()),
        (set(), set()),
    ]
    assert again == states[-2::-1]
    assert words == [
        "Undone: taken: А.лекс “think”",
        "Undone: neither taken: “that”",
        "Undone: neither taken: “think” and 1 more mark",
        "Undone: taken: А.грамм “Some”",
    ]


def test_neither_of_what_was_taken_is_one_step_however_often_it_comes(client, desk):
    second = pairs_of(desk)[1]
    post(client, desk, "take", sources=second[0])
    post(client, desk, f"fragments/{desk.record.fragments.get().pk}", comment="my own words")
    (before,) = desk.record.fragments.values()
    answers = [
        post(client, desk, "neither", version=2, uid=UID, fragments=numbers(second))
        for _ in range(2)
    ]

    assert [page_of(each).one("#saved")["data-version"] for each in answers] == ["3", "3"]
    assert (list(desk.record.fragments.all()), ruled(desk)) == ([], {*second})
    words = said(post(client, desk, "undo"))
    assert (list(desk.record.fragments.values()), ruled(desk)) == ([before], set())
    assert words == "Undone: neither taken: “think” and 1 more mark"
    assert said(post(client, desk, "redo")) == "Made again: neither taken: “think” and 1 more mark"
    assert (list(desk.record.fragments.all()), ruled(desk)) == ([], {*second})


def test_what_was_taken_elsewhere_since_goes_for_no_neither_unasked(client, desk):
    second = pairs_of(desk)[1]
    post(client, desk, "take", sources=second[0], page="one")

    answer = post(client, desk, "neither", version=0, page="other", fragments=numbers(second))

    assert (answer.status_code, ruled(desk)) == (409, set())
    assert desk.record.fragments.get().taken_from_id == second[0]


def test_a_decision_about_a_fragment_that_is_gone_is_undone_for_the_other(client, desk):
    second = pairs_of(desk)[1]
    post(client, desk, "neither", fragments=numbers(second))
    desk.first.fragments.filter(pk=second[0]).delete()

    post(client, desk, "undo")
    post(client, desk, "redo")

    assert ruled(desk) == {second[1]}


def test_a_reason_alone_decides_nothing(client, desk):
    second = pairs_of(desk)[1]

    for reason in ("both are wrong", ""):
        post(client, desk, "reasons", fragments=numbers(second), reason=reason)

        assert undecided(client, desk) == ["4"]
    assert list(Ruling.objects.all()) == []


def test_a_reason_taken_back_leaves_the_decision(client, desk):
    second = pairs_of(desk)[1]
    post(client, desk, "neither", fragments=numbers(second))
    post(client, desk, "reasons", fragments=numbers(second), reason="both are wrong")

    post(client, desk, "reasons", fragments=numbers(second), reason="")

    assert undecided(client, desk) == ["3"]
    rulings = Ruling.objects.order_by("fragment").values_list("fragment", "neither", "reason")
    assert list(rulings) == [(number, True, "") for number in second]


def test_what_is_taken_after_all_and_deleted_again_is_undecided(client, desk):
    (first, other) = pairs_of(desk)[1]
    post(client, desk, "neither", fragments=numbers((first, other)))
    post(client, desk, "take", sources=first, instead_of=other)

    post(client, desk, f"fragments/{desk.record.fragments.get().pk}/drop")

    assert undecided(client, desk) == ["4"]


@pytest.mark.parametrize(
    ("name", "fields"),
    [("neither", {}), ("reasons", {"reason": "why"}), ("reasons", {"reason": ""})],
)
def test_a_decision_whose_answer_was_lost_is_answered_as_the_first_time(client, desk, name, fields):
    fields = {**fields, "fragments": numbers(pairs_of(desk)[1])}
    post(client, desk, name, uid=UID, **fields)

    answer = post(client, desk, name, version=0, uid=UID, **fields)
    other = post(client, desk, name, version=0, uid=uuid.uuid4(), **fields)

    assert (answer.status_code, other.status_code, now(desk).version) == (200, 409, 1)
    assert page_of(answer).one("#saved")["data-version"] == "1"


def test_a_decision_that_comes_late_once_more_undoes_nothing_that_followed(client, desk):
    fields = {"fragments": numbers(pairs_of(desk)[1])}
    post(client, desk, "reasons", uid=UID, reason="why", **fields)
    post(client, desk, "reasons", reason="because", **fields)

    again = post(client, desk, "reasons", version=0, uid=UID, reason="why", **fields)

    assert (again.status_code, now(desk).version) == (200, 2)
    assert set(reasons_of(desk.record).values()) == {"because"}


def test_a_pair_whose_taken_fragment_was_deleted_is_undecided_again(client, desk):
    post(client, desk, "take", sources=pairs_of(desk)[0][0])

    post(client, desk, f"fragments/{desk.record.fragments.get().pk}/drop")

    assert undecided(client, desk) == ["4"]


def test_only_fragments_of_the_earlier_checks_are_settled(client, desk):
    elsewhere = submitted(desk.essay, AGREED, source="algorithm").fragments.get()

    answer = post(client, desk, "neither", fragments=elsewhere.pk)
    wrong = post(client, desk, "neither", fragments="x")

    assert (answer.status_code, wrong.status_code) == (409, 422)
    assert list(Ruling.objects.all()) == []


def test_others_settle_nothing(client, desk, log_in):
    fields = {"version": 0, "fragments": numbers(*pairs_of(desk))}
    path = f"/markups/{desk.record.pk}/neither/"
    stranger, judge = PersonFactory(), PersonFactory(role="judge")

    assert log_in(stranger).post(path, fields).status_code == 404
    assert log_in(desk.first.author).post(path, fields).status_code == 404
    assert log_in(judge).post(path, fields).status_code == 403
    desk.submit()
    assert client.post(path, fields).status_code == 409
    assert list(Ruling.objects.all()) == []


def test_who_marks_blindly_is_asked_for_no_decision_and_is_said_to_have_taken_none(log_in):
    desk = thirds(blind_first=True)
    client = log_in(desk.record.author)

    post(client, desk, "submit")

    assert now(desk).state == "submitted"
    page = page_of(client.get(f"/markups/{desk.record.pk}/settled/?all=1"))
    assert [each.text for each in page.find(".settled .more")] == [
        "kept 0, changed 0, dropped 0, undecided 3, added 0"
    ] * 2


def test_only_what_was_decided_is_told_as_dropped(client, desk, log_in):
    """A third check of former days: the second pair was decided about, nothing else."""
    number = pairs_of(desk)[1][0]
    post(client, desk, "reasons", fragments=number, reason="no mistake")
    post(client, desk, "neither", fragments=number)
    desk.submit()

    page = page_of(log_in(desk.first.author).get(f"/markups/{desk.record.pk}/settled/?all=1"))

    found = [
        [row.one("th").text, row.one(".badge").text, row.one(".reason").text]
        for row in page.find("tbody tr")
    ]
    assert found == [
        ["Some", "undecided", ""],
        ["think", "dropped", "no mistake"],
        ["that", "undecided", ""],
        ["Some", "undecided", ""],
        ["think", "dropped", ""],
        ["unite", "undecided", ""],
    ]


def test_a_reason_of_nothing_decided_drops_nothing(client, desk, log_in):
    post(client, desk, "reasons", fragments=pairs_of(desk)[1][0], reason="no mistake")
    desk.submit()

    page = page_of(log_in(desk.first.author).get(f"/markups/{desk.record.pk}/settled/?all=1"))

    found = [[row.one(".badge").text, row.one(".reason").text] for row in page.find("tbody tr")]
    assert found[:3] == [["undecided", ""], ["undecided", "no mistake"], ["undecided", ""]]


def test_what_was_settled_as_neither_is_dropped_and_an_own_mark_beside_it_added(
    client, desk, log_in
):
    post(client, desk, "neither", fragments=numbers(pairs_of(desk)[0]))
    row_of(desk.record, fragment(0, 11)).save()
    desk.submit()

    page = page_of(log_in(desk.first.author).get(f"/markups/{desk.record.pk}/settled/?all=1"))

    found = [[row.one("th").text, row.one(".badge").text] for row in page.find("tbody tr")]
    assert found[:3] == [["Some people", "added"], ["Some", "dropped"], ["think", "undecided"]]


@pytest.mark.parametrize("sides", [((), ()), ((LEFT,), ()), ((), (RIGHT,))])
def test_a_check_without_a_fragment_leaves_only_the_others_pairs(log_in, sides):
    desk = thirds(*sides)
    client = log_in(desk.record.author)

    post(client, desk, "submit")

    is_empty = not any(sides)
    assert now(desk).state == ("submitted" if is_empty else "draft")
