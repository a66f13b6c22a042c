"""What the page of USE does at once: try one answer, check a data set, make its prompts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schemes.adapters.fields import Document
from schemes.adapters.scheme import Tool
from schemes.adapters.words import without_options
from schemes.core.use import (
    Options,
    Task,
    UnusableFileError,
    UseError,
    check_dataset,
    prompts_of,
    read_instructions,
    score_answer,
)
from schemes.core.use.exam import FULL, KINDS, ORDER
from schemes.core.use.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
    describe_reason,
)
from schemes.core.use.problems import Problem, Problems, Source

SHOWN: Final = 50
"""So many problems or prompts are shown on a page; the command line gives all."""


class TryForm(forms.Form):
    id_task = forms.ChoiceField(label=_("task"), choices=[(name, name) for name in ORDER])
    key = forms.CharField(label=_("key"), max_length=2000, help_text=_("As 2,5 or as a word."))
    answer = forms.CharField(label=_("answer"), max_length=2000, required=False, strip=False)
    lenient = forms.BooleanField(label=_("lenient separators"), required=False)
    yo = forms.BooleanField(label=_("ё and е are one letter"), required=False)


class DatasetForm(forms.Form):
    dataset = Document(label=_("data set"))
    split = forms.CharField(label=_("split"), max_length=40, required=False)


class PromptsForm(DatasetForm):
    instructions = Document(
        label=_("instructions"),
        required=False,
        help_text=_("Left empty: the instruction of each record itself."),
    )


def try_answer(given: Mapping[str, Any]) -> dict[str, Any]:
    """One answer to one task, with its points and the reason."""
    try:
        task = Task(
            id="", id_task=given["id_task"], variant="", type=_type(given), key=given["key"]
        )
    except UseError as error:
        return {"refused": describe_error(error, gettext)}
    options = Options(lenient=given["lenient"], yo=given["yo"])
    outcome = score_answer(task, given["answer"], options)
    return {
        "points": outcome.points,
        "maximum": task.maximum,
        "reason": describe_reason(outcome.reason, gettext),
        "readings": [without_options(describe_reading(code, gettext)) for code in outcome.readings],
    }


def check(given: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that is wrong with a data set."""
    try:
        found = check_dataset(given["dataset"], split=given["split"] or None)
    except UnusableFileError as error:
        return {"refused": without_options(describe_error(error, gettext))}
    return {
        "tasks": found.tasks,
        "variants": found.variants,
        "full": FULL,
        "problems": [_sentence(each) for each in found.problems[:SHOWN]],
        "count": len(found.problems),
    }


def prompts(given: Mapping[str, Any]) -> dict[str, Any]:
    """The first prompts of a data set."""
    problems = Problems(Source.KEY)
    try:
        instructions = read_instructions(given["instructions"]) if given["instructions"] else None
        found = prompts_of(
            given["dataset"], problems, instructions=instructions, split=given["split"] or None
        )
        shown = list(islice(found, SHOWN))
    except UnusableFileError as error:
        return {"refused": without_options(describe_error(error, gettext))}
    named = problems.named()
    return {
        "prompts": shown,
        "problems": [_sentence(each) for each in named[:SHOWN]],
        "count": len(named),
    }


def _type(given: Mapping[str, Any]) -> str:
    return KINDS[given["id_task"]].value


def _sentence(problem: Problem) -> str:
    place, sentence = describe_place(problem.place, gettext), describe(problem, gettext)
    return f"{place}: {sentence}" if place else sentence


TOOLS: Final = {
    "try": Tool(
        label=_("Try one answer"),
        help=_("An answer, its key and the points the exam gives."),
        form=TryForm,
        answer=try_answer,
        template="schemes/use_try.html",
    ),
    "check": Tool(
        label=_("Check a data set"),
        help=_("Fields, types, keys and whole variants, problem by problem."),
        form=DatasetForm,
        answer=check,
        template="schemes/use_check.html",
    ),
    "prompts": Tool(
        label=_("See the prompts"),
        help=_("Instructions and inputs put together, as a model is asked."),
        form=PromptsForm,
        answer=prompts,
        template="schemes/use_prompts.html",
    ),
}
