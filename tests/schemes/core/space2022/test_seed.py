"""Every example of the description of the task (SpaCE2022, subtask 2, of 8 August 2022).

Where the description contradicts itself or is silent, the test names the reading taken.
"""

from __future__ import annotations

import pytest

from schemes.core.space2022.marks import winner_of
from schemes.core.space2022.reading import read_answers
from schemes.core.space2022.values import ROLES
from tests.schemes.core.space2022.questions import (
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

CONTEXT = (
    "我国著名学者童第周在1978年成功地进行了黑斑蛙的克隆试验。他将黑斑蛙的红细胞的核移入事先除去了核的"
    "黑斑蛙卵前，这种换核卵最后长成能在水中自由游泳的蝌蚪。"
)
QID = "2-train-221"


def run(start, end):
    """The indices of the sample are runs; both ends belong to them."""
    return range(start, end + 1)


def sample(role, text, start, end):
    return {"role": role, "text": text, "idxes": list(run(start, end))}


MOVED = sample("E", "移入", 41, 42)
REASONS = [
    reason("A", sample("text1", "移入", 41, 42), sample("text2", "卵前", 53, 54)),
    reason(
        "C",
        sample("S", "黑斑蛙的红细胞的核", 32, 40),
        sample("P", "除去了核的黑斑蛙卵前", 45, 54),
        MOVED,
    ),
    reason("C", sample("S", "红细胞的核", 36, 40), sample("P", "黑斑蛙卵前", 50, 54), MOVED),
    reason("C", sample("S", "核", 40, 40), sample("P", "卵前", 53, 54), MOVED),
]
SAMPLE = {"qid": QID, "context": CONTEXT, "reasons": REASONS}


def sampled(*predicted):
    return scored([SAMPLE], [record(*predicted, qid=QID)])


def test_the_sample_is_read_without_a_problem_its_texts_are_those_of_its_indices():
    found = read_answers(as_lines(SAMPLE))

    assert found.problems == ()
    (asked,) = found.questions
    assert [(each.number, each.type, len(each.fragments)) for each in asked.reasons] == [
        (1, "A", 2),
        (2, "C", 3),
        (3, "C", 3),
        (4, "C", 3),
    ]


@pytest.mark.parametrize("number", range(4))
def test_every_reason_of_the_sample_answers_it_perfectly(number):
    found = sampled(REASONS[number])

    assert (found.element_f1, found.text_f1, found.type_accuracy) == (1.0, 1.0, 1.0)
    winner = winner_of(found.outcomes[0])
    assert (winner.candidate.number, winner.reference.number) == (1, number + 1)


def test_the_sample_as_its_own_prediction_is_perfect():
    assert sampled(*REASONS).element_f1 == 1.0


def test_of_the_three_reasons_of_type_c_only_the_first_is_a_candidate():
    """Note 4: 评分时仅会取此类第 1 条归因进行计算."""
    wrong = reason("C", sample("S", "我", 0, 0))

    found = sampled(wrong, *REASONS[1:])

    assert (found.element_f1, found.text_f1) == (0.0, 0.0)


def test_one_reason_of_each_type_may_be_given_and_the_best_counts():
    """Note 4: 可提交 A, B, C 三类答案各 1 个，评分时会取答案中取得最高分的 1 个答案."""
    found = sampled(reason("B", sample("S1", "我", 0, 0)), REASONS[3], reason("A", MOVED))

    assert found.element_f1 == 1.0
    assert winner_of(found.outcomes[0]).candidate.number == 2


def test_the_best_of_several_reference_reasons_counts():
    """The candidate is the second reason of type C without the first character of S and of P."""
    given = reason("C", sample("S", "细胞的核", 37, 40), sample("P", "斑蛙卵前", 51, 54), MOVED)

    found = sampled(given).outcomes[0]

    assert winner_of(found).reference.number == 3
    assert found.element.tally == (10, 10, 12)
    assert sampled(given).element_f1 == 20 / 22


@pytest.mark.parametrize(
    ("type_", "fragments"),
    [
        ("A", [("text1", 0, 1), ("text2", 2)]),
        ("C", [("S", 0, 1), ("P", 2, 3, 4, 5, 6, 7), ("E", 8)]),
        ("C", [("S", 0, 1), ("P", 2, 3, 4), ("E", 5)]),
        ("B", [("S1", 0), ("P1", 1, 2), ("E1", 3), ("S2", 0), ("P2", 4, 5), ("E2", 6, 7)]),
    ],
    ids=["空气 旁", "双手 在裤子口袋外 插", "项圈 脖子旁 戴", "钥匙 桌下 桌上"],
)
def test_the_three_types_have_the_roles_of_the_description(type_, fragments):
    given = reason(type_, *(fragment(role, *indices) for role, *indices in fragments))

    assert outcome([given], [given]).is_perfect
    assert tuple(role for role, *_ in fragments) == ROLES[type_]


def test_the_example_with_e2_twice_is_read_as_the_union_of_both():
    """«[S2 手臂, E2 平行于地面, E2 举]» is a slip for P2; the format allows a role twice."""
    first = [fragment("S1", 0, 1), fragment("P1", 2, 3, 4, 5, 6), fragment("E1", 7)]
    slip = reason("B", *first, fragment("S2", 0, 1), fragment("E2", 8, 9), fragment("E2", 12))
    meant = reason("B", *first, fragment("S2", 0, 1), fragment("P2", 8, 9), fragment("E2", 12))

    assert outcome([slip], [slip]).is_perfect
    assert outcome([meant], [slip]).element.tally == (11, 13, 13)
    assert [code.value for code in outcome([meant], [slip]).readings] == [
        "omitted-roles-cost-recall",
        "repeated-once",
    ]


def test_indices_need_not_be_contiguous():
    """Note 1: «从北京» and «到上海» stand apart and are one fragment."""
    context = "他从北京坐火车到上海出差。"
    apart = fragment("P", 1, 2, 3, 7, 8, 9, context=context)
    assert apart["text"] == "从北京到上海"

    found = scored(
        [question(reason("C", fragment("S", 0, context=context), apart), context=context)],
        [record(reason("C", fragment("P", 1, 2, 3, 4, 7, context=context)))],
    )

    (marks_of_s, marks_of_p) = winner_of(found.outcomes[0]).roles
    assert (marks_of_s.missed, marks_of_p.missed) == ({0}, {8, 9})
    assert (marks_of_p.hit, marks_of_p.extra) == ({1, 2, 3, 7}, {4})


def test_a_character_may_play_several_roles_of_a_reason():
    """Note 2: S1 and S2 may have the same indices; by role they count twice, as text once."""
    both = reason("B", fragment("S1", 0), fragment("E1", 2), fragment("S2", 0))

    found = outcome([both], [reason("B", fragment("S1", 0))])

    assert (found.element.tally, found.text.tally) == ((1, 1, 3), (1, 1, 2))


def test_a_role_may_be_left_out_where_the_context_has_no_words_for_it():
    """Note 3: of types B and C; a prediction that has the role all the same has too much."""
    without = reason("C", fragment("S", 0), fragment("E", 2))

    found = outcome([without], [reason("C", *without["fragments"], fragment("P", 4, 5))])

    assert (found.element.tally, found.element.tally.f1) == ((2, 4, 2), 2 / 3)


def test_the_description_has_three_figures_and_one_score_all_three_are_given():
    """3.2, steps 2 and 3: which of them «the score» is, is not said; the element F1 leads."""
    given = reason("B", sample("S1", "移入", 41, 42), sample("P1", "卵前", 53, 54))

    found = sampled(given)

    assert (found.element_f1, found.text_f1, found.type_accuracy) == (0.0, 1.0, 0.0)
    assert taken(found) == {"headline-element": 1}


def test_characters_of_the_wrong_type_are_text_and_no_element():
    """3.2, step 2: the text figure looks neither at the type nor at roles."""
    given = reason("A", sample("text1", "核", 40, 40), sample("text2", "卵前", 53, 54))

    found = sampled(given).outcomes[0]

    assert (found.element.tally, found.text.tally, found.type_is_right) == (
        (2, 3, 4),
        (3, 3, 5),
        False,
    )


def test_the_final_score_is_the_mean_over_questions():
    """3.2, step 4; a question without a prediction gives 0."""
    found = scored([SAMPLE, question(qid="2")], [record(REASONS[0], qid=QID)])

    assert (found.element_f1, found.text_f1, found.type_accuracy) == (0.5, 0.5, 0.5)
    assert (taken(found)["missing-is-zero"], codes(found)) == (1, [])
