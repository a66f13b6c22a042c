from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from annotator.core.values import Fragment
from annotator.models import MarkupRecord
from compare.core.matcher import match
from compare.core.rows import rows
from scoring.core.counts import count
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import K_MAX
from scoring.core.metrics import Weights, m1, measure, pairwise_accuracy
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text
from web.templatetags.ui import percent

pytestmark = pytest.mark.django_db

LEFT = (
    fragment(0, 11, "А.запас", subcode="син"),
    fragment(12, 17, "А.лекс"),
    fragment(23, 28, "А.грамм", correction="sports"),
    fragment(29, 34, "А.грамм"),
    whole_text("А.грамм"),
)
RIGHT = (
    fragment(0, 11, "А.запас", subcode="син"),
    fragment(12, 17, "А.грамм"),
    fragment(23, 34, "А.грамм", correction="sports"),
    fragment(43, 48, "А.лог"),
)


@pytest.fixture
def pair():
    essay = EssayFactory()
    return submitted(essay, *LEFT), submitted(essay, *RIGHT)


@pytest.fixture
def show(log_in):
    judge = log_in(PersonFactory(role="judge"))

    def page(left, right, client=judge):
        return client.get(f"/compare/{left.pk}/{right.pk}/")

    return page


def listed(response):
    """The rows of the page: state and words."""
    return [
        (each["class"].removeprefix("st-"), each.one("q").text, each.one(".what").text)
        for each in page_of(response).find(".difflist li")
    ]


def test_both_texts_are_shown_with_their_own_marks(show, pair):
    page = page_of(show(*pair))

    for side, record in zip(("#left", "#right"), pair, strict=True):
        numbers = {each["data-m"] for each in page.find(f"{side} [data-m]")}
        placed = record.fragments.filter(start__isnull=False)
        assert page.one(side).raw == record.essay.text
        assert {int(number) for each in numbers for number in each.split()} == {
            row.pk for row in placed
        }


def test_pairs_and_fragments_alone_are_listed_in_reading_order_with_their_reasons(show, pair):
    loss = percent(6 / 11, 2)
    taken = f"that one stands in pair 3, which loses {loss}. No other choice makes the sum smaller."
    near = f"With А.грамм “sport unite” it would lose {percent(1 + 6 / 11, 2)}"
    apart = percent(4 / 11 + 7 / 11, 2)

    assert apart == "1.00"
    assert listed(show(*pair)) == [
        ("same", "Some people", "А.запас син Vocabulary range: no synonyms"),
        (
            "code",
            "think",
            "А.лекс Vocabulary ≠ А.грамм Grammar loss 1.00 = borders 0.00 + beginning 0 + code 1",
        ),
        (
            "borders",
            "sport",
            f"А.грамм Grammar → sports loss {loss} = borders {loss} + beginning 0 + code 0",
        ),
        (
            "only_left",
            "unite",
            f"А.грамм Grammar {near}, but {taken}",
        ),
        ("only_right", "while", "А.лог The other side has nothing at this place."),
        (
            "only_left",
            "Whole text",
            "А.грамм Grammar The other side has no mistake of the whole text.",
        ),
    ]


def test_a_fragment_without_a_partner_worth_having_says_what_the_nearest_would_cost(show):
    essay = EssayFactory()
    left = submitted(essay, fragment(0, 20, "ПРОБЛЕМА"))
    right = submitted(essay, fragment(12, 17, "А.лекс"))

    near = "Nothing comes near enough: with"
    nearest = "it would lose 2.75 = borders 0.75 + beginning 1 + code 1; apart they lose 2."
    assert [what for _state, _words, what in listed(show(left, right))] == [
        f"ПРОБЛЕМА Problem {near} А.лекс “think” {nearest}",
        f"А.лекс Vocabulary {near} ПРОБЛЕМА “Some people think th” {nearest}",
    ]


def test_the_rows_are_those_of_the_core(show, pair):
    left, right = pair
    expected = rows(match(left.to_core(), right.to_core()))

    page = page_of(show(left, right))

    numbers = [list(record.fragments.values_list("pk", flat=True)) for record in pair]
    assert [
        (each.attributes.get("data-left"), each.attributes.get("data-right"))
        for each in page.find("a.diff")
    ] == [
        (
            None if row.left is None else str(numbers[0][row.left]),
            None if row.right is None else str(numbers[1][row.right]),
        )
        for row in expected
    ]
    assert [state for state, _words, _what in listed(show(left, right))] == [
        row.state for row in expected
    ]


def test_the_figures_are_those_of_the_core(show, pair):
    left, right = (record.to_core() for record in pair)
    counts = count(match(left, right))
    subject = pair[0].essay.core_subject
    sheets = grade(subject, left), grade(subject, right)
    metrics = measure(counts, m1=m1(sheets[0].total, sheets[1].total, K_MAX[subject]))
    accuracy = pairwise_accuracy(metrics, Weights())

    response = show(*pair)

    figures = [metrics.m1, metrics.m2, metrics.m3, metrics.m4, metrics.m5, metrics.m6]
    assert texts_of(response, ".bars dd b") == [percent(value) for value in figures]
    assert texts_of(response, ".strip .total") == [percent(accuracy)]
    assert texts_of(response, ".bars dd .help") == [
        f"1 − |{sheets[0].total} − {sheets[1].total}| / 14",
        f"2 × {counts.found} / ({counts.n} + {counts.m})",
        f"M2 × {counts.equal_codes} / {counts.n}",
        f"M2 × {counts.equal_subcodes} / {counts.n}",
        f"M2 × {percent(counts.localization, 2)} / {counts.n}",
        f"M2 × {counts.equal_corrections} / {counts.n}",
    ]


def test_the_points_of_both_stand_side_by_side_with_the_rule_of_the_third_check(show, pair):
    left, right = (grade(record.essay.core_subject, record.to_core()) for record in pair)

    response = show(*pair)

    difference = abs(left.total - right.total)
    assert texts_of(response, ".kk p")[0] == (
        f"{left.total} and {right.total}, difference {difference}"
    )
    assert texts_of(response, ".why p") == [
        "No third expert is needed.",
        "A third expert checks when the totals K1 + K2 + K3 + K4 + K5 differ by 4 or more.",
    ]
    assert texts_of(response, ".pairk") == [
        f"{name} {points}:{right.points[name]}" for name, points in left.points.items()
    ]


def test_the_weights_of_the_rule_set_decide_the_accuracy(show):
    weights = {f"rules__w{number}": 0 for number in range(2, 7)}
    essay = EssayFactory(essay_set=EssaySetFactory(rules__w1=2, **{**weights, "rules__w2": 1}))
    left, right = submitted(essay, *LEFT), submitted(essay, *RIGHT)
    points = [grade(essay.core_subject, record.to_core()).total for record in (left, right)]
    counts = count(match(left.to_core(), right.to_core()))

    response = show(left, right)

    expected = (2 * m1(*points, K_MAX[essay.core_subject]) + measure(counts).m2) / 3
    assert texts_of(response, ".strip .total") == [percent(expected)]


def test_swapped_sides_give_the_mirrored_list(show, pair):
    mirror = {"only_left": "only_right", "only_right": "only_left"}

    there, back = (
        [(each["class"].removeprefix("st-"), each.one("a.diff").attributes) for each in rows_]
        for rows_ in (
            page_of(show(*sides)).find(".difflist li") for sides in (pair, reversed(pair))
        )
    )

    assert sorted(
        (mirror.get(state, state), each.get("data-right", ""), each.get("data-left", ""))
        for state, each in there
    ) == sorted(
        (state, each.get("data-left", ""), each.get("data-right", "")) for state, each in back
    )
    left, right = pair
    assert page_of(show(left, right)).one("#swap")["href"] == f"/compare/{right.pk}/{left.pk}/?"


def test_two_empty_markups_are_alike(show):
    essay = EssayFactory()

    response = show(submitted(essay), submitted(essay))

    assert texts_of(response, ".difflist li") == ["Neither markup has a fragment"]
    assert texts_of(response, ".strip .total") == ["100.0"]


def test_a_markup_may_be_laid_beside_itself(show, pair):
    states = {state for state, _words, _what in listed(show(pair[0], pair[0]))}

    assert states == {"same"}


def test_what_is_html_in_a_markup_stays_text(show):
    essay = EssayFactory(text="<b>x</b> people")
    left = submitted(essay, fragment(0, 8, "ИСП", correction="<i>y</i>"))
    right = submitted(essay, Fragment(None, "<u>", subcode="<u>"))

    page = page_of(show(left, right))

    assert page.find("i") == page.find("u") == page.find(".essay b") == []
    assert [row.one("q").text for row in page.find(".difflist li")] == ["<b>x</b>", "Whole text"]


def test_markups_of_different_essays_are_not_compared(show):
    assert show(submitted(EssayFactory()), submitted(EssayFactory())).status_code == 404


def test_the_page_takes_the_same_queries_for_one_fragment_and_for_five(
    log_in, django_assert_num_queries
):
    client = log_in(PersonFactory(role="judge"))
    for count_ in (1, 5):
        essay = EssayFactory()
        one, other = (submitted(essay, *[fragment(0, 4)] * count_) for _ in range(2))
        client.get(f"/compare/{one.pk}/{other.pk}/")
        with django_assert_num_queries(5):
            client.get(f"/compare/{one.pk}/{other.pk}/")


def third_check(role="third", state="working"):
    essay = EssayFactory()
    pair = [
        submitted(essay, assignment=AssignmentFactory(essay=essay, role=each, state="submitted"))
        for each in ("first", "second")
        if each != role
    ]
    assignment = AssignmentFactory(essay=essay, role=role, state=state)
    return assignment, *pair, submitted(essay)


@pytest.mark.parametrize("role", ["coordinator", "organiser", "judge", "commission"])
def test_the_staff_see_every_comparison(log_in, show, pair, role):
    assert show(*pair, client=log_in(PersonFactory(role=role))).status_code == 200


def test_the_third_expert_sees_the_two_earlier_markups_compared(log_in, show):
    assignment, first, second, _other = third_check()

    assert show(first, second, client=log_in(assignment.expert)).status_code == 200


@pytest.mark.parametrize(("state", "status"), [("working", 404), ("submitted", 200)])
def test_a_first_expert_sees_comparisons_once_the_own_check_is_submitted(
    log_in, show, state, status
):
    assignment, second, other = third_check("first", state)

    assert show(second, other, client=log_in(assignment.expert)).status_code == status


def test_a_draft_is_compared_by_its_author_only(log_in, show):
    assignment, first, _second, _other = third_check()
    draft = DraftFactory(assignment=assignment)
    stranger = PersonFactory(role="judge")

    assert show(draft, first, client=log_in(assignment.expert)).status_code == 200
    assert show(draft, first, client=log_in(stranger)).status_code == 404
    assert show(first, draft, client=log_in(stranger)).status_code == 404


def test_an_earlier_version_says_until_when_it_counted(log_in, show):
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"))
    robot = PersonFactory(role="participant", username="lynx")
    earlier = submitted(essay, author=robot, source="algorithm")
    MarkupRecord.objects.filter(pk=earlier.pk).update(
        state="superseded",
        submitted_at=datetime(2026, 3, 1, 9, tzinfo=UTC),
        superseded_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    later = submitted(essay, author=robot, source="algorithm")

    page = show(earlier, later, client=log_in(robot)).content.decode()

    assert "earlier version, until 2 Mar 2026, 12:00" in page


def test_an_earlier_version_is_compared_by_its_author_and_the_staff_only(log_in, show):
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"))
    robot = PersonFactory(role="participant")
    earlier = submitted(essay, fragment(0, 4), author=robot, source="algorithm")
    MarkupRecord.objects.filter(pk=earlier.pk).update(state="superseded")
    later = submitted(essay, fragment(0, 11), author=robot, source="algorithm")
    done = AssignmentFactory(essay=essay, state="submitted")
    expert = submitted(essay, assignment=done)
    rival = PersonFactory(role="participant")

    found = {
        name: (
            show(earlier, later, client=log_in(person)).status_code,
            show(earlier, expert, client=log_in(person)).status_code,
        )
        for name, person in {
            "judge": PersonFactory(role="judge"),
            "author": robot,
            "rival": rival,
            "expert": done.expert,
        }.items()
    }

    assert found == {
        "judge": (200, 200),
        "author": (200, 200),
        "rival": (404, 404),
        "expert": (404, 404),
    }
    heads = texts_of(show(earlier, later), ".pair-head h2")
    assert ["earlier version, until" in head for head in heads] == [True, False]


def test_a_stranger_sees_no_comparison(log_in, show, pair):
    for role in ("expert", "participant"):
        assert show(*pair, client=log_in(PersonFactory(role=role))).status_code == 404
    address = f"/compare/{pair[0].pk}/{pair[1].pk}/"
    assert Client().get(address).headers["Location"] == f"/login/?next={address}"


def test_for_paper_the_page_names_the_essay_its_theme_and_the_filter(pair, log_in):
    judge, (left, right) = log_in(PersonFactory(role="judge")), pair
    address = f"/compare/{left.pk}/{right.pk}/"

    whole = page_of(judge.get(address)).one(".for-paper").text
    narrow = page_of(judge.get(f"{address}?kind=borders&kind=code&code=а.лекс"))

    head = f"Essay {left.essay.number}, comparison {left.essay.theme}"
    assert left.essay.theme
    assert whole == head
    assert narrow.one(".for-paper").text == f"{head} Only these rows: Another code Borders А.лекс"
