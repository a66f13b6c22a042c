"""Bytes of a file -> a marked file of the core, or a refusal that names the reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from annotator.core.codec import Reading, file_from_json
from annotator.core.language import parse
from annotator.core.names import is_expert, split_name
from annotator.core.problems import Problem, first_of
from annotator.core.values import MarkedFile
from annotator.core.wrapper import WrappedMarkup, Wrapper, is_wrapper, wrapper_from_json
from annotator.services.encodings import decode
from annotator.services.refusals import Told, unfit
from web.core.errors import JsonTextError
from web.core.json_text import read_json

INVISIBLE: Final = ("Cc", "Cf")
"""Categories of signs that two numbers must not differ by: joiners, marks of direction, a BOM."""
MAX_TEXT: Final = 100_000


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A marked file, the essay's number and the author taken from its name, and its oddities.

    One of several in a wrapper ``is_wrapped``; its ``refusal`` says why it cannot come in with
    the others. ``if_new`` is what there is to remark where it brings an essay that is not there.
    """

    name: str
    number: str
    author: str
    is_expert: bool
    file: MarkedFile
    remarks: tuple[Problem, ...]
    refusal: tuple[Problem, ...] = ()
    is_wrapped: bool = False
    if_new: tuple[Problem, ...] = ()

    @property
    def is_marked(self) -> bool:
        """True when somebody's markup is in it, be it an empty one."""
        return bool(self.author or self.file.markup.fragments)

    @property
    def is_plain(self) -> bool:
        """True when nothing but the file's name may say that it is somebody's markup."""
        is_bare = bool(self.author) and not self.file.markup.fragments
        return is_bare and not self.is_expert and not self.is_wrapped

    def as_essay(self) -> NamedFile:
        """The same file as an unmarked essay: its whole name is the essay's number."""
        return replace(self, number=clean_name(PurePosixPath(self.name).stem), author="")


def read_named_files(name: str, data: bytes, *, source: str | None = None) -> list[NamedFile]:
    """Read ``ID.txt``, ``ID_expNN.txt``, their JSON form, or a wrapper with all it holds.

    A wrapper gives its essay first, then every markup. ``source`` is the essay's text where it
    is known already: it settles doubtful brackets. Raises ``Refused``.
    """
    path = PurePosixPath(name)
    text = decode(data)
    if path.suffix.lower() == ".json":
        payload = json_of(text)
        if is_wrapper(payload):
            return _unwrapped(name, wrapper_from_json(payload))
        reading = file_from_json(payload)
        _refuse_problems(reading)
        return [_named(path, reading.file, reading.problems)]
    parsed = parse(text, source=source)
    return [_named(path, parsed.file, parsed.problems)]


def read_named_file(name: str, data: bytes, *, source: str | None = None) -> NamedFile:
    """The same for one file; of a wrapper the essay alone."""
    return read_named_files(name, data, source=source)[0]


def _named(path: PurePosixPath, file: MarkedFile, problems: Iterable[Problem]) -> NamedFile:
    said = split_name(clean_name(path.stem))
    number = _number(said.number, file.meta.id)
    _refuse_unsound(file.markup.text)
    author = clean_name(said.author) or file.meta.expert
    return NamedFile(
        name=str(path),
        number=number,
        author=author,
        is_expert=bool(file.meta.expert) or is_expert(author),
        file=file,
        remarks=tuple(problems),
    )


def _number(said: str, known: str) -> str:
    """What the name begins with where that is a number, else what the file says of itself."""
    number = said if said[:1].isdecimal() else known.strip() or said
    number = clean_name(number)
    if not number:
        raise unfit("no-number")
    return number


def clean_name(name: str) -> str:
    """A name without what nobody sees: outer blanks, signs of control and of format."""
    seen = (sign for sign in name if unicodedata.category(sign) not in INVISIBLE)
    return "".join(seen).strip()


def _unwrapped(name: str, wrapper: Wrapper) -> list[NamedFile]:
    """The essay of a wrapper and its markups; a second one of an author is refused."""
    _refuse_problems(wrapper.essay)
    path = PurePosixPath(name)
    file = wrapper.essay.file
    essay = replace(_named(path, file, wrapper.essay.problems), author="", is_expert=False)
    taken: set[str] = set()
    found = [essay]
    for markup in wrapper.markups:
        refusal = _refusal_of(markup, taken)
        if not refusal:
            taken.add(markup.author.casefold())
        found.append(_one_of(essay, markup, refusal))
    return found


def _refusal_of(markup: WrappedMarkup, taken: set[str]) -> tuple[Problem, ...]:
    """Why a markup of a wrapper cannot come in; empty where it can."""
    if markup.reading.refused:
        return _blocking(markup.reading)
    if not markup.author:
        return (Problem("wrapped-by-nobody"),)
    if markup.author.casefold() in taken:
        return (Problem("wrapped-twice", fields={"author": markup.author}),)
    return ()


def _one_of(essay: NamedFile, markup: WrappedMarkup, refusal: tuple[Problem, ...]) -> NamedFile:
    remarks = [problem for problem in markup.reading.problems if not problem.blocks]
    return NamedFile(
        name=f"{essay.name}: {markup.path}",
        number=essay.number,
        author=markup.author,
        is_expert=markup.is_expert,
        file=markup.reading.file,
        remarks=tuple(remarks),
        refusal=refusal,
        is_wrapped=True,
    )


def json_of(text: str) -> object:
    """The value a text of JSON holds. Raises ``Refused`` with line and column."""
    try:
        return read_json(text, unique_keys=True)
    except JsonTextError as error:
        raise Told(told=[with_place(error)]) from None


def _refuse_problems(reading: Reading) -> None:
    if reading.refused:
        raise Told(told=_blocking(reading))


def _blocking(reading: Reading) -> tuple[Problem, ...]:
    """The first things that keep a file from being read."""
    return first_of([problem for problem in reading.problems if problem.blocks])


def with_place(error: JsonTextError) -> Problem:
    """What is wrong with a text of JSON, with line and column."""
    fields = dict(error.fields)
    place = {name: fields.pop(name) for name in ("line", "column") if name in fields}
    return Problem(error.code, **place, fields=fields)


def _refuse_unsound(text: str) -> None:
    if not text.strip():
        raise unfit("no-essay")
    if len(text) > MAX_TEXT:
        raise unfit("essay-too-long")
