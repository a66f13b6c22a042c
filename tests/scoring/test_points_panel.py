from __future__ import annotations

import pytest
from django.utils import translation

from annotator.models import MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import DraftFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(log_in):
    draft = DraftFactory()
    client = log_in(draft.author)
    return lambda **headers: client.get(f"/markups/{draft.pk}/", headers=headers)


def test_the_panel_says_why_points_are_missing_and_names_alike_criteria_together(panel):
    absent = "ПРОБЛЕМА, ЛМНЕНИЕ, ПРМНЕНИЕ, ОБОСНОВАНИЕ, ВЫВОД"

    told = texts_of(panel(), ".points .why li")

    assert told[0].startswith("K1 = 0 the essay is too short; words:")
    assert told[1:] == [f"K2 = 1 blocks missing or out of order: 5; missing: {absent}"]


def test_the_sheet_names_the_blocks_that_are_missing_until_they_are_marked(log_in):
    text = "Some people think so. " * 50
    arguments = ["АРГУМЕНТ"] * 3
    blocks = ["ПРОБЛЕМА", "ЛМНЕНИЕ", *arguments, "ПРМНЕНИЕ", "ОБОСНОВАНИЕ", "ВЫВОД"]
    marked = [fragment(22 * at, 22 * at + 21, code) for at, code in enumerate(blocks)]

    def doubts(*fragments, **headers):
        record = draft_of(text, *fragments)
        response = log_in(record.author).get(f"/markups/{record.pk}/", headers=headers)
        return texts_of(response, "#checklist h3") + texts_of(response, "#checklist li")

    assert doubts() == [
        "Worth a second look, 2",
        "No mark has been made.",
        (
            "Semantic blocks are missing: ЛМНЕНИЕ Own opinion, ПРМНЕНИЕ Opposing opinion, "
            "ОБОСНОВАНИЕ Rebuttal, ПРОБЛЕМА Problem, АРГУМЕНТ Argument, ВЫВОД Conclusion."
        ),
    ]
    assert doubts(*marked[:6], **{"accept-language": "ru"}) == [
        "Взгляните ещё раз, 1",
        "Не хватает смысловых блоков: ОБОСНОВАНИЕ, ВЫВОД.",
    ]
    assert doubts(*marked) == []


def test_the_panel_speaks_russian(panel):
    with translation.override("en"):  # the middleware leaves its language behind
        response = panel(**{"accept-language": "ru"})

    assert texts_of(response, ".points .why li")[1].startswith("K2 = 1 блоков пропущено")


@pytest.fixture
def state(log_in):
    def send(record, **points):
        address = f"/markups/{record.pk}/points/"
        return log_in(record.author).post(address, {"version": record.version, **points})

    return send


def stated_of(record):
    return MarkupRecord.objects.values_list("stated", flat=True).get(pk=record.pk)


def test_a_half_and_points_left_open_are_shown_beside_the_computed_ones(log_in):
    record = draft_of("Some people think.", *[fragment(at, at + 1) for at in range(3)])
    record.stated = {"K3": 2.5, "K4": [2, 3]}
    record.save()

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert [each.text for each in page.find(".points .help.bad")] == [
        "K3 is stated as 2.5, but the markup gives 3.",
        "K4 is stated as 2; 3, but the markup gives 2.",
    ]
    own = {each["name"]: each["value"] for each in page.find("#stated input")}
    assert own == {"K1": "", "K2": "", "K3": "2.5", "K4": "2; 3", "K5": ""}


def test_points_that_came_with_a_file_are_not_lost_when_another_is_stated(state):
    record = draft_of()

    response = state(record, K1="1", K3="2.5", K4="2; 3", K5="")

    assert response.status_code == 200
    assert stated_of(record) == {"K1": 1, "K3": 2.5, "K4": [2, 3]}


@pytest.mark.parametrize("points", ["4", "-1", "two", "2; 4", "1e1"])
def test_points_a_criterion_cannot_have_are_refused_by_its_name(state, points):
    record = draft_of()

    response = state(record, K3=points)

    sentence = "K3: Write points from 0 to 3, such as 2 or 2.5."
    assert (response.status_code, texts_of(response, "#own-K3-why")) == (422, [sentence])
    (field,) = page_of(response).find("#own-K3")
    assert (field["value"], field["aria-invalid"], field["aria-describedby"]) == (
        points,
        "true",
        "own-K3-why",
    )
    assert stated_of(record) == {}


def test_nobody_else_states_points(log_in):
    record = draft_of()

    answers = [
        log_in(PersonFactory(role=role)).post(
            f"/markups/{record.pk}/points/", {"version": 0, "K3": "2.5"}
        )
        for role in ("expert", "participant", "judge")
    ]

    assert [answer.status_code for answer in answers] == [404, 403, 403]


def test_points_stated_behind_a_failed_gate_are_told_once(log_in):
    record = draft_of("Коротко.", subject="social")
    record.stated = {"K1": 1, "K2": 2, "K3": 1, "K4": 0}
    record.save()

    page = log_in(record.author).get(f"/markups/{record.pk}/")

    assert texts_of(page, ".points .help.bad") == [
        "K1 is stated as 1, but the markup gives 0.",
        "K2, K3: 2, 1 is stated, but the markup gives 0, since K1 is 0.",
    ]
