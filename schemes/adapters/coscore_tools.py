"""What the page of CoScore does at once: check a rule while it is written, try one answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schemes.adapters.fields import Document
from schemes.adapters.scheme import Tool, Unfit, decoded
from schemes.adapters.words import in_language
from schemes.core.coscore.answers import SEPARATOR
from schemes.core.coscore.messages import (
    describe,
    place_of,
    reading_of,
    sentence_of,
)
from schemes.core.coscore.outcomes import Explanation
from schemes.core.coscore.problems import Problem
from schemes.core.coscore.reading import Reading, read_rule
from schemes.core.coscore.scorer import HIGHEST, Scorer

SHOWN: Final = 200
"""So many answer strings of atoms are shown in a trace."""


class RuleForm(forms.Form):
    rule = Document(label=_("rule"), attrs={"rows": 14})


class TryForm(RuleForm):
    answer = forms.CharField(
        label=_("answer"),
        help_text=_("Each blank on a line of its own, or “-” between them as in a table."),
        widget=forms.Textarea({"rows": 3}),
        max_length=20_000,
        required=False,
        strip=False,
    )
    separator = forms.CharField(
        label=_("between the blanks of an answer"),
        help_text=_("Left empty: the end of the line; “-” if the answer has one line."),
        max_length=5,
        required=False,
        strip=False,
    )


def check(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every problem of a rule, with its atom or combo, and the readings its scores rest on."""
    read = _read(given["rule"])
    if isinstance(read, str):
        return {"refused": read}
    return {"accepted": read.rule is not None, **_remarks(read)}


def try_answer(given: Mapping[str, Any]) -> dict[str, Any]:
    """An answer scored by a rule, with every step."""
    read = _read(given["rule"])
    if isinstance(read, str):
        return {"refused": read}
    if read.rule is None:
        return {"accepted": False, **_remarks(read)}
    scorer = Scorer(read.rule)
    blanks = _blanks(given["answer"].replace("\r\n", "\n"), given["separator"])
    explanation = scorer.explain(blanks)
    outcome = explanation.outcome
    return {
        "score": outcome.score,
        "highest": HIGHEST,
        "blanks": blanks,
        "errors": [sentence_of(problem, gettext) for problem in outcome.errors],
        "warnings": [sentence_of(problem, gettext) for problem in outcome.warnings],
        "combos": _combos(scorer, explanation),
        "atoms": _atoms(scorer, explanation),
        "unasked": [
            name
            for name in scorer.rule.atoms
            if name not in {asked.atom for asked in explanation.asked}
        ],
        "readings": [reading_of(code, gettext) for code in outcome.readings],
    }


def _blanks(answer: str, separator: str) -> list[str]:
    """Blanks on lines of their own, or those of an answer copied from a table."""
    return answer.split(separator or ("\n" if "\n" in answer else SEPARATOR))


def _read(data: bytes) -> Reading | str:
    try:
        return read_rule(decoded(data))
    except Unfit as unfit:
        return in_language(unfit.sentences[0])


def _remarks(read: Reading) -> dict[str, Any]:
    readings = Scorer(read.rule).readings if read.rule else ()
    return {
        "remarks": [_remark(problem) for problem in read.problems],
        "readings": [reading_of(code, gettext) for code in readings],
    }


def _remark(problem: Problem) -> dict[str, Any]:
    return {
        "place": place_of(problem, gettext),
        "sentence": describe(problem, gettext),
        "blocks": problem.blocks,
    }


def _combos(scorer: Scorer, explanation: Explanation) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "expression": combo.expression,
            "mode": combo.mode.value,
            "score": combo.score,
            "points": explanation.outcome.points.get(name),
            "steps": explanation.steps[name],
        }
        for name, combo in scorer.rule.combos.items()
    ]


def _atoms(scorer: Scorer, explanation: Explanation) -> list[dict[str, Any]]:
    room = SHOWN
    found = []
    for asked in explanation.asked:
        sights = asked.sights[: max(room, 0)]
        room -= len(sights)
        found.append(
            {
                "name": asked.atom,
                "type": scorer.rule.atoms[asked.atom].type.value,
                "text": asked.text,
                "logic": asked.logic,
                "value": asked.value,
                "sights": sights,
                "more": len(asked.sights) - len(sights),
            }
        )
    return found


TOOLS: Final = {
    "check": Tool(
        label=_("Check a rule"),
        help=_("Every message names the atom or the combo."),
        form=RuleForm,
        answer=check,
        template="schemes/coscore_check.html",
    ),
    "try": Tool(
        label=_("Try one answer"),
        help=_("A trace of every atom and combo."),
        form=TryForm,
        answer=try_answer,
        template="schemes/coscore_try.html",
    ),
}
