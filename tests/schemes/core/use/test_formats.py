"""Every format reads the same tasks; what cannot be read is refused by its reason."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemes.core.use import archive, formats
from schemes.core.use.errors import UnusableFileError
from schemes.core.use.reading import read_key, read_predictions
from schemes.core.use.values import Key, Predictions
from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from tests.schemes.core.use.exams import (
    COLUMNS,
    answer,
    as_archive,
    as_csv,
    as_document,
    as_lines,
    as_list,
    record,
    right_answers,
    variant,
)

RECORDS = variant()
FILES = {
    "document": as_document(RECORDS),
    "document with other splits": json.dumps({"data": {"dev": [], "test": RECORDS, "x": 1}}),
    "document with other keys": json.dumps({"name": [{}], "data": {"test": RECORDS}, "v": "x"}),
    "document of one split": as_document(RECORDS, "dev"),
    "pretty document": json.dumps({"data": {"test": RECORDS}}, indent=2),
    "list": as_list(RECORDS),
    "list on one line": json.dumps(RECORDS),
    "lines": as_lines(RECORDS),
    "lines with blank ones": "\n\n" + as_lines(RECORDS).replace("\n", "\r\n\r\n"),
    "lines without the last end": as_lines(RECORDS).rstrip("\n"),
    "csv": as_csv(RECORDS),
    "csv in another order": as_csv(RECORDS, columns=(*reversed(COLUMNS), "score")),
    "csv with semicolons": as_csv(RECORDS, ";"),
    "csv with tabs": as_csv(RECORDS, "\t"),
    "csv with blank lines": "\r\n\n" + as_csv(RECORDS).replace("\r\n", "\n\n"),
}


def tasks(key):
    return [(each.id, each.variant, each.id_task, each.type, each.key) for each in key.tasks]


EXPECTED = tasks(read_key(as_document(RECORDS)))


def refused(data, read=read_key, **options):
    with pytest.raises(UnusableFileError) as caught:
        read(data, **options)
    return caught.value.code, caught.value.fields


@pytest.mark.parametrize("name", FILES)
def test_a_key_of_any_format_has_the_same_tasks(name):
    text = FILES[name]
    data = text.encode()

    for each in (text, data, b"\xef\xbb\xbf" + data, as_archive({"USE.json": data})):
        key = read_key(each)
        assert (tasks(key), key.problems) == (EXPECTED, ())


@pytest.mark.parametrize("make", [as_document, as_list, as_lines])
def test_predictions_need_an_id_and_an_answer_only(make):
    found = read_predictions(make([answer(5, "1,3"), answer("x", "")]))

    assert [(each.id, each.answer) for each in found.answers] == [("5", "1,3"), ("x", "")]
    assert found.problems == ()


def test_predictions_as_csv_need_two_columns_only():
    found = read_predictions('outputs, ID \n"1,3",5\n,6\n')

    assert [(each.id, each.answer) for each in found.answers] == [("5", "1,3"), ("6", "")]


def test_places_name_the_record_and_its_first_line():
    places = [
        [(each.place.record, each.place.line) for each in read_key(FILES[name]).tasks[:3]]
        for name in ("pretty document", "lines", "lines with blank ones", "csv")
    ]

    assert places == [
        [(1, 4), (2, 14), (3, 24)],
        [(1, 1), (2, 2), (3, 3)],
        [(1, 3), (2, 5), (3, 7)],
        [(1, 2), (2, 3), (3, 4)],
    ]


def test_the_split_is_test_or_the_only_one_or_the_one_told():
    both = json.dumps({"data": {"train": RECORDS[:1], "test": RECORDS[1:2], "dev": []}})

    assert read_key(both).split == "test"
    assert read_key(both, split="train").tasks[0].id_task == "1"
    assert read_key(both, split="dev").tasks == ()
    assert read_key(as_document([], "dev")).split == "dev"
    assert read_key("[]").split is None
    assert read_key("[]", split="dev").split == "dev"


def test_a_split_that_is_not_there_is_refused_with_those_that_are():
    text = json.dumps({"data": {"train": [], "dev": []}})

    assert refused(text) == ("no-split", {"name": "test", "names": ("train", "dev")})
    assert refused(text, split="x") == ("no-split", {"name": "x", "names": ("train", "dev")})


@pytest.mark.parametrize(
    ("text", "code", "fields"),
    [
        ("", "empty-file", {}),
        (" \n\ufeff"[:2], "empty-file", {}),
        ('{"test": [], "a": 1}', "no-data", {"names": ("test", "a")}),
        ("{}", "no-data", {"names": ()}),
        ('{"data": []}', "data-not-an-object", {}),
        ('{"data": {}}', "no-splits", {}),
        ('{"data": {"test": {}}}', "split-not-a-list", {"name": "test"}),
        ('{"data": {"test": [{}}', "not-json", {"line": 1, "column": 22}),
        ('{"data": {"test": [{}]}', "not-json", {"line": 1, "column": 24}),
        ('{"data": {"test": [{}]}} x', "not-json", {"line": 1, "column": 26}),
        ('{"data": {"test": [{} {}]}}', "not-json", {"line": 1, "column": 23}),
        ('{"data": {"test": [{},]}}', "not-json", {"line": 1, "column": 23}),
        ('{"data": {"test": [\n{"a": "b}', "not-json", {"line": 2, "column": 10}),
        ('{"data": {test: []}}', "not-json", {"line": 1, "column": 11}),
        ('{"data": {"a\nb": []}}', "not-json", {"line": 1, "column": 11}),
        ("{'data': 1}", "not-json", {"line": 1, "column": 2}),
        ("[{}", "not-json", {"line": 1, "column": 4}),
        ("[" * 1002, "json-too-deep", {"limit": 1000, "line": 1, "column": 1002}),
        ("x", "no-columns", {"names": COLUMNS}),
        ("id,outputs\n1,2", "no-columns", {"names": ("variant", "id_task", "type")}),
        ('id,"out\nputs', "not-a-table", {"line": 1}),
        ('{"a": 1' + ',"b": 1' * 1000 + "}", "too-many-keys", {"limit": 1000}),
    ],
)
def test_a_file_of_which_nothing_can_be_read_is_refused(text, code, fields):
    assert refused(text) == (code, fields)


def test_a_file_in_another_encoding_is_refused_at_its_byte():
    assert refused("id,тип".encode("cp1251")) == ("not-utf8", {"byte": 3})
    assert refused("id,тип".encode("utf-16")) == ("utf-16", {})


def test_an_archive_of_another_kind_is_named():
    assert refused(b"\x1f\x8b\x08\x00") == ("is-packed", {"kind": "gzip"})


def test_a_file_that_is_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(formats, "MAX_BYTES", 2**20)

    assert refused(b" " * (2**20 + 1)) == ("file-too-large", {"limit": 1})


@pytest.mark.parametrize("name", ["list", "lines", "csv"])
def test_a_file_of_too_many_records_is_refused(monkeypatch, name):
    for module in ("json_records", "csv_records"):
        monkeypatch.setattr(f"schemes.core.use.{module}.MAX_RECORDS", 29)

    assert refused(FILES[name]) == ("too-many-records", {"limit": 29})


def test_a_submission_is_found_in_any_folder_of_an_archive():
    text = as_document(right_answers(RECORDS))
    files = {"sub/USE.json": text, "sub/BPS.json": "{", "__MACOSX/sub/USE.json": "x", "sub/": ""}

    assert len(read_predictions(as_archive(files)).answers) == 30
    assert len(read_predictions(as_archive({"use.JSON": text})).answers) == 30


@pytest.mark.parametrize(
    ("files", "code", "fields"),
    [
        ({"BPS.json": "{}"}, "archive-no-name", {"names": ("BPS.json",)}),
        ({}, "archive-no-name", {"names": ()}),
        (
            {"a/USE.json": "", "b/USE.json": ""},
            "archive-names",
            {"names": ("a/USE.json", "b/USE.json")},
        ),
        ({"../USE.json": "[]"}, "archive-path", {"name": "../USE.json"}),
        ({"/USE.json": "[]"}, "archive-path", {"name": "/USE.json"}),
        ({"C:\\USE.json": "[]"}, "archive-path", {"name": "C:\\USE.json"}),
        ({"USE.json": " " * 10**6}, "archive-ratio", {"limit": 100}),
        ({"USE.json": ""}, "empty-file", {}),
        ({"USE.json": b"\xff"}, "not-utf8", {"byte": 0}),
        ({"USE.json": b"PK\x03\x04"}, "no-columns", {"names": COLUMNS}),
    ],
)
def test_an_archive_without_one_sound_submission_is_refused(files, code, fields):
    assert refused(as_archive(files)) == (code, fields)


def test_an_archive_larger_than_the_limit_is_refused_while_it_is_read(monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 200)

    assert refused(as_archive({"USE.json": as_list(RECORDS)}))[0] == "file-too-large"


def test_an_archive_of_too_many_files_is_refused(monkeypatch):
    monkeypatch.setattr(archive, "MAX_MEMBERS", 1)

    assert refused(as_archive({"a": "", "b": ""})) == ("archive-too-many", {"limit": 1})


def changed(data, changes):
    patched = bytearray(data)
    for at, byte in changes:
        patched[at] = byte
    return bytes(patched)


def central(data, offset):
    return data.index(b"PK\x01\x02") + offset


def test_encrypted_links_and_oddly_packed_files_are_refused():
    data = as_archive({"USE.json": "[]"})
    name = {"name": "USE.json"}

    encrypted = changed(data, [(central(data, 8), 1)])
    link = changed(data, [(central(data, 41), 0xA1)])
    packing = changed(data, [(central(data, 10), 12)])

    assert refused(encrypted) == ("archive-encrypted", name)
    assert refused(link) == ("archive-link", name)
    assert refused(packing) == ("archive-packing", name)


def test_a_damaged_archive_is_refused():
    data = as_archive({"USE.json": as_list(RECORDS)})

    assert refused(data[:-30]) == ("archive-damaged", {})
    assert refused(changed(data, [(60, data[60] ^ 255)]))[0] == "archive-damaged"


@given(st.binary(max_size=300), st.integers(0, 2000))
@settings(deadline=None, max_examples=examples(150))
def test_any_bytes_in_an_archive_are_read_or_refused(noise, at):
    data = as_archive({"USE.json": as_list(RECORDS[:2])})
    for each in (noise, b"PK\x03\x04" + noise, data[:at] + noise + data[at + len(noise) :]):
        with suppress(UnusableFileError):
            assert isinstance(read_key(each), Key)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["9", "text", "matching", "1,3"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["outputs", "meta", "id", "id_task", "variant", "type", "data", "test"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=6))
@settings(deadline=None, max_examples=examples(200))
def test_any_json_value_as_a_record_is_read_or_reported(values):
    for make in (as_document, as_list):
        key, predictions = read_key(make(values)), read_predictions(make(values))
        assert len(key.tasks) + len(key.problems) == len(values)
        assert len(predictions.answers) + len(predictions.problems) == len(values)


@given(JSON | st.lists(JSON))
@settings(deadline=None, max_examples=examples(200))
def test_any_json_file_is_read_or_refused(value):
    for text in (json.dumps(value), json.dumps({"data": value}), as_lines([value, value])):
        with suppress(UnusableFileError):
            assert isinstance(read_predictions(text), Predictions)


@given(st.text() | st.text(alphabet='[]{}"\\,:01 \n') | st.text(alphabet='id,outps"\n;'))
@settings(deadline=None, max_examples=examples(300))
def test_any_text_is_read_or_refused(text):
    for each in (text, "id,outputs\n" + text, '{"data": {"test": [' + text):
        with suppress(UnusableFileError):
            assert isinstance(read_predictions(each), Predictions)


HOSTILE = {
    "records": lambda n: "[" + '{"outputs":"1","meta":{"id":1}},' * n + "0]",
    "empty records": lambda n: "[" + "{}," * n + "{}]",
    "lists": lambda n: '[{"a":[' + "[]," * n + "0]}]",
    "quotes": lambda n: '{"data":{"test":["' + '\\"' * n,
    "keys never closed": lambda n: '{"' + "k" * n,
    "brackets never closed": lambda n: '[{"a":' * min(n, 400) + "{}," * n,
    "lines": lambda n: '{"outputs":"1"}\n' * n,
    "broken lines": lambda n: '{"outputs":"1"}\n' + "{\n" * n,
    "rows": lambda n: "id,outputs\n" + "1,2\n" * n,
    "open quotes": lambda n: "id,outputs\n" + '1,"\n' * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_file_takes_at_most_two_and_a_half_times_as_long(name):
    def run(text):
        with suppress(UnusableFileError):
            read_predictions(text)

    assert growth(run, HOSTILE[name], size=8000) <= LINEAR


def test_a_record_may_be_anywhere_in_a_line():
    one, two = json.dumps(record("1", number=1)), json.dumps(record("2", number=2))

    key = read_key(f"[{one},\n\n {two}]")

    assert [each.place.line for each in key.tasks] == [1, 3]
