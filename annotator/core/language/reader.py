"""parse(): bracket text -> MarkedFile, with the regulation's eight error recoveries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.classifier import Classifier, classifier_of, every_classifier
from annotator.core.language.faults import MANY, NUMBERS, Fault
from annotator.core.language.header import read_header
from annotator.core.language.scanner import Scanner
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile, Markup, normalise
from web.core.lines import Lines


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read, and what had to be mended on the way, in the order of the file.

    ``unlisted`` counts problems beyond the first thousand.
    """

    file: MarkedFile
    problems: tuple[Problem, ...]
    unlisted: int = 0


def parse(
    marked: str, *, source: str | None = None, classifier: Classifier | None = None
) -> Parsed:
    """Read a marked file (Appendix 3, 1.2-1.6).

    ``source`` is the unmarked essay, if known: it decides between readings of a faulty bracket
    and is compared with what was read (error 8). ``classifier`` says which words are codes; by
    default that of the header's subject, or all of them together. Never raises.
    """
    text = normalise(marked)
    header = read_header(text)
    if classifier is None:
        subject = header.meta.subject
        classifier = classifier_of(subject) if subject else every_classifier()
    scanner = Scanner(text, header.end, classifier, None if source is None else normalise(source))
    essay, fragments = scanner.run()
    file = MarkedFile(header.meta, Markup(essay, fragments), header.stated)
    faults = sorted([*header.faults, *scanner.faults], key=lambda fault: fault[0])
    unlisted = header.unlisted + scanner.unlisted + max(0, len(faults) - MANY)
    return Parsed(file, _problems(text, faults[:MANY]), unlisted)


def _problems(text: str, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    if not faults:
        return ()
    lines = Lines(text)
    return tuple(
        Problem(code, NUMBERS[code], *lines.place(offset), blocks=False, fields=fields)
        for offset, code, fields in faults
    )
