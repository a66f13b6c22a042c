"""The scanner: one pass over the signs of a marked essay, no recursion, no way back.

Every text of any size is read in linear time and none raises. What is wrong is mended as the
regulation says (Appendix 3, 1.6; markup.md 1.4) and noted as a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from annotator.core.classifier import Classifier
from annotator.core.language.codes import CodeReader, Codes
from annotator.core.language.essay_text import EssayText
from annotator.core.language.faults import MANY, Fault
from annotator.core.language.signs import (
    CLOSING,
    CODE_END,
    ELEMENTS,
    LOOKS_LIKE_A_CODE,
    OPENING,
    SIGN,
)
from annotator.core.values import Fragment, Span

CODES: Final = "codes"
TEXT: Final = "text"
NESTS_LOOKED_INTO: Final = 5
NO_CODE: Final = (Fragment(None, ""),)


class _Bracket:
    """An open bracket: what was read of it so far."""

    phase = CODES
    codes: Sequence[Fragment] = NO_CODE
    elements: dict[str, list[str]] | None = None
    verbatim = 0

    def __init__(self, opening: str, offset: int, number: int, start: int) -> None:
        self.opening = opening
        self.offset = offset
        self.number = number
        self.start = start

    def add(self, piece: str) -> None:
        """Add to the element being read."""
        if self.elements is not None:
            self.elements[self.phase].append(piece)

    def begin(self, element: str) -> None:
        """Begin an element, or go on with it where it stands twice."""
        if self.elements is None:
            self.elements = {}
        self.phase = element
        self.elements.setdefault(element, []).append(" ")

    def fragments(self, span: Span | None) -> Iterator[Fragment]:
        """One fragment for each code, with this bracket's elements."""
        if span is None and self.elements is None:
            yield from self.codes
            return
        found = self.elements or {}
        comment, explanation, correction, tag = (
            "".join(found.get(name, ())).strip() for name in ELEMENTS.values()
        )
        for bare in self.codes:
            yield Fragment(
                span, bare.code, bare.subcode, comment, explanation, correction, tag, bare.kind
            )


class Scanner:
    """Reads the essay part of a marked file: ``text``, ``fragments`` and ``faults``."""

    def __init__(self, marked: str, begin: int, classifier: Classifier, source: str | None) -> None:
        self.faults: list[Fault] = []
        self.unlisted = 0
        self._pieces = SIGN.split(marked[begin:])
        self._at = 0
        self._offset = begin
        self._codes = CodeReader(classifier)
        self._text = EssayText(source)
        self._open: list[_Bracket] = []
        self._opened = 0
        self._made: list[Fragment] = []
        self._numbers: list[int] = []

    def run(self) -> tuple[str, tuple[Fragment, ...]]:
        """The essay's text and its fragments, in the order of their opening brackets."""
        pieces, last = self._pieces, len(self._pieces) - 1
        while self._at < last:  # words and signs take turns, words come first and last
            if words := pieces[self._at]:
                self._words(words)
            self._at += 1
            sign = pieces[self._at]
            self._sign(sign)
            self._offset += len(sign)
            self._at += 1
        self._words(pieces[last])
        self._at += 1
        self._finish()
        order = sorted(range(len(self._made)), key=self._numbers.__getitem__)
        return str(self._text), tuple([self._made[index] for index in order])

    # -- pieces and signs

    def _words(self, words: str) -> None:
        bracket = self._open[-1] if self._open else None
        if bracket is None or bracket.phase == TEXT:
            self._text.put(words, self._offset, bracket.start if bracket else 0)
        elif bracket.phase != CODES:
            bracket.add(words)
        self._offset += len(words)

    def _sign(self, sign: str) -> None:
        if not self._open:
            self._sign_outside(sign)
            return
        bracket = self._open[-1]
        if bracket.phase == CODES:
            self._end_codes(bracket, sign)
        elif bracket.phase == TEXT:
            self._sign_in_text(bracket, sign)
        else:
            self._sign_in_element(bracket, sign)

    def _sign_outside(self, sign: str) -> None:
        if sign in OPENING:
            self._push(sign)
        elif sign in CLOSING:
            self._fault("nothing-to-close", self._offset, sign=sign)
        else:
            self._text.put(sign, self._offset, 0)

    def _sign_in_text(self, bracket: _Bracket, sign: str) -> None:
        if sign in OPENING:
            self._push(sign)
        elif sign in CLOSING:
            self._close(bracket, sign)
        else:
            self._text.trim(bracket.start)
            bracket.begin(ELEMENTS[sign])

    def _sign_in_element(self, bracket: _Bracket, sign: str) -> None:
        """Brackets inside an element stay as they are, and so do the signs in them."""
        if sign in OPENING:
            bracket.verbatim += 1
        elif sign in CLOSING:
            if not bracket.verbatim:
                self._close(bracket, sign)
                return
            bracket.verbatim -= 1
        elif not bracket.verbatim:
            bracket.begin(ELEMENTS[sign])
            return
        bracket.add(sign)

    # -- codes

    def _end_codes(self, bracket: _Bracket, sign: str) -> None:
        """``sign`` ends the codes; a separator is used up by that, any other sign still counts."""
        words = self._pieces[self._at - 1]
        is_text = self._read_codes(bracket, words, sign)
        bracket.phase = TEXT
        if sign == CODE_END and not is_text:
            if bracket.codes is not NO_CODE:
                self._second_group(bracket)
        elif sign:
            self._sign_in_text(bracket, sign)

    def _read_codes(self, bracket: _Bracket, words: str, sign: str) -> bool:
        """Set the codes; true when the text began already, its separator forgotten."""
        codes = self._codes.read(words)
        bracket.codes = codes.known or NO_CODE
        begin = self._offset - len(words) + codes.rest
        if not codes.unknown:
            if not codes.known:
                self._fault("no-code", bracket.offset)
            elif sign in OPENING:
                self._fault("separator-forgotten", self._offset, word=sign)
            return False
        word = codes.unknown[0][:60]
        if sign == CODE_END and self._is_bad_code(codes):
            self._fault("unknown-code", begin, word=word)
            behind = self._codes.read(" ".join(codes.unknown[1:])).known
            bracket.codes = (*codes.known, *behind) or NO_CODE
            return False
        self._fault("separator-forgotten" if codes.known else "no-code", begin, word=word)
        self._text.put(words[codes.rest :], begin, bracket.start)
        return True

    def _is_bad_code(self, codes: Codes) -> bool:
        """Recovery 2: are unknown words before a separator a bad code, or the text?

        The reading that reproduces the unmarked essay wins. Without it they are a bad code when
        the first looks like one, whatever follows it, or when a single word follows a type.
        """
        as_text = self._text.goes_on_with(" ".join(codes.unknown))
        as_code = self._text.goes_on_with(self._words_ahead())
        if as_text != as_code:
            return as_code
        if LOOKS_LIKE_A_CODE.fullmatch(codes.unknown[0]):
            return True
        return len(codes.unknown) == 1 and bool(codes.known)

    def _words_ahead(self) -> str:
        """The essay's next words behind the separator, if need be behind nested brackets' codes."""
        at = self._at + 1
        for _ in range(NESTS_LOOKED_INTO):
            ahead = self._pieces[at : at + 5]
            is_nested = len(ahead) == 5 and not ahead[0].strip() and ahead[1] in OPENING
            if not is_nested or ahead[3] != CODE_END:
                break
            at += 4
        return self._pieces[at]

    def _second_group(self, bracket: _Bracket) -> None:
        """Codes in several groups, each with its own separator, as real experts write them."""
        bracket.codes = more = list(bracket.codes)
        while self._at + 2 < len(self._pieces) and self._pieces[self._at + 2] == CODE_END:
            words = self._pieces[self._at + 1]
            codes = self._codes.read(words)
            if codes.unknown or not codes.known or self._text.goes_on_with(words):
                return
            more += codes.known
            self._offset += len(CODE_END) + len(words)
            self._at += 2

    # -- brackets

    def _push(self, opening: str) -> None:
        self._open.append(_Bracket(opening, self._offset, self._opened, self._text.length))
        self._opened += 1

    def _close(self, bracket: _Bracket, sign: str) -> None:
        if sign != OPENING[bracket.opening]:
            expected = OPENING[bracket.opening]
            self._fault("other-bracket", self._offset, expected=expected, found=sign)
        self._end_bracket()

    def _end_bracket(self) -> None:
        bracket = self._open.pop()
        if bracket.phase == TEXT:
            self._text.trim(bracket.start)
        start, end = bracket.start, self._text.length
        span = Span(start, end) if end > start else None
        for fragment in bracket.fragments(span):
            if not fragment.correction and fragment.is_correction:
                self._fault("no-correction", bracket.offset)
            else:
                self._made.append(fragment)
                self._numbers.append(bracket.number)

    def _finish(self) -> None:
        """What is still open ends with the text (recovery 4)."""
        while self._open:
            bracket = self._open[-1]
            self._fault("not-closed", bracket.offset, expected=OPENING[bracket.opening])
            if bracket.phase == CODES:
                self._end_codes(bracket, "")
            self._end_bracket()
        self._text.trim(0)
        differs = self._text.difference()
        if differs is not None:
            found = str(self._text)[differs : differs + 30]
            self._fault("text-differs", self._text.origin(differs), found=found)

    def _fault(self, code: str, offset: int, **fields: object) -> None:
        if len(self.faults) < MANY:
            self.faults.append((offset, code, fields))
        else:
            self.unlisted += 1
