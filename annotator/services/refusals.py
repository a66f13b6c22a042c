"""What the services of this app refuse; caught at the edge by the base and told to the person."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.core.problems import Problem


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """The request is understood and declined; ``str()`` says why and what to do."""

    code = "refused"


class MarkupConflict(Refused):
    """Somebody changed the markup since it was seen, or it is closed by now."""

    code = "conflict"


class MarkupHasProblems(Refused):
    """The markup cannot be handed in as it is."""

    code = "problems"

    def __init__(self, message: str, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(message)


class RoleTaken(Refused):
    """Another expert holds this check of the essay."""

    code = "role-taken"
