"""grade_norm of files: missing answers, whole variants, doubles, splits, readings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.use.exam import ORDER
from schemes.core.use.reading import read_key, read_predictions
from schemes.core.use.scoring import score
from schemes.core.use.values import Key, Predictions, Taken, Variant
from tests.examples import examples
from tests.schemes.core.use.exams import (
    ANSWERS,
    answer,
    as_document,
    as_list,
    points,
    record,
    right_answers,
    scored,
    variant,
)


def codes(found):
    return [each.code for each in found.warnings]


def taken(found):
    return {each.code.value: each.count for each in found.readings}


def test_a_perfect_prediction_reaches_one():
    key = variant(7) + variant(8)

    found = scored(key, right_answers(key))

    assert found.grade_norm == 1.0
    assert found.variants == (Variant("7", 34), Variant("8", 34))
    assert (found.warnings, found.readings) == ((), ())


def test_grade_norm_is_the_mean_over_variants_of_points_by_34():
    key = variant(0) + variant(1)
    half = right_answers(variant(0)) + [answer(each["meta"]["id"], "") for each in variant(1)]

    assert scored(key, half).grade_norm == 0.5
    assert scored(key, [*half[:-1], answer(59, "4,1,0,0")]).grade_norm == (34 + 2) / 68


def test_a_task_without_a_prediction_gets_nothing_and_is_listed():
    key = variant()

    found = scored(key, right_answers(key)[2:])

    assert found.variants == (Variant("0", 32, unanswered=("1", "2")),)
    assert [each.task.id_task for each in found.outcomes if not each.answered] == ["1", "2"]
    assert taken(found) == {"missing-is-zero": 2}


def test_an_empty_file_of_predictions_scores_nothing():
    found = scored(variant(), [])

    assert found.grade_norm == 0.0
    assert found.variants[0].unanswered == ORDER


def test_a_variant_the_key_has_in_part_is_divided_by_34_all_the_same():
    key = [each for each in variant() if each["meta"]["id_task"] not in ("16", "26")]

    found = scored(key, right_answers(key))

    assert found.grade_norm == 28 / 34
    assert found.variants == (Variant("0", 28, missing=("16", "26")),)
    (warning,) = found.warnings
    assert (warning.code, warning.fields) == (
        "incomplete-variant",
        {"name": "0", "tasks": ("16", "26")},
    )
    assert taken(found) == {"incomplete-by-34": 1}


def test_the_train_split_has_points_and_no_grade_norm():
    key = variant()[:5]
    found = score(
        read_key(as_document(key, "train")),
        read_predictions(as_document(right_answers(key), "train")),
    )

    assert (found.grade_norm, found.variants[0].points) == (None, 5)
    assert codes(found) == ["train-has-no-grade"]
    assert found.readings == ()


def test_a_list_is_of_the_train_split_if_somebody_says_so():
    assert scored(variant(), [], split="train").grade_norm is None


def test_the_dev_split_is_graded():
    found = score(
        read_key(as_document(variant(), "dev")),
        read_predictions(as_document(right_answers(variant()), "dev")),
    )

    assert found.grade_norm == 1.0


def test_a_key_without_tasks_has_no_grade_norm():
    found = score(Key(()), Predictions(()))

    assert (found.grade_norm, found.variants, codes(found)) == (None, (), ["no-tasks"])


def test_of_two_predictions_with_one_id_the_last_one_counts():
    found = scored([record("9", number=3)], [answer(3, "2,5"), answer(4, ""), answer("3", "1")])

    assert points(found) == {"3": 0}
    assert codes(found) == ["incomplete-variant", "id-twice", "unknown-id"]
    twice = found.warnings[1]
    assert (twice.source, twice.place.record, twice.place.id) == ("prediction", 3, "3")
    assert twice.fields == {"record": 1, "name": "3"}
    assert taken(found)["last-of-id"] == 1


def test_of_two_tasks_with_one_id_the_last_one_counts():
    found = scored([record("9", number=3), record("10", number=3, key="1")], [answer(3, "1")])

    assert [(each.task.id_task, each.points) for each in found.outcomes] == [("10", 1)]
    assert found.warnings[0].code == "id-twice"


def test_a_task_given_twice_in_a_variant_counts_once():
    key = [*variant(), record("26", number=99)]

    found = scored(key, right_answers(key))

    assert (found.grade_norm, found.outcomes[-1].task.id) == (1.0, "99")
    assert codes(found) == ["task-twice", "unknown-id"]


def test_an_unknown_id_is_reported_and_ignored():
    found = scored(variant(), [*right_answers(variant()), answer(77, "1")])

    assert found.grade_norm == 1.0
    (warning,) = found.warnings
    assert (warning.code, warning.place.record, warning.place.id) == ("unknown-id", 31, "77")


def test_ids_and_variants_are_compared_as_strings():
    key = variant()
    for each in key:
        each["meta"]["variant"] = str(each["meta"]["variant"])
    key[0]["meta"]["id_task"] = 1

    found = scored(key, [answer(str(each["meta"]["id"]), each["outputs"]) for each in key])

    assert found.grade_norm == 1.0
    assert found.readings == (Taken("ids-as-text", 30),)


def test_variants_come_in_the_order_of_their_numbers():
    numbers = [10, 9, 2, "b", "a", 100]
    key = [record("9", number=place, variant=name) for place, name in enumerate(numbers)]

    assert [each.name for each in scored(key, []).variants] == ["2", "9", "10", "100", "a", "b"]


def test_an_option_that_is_on_is_told_even_if_it_changed_nothing():
    found = scored(variant(), right_answers(variant()), lenient=True, yo=True)

    assert taken(found) == {"lenient-separators": 0, "yo-alike": 0}


def test_readings_are_counted_by_tasks():
    key = variant()
    spaced = [answer(each["meta"]["id"], f" {each['outputs']}") for each in key]

    assert taken(scored(key, spaced)) == {"outer-blanks-trimmed": 22}


@pytest.mark.parametrize("answers", [["2,2,5"] * 30, ["9"] * 30, [" "] * 30])
def test_no_answers_exceed_the_bounds(answers):
    found = scored(variant(), [answer(number, text) for number, text in enumerate(answers)])

    assert 0 <= found.grade_norm <= 1


@given(st.lists(st.tuples(st.integers(-3, 70), ANSWERS), max_size=70))
@settings(deadline=None, max_examples=examples(40))
def test_grade_norm_lies_between_none_and_one(pairs):
    found = scored(variant(0) + variant(1), [answer(number, text) for number, text in pairs])

    assert 0 <= found.grade_norm <= 1
    assert sum(each.points for each in found.outcomes) == sum(v.points for v in found.variants)


@given(st.data())
@settings(deadline=None, max_examples=examples(25))
def test_the_order_of_records_means_nothing(data):
    key = variant(0) + variant(1)
    answers = [answer(number, data.draw(ANSWERS)) for number in range(0, 60, 2)]

    found = scored(key, answers)
    mixed = scored(data.draw(st.permutations(key)), data.draw(st.permutations(answers)))

    assert (mixed.grade_norm, mixed.variants) == (found.grade_norm, found.variants)
    assert points(mixed) == points(found)
    assert list(points(mixed)) == list(points(found))


def test_places_of_doubles_are_those_of_the_lists():
    text = as_list([answer(0, "1"), answer(0, "2,5")])

    found = score(read_key(as_list([record("9")])), read_predictions(text))

    assert [each.place.line for each in found.warnings if each.code == "id-twice"] == [8]
