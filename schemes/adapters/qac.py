"""QAC in the web: answers to questions as NTCIR-3 scored them (schemes.md 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

from django import forms
from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from schemes.adapters.scheme import Chosen, Column, Input, Item, Reads, Scheme, Scored, Unfit, Watch
from schemes.adapters.words import Said, said, without_options
from schemes.core import qac
from schemes.core.qac import (
    Encoding,
    ExtractionError,
    Match,
    Options,
    Score,
    Task,
    UnusableFileError,
    extract,
    read_key,
    read_responses,
    res_lines,
)
from schemes.core.qac.extractions import EXTRACTIONS
from schemes.core.qac.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
)
from schemes.core.qac.problems import Problem, Source
from schemes.core.qac.report import figures_to_json
from schemes.core.qac.tables import sign
from schemes.core.qac.values import Judged, Key, Outcome, Responses
from web.core.sentences import N_, Translate

Value = TypeVar("Value")

JAPANESE: Final = "ja"
LONGEST: Final = 1_000_000
"""Signs of a text that is kept with a run; a longer one is left to the command line."""
OF_THE_KEY: Final = frozenset({1, 5})
"""Extractions that tell the key."""
FILES: Final = {Source.KEY: N_("key"), Source.RESPONSES: N_("responses")}
VERDICTS: Final = {
    "right": N_("right"),
    "partly": N_("partly right"),
    "wrong": N_("wrong"),
    "unanswered": N_("no response"),
}
TITLES: Final = {
    1: N_("1. The key"),
    2: N_("2. The responses"),
    3: N_("3. Responses with a right string"),
    4: N_("4. Score of each question"),
    5: N_("5. For checking"),
}
READ_AS: Final = N_("{file}: read as {encoding}.")
TOO_LONG: Final = N_("{name} is too long to be kept here. The command razbor qac prints it.")
OTHER_ARTICLE: Final = N_("right string, another article: {ranks}")
RIGHT_AT: Final = N_("right: {ranks}")
NOTHING_RIGHT: Final = N_("nothing right")
RIGHTLY_EMPTY: Final = N_("no answer in the key, no response")
NO_RESPONSE: Final = N_("no response")
NOT_READ: Final = N_("the line of responses cannot be read")
OTHER_KEY: Final = N_(
    "No line is about a question of the key. Send the responses to its questions."
)


def read_answers(data: bytes, options: Chosen, _reads: Reads) -> Key:
    """A key with questions; its broken lines are told with the run."""
    key = _read(lambda: read_key(data, encoding=_encoding(options)))
    if not key.questions:
        raise Unfit(*(_of_problem(each) for each in key.problems))
    return key


def read_system(data: bytes, options: Chosen, _reads: Reads) -> Responses:
    """The responses of a system; an empty file is one without any, one no line of which can be
    read is none.
    """
    responses = _read(lambda: read_responses(data, encoding=_encoding(options)))
    if not responses.given and responses.problems:
        raise Unfit(*(_of_problem(each) for each in responses.problems))
    return responses


def score(reads: Reads, options: Chosen, veiled: bool, watch: Watch) -> Scored:
    """Score responses; the items are the questions of the key."""
    chosen = Options(
        Task(int(options.get("task") or Task.RANKED)),
        Match(options.get("match") or Match.ARTICLE),
        nfkc=bool(options.get("nfkc")),
    )
    _refuse_strange(reads["key"], reads["responses"])
    found = qac.score(reads["key"], reads["responses"], chosen)
    items = []
    for number, outcome in enumerate(found.outcomes):
        if number % 1000 == 0:
            watch(number, len(found.outcomes))
        items.append(_item(outcome, found, veiled))
    texts = dict(_texts(found, veiled))
    problems = [each for each in found.warnings if not (veiled and each.source is Source.KEY)]
    return Scored(
        figures=_figures(found, texts),
        items=items,
        problems=[
            *(_of_problem(each) for each in problems),
            *(_too_long(name) for name, text in texts.items() if len(text) > LONGEST),
        ],
        readings=list(_readings(found)),
    )


def _refuse_strange(key: Key, responses: Responses) -> None:
    """Responses to other questions only are those to another key."""
    asked = {each.id for each in key.questions} | key.broken
    if responses.given and not asked.intersection(each.id for each in responses.given):
        raise Unfit(said(lambda translate: translate(OTHER_KEY)))


def names_of(key: Key) -> list[str]:
    """The questions of the key."""
    return [question.id for question in key.questions]


def columns(_figures: Mapping[str, Any]) -> tuple[Column, ...]:
    """The same for every run."""
    return (
        Column("id", "id"),
        Column("question", _("question"), language=JAPANESE),
        Column("answers", _("right answers"), language=JAPANESE),
        Column("responses", _("responses"), language=JAPANESE),
        Column("points", _("score"), is_number=True, on_page=False),
        Column("mark", _("score"), is_number=True, in_file=False),
        Column("reason", _("because of")),
    )


def _figures(found: Score, texts: Mapping[str, str]) -> dict[str, Any]:
    """``texts``: what a run offers as files of text."""
    return {
        "task": found.options.task.value,
        "match": found.options.match.value,
        **figures_to_json(found.figures),
        "averages": {match.value: found.by_match[match].average for match in Match},
        "texts": [
            {"name": name, "title": _title(name), "text": text}
            for name, text in texts.items()
            if len(text) <= LONGEST
        ],
    }


def _texts(found: Score, veiled: bool) -> Iterator[tuple[str, str]]:
    """res.dat and those extractions the task has; of a veiled run those that tell no key."""
    yield "res.dat", _text(res_lines(found))
    for number in EXTRACTIONS:
        if veiled and number in OF_THE_KEY:
            continue
        try:
            yield f"extract-{number}.txt", _text(extract(found, number))
        except ExtractionError:
            continue


def _title(name: str) -> Said:
    number = next((each for each in TITLES if f"-{each}." in name), None)
    return said(lambda translate: translate(TITLES[number]) if number else name)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _item(outcome: Outcome, found: Score, veiled: bool) -> Item:
    question, options = outcome.question, found.options
    mark = outcome.mark(options.task, options.match)
    answers = "\n".join(dict.fromkeys(each.string for each in question.answers))
    responses = enumerate(outcome.responses, 1)
    return Item(
        name=question.id,
        verdict=verdict_of(outcome, mark),
        points=mark,
        maximum=1,
        reason=said(lambda translate: _reason(outcome, options.match, translate)),
        cells={
            "id": question.id,
            "question": None if veiled else question.text,
            "answers": None if veiled else answers,
            "responses": "\n".join(_response(*each, options.match) for each in responses),
            "mark": _written(mark),
        },
    )


@lru_cache(maxsize=1024)
def _written(mark: float) -> Said:
    """A mark with three decimals, as each language writes numbers."""
    found = {}
    for code, _name in settings.LANGUAGES:
        with override(code):
            found[code] = number_format(mark, 3)
    return found


def verdict_of(outcome: Outcome, mark: float) -> str:
    """How a question came off, as a code of ``VERDICTS``."""
    if mark == 1:
        return "right"
    if not outcome.responses:
        return "unanswered"
    return "partly" if mark else "wrong"


def _response(rank: int, each: Judged, match: Match) -> str:
    """“2. 三重大学 × -”: the hyphen tells another article, as extraction 3 does."""
    other = " -" if each.number is not None and not each.same_article else ""
    return f"{rank}. {each.response.string} {sign(is_right=each.is_right(match))}{other}"


def _reason(outcome: Outcome, match: Match, translate: Translate) -> str:
    if outcome.is_broken:
        return translate(NOT_READ)
    if not outcome.responses:
        return translate(RIGHTLY_EMPTY if outcome.is_rightly_empty else NO_RESPONSE)
    ranks = list(enumerate(outcome.responses, 1))
    right = [rank for rank, each in ranks if each.is_right(match)]
    other = [rank for rank, each in ranks if each.number and not each.same_article]
    parts = [
        translate(words).format(ranks=", ".join(map(str, found)))
        for words, found in ((RIGHT_AT, right), (OTHER_ARTICLE, other))
        if found
    ]
    return "; ".join(parts) or translate(NOTHING_RIGHT)


def _readings(found: Score) -> Iterator[Said]:
    for source, encoding in found.encodings.items():
        if encoding is not Encoding.UTF_8:
            yield _read_as(Source(source), encoding)
    for taken in found.readings:
        yield said(
            lambda translate, taken=taken: (  # type: ignore[misc]
                f"{without_options(describe_reading(taken.code, translate))}: {taken.count}"
            )
        )


def _read_as(source: Source, encoding: Encoding) -> Said:
    return said(
        lambda translate: translate(READ_AS).format(
            file=translate(FILES[source]), encoding=encoding.value
        )
    )


def _too_long(name: str) -> Said:
    return said(lambda translate: translate(TOO_LONG).format(name=name))


def _of_problem(problem: Problem) -> Said:
    def words(translate: Translate) -> str:
        parts = (translate(FILES[problem.source]), describe_place(problem.place, translate))
        return f"{', '.join(filter(None, parts))}: {describe(problem, translate)}"

    return said(words)


def _read(read: Callable[[], Value]) -> Value:
    try:
        return read()
    except UnusableFileError as error:
        raise Unfit(_of_error(error)) from None


def _of_error(error: UnusableFileError) -> Said:
    return said(lambda translate: describe_error(error, translate))


def _encoding(options: Chosen) -> Encoding | None:
    given = options.get("encoding")
    return Encoding(given) if given else None


SCHEME: Final = Scheme(
    slug="qac",
    title=_("QAC: question answering in Japanese"),
    summary=_(
        "Responses of a system to questions are scored as NTCIR-3 did: the mean reciprocal rank "
        "or the mean F-measure, the tables of scoring.pl, its extractions and res.dat."
    ),
    sources=(
        Input(
            name="key",
            label=_("right answers"),
            help=_(
                'ID: "answer", article, … on each line; UTF-8, EUC-JP, Shift_JIS or ISO-2022-JP'
            ),
            read=read_answers,
            is_key=True,
        ),
        Input(
            name="responses",
            label=_("responses of the system"),
            help=_("The same format, the best response first; nothing after the ID: no response."),
            read=read_system,
        ),
    ),
    score=score,
    columns=columns,
    names_of=names_of,
    verdicts={code: _(words) for code, words in VERDICTS.items()},
    template="schemes/qac.html",
    options={
        "task": lambda: forms.ChoiceField(
            label=_("task"),
            help_text=_(
                "As --task of scoring.pl: 1 ranks the responses, 2 and 3 take them as a set."
            ),
            choices=[
                ("1", _("1: mean reciprocal rank")),
                ("2", _("2: mean F-measure")),
                ("3", _("3: mean F-measure over every ID")),
            ],
            initial="1",
        ),
        "match": lambda: forms.ChoiceField(
            label=_("right is"),
            help_text=_("Must the article be right too, or is the string enough?"),
            choices=[
                ("article", _("the string with its article")),
                ("string", _("the string alone")),
            ],
            initial="article",
        ),
        "nfkc": lambda: forms.BooleanField(
            label=_("letters of another width or form are alike"),
            help_text=_("Strings are compared after Unicode’s NFKC: ＮＴＴ is NTT."),
            required=False,
        ),
        "encoding": lambda: forms.ChoiceField(
            label=_("character code"),
            help_text=_("Of both files; choose one where it is not found by itself."),
            choices=[("", _("found by itself")), *((each.value, each.value) for each in Encoding)],
            required=False,
        ),
    },
)
