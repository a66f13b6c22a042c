"""Views of a comparison: filters by address, earlier versions, other markups, several at once."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

LEFT = (
    fragment(0, 4, "А.лекс"),
    fragment(5, 11, "А.грамм"),
    fragment(12, 17, "А.логика"),
    whole_text("А.запас"),
)
RIGHT = (
    fragment(0, 4, "А.лекс"),
    fragment(5, 11, "А.лекс"),
    fragment(23, 28, "А.орф"),
)


@pytest.fixture
def pair():
    essay = EssayFactory()
    return submitted(essay, *LEFT), submitted(essay, *RIGHT)


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


@pytest.fixture
def show(judge, pair):
    def page(query="", **headers):
        return judge.get(f"/compare/{pair[0].pk}/{pair[1].pk}/{query}", headers=headers)

    return page


def numbers(page):
    return [each["id"].removeprefix("row-") for each in page.find(".difflist li")]


@pytest.mark.parametrize(
    ("query", "left_over"),
    [
        ("", ["1", "2", "3", "4", "5"]),
        ("?kind=code", ["2"]),
        ("?kind=code&kind=only_right", ["2", "4"]),
        ("?code=А.лекс", ["1", "2"]),
        ("?code=а.ЛЕКС&kind=same", ["1"]),
        ("?code=А.запас&code=А.орф", ["4", "5"]),
        ("?kind=nonsense&code=", ["1", "2", "3", "4", "5"]),
    ],
)
def test_an_address_shows_its_rows_and_their_numbers_stay(show, query, left_over):
    page = page_of(show(query))

    assert numbers(page) == left_over
    assert [each["data-row"] for each in page.find("#knots .knot")] == left_over


def test_a_filter_without_rows_says_so_and_leads_back(show):
    page = page_of(show("?kind=borders"))

    assert page.one(".difflist li").text == "No row passes the filter Show all rows"
    assert page.one(".difflist li a")["href"] == "?"


def test_every_kind_is_a_link_with_its_count_that_switches_it(show):
    links = page_of(show("?kind=code")).find("#filters a")

    assert [(each.text, each["href"], "aria-current" in each.attributes) for each in links] == [
        ("All rows 5", "?", False),
        ("Same 1", "?kind=same&kind=code", False),
        ("Another code 1", "?", True),
        ("Borders 0", "?kind=code&kind=borders", False),
        ("Subcode 0", "?kind=code&kind=subcode", False),
        ("Correction 0", "?kind=code&kind=correction", False),
        ("Only left 2", "?kind=code&kind=only_left", False),
        ("Only right 1", "?kind=code&kind=only_right", False),
    ]


def test_totals_of_the_codes_are_links_that_switch_them(show):
    page = page_of(show("?kind=same"))
    grammar = "%D0%B0.%D0%B3%D1%80%D0%B0%D0%BC%D0%BC"

    assert [row.text for row in page.find(".codes tbody tr")] == [
        "А.лекс 1 1 0 0",
        "А.грамм 0 1 0 0",
        "А.логика 0 0 1 0",
        "А.орф 0 0 0 1",
        "А.запас 0 0 1 0",
    ]
    assert page.find(".codes a")[1]["href"] == f"?kind=same&code={grammar}"


def test_fragments_behind_the_filter_keep_their_line_and_lose_their_colour(show):
    def classes(page):
        return [set(each["class"].split()) for each in page.find("#left [data-m]")]

    assert classes(page_of(show())) == [
        {"f", "u0-same"},
        {"f", "h-code", "u0-code"},
        {"f", "h-only_left", "u0-only_left"},
    ]
    assert classes(page_of(show("?kind=only_left"))) == [
        {"f", "u0-same"},
        {"f", "u0-code"},
        {"f", "h-only_left", "u0-only_left"},
    ]


def test_pieces_name_the_rows_of_the_differences_that_begin_there(show):
    page = page_of(show())

    assert [each.attributes.get("data-rows") for each in page.find("#left [data-m]")] == [
        None,
        "2",
        "3",
    ]


def test_mistakes_of_the_whole_text_stand_above_both_texts(show):
    page = page_of(show())

    assert texts_of(show(), ".whole p") == [
        "Whole text: А.запас Vocabulary range",
        "Whole text: no mistakes",
    ]
    assert page.one(".whole .wt")["data-rows"] == "5"


def test_a_script_gets_the_part_that_changes(show):
    whole, part = show("?kind=code"), show("?kind=code", hx_request="true")

    assert page_of(part).find(".strip") == page_of(part).find("html") == []
    parts = [str(page_of(each).one(".difflist")) for each in (whole, part)]
    assert parts[0] == parts[1]


def test_swapped_sides_keep_the_filter_from_the_other_side(show, pair):
    left, right = pair

    link = page_of(show("?kind=code&kind=only_left")).one("#swap")

    assert link["href"] == f"/compare/{right.pk}/{left.pk}/?kind=code&kind=only_right"


def test_the_files_carry_the_filter(show):
    found = [each["href"] for each in page_of(show("?kind=code")).find("a[data-filtered]")]

    assert [each.partition("?")[2] for each in found] == ["kind=code", "kind=code"]


def test_every_markup_of_the_essay_can_be_chosen_earlier_versions_too(log_in, judge):
    essay = EssayFactory()
    expert = submitted(essay, assignment=AssignmentFactory(essay=essay, state="submitted"))
    robot = PersonFactory(role="participant")
    old = submitted(essay, author=robot, source="algorithm")
    MarkupRecord.objects.filter(pk=old.pk).update(state="superseded")
    new = submitted(essay, author=robot, source="algorithm")
    DraftFactory(assignment__essay=essay, assignment__role="second")

    page = page_of(judge.get(f"/compare/{new.pk}/{expert.pk}/"))

    options = page.find("#choose-left option")
    assert [int(each["value"]) for each in options] == [expert.pk, old.pk, new.pk]
    assert "earlier version" in options[1].text
    assert ["selected" in each.attributes for each in options] == [False, False, True]
    assert "earlier version" not in " ".join(
        each.text
        for each in page_of(log_in(expert.author).get(f"/compare/{new.pk}/{expert.pk}/")).find(
            "#choose-left option"
        )
    )


def test_the_form_of_two_markups_leads_to_their_address(judge, pair):
    left, right = pair

    response = judge.get(f"/compare/?left={right.pk}&right={left.pk}")

    assert (response.status_code, response["Location"]) == (302, f"/compare/{right.pk}/{left.pk}/")


@pytest.mark.parametrize("query", ["", "?left=1", "?left=x&right=1", "?left=-1&right=²"])
def test_a_form_without_two_numbers_leads_nowhere(judge, query):
    assert judge.get(f"/compare/{query}").status_code == 404


def test_a_markup_is_laid_against_every_expert_of_its_essay(judge, pair):
    essay = pair[0].essay
    robot = submitted(essay, fragment(0, 4, "А.лекс"), source="algorithm")
    submitted(essay, source="algorithm")

    page = page_of(judge.get(f"/markups/{robot.pk}/comparison/"))

    heads = page.find(".pair-head h2")
    assert [each.text.split()[1] for each in heads] == [
        str(record.author) for record in (robot, *pair)
    ]
    assert [each.find("[data-s]")[0].raw[:4] for each in page.find(".texts .essay")] == ["Some"] * 3
    assert [row.text for row in page.find("#difflist tr")] == [
        "1 Some А.лекс Vocabulary same А.лекс Vocabulary same А.лекс Vocabulary",
        "2 people – only on the right А.грамм Grammar only on the right А.лекс Vocabulary",
        "3 think – only on the right А.логика Logic –",
        "4 sport – – only on the right А.орф Spelling",
        "5 Whole text – only on the right А.запас Vocabulary range –",
    ]
    assert page.find(".strip .total")[2].text == "1"


def test_an_essay_without_experts_has_nothing_to_lay_a_markup_against(judge):
    robot = submitted(EssayFactory(), source="algorithm")

    page = page_of(judge.get(f"/markups/{robot.pk}/comparison/"))

    assert "No experts’ markups to compare with" in page.one(".empty").text


@pytest.mark.parametrize("count", [1, 9])
def test_pages_take_the_same_queries_however_many_fragments_there_are(
    judge, django_assert_num_queries, count
):
    essay = EssayFactory()
    marks = [fragment(at, at + 4) for at in range(count)]
    records = [submitted(essay, *marks) for _ in range(3)]
    judge.get(f"/compare/{records[0].pk}/{records[1].pk}/")

    with django_assert_num_queries(5):
        judge.get(f"/compare/{records[0].pk}/{records[1].pk}/?kind=same")
    with django_assert_num_queries(6):
        judge.get(f"/markups/{records[0].pk}/comparison/")
