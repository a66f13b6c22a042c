"""A rule that is ready to run: answers in, outcomes out, and on request why.

Source: 2.2.2 and 2.3; readings: schemes.md 2.3, 13, 14, 22 and 23. An answer that cannot be scored
gives an outcome that says so; no answer can stop the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import add, mul
from typing import Final

from schemes.core.coscore.answer import Answer, refuse
from schemes.core.coscore.checking import check_rule
from schemes.core.coscore.desc import weight
from schemes.core.coscore.errors import AnswerError, RuleError
from schemes.core.coscore.expression import parse
from schemes.core.coscore.limits import MAX_SCORE
from schemes.core.coscore.matching import MATCHERS, Matcher
from schemes.core.coscore.nodes import Constant, Node
from schemes.core.coscore.outcomes import AskedAtom, Explanation, Outcome, Step
from schemes.core.coscore.problems import Problem
from schemes.core.coscore.readings import readings_of
from schemes.core.coscore.running import Run, Watch, build, computed
from schemes.core.coscore.values import Combo, ComboMode, Mode, Number, Rule, Value

LOWEST: Final = 0
HIGHEST: Final = 10


class Scorer:
    """A rule, prepared once. Raises ``RuleError`` for a rule that cannot run."""

    def __init__(self, rule: Rule) -> None:
        blocking = tuple(problem for problem in check_rule(rule) if problem.blocks)
        if blocking:
            raise RuleError(blocking)
        self.rule = rule
        self._trees = {key: parse(combo.expression) for key, combo in rule.combos.items()}
        self._runs = {key: build(tree) for key, tree in self._trees.items()}
        self._matchers: dict[str, tuple[Matcher, int]] = {
            key: (MATCHERS[atom.type](atom), weight(atom)) for key, atom in rule.atoms.items()
        }
        self.readings = readings_of(rule, self._trees)

    def score(self, blanks: Sequence[str]) -> Outcome:
        """Score an answer, given as the texts of its blanks."""
        refused = refuse(blanks)
        if refused:
            return self.refusal(refused)
        return self._outcome(Answer(tuple(blanks), self._matchers), self._runs)

    def explain(self, blanks: Sequence[str]) -> Explanation:
        """Score an answer and keep every step."""
        steps: dict[str, list[Step]] = {key: [] for key in self._trees}
        refused = refuse(blanks)
        if refused:
            return _explanation(self.refusal(refused), steps, ())
        runs = {
            key: build(tree, _watch(self.rule.combos[key].expression, steps[key]))
            for key, tree in self._trees.items()
        }
        answer = Answer(tuple(blanks), self._matchers)
        outcome = self._outcome(answer, runs)
        asked = (
            AskedAtom(atom, text, logic, value, tuple(self._matchers[atom][0].sights(text)))
            for (atom, text), (logic, value) in answer.verdicts.items()
        )
        return _explanation(outcome, steps, asked)

    def refusal(self, problem: Problem) -> Outcome:
        """The outcome of an answer that cannot be tried."""
        points = dict.fromkeys(self.rule.combos)
        return Outcome(None, points, (problem,), readings=self.readings)

    def _outcome(self, answer: Answer, runs: Mapping[str, Run]) -> Outcome:
        points: dict[str, Number | None] = {}
        errors: list[Problem] = []
        warnings: list[Problem] = []
        for key, combo in self.rule.combos.items():
            try:
                points[key], warned = _points(runs[key](answer), combo)
            except AnswerError as error:
                points[key] = None
                errors.append(_problem(error, key))
            else:
                if warned:
                    warnings.append(Problem(warned, combo=key, blocks=False))
        score = None
        if not errors:
            try:
                score = self._total([each for each in points.values() if each is not None])
            except AnswerError as error:
                errors.append(_problem(error, None))
        shown = {key: _bounded(each) for key, each in points.items()}
        return Outcome(score, shown, tuple(errors), tuple(warnings), self.readings)

    def _total(self, points: list[Number]) -> Number:
        """2.3: the sum, added up in the order of the rule, or the maximum; from 0 to 10."""
        if self.rule.combo_mode is ComboMode.MAX:
            return max(LOWEST, min(HIGHEST, max(points)))
        total: Number = 0
        for each in points:
            total = computed(add, total, each)
        return max(LOWEST, min(HIGHEST, total))


def _points(value: Value, combo: Combo) -> tuple[Number, str | None]:
    """2.2.2.3 and 2.2.2.4: a combo's points, and the code of a warning when its kind is odd."""
    if isinstance(value, str):
        raise AnswerError("always-text")
    is_truth = isinstance(value, bool)
    if combo.mode is Mode.LOGIC:
        return combo.score if value else 0, None if is_truth else "number-as-truth"
    # "or 0" makes a plain zero of -0.0
    return computed(mul, value, combo.score) or 0, "truth-as-number" if is_truth else None


def _bounded(points: Number | None) -> Number | None:
    """Points as they are shown: whole numbers of more than 300 digits are cut to that size."""
    if isinstance(points, int) and abs(points) >= MAX_SCORE:
        return float(MAX_SCORE) if points > 0 else -float(MAX_SCORE)
    return points


def _problem(error: AnswerError, combo: str | None) -> Problem:
    return Problem(error.code, error.atom, combo, column=error.column, fields=error.fields)


def _watch(expression: str, steps: list[Step]) -> Watch:
    """Writes down the value of every node but plain numbers."""

    def watch(node: Node, run: Run) -> Run:
        if isinstance(node, Constant):
            return run

        def looked_on(answer: Answer) -> Value:
            value = run(answer)
            source = expression[node.start : node.end]
            steps.append(Step(node.start, node.end, source, _shown(value)))
            return value

        return looked_on

    return watch


def _shown(value: Value) -> Value:
    if isinstance(value, str | bool):
        return value
    return _bounded(value) or 0


def _explanation(
    outcome: Outcome, steps: Mapping[str, Iterable[Step]], asked: Iterable[AskedAtom]
) -> Explanation:
    return Explanation(outcome, {key: tuple(each) for key, each in steps.items()}, tuple(asked))
