"""A table of answers, scored: outcomes by row, figures of all, and the same as CSV and JSON.

Source: schemes.md 2.4. Numbers are written as they are, never rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from schemes.core.coscore.agreement import Agreement, agreement, histogram
from schemes.core.coscore.answers import Row, Sheet
from schemes.core.coscore.messages import describe, reading_of, sentence_of
from schemes.core.coscore.outcomes import Outcome
from schemes.core.coscore.problems import Problem
from schemes.core.coscore.readings import ROUNDED, SPLIT
from schemes.core.coscore.scorer import Scorer
from web.core.sentences import Translate
from web.core.sheets import as_csv


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row and what the rule says about it."""

    row: Row
    outcome: Outcome

    @property
    def own_problems(self) -> tuple[Problem, ...]:
        """What concerns this row alone, with its line; errors first."""
        odd = (problem for problem in self.row.problems if not problem.blocks)
        found = (*self.outcome.errors, *odd)
        return tuple(replace(problem, line=self.row.line) for problem in found)


@dataclass(frozen=True, slots=True)
class Results:
    """What became of a table.

    ``combos``: their ids. ``histogram``: of the scores, by the ratings 0 to 10. ``agreement``:
    ``None`` when no row has a label. ``readings``: codes. ``problems``: of the table as a whole.
    """

    combos: tuple[str, ...]
    rows: tuple[ScoredRow, ...]
    histogram: tuple[int, ...]
    agreement: Agreement | None
    readings: tuple[str, ...]
    problems: tuple[Problem, ...]
    separator: str


def score_answers(
    scorer: Scorer, sheet: Sheet, *, watch: Callable[[int], None] = lambda _done: None
) -> Results:
    """Score every row that can be scored; the others keep their errors.

    ``watch`` is told before each row how many are done; what it raises ends the work.
    """
    scored_rows: list[ScoredRow] = []
    for row in sheet.rows:
        watch(len(scored_rows))
        scored_rows.append(ScoredRow(row, _outcome(scorer, row)))
    rows = tuple(scored_rows)
    scored = [(each.row.label, each.outcome.score) for each in rows]
    labelled = [
        (label, score) for label, score in scored if label is not None and score is not None
    ]
    splits = any(sheet.separator and sheet.separator in row.text for row in sheet.rows)
    return Results(
        combos=tuple(scorer.rule.combos),
        rows=rows,
        histogram=histogram(score for _label, score in scored if score is not None),
        agreement=agreement(labelled) if any(row.label is not None for row in sheet.rows) else None,
        readings=(*scorer.readings, *([SPLIT] if splits else []), ROUNDED),
        problems=sheet.problems,
        separator=sheet.separator,
    )


def readings_of(results: Results, translate: Translate) -> dict[str, str]:
    """Code and sentence of every reading the results rest on."""
    return {
        code: reading_of(code, translate, separator=results.separator) for code in results.readings
    }


def to_csv(results: Results, translate: Translate) -> str:
    """``text,score`` and a column for each combo; ``error`` at the end when a row has one."""
    failed = any(each.outcome.errors for each in results.rows)
    head = ["text", "score", *results.combos]
    table: list[Sequence[object]] = [[*head, "error"] if failed else head]
    for each in results.rows:
        cells = [each.row.text, each.outcome.score, *each.outcome.points.values()]
        error = "; ".join(sentence_of(problem, translate) for problem in each.outcome.errors)
        table.append([*cells, error] if failed else cells)
    return "".join(as_csv(table))


def to_json(results: Results, translate: Translate) -> dict[str, Any]:
    """Rows, figures, readings and problems; undefined figures are null."""
    found = results.agreement
    return {
        "rows": [_row_as_json(each, translate) for each in results.rows],
        "histogram": list(results.histogram),
        "agreement": found and asdict(found),
        "readings": [
            {"code": code, "message": sentence}
            for code, sentence in readings_of(results, translate).items()
        ],
        "problems": [problem_as_json(problem, translate) for problem in results.problems],
    }


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """The score and what each combo gives."""
    return {"score": outcome.score, "combos": dict(outcome.points)}


def problem_as_json(problem: Problem, translate: Translate) -> dict[str, Any]:
    """A problem with its code, its sentence, and as much of its place as it has."""
    places = {name: getattr(problem, name) for name in ("line", "combo", "atom", "column")}
    return {
        "code": problem.code,
        "message": describe(problem, translate),
        "blocks": problem.blocks,
        **{name: place for name, place in places.items() if place is not None},
    }


def _outcome(scorer: Scorer, row: Row) -> Outcome:
    blocking = [problem for problem in row.problems if problem.blocks]
    return scorer.refusal(blocking[0]) if blocking else scorer.score(row.blanks)


def _row_as_json(each: ScoredRow, translate: Translate) -> dict[str, Any]:
    found = {"line": each.row.line, "text": each.row.text, **outcome_as_json(each.outcome)}
    if each.row.label is not None:
        found["label"] = each.row.label
    problems = (*each.own_problems, *each.outcome.warnings)
    if problems:
        found["problems"] = [problem_as_json(problem, translate) for problem in problems]
    return found
