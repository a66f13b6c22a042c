"""The first look at an expression: only signs and words of the language, in bounded depth.

What passes is plain enough for Python's parser, and whatever does not is refused with its column
and a remedy (2.2.1.4: the legal symbols). Python's own limits never come into play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final
from unicodedata import normalize

from schemes.core.coscore.errors import ExpressionError
from schemes.core.coscore.limits import MAX_DEPTH, MAX_EXPRESSION, MAX_NUMBER
from schemes.core.coscore.problems import shown

OF_BLANKS: Final = "TLQF"
OF_ATOMS: Final = "GM"
OPERATORS: Final = frozenset("TLQFGMUAX")
WORDS: Final = frozenset(["if", "else", "and", "or", "not", "True", "False"])
PREFIXES: Final = frozenset(["not", "+", "-"])
STAR: Final = "_"
"""Stands for the ``*`` of ``T(*)``; no word of the language, so nobody else can have written it."""

PLAIN: Final = {"≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/", "−": "-"} | dict.fromkeys(
    "‘’“”", "'"
)
"""What is meant by signs that look like those of the language; full-width ones are known anyway."""
WRITABLE: Final = re.compile(r"[TLQFGMUAX0-9<>=!+\-*/(),.']{1,2}")

TOKEN: Final = re.compile(
    r"""
      (?P<space>   [ \t]+ )
    | (?P<line>    [\r\n]+ )
    | (?P<number>  (?: [0-9]+ (?: \.[0-9]* )? | \.[0-9]+ ) (?: [eE][+-]?[0-9]+ )?
                   (?! [A-Za-z0-9_.] ) )
    | (?P<notnumber> \.? [0-9] [A-Za-z0-9_.]* )
    | (?P<word>    [A-Za-z_] [A-Za-z0-9_]* )
    | (?P<quoted>  ' [^'\\\r\n\ud800-\udfff]* ' | " [^"\\\r\n\ud800-\udfff]* " )
    | (?P<foreign> \*\* | // | << | >> | <> | -> )
    | (?P<sign>    == | != | >= | <= | [<>+\-*/(),] )
    | (?P<other>   . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression: its kind, its text, where it begins (counted from 0)."""

    kind: str
    text: str
    start: int


def scan(expression: str) -> str:
    """The expression with plain blanks and ``STAR`` for ``T(*)``, every sign in its old column.

    Raises ``ExpressionError`` for whatever is no part of the language.
    """
    if len(expression) > MAX_EXPRESSION:
        raise ExpressionError("expression-too-long", None, limit=MAX_EXPRESSION)
    tokens = list(_tokens(expression))
    if not tokens:
        raise ExpressionError("expression-empty", None)
    _refuse_depth(tokens)
    _refuse_split_numbers(tokens)
    signs = [" " if sign == "\t" else sign for sign in expression]
    for token in _stars(tokens):
        signs[token.start] = STAR
    return "".join(signs)


def _tokens(expression: str) -> Iterator[Token]:
    for found in TOKEN.finditer(expression):
        token = Token(str(found.lastgroup), found[0], found.start())
        if token.kind != "space":
            _refuse_foreign(token)
            yield token


def _refuse_foreign(token: Token) -> None:
    column = token.start + 1
    if token.kind == "line":
        raise ExpressionError("line-break", column)
    if token.kind == "word" and token.text not in OPERATORS | WORDS:
        raise ExpressionError("unknown-word", column, word=shown(token.text))
    if token.kind == "notnumber":
        raise ExpressionError("not-a-number", column, word=shown(token.text))
    if token.kind == "number" and len(token.text) > MAX_NUMBER:
        raise ExpressionError("number-too-long", column, limit=MAX_NUMBER)
    if token.kind in ("foreign", "other"):
        plain = PLAIN.get(token.text) or normalize("NFKC", token.text)
        meant = plain != token.text and WRITABLE.fullmatch(plain)
        code = "full-width-sign" if meant else "unknown-sign"
        raise ExpressionError(code, column, sign=_named(token.text), plain=plain)


def _named(sign: str) -> str:
    return sign if sign.isprintable() else f"U+{ord(sign):04X}"


def _refuse_depth(tokens: list[Token]) -> None:
    """Brackets in brackets, and runs of ``not`` or ``-``, before a recursive parser meets them."""
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth > MAX_DEPTH:
            raise ExpressionError("too-deep", token.start + 1, limit=MAX_DEPTH)
    for is_prefix, run in groupby(tokens, lambda token: token.text in PREFIXES):
        prefixes = list(run) if is_prefix else []
        if len(prefixes) > MAX_DEPTH:
            raise ExpressionError("too-deep", prefixes[0].start + 1, limit=MAX_DEPTH)


def _refuse_split_numbers(tokens: list[Token]) -> None:
    """``1 000``: two numbers follow each other nowhere else."""
    for one, other in pairwise(tokens):
        if one.kind == other.kind == "number":
            name = f"{one.text} {other.text}"
            raise ExpressionError("blank-inside", one.start + 1, name=shown(name))


def _stars(tokens: list[Token]) -> Iterator[Token]:
    """The ``*`` of ``T(*)``, as the seed prints it; the manual writes ``T('*')``."""
    for operator, opening, star, closing in zip(
        tokens, tokens[1:], tokens[2:], tokens[3:], strict=False
    ):
        if operator.text in set(OF_BLANKS) and f"{opening.text}{star.text}{closing.text}" == "(*)":
            yield star
