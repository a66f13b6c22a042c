"""A comparison as JSON and CSV, the marks behind a difference in points, the matrix of an essay."""

from __future__ import annotations

import csv
import io

import pytest

from compare.core.matcher import match
from scoring.pages.figures import measured
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, nine_more, submitted
from tests.pages import page_of, texts_of
from tests.scoring.work import order, run_all
from tests.strategies import fragment
from web.templatetags.ui import percent

pytestmark = pytest.mark.django_db

LEFT = (fragment(0, 4, "А.лекс", correction="=1+1"), fragment(12, 17, "А.грамм"))
RIGHT = (fragment(0, 4, "А.лекс"), fragment(5, 11, "А.орф", subcode="x"))


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


@pytest.fixture
def pair():
    essay = EssayFactory(number="0042")
    return submitted(essay, *LEFT), submitted(essay, *RIGHT)


def m_of(left, right):
    rules = left.essay.essay_set.rules
    comparison = match(left.to_core(), right.to_core())
    return measured(comparison, left.essay.core_subject, rules)


def test_json_holds_the_figures_with_their_counts(judge, pair):
    left, right = pair
    figures = m_of(left, right)

    response = judge.get(f"/compare/{left.pk}/{right.pk}/json/")

    name = f'attachment; filename="0042_{left.pk}_{right.pk}.json"'
    assert response["Content-Disposition"] == name
    answer = response.json()
    assert len(answer.pop("pairs")) == 3
    assert answer == {
        "essay": "0042",
        "left": {"id": left.pk, "author": left.author.username},
        "right": {"id": right.pk, "author": right.author.username},
        "rules": str(left.essay.essay_set.rules),
        "counts": {
            "n": 2,
            "m": 2,
            "found": 1,
            "equal_codes": 1,
            "equal_subcodes": 1,
            "localization": 1.0,
            "equal_corrections": 0,
        },
        "metrics": {
            "m1": figures.metrics.m1,
            "m2": 50.0,
            "m3": 25.0,
            "m4": 25.0,
            "m5": 25.0,
            "m6": 0.0,
            "m7": None,
        },
        "weights": {f"w{number}": float(1 < number < 7) for number in range(1, 8)},
        "accuracy": 25.0,
        "points": {
            "left": dict(figures.sheets[0].points),
            "right": dict(figures.sheets[1].points),
        },
        "third_check": {
            "totals": list(figures.totals),
            "difference": 0,
            "threshold": 4,
            "needed": False,
            "came": False,
        },
    }


def test_a_pair_in_json_has_both_sides_and_its_loss(judge, pair):
    left, right = pair

    answer = judge.get(f"/compare/{left.pk}/{right.pk}/json/").json()

    first, *others = answer["pairs"]
    assert first == {
        "row": 1,
        "kind": "correction",
        "left_code": "А.лекс",
        "left_subcode": "",
        "left_start": 0,
        "left_end": 4,
        "left_words": "Some",
        "left_correction": "=1+1",
        "right_code": "А.лекс",
        "right_subcode": "",
        "right_start": 0,
        "right_end": 4,
        "right_words": "Some",
        "right_correction": "",
        "loss": 0.0,
        "borders": 0.0,
        "other_beginning": False,
        "other_code": False,
        "why_alone": None,
    }
    assert [(each["row"], each["kind"], each["why_alone"]) for each in others] == [
        (2, "only_right", "nothing"),
        (3, "only_left", "nothing"),
    ]


def test_csv_has_the_rows_of_the_filter_and_no_formulas(judge, pair):
    left, right = pair

    response = judge.get(f"/compare/{left.pk}/{right.pk}/csv/?kind=correction&kind=only_left")

    text = response.content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(line["row"], line["left_code"], line["right_code"]) for line in lines] == [
        ("1", "А.лекс", "А.лекс"),
        ("3", "А.грамм", ""),
    ]
    assert lines[0]["left_correction"] == "'=1+1"
    assert response["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize(
    ("language", "reasons"),
    [
        (
            "en",
            [
                (
                    "Nothing comes near enough: with А.орф “Some peo” it would lose 2.50 = borders "
                    "0.50 + beginning 1 + code 1; apart they lose 2."
                ),
                "The other side has nothing at this place.",
            ],
        ),
        (
            "ru",
            [
                (
                    "Подходящей пары нет: с А.орф «Some peo» цена была бы 2,50 = границы 0,50 + "
                    "начало 1 + код 1, а порознь — 2."
                ),
                "На другой стороне в этом месте ничего нет.",
            ],
        ),
    ],
)
def test_csv_says_in_words_why_a_fragment_is_alone(judge, language, reasons):
    essay = EssayFactory()
    left = submitted(essay, fragment(4, 8, "А.лекс"), fragment(12, 17))
    right = submitted(essay, fragment(0, 8, "А.орф"))
    judge.cookies["django_language"] = language

    response = judge.get(f"/compare/{left.pk}/{right.pk}/csv/?kind=only_left")

    lines = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [line["why_alone"] for line in lines] == reasons


@pytest.mark.parametrize("words", ["=1", "＝1", "'=1", "\t=1", "@a", "-a"])
def test_no_spreadsheet_computes_what_a_pupil_or_an_expert_wrote(judge, words):
    essay = EssayFactory()
    left = submitted(essay, fragment(0, 4, correction=words))

    response = judge.get(f"/compare/{left.pk}/{submitted(essay).pk}/csv/")

    (line,) = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
    assert line["left_correction"] == f"'{words}"


def test_json_says_nothing_of_a_third_check_where_an_algorithm_is_compared(judge):
    essay = EssayFactory()
    robot = submitted(essay, *LEFT, source="algorithm")

    answer = judge.get(f"/compare/{robot.pk}/{submitted(essay, *RIGHT).pk}/json/").json()

    assert answer["third_check"] is None


def test_the_pairs_in_json_are_those_of_the_filter(judge, pair):
    left, right = pair

    answer = judge.get(f"/compare/{left.pk}/{right.pk}/json/?code=А.орф").json()

    assert [each["row"] for each in answer["pairs"]] == [2]


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_files_of_markups_of_different_essays_are_not_there(judge, pair, ending):
    other = submitted(EssayFactory())

    assert judge.get(f"/compare/{pair[0].pk}/{other.pk}/{ending}/").status_code == 404


def test_the_marks_that_cause_a_difference_in_points_are_named_with_their_rows(judge):
    essay = EssayFactory()
    shared = [fragment(0, 4, "А.грамм"), fragment(5, 11, "А.грамм")]
    left = submitted(essay, *shared)
    right = submitted(essay, *shared, fragment(12, 17, "А.грамм", subcode="множ"))

    response = judge.get(f"/compare/{left.pk}/{right.pk}/")

    assert texts_of(response, ".gap tbody tr") == [
        "K4 3:2 – А.грамм: 2 А.грамм множ Grammar: plural think 3 А.грамм: 3"
    ]
    assert page_of(response).one(".gap .code")["href"] == "#row-3"


def test_equal_points_need_no_marks(judge, pair):
    left, right = pair

    response = judge.get(f"/compare/{left.pk}/{right.pk}/")

    assert texts_of(response, ".gap .body") == [
        "Nothing: both markups give the same points in every criterion."
    ]


@pytest.mark.parametrize(
    ("subject", "rule"),
    [
        ("eng", "the totals K1 + K2 + K3 + K4 + K5 differ by 4 or more"),
        (
            "social",
            (
                "the totals K1 + K2 + K3 + K4 differ by 3 or more, or K2 differs by 2 or more, "
                "or K4 differs by 2 or more, or K1 is 0 with one of them only"
            ),
        ),
        (
            "hist",
            (
                "the totals K1 + K2 + K3 + K4 + K5 + K6 + K7 differ by 5 or more, "
                "or K1 differs by 2 or more, or K2 differs by 2 or more, "
                "or K3 differs by 2 or more, or K6 differs by 2 or more, "
                "or 4 criteria or more differ"
            ),
        ),
    ],
)
def test_the_rule_of_the_subject_is_said_in_words(judge, subject, rule):
    essay = EssayFactory(subject=subject)

    response = judge.get(f"/compare/{submitted(essay).pk}/{submitted(essay).pk}/")

    assert texts_of(response, ".why .help") == [f"A third expert checks when {rule}."]


def test_the_rule_calls_a_third_expert_for_two_experts_only(judge):
    essay = EssayFactory()
    many = [fragment(at, at + 4, code) for at in range(8) for code in ("А.лекс", "А.грамм")]
    plain, marked = submitted(essay), submitted(essay, *many)
    robot = submitted(essay, *many, source="algorithm")

    between, beside = (
        texts_of(judge.get(f"/compare/{plain.pk}/{other.pk}/"), ".why p")[0]
        for other in (marked, robot)
    )

    assert between == "A third expert is needed: the totals differ by 6, the threshold is 4"
    assert beside == "The rule is for two experts."


def test_the_matrix_measures_every_markup_by_every_other_one(judge):
    essay = EssayFactory()
    records = [
        submitted(essay, *LEFT),
        submitted(essay, *RIGHT),
        submitted(essay, *RIGHT[:1], source="algorithm"),
        submitted(essay, source="algorithm"),
    ]

    page = page_of(judge.get(f"/essays/{essay.pk}/accuracy/"))

    cells = [[each.text for each in row.find("td.num")] for row in page.find("tbody tr")]
    assert cells == [
        ["·" if one is other else percent(m_of(one, other).accuracy) for other in records]
        for one in records
    ]


def test_stored_scores_are_taken_and_drafts_and_earlier_versions_left_out(judge):
    essay = EssayFactory(essay_set=EssaySetFactory(rules__w6=3))
    one, other = submitted(essay, *LEFT), submitted(essay, *RIGHT)
    for record in (one, other):
        order(record)
    run_all()
    one.scores.update(accuracy=12.5)

    page = page_of(judge.get(f"/essays/{essay.pk}/accuracy/"))

    assert [each.text for each in page.find("tbody a")] == [
        "12.5",
        "Open",
        percent(m_of(other, one).accuracy),
        "Open",
    ]


def test_of_many_markups_algorithms_are_measured_by_experts_only(judge, django_assert_num_queries):
    essay = EssayFactory()
    expert = submitted(essay, *LEFT)
    robots = [submitted(essay, *RIGHT, source="algorithm") for _ in range(9)]
    for record in (expert, *robots):
        order(record)
    run_all()
    address = f"/essays/{essay.pk}/accuracy/"
    judge.get(address)

    with django_assert_num_queries(5):
        page = page_of(judge.get(address))

    assert len(page.find("thead th.num")) == 1
    assert {row.one("td.num").text for row in page.find("tbody tr")} == {
        "·",
        percent(m_of(robots[0], expert).accuracy),
    }


def test_the_api_gives_the_figures_of_the_own_markup_in_a_test_set(log_in):
    robot = PersonFactory(role="participant")
    essay = EssayFactory(essay_set=EssaySetFactory(access="closed"))
    own = nine_more(submitted(essay, *LEFT, author=robot, source="algorithm"))
    expert = submitted(essay, *RIGHT)
    for record in (own, expert):
        order(record)
    run_all()

    answers = [
        log_in(person).get(f"/api/markups/{own.pk}/scores/")
        for person in (robot, PersonFactory(role="participant"))
    ]

    assert [answer.status_code for answer in answers] == [200, 404]
    (score,) = answers[0].json()["scores"]
    assert (score["reference"], score["accuracy"]) == (expert.pk, m_of(own, expert).accuracy)


def test_a_participant_reads_the_figures_of_the_own_markups(log_in, django_assert_num_queries):
    robot = PersonFactory(role="participant")
    found = []
    for number, access in (("1", "open"), ("2", "closed"), ("3", "final")):
        essay = EssayFactory(essay_set=EssaySetFactory(access=access, name=access), number=number)
        own = submitted(essay, *LEFT, author=robot, source="algorithm")
        for record in (own, submitted(essay, *RIGHT)):
            order(record)
        submitted(essay, *RIGHT, source="algorithm")
        nine_more(own)
    run_all()
    client = log_in(robot)
    client.get("/scores/own/")

    with django_assert_num_queries(7):
        response = client.get("/scores/own/")

    found = [row.text for row in page_of(response).find("tbody tr")]
    figures = m_of(own, own.essay.markups.get(source="expert"))
    values = " ".join(percent(value) for value in (*figures.metrics.values[:6], figures.accuracy))
    assert found == [f"2 closed Expert {values}", f"1 open Expert {values}"]
    assert texts_of(log_in(PersonFactory(role="participant")).get("/scores/own/"), ".empty b") == [
        "Nothing was measured yet"
    ]


def test_figures_tell_the_session_they_came_from(log_in):
    robot = PersonFactory(role="participant")
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"), number="1")
    sent = [
        submitted(essay, *LEFT, author=robot, source="algorithm", origin=origin)
        for origin in ("", "session-7")
    ]
    for record in (*sent, submitted(essay, *RIGHT)):
        order(record)
    run_all()

    assert texts_of(log_in(robot).get("/scores/own/"), "tbody th") == ["1", "1 session 7"]
