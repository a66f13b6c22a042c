from __future__ import annotations

import uuid

import pytest

from annotator.core.values import Fragment, Span
from annotator.models import FragmentRecord, MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, marking_form, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

STALE = "The same was changed in another tab or on another device. Choose one of the two."
CLOSED = "This markup is closed: it was submitted."


def stored():
    return [row.to_core() for row in FragmentRecord.objects.order_by("pk")]


def test_a_selection_and_a_code_make_a_mark(post):
    record = draft_of()

    response = post(record, **marking_form(record, start=5, end=11, code="А.лекс"))

    assert response.status_code == 200
    assert stored() == [Fragment(Span(5, 11), "А.лекс")]
    assert texts_of(response, "#marks li") == ["А.лекс Vocabulary people"]


def test_every_field_of_a_mark_is_kept(post):
    record = draft_of()
    words = {
        "subcode": "син",
        "correction": " many ",
        "comment": "мало «слов»",
        "explanation": "a\nb",
        "tag": "син1",
    }

    post(record, **marking_form(record, start=0, end=4, code="А.запас", **words))

    assert stored() == [
        Fragment(Span(0, 4), "А.запас", "син", "мало «слов»", "a\nb", "many", "син1")
    ]


def test_a_code_without_a_place_is_a_mistake_of_the_whole_text(post):
    record = draft_of()

    response = post(record, **marking_form(record, code="А.грамм"))

    assert stored() == [Fragment(None, "А.грамм")]
    assert texts_of(response, "#whole b") == ["А.грамм"]
    assert texts_of(response, "#marks li b") == ["No marks yet"]


def test_a_place_counts_code_points(post):
    record = draft_of("👩‍🏫 𝒜 cafe\u0301 end.")

    response = post(record, **marking_form(record, start=6, end=11))

    assert texts_of(response, "#marks q") == ["cafe\u0301"]


def test_a_quote_over_two_lines_may_come_with_the_line_ends_of_a_form(post):
    record = draft_of("Some people\n\nthink.")
    quote = record.essay.text[5:18].replace("\n", "\r\n")

    response = post(record, **marking_form(record, start=5, end=18, quote=quote))

    assert (response.status_code, len(stored())) == (200, 1)


def test_the_new_mark_is_opened_in_its_card(post):
    record = draft_of()

    page = page_of(post(record, **marking_form(record, start=5, end=11, code="А.лекс")))

    number = str(FragmentRecord.objects.get().pk)
    assert page.one("#cards")["data-open"] == number
    assert page.one("#cards form")["data-number"] == number
    assert page.one("#card-code")["value"] == "А.лекс"
    assert page.one("#card-subcode")["data-first"] == ""  # what is filled first


@pytest.mark.parametrize(
    ("end", "said"),
    [("", "Changed: А.лекс слово"), ("drop/", "Deleted: А.грамм")],
)
def test_what_was_done_is_said(post, end, said):
    record = draft_of("Some people think.", fragment(0, 4))
    changes = {"code": "А.лекс", "subcode": "слово"}

    response = post(record, FragmentRecord.objects.get(), end, version=0, **changes)

    assert texts_of(response, "#said") == [said]
    assert page_of(response).one("#saved")["data-version"] == "1"


def test_the_same_request_sent_twice_makes_one_mark(post):
    record = draft_of()
    form = marking_form(record, start=5, end=11)

    first, second = post(record, **form), post(record, **form)

    assert (first.status_code, second.status_code, len(stored())) == (200, 200, 1)
    assert MarkupRecord.objects.get().version == 1


def test_a_request_without_a_name_of_its_own_gets_one(post):
    record = draft_of()

    post(record, **marking_form(record, start=5, end=11, uid=""))

    assert isinstance(FragmentRecord.objects.get().uid, uuid.UUID)


def test_a_mark_is_changed_in_its_card(post):
    record = draft_of("Some people think.", fragment(0, 4))
    row = FragmentRecord.objects.get()

    response = post(
        record, row, **marking_form(record, start=0, end=11, code="ИСП", correction="Many")
    )

    assert response.status_code == 200
    assert stored() == [fragment(0, 11, "ИСП", correction="Many")]
    assert FragmentRecord.objects.get().pk == row.pk
    assert page_of(response).one("#cards")["data-open"] == str(row.pk)


WORDS = {
    "subcode": "множ",
    "correction": "people",
    "comment": "мало",
    "explanation": "потому\nчто",
    "tag": "множ1",
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"comment": "много"}, {"comment": "много"}),
        ({"comment": ""}, {"comment": ""}),
        ({"subcode": "арт", "tag": ""}, {"subcode": "арт", "tag": ""}),
        ({}, {}),
    ],
)
def test_a_change_keeps_what_it_does_not_name(post, changed, expected):
    record = draft_of("Some people think.", fragment(0, 4, **WORDS))

    post(record, FragmentRecord.objects.get(), version=0, **changed)

    assert stored() == [fragment(0, 4, **{**WORDS, **expected})]


def test_borders_move_and_everything_else_stays(post):
    record = draft_of("Some people think.", fragment(0, 4, **WORDS))
    row = FragmentRecord.objects.get()

    post(record, row, version=0, start=5, end=11, quote="people")

    moved = FragmentRecord.objects.get()
    assert stored() == [fragment(5, 11, **WORDS)]
    assert (moved.pk, moved.uid) == (row.pk, row.uid)


def test_a_mistake_of_the_whole_text_stays_one(post):
    record = draft_of("Some people think.", whole_text("А.грамм"))

    post(record, FragmentRecord.objects.get(), version=0, comment="всюду")

    assert stored() == [whole_text("А.грамм", comment="всюду")]


def test_a_subcode_goes_with_the_code_it_belonged_to(post):
    record = draft_of("Some people think.", fragment(0, 4, **WORDS))

    response = post(record, FragmentRecord.objects.get(), version=0, code="А.орф")

    assert response.status_code == 200
    assert stored() == [fragment(0, 4, "А.орф", **{**WORDS, "subcode": ""})]


def test_a_subcode_the_next_code_knows_too_stays(post):
    record = draft_of("Some people think.", fragment(0, 4, subcode="проп"))

    post(record, FragmentRecord.objects.get(), version=0, code="А.лекс")

    assert stored() == [fragment(0, 4, "А.лекс", subcode="проп")]


@pytest.mark.parametrize("subcode", ["множ", "МНОЖ"])
def test_the_card_shows_the_subcode_in_any_letter_case(post, subcode):
    record = draft_of("Some people think.", fragment(0, 4, subcode=subcode))

    page = page_of(post(record, FragmentRecord.objects.get(), version=0))

    assert [each["value"] for each in page.find("#card-subcode option[selected]")] == ["множ"]


@pytest.mark.parametrize(("quiet", "cards"), [("", 1), ("1", 0)])
def test_a_quiet_change_leaves_the_card_as_it_is(post, quiet, cards):
    record = draft_of("Some people think.", fragment(0, 4))

    response = post(record, FragmentRecord.objects.get(), version=0, comment="слово", quiet=quiet)

    assert len(page_of(response).find("#cards")) == cards
    assert texts_of(response, "[data-mark] .instead") == ["слово"]
    assert stored() == [fragment(0, 4, comment="слово")]


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("what", ["add", "change", "drop"])
def test_a_stale_tab_changes_nothing_and_is_told(post, what, htmx):
    record = draft_of("Some people think.", fragment(0, 4))
    MarkupRecord.objects.update(version=5)
    row = FragmentRecord.objects.get()
    where = {"add": (), "change": (row,), "drop": (row, "drop/")}[what]

    response = post(
        record, *where, htmx=htmx, **marking_form(record, version=4, start=5, end=11, code="А.лекс")
    )

    assert (response.status_code, texts_of(response, "#notice")) == (409, [STALE])
    assert response.headers["HX-Retarget"] == "#notice"
    assert (stored(), MarkupRecord.objects.get().version) == ([fragment(0, 4)], 5)
    assert (b"<html" in response.content) is not htmx


@pytest.mark.parametrize("version", ["", "-1", "x", "9" * 30])
def test_a_version_that_is_none_changes_nothing(post, version):
    record = draft_of("Some people think.", fragment(0, 4))

    added = post(record, **marking_form(record, version=version, start=5, end=11))
    dropped = post(record, FragmentRecord.objects.get(), "drop/", version=version)

    assert (added.status_code in (409, 422), dropped.status_code) == (True, 409)
    assert stored() == [fragment(0, 4)]


@pytest.mark.parametrize("version", ["1", "9" * 9, "9" * 18, "9" * 30, str(2**63)])
def test_a_version_nobody_has_seen_yet_is_a_conflict(post, version):
    record = draft_of("Some people think.", fragment(0, 4))
    row = FragmentRecord.objects.get()

    answers = [
        post(record, *where, **marking_form(record, version=version, start=5, end=11))
        for where in ((), (row,), (row, "drop/"))
    ]

    assert [answer.status_code for answer in answers] == [409] * 3
    assert stored() == [fragment(0, 4)]


@pytest.mark.parametrize("where", ["add", "change", "drop"])
def test_a_submitted_markup_takes_no_changes(post, where):
    draft = draft_of()
    record = submitted(
        draft.essay, fragment(0, 4), author=PersonFactory(), assignment=draft.assignment
    )
    row = FragmentRecord.objects.get()
    parts = {"add": (), "change": (row,), "drop": (row, "drop/")}[where]

    response = post(record, *parts, **marking_form(record, start=5, end=11))

    assert (response.status_code, texts_of(response, "#notice")) == (409, [CLOSED])
    assert stored() == [fragment(0, 4)]


@pytest.mark.parametrize("state", ["returned", "withdrawn"])
def test_a_draft_taken_away_takes_no_changes(post, state):
    record = draft_of()
    record.assignment.state = state
    record.assignment.save()

    response = post(record, **marking_form(record, start=5, end=11))

    assert (response.status_code, stored()) == (409, [])


def test_a_mark_of_another_markup_is_not_there(post):
    record, other = draft_of(), draft_of("Other.", fragment(0, 4))
    row = FragmentRecord.objects.get()

    assert post(record, row, **marking_form(record, start=0, end=4)).status_code == 404
    assert post(record, row, "drop/", version=0).status_code == 404
    assert stored() == [fragment(0, 4)]
    assert other.fragments.count() == 1


@pytest.mark.parametrize(
    ("role", "status"), [("expert", 404), ("judge", 403), ("coordinator", 403)]
)
def test_a_stranger_marks_nothing(post, role, status):
    record = draft_of("Some people think.", fragment(0, 4))
    stranger = PersonFactory(role=role)
    row = FragmentRecord.objects.get()

    answers = [
        post(record, *where, user=stranger, **marking_form(record, start=5, end=11))
        for where in ((), (row,), (row, "drop/"))
    ]

    assert [answer.status_code for answer in answers] == [status] * 3
    assert stored() == [fragment(0, 4)]
