"""Comments and explanations of both sides, in the rows of a comparison."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


@pytest.fixture
def rows(judge):
    """What the rows between two markups tell of what was written."""

    def told(left, right, source=MarkupRecord.Source.EXPERT):
        essay = EssayFactory()
        one, other = submitted(essay, *left, source=source), submitted(essay, *right)
        page = page_of(judge.get(f"/compare/{one.pk}/{other.pk}/"))
        return [
            (row.one("q").text, [each.text for each in row.find(".wrote")])
            for row in page.find("#difflist li")
        ]

    return told


def test_a_row_tells_what_each_side_wrote_of_its_fragment(rows):
    left = (
        fragment(0, 4, comment="one of many"),
        fragment(5, 11, explanation="a plural"),
        fragment(12, 17, "А.лекс", comment="not thinking", explanation="they believe"),
        fragment(23, 28),
        whole_text(comment="all over the text"),
    )
    right = (
        fragment(0, 4, comment="some of them"),
        fragment(5, 11),
        fragment(12, 17, comment="agreement"),
        fragment(23, 28),
    )

    assert rows(left, right) == [
        ("Some", ["L Left: one of many", "R Right: some of them"]),
        ("people", ["L Left: a plural"]),
        ("think", ["L Left: not thinking · they believe", "R Right: agreement"]),
        ("sport", []),
        ("Whole text", ["L Left: all over the text"]),
    ]


def test_what_both_sides_wrote_alike_is_told_once(rows):
    alike = fragment(0, 4, comment="one", explanation="of many")

    assert rows([alike], [alike]) == [("Some", ["L Left: R Right: one · of many"])]


def test_what_an_algorithm_wrote_is_told_as_an_experts(rows):
    written = [fragment(0, 4, comment="no article")]

    assert rows(written, [], MarkupRecord.Source.ALGORITHM) == [("Some", ["L Left: no article"])]


def test_what_was_written_is_words_and_no_html(rows):
    written = [fragment(0, 4, comment="<b>x</b> & y", explanation='"z"')]

    assert rows(written, []) == [("Some", ['L Left: <b>x</b> & y · "z"'])]


def test_the_table_of_several_markups_tells_what_each_wrote(judge):
    essay = EssayFactory()
    robot = submitted(essay, fragment(0, 4, comment="no article"), source="algorithm")
    submitted(essay, fragment(0, 4, comment="a plural", explanation="of some"))

    page = judge.get(f"/markups/{robot.pk}/comparison/")

    assert texts_of(page, "#difflist .sub") == ["no article", "a plural", "of some"]
