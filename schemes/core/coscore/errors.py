"""Everything CoScore refuses.

* SchemeError                base of what the schemes refuse
  + RuleError                a rule that cannot run; ``problems`` say why
  + ExpressionError          an expression outside the language; caught where rules are checked
  + AnswerError              an expression that has no value for this answer; caught by the scorer
"""

from __future__ import annotations

from schemes.core.coscore.problems import Problem
from schemes.core.errors import SchemeError


class RuleError(SchemeError):
    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("rule-refused")


class ExpressionError(SchemeError):
    def __init__(self, code: str, column: int | None, **fields: object) -> None:
        self.column = column
        super().__init__(code, **fields)


class AnswerError(SchemeError):
    def __init__(
        self, code: str, *, column: int | None = None, atom: str | None = None, **fields: object
    ) -> None:
        self.column = column
        self.atom = atom
        super().__init__(code, **fields)
