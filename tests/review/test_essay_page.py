"""What came of an essay, beside its text: for those who see everything, and nobody else."""

from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from review.services.reopening import reopen_check
from scoring.services.grading import grade
from tests.annotator.test_visibility import CELLS, essays_of_all_stages
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

LEXIS = [fragment(start, start + 1, "А.лекс") for start in range(5)]
GRAMMAR = [fragment(start, start + 1, "А.грамм") for start in range(8)]


def checked(*, second=(), third=None, essay=None, rule="mean-third/total"):
    """An essay with graded checks, settled as far as they settle it."""
    rules = {"eng": rule} if rule else None
    essay = essay or EssayFactory(essay_set=EssaySetFactory(rules__final_grades=rules))
    given = {"first": (), "second": second} | ({"third": third} if third is not None else {})
    for role, marks in given.items():
        expert = PersonFactory(full_name=f"{role.title()} Expert")
        check = AssignmentFactory(essay=essay, role=role, expert=expert, state="submitted")
        record = submitted(essay, *marks, assignment=check)
        grade(markup_id=record.pk)
    arbitrate(essay_id=essay.pk)
    settle_grade(essay_id=essay.pk)
    return essay


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role=User.Role.JUDGE))


def test_the_checks_stand_with_their_points_and_the_gap_between_them(judge):
    essay = checked(second=[*LEXIS, *GRAMMAR], third=LEXIS)

    page = page_of(judge.get(f"/essays/{essay.pk}/"))

    rows = [row.text for row in page.find(".checks tbody tr")]
    assert [row.split()[0] for row in rows] == ["First", "Second", "Gap", "Third", "Final"]
    framed = [cell.text for cell in page.find(".checks .apart")]
    assert framed == ["3 called the third expert", "3 called the third expert"]
    assert page.one(".grade .key").text.startswith("6 ")
    assert "the regulation states none" in page.one(".grade").text


def test_where_two_agree_nothing_is_framed(judge):
    page = page_of(judge.get(f"/essays/{checked().pk}/"))

    assert page.find(".checks .apart") == []
    assert "no third one is needed" in page.one(".grade").text


def test_rules_that_state_nothing_are_told_to_state_nothing(judge):
    essay = checked(rule=None)

    page = page_of(judge.get(f"/essays/{essay.pk}/"))

    assert page.one(".grade .key").text == "–"
    assert "do not state how final grades are made" in page.one(".grade").text


def test_a_grade_that_is_void_is_not_shown_and_stands_in_the_history(judge):
    essay = checked()
    first = MarkupRecord.objects.select_related("assignment").filter(essay=essay).first()
    reopen_check(
        assignment=first.assignment,
        actor=PersonFactory(role="coordinator", full_name="Vera"),
        reason="Look at K4",
    )

    page = page_of(judge.get(f"/essays/{essay.pk}/"))

    assert page.one(".grade .key").text == "–"
    told = [line.text for line in page.find(".history li span")]
    assert sorted(told) == [
        "The essay came in.",
        "final grade: 9",
        "first check: reopened for First Expert: “Look at K4”",
        "the final grade 9 is void: a check was reopened: “Look at K4”",
    ]


def test_a_cell_of_the_matrix_leads_to_the_comparison(judge):
    essay = checked(second=LEXIS)
    one, other = MarkupRecord.objects.filter(essay=essay).order_by("pk")

    page = page_of(judge.get(f"/essays/{essay.pk}/"))

    links = [each["href"] for each in page.find(".matrix td a")]
    assert links == [f"/compare/{one.pk}/{other.pk}/", f"/compare/{other.pk}/{one.pk}/"]


def test_the_marks_of_a_chosen_markup_are_painted(judge):
    essay = checked(second=LEXIS)
    other = MarkupRecord.objects.filter(essay=essay).order_by("pk")[1]

    bare, marked, wrong = (
        page_of(judge.get(f"/essays/{essay.pk}/{query}"))
        for query in ("", f"?markup={other.pk}", "?markup=0000x")
    )

    assert [len(page.find(".essay .f")) for page in (bare, marked, wrong)] == [0, 5, 0]
    assert [line.text for line in marked.find(".tab[aria-current=true]")] == ["Second Expert"]


def test_a_markup_that_may_not_be_seen_is_not_painted(log_in):
    essay = EssayFactory()
    expert = PersonFactory()
    AssignmentFactory(essay=essay, expert=expert, state="working")
    others = submitted(essay, *LEXIS)

    page = page_of(log_in(expert).get(f"/essays/{essay.pk}/?markup={others.pk}"))

    assert page.find(".essay .f") == []


def test_the_next_and_the_previous_essay_stay_in_the_list_they_came_from(judge):
    red, blue = EssaySetFactory(name="red & hot"), EssaySetFactory(name="blue")
    last, first, middle = (EssayFactory(essay_set=red, number=number) for number in ("3", "1", "2"))
    other = EssayFactory(essay_set=blue, number="9")

    def ways(essay, query):
        page = page_of(judge.get(f"/essays/{essay.pk}/{query}"))
        return [each["href"] for each in page.find(".page-head nav a")]

    asked = "?list=desk&set=red+%26+hot"
    assert ways(middle, asked) == [f"/essays/{first.pk}/{asked}", f"/essays/{last.pk}/{asked}"]
    assert ways(first, asked) == [f"/essays/{middle.pk}/{asked}"]
    assert ways(other, "?list=desk") == [f"/essays/{first.pk}/?list=desk"]
    assert ways(first, "?list=desk") == [
        f"/essays/{other.pk}/?list=desk",
        f"/essays/{middle.pk}/?list=desk",
    ]
    assert ways(middle, "?list=nothing&markup=7") == [
        f"/essays/{first.pk}/?list=nothing",
        f"/essays/{last.pk}/?list=nothing",
    ]


def test_neighbours_are_only_essays_the_reader_may_open(log_in):
    one, _closed = EssayFactory(number="1", essay_set__access="open"), EssayFactory(number="2")

    page = page_of(
        log_in(PersonFactory(role="participant")).get(f"/essays/{one.pk}/?list=training")
    )

    assert page.find(".page-head nav a") == []


@pytest.fixture(scope="module")
def essays(module_rows):  # noqa: ARG001 - rows of the module
    """Tests change none of them."""
    return essays_of_all_stages()


@pytest.mark.parametrize(("who", "stage", "sight"), [cell for cell in CELLS if cell[0] != "staff"])
def test_the_grade_is_seen_where_everything_is(essays, log_in, who, stage, sight):
    made = essays(who, stage)
    person = made.somebody(who)
    given = made.essay.assignments.values_list("role", flat=True)
    free = [role for role in Assignment.Role.values if role not in given]
    AssignmentFactory(essay=made.essay, role=free[0], state="submitted")

    answer = log_in(person).get(f"/essays/{made.essay.pk}/")

    shown = answer.status_code == 200 and texts_of(answer, ".checks th") != []
    assert shown == (sight == "everything")
    assert answer.status_code != 200 or texts_of(answer, ".history") == []


def test_the_page_takes_the_same_queries_however_many_checks_and_events(
    judge, django_assert_num_queries
):
    essays = [checked(), checked(second=[*LEXIS, *GRAMMAR], third=LEXIS)]
    judge.get(f"/essays/{essays[0].pk}/")
    for essay in essays:
        with django_assert_num_queries(20):
            judge.get(f"/essays/{essay.pk}/")
