"""Reports of a solution: worked cases, and what holds of every one (regulation 2.23)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core.values import Markup, Subject
from compare.core.matcher import match
from scoring.core.codes import NONE, meetings_of
from scoring.core.counts import count
from scoring.core.exchange import AnnulledFile, Exchange
from scoring.core.metrics import Weights, measure, pairwise_accuracy
from scoring.core.report import Against, Answer, Change, change, report
from scoring.core.report_json import HEAD, report_from_json, report_table, report_to_json
from tests.scoring.core.golden import cases, markup_of, name_of
from tests.strategies import fragments

EXCHANGE = Exchange(3, 60.0, 0, {"1": 2.0, "2": 10.0, "3": 59.0}, ())
TEXT = "She have a red bike."


def against(name, markup, reference, subject):
    comparison = match(markup, reference)
    return Against(name, measured(comparison), meetings_of(comparison, subject))


def measured(comparison):
    metrics = measure(count(comparison))
    return metrics, pairwise_accuracy(metrics, Weights())


def answer(essay, markup, experts, subject=Subject.ENGLISH):
    return Answer(
        essay,
        subject,
        tuple(against(name, markup, each, subject) for name, each in experts.items()),
        tuple(
            measured(match(experts[one], experts[other]))
            for one in experts
            for other in experts
            if one != other
        ),
    )


def answer_of(essay, subject):
    text = essay["text"]
    experts = {name: markup_of(each, text, subject) for name, each in essay["experts"].items()}
    return answer(essay["essay"], markup_of(essay["algorithm"], text, subject), experts, subject)


def exact(value):
    if isinstance(value, str) and "/" in value:
        return pytest.approx(float(Fraction(value)), abs=1e-9)
    return value


@pytest.mark.parametrize("case", cases("report"), ids=name_of)
def test_a_worked_report_has_its_figures(case):
    subject, expect = Subject(case["subject"]), case["expect"]
    annulled = tuple(AnnulledFile(each, "late", "") for each in case.get("annulled", ()))
    told = replace(EXCHANGE, annulled=annulled)
    answers = [answer_of(each, subject) for each in case["essays"]]

    found = report_to_json(report(answers, case["hardness"], told))

    figures = ("STAR", "STER", "OTAR", "like_people", "worst", "best")
    assert {name: found[name] for name in figures} == {
        name: exact(expect[name]) for name in figures
    }
    assert {name: [*each.values()] for name, each in found["metrics"].items()} == {
        name: [exact(value) for value in each] for name, each in expect["metrics"].items()
    }
    (codes,) = found["subjects"] or [{"codes": [], "criteria": [], "confusion": []}]
    for part in ("codes", "criteria"):
        names = ("name", "theirs", "ours", "right")
        assert [{name: each[name] for name in names} for each in codes[part]] == expect[part]
    assert codes["confusion"] == expect["confusion"]
    assert [
        {name: value for name, value in each.items() if name != "references"}
        for each in found["per_essay"]
    ] == [{name: exact(value) for name, value in each.items()} for each in expect["per_essay"]]


@st.composite
def answers(draw):
    marks = st.lists(fragments(len(TEXT)), max_size=4)
    markups = st.builds(lambda marked: Markup(TEXT, tuple(marked)), marks)
    experts = st.dictionaries(st.sampled_from(["exp01", "exp02", "exp03"]), markups, max_size=3)
    names = draw(st.lists(st.sampled_from("123456789"), unique=True, max_size=5))
    return [answer(name, draw(markups), draw(experts)) for name in names]


@settings(max_examples=25)
@given(answers(), st.randoms())
def test_every_fragment_is_counted_once_a_pair_in_whatever_order_essays_come(given_, random):
    found = report(given_, 1)

    assert report(random.sample(given_, len(given_)), 1) == found
    for codes in found.subjects:
        pairs = sum(codes.meetings.values())
        assert sum(each.theirs for each in codes.codes) == pairs - sum(
            count for (theirs, _ours), count in codes.meetings.items() if theirs == NONE
        )
        assert all(each.right <= min(each.theirs, each.ours) for each in codes.codes)
        assert pairs == sum(line.found + line.missed + line.invented for line in found.lines)


@settings(max_examples=25)
@given(answers(), st.floats(0, 1))
def test_what_is_kept_of_a_report_is_all_of_it(given_, hardness):
    found = report(given_, hardness)

    assert report_from_json(report_to_json(found)) == found


@settings(max_examples=25)
@given(answers())
def test_nothing_has_changed_since_itself(given_):
    found = report(given_, 1)

    lines = len(found.lines)
    assert change(found, found) == Change(0 if lines else None, lines, 0 if lines else None, 0, 0)


def line(found, essay, accuracy):
    (pattern,) = found.lines
    return replace(pattern, essay=essay, accuracy=accuracy)


def test_essays_of_both_solutions_tell_what_became_better_and_worse():
    found = report([answer_of(cases("report")[1]["essays"][0], Subject.ENGLISH)], 1)
    now = replace(
        found, star=50.0, lines=tuple(line(found, *e) for e in (("1", 60.0), ("2", 40.0)))
    )
    former = (("1", 50.0), ("2", 45.0), ("3", 90.0))
    before = replace(found, star=61.0, lines=tuple(line(found, *each) for each in former))

    assert change(now, before) == Change(-11.0, 2, 2.5, 1, 1)


def test_best_and_worst_essays_are_never_the_same():
    found = report([answer_of(cases("report")[1]["essays"][0], Subject.ENGLISH)], 1)
    many = replace(found, lines=tuple(line(found, str(n), float(n)) for n in range(1, 8)))

    assert [each.essay for each in many.worst] == ["1", "2", "3", "4", "5"]
    assert [each.essay for each in many.best] == ["7", "6"]


def test_equally_good_essays_are_told_once():
    found = report([answer_of(cases("report")[1]["essays"][0], Subject.ENGLISH)], 1)
    alike = replace(found, lines=tuple(line(found, str(n), 0.0) for n in range(1, 8)))

    assert [each.essay for each in (*alike.worst, *alike.best)] == list("1234567")


def test_response_times_are_told_by_steps_to_the_limit():
    assert [each.count for each in EXCHANGE.bars] == [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert EXCHANGE.bars[0].end == 5.0
    assert (EXCHANGE.median, EXCHANGE.most) == (10.0, 59.0)


def test_a_session_without_answers_has_no_times():
    silent = Exchange(2, 60.0, 0, {}, (AnnulledFile("1", "missing", "no answer came"),))

    assert (silent.bars, silent.median, silent.most, silent.share) == ((), None, None, 50.0)


def test_a_table_has_a_figure_a_line():
    found = report([answer_of(cases("report")[0]["essays"][1], Subject.ENGLISH)], 1, EXCHANGE)

    head, *lines = report_table(found, change(found, found))

    assert head == HEAD
    assert ("summary", "", "STAR", "percent", 60.0) in lines
    assert ("code", "eng", "А.лекс", "precision", 0.0) in lines
    assert ("meeting", "eng", "А.грамм / А.лекс", "count", 1) in lines
    assert ("session", "", "3", "seconds", 59.0) in lines
    assert ("change", "", "", "common", 1) in lines
