"""What was decided: the first two experts read what became of their fragments, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import Assignment, EssaySet, MarkupRecord
from annotator.services.markup import row_of
from annotator.services.taking import take_fragments
from review.models import Ruling
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.thirds import AGREED, LEFT, ONLY_RIGHT, thirds
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

WIDER = replace(LEFT, span=replace(LEFT.span, end=22), explanation="both words")


@pytest.fixture
def settled():
    """Agreed: kept; a wider one of the third's own; one of the second's; a reason for a drop."""
    desk = thirds(first=(AGREED, LEFT, fragment(35, 41)), second=(AGREED, ONLY_RIGHT))
    sources = [desk.rows("first")[0], desk.rows("second")[1]]
    take_fragments(record=desk.record, version=0, sources=sources)
    row_of(desk.record, WIDER).save()
    row_of(desk.record, fragment(5, 11)).save()
    Ruling.objects.create(
        markup=desk.record,
        fragment_id=desk.rows("first")[2],
        reason="people is plural",
        neither=True,
    )
    desk.submit()
    for each in (desk.first, desk.second):
        Assignment.objects.filter(pk=each.assignment_id).update(state="submitted")
    return desk


def read(client, desk, asked="?all=1"):
    page = page_of(client.get(f"/markups/{desk.record.pk}/settled/{asked}"))
    return {
        check.one("h2").text: [
            [cell.text for cell in row.children if not isinstance(cell, str)]
            for row in check.find("tbody tr")
        ]
        for check in page.find(".settled")
    }


def test_every_fragment_of_both_checks_has_its_outcome_and_its_reason(settled, log_in):
    found = read(log_in(settled.first.author), settled)

    assert found == {
        "first check, yours": [
            ["Some", "А.грамм Grammar", "kept", "", ""],
            ["people", "–", "added", "А.грамм Grammar", ""],
            [
                "think",
                "А.лекс Vocabulary",
                "changed shifted borders",
                "А.лекс Vocabulary think that",
                "both words",
            ],
            ["unite", "–", "added", "А.лекс Vocabulary from: second check", ""],
            ["people", "А.грамм Grammar", "dropped", "–", "people is plural"],
        ],
        "second check": [
            ["Some", "А.грамм Grammar", "kept", "", ""],
            ["people", "–", "added", "А.грамм Grammar", ""],
            ["think that", "–", "added", "А.лекс Vocabulary", "both words"],
            ["unite", "А.лекс Vocabulary", "kept", "", ""],
        ],
    }


def test_what_was_kept_is_shown_when_asked_for_and_every_line_leads_to_the_text(settled, log_in):
    page = page_of(log_in(settled.first.author).get(f"/markups/{settled.record.pk}/settled/"))
    first, second = (
        [row.one("th a")["href"] for row in check.find("tbody tr")]
        for check in page.find(".settled")
    )
    own = {row.pk: row.code for row in settled.record.fragments.all()}

    assert (len(first), len(second)) == (4, 2)
    assert {link.partition("#mark-")[0] for link in [*first[:3], *second]} == {
        f"/markups/{settled.record.pk}/"
    }
    assert all(int(link.partition("#mark-")[2]) in own for link in [*first[:3], *second])
    dropped = settled.rows("first")[2]
    assert first[3] == f"/markups/{settled.first.pk}/#mark-{dropped}"


def test_the_reason_a_fragment_was_kept_for_is_read_by_both_without_asking_for_more(log_in):
    desk = thirds(first=(AGREED,), second=(AGREED, ONLY_RIGHT))
    sources = [desk.rows("first")[0], desk.rows("second")[1]]
    take_fragments(record=desk.record, version=0, sources=sources)
    Ruling.objects.create(markup=desk.record, fragment_id=sources[1], reason="a plural verb")
    desk.submit()
    for each in (desk.first, desk.second):
        Assignment.objects.filter(pk=each.assignment_id).update(state="submitted")

    found = [
        read(log_in(each.author), desk, asked="").values() for each in (desk.first, desk.second)
    ]

    added = ["unite", "–", "added", "А.лекс Vocabulary from: second check", "a plural verb"]
    kept = ["unite", "А.лекс Vocabulary", "kept", "", "a plural verb"]
    assert [list(each) for each in found] == [[[added], [kept]]] * 2


def test_what_nobody_decided_about_is_explained_where_there_is_such_a_fragment(log_in):
    desk = thirds(first=(AGREED, LEFT), second=(AGREED,))
    take_fragments(record=desk.record, version=0, sources=[desk.rows("first")[0]])
    desk.submit()
    judge = log_in(PersonFactory(role=User.Role.JUDGE))

    first, second = page_of(judge.get(f"/markups/{desk.record.pk}/settled/")).find(".settled")

    assert first.one(".more").text == "kept 1, changed 0, dropped 0, undecided 1, added 0"
    assert [each.text for each in first.find(".body .muted")] == [
        (
            "Undecided: the third markup has no such fragment, and nothing was said of it at the "
            "desk. The third check came with a file, or this check was changed after it."
        )
    ]
    assert [each.text for each in second.find(".body .muted")] == ["Everything was kept as it was."]


def test_the_outcomes_are_counted(settled, log_in):
    response = log_in(settled.second.author).get(f"/markups/{settled.record.pk}/settled/")

    assert texts_of(response, ".settled .more") == [
        "kept 1, changed 1, dropped 1, added 2",
        "kept 2, changed 0, dropped 0, added 2",
    ]


def test_the_first_two_experts_find_it_from_their_markup_and_their_queue(settled, log_in):
    address = f"/markups/{settled.record.pk}/settled/"
    for record in (settled.first, settled.second):
        client = log_in(record.author)
        pages = [client.get(path) for path in (f"/markups/{record.pk}/", "/queue/")]

        links = [[a["href"] for a in page_of(page).find("a[href]")] for page in pages]

        assert [address in found for found in links] == [True, True]


def test_staff_find_it_from_the_desk(settled, log_in):
    client = log_in(PersonFactory(role=User.Role.JUDGE))
    page = page_of(client.get(f"/desk/essays/{settled.essay.pk}/"))

    assert f"/markups/{settled.record.pk}/settled/" in [a["href"] for a in page.find("a[href]")]
    assert [*read(client, settled)] == ["first check", "second check"]


def link_of(settled, client):
    page = page_of(client.get(f"/markups/{settled.first.pk}/"))
    return [a.text for a in page.find(".settled-link a")]


def test_before_the_third_check_is_submitted_there_is_nothing_to_read(settled, log_in):
    MarkupRecord.objects.filter(pk=settled.record.pk).update(state="draft", submitted_at=None)
    client = log_in(settled.first.author)

    assert link_of(settled, client) == []
    assert client.get(f"/markups/{settled.record.pk}/settled/").status_code == 404


def test_an_expert_whose_check_is_open_again_does_not_read_it(settled, log_in):
    Assignment.objects.filter(pk=settled.first.assignment_id).update(state="working")
    MarkupRecord.objects.filter(pk=settled.first.pk).update(state="draft", submitted_at=None)
    client = log_in(settled.first.author)

    assert link_of(settled, client) == []
    assert client.get(f"/markups/{settled.record.pk}/settled/").status_code == 404


def test_participants_do_not_read_it(settled, log_in):
    EssaySet.objects.update(access="open")
    client = log_in(PersonFactory(role=User.Role.PARTICIPANT))

    assert link_of(settled, client) == []
    assert client.get(f"/markups/{settled.record.pk}/settled/").status_code == 403


@pytest.mark.parametrize("which", ["first", "second"])
def test_other_markups_settle_nothing(settled, log_in, which):
    number = getattr(settled, which).pk

    response = log_in(settled.first.author).get(f"/markups/{number}/settled/")

    assert response.status_code == 404


def test_the_page_costs_the_same_for_few_fragments_and_for_many(log_in):
    few, many = thirds(), thirds(first=(AGREED, LEFT) * 20, second=(LEFT,) * 30)
    judge = log_in(PersonFactory(role=User.Role.JUDGE))
    counts = []
    for desk in (few, many):
        sources = desk.rows("first")
        take_fragments(record=desk.record, version=0, sources=sources)
        desk.submit()
        with CaptureQueriesContext(connection) as counted:
            judge.get(f"/markups/{desk.record.pk}/settled/")
        counts.append(len(counted))

    assert counts[0] == counts[1]
