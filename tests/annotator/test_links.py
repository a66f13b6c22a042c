from __future__ import annotations

import pytest
from django.test import Client

from annotator.models import FragmentRecord, MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

GONE = "One of the two fragments is gone."
TEXT = "Some people think so."


@pytest.fixture
def link(log_in):
    def send(record, first, second, user=None, version=0):
        fields = {"version": version, "first": first, "second": second}
        address = f"/markups/{record.pk}/links/"
        headers = {"HX-Request": "true"}
        return log_in(user or record.author).post(address, fields, headers=headers)

    return send


def numbers(record):
    return [row.pk for row in record.fragments.all()]


def tags():
    return [row.tag for row in FragmentRecord.objects.order_by("pk")]


@pytest.mark.parametrize(
    ("before", "tag"),
    [(("", ""), "множ1"), (("т1", ""), "т1"), (("", "т2"), "т2"), (("т1", "т2"), "т1")],
)
def test_two_marks_get_one_tag(link, before, tag):
    record = draft_of(
        TEXT, fragment(0, 4, subcode="множ", tag=before[0]), whole_text(tag=before[1])
    )

    response = link(record, *numbers(record))

    assert (response.status_code, tags()) == (200, [tag, tag])
    assert texts_of(response, "#said") == [f"Linked by the tag {tag}"]
    assert page_of(response).one("#saved")["data-version"] == "1"
    assert page_of(response).find("#cards") == []


def test_a_page_that_knows_no_numbers_yet_links_by_uids(link):
    record = draft_of(TEXT, fragment(0, 4, subcode="множ"), fragment(5, 11))
    one, other = record.fragments.all()

    response = link(record, one.uid, other.pk)

    assert (response.status_code, tags()) == (200, ["множ1", "множ1"])
    assert link(record, one.uid, one.pk, version=1).status_code == 422


@pytest.mark.parametrize("code", ["АРГУМЕНТ", "ИСП"])
def test_what_takes_no_tag_is_not_linked(link, code):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11, code))

    response = link(record, *numbers(record))

    reason = f"{code} takes no tag: it cannot be linked."
    assert (response.status_code, texts_of(response, "#notice")) == (422, [reason])
    assert (tags(), MarkupRecord.objects.get().version) == (["", ""], 0)


def test_a_tag_that_stands_elsewhere_is_not_proposed(link):
    record = draft_of(TEXT, fragment(0, 4, tag="ГРАММ1"), fragment(5, 11), fragment(12, 17))

    link(record, *numbers(record)[1:])

    assert tags() == ["ГРАММ1", "грамм2", "грамм2"]


def test_a_link_is_shown_at_both_marks_and_nothing_else_changes(link):
    marks = fragment(0, 4, correction="Many", comment="слово"), fragment(5, 11, "А.лекс")
    record = draft_of(TEXT, *marks, fragment(12, 17))

    response = link(record, *numbers(record)[:2])

    assert texts_of(response, "[data-mark] .tg") == ["грамм1", "грамм1"]
    assert [each["data-tag"] for each in page_of(response).find("span[data-tag]")] == [
        "грамм1",
        "грамм1",
    ]
    assert [row.to_core() for row in record.fragments.all()] == [
        fragment(0, 4, correction="Many", comment="слово", tag="грамм1"),
        fragment(5, 11, "А.лекс", tag="грамм1"),
        fragment(12, 17),
    ]


def test_a_stale_tab_links_nothing(link):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))
    MarkupRecord.objects.update(version=5)

    response = link(record, *numbers(record), version=4)

    assert (response.status_code, tags()) == (409, ["", ""])
    assert texts_of(response, "#notice") == [
        "The same was changed in another tab or on another device. Choose one of the two."
    ]


def test_a_mark_is_not_linked_with_itself(link):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))
    first = numbers(record)[0]

    response = link(record, first, first)

    assert (response.status_code, tags()) == (422, ["", ""])
    assert texts_of(response, "#notice") == ["A mark is linked with another one. Choose that."]
    assert MarkupRecord.objects.get().version == 0


@pytest.mark.parametrize("order", [1, -1])
def test_a_mark_of_another_markup_is_not_linked(link, order):
    record, other = draft_of(TEXT, fragment(0, 4)), draft_of(TEXT, fragment(0, 4))

    response = link(record, *[*numbers(record), *numbers(other)][::order])

    assert (response.status_code, texts_of(response, "#notice")) == (422, [GONE])
    assert tags() == ["", ""]
    assert {each.version for each in MarkupRecord.objects.all()} == {0}


@pytest.mark.parametrize("number", [2**31, 2**63, "9" * 30])
def test_a_mark_that_never_was_is_not_linked(link, number):
    record = draft_of(TEXT, fragment(0, 4))

    response = link(record, *numbers(record), number)

    assert (response.status_code, texts_of(response, "#notice")) == (422, [GONE])
    assert (tags(), MarkupRecord.objects.get().version) == ([""], 0)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("", "second: This field is required."),
        ("x", "second: Enter a whole number."),
        ("0", "second: Ensure this value is greater than or equal to 1."),
    ],
)
def test_what_is_no_number_of_a_mark_is_refused(link, number, reason):
    record = draft_of(TEXT, fragment(0, 4))

    response = link(record, *numbers(record), number)

    assert (response.status_code, texts_of(response, "#notice")) == (422, [reason])


def test_marks_of_a_submitted_markup_are_not_linked(link):
    draft = draft_of(TEXT)
    record = submitted(
        draft.essay,
        *[fragment(0, 4), fragment(5, 11)],
        author=PersonFactory(),
        assignment=draft.assignment,
    )

    assert (link(record, *numbers(record)).status_code, tags()) == (409, ["", ""])


@pytest.mark.parametrize(
    ("role", "status"), [("expert", 404), ("judge", 403), ("participant", 403)]
)
def test_a_stranger_links_nothing(link, role, status):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))

    response = link(record, *numbers(record), user=PersonFactory(role=role))

    assert (response.status_code, tags()) == (status, ["", ""])


def test_whoever_is_not_logged_in_links_nothing():
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))
    fields = dict(zip(["first", "second"], numbers(record), strict=True))

    response = Client().post(f"/markups/{record.pk}/links/", {"version": 0, **fields})

    assert response.headers["Location"].startswith("/login/")
    assert tags() == ["", ""]
