"""Files: lists of people (CSV) and essays to import. Archives have tests of their own."""

from __future__ import annotations

import json

from tests.factories import TEXT
from tests.hostile.corpus.inputs import Input, inputs

HEAD = "login,name,email,role,school,subjects\n"


def listed(*rows: str) -> bytes:
    return (HEAD + "".join(f"{row}\n" for row in rows)).encode()


PEOPLE: tuple[Input[bytes], ...] = inputs(
    "a list of people from anybody's spreadsheet",
    {
        "sound": listed("csv1,Имя,csv1@example.org,expert,Школа,eng lit"),
        "nothing": b"",
        "order-mark": b"\xef\xbb\xbf",
        "order-mark-before": b"\xef\xbb\xbf" + listed("csv2,,,,,"),
        "head-only": listed(),
        "no-head": b"a,b,c,d,e,f\n",
        "head-short": b"login,name\na,b\n",
        "head-twice": b"login,login,name,email,role,school,subjects\na,csv3,,,,,\n",
        "head-odd": b"login,name,email,role,school,subjects,\0,<b>\ncsv4,,,,,,,\n",
        "head-long": b"x" * 200_000 + b"\n",
        "head-wide": b",".join(b"a%d" % number for number in range(50_000)) + b"\n",
        "semicolons": HEAD.replace(",", ";").encode() + b"csv5;;;;;\n",
        "tabs": HEAD.replace(",", "\t").encode(),
        "returns": listed("csv6,,,,,").replace(b"\n", b"\r"),
        "utf-16": listed("csv7,,,,,").decode().encode("utf-16"),
        "cp1251": listed("csv8,Имя,,,,").decode().encode("cp1251"),
        "zip": b"PK\x03\x04" + bytes(200),
        "every-byte": bytes(range(256)) * 20,
        "nul-login": listed("csv\0,,,,,"),
        "nul-everywhere": listed("a\0,b\0,c\0@example.org,d\0,e\0,f\0"),
        "nul-name": listed("csv9,a\0b,,,,"),
        "quote-open": listed('"csv10,,,,,'),
        "quote-odd": listed('c"s"v11,"a""b",,,,'),
        "cell-long": listed(f"csv12,{'x' * 200_000},,,,"),
        "cell-lines": listed('csv13,"a\nb\r\nc",,,,'),
        "row-short": listed("csv14"),
        "row-long": listed("csv15,,,,,,,,,,,,,,,x"),
        "row-empty": listed("", ",,,,,", ""),
        "rows-2001": listed(*(f"csv-{number},,,,," for number in range(2001))),
        "damaged-behind-good": listed("csv16,,,,,", f"csv17,{'x' * 200_000},,,,"),
        "not-utf-8-behind-good": listed("csv18,,,,,") + b"\xff",
        "login-twice": listed("csv19,,,,,", "csv19,,,,,"),
        "login-known": listed("participant,,,,,"),
        "login-other-case": listed("PARTICIPANT,,,,,"),
        "login-long": listed(f"{'x' * 151},,,,,"),
        "login-ligatures": listed(f"{chr(0xFDFA) * 150},,,,,", f"{chr(0xFDFA)},,,,,"),
        "login-wide": listed("ｃｓｖ２０,,,,,", "csv20,,,,,"),
        "login-decomposed": listed("и\u0306,,,,,"),
        "role-unknown": listed("csv21,,,god,,"),
        "role-odd": listed("csv22,,,{name} %s,,", "csv23,,,EXPERT,,"),
        "subject-unknown": listed("csv24,,,,,rus {0} %s <b>"),
        "subject-twice": listed("csv25,,,,,eng eng eng"),
        "subject-many": listed(f"csv26,,,,,{'eng ' * 20_000}"),
        "mail-odd": listed("csv27,,nobody,,,", "csv28,,a@b@c,,,", "csv29,,a\r@example.org,,,"),
        "mail-twice": listed("csv30,,x@example.org,,,", "csv31,,X@EXAMPLE.ORG,,,"),
        "mail-domain": listed("csv32,,x@пример.рф,,,", "csv33,,x@ПРИМЕР.РФ,,,"),
        "mail-long": listed(f"csv34,,{'x' * 64}@{'y' * 60}.{'z' * 60}.{'a' * 60}.{'b' * 60}.ru,,,"),
        "bidi": listed("csv35,a\u202eb,,,,", "csv36,,,,a\u2066b,"),
        "formulas": listed("=1+1,=1+1,=1+1,=1+1,=1+1,=1+1", "csv37,=cmd|' /C calc'!A0,,,@SUM,"),
        "scripts": listed("csv38,<script>alert(document.domain)</script>,,,</td><b>,"),
        "6-mb": listed(*("x" * 60 + ",,,,," for _ in range(90_000))),
    },
)


def marked(**changed: object) -> bytes:
    whole = {"meta": {"subject": "eng"}, "text": TEXT, "selections": [], **changed}
    return json.dumps(whole, ensure_ascii=False).encode()


def mark(**fields: object) -> list[dict[str, object]]:
    return [{"type": "А.грамм", "startSelection": 0, "endSelection": 4, **fields}]


def meta(**fields: object) -> bytes:
    return marked(meta={"subject": "eng", **fields})


PLAIN = f"Предмет: английский\n\n{TEXT}".encode()

NAMES = inputs(
    "a file's name becomes an essay's number and an author's account",
    {
        f"name-{name}": (given, PLAIN)
        for name, given in {
            "none": "",
            "extension-only": ".txt",
            "no-extension": "file",
            "program": "file.exe",
            "upper": "UPPER.TXT",
            "dots": "...txt",
            "space": " .txt",
            "line": "_.txt",
            "lines": "___.txt",
            "author-only": "_exp1.txt",
            "two-authors": "file_exp1_exp2.txt",
            "up": "../../../up.txt",
            "absolute": "/etc/absolute.txt",
            "windows": "C:\\windows\\drive.txt",
            "60": "x" * 60 + ".txt",
            "61": "x" * 61 + ".txt",
            "200": "ы" * 100 + ".txt",
            "5000": "x" * 5000 + ".txt",
            "author-long": f"file_exp{'x' * 200}.txt",
            "author-odd": "file_exp1 <b>.txt",
            "author-participant": "file_participant.txt",
            "author-coordinator": "file_coordinator.txt",
            "author-nobody": "file_nobody.txt",
            "quote": 'a"b;filename=c.txt',
            "script": "<img src=x onerror=alert(document.domain)>.txt",
            "braces": "{name} {0} %s %(x)s.txt",
            "formula": "=1+1.txt",
            "bidi": "a\u202etxt.txt",
            "decomposed": "и\u0306.txt",
            "not-zip": "not.zip",
            "emoji": "👩\u200d🏫.txt",
        }.items()
    },
)

CONTENTS = inputs(
    "a file of an essay that is none, or holds more than a column does",
    {
        name: (f"in-{name}.{'json' if data[:1] == b'{' else 'txt'}", data)
        for name, data in {
            "sound": PLAIN,
            "sound-json": marked(),
            "nothing": b"",
            "order-mark": b"\xef\xbb\xbf",
            "utf-16": PLAIN.decode().encode("utf-16"),
            "utf-16-cut": PLAIN.decode().encode("utf-16")[:-1],
            "utf-16-surrogate": b"\xff\xfe\x00\xd8a\x00",
            "utf-32": PLAIN.decode().encode("utf-32"),
            "cp1251": PLAIN.decode().encode("cp1251"),
            "every-byte": bytes(range(256)) * 10,
            "nul-text": PLAIN + b"\0",
            "nul-theme": "Тема: a\0b\n".encode() + PLAIN,
            "nul-class": "Класс: a\0b\n".encode() + PLAIN,
            "nul-expert": "Эксперт: exp\0\n".encode() + PLAIN,
            "nul-tag": PLAIN + "\n\n(А.грамм \0 \\ word \\)".encode(),
            "nul-comment": PLAIN + "\n\n(А.грамм \\ word :: a\0b \\)".encode(),
            "bidi-tag": PLAIN + "\n\n(А.грамм \u202eт1 \\ word \\)".encode(),
            "long-code": PLAIN + f"\n\n({'ы' * 100} \\ word \\)".encode(),
            "long-tag": PLAIN + f"\n\n(А.грамм {'ы' * 100} \\ word \\)".encode(),
            "too-long": PLAIN + b" word" * 20_001,
            "brackets": PLAIN + b"(\\ " * 20_000,
            "brackets-closing": PLAIN + b" \\)" * 20_000,
            "header-only": "Тема: x\nПредмет: английский\n".encode(),
            "header-long": f"Тема: {'x' * 70_000}\n".encode() + PLAIN,
            "header-class-long": f"Класс: {'x' * 500}\n".encode() + PLAIN,
            "header-many": "Тема: x\n".encode() * 5000 + PLAIN,
            "header-braces": "Тема: {name} %s\nКласс: {0} %(x)s\n".encode() + PLAIN,
            "header-years": "Год: 9999\n".encode() + PLAIN,
            "subject-none": TEXT.encode(),
            "subject-unknown": meta(subject="{name} %s <b>"),
            "json-empty": b"{}",
            "json-list-inside": b'{"meta": [], "text": [], "selections": {}}',
            "json-deep": b'{"meta": ' + b"[" * 1000,
            "json-nul": rb'{"text": "a\u0000"}',
            "json-surrogate": rb'{"text": "a\ud800"}',
            "json-number": b'{"text": 1e999}',
            "json-text-null": marked(text=None),
            "json-text-number": marked(text=5),
            "year-smallint": meta(year=32768),
            "year-negative": meta(year=-1),
            "year-integer": meta(year=2**31 - 1),
            "year-2^40": meta(year=2**40),
            "year-string": meta(year="2020"),
            "year-float": meta(year=2020.5),
            "class-long": meta(**{"class": "x" * 61, "category": "x" * 121, "test": "x" * 121}),
            "expert-lines": meta(expert="exp\r\nX-Evil: 1"),
            "expert-script": meta(expert="<script>alert(document.domain)</script>"),
            "expert-quote": meta(expert='exp"; filename="x'),
            "expert-long": meta(expert="x" * 151),
            "expert-bidi": meta(expert="exp\u202e1"),
            "expert-blank": meta(expert=" "),
            "expert-participant": meta(expert="participant"),
            "expert-third": meta(expert="exp77", third=True),
            "expert-number": meta(expert=5),
            "code-unknown": marked(
                meta={"subject": "eng", "expert": "exp78"}, selections=mark(type="<b>{name}</b>")
            ),
            "code-long": marked(
                meta={"subject": "eng", "expert": "exp79"}, selections=mark(type="x" * 61)
            ),
            "subcode-long": marked(
                meta={"subject": "eng", "expert": "exp80"}, selections=mark(subtype="x" * 61)
            ),
            "tag-long": marked(
                meta={"subject": "eng", "expert": "exp81"}, selections=mark(tag="x" * 61)
            ),
            "tag-bidi": marked(
                meta={"subject": "eng", "expert": "exp82"}, selections=mark(tag="a\u202eb")
            ),
            "id-big": marked(
                meta={"subject": "eng", "expert": "exp83"}, selections=mark(id=2**31 - 1)
            ),
            "fragments-1001": marked(
                meta={"subject": "eng", "expert": "exp84"}, selections=mark() * 1001
            ),
            "fragments-crossing": marked(
                meta={"subject": "eng", "expert": "exp85"},
                selections=[*mark(), *mark(startSelection=2, endSelection=9)],
            ),
            "criteria-odd": marked(criteria={"K1": -1, "K99": 2**31 - 1, "<b>": 1}),
            "file-name-odd": marked(fileName="../../x"),
            "uuid-odd": meta(uuid="x" * 500, markupUuid="\r\n"),
        }.items()
    },
)

ESSAYS: tuple[Input[tuple[str, bytes]], ...] = (*NAMES, *CONTENTS)
