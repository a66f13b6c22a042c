"""Points of single answers: schemes.md 1.1, the readings of 1.2, the deviations of 1.3."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemes.core.use.errors import RecordError
from schemes.core.use.exam import (
    FULL,
    HUMAN_GRADE_NORM,
    HUMAN_POINTS,
    KINDS,
    MAXIMA,
    ORDER,
    AnswerKind,
)
from schemes.core.use.values import Reason, Task
from tests.schemes.core.use.exams import ANSWERS, outcome, task


def points(id_task, key, answer, **options):
    return outcome(id_task, key, answer, **options).points


def readings(id_task, key, answer, **options):
    return list(outcome(id_task, key, answer, **options).readings)


def differ(missing=(), extra=()):
    counts = {"missing_count": len(missing), "extra_count": len(extra)}
    return Reason("numbers-differ", {"missing": missing, "extra": extra, **counts})


def test_a_variant_has_thirty_answers_and_thirty_four_points():
    kinds = [list(KINDS.values()).count(kind) for kind in (AnswerKind.TEXT, AnswerKind.MATCHING)]

    assert (len(ORDER), FULL, kinds) == (30, 34, [8, 1])
    assert [name for name, most in MAXIMA.items() if most != 1] == ["16", "26"]
    assert round(HUMAN_POINTS / FULL, 3) == HUMAN_GRADE_NORM


@pytest.mark.parametrize(
    ("key", "answer", "expected", "reason"),
    [
        ("1,3", "1,3", 1, Reason("right")),
        ("1,3", "3,1", 1, Reason("right")),
        ("1,3", "1", 0, differ(("3",))),
        ("1,3", "1,3,4", 0, differ((), ("4",))),
        ("1,3", "1,4", 0, differ(("3",), ("4",))),
        ("1,2", "12", 0, differ(("1", "2"), ("12",))),
        ("12", "1,2", 0, differ(("12",), ("1", "2"))),
        ("1,3", "", 0, Reason("empty-answer")),
        ("1,3", " \n", 0, Reason("empty-answer")),
        ("1,3", None, 0, Reason("no-prediction")),
        ("1, 3", "1,3", 1, Reason("right")),
    ],
)
def test_multiple_choice_compares_sets_of_numbers(key, answer, expected, reason):
    found = outcome("9", key, answer)

    assert (found.points, found.reason) == (expected, reason)


@pytest.mark.parametrize(
    ("key", "answer", "expected"),
    [
        ("2,5", "5,2", 2),
        ("2,5", "2", 1),
        ("2,5", "5", 1),
        ("2,5", "2,4", 1),
        ("2,5", "2,4,5", 1),
        ("2,5", "1,2,4,5", 0),
        ("2,5", "1,4", 0),
        ("2,5", "4", 0),
        ("2,5", "", 0),
        ("2,5", None, 0),
        ("1,3,5", "5,3,1", 2),
        ("1,3,5", "1,3", 1),
        ("1,3,5", "1,3,4", 1),
        ("1,3,5", "1,2,3,5", 1),
        ("1,3,5", "1", 0),
        ("1,3,5", "1,2,4", 0),
        ("2", "2", 2),
        ("2", "2,3", 1),
        ("2", "3", 0),
        ("2", "", 0),
        ("2", "2,3,4", 0),
    ],
)
def test_task_16_gives_two_points_or_one_for_a_near_miss(key, answer, expected):
    assert points("16", key, answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected", "reason"),
    [
        ("8,1,9,7", 4, Reason("right")),
        ("8,9,1,7", 2, Reason("positions-differ", {"wrong": (2, 3), "expected": 4})),
        ("1,8,7,9", 0, Reason("positions-differ", {"wrong": (1, 2, 3, 4), "expected": 4})),
        ("8,1,9", 0, Reason("wrong-length", {"expected": 4, "got": 3})),
        ("8,1,9,7,", 0, Reason("wrong-length", {"expected": 4, "got": 5})),
        ("8197", 0, Reason("wrong-length", {"expected": 4, "got": 1})),
    ],
)
def test_task_26_is_compared_position_by_position(answer, expected, reason):
    found = outcome("26", "8,1,9,7", answer)

    assert (found.points, found.reason) == (expected, reason)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("сова", "Сова."),
        ("сова", " с о в а "),
        ("сова", "сова1"),
        ("сова", "_сова_"),
        ("звонИт", "звонит"),
        ("звони́т", "звонит"),
        ("по-видимому", "повидимому"),
        ("повидимому", "по-видимому"),
        ("сова, филин", "филин"),
        ("ёж", "е\u0308ж"),
        ("йод", "и\u0306од"),
        ("так же", "также"),
    ],
)
def test_text_is_compared_by_its_letters_in_lower_case(key, answer):
    assert points("5", key, answer) == 1


@pytest.mark.parametrize("answer", ["филин", "сов", "", "1", "сова,филин", "совасова"])
def test_text_of_other_letters_is_wrong(answer):
    assert points("5", "сова", answer) == 0


def test_an_empty_alternative_makes_no_empty_answer_right():
    assert [points("5", "сова,", answer) for answer in ("", ",", "1", "сова")] == [0, 0, 0, 1]


def test_a_wrong_text_is_told_with_what_was_read_and_what_was_tried():
    assert outcome("5", "Сова, так же", "Филин!").reason == Reason(
        "words-differ", {"tried": ("сова", "также"), "read": "филин"}
    )


@pytest.mark.parametrize("answer", ["раздватри", "тридвараз", "два, раз, три"])
def test_words_of_a_key_may_come_in_any_order(answer):
    assert points("14", "раз два три", answer) == 1


def test_words_of_a_glued_key_have_one_order():
    assert points("14", "раздватри", "тридвараз") == 0


def test_words_that_begin_alike_are_all_tried():
    assert points("14", "а аб б аба", "абаабаб") == 1


@pytest.mark.parametrize(("words", "expected"), [("а б в г д е", 1), ("а б в г д е ж", 0)])
def test_more_than_six_words_have_the_order_of_the_key(words, expected):
    assert points("14", words, words[::-1]) == expected
    assert points("14", words, words) == 1


def test_yo_differs_from_e_unless_told_otherwise():
    assert points("5", "ёлка", "елка") == 0
    assert points("5", "ёлка", "елка", yo=True) == 1
    assert points("5", "елка", "ЁЛКА", yo=True) == 1


@pytest.mark.parametrize("answer", ["1, 3", "1;3", "1 3", "1,3,", "1.3", ",1,3", "1,3."])
def test_other_separators_are_read_only_when_asked_for(answer):
    assert points("9", "1,3", answer) == 0
    assert points("9", "1,3", answer, lenient=True) == 1


@pytest.mark.parametrize("answer", ["13", "1-3", "Ответ: 1,3", "1и3"])
def test_lenient_separators_do_not_excuse_other_signs(answer):
    assert points("9", "1,3", answer, lenient=True) == 0


def test_lenient_separators_apply_to_task_26():
    assert points("26", "8,1,9,7", "8 1 9 7") == 0
    assert points("26", "8,1,9,7", "8 1 9 7", lenient=True) == 4


def test_outer_blanks_are_trimmed():
    assert points("9", "1,3", " 1,3\n") == 1
    assert points("26", "8,1,9,7", "\t8,1,9,7 ") == 4


@pytest.mark.parametrize(
    ("id_task", "key", "answer", "options", "expected"),
    [
        ("26", "8,1,9,7", "8,1,9", {}, ["wrong-length-is-zero"]),
        ("26", "8,1,9,7", "7,9,8", {}, []),
        ("9", "1,3", "1, 3", {}, ["strict-separators"]),
        ("16", "1,3", "1, 3", {}, ["strict-separators"]),
        ("9", "1,3", "1, 4", {}, []),
        ("9", "1,3", "1, 3", {"lenient": True}, ["lenient-separators"]),
        ("9", "1,3", "1,3", {"lenient": True}, []),
        ("9", "1,3", " 1,3 ", {}, ["outer-blanks-trimmed"]),
        ("9", "1,3", " 1,4", {}, []),
        ("9", "1,3", "1,1,3", {}, ["repeated-numbers-once"]),
        ("9", "1,3", "1,1", {}, []),
        ("16", "2", "3", {}, ["single-number-key"]),
        ("14", "раз два", "двараз", {}, ["any-word-order"]),
        ("14", "раз два", "раздва", {}, ["key-letters-only"]),
        ("4", "звонИт", "звонит", {}, ["key-letters-only"]),
        ("4", "звонит", "ЗВОНИТ", {}, []),
        ("5", "ёлка", "елка", {}, ["yo-differs"]),
        ("5", "ёлка", "елка", {"yo": True}, ["yo-alike"]),
        ("5", "ёлка", "ёлка", {"yo": True}, []),
        ("5", "ёлка", "палка", {}, []),
        ("5", "ёлка", None, {}, ["missing-is-zero"]),
    ],
)
def test_a_reading_is_named_where_another_one_would_change_the_points(
    id_task, key, answer, options, expected
):
    assert readings(id_task, key, answer, **options) == expected


@pytest.mark.parametrize(
    ("id_task", "fields", "code", "at"),
    [
        ("9", {"key": ""}, "empty-key", "outputs"),
        ("9", {"key": ","}, "empty-key", "outputs"),
        ("9", {"key": "1,б"}, "key-not-numbers", "outputs"),
        ("5", {"key": " , 12"}, "empty-key", "outputs"),
        ("26", {"key": "1,2,3"}, "key-length", "outputs"),
        ("26", {"key": "1,2,3,4,5"}, "key-length", "outputs"),
        ("9", {"type": "essay"}, "unknown-type", "meta.type"),
        ("26", {"type": "text", "key": "сова"}, "type-does-not-fit", "meta.type"),
        ("16", {"type": "text", "key": "сова"}, "type-does-not-fit", "meta.type"),
        ("9", {"type": "matching", "key": "1,2,3,4"}, "type-does-not-fit", "meta.type"),
    ],
)
def test_a_task_that_could_not_be_scored_cannot_be_made(id_task, fields, code, at):
    with pytest.raises(RecordError) as caught:
        task(id_task, **fields)

    assert (caught.value.code, caught.value.at) == (code, at)


@pytest.mark.parametrize("name", ["8", "8_5", "0", "27", "016", "", "two"])
def test_the_exam_has_no_other_tasks(name):
    with pytest.raises(RecordError, match="unknown-task"):
        Task("1", name, "0", "text", "сова")


def test_a_task_of_one_point_follows_the_type_of_its_record():
    assert task("9", "сова", type="text").kind is AnswerKind.TEXT
    assert task("9", type="multiple_choice").kind is AnswerKind.MULTIPLE_CHOICE


@given(st.sampled_from(ORDER), ANSWERS, st.booleans(), st.booleans())
def test_points_lie_between_none_and_the_maximum(id_task, answer, lenient, yo):
    found = outcome(id_task, task(id_task).key, answer, lenient=lenient, yo=yo)

    assert 0 <= found.points <= found.task.maximum
    assert found.lost == 0 if found.reason == Reason("right") else found.lost > 0


@given(st.sampled_from(ORDER), st.lists(st.integers(0, 30), min_size=4, max_size=4), st.booleans())
def test_the_key_itself_is_a_perfect_answer(id_task, numbers, lenient):
    text = KINDS[id_task] is AnswerKind.TEXT
    key = "сова" if text else ",".join(map(str, numbers))

    found = outcome(id_task, key, key, lenient=lenient)

    assert found.points == found.task.maximum


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), st.data())
def test_the_order_of_numbers_is_free_except_in_task_26(numbers, data):
    key = ",".join(map(str, numbers))
    mixed = ",".join(map(str, data.draw(st.permutations(numbers))))

    assert (points("9", key, mixed), points("16", key, mixed)) == (1, 2)
