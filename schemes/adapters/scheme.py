"""What the web has to know of a scheme: its inputs, its options, how it is run and shown.

A module beside this one fills a ``Scheme`` in from its pure core; everything else, forms, jobs,
tables, downloads and the API, is made from that value alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django import forms

from annotator.core.messages import SENTENCES
from annotator.core.values import normalise
from schemes.adapters.words import Lazy, Said, said
from web.core.packed import why_not_utf8

MAX_BYTES: Final = 20 * 1024 * 1024
"""Of one uploaded file."""
MAX_ITEMS: Final = 200_000
"""Of one run."""

Chosen = Mapping[str, Any]
"""The values of a scheme's options by name: strings, numbers and truth values only."""
Reads = Mapping[str, Any]
"""What was made of the inputs so far, by their names."""
Watch = Callable[[int, int], None]
"""Told how many of how many are done; may raise ``TooLong``."""


class Unfit(Exception):
    """An input nothing can be scored with; each sentence names the place and the remedy.

    ``source``: the input it was, once a scheme has read several.
    """

    source: Input | None = None

    def __init__(self, *sentences: Said) -> None:
        self.sentences = sentences
        super().__init__(*sentences)


class TooLong(Exception):
    """The time a job may take is over."""


@dataclass(frozen=True, slots=True)
class Input:
    """An input, uploaded or pasted.

    ``read`` makes of the bytes whatever ``Scheme.score`` wants, knowing the options and the
    sources before it; raises ``Unfit``. ``is_key``: the one input a stored key may stand in for.
    ``tool``: the name of a tool that checks the pasted text while it is written.
    """

    name: str
    label: Lazy
    help: Lazy
    read: Callable[[bytes, Chosen, Reads], Any]
    is_key: bool = False
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of items: ``label`` heads it on the page, ``heading`` in CSV.

    ``name`` finds its values in the items' ``cells``; points, max and reason are the item's own.
    ``language``: of its contents, where their letters do not tell it.
    """

    name: str
    label: Lazy
    is_number: bool = False
    heading: str = ""
    on_page: bool = True
    in_file: bool = True
    language: str = ""

    @property
    def look(self) -> str:
        """How its cells are set: as numbers, as what somebody said, or as they are."""
        return "num" if self.is_number else "said" if self.name in ("reason", "text") else ""


@dataclass(frozen=True, slots=True)
class Item:
    """One task, answer or question of a run with its points and the reason.

    ``group``: what the table is filtered by, as a variant; ``verdict``: one of the scheme's.
    """

    name: str
    verdict: str
    points: float | None
    maximum: float | None
    reason: Said
    cells: Mapping[str, Any]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a run gives. ``figures`` is JSON: for the scheme's template and for programs."""

    figures: Mapping[str, Any]
    items: Sequence[Item]
    problems: Sequence[Said] = ()
    readings: Sequence[Said] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """Something small beside the runs, answered at once: try one answer, check a file.

    ``answer`` gets the form's cleaned values and returns what the template shows.
    """

    label: Lazy
    help: Lazy
    form: type[forms.Form]
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    template: str


ToolQuestion = tuple[str, Mapping[str, Any]]
"""The name of a tool and what its form is filled with."""


@dataclass(frozen=True, slots=True)
class ContestKey:
    """What contests keep where that is not the input stored keys stand in for: teams send the rest.

    ``source``: its name. ``refuse``: raises ``Unfit`` for one that no contest can go by, given
    what was read of it. ``right``: the verdict of an item that a team gets a point for; every other
    one gets none.
    """

    source: str
    refuse: Callable[[Any], None]
    right: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme of the web.

    ``score(reads, options, veiled, watch)``: ``veiled`` runs must not tell a word of the key.
    ``names_of``: of what was read of a key in a contest, the names of the items that give points.
    ``explain(inputs, options, cells)``: which question to which tool explains an item of a run.
    ``verdicts``: code -> words, in the order of the filter, as ``name_label`` heads the names of
    items there. ``template`` shows ``run.figures``.
    ``version`` is kept with every run: raise it when the same input may get other points.
    """

    slug: str
    title: Lazy
    summary: Lazy
    sources: tuple[Input, ...]
    score: Callable[[Reads, Chosen, bool, Watch], Scored]
    columns: Callable[[Mapping[str, Any]], Sequence[Column]]
    names_of: Callable[[Any], Iterable[str]]
    verdicts: Mapping[str, Lazy]
    template: str
    group_label: Lazy = ""
    name_label: Lazy = "ID"
    options: Mapping[str, Callable[[], forms.Field]] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    explain: Callable[[Mapping[str, bytes], Chosen, Mapping[str, Any]], ToolQuestion] | None = None
    contest_key: ContestKey | None = None
    version: str = "1"

    @property
    def key(self) -> Input | None:
        """The source a stored key may stand in for."""
        return next((source for source in self.sources if source.is_key), None)

    @property
    def kept_by_contests(self) -> Input | None:
        """The source that contests keep as their key; teams send the other one."""
        if self.contest_key is None:
            return self.key
        return next(each for each in self.sources if each.name == self.contest_key.source)

    @property
    def sent_to_contests(self) -> Input:
        """The source that teams send."""
        return next(each for each in self.sources if each != self.kept_by_contests)

    def worth(
        self, verdict: str, points: float | None, maximum: float | None
    ) -> tuple[float | None, float | None]:
        """What an item is worth to a team in a contest, and of how much."""
        if self.contest_key is None:
            return points, maximum
        return float(verdict == self.contest_key.right), 1.0

    def read(self, inputs: Mapping[str, bytes], options: Chosen) -> dict[str, Any]:
        """Make of every input what ``score`` wants. Raises ``Unfit`` of the first that is."""
        reads: dict[str, Any] = {}
        for source in self.sources:
            try:
                reads[source.name] = source.read(inputs[source.name], options, reads)
            except Unfit as unfit:
                unfit.source = source
                raise
        return reads


def decoded(data: bytes) -> str:
    """The text of a UTF-8 file with plain line ends. Raises ``Unfit``."""
    try:
        return normalise(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        found = why_not_utf8(data, error.start)
        sentence = said(lambda tell: tell(SENTENCES[found.code]).format(**found.fields))
        raise Unfit(sentence) from None
