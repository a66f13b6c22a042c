"""Files nobody should have written: what is told of them, where, and what is scored even so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.collecting import MOST
from schemes.core.space2022 import records
from schemes.core.space2022.errors import UnusableFileError
from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.report import question_to_json, score_to_json
from schemes.core.space2022.scoring import score
from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from tests.schemes.core.space2022.questions import (
    CONTEXT,
    MISPLACED,
    as_lines,
    fragment,
    question,
    reason,
    record,
)

ANSWERS = read_answers(as_lines(question(qid="1"), question(qid="2")))


def told(data):
    """What a prediction file is told, when a good record stands after the bad one."""
    found = read_predictions(data + b"\n" + as_lines(record(MISPLACED, qid="2")))
    assert [each.qid for each in found.predictions] == ["2"]
    assert score(ANSWERS, found).element_f1 == 0.5
    (problem,) = found.problems
    place = problem.place
    assert (problem.source, place.line, place.record) == ("prediction", 1, 1)
    return problem.code, place.qid, place.field


def with_reason(**changed):
    return as_lines(record({**MISPLACED, **changed}, qid="1"))


def with_fragment(**changed):
    return with_reason(fragments=[MISPLACED["fragments"][0], {**fragment("text2", 9), **changed}])


AT = "reasons[0].fragments[1]"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"qid": "1", "reasons": [}', ("not-json", "", "")),
        (b'{"qid": "1"', ("not-json", "", "")),
        (b"[" * 100_000, ("json-too-deep", "", "")),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, ("json-too-deep", "", "")),
        (b'{"qid": "\\ud800", "reasons": []}', ("text-has-surrogate", "", "qid")),
        (b'{"qid": "\\u0000", "reasons": []}', ("text-has-nul", "", "qid")),
        (b"7", ("not-an-object", "", "")),
        (b'"qid"', ("not-an-object", "", "")),
        (b"null", ("not-an-object", "", "")),
        (as_lines({"reasons": []}), ("no-field", "", "qid")),
        (as_lines(record(qid=1)), ("not-a-string", "", "qid")),
        (as_lines(record(qid=None)), ("not-a-string", "", "qid")),
        (as_lines(record(qid="")), ("empty-field", "", "qid")),
        (as_lines({"qid": "1"}), ("no-field", "1", "reasons")),
        (as_lines({"qid": "1", "reasons": {}}), ("not-a-list", "1", "reasons")),
        (as_lines(record(None, qid="1")), ("not-an-object-field", "1", "reasons[0]")),
        (as_lines(record(MISPLACED, "x", qid="1")), ("not-an-object-field", "1", "reasons[1]")),
        (with_reason(type="D"), ("unknown-type", "1", "reasons[0].type")),
        (with_reason(type=["A"]), ("not-a-string", "1", "reasons[0].type")),
        (with_reason(fragments=None), ("not-a-list", "1", "reasons[0].fragments")),
        (with_reason(fragments=["S"]), ("not-an-object-field", "1", "reasons[0].fragments[0]")),
        (with_fragment(role=1), ("not-a-string", "1", f"{AT}.role")),
        (with_fragment(idxes="9"), ("not-a-list", "1", f"{AT}.idxes")),
        (with_fragment(idxes=["9"]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[9.0]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[True]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[9, -1]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[[9]]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[float("nan")]), ("not-indices", "1", f"{AT}.idxes")),
        (with_fragment(idxes=[float("inf")]), ("not-indices", "1", f"{AT}.idxes")),
    ],
)
def test_a_broken_record_is_told_with_its_place_and_the_others_are_scored(data, expected):
    if data.startswith(b"["):
        data = b'{"qid": ' + data
    assert told(data.rstrip(b"\n")) == expected


@pytest.mark.parametrize("index", [18, 10**6, 10**30, 10**400])
def test_no_index_however_large_costs_memory_or_breaks_the_others(index):
    large = reason("C", {"role": "S", "idxes": [index]})
    data = as_lines(record(large, qid="1")) if index < 10**300 else b'{"qid": ' + b"9" * 5000
    found = read_predictions(data + b"\n" + as_lines(record(MISPLACED, qid="2")))

    assert score(ANSWERS, found).element_f1 == 0.5


def test_a_record_that_is_too_large_is_left_out(monkeypatch):
    monkeypatch.setattr(records, "MAX_RECORD", 300)
    long = reason("C", fragment("S", *[3] * 300))

    assert told(as_lines(record(long, qid="1")).rstrip()) == ("record-too-large", "", "")


@pytest.mark.parametrize(
    ("limit", "data", "code"),
    [
        ("MAX_BYTES", b" " * 20, "file-too-large"),
        ("MAX_RECORDS", b"{}\n" * 20, "too-many-records"),
        ("MAX_RECORDS", b"[" + b"{}," * 19 + b"{}]", "too-many-records"),
        ("", b"\n [\n{}", "not-json"),
        ("", b"qid,reasons\n1,C\n", "not-json-lines"),
        ("", b"1\tC\n\n2\tA", "not-json-lines"),
        ("", b"7\n[]\n", "not-json-lines"),
        ("", b"[" * 99, "json-too-deep"),
        ("", b'[{"qid": "\\ud800"}]', "text-has-surrogate"),
        ("", '{"qid": "小明"}'.encode("gb18030"), "not-utf8"),
        ("", '{"qid": "猫"}'.encode("utf-16"), "utf-16"),
        ("", b"PK\x03\x04\x14\xff", "is-packed"),
    ],
)
def test_a_file_that_cannot_be_used_at_all(monkeypatch, limit, data, code):
    if limit:
        monkeypatch.setattr(records, limit, 10)
    for read in (read_answers, read_predictions):
        with pytest.raises(UnusableFileError) as caught:
            read(data)
        assert caught.value.code == code


@pytest.mark.parametrize("indent", [None, 2])
def test_one_list_of_records_is_read_as_lines_are(indent):
    records = [question(qid="1"), question(qid="2")]

    listed = read_answers(json.dumps(records, indent=indent).encode())

    assert [each.qid for each in listed.questions] == ["1", "2"]
    assert score(listed, read_predictions(json.dumps(records).encode())).element_f1 == 1


def test_a_record_of_a_list_is_named_by_its_number():
    found = read_predictions(json.dumps([record(qid="1"), 7, {"reasons": []}]).encode())

    places = [(each.code, each.place.line, each.place.record) for each in found.problems]
    assert places == [("not-an-object", None, 2), ("no-field", None, 3)]
    assert [each.qid for each in found.predictions] == ["1"]


@pytest.mark.parametrize(
    "dress",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\n \n" + data.replace(b"\n", b"\n\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"".join(
            json.dumps(json.loads(line)).encode() + b"\n" for line in data.splitlines()
        ),
    ],
    ids=["byte order mark", "CRLF", "empty lines", "no last line end", "escaped"],
)
def test_the_dress_of_a_file_does_not_matter(dress):
    found = read_answers(dress(as_lines(question(qid="1"), question(qid="2"))))

    assert [(each.qid, each.context) for each in found.questions] == [
        ("1", CONTEXT),
        ("2", CONTEXT),
    ]
    assert found.problems == ()


def test_characters_outside_the_basic_plane_are_one_index_each():
    context = "𠮷在𠀀上。"
    apart = reason("C", fragment("S", 0, context=context), fragment("P", 2, 3, context=context))

    for data in (as_lines(question(apart, context=context)), json.dumps(question(apart)).encode()):
        assert read_answers(data).questions[0].reasons[0].size == 3
    assert read_answers(as_lines(question(apart, context=context))).problems == ()


def test_an_answer_record_with_an_unfit_context_is_left_out_with_its_place():
    outside = question(reason("C", fragment("S", 99)), qid="1")
    found = read_answers(as_lines(outside, {**question(qid="2"), "context": 1}, question(qid="3")))

    assert [each.qid for each in found.questions] == ["3"]
    assert [(each.code, each.place.line, each.place.field) for each in found.problems] == [
        ("index-outside", 1, "reasons[0].fragments[0].idxes"),
        ("not-a-string", 2, "context"),
    ]


def test_of_very_many_problems_the_first_are_named_and_the_others_counted():
    found = read_predictions(as_lines(record(qid="1")) + b"7\n" * (MOST + 5))

    assert len(found.problems) == MOST + 1
    assert (found.problems[-1].code, found.problems[-1].fields) == ("more-problems", {"count": 5})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 20) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["qid", "reasons", "type", "fragments", "role", "idxes", "context"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
FRAGMENTS = st.fixed_dictionaries({"role": st.just("S") | JSON, "idxes": st.just([3]) | JSON})
REASONS = st.fixed_dictionaries(
    {"type": st.sampled_from("ABC") | JSON, "fragments": st.lists(FRAGMENTS, max_size=2) | JSON}
)
RECORDS = st.fixed_dictionaries(
    {"qid": st.sampled_from("12") | JSON, "reasons": st.lists(REASONS, max_size=2) | JSON},
    optional={"context": st.just(CONTEXT) | JSON},
)


@given(st.lists(RECORDS | JSON, max_size=4), st.lists(RECORDS | JSON, max_size=4))
@settings(max_examples=examples(300))
def test_whatever_a_file_says_it_is_scored_or_told_and_never_more_than_one(asked, given_):
    answers = read_answers(b"{}\n" + as_lines(*asked))
    predictions = read_predictions(b"{}\n" + as_lines(*given_))

    found = score(answers, predictions)

    assert len(answers.questions) + len(answers.problems) > len(asked)
    assert all(0 <= each.element.tally.f1 <= 1 for each in found.outcomes)
    json.dumps(score_to_json(found, str), allow_nan=False)
    json.dumps([question_to_json(each) for each in found.outcomes], allow_nan=False)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    try:
        found = read_answers(data)
    except UnusableFileError as error:
        code = error.code
    else:
        code = "read" if not found.questions else "a question"

    assert code in ("not-utf8", "utf-16", "not-json", "not-json-lines", "json-too-deep", "read")


@pytest.mark.parametrize(
    "make",
    [
        lambda count: b"{}\n" + b"7\n" * count,
        lambda count: b'{"qid": ' + b"[" * min(count, 900_000),
        lambda count: b"[" + b'{"qid": "1", "reasons": []},' * min(count, 30_000) + b"{}]",
        lambda count: b'{"qid": "' + b"\\u4e2d" * min(count, 160_000) + b'", "reasons": 1}',
        lambda count: as_lines({"qid": "1", "reasons": [0] * min(count, 300_000)}),
        lambda count: as_lines(record(reason("C", fragment("X", *[0] * min(count, 300_000))))),
    ],
    ids=["numbers", "brackets", "list", "escapes", "no reasons", "one index"],
)
def test_hostile_records_take_linear_time(make):
    assert growth(read_predictions, make) <= LINEAR
