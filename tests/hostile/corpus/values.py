"""JSON values, as they are written, for every place of a JSON body."""

from __future__ import annotations

from tests.hostile.corpus.inputs import Input, inputs

LONG = "9" * 5000
FLOOD = 100_000

TYPES = inputs(
    "a value of another type in place of everything",
    {
        "null": "null",
        "true": "true",
        "false": "false",
        "list": "[]",
        "object": "{}",
        "list-of-list": "[[]]",
        "list-of-null": "[null]",
        "list-of-string": '["x"]',
        "list-of-number": "[1, -1, 0.5]",
        "list-of-true": "[true]",
        "list-of-object": "[{}]",
        "object-of-null": '{"": null}',
        "object-of-object": '{"a": {"a": {}}}',
        "object-like-list": '{"0": {"type": "А.грамм"}, "length": 1}',
        "object-with-proto": '{"__proto__": {"x": 1}, "constructor": 1}',
        "object-with-class": '{"__class__": "os.system", "py/object": "os.system"}',
        "object-with-operator": '{"$gt": "", "$where": "1"}',
        "pair": "[0, 4]",
        "string": '"x"',
        "string-empty": '""',
        "string-list": '"[]"',
        "string-null": '"null"',
    },
)

NUMBERS = inputs(
    "numbers a column, a browser or Python itself cannot hold",
    {
        "zero": "0",
        "zero-negative": "-0",
        "zero-float": "-0.0",
        "one": "1",
        "minus-one": "-1",
        "float-whole": "3.0",
        "float": "0.5",
        "float-power": "1e0",
        "float-tiny": "1e-999",
        "float-big": "1e308",
        "float-infinite": "1e999",
        "float-minus-infinite": "-1e999",
        "nan": "NaN",
        "infinity": "Infinity",
        "infinity-negative": "-Infinity",
        "2^31-1": "2147483647",
        "2^31": "2147483648",
        "-2^31-1": "-2147483649",
        "2^40": "1099511627776",
        "2^53+1": "9007199254740993",
        "2^63": "9223372036854775808",
        "2^64": "18446744073709551616",
        "300-digits": "9" * 300,
        "301-digits": "9" * 301,
        "5000-digits": LONG,
        "5000-digits-negative": f"-{LONG}",
        "5000-digits-float": f"0.{LONG}",
        "5000-digits-power": f"1e{LONG}",
        "power-of-power": "1e1e1",
        "plus": "+1",
        "octal": "01",
        "hex": "0x10",
        "dot-first": ".5",
        "dot-last": "5.",
    },
)

NUMBERS_AS_STRINGS = inputs(
    "numbers given as strings are taken, if they are whole numbers",
    {
        "string-zero": '"0"',
        "string-four": '" 4 "',
        "string-negative": '"-1"',
        "string-float": '"4.0"',
        "string-2^31": '"2147483648"',
        "string-5000-digits": f'"{LONG}"',
        "string-arabic": '"٤"',
        "string-power": '"1e3"',
        "string-underline": '"1_0"',
        "string-infinity": '"Infinity"',
    },
)

STRINGS = inputs(
    "strings with what no database holds, raw and escaped",
    {
        "nul-escaped": r'"\u0000"',
        "nul-raw": '"\0"',
        "nul-doubly-escaped": r'"\\u0000"',
        "control-raw": '"a\x01"',
        "feed-raw": '"a\n"',
        "surrogate-high": r'"\ud800"',
        "surrogate-low": r'"\uDFFF"',
        "surrogates-swapped": r'"\udc00\ud800"',
        "surrogate-and-letter": r'"\ud83dx"',
        "surrogate-pair": r'"\ud83d\ude00"',
        "key-nul": r'{"\u0000": 1}',
        "key-surrogate": r'{"\udead": 1}',
        "key-deep-surrogate": r'{"a": [{"b": {"\udead": 1}}]}',
        "value-deep-nul": r'{"a": [{"b": ["\u0000"]}]}',
        "escape-bad": r'"\x41"',
        "escape-short": r'"\u00"',
        "quote-single": "'x'",
        "unclosed": '"x',
    },
)

DEPTHS = inputs(
    "nesting without end breaks a recursive reader",
    {
        "lists-50": "[" * 50 + "]" * 50,
        "lists-65": "[" * 65 + "]" * 65,
        "lists-1000": "[" * 1000 + "]" * 1000,
        "lists-100000": "[" * FLOOD + "]" * FLOOD,
        "lists-unclosed": "[" * FLOOD,
        "lists-closed-only": "]" * FLOOD,
        "objects-65": '{"a":' * 65 + "1" + "}" * 65,
        "objects-1000": '{"a":' * 1000 + "1" + "}" * 1000,
        "objects-100000": '{"a":' * FLOOD,
        "mixed-65": '[{"a":' * 33 + "1" + "}]" * 33,
        "mixed-1000": '[{"a":' * 1000 + "1" + "}]" * 1000,
        "string-of-brackets": '"' + "[" * FLOOD + '"',
        "string-of-brackets-escaped": '"' + r"\"[" * 1000 + '"',
        "string-unclosed-brackets": '"' + "[" * FLOOD,
        "strings-and-brackets": '["[", {"]": "{"}]',
    },
)

SYNTAX = inputs(
    "not JSON, though it looks like it",
    {
        "nothing": "",
        "comma-last": "[1,]",
        "comma-first": "[,1]",
        "comment": "[1] // x",
        "comment-block": "/* x */ []",
        "key-bare": "{a: 1}",
        "key-number": "{1: 1}",
        "key-twice": '{"a": 1, "a": {"b": 2}, "a": 3}',
        "word": "undefined",
        "call": "alert(1)",
        "closing": "}",
        "two": "1, 2",
    },
)

VALUES: tuple[Input[str], ...] = (
    *TYPES,
    *NUMBERS,
    *NUMBERS_AS_STRINGS,
    *STRINGS,
    *DEPTHS,
    *SYNTAX,
)

NULLS = {"null"}
SMALL_INTEGERS = {"zero", "zero-negative", "one", "minus-one", "2^31-1"}
SOUND_STRINGS = {
    *(text.name for text in NUMBERS_AS_STRINGS),
    *{"string", "string-empty", "string-list", "string-null"},
    *{"nul-doubly-escaped", "surrogate-pair"},
    *{"string-of-brackets", "string-of-brackets-escaped"},
}
NOT_JSON = {
    *{"float-infinite", "float-minus-infinite", "nan", "infinity", "infinity-negative"},
    *{"301-digits", "5000-digits", "5000-digits-negative", "5000-digits-power"},
    *{"5000-digits-float", "power-of-power", "plus", "octal", "hex", "dot-first", "dot-last"},
    *(value.name for value in STRINGS if value.name not in SOUND_STRINGS),
    *(
        value.name
        for value in DEPTHS
        if value.name not in {*SOUND_STRINGS, "lists-50", "strings-and-brackets"}
    ),
    *(value.name for value in SYNTAX),
}
"""What the reader of JSON refuses wherever it stands."""

SPANS = inputs(
    "places that are none, or not where they say",
    {
        "whole-text": ("0", "0"),
        "fine": ("0", "4"),
        "fine-strings": ('"0"', '" 4"'),
        "fine-floats": ("0.0", "4.0"),
        "empty": ("3", "3"),
        "reversed": ("4", "1"),
        "to-zero": ("4", "0"),
        "negative": ("-4", "-1"),
        "negative-start": ("-1", "4"),
        "negative-zero": ("-0", "4"),
        "last": ("LENGTH-1", "LENGTH"),
        "outside-by-one": ("0", "LENGTH+1"),
        "behind-the-text": ("LENGTH", "LENGTH+1"),
        "far-outside": ("0", "2147483647"),
        "2^31": ("0", "2147483648"),
        "2^63": ("0", "9223372036854775808"),
        "-2^63": ("-9223372036854775809", "4"),
        "half": ("0.5", "4"),
        "true": ("true", "4"),
        "false": ("false", "true"),
        "nulls": ("null", "null"),
        "null-end": ("0", "null"),
        "lists": ("[0]", "[4]"),
        "objects": ('{"offset": 0}', '{"offset": 4}'),
        "words": ('"zero"', '"four"'),
        "infinite": ("0", "1e999"),
    },
)
FINE_SPANS = {"whole-text", "fine", "fine-strings", "fine-floats", "negative-zero", "last"}
