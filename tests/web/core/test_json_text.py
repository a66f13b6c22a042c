"""Which bytes are JSON this project accepts, and where others are wrong (reliability.md S7)."""

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from web.core import json_text
from web.core.errors import JsonTextError
from web.core.json_text import MAX_DEPTH, read_json

SOUND = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | SOUND,
    lambda inner: st.lists(inner) | st.dictionaries(SOUND, inner),
    max_leaves=20,
)


def refused(data, **options):
    with pytest.raises(JsonTextError) as caught:
        read_json(data, **options)
    return caught.value.code, caught.value.fields


def read_as(document, **options):
    """The value with its types, or what is said of the document."""
    try:
        return repr(read_json(document, **options))
    except JsonTextError as error:
        return error.code, error.fields


ODD = st.sampled_from(
    [":", 'a":b', "\\", '":', "x\0", "\ud800", "я", "😀", 2**63, 2**64, 10**301, math.nan, 1.5]
)
DOCUMENTS = st.builds(
    lambda value, ascii_only, signs, spelt: json.dumps(
        value, ensure_ascii=ascii_only, separators=signs
    ).replace(*spelt),
    st.recursive(
        VALUES | ODD,
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", "c:"]), inner),
        max_leaves=20,
    ),
    st.booleans(),
    st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]),
    st.sampled_from([('"b"', '"a"'), ("x", "x"), ("[", "[" * 64), ("1", "NaN")]),
)
"""Documents, some of them with keys that stand twice, too deep or broken."""


@pytest.mark.parametrize("loads", [json_text.fast_loads, json_text._python_loads])
@settings(max_examples=examples(600), deadline=None)
@given(document=DOCUMENTS)
def test_what_is_read_quickly_is_what_is_read_with_care(loads, document):
    data = document.encode("utf-8", "surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "fast_loads", loads)
        quickly = read_as(data, unique_keys=True)
        patch.setattr(json_text, "_read_plain", lambda _data, _depth: None)
        assert quickly == read_as(data, unique_keys=True)


def too_deep(line, column, limit=MAX_DEPTH):
    return "json-too-deep", {"limit": limit, "line": line, "column": column}


def not_json(line, column):
    return "not-json", {"line": line, "column": column}


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
@settings(deadline=None, max_examples=examples(150))
def test_sound_values_are_read_as_they_were_written(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    for data in (text, "\ufeff" + text, text.encode(), b"\xef\xbb\xbf" + text.encode()):
        assert read_json(data) == value


@given(st.binary() | st.text() | st.text(alphabet='[]{}"\\,:0-.eE\ud800\0nult '))
@settings(deadline=None, max_examples=examples(300))
def test_any_bytes_and_any_text_are_read_or_refused_and_nothing_else(data):
    with suppress(JsonTextError):
        read_json(data)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_sixty_four_levels_are_read(opening):
    closing = "]" if opening == "[" else "}"

    value = read_json(opening * 64 + "0" + closing * 64)

    for _ in range(64):
        (value,) = value.values() if isinstance(value, dict) else value
    assert value == 0


def test_the_sixty_fifth_level_is_refused_at_its_bracket():
    assert refused("\n" + "[" * 65 + "]" * 65) == too_deep(2, 65)
    assert refused('{"a":\n' * 64 + "[]" + "}" * 64) == too_deep(65, 1)


def test_the_limit_can_be_set():
    assert read_json("[[0]]", max_depth=2) == [[0]]
    assert refused("[[[0]]]", max_depth=2) == too_deep(1, 3, limit=2)


@pytest.mark.parametrize("data", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"":' * 100_000])
def test_nesting_without_end_is_refused_and_does_not_exhaust_the_stack(data):
    code, fields = refused(data.encode())

    assert (code, fields["limit"]) == ("json-too-deep", 64)


def test_brackets_side_by_side_are_no_depth():
    assert read_json("[" + "[[]]," * 500 + "{}]") == [*[[[]]] * 500, {}]
    assert refused("[" + "[],{}," * 10 + "[" * 64) == too_deep(1, 125)


@pytest.mark.parametrize(
    "text", ["[" * 100, "{[" * 100, '\\"' + "[" * 100, "]" * 9 + "[" * 90, "\\"]
)
def test_brackets_inside_strings_do_not_count(text):
    assert read_json(json.dumps([text, {text: []}])) == [text, {text: []}]


def test_brackets_after_an_escaped_quote_do_not_count_and_after_a_closing_one_they_do():
    assert read_json('["\\\\", "\\"' + "[" * 70 + '"]') == ["\\", '"' + "[" * 70]
    assert refused('["\\\\",' + "[" * 70) == too_deep(1, 70)


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("around", ["{}", '{{"K1": {}}}', "[0, {}]"])
def test_numbers_that_are_none_are_refused(name, around):
    place = {"line": 1, "column": around.index("{}") + 1 - around.count("{{")}

    assert refused(around.format(name)) == ("json-bad-number", {"value": name, **place})


@pytest.mark.parametrize(
    "digits", ["1e999", "-1e999", "1" * 400, "-" + "1" * 400, "0." + "1" * 400, "1" * 400 + "e-399"]
)
def test_numbers_no_database_holds_are_refused(digits):
    code, fields = refused(f'{{"year": {digits}}}')

    assert code == "json-bad-number"
    assert digits.startswith(fields["value"].removesuffix("…"))


@pytest.mark.parametrize("digits", ["9" * 301, "0." + "1" * 299, "1" * 400])
def test_numbers_of_more_than_three_hundred_signs_are_shown_shortened(digits):
    shown = {"value": digits[:20] + "…", "line": 1, "column": 1}

    assert refused(digits) == ("json-bad-number", shown)


def test_the_place_of_a_bad_number_is_not_that_of_the_same_letters_elsewhere():
    text = '{"NaN": "1e999",\n "a\\"1e999": [11, 1e999, NaN]}'

    assert refused(text) == ("json-bad-number", {"value": "1e999", "line": 2, "column": 19})


def test_numbers_up_to_three_hundred_signs_are_read():
    assert read_json("9" * 300) == 10**300 - 1
    assert read_json("0." + "0" * 297 + "1") == 1e-298
    assert read_json("[1e308, 1e-999, -0, 0.5]") == [1e308, 0.0, 0, 0.5]
    assert math.copysign(1, read_json("-0.0")) == -1


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF", "\\udc00\\ud800", "\\ud83dx"])
@pytest.mark.parametrize(
    ("around", "path"),
    [
        ('"{}"', ""),
        ('{{"a": ["", "x{}"]}}', "a[1]"),
        ('{{"a": {{"b{}": 1}}}}', "a"),
        ('[[], {{"c": "{}"}}]', "[1].c"),
    ],
)
def test_half_of_a_surrogate_pair_is_refused_where_it_is(half, around, path):
    assert refused(around.format(half)) == ("text-has-surrogate", {"path": path})


def test_a_whole_surrogate_pair_is_one_character():
    assert read_json('"\\ud83d\\udc69"') == "👩"


@pytest.mark.parametrize(
    ("text", "path"),
    [('"a\\u0000"', ""), ('{"meta": {"id": "\\u0000"}}', "meta.id"), ('{"\\u0000": 1}', "")],
)
def test_a_nul_is_refused_where_it_is(text, path):
    assert refused(text) == ("text-has-nul", {"path": path})


@pytest.mark.parametrize("nul", ["\0", '["\0"]', "[\0]"])
def test_a_bare_nul_is_not_json(nul):
    assert refused(nul)[0] == "not-json"


@pytest.mark.parametrize(
    ("data", "byte"),
    [
        (b"\xff", 0),
        (b'{"a": "\xff"}', 7),
        ('["ж", "'.encode() + b"\xed\xa0\x80", 8),
        (b'["\xd0', 2),
        (b"\xef\xbb\xbf\xff", 3),
        (b'\xef\xbb\xbf{"a": "\xff"}', 10),
    ],
)
def test_bytes_that_are_not_utf8_are_told_by_their_position_in_the_file(data, byte):
    assert refused(data) == ("not-utf8", {"byte": byte})


def test_utf_16_is_named():
    assert refused("{}".encode("utf-16")) == ("utf-16", {"byte": 0})


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        ("", 1, 1),
        (b"", 1, 1),
        (b"\xef\xbb\xbf", 1, 1),
        (" \n ", 2, 2),
        ("{\n  'a': 1}", 2, 3),
        ('{"a": 1}\n{}', 2, 1),
        ('{"a": \n01}', 2, 2),
        ("[1,\n2,\n]", 3, 1),
        ('["a\nb"]', 1, 4),
        ("nul", 1, 1),
        ("\ufeff\ufeff{}", 1, 1),
    ],
)
def test_what_is_not_json_is_told_by_line_and_column(data, line, column):
    assert refused(data) == not_json(line, column)


def test_of_two_equal_keys_the_last_one_counts():
    assert read_json('{"a": 1, "b": 2, "a": 3}') == {"a": 3, "b": 2}


HOSTILE = {
    "strings that never end": lambda n: "[]" * 65 + '"' + "x" * n,
    "quotes": lambda n: "[]" * 65 + '"' * (2 * n + 1),
    "backslashes": lambda n: "[]" * 65 + '"' + "\\" * (2 * n + 1),
    "escaped quotes": lambda n: "[]" * 65 + '"' + '\\"' * n,
    "quotes between escapes": lambda n: "[]" * 65 + '"\\' * n,
    "escaped quotes in a string that ends": lambda n: '["' + '\\"[' * n + '"]',
    "many short strings": lambda n: "[" + '"[",' * n + '""]',
    "brackets side by side": lambda n: "[" + "[]," * n + "0]",
    "closing brackets": lambda n: "]" * n + "[" * 65,
    "a level too many at the end": lambda n: "[0]\n" * n + "[" * 65,
    "digits": lambda n: "1" * n,
    "numbers": lambda n: "[" + "1," * n + "0]",
    "white space": lambda n: " \n" * n,
    "half pairs at the end": lambda n: "[" + '"\\ud83d\\udc69",' * n + '"\\ud800"]',
    "a long key": lambda n: '{"' + "k" * n + '": [' + "0," * n + "0]}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_json_takes_at_most_two_and_a_half_times_as_long(name):
    def run(text):
        with suppress(JsonTextError):
            read_json(text)

    assert growth(run, HOSTILE[name]) <= LINEAR


@pytest.mark.parametrize(
    ("text", "name", "line", "column"),
    [
        ('{"a": 1, "a": 1}', "a", 1, 10),
        ('[{"a": "b", "b": {"a": 1}},\n {"b": ["a"], "\\u0062" : 2}]', "b", 2, 15),
        ('{"a": {"x": 1, "x": 2}, "a": ', "x", 1, 16),
    ],
)
def test_a_key_that_stands_twice_is_refused_at_its_place_where_keys_must_be_unique(
    text, name, line, column
):
    with pytest.raises(JsonTextError) as found:
        read_json(text, unique_keys=True)

    assert (found.value.code, found.value.fields) == (
        "json-repeated-key",
        {"name": name, "line": line, "column": column},
    )
