"""CoScore in the web: rules that score short answers (schemes.md 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from schemes.adapters.coscore_tools import TOOLS
from schemes.adapters.scheme import (
    Chosen,
    Column,
    ContestKey,
    Input,
    Item,
    Reads,
    Scheme,
    Scored,
    Unfit,
    Watch,
    decoded,
)
from schemes.adapters.words import Said, joined, said
from schemes.core.coscore.agreement import rating_of
from schemes.core.coscore.answers import SEPARATOR, Sheet, read_answers
from schemes.core.coscore.messages import reading_of, sentence_of
from schemes.core.coscore.problems import Problem
from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.results import Results, ScoredRow, score_answers
from schemes.core.coscore.scorer import HIGHEST, Scorer
from web.core.sentences import N_, Translate

ANSWERS: Final = N_("answers: {count}")
VERDICTS: Final = {
    "scored": N_("scored"),
    "agrees": N_("agrees with the label"),
    "differs": N_("differs from the label"),
    "error": N_("not scored"),
}
UNLABELLED: Final = N_(
    "Line {line}: no score stands beside the answer. In a contest every answer of the key has one."
)
UNUSED: Final = "\N{SYMBOL FOR UNIT SEPARATOR}"
"""Stands for no separator: pupils do not write it."""
COMBO: Final = "combo:"
"""Before a combo's id in the cells of an item, so that no id takes another column's place."""


def read_scorer(data: bytes, _options: Chosen, _reads: Reads) -> Scorer:
    """A rule that can run."""
    read = read_rule(decoded(data))
    if read.rule is None:
        raise Unfit(*(_said(problem) for problem in read.problems if problem.blocks))
    return Scorer(read.rule)


def read_table(data: bytes, options: Chosen, _reads: Reads) -> Sheet:
    """A table of answers of which rows can be read."""
    sheet = read_answers(decoded(data), separator=options.get("separator", SEPARATOR))
    if sheet.refused:
        raise Unfit(*(_said(problem) for problem in sheet.problems if problem.blocks))
    return sheet


def refuse_unlabelled(sheet: Sheet) -> None:
    """Raise ``Unfit`` where a row cannot be read, or where nobody has scored it."""
    for row in sheet.rows:
        blocking = [each for each in row.problems if each.blocks]
        if blocking:
            raise Unfit(_said(replace(blocking[0], line=row.line)))
        if row.label is None:
            raise Unfit(_unlabelled(row.line))


def score(reads: Reads, _options: Chosen, veiled: bool, watch: Watch) -> Scored:
    """Score a table; the items are its rows. A veiled run has numbers for the ids of combos."""
    scorer, sheet = reads["rule"], reads["answers"]
    total = len(sheet.rows)
    found = score_answers(scorer, sheet, watch=lambda done: watch(done, total))
    if veiled:
        found = _veiled(found)
    return Scored(
        figures=_figures(found),
        items=[_item(each) for each in found.rows],
        problems=_problems(found),
        readings=[_reading(code, found.separator) for code in found.readings],
    )


def explain(
    inputs: Mapping[str, bytes], options: Chosen, cells: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """A trace of the answer."""
    separator = options.get("separator", SEPARATOR) or UNUSED
    return "try", {"rule": decoded(inputs["rule"]), "answer": cells["text"], "separator": separator}


def names_of(sheet: Sheet) -> list[str]:
    """The rows of the table by their lines."""
    return [str(row.line) for row in sheet.rows]


def columns(figures: Mapping[str, Any]) -> tuple[Column, ...]:
    """``text,score`` and a column for each combo, as the command line writes them."""
    combos = (
        Column(f"{COMBO}{name}", name, is_number=True, heading=name) for name in figures["combos"]
    )
    return (
        Column("line", _("file line"), is_number=True, in_file=False),
        Column("text", _("answer")),
        Column("score", _("score"), is_number=True),
        *combos,
        Column("label", _("label"), is_number=True, in_file=False),
        Column("reason", _("problems"), in_file=False),
        Column("error", _("error"), on_page=False, in_file=bool(figures["errors"])),
    )


def _veiled(found: Results) -> Results:
    """The same without a word of the rule: combos by their numbers, no places in expressions."""
    numbers = {name: str(number) for number, name in enumerate(found.combos, 1)}

    def told(problems: Sequence[Problem]) -> tuple[Problem, ...]:
        return tuple(
            replace(each, combo=numbers[each.combo], column=None) if each.combo else each
            for each in problems
        )

    def row(each: ScoredRow) -> ScoredRow:
        outcome = replace(
            each.outcome,
            points={numbers[name]: points for name, points in each.outcome.points.items()},
            errors=told(each.outcome.errors),
            warnings=told(each.outcome.warnings),
        )
        return replace(each, outcome=outcome)

    return replace(found, combos=tuple(numbers.values()), rows=tuple(map(row, found.rows)))


def _figures(found: Results) -> dict[str, Any]:
    scored = [each.outcome.score for each in found.rows if each.outcome.score is not None]
    return {
        "combos": list(found.combos),
        "answers": len(found.rows),
        "errors": len(found.rows) - len(scored),
        "mean": sum(scored) / len(scored) if scored else None,
        "histogram": list(found.histogram),
        "agreement": asdict(found.agreement) if found.agreement else None,
        "separator": found.separator,
    }


def _item(each: ScoredRow) -> Item:
    row, outcome = each.row, each.outcome
    errors = [_said(problem) for problem in outcome.errors]
    sentences = [_said(problem) for problem in each.own_problems]
    return Item(
        name=str(row.line),
        verdict=_verdict(each),
        points=outcome.score,
        maximum=HIGHEST,
        reason=joined(sentences),
        cells={
            "line": row.line,
            "text": row.text,
            "score": outcome.score,
            **{f"{COMBO}{name}": points for name, points in outcome.points.items()},
            "label": row.label,
            "error": joined(errors),
        },
    )


def _verdict(each: ScoredRow) -> str:
    label, score = each.row.label, each.outcome.score
    if score is None:
        return "error"
    if label is None:
        return "scored"
    return "agrees" if rating_of(label) == rating_of(score) else "differs"


def _problems(found: Results) -> list[Said]:
    """What concerns the table; what concerns many answers once, with their number."""
    many = Counter(
        (problem.code, problem.combo) for each in found.rows for problem in each.outcome.warnings
    )
    first = {
        (problem.code, problem.combo): problem
        for each in found.rows
        for problem in each.outcome.warnings
    }
    return [
        *(_said(problem) for problem in found.problems),
        *(_counted(first[place], count) for place, count in many.items()),
    ]


def _counted(problem: Problem, count: int) -> Said:
    def words(translate: Translate) -> str:
        answers = translate(ANSWERS).format(count=count)
        return f"{sentence_of(problem, translate)} ({answers})"

    return said(words)


def _unlabelled(line: int) -> Said:
    return said(lambda tell: tell(UNLABELLED).format(line=line))


def _reading(code: str, separator: str) -> Said:
    return said(lambda translate: reading_of(code, translate, separator=separator))


def _said(problem: Problem) -> Said:
    return said(lambda translate: sentence_of(problem, translate))


SCHEME: Final = Scheme(
    slug="coscore",
    title=_("CoScore: rules for short answers"),
    summary=_(
        "A rule of atoms and combos scores short answers from 0 to 10; labelled answers show how "
        "well it agrees with people."
    ),
    sources=(
        Input(
            name="rule",
            label=_("rule"),
            help=_("A JSON object with atoms, combos and comboMode; it is checked as you write."),
            read=read_scorer,
            is_key=True,
            tool="check",
        ),
        Input(
            name="answers",
            label=_("answers"),
            help=_("A CSV with the column text, or text,score; the first line names them."),
            read=read_table,
        ),
    ),
    score=score,
    columns=columns,
    names_of=names_of,
    verdicts={code: _(words) for code, words in VERDICTS.items()},
    template="schemes/coscore.html",
    name_label=_("file line"),
    explain=explain,
    options={
        "separator": lambda: forms.CharField(
            label=_("between the blanks of an answer"),
            help_text=_("“-” where it is left out; empty: every answer is one blank."),
            max_length=5,
            initial=SEPARATOR,
            required=False,
            strip=False,
        ),
    },
    tools=TOOLS,
    contest_key=ContestKey(source="answers", refuse=refuse_unlabelled, right="agrees"),
)
