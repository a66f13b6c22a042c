"""USE in the web: Part 1 of the Russian Unified State Exam (schemes.md 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from schemes.adapters.scheme import Chosen, Column, Input, Item, Reads, Scheme, Scored, Unfit, Watch
from schemes.adapters.use_tools import TOOLS
from schemes.adapters.words import Said, said, without_options
from schemes.core import use
from schemes.core.use import (
    UnusableFileError,
    read_key,
    read_predictions,
    refuse_idle_split,
)
from schemes.core.use.exam import HUMAN_GRADE_NORM, HUMAN_POINTS
from schemes.core.use.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
    describe_reason,
)
from schemes.core.use.problems import Problem, Source
from schemes.core.use.values import Key, Options, Outcome, Predictions, Score, Variant
from web.core.sentences import N_, Translate

FILES: Final = {Source.KEY: N_("key"), Source.PREDICTION: N_("predictions")}
TELLING: Final = frozenset({"numbers-differ", "words-differ", "positions-differ"})
"""Reasons that tell what the key has."""
VERDICTS: Final = {
    "right": N_("right"),
    "partly": N_("partly right"),
    "wrong": N_("wrong"),
    "unanswered": N_("no answer"),
}


def read_tasks(data: bytes, options: Chosen, _reads: Reads) -> Key:
    """The tasks of a key that has any."""
    try:
        key = read_key(data, split=options.get("split") or None)
    except UnusableFileError as error:
        raise Unfit(_of_error(error)) from None
    if not key.tasks:
        problems = [*key.problems[:1], Problem("no-tasks")]
        raise Unfit(*(_of_problem(each) for each in problems))
    return key


def read_answers(data: bytes, options: Chosen, reads: Reads) -> Predictions:
    """The predictions for the key's split; a file of broken records only is refused."""
    try:
        found = read_predictions(data, split=reads["key"].split)
        refuse_idle_split(options.get("split"), reads["key"], found)
    except UnusableFileError as error:
        raise Unfit(_of_error(error)) from None
    if found.problems and not found.answers:
        raise Unfit(_of_problem(found.problems[0]))
    return found


def score(reads: Reads, options: Chosen, veiled: bool, watch: Watch) -> Scored:
    """Score predictions; the items are the tasks of the key."""
    chosen = Options(lenient=bool(options.get("lenient")), yo=bool(options.get("yo")))
    found = use.score(reads["key"], reads["predictions"], chosen)
    items = []
    for number, outcome in enumerate(found.outcomes):
        if number % 1000 == 0:
            watch(number, len(found.outcomes))
        items.append(_item(outcome, veiled))
    problems = [each for each in found.warnings if not (veiled and each.source is Source.KEY)]
    return Scored(
        figures=_figures(found),
        items=items,
        problems=[_of_problem(each) for each in problems],
        readings=list(_readings(found)),
    )


def explain(
    inputs: Mapping[str, bytes], options: Chosen, cells: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """The answer beside its key."""
    keys = {task.id: task.key for task in read_tasks(inputs["key"], options, {}).tasks}
    chosen = {name: options.get(name, False) for name in ("lenient", "yo")}
    asked = {
        "id_task": cells["id_task"],
        "key": keys.get(cells["id"], ""),
        "answer": cells["answer"] or "",
    }
    return "try", {**asked, **chosen}


def names_of(key: Key) -> list[str]:
    """The tasks that give points at all."""
    return [task.id for task in key.tasks if task.maximum]


def columns(_figures: Mapping[str, Any]) -> tuple[Column, ...]:
    """The same for every run."""
    return (
        Column("variant", _("variant")),
        Column("id_task", _("task")),
        Column("id", "id"),
        Column("type", _("type"), on_page=False),
        Column("answer", _("answer")),
        Column("points", _("points"), is_number=True),
        Column("max", _("of"), is_number=True),
        Column("reason", _("because of")),
    )


def _figures(found: Score) -> dict[str, Any]:
    lost = Counter[str]()
    for each in found.outcomes:
        lost[each.task.id_task] += each.lost
    return {
        "grade_norm": found.grade_norm,
        "human": {"grade_norm": HUMAN_GRADE_NORM, "points": HUMAN_POINTS},
        "variants": [_variant(each) for each in found.variants],
        "lost": [{"id_task": name, "points": points} for name, points in lost.items() if points],
    }


def _variant(each: Variant) -> dict[str, Any]:
    return {
        "name": each.name,
        "points": each.points,
        "max": each.maximum,
        "missing": list(each.missing),
        "unanswered": list(each.unanswered),
    }


def _item(outcome: Outcome, veiled: bool) -> Item:
    task, verdict = outcome.task, verdict_of(outcome)
    is_hidden = veiled and outcome.reason.code in TELLING

    def reason(translate: Translate) -> str:
        if is_hidden:
            return translate(VERDICTS[verdict])
        return describe_reason(outcome.reason, translate)

    return Item(
        name=task.id,
        group=task.variant,
        verdict=verdict,
        points=outcome.points,
        maximum=task.maximum,
        reason=said(reason),
        cells={
            "variant": task.variant,
            "id_task": task.id_task,
            "id": task.id,
            "type": task.type,
            "answer": outcome.answer,
            "code": "hidden" if is_hidden else outcome.reason.code,
        },
    )


def verdict_of(outcome: Outcome) -> str:
    """How an answer came off, as a code of ``VERDICTS``."""
    if outcome.reason.code in ("no-prediction", "empty-answer"):
        return "unanswered"
    if not outcome.lost:
        return "right"
    return "partly" if outcome.points else "wrong"


def _readings(found: Score) -> Iterator[Said]:
    for taken in found.readings:
        yield said(lambda translate, taken=taken: _reading(taken, translate))  # type: ignore[misc]


def _reading(taken: Any, translate: Translate) -> str:
    sentence = without_options(describe_reading(taken.code, translate))
    return f"{sentence}: {taken.count}" if taken.count else sentence


def _of_problem(problem: Problem) -> Said:
    def words(translate: Translate) -> str:
        parts: Iterable[str] = (
            translate(FILES[problem.source]),
            describe_place(problem.place, translate),
        )
        where = ", ".join(filter(None, parts))
        return f"{where}: {describe(problem, translate)}"

    return said(words)


def _of_error(error: UnusableFileError) -> Said:
    return said(lambda translate: without_options(describe_error(error, translate)))


def _flag(label: Any, help_text: Any) -> forms.Field:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


SCHEME: Final = Scheme(
    slug="use",
    title=_("USE: the Unified State Exam"),
    summary=_(
        "Answers of a model to Part 1 of the Russian Unified State Exam are scored by the exam’s "
        "own rules: points by variant and task, and grade_norm."
    ),
    sources=(
        Input(
            name="key",
            label=_("tasks with their keys"),
            help=_("MERA’s JSON or ZIP, a list, JSON Lines, CSV: id,variant,id_task,type,outputs"),
            read=read_tasks,
            is_key=True,
        ),
        Input(
            name="predictions",
            label=_("answers of the model"),
            help=_("The same formats; of each record outputs and meta.id are read."),
            read=read_answers,
        ),
    ),
    score=score,
    columns=columns,
    names_of=names_of,
    verdicts={code: _(words) for code, words in VERDICTS.items()},
    template="schemes/use.html",
    explain=explain,
    group_label=_("variant"),
    options={
        "split": lambda: forms.CharField(
            label=_("split"),
            help_text=_("Left empty: test, or the only one there is."),
            max_length=40,
            required=False,
        ),
        "lenient": lambda: _flag(
            _("lenient separators"), _("Blanks, semicolons and full stops separate numbers too.")
        ),
        "yo": lambda: _flag(_("ё and е are one letter"), ""),
    },
    tools=TOOLS,
)
