"""What came of an essay, beside its text: for those who see everything, and nobody else."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Assignment, MarkupRecord
from annotator.services.assignment import hand_back
from annotator.services.versions import replace_essay
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
    russian = judge.get(f"/essays/{essay.pk}/", headers={"accept-language": "ru"})
    assert [words for words in texts_of(russian, ".history li span") if "“" in words] == []


def test_the_history_of_a_version_says_who_made_it_and_why(judge):
    first = EssayFactory()
    vera = PersonFactory(role="coordinator", full_name="Vera")
    second = replace_essay(essay=first, text="Other words.", reason="a slip", actor=vera).essay
    third = replace_essay(essay=second, text="More words.", reason="a page", actor=vera).essay

    pages = [page_of(judge.get(f"/essays/{each.pk}/")) for each in (first, second, third)]

    assert [(page.one(".history b").text, page.one(".history li span").text) for page in pages] == [
        ("Razbor", "The essay came in."),
        ("Vera", "Version 2 was made: “a slip”"),
        ("Vera", "Version 3 was made: “a page”"),
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


def test_who_handed_a_check_back_and_why_stands_where_it_is_given_again(log_in):
    coordinator = log_in(PersonFactory(role="coordinator"))
    check = AssignmentFactory(expert__full_name="Ann", role="second")
    hand_back(assignment=check, actor=check.expert, reason="Not my theme")

    def told():
        page = coordinator.get(f"/desk/essays/{check.essay_id}/")
        return texts_of(page, ".handed-back")

    assert told() == ["handed back by Ann: “Not my theme”"]
    AssignmentFactory(essay=check.essay, role="second")
    assert told() == []


def test_a_russian_reason_is_russian_on_english_pages_of_an_essay(log_in):
    coordinator = log_in(PersonFactory(role="coordinator"))
    check = AssignmentFactory(expert__full_name="Ann", role="second")
    hand_back(assignment=check, actor=check.expert, reason="Не моя тема")

    found = []
    for path, place in (("desk/essays", ".handed-back"), ("essays", ".history li span")):
        page = page_of(coordinator.get(f"/{path}/{check.essay_id}/"))
        found.append([(each["lang"], each.text) for each in page.find(f"{place} span[lang]")])

    assert found == [[("ru", "Не моя тема")]] * 2


def test_the_page_tells_of_checks_moved_late_and_left(judge):
    check = AssignmentFactory(expert__full_name="Ann", role="first")
    manager = PersonFactory(full_name="Natalia")
    audit(actor=manager, action="deadline.moved", target=check, reason="ill")
    audit(actor=None, action="assignment.overdue", target=check)
    audit(actor=manager, action="assignment.returned", target=check, reason="expert left")

    page = page_of(judge.get(f"/essays/{check.essay_id}/"))

    assert [line.text for line in page.find(".history li span")][:3] == [
        "first check: handed back by Ann: “marks no more”",
        "first check: late, given on by Ann",
        "first check: another deadline for Ann: “ill”",
    ]


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


@pytest.mark.parametrize("role", ["participant", "expert"])
@pytest.mark.parametrize(
    "asked", ["q=Hidden&at=1&order=number", "q=Otter", "expert={}", "state=third"]
)
def test_the_ways_tell_nobody_but_staff_which_essays_the_desk_would_show(log_in, role, asked):
    reader = PersonFactory(role=role)
    open_set = EssaySetFactory(name="Open", access="open")
    one, two, three = (EssayFactory(essay_set=open_set, number=number) for number in "234")
    otter = PersonFactory(full_name="Otter")
    AssignmentFactory(essay=three, expert=otter, role="first")
    EssayFactory(essay_set=EssaySetFactory(access="final"), number="1", theme="Hidden")
    if role == "expert":
        for essay in (one, two, three):
            AssignmentFactory(essay=essay, expert=reader, role="second")

    asked = f"?list=desk&{asked.format(otter.pk)}"
    page = page_of(log_in(reader).get(f"/essays/{one.pk}/{asked}"))

    assert [each["href"].partition("?")[0] for each in page.find(".page-head nav a")] == [
        f"/essays/{two.pk}/"
    ]


def test_a_version_of_an_essay_is_no_neighbour_and_former_ones_stand_in_no_list(judge):
    one = EssayFactory(number="1")
    two, three = (EssayFactory(essay_set=one.essay_set, number=number) for number in "23")
    newer = replace_essay(
        essay=two, text="Other words.", reason="a slip", actor=PersonFactory()
    ).essay

    def ways(essay):
        page = page_of(judge.get(f"/essays/{essay.pk}/"))
        return [each["href"] for each in page.find(".page-head nav a")][:2]

    around = [f"/essays/{one.pk}/", f"/essays/{three.pk}/"]
    assert [ways(newer), ways(two)] == [around, around]
    assert ways(one)[0] == f"/essays/{newer.pk}/"
    assert ways(three)[0] == f"/essays/{newer.pk}/"


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
        with django_assert_num_queries(24):
            judge.get(f"/essays/{essay.pk}/")
