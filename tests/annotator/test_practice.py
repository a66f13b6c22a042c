"""Practice: who may try what, and what is seen before and after."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import EssaySet, MarkupRecord
from annotator.queries.practice import key_of
from annotator.services.imports.importing import Options, import_files
from annotator.services.markup import submit_markup
from annotator.services.practising import start_try
from annotator.services.set_acts import describe_set
from jobs.models import Job
from review.services.assigning import assign_two_experts
from tests.annotator.files import MARKED, named
from tests.annotator.practising import KEY, practice_essay, tried
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def expert():
    return PersonFactory(full_name="Anna")


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator", full_name="Natalia")


def states(essay, expert):
    own = MarkupRecord.objects.filter(essay=essay, author=expert).order_by("pk")
    return list(own.values_list("source", "state"))


def rows_of(client):
    return texts_of(client.get("/practice/"), "tbody tr")


def test_an_expert_takes_an_essay_without_anybody_and_is_led_beside_the_key(log_in, expert):
    essay = practice_essay(number="17")
    client, key = log_in(expert), key_of(essay)

    begun = client.post(f"/practice/{essay.pk}/")
    draft = MarkupRecord.objects.get(author=expert)
    handed_in = client.post(f"/markups/{draft.pk}/submit/", {"version": draft.version})
    shown = page_of(client.get(handed_in["Location"]))

    assert begun["Location"] == f"/markups/{draft.pk}/"
    assert handed_in["Location"] == f"/compare/{draft.pk}/{key.pk}/"
    heads = [each.text for each in shown.find(".pair-head h2")]
    assert heads == ["L Anna practice, 0 fragments", "R Key practice, 2 fragments"]
    assert "Practice calls no third check." in shown.one(".why").text
    assert (draft.assignment, states(essay, expert)) == (None, [("practice", "submitted")])


def test_beside_the_key_the_way_leads_back_to_practice_where_another_try_begins(log_in, expert):
    essay = practice_essay()
    own, key = tried(essay, expert, fragment(0, 4)), key_of(essay)
    doors = [f"/compare/{own.pk}/{key.pk}/", f"/compare/{key.pk}/{own.pk}/"]

    for door in doors:
        page = page_of(log_in(expert).get(door))
        of_staff = page_of(log_in(PersonFactory(role="coordinator")).get(door))

        assert [each["href"] for each in page.find("a.back")] == ["/practice/"]
        assert [each["href"] for each in of_staff.find("a.back")] == [f"/essays/{essay.pk}/"]
        assert "Left against all experts" not in page.one(".choice").text


def test_nobody_is_told_of_a_try(expert):
    tried(practice_essay(), expert, fragment(0, 4))

    assert not Job.objects.exists()


def test_before_the_submission_neither_the_key_nor_another_try_is_seen(log_in, expert):
    essay = practice_essay()
    other = tried(essay, PersonFactory(), fragment(0, 4))
    own = start_try(essay=essay, expert=expert)
    client, key = log_in(expert), key_of(essay)
    doors = [f"/markups/{key.pk}/", f"/compare/{own.pk}/{key.pk}/", f"/api/markups/{key.pk}/"]
    doors += [f"/markups/{other.pk}/", f"/compare/{own.pk}/{other.pk}/"]

    before = [client.get(door).status_code for door in doors]
    listed = texts_of(client.get(f"/essays/{essay.pk}/"), ".markup-list a")
    client.post(f"/markups/{own.pk}/submit/", {"version": own.version})
    after = [client.get(door).status_code for door in doors]

    assert (before, listed) == ([404] * 5, ["Anna"])
    assert after == [200, 200, 200, 404, 404]


def test_a_new_try_hides_the_key_again_and_keeps_the_former_one(log_in, expert):
    essay = practice_essay()
    former = tried(essay, expert, fragment(0, 4))
    client = log_in(expert)

    for _ in range(2):
        client.post(f"/practice/{essay.pk}/")

    assert states(essay, expert) == [("practice", "superseded"), ("practice", "draft")]
    assert client.get(f"/markups/{key_of(essay).pk}/").status_code == 404
    assert client.get(f"/markups/{former.pk}/").status_code == 200


def test_as_many_experts_as_want_have_an_essay_at_once(expert):
    essay = practice_essay()
    people = [expert, PersonFactory(), PersonFactory()]

    drafts = {start_try(essay=essay, expert=each).author_id for each in people}

    assert drafts == {each.pk for each in people}


def test_the_list_shows_essays_of_own_subjects_that_have_a_key_in_open_sets(log_in, expert):
    practice = EssaySet.Access.PRACTICE
    begun = practice_essay(number="1", essay_set=EssaySetFactory(name="P", access=practice))
    done = practice_essay(number="2", essay_set=begun.essay_set)
    fresh = practice_essay(number="3", essay_set=begun.essay_set)
    practice_essay(number="4", essay_set=begun.essay_set, has_key=False)
    practice_essay(number="5", essay_set=begun.essay_set, subject="rus")
    for number, state in (("6", "closed"), ("7", "preparing")):
        practice_essay(number=number, essay_set=EssaySetFactory(access=practice, state=state))
    submitted(EssayFactory(number="8"), source=MarkupRecord.Source.KEY)
    start_try(essay=begun, expert=expert)
    tried(done, expert)
    tried(fresh, PersonFactory())

    found = rows_of(log_in(expert))

    said = "Sport unites people English, P"
    assert found == [
        f"1 {said} 0 Go on 1",
        f"2 {said} 1 Try again 2 Beside the key 2",
        f"3 {said} 0 Try 3",
    ]
    assert "3 essays with a key to practise on" in log_in(expert).get("/queue/").content.decode()


def test_the_list_costs_the_same_for_one_essay_and_for_many(log_in, expert):
    client, counts = log_in(expert), []
    essay_set = EssaySetFactory(access=EssaySet.Access.PRACTICE)
    for _ in range(2):
        for _ in range(3):
            tried(practice_essay(essay_set=essay_set), expert)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get("/practice/")
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("role", "subjects", "statuses"),
    [
        ("expert", ["rus"], [200, 404, 404]),
        ("participant", [], [403, 403, 404]),
        ("judge", [], [403, 403, 200]),
        ("coordinator", [], [403, 403, 200]),
    ],
)
def test_a_stranger_takes_nothing_and_sees_nothing(log_in, role, subjects, statuses):
    essay = practice_essay()
    client = log_in(PersonFactory(role=role, subjects=subjects))

    found = [client.get("/practice/"), client.post(f"/practice/{essay.pk}/")]
    found.append(client.get(f"/essays/{essay.pk}/"))

    assert [each.status_code for each in found] == statuses
    assert not MarkupRecord.objects.filter(source="practice").exists()


def test_no_try_of_a_closed_set_begins_and_a_begun_one_is_submitted(expert):
    essay = practice_essay()
    record = start_try(essay=essay, expert=expert)
    EssaySet.objects.update(state="closed")

    with pytest.raises(Refused, match="is not open: its essays cannot be tried now"):
        start_try(essay=essay, expert=PersonFactory())
    assert submit_markup(record=record, version=record.version).state == "submitted"


def test_no_check_of_practice_is_given():
    with pytest.raises(Refused, match="is for practice: experts take its essays themselves"):
        assign_two_experts(essay=practice_essay(), actor=None)


def test_a_set_with_essays_neither_becomes_practice_nor_ceases_to_be(log_in, coordinator):
    checked, practice = EssayFactory().essay_set, practice_essay().essay_set
    client = log_in(coordinator)
    for essay_set, access in ((checked, "practice"), (practice, "closed")):
        with pytest.raises(Refused, match="practice begins and ends with an empty set"):
            describe_set(essay_set=essay_set, seen=0, actor=coordinator, values={"access": access})

    offered = [
        [each["value"] for each in page_of(client.get(f"/sets/{each.pk}/describe/")).find("option")]
        for each in (checked, EssaySetFactory())
    ]

    assert ["practice" in each for each in offered] == [False, True]


def test_an_import_brings_essays_into_practice_and_no_markups():
    essay_set = EssaySetFactory(name="P", access=EssaySet.Access.PRACTICE)

    found = import_files(
        [named("7.txt"), named("7_exp1.txt", MARKED)], Options(essay_set, from_markups=True)
    )

    assert [each.outcome.value for each in found] == ["essay", "refused"]
    assert "The set “P” is for practice: it takes essays without marks." in found[1].reason
    assert not MarkupRecord.objects.exists()


def test_the_staff_sees_the_key_who_tried_and_how_near_they_came(log_in, coordinator, expert):
    essay = practice_essay(number="17")
    tried(essay, expert, *KEY)
    tried(essay, PersonFactory(full_name="Boris"), fragment(0, 4, code="А.лекс"))
    client = log_in(coordinator)

    page = page_of(client.get(f"/essays/{essay.pk}/"))
    listed = page_of(client.get(f"/sets/{essay.essay_set_id}/"))

    lines = page.find("[aria-labelledby=h-tries] tbody tr")
    cells = [[cell.text for cell in line.find("td")] for line in lines]
    assert cells[0][:2] == ["100.0", "80.0"]
    assert cells[1] != cells[0]
    links = [each["href"] for each in page.find("[aria-labelledby=h-tries] a")]
    records = MarkupRecord.objects.filter(source="practice").order_by("pk")
    assert links == [f"/compare/{each.pk}/{key_of(essay).pk}/" for each in records]
    assert "The key was given by" in page.one(".page-head").text
    assert "Protocol" not in page.one(".page-head").text
    assert listed.find("td.a-act")[0].text == "has a key"


def test_an_expert_who_tried_sees_the_own_line_alone(log_in, expert):
    essay = practice_essay()
    tried(essay, PersonFactory(full_name="Boris"), fragment(0, 4))
    tried(essay, expert, *KEY)

    page = page_of(log_in(expert).get(f"/essays/{essay.pk}/"))

    lines = page.find("[aria-labelledby=h-tries] tbody tr")
    assert [each.one("a").text for each in lines] == ["Anna"]
    assert "Boris" not in page.text


def test_the_api_tells_that_a_set_is_for_practice(log_in, coordinator):
    essay_set = practice_essay().essay_set

    told = log_in(coordinator).get(f"/api/sets/{essay_set.pk}/").json()

    assert told["access"] == "practice"
