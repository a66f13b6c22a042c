"""Whole files: the means, what is reported, which readings were in question, the script's sums."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.space2022.marks import Basis, spans_of, winner_of
from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.report import question_to_json
from schemes.core.space2022.scoring import score
from schemes.core.space2022.values import Answers, Level, Predictions, ScriptScore
from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from tests.schemes.core.space2022.questions import (
    MISPLACED,
    UNLIKELY,
    as_lines,
    codes,
    fragment,
    outcome,
    question,
    reason,
    record,
    scored,
    taken,
)

SAID = reason("C", fragment("S", 3), fragment("P", 7, 8))


def readings(reference, predicted):
    return [code.value for code in outcome(reference, predicted).readings]


def test_the_means_are_over_the_reference_questions():
    found = scored(
        [question(qid="1"), question(qid="2"), question(qid="3")],
        [record(UNLIKELY, qid="1"), record(SAID, qid="2"), record(SAID, qid="9")],
    )

    assert found.element_f1 == pytest.approx((1 + 2 * 3 / (3 + 6)) / 3)
    assert [each.question.qid for each in found.outcomes] == ["1", "2", "3"]
    assert [each.prediction is None for each in found.outcomes] == [False, False, True]
    assert codes(found) == ["unknown-qid"]


def test_an_empty_prediction_file_scores_0_and_is_told():
    found = scored([question()], [])

    assert (found.element_f1, found.text_f1, found.type_accuracy) == (0.0, 0.0, 0.0)
    assert codes(found) == ["no-predictions"]
    assert set(found.script.values()) == {ScriptScore(0.0, 0, 0.0, 0.0, 0.0)}


def test_without_questions_no_figure_is_defined():
    found = score(Answers(()), Predictions(()))

    assert (found.element_f1, found.text_f1, found.type_accuracy) == (None, None, None)
    assert (found.outcomes, found.script) == ((), {})
    assert codes(found) == ["no-questions", "no-predictions"]


def test_a_prediction_without_reasons_scores_0_and_is_no_missing_one():
    found = scored([question()], [record()])

    assert found.element_f1 == 0.0
    assert found.outcomes[0].prediction is not None
    assert taken(found) == {"headline-element": 0}


def test_of_two_records_with_one_qid_the_last_counts_in_the_place_of_the_first():
    found = scored(
        [question(qid="1"), question(qid="2"), question(SAID, qid="1")],
        [record(qid="1"), record(SAID, qid="1")],
    )

    assert [(each.question.qid, each.is_perfect) for each in found.outcomes] == [
        ("1", True),
        ("2", False),
    ]
    assert [(each.source, each.place.line, each.fields) for each in found.warnings] == [
        ("answer", 3, {"record": 1}),
        ("prediction", 2, {"record": 1}),
    ]
    assert taken(found)["last-of-qid"] == 2


def test_an_index_outside_the_context_spoils_its_record_only():
    outside = reason("A", fragment("text1", 4), fragment("text2", 18))

    found = scored(
        [question(qid="1"), question(qid="2")],
        [record(MISPLACED, outside, qid="1"), record(MISPLACED, qid="2")],
    )

    assert [each.element.tally.f1 for each in found.outcomes] == [0.0, 1.0]
    (problem,) = found.warnings
    assert (problem.code, problem.place.line, problem.place.qid, problem.place.field) == (
        "index-outside",
        1,
        "1",
        "reasons[1].fragments[1].idxes",
    )
    assert problem.fields == {"index": 18, "length": 18}
    assert taken(found) == {
        "headline-element": 0,
        "outside-context-refused": 1,
        "missing-is-zero": 1,
    }


def test_without_a_context_no_index_is_outside():
    far = reason("C", fragment("S", 10**30))

    assert scored([question(far, context=None)], [record(far)]).element_f1 == 1.0


def test_the_text_of_a_fragment_is_never_scored_and_told_when_it_differs():
    wrong = {"role": "S", "text": "猫", "idxes": [3]}
    none = {"role": "E", "idxes": [4, 5]}
    odd = {"role": "P", "text": 7, "idxes": [7, 8, 9]}

    found = scored([question()], [record(reason("C", wrong, odd, none))])

    assert found.element_f1 == 1.0
    assert [(each.code, each.place.field) for each in found.warnings] == [
        ("text-not-of-context", "reasons[0].fragments[0].text"),
        ("text-not-of-context", "reasons[0].fragments[1].text"),
    ]
    assert taken(found) == {"headline-element": 0, "indices-not-text": 2}


def test_a_role_of_another_type_is_told_and_hits_nothing():
    found = scored([question()], [record(reason("C", fragment("S", 3), fragment("text1", 4, 5)))])

    assert found.outcomes[0].element.tally == (1, 3, 6)
    (problem,) = found.warnings
    assert (problem.code, problem.place.field) == (
        "role-not-of-type",
        "reasons[0].fragments[1].role",
    )
    assert problem.fields == {"name": "text1", "type": "C", "roles": ("S", "P", "E")}
    assert taken(found)["roles-of-the-type-only"] == 1


@pytest.mark.parametrize("empty", [[], [reason("A")], [reason("C", fragment("S"))]])
def test_a_question_with_nothing_to_find_scores_0_and_is_told(empty):
    found = scored([record(*empty, context="猫在这里。")], [record(*empty)])

    assert (found.element_f1, codes(found)) == (0.0, ["nothing-to-find"])


@pytest.mark.parametrize(
    ("reference", "predicted", "expected"),
    [
        ([UNLIKELY], [UNLIKELY], []),
        ([UNLIKELY], [SAID], ["omitted-roles-cost-recall"]),
        (
            [MISPLACED],
            [reason("A", fragment("text1", 9), fragment("text2", 4, 5))],
            ["headline-element", "roles-as-written"],
        ),
        (
            [reason("B", fragment("S1", 1), fragment("E2", 3))],
            [reason("B", fragment("S2", 1), fragment("E1", 3))],
            ["headline-element", "roles-as-written"],
        ),
        (
            [MISPLACED, reason("C", fragment("S", 1))],
            [reason("B", fragment("S1", 4, 5, 9)), reason("C", fragment("S", 1, 2))],
            ["headline-element", "type-of-best-text-pair"],
        ),
        (
            [reason("A", fragment("text1", 1)), reason("C", fragment("S", 1))],
            [reason("C", fragment("S", 1))],
            ["headline-element", "type-of-best-text-pair", "first-of-equal-pairs"],
        ),
        ([SAID], [reason("C", fragment("S", 3, 3), fragment("P", 7, 8))], ["repeated-once"]),
        (
            [SAID],
            [reason("C", fragment("S", 3), fragment("P", 7), fragment("P", 8))],
            ["repeated-once"],
        ),
    ],
)
def test_a_question_says_which_readings_are_in_question(reference, predicted, expected):
    assert readings(reference, predicted) == expected


def test_of_equal_text_pairs_the_first_decides_about_the_type():
    a, c = reason("A", fragment("text1", 1)), reason("C", fragment("S", 1))

    assert not outcome([a, c], [c]).type_is_right
    assert outcome([c, a], [c]).type_is_right


def test_one_character_is_a_perfect_answer_to_the_script_only():
    found = scored([question()], [record(reason("C", fragment("S", 3)))])

    assert found.element_f1 == 2 / 7
    assert found.script[Level.STRICT] == ScriptScore(0.0, 1.0, 1.0, 1.0, 1.0)


def test_the_script_s_micro_f1_is_the_harmonic_mean_of_two_means():
    half = reason("C", fragment("S", 3, 6))
    found = scored(
        [question(reason("C", fragment("S", 3)), qid="1"), question(qid="2")],
        [record(half, qid="1")],
    )

    assert found.script[Level.STRICT] == ScriptScore(0.5, 1 / 3, 1 / 3, 0.25, 0.5)
    assert found.script[Level.LOOSE] == found.script[Level.STRICT]


def test_the_winner_by_element_is_drawn_role_by_role():
    winner = winner_of(outcome([UNLIKELY], [reason("C", fragment("S", 3), fragment("P", 6, 7, 9))]))

    assert (winner.basis, [each.role for each in winner.roles]) == (Basis.ELEMENT, ["S", "P", "E"])
    assert (winner.hit, winner.missed, winner.extra) == ({3, 7, 9}, {4, 5, 8}, {6})


def test_without_an_element_the_winner_by_text_is_drawn():
    found = outcome([MISPLACED], [reason("B", fragment("S1", 5, 6))])

    assert question_to_json(found)["pair"] == {
        "by": "text",
        "candidate": {"number": 1, "type": "B"},
        "reference": {"number": 1, "type": "A"},
        "roles": [{"role": "", "hit": [5], "missed": [4, 9], "extra": [6]}],
    }


def test_without_a_common_character_there_is_no_winner():
    assert winner_of(outcome([MISPLACED], [reason("A", fragment("text1", 1))])) is None


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ((), []),
        ((3,), [(3, 4)]),
        ((9, 7, 8, 1, 2, 7), [(1, 3), (7, 10)]),
        ((0, 2, 4), [(0, 1), (2, 3), (4, 5)]),
    ],
)
def test_indices_become_runs_of_neighbours(indices, expected):
    assert [(each.start, each.end) for each in spans_of(indices)] == expected


@given(st.frozensets(st.integers(0, 60)))
@settings(max_examples=examples(60))
def test_runs_cover_just_the_indices_and_never_touch(indices):
    spans = spans_of(indices)

    assert [at for each in spans for at in range(each.start, each.end)] == sorted(indices)
    assert all(one.end < other.start for one, other in pairwise(spans))


def many_questions(count):
    records = [question(qid=str(each)) for each in range(count)]
    predicted = [record(SAID, MISPLACED, qid=str(each)) for each in range(count)]
    return as_lines(*records), as_lines(*predicted)


def many_reasons(count):
    """Both sides of one question: reasons of few roles, roles of all the reasons' own."""
    own = [reason("C", fragment("S", 1, 3), fragment(f"x{each}", 4)) for each in range(count)]
    wide = reason("C", *(fragment(f"x{each}", 4, each % 18) for each in range(count)))
    return as_lines(question(*own)), as_lines(record(wide, *own))


def repeated_roles(count):
    own = [reason("C", fragment("S", 1), fragment("S", each % 18)) for each in range(count)]
    wide = reason("C", *(fragment("S", each % 18) for each in range(count)))
    return as_lines(question(*own)), as_lines(record(wide))


def one_role_ever_wider(count):
    wide = reason("C", *(fragment("S", each) for each in range(count)))
    return as_lines(question(wide, context="猫" * count)), as_lines(record(wide))


@pytest.mark.parametrize(
    "make", [many_questions, many_reasons, repeated_roles, one_role_ever_wider]
)
def test_time_grows_linearly(make):
    ratio = growth(lambda files: score(read_answers(files[0]), read_predictions(files[1])), make)

    assert ratio <= LINEAR
