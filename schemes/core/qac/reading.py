"""Files -> key, responses, texts of questions: a broken line is told and the others are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from schemes.core.qac.decoding import Encoding, Lines, Undecodable, read_lines
from schemes.core.qac.errors import LineError, UnusableFileError
from schemes.core.qac.grammar import Line, id_of, is_comment, parse_line
from schemes.core.qac.problems import Place, Problems, Source
from schemes.core.qac.values import Given, Key, Question, Responses, Texts


def read_key(data: bytes | str, *, encoding: Encoding | None = None) -> Key:
    """Read the right answers, and the texts of questions among them.

    Lines that cannot be used are problems of the key. Raises ``UnusableFileError``, also for a
    file without any question.
    """
    file = _File(read_lines(data, encoding), Source.KEY)
    questions: dict[str, Question] = {}
    texts: dict[str, str] = {}
    trimmed = 0
    for line, place in file.read():
        if not file.is_first(line, place):
            continue
        is_text = line.text is not None
        texts[line.id] = line.text or texts.get(line.id, "")
        if not is_text or line.id not in questions:
            questions[line.id] = Question(
                line.id, line.answers, place=place, has_answers=not is_text
            )
        trimmed += line.trimmed
    known = [
        replace(each, text=texts[each.id])
        for each in questions.values()
        if each.has_answers or each.id not in file.broken
    ]
    problems = file.problems.named()
    if not known and not problems:
        raise UnusableFileError("no-questions")
    broken = frozenset(file.broken.difference(each.id for each in known))
    return Key(tuple(known), broken, trimmed, file.lines.encoding, problems)


def read_responses(data: bytes | str, *, encoding: Encoding | None = None) -> Responses:
    """Read what a system said. Lines that cannot be used are problems of the responses.

    An empty file is one without responses. Raises ``UnusableFileError``.
    """
    file = _File(read_lines(data, encoding), Source.RESPONSES)
    given: dict[str, Given] = {}
    trimmed = 0
    for line, place in file.read():
        if line.text is not None:
            file.report(LineError("no-article", name=line.text), place)
        elif file.is_first(line, place):
            given[line.id] = Given(line.id, line.answers, place)
            trimmed += line.trimmed
    return Responses(
        tuple(given.values()),
        frozenset(file.broken - given.keys()),
        trimmed,
        file.lines.encoding,
        file.problems.named(),
    )


def read_texts(data: bytes | str, *, encoding: Encoding | None = None) -> Texts:
    """Read a file of questions, ``ID: "text"`` each. Raises ``UnusableFileError``."""
    file = _File(read_lines(data, encoding), Source.QUESTIONS)
    texts: dict[str, str] = {}
    for line, place in file.read():
        if line.text is None:
            file.report(LineError("not-a-question"), place)
        elif file.is_first(line, place):
            texts[line.id] = line.text
    return Texts(texts, file.lines.encoding, file.problems.named())


def with_texts(key: Key, texts: Texts) -> Key:
    """The key with the texts of questions from a file of their own, where that has one."""
    return replace(
        key,
        questions=tuple(
            replace(each, text=texts.by_id.get(each.id, each.text)) for each in key.questions
        ),
    )


class _File:
    """Goes through the lines once; ``broken`` has the ids of those that could not be used."""

    def __init__(self, lines: Lines, source: Source) -> None:
        self.lines = lines
        self.problems = Problems(source)
        self.broken: set[str] = set()
        self._seen: dict[tuple[str, bool], Place] = {}

    def read(self) -> Iterator[tuple[Line, Place]]:
        """Every line that says something and can be read."""
        for number, text in enumerate(self.lines.lines, 1):
            begin = text.begin if isinstance(text, Undecodable) else text
            if is_comment(begin) or not (begin.strip() or isinstance(text, Undecodable)):
                continue
            try:
                line = self._line(text)
            except LineError as error:
                self.report(error, Place(number, id=id_of(begin)))
            else:
                yield line, Place(number, id=line.id)

    def report(self, error: LineError, place: Place) -> None:
        """Name what is wrong with a line."""
        if place.id:
            self.broken.add(place.id)
        self.problems.add(error.code, replace(place, column=error.column), **error.fields)

    def _line(self, text: str | Undecodable) -> Line:
        if isinstance(text, Undecodable):
            encoding = self.lines.encoding.value
            raise LineError("not-decodable", byte=text.byte, encoding=encoding)
        return parse_line(text)

    def is_first(self, line: Line, place: Place) -> bool:
        """Whether nothing of the kind was said of the question before; a second is a problem."""
        name = line.id, line.text is not None
        earlier = self._seen.setdefault(name, place)
        if earlier is not place:
            self.problems.add("id-twice", place, earlier=earlier.line)
        return earlier is place
