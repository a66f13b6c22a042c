"""Each of the 24 open points, and what was decided about it (the numbers are schemes.md 2.3's)."""

from __future__ import annotations

import json

import pytest

from schemes.core.coscore.agreement import agreement
from schemes.core.coscore.answers import read_answers
from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.results import score_answers
from tests.schemes.core.coscore.rules import (
    ask,
    fault,
    read,
    refusal,
    rule_as_json,
    scorer,
    value,
    warnings,
)


def test_1_length_counts_every_sign_of_one_blank_or_of_all():
    assert value("L(0)", "水水 a😀") == 5
    assert value("L(*)", "水水", "", "水a") == 4


def test_2_the_operator_s_of_the_program_is_unknown():
    assert refusal("S(0)") == ("unknown-word", 1)


def test_3_number_of_all_blanks_is_the_number_of_the_joined_text():
    assert value("F(*)", "1", "2.5") == 12.5
    assert value("F('*')", "1", "м") == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("7", 7), (" -2.5 ", -2.5), ("1e2", 100), ("１２", 12), ("1_000", 1000)],
        *[("", 0), ("пять", 0), ("1,5", 0), ("nan", 0), ("inf", 0), ("-Infinity", 0), ("1e999", 0)],
    ],
)
def test_4_what_is_no_finite_number_is_0(text, number):
    assert value("F(0)", text) == number


def test_5_null_is_empty_and_white_space_is_not_and_the_star_counts_the_others():
    blanks = ["", "null", " ", "水"]

    assert [value(f"Q({n})", *blanks) for n in range(4)] == [1, 1, 0, 0]
    assert value("Q('*')", *blanks) == 2


@pytest.mark.parametrize("desc", ["!не|кипит", "кипит|!не", "вода|кипит|!не"])
def test_6_a_word_that_forbids_works_wherever_it_stands(desc):
    assert ask(f"SM {desc}", "вода не кипит") == (False, 0)
    assert ask(f"SM {desc}", "кипит") == (True, 1)


def test_6_modifiers_work_from_left_to_right():
    assert ask("SM ~некипит|!не|пар", "некипит, пар") == (True, 1)
    assert ask("SM !не|~некипит|пар", "некипит, пар") == (False, 0)


def test_6a_words_are_removed_from_the_answer_and_for_that_entry_only():
    assert ask("SM ~кипяток|кип", "кипяток") == (False, 0)
    assert ask("SM ~кипяток|кип", "кипяток кипит") == (True, 1)
    assert ask("SM ~кипяток|кип,кипяток", "кипяток") == (True, 1)


@pytest.mark.parametrize("desc", ["пар||лёд", "пар|лёд,", ",пар|лёд", "|пар|лёд", "!|пар|~|лёд"])
def test_7_empty_options_are_ignored_with_a_warning(desc):
    assert ask(f"SM {desc}", "лёд") == (True, 1)
    assert ask(f"SM {desc}", "вода") == (False, 0)
    assert "empty-option" in warnings({"0": f"SM {desc}"}, {"A": "M(0,T(0))"})


def test_8_a_modifier_is_never_a_hit_itself():
    assert ask("SM ~пар|лёд", "~пар") == (False, 0)
    assert ask("SM !пар|лёд", "!вода") == (False, 0)
    assert ask("SM !пар", "лёд") == (False, 0)
    assert warnings({"0": "SM !пар,лёд"}, {"A": "M(0,T(0))"}) == ["entry-never-hits"]


@pytest.mark.parametrize("kind", ["OP", "CS"])
def test_9_only_the_first_colon_ends_the_threshold(kind):
    assert ask(f"{kind} 1:5:2", "5:2") == (True, 1)
    assert ask(f"{kind} 1:5:2", "2") == (False, 0)


def test_10_a_threshold_of_0_is_accepted_with_a_warning():
    assert ask("OP 0:лёд", "сок") == (True, 0)
    assert warnings({"0": "CS 0:лёд"}, {"A": "M(0,T(0))"}) == ["threshold-zero"]


@pytest.mark.parametrize(
    ("desc", "code"),
    [
        *[("1.01:лёд", "threshold-outside"), ("-0.1:лёд", "threshold-outside")],
        *[("лёд", "threshold-missing"), (":лёд", "threshold-missing")],
        *[("0,5:лёд", "threshold-missing"), ("nan:лёд", "threshold-missing")],
        *[("0.5：лёд", "threshold-missing"), ("1_0:лёд", "threshold-missing")],
        *[("0." + "0" * 40 + ":лёд", "threshold-missing"), ("1e999:лёд", "threshold-outside")],
    ],
)
def test_10_a_threshold_that_is_none_is_refused(desc, code):
    for kind in ("OP", "CS"):
        reading = read({"0": f"{kind} {desc}"}, {"A": "M(0,T(0))"})
        found = [(problem.code, problem.atom) for problem in reading.problems if problem.blocks]
        assert (reading.rule, found) == (None, [(code, "0")])


def test_11_empty_answer_strings_are_ignored_and_none_at_all_is_refused():
    assert ask("OP 0.5:,лёд,", "лёд") == (True, 1)
    assert warnings({"0": "CS 0.5:,лёд"}, {"A": "M(0,T(0))"}) == ["empty-option"]
    for desc in ("OP 0.5:", "CS 0.5:,,"):
        assert [each.code for each in read({"0": desc}, {"A": "M(0,T(0))"}).problems] == [
            "no-strings"
        ]


@pytest.mark.parametrize(
    ("string", "text", "common", "out_of"),
    [
        *[("аа", "ааа", 2, 3), ("ааб", "аб", 2, 3), ("АБ", "а б", 2, 2), ("аб", "вг", 0, 4)],
        *[("аб", "", 0, 2), ("  ", " ", 0, 0)],
    ],
)
def test_12_alikeness_is_of_multisets_without_case_and_white_space(string, text, common, out_of):
    combos = {"A": "M(0,T(0))"}
    (asked,) = scorer({"0": f"CS 0:{string}"}, combos).explain([text]).asked

    (sight,) = asked.sights
    assert (sight.common, sight.out_of) == (common, out_of)
    assert asked.value == (common / out_of if out_of else 0)


def test_13_truth_counts_as_1_and_0_in_a_value_combo_with_a_warning():
    rule = scorer({}, {"A": ("L(0)>3", 7, "value")})

    outcomes = [rule.score([text]) for text in ("лёд", "вода")]

    assert [outcome.points["A"] for outcome in outcomes] == [0, 7]
    assert {problem.code for each in outcomes for problem in each.warnings} == {"truth-as-number"}
    assert warnings({}, {"A": ("L(0)>3", 7, "value")}) == ["truth-as-number"]


def test_14_a_number_counts_as_true_in_a_logic_combo_with_a_warning_and_a_text_is_an_error():
    rule = scorer({}, {"A": ("L(0)-3", 7, "logic")})

    assert [rule.score([text]).points["A"] for text in ("лёд", "вода")] == [0, 7]
    assert [problem.code for problem in rule.score([""]).warnings] == ["number-as-truth"]
    text = scorer({}, {"A": ("T(0)", 7, "logic")}).score(["лёд"])
    assert [problem.code for problem in text.errors] == ["always-text"]


@pytest.mark.parametrize(
    ("expression", "mode", "readings"),
    [
        ("1", "value", ()),
        ("1>0", "value", ("truth-as-number",)),
        ("1 and 1>0", "value", ("truth-as-number",)),
        ("1>0", "logic", ()),
        ("1", "logic", ("number-as-truth",)),
        ("1 and 1>0", "logic", ("number-as-truth",)),
    ],
)
def test_a_rule_rests_on_13_and_14_where_a_combo_can_give_the_other_kind(
    expression, mode, readings
):
    assert scorer({}, {"A": (expression, 1, mode)}).readings == readings


@pytest.mark.parametrize(
    ("change", "code"),
    [
        *[({"comboMode": "SUM"}, "not-one-of"), ({"comboMode": "add"}, "not-one-of")],
        *[({"comboMode": None}, "not-one-of"), ({"atoms": []}, "members-not-an-object")],
        *[({"combos": None}, "members-not-an-object"), ({"combos": {"A": 5}}, "not-an-object")],
        ({"combos": {"A": {"combo": "1", "score": 1, "mode": "Logic"}}}, "not-one-of"),
        ({"combos": {"A": {"combo": "1", "score": "1", "mode": "value"}}}, "not-a-number-given"),
        ({"combos": {"A": {"combo": 1, "score": 1, "mode": "value"}}}, "not-a-string"),
        ({"combos": {"A": {"score": 1, "mode": "value"}}}, "key-missing"),
        ({"atoms": {"0": {"type": "RE", "desc": "."}}}, "not-one-of"),
        ({"atoms": {"0": {"type": "EM"}}}, "key-missing"),
    ],
)
def test_15_a_rule_of_another_form_is_refused(change, code):
    reading = read_rule(json.dumps(rule_as_json({}, {"A": "1"}) | change))

    assert reading.rule is None
    assert code in [problem.code for problem in reading.problems if problem.blocks]


@pytest.mark.parametrize("key", ["atoms", "combos", "comboMode"])
def test_15_a_missing_key_is_refused_by_name(key):
    rule = rule_as_json({}, {"A": "1"})
    del rule[key]

    problems = read_rule(json.dumps(rule)).problems

    assert ("key-missing", {"name": key}) in [(each.code, each.fields) for each in problems]


def test_16_atoms_and_negative_blanks_are_refused_and_missing_blanks_fail_one_answer():
    assert refusal("1 if True else M(7,T(0))") == ("atom-not-defined", 16)
    assert refusal("T(-1)") == ("negative-blank", 3)
    rule = scorer({}, {"A": "L(1)"})
    assert [rule.score(blanks).score for blanks in (["a"], ["a", "bc"], [])] == [None, 2, None]


def test_17_quotes_are_for_the_star_and_for_ids_only():
    assert value('G("0",T("*"))', "лёд", atoms={"0": "SM лёд"}) == 1
    assert refusal("'a'") == ("text-in-quotes", 1)
    assert refusal("T('a')") == ("not-a-blank", 3)
    assert refusal("T(0)=='лёд'") == ("text-in-quotes", 7)


def test_17_texts_can_be_compared_and_joined_and_comparisons_chained():
    assert value("T(0)==T(1)", "лёд", "лёд") == 1
    assert value("T(0)<T(1)", "a", "b") == 1
    assert value("T(0)==0", "0") == 0
    assert value("L(0)<L(1)<3", "a", "bc") == 1
    assert value("M(0,T(0)+T(1))", "лё", "д", atoms={"0": "SM лёд"}) == 1


def test_17_a_text_cannot_be_computed_with():
    assert fault("T(0)*3", "лёд") == ("text-in-arithmetic", 6)
    assert fault("T(0)+1", "лёд") == ("text-in-arithmetic", 6)
    assert fault("-T(0)", "лёд") == ("text-in-arithmetic", 2)
    assert fault("X(1,T(0))", "лёд") == ("text-in-arithmetic", 5)
    assert fault("T(0)>1", "лёд") == ("text-against-number", 6)
    assert fault("M(0,L(0))", "лёд", atoms={"0": "SM лёд"}) == ("not-a-text", 5)


def test_18_nothing_to_take_the_maximum_of_is_refused():
    assert refusal("X()") == ("argument-count", 1)
    for mode in ("MAX", "ADD"):
        assert [each.code for each in read({}, {}, mode).problems] == ["no-combos"]
    assert value("A()") == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"atoms":{},"combos":{},"comboMode":"ADD","comboMode":"MAX"}', (None, None, None)),
        ('{"atoms":{"0":{"type":"EM","desc":"a"},"0":1},"combos":{}}', (None, None, "atoms")),
        ('{"atoms":{"0":{"type":"EM","type":"SM","desc":"a"}}}', ("0", None, None)),
        ('{"combos":{"A":{"score":1,"score":2}}}', (None, "A", None)),
    ],
)
def test_19_a_key_given_twice_is_refused_with_its_place(text, place):
    found = [each for each in read_rule(text).problems if each.code == "key-twice"]

    assert [(each.atom, each.combo, each.fields.get("path")) for each in found] == [place]


@pytest.mark.parametrize(
    "wrap",
    ["```json\n{}\n```", "```\n{}```", "\n```JSON \n{}\n```\n\n", "\ufeff{}", "\ufeff```\n{}\n```"],
)
def test_20_fences_and_a_byte_order_mark_are_taken_off(wrap):
    text = json.dumps(rule_as_json({}, {"A": "1"}))

    assert read_rule(wrap.replace("{}", text)).rule == read_rule(text).rule


def test_20_places_count_the_fence():
    (problem,) = read_rule('```json\n{"atoms": }\n```').problems

    assert (problem.code, problem.line, problem.column) == ("not-json", 2, 11)


def test_21_a_table_is_csv_and_the_separator_of_blanks_is_free():
    table = 'text,score\n"a,b-c",5\n'

    assert [row.blanks for row in read_answers(table).rows] == [("a,b", "c")]
    assert [row.blanks for row in read_answers(table, separator=",").rows] == [("a", "b-c")]
    assert [row.blanks for row in read_answers(table, separator="").rows] == [("a,b-c",)]


def test_22_and_23_one_answer_that_fails_leaves_the_others_scored():
    rule = scorer({}, {"A": "F(0)/F(1)", "B": "1"})

    results = score_answers(rule, read_answers("text\n6-3\n6-0\n6\n9-3\n"))

    assert [each.outcome.score for each in results.rows] == [3, None, None, 4]
    assert [
        (problem.line, problem.combo, problem.code)
        for each in results.rows
        for problem in each.own_problems
    ] == [(3, "A", "division-by-zero"), (4, "A", "no-such-blank")]
    assert results.rows[1].outcome.points == {"A": None, "B": 1}


def test_24_kappa_weighs_by_the_ratings_themselves():
    # Were 0, 9 and 10 numbered 0, 1 and 2, the two mistakes would weigh alike.
    near = agreement([(0, 0), (9, 9), (10, 10), (9, 10)])
    far = agreement([(0, 0), (9, 9), (10, 10), (0, 9)])

    assert near.exact == far.exact == 0.75
    assert near.kappa == pytest.approx(1 - 4 * 1 / 548)
    assert far.kappa == pytest.approx(1 - 4 * 81 / 708)
