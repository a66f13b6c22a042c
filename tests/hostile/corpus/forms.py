"""Whole bodies of forms: what a browser would never send."""

from __future__ import annotations

from tests.hostile.corpus.inputs import Input, inputs

URL = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
FIELDS = {
    "version": "0",
    "code": "А.грамм",
    "username": "nobody",
    "password": "nobody",
    "email": "nobody@example.org",
    "role": "expert",
    "name": "nobody",
    "reason": "nobody",
}


def part(name: str, value: str | bytes, more: str = "", headers: str = "") -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"{more}\r\n{headers}\r\n'
    body = value if isinstance(value, bytes) else value.encode()
    return b"--x\r\n" + head.encode() + body + b"\r\n"


def parts(*pieces: bytes) -> bytes:
    return b"".join(pieces) + b"--x--\r\n"


WHOLE = parts(*(part(name, value) for name, value in FIELDS.items()))
CODED = parts(*(part(name, r"\ud800\x00\udc00") for name in FIELDS))
MIXED = "multipart/mixed; boundary=y"
FILE = '; filename="a.txt"'

URL_CODED = inputs(
    "fields that are missing, doubled, or not text",
    {
        "nothing": (URL, b""),
        "and-signs": (URL, b"&" * 100),
        "no-names": (URL, b"=1&=2"),
        "no-values": (URL, b"&".join(name.encode() for name in FIELDS)),
        "twice": (URL, b"version=0&version=x&code=a&code=b&username=a&username=b"),
        "arrays": (URL, b"version[]=0&code[a]=x&username[]=x&role[]=expert&subjects=eng"),
        "not-utf-8": (URL, b"&".join(name.encode() + b"=%ff%fe" for name in FIELDS)),
        "raw-not-utf-8": (URL, b"&".join(name.encode() + b"=\xff\xd1" for name in FIELDS)),
        "surrogates": (URL, b"&".join(name.encode() + b"=%ED%A0%80" for name in FIELDS)),
        "nul": (URL, b"&".join(name.encode() + b"=a%00" for name in FIELDS)),
        "nul-name": (URL, b"%00=1&code%00=x"),
        "half-codes": (URL, b"&".join(name.encode() + b"=%&%=%d" for name in FIELDS)),
        "choices-unknown": (URL, b"role=god&subjects=eng&subjects=nobody&essay_set=x&language=xx"),
        "fields-1999": (URL, b"&".join(b"a%d=1" % number for number in range(1999))),
        "fields-2001": (URL, b"&".join(b"a%d=1" % number for number in range(2001))),
        "too-large": (URL, b"code=" + b"x" * 2_700_000),
        "csrf-odd": (URL, b"csrfmiddlewaretoken=%00%ff<script>"),
        "method": (URL, b"_method=DELETE&_put=1"),
        "charset-latin": (f"{URL}; charset=latin-1", b"code=%e9"),
        "charset-utf-16": (f"{URL}; charset=utf-16", b"code=x"),
        "charset-unknown": (f"{URL}; charset=nobody", b"code=x"),
        "charset-hex": (f"{URL}; charset=hex", b"code=x"),
        "json": ("application/json", b'{"code": "x", "username": ["x"]}'),
        "plain": ("text/plain", b"code=x"),
        "typeless": ("", b"code=x"),
        "type-odd": ("a/b; a*=nobody''%41", b"code=x"),
    },
)

CHARSETS = inputs(
    "whoever names the charset could bring in what UTF-8 has no bytes for, or stop the reader",
    {
        f"charset-{name}": (f"{PARTS}; charset={name}", body)
        for name, body in {
            "unicode_escape": CODED,
            "raw_unicode_escape": CODED,
            "utf-7": parts(*(part(name, "+2AA-") for name in FIELDS)),
            "utf-16": WHOLE,
            "utf-8-sig": WHOLE,
            "latin-1": WHOLE,
            "cp037": WHOLE,
            "hex": WHOLE,
            "zip": WHOLE,
            "rot13": WHOLE,
            "idna": WHOLE,
            "punycode": WHOLE,
            "undefined": WHOLE,
            "mbcs": WHOLE,
            "nobody": WHOLE,
            "": WHOLE,
        }.items()
    },
)

MULTIPART = inputs(
    "parts without borders, borders without parts",
    {
        "parts-whole": (PARTS, WHOLE),
        "parts-no-boundary": ("multipart/form-data", WHOLE),
        "parts-empty-boundary": ("multipart/form-data; boundary=", WHOLE),
        "parts-long-boundary": ("multipart/form-data; boundary=" + "x" * 300, WHOLE),
        "parts-odd-boundary": ("multipart/form-data; boundary=\xff", WHOLE),
        "parts-quoted-boundary": ('multipart/form-data; boundary="x', WHOLE),
        "parts-coded-boundary": ("multipart/form-data; boundary*=nobody''%78", WHOLE),
        "parts-other-boundary": ("multipart/form-data; boundary=y", WHOLE),
        "parts-no-body": (PARTS, b""),
        "parts-end-only": (PARTS, b"--x--\r\n"),
        "parts-ends-twice": (PARTS, WHOLE + WHOLE),
        "parts-cut": (PARTS, WHOLE[:-20]),
        "parts-cut-in-head": (PARTS, WHOLE[:30]),
        "parts-feeds-only": (PARTS, WHOLE.replace(b"\r\n", b"\n")),
        "parts-no-heads": (PARTS, b"--x\r\n\r\nvalue\r\n--x--\r\n"),
        "parts-no-name": (PARTS, parts(b"--x\r\nContent-Disposition: form-data\r\n\r\nv\r\n")),
        "parts-other-disposition": (PARTS, WHOLE.replace(b"form-data;", b"attachment;")),
        "parts-empty-names": (PARTS, parts(part("", "x"), part("", "x", FILE))),
        "parts-long-head": (PARTS, parts(part("code", "x", headers=f"X: {'y' * 200_000}\r\n"))),
        "parts-many-heads": (PARTS, parts(part("code", "x", headers="X: y\r\n" * 5000))),
        "parts-broken-heads": (PARTS, parts(part("code", "x", headers="\xff\r\n:\r\nX\r\n"))),
        "parts-part-charset": (
            PARTS,
            parts(part("code", "x", headers="Content-Type: text/plain; charset=hex\r\n")),
        ),
        "parts-part-type-coded": (
            PARTS,
            parts(part("file", "x", FILE, "Content-Type: a/b; a*=nobody''%41\r\n")),
        ),
        "parts-transfer-unknown": (
            PARTS,
            parts(part("code", "x", headers="Content-Transfer-Encoding: nobody\r\n")),
        ),
        "parts-transfer-base64": (
            PARTS,
            parts(part("code", "!!!", headers="Content-Transfer-Encoding: base64\r\n")),
        ),
        "parts-transfer-base64-file": (
            PARTS,
            parts(
                *(
                    part(name, "!", FILE, "Content-Transfer-Encoding: base64\r\n")
                    for name in ("file", "files")
                )
            ),
        ),
        "parts-nested": (
            PARTS,
            parts(part("files", "--y\r\n\r\nx\r\n--y--", headers=f"Content-Type: {MIXED}\r\n")),
        ),
        "parts-files-as-texts": (PARTS, parts(part("file", "login"), part("files", "x"))),
        "parts-texts-as-files": (PARTS, parts(*(part(name, "x", FILE) for name in FIELDS))),
        "parts-text-and-file": (PARTS, parts(part("code", "x"), part("code", "y", FILE))),
        "parts-files-201": (PARTS, parts(*(part("files", "x", FILE) for _ in range(201)))),
        "parts-fields-2001": (PARTS, parts(*(part(f"a{number}", "x") for number in range(2001)))),
        "parts-too-large": (PARTS, parts(part("code", b"x" * 2_700_000))),
        "parts-nul": (PARTS, parts(*(part(name, b"a\0") for name in FIELDS))),
        "parts-not-utf-8": (PARTS, parts(*(part(name, b"\xff\xed\xa0\x80") for name in FIELDS))),
    },
)

FILE_NAMES = inputs(
    "the name of a file is text from a stranger",
    {
        f"filename-{name}": (
            PARTS,
            parts(*(part(field, "x", f"; {given}") for field in ("file", "files", "code"))),
        )
        for name, given in {
            "none": "filename",
            "empty": 'filename=""',
            "up": 'filename="../../../etc/passwd.txt"',
            "windows": 'filename="C:\\\\x\\\\..\\\\y.txt"',
            "dots": 'filename=".."',
            "nul": 'filename="a\0.txt"',
            "coded": "filename*=utf-8''%d1%8b.txt",
            "coded-unknown": "filename*=nobody''%41.txt",
            "coded-hex": "filename*=hex''%41.txt",
            "coded-undefined": "filename*=undefined''%41.txt",
            "coded-idna": "filename*=idna''%ff%41.txt",
            "coded-half": "filename*=utf-8'%41.txt",
            "coded-nul": "filename*=utf-8''a%00.txt",
            "coded-surrogate": "filename*=utf-8''%ed%a0%80.txt",
            "entity": 'filename="&#x202e;&#0;&#xd800;.txt"',
            "header": 'filename="a\r\nX: y.txt"',
            "script": 'filename="<img src=x onerror=alert(document.domain)>.txt"',
            "long": f'filename="{"x" * 5000}.txt"',
            "not-utf-8": 'filename="\xff.txt"',
            "twice": 'filename="a.txt"; filename="b.txt"',
            "unclosed": 'filename="a.txt',
        }.items()
    },
)

RAW_FORMS: tuple[Input[tuple[str, bytes]], ...] = (
    *URL_CODED,
    *CHARSETS,
    *MULTIPART,
    *FILE_NAMES,
)
