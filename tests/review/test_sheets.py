"""What is made of settled essays for paper: a protocol, a pupil's page, all pages of a set."""

from __future__ import annotations

import gc
import io
import tracemalloc
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import Essay, MarkupRecord
from review.models import FinalGrade
from review.pages.sheets import BATCH, LINES, pupil_files
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade, void_reopened
from scoring.services.grading import grade
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of
from tests.review.test_essay_page import GRAMMAR, LEXIS, checked
from tests.strategies import fragment
from web.files import zipped

pytestmark = pytest.mark.django_db

TOLD = fragment(5, 11, "А.лекс", correction="men", explanation="Not the word for it")


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role=User.Role.JUDGE, full_name="Judge Judy"))


def names_in(page):
    people = User.objects.values_list("username", "full_name")
    return [name for pair in people for name in pair if name and name in page]


def test_a_protocol_has_the_checks_the_decision_the_grade_and_its_rule(judge):
    essay = checked(second=[*LEXIS, *GRAMMAR], third=LEXIS)

    page = page_of(judge.get(f"/essays/{essay.pk}/protocol/"))

    rows = [row.text.split()[0] for row in page.find(".checks tbody tr")]
    assert rows == ["First", "Second", "Gap", "Third", "Final"]
    said = page.one(".said").text
    assert "a third check is final; on the total" in said
    assert "This is the platform’s rule: the regulation states none." in said
    assert "The third check came. It was needed because:" in said
    assert [line.text for line in page.find(".signed dd")] == [
        *("First Expert", "Second Expert", "Third Expert", "", "")
    ]


def test_a_protocol_tells_of_the_grades_that_are_void(judge):
    essay = checked()
    record = MarkupRecord.objects.filter(essay=essay).first()
    MarkupRecord.objects.filter(pk=record.pk).update(reopened_because="Look at K4")
    void_reopened(markup_id=record.pk)

    said = page_of(judge.get(f"/essays/{essay.pk}/protocol/")).one(".said").text

    assert "Earlier: 9, settled" in said
    assert "a check was reopened Look at K4" in said
    assert "Not settled" in said


def test_a_protocol_of_an_essay_nobody_checks_says_so(judge):
    page = page_of(judge.get(f"/essays/{EssayFactory().pk}/protocol/"))

    assert "No check is given yet." in page.one(".protocol").text


def test_a_pupil_reads_the_mistakes_explained_and_why_points_are_missing(judge):
    essay = checked(second=[*LEXIS, *GRAMMAR], third=[TOLD, *LEXIS[1:]])

    page = page_of(judge.get(f"/essays/{essay.pk}/pupil/"))

    assert page.find("h2") == []
    first = [line.text for line in page.find(".mistakes li") if "men" in line.text]
    assert len(first) == 1
    assert "Not the word for it" in first[0]
    lines = {row.one("th").text: row.find("td")[1].text for row in page.find(".sheet tbody tr")}
    assert lines["K3"] == "“Vocabulary” (А.лекс): 5"
    assert lines["K5"] == ""


@pytest.mark.parametrize(
    ("language", "missing"),
    [
        ("en", "“Opposing opinion” (ПРМНЕНИЕ)"),
        ("ru", "«Мнение тех, кто думает иначе» (ПРМНЕНИЕ)"),
    ],
)
def test_a_pupil_is_told_codes_by_their_words(language, missing, judge):
    essay = checked()
    judge.cookies["django_language"] = language

    page = page_of(judge.get(f"/essays/{essay.pk}/pupil/"))

    reasons = [row.find("td")[1].text for row in page.find(".sheet tbody tr")]
    assert [each for each in reasons if missing in each]


def test_a_pupil_is_told_a_family_of_codes_by_its_section(judge):
    essay_set = EssaySetFactory(rules__final_grades={"rus": "mean-third/total"})
    essay = EssayFactory(subject="rus", essay_set=essay_set, text="Спорт объединяет людей. " * 90)
    marks = [fragment(start, start + 1, "Г.слов") for start in range(5)]
    for role in ("first", "second"):
        check = AssignmentFactory(essay=essay, role=role, state="submitted")
        grade(markup_id=submitted(essay, *marks, assignment=check).pk)
    arbitrate(essay_id=essay.pk)
    settle_grade(essay_id=essay.pk)

    sheet = page_of(judge.get(f"/essays/{essay.pk}/pupil/")).one(".sheet").text

    assert "“Grammar” (Г.*): 5" in sheet


def test_where_two_checks_count_both_are_shown(judge):
    page = page_of(judge.get(f"/essays/{checked(second=LEXIS[:1]).pk}/pupil/"))

    assert [head.text for head in page.find(".sheet h2")] == ["first check", "second check"]


@pytest.mark.parametrize("address", ["/essays/{}/pupil/file/", "/essays/{}/pupil/"])
def test_no_name_stands_on_a_page_for_a_pupil(judge, address):
    essay = checked(second=[*LEXIS, *GRAMMAR], third=[TOLD, *LEXIS[1:]])

    answer = judge.get(address.format(essay.pk))

    sheet = page_of(answer).one(".sheet")
    assert names_in(sheet.text) == []
    if "file" in address:
        assert names_in(answer.text) == []


def test_the_file_needs_nothing_but_itself(judge):
    essay = checked()

    answer = judge.get(f"/essays/{essay.pk}/pupil/file/")

    assert answer["Content-Disposition"] == f'attachment; filename="{essay.number}.html"'
    assert [
        word for word in ("<script", "<link", "url(", "@import", " src=") if word in answer.text
    ] == []
    assert "<style>" in answer.text


def test_what_is_not_settled_has_no_page_for_a_pupil(judge):
    essay = checked(rule=None)

    answers = [judge.get(f"/essays/{essay.pk}/pupil/{more}") for more in ("", "file/")]

    assert [answer.status_code for answer in answers] == [422, 422]


@pytest.mark.parametrize("settled", [True, False])
def test_the_page_of_an_essay_leads_to_that_of_its_pupil_once_there_is_a_grade(judge, settled):
    essay = checked() if settled else checked(rule=None)

    page = page_of(judge.get(f"/essays/{essay.pk}/"))

    assert bool(page.find(f'a[href="/essays/{essay.pk}/pupil/"]')) is settled


def test_a_set_without_grades_has_no_pages(judge):
    essay_set = EssaySetFactory()

    assert judge.get(f"/desk/sets/{essay_set.pk}/pupils/").status_code == 422


def test_all_pages_of_a_set_come_as_one_archive(judge):
    essay_set = EssaySetFactory(name="Мы", rules__final_grades={"eng": "median/total"})
    made = [checked(essay=EssayFactory(essay_set=essay_set, number=n)) for n in ("1", "../2")]
    checked(essay=EssayFactory(essay_set=EssaySetFactory(rules=essay_set.rules)))

    answer = judge.get(f"/desk/sets/{essay_set.pk}/pupils/")

    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.namelist() == [f"essay-{made[1].pk}.html", "1.html"]
    single = judge.get(f"/essays/{made[0].pk}/pupil/file/").content
    assert archive.read("1.html") == single
    assert archive.testzip() is None


def test_the_pages_of_an_archive_stand_by_the_numbers_of_essays():
    essay_set = EssaySetFactory(rules__final_grades={"eng": "median/total"})
    for number in ("0003", "0001", "0002"):
        checked(essay=EssayFactory(essay_set=essay_set, number=number))

    assert [name for name, _page in pupil_files(essay_set)] == [
        "0001.html",
        "0002.html",
        "0003.html",
    ]


def left_out_of(answer, name):
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    return archive.namelist(), archive.read(name).decode()


def test_an_archive_names_the_essays_without_a_grade_and_says_why(judge):
    rules = {"eng": "median/total"}
    essay_set = EssaySetFactory(name="May", rules__final_grades=rules)
    for number, second in (("1", LEXIS), ("2", [*LEXIS, *GRAMMAR])):
        checked(second=second, essay=EssayFactory(essay_set=essay_set, number=number))
    EssayFactory(essay_set=essay_set, number="3")
    EssayFactory(essay_set=essay_set, number="4", subject="hist")

    names, said = left_out_of(judge.get(f"/desk/sets/{essay_set.pk}/pupils/"), "Left out.txt")

    assert names == ["1.html", "Left out.txt"]
    assert said.splitlines() == [
        "May",
        "No page was made of these essays: they have no final grade yet.",
        "",
        "2: waits for the third check",
        "3: not assigned",
        "4: the rules of the set state no final grade for this subject",
    ]


def test_the_essays_left_out_are_named_in_the_language_of_whoever_asks(judge):
    essay_set = EssaySetFactory(rules__final_grades={"eng": "median/total"})
    checked(essay=EssayFactory(essay_set=essay_set, number="1"))
    EssayFactory(essay_set=essay_set, number="2")
    judge.cookies["django_language"] = "ru"

    answer = judge.get(f"/desk/sets/{essay_set.pk}/pupils/")

    assert left_out_of(answer, "Не вошли.txt")[1].endswith("\n2: не назначено\n")


def test_an_essay_graded_while_the_archive_is_written_is_in_it_or_named():
    essay_set = EssaySetFactory(rules__final_grades={"eng": "median/total"})
    checked(essay=EssayFactory(essay_set=essay_set, number="1"))
    late = EssayFactory(essay_set=essay_set, number="2")
    EssayFactory(essay_set=essay_set, number="3")
    files = pupil_files(essay_set)
    assert next(files)[0] == "1.html"
    name, pieces = next(files)

    checked(essay=late)

    assert name == "Left out.txt"
    assert [line[0] for line in b"".join(pieces).decode().splitlines()[3:]] == ["2", "3"]


def test_the_desk_and_a_pupils_page_say_how_many_of_the_set_have_a_grade(judge):
    essay_set = EssaySetFactory(name="May", rules__final_grades={"eng": "median/total"})
    essay = checked(essay=EssayFactory(essay_set=essay_set))
    EssayFactory(essay_set=essay_set)

    for address in ("/desk/?set=May", f"/essays/{essay.pk}/pupil/"):
        page = page_of(judge.get(address))
        assert page.one("#graded").text == "1 of 2 essays have a grade"
        assert page.one(f'a[href="/desk/sets/{essay_set.pk}/pupils/"]')


def test_the_desk_of_a_set_without_grades_offers_no_archive(judge):
    essay_set = EssayFactory(essay_set__name="May").essay_set

    page = page_of(judge.get("/desk/?set=May"))

    assert page.one("#graded").text == "0 of 1 essay has a grade"
    assert page.find(f'a[href="/desk/sets/{essay_set.pk}/pupils/"]') == []


def many(count):
    """A set with so many settled essays, made in a few statements."""
    essay_set = EssaySetFactory(rules__final_grades={"eng": "mean-third/total"})
    pattern = checked(essay=EssayFactory(essay_set=essay_set, number="pattern"))
    kept = FinalGrade.objects.get(essay=pattern)
    essays = Essay.objects.bulk_create(
        Essay(essay_set=essay_set, number=str(n), subject="eng", text=pattern.text)
        for n in range(count - 1)
    )
    one, other = PersonFactory(), PersonFactory()
    records = [
        MarkupRecord.objects.bulk_create(
            MarkupRecord(
                essay=essay,
                author=author,
                source="expert",
                state="submitted",
                submitted_at=kept.settled_at,
            )
            for essay in essays
        )
        for author in (one, other)
    ]
    FinalGrade.objects.bulk_create(
        FinalGrade(
            essay=essay,
            round=1,
            first=first,
            second=second,
            rule=kept.rule,
            total=kept.total,
            sheets=kept.sheets,
            counted=kept.counted,
        )
        for essay, first, second in zip(essays, *records, strict=True)
    )
    return essay_set


def test_every_batch_of_a_set_takes_the_same_queries():
    essay_set = many(2 * BATCH)
    files = pupil_files(essay_set)

    with CaptureQueriesContext(
        connection,
    ) as first:
        next(files)
    with CaptureQueriesContext(connection) as rest:
        for _ in range(BATCH - 1):
            next(files)
    with CaptureQueriesContext(connection) as second:
        next(files)

    assert (len(first), len(rest), len(second)) == (4, 0, 3)  # once: which grades there are


def test_the_names_of_those_left_out_come_in_pieces():
    essay_set = EssaySetFactory()
    Essay.objects.bulk_create(
        Essay(essay_set=essay_set, number=f"{n:04}", subject="eng", text="One.")
        for n in range(2 * LINES)
    )
    ((_name, pieces),) = pupil_files(essay_set)

    with CaptureQueriesContext(connection) as captured:
        lines = [piece.count(b"\n") for piece in pieces]

    assert (max(lines) <= LINES + 3, sum(lines), len(captured)) == (True, 2 * LINES + 3, 1)


@pytest.mark.full
def test_five_hundred_essays_hold_no_more_memory_than_a_batch():
    pieces = zipped(pupil_files(many(500)))
    held = []
    for _ in range(2):
        next(pieces)  # templates, styles and catalogues are read once
    tracemalloc.start()
    for number, _piece in enumerate(pieces):
        if number % 100 == BATCH:
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()

    # what grows is the list of names an archive ends with: less than a kilobyte a file
    assert len(held) == 5
    assert max(held) - held[0] < 400 * 1024
