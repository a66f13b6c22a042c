"""Query strings and numbers of addresses, coded as they go over the wire."""

from __future__ import annotations

from tests.hostile.corpus.inputs import Input, inputs

NUMBERS = inputs(
    "a number in an address or a filter that no column can hold",
    {
        "zero": "0",
        "zeros": "0" * 4000 + "1",
        "minus-one": "-1",
        "2^31": str(2**31),
        "2^63-1": str(2**63 - 1),
        "2^63": str(2**63),
        "2^64": str(2**64),
        "5000-digits": "9" * 5000,
        "float": "1.5",
        "power": "1e999",
        "nan": "NaN",
        "plus": "%2B1",
        "space": "%201",
        "arabic": "%D9%A1",
        "square": "%C2%B2",
        "hex": "0x1",
        "underline": "1_0",
        "nul": "1%00",
        "letters": "abc",
        "list": "[1]",
        "slash": "1%2F2",
    },
)

WHOLE = inputs(
    "a query string that is none",
    {
        "nothing": "",
        "question-marks": "????",
        "and-signs": "&" * 500,
        "equals": "=====",
        "no-name": "=x",
        "names-twice": "set=a&set=b&page=1&page=2&limit=1&limit=2&q=x&q=y",
        "brackets": "set[]=a&set[0][x]=b&page[]=1",
        "unknown": "nobody=1&__proto__=x&_method=DELETE",
        "not-utf-8": "set=%ff%fe&q=%c3%28&page=%ff&number=%80",
        "surrogate": "set=%ED%A0%80&q=%ED%A0%80&number=%ED%A0%80",
        "nul": "set=%00&q=a%00b&page=%00&number=%00&limit=%00",
        "nul-name": "%00=1",
        "half-code": "set=%&q=%4&page=%zz",
        "long": "q=" + "x" * 7000,
        "long-coded": "q=" + "%D1%8B" * 1300,
        "many-fields": "&".join(f"a{number}=1" for number in range(1900)),
        "too-many-fields": "&".join(f"a{number}" for number in range(2100)),
        "orders": "o=-1&ordering=password&sort=x&o=1.2.3.-99999999999999999999",
        "lookups": "number__regex=(a%2B)%2B%24&essay_set__name__contains=x&author__password=x",
        "format": "format=xml&format=api&lang=xx&version=9",
        "limits": "limit=-1&offset=-1&page_size=999999999",
        "callback": "callback=alert&jsonp=alert",
        "redirect": "next=//evil.example&next=javascript:alert(1)&next=%0d%0aSet-Cookie:x=1",
        "redirect-broken": "next=http://[::1&next=http://%00",
        "crlf": "set=%0d%0aSet-Cookie:%20x=1&q=%0d%0a",
    },
)

QUERIES: tuple[Input[str], ...] = WHOLE
