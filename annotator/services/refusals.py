"""What the services of this app refuse, told in codes and values where it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.file_words import AS_SAID
from annotator.core.messages import sentence_of
from annotator.core.names import copied_from
from annotator.core.problems import Problem, first_of
from annotator.core.telling import problem_as_json
from web.refusals import Conflict, Refused


class Told(Refused):
    """A refusal that says the same in codes and values, for whoever reads of it in another
    language.
    """

    def __init__(self, message: str = "", *, told: Sequence[Problem] = ()) -> None:
        self.told = tuple(told)
        super().__init__(message)

    def __str__(self) -> str:
        return str(self.args[0]) or " ".join(sentence_of(each, _) for each in self.told)


class MarkupConflict(Told, Conflict):
    """Somebody changed the markup since it was seen, or it is closed by now."""


class MarkupHasProblems(Told):
    """The markup cannot be handed in as it is."""

    code = "problems"

    def __init__(
        self, message: str, problems: Iterable[Problem], *, told: Sequence[Problem] = ()
    ) -> None:
        self.problems = tuple(problems)
        super().__init__(message, told=told)

    def listed(self) -> list[dict[str, Any]]:
        return [problem_as_json(problem, _) for problem in first_of(self.problems)]


class RoleTaken(Refused):
    """Another expert holds this check of the essay."""

    code = "role-taken"


def unfit(code: str, **fields: object) -> Told:
    """Why a file does not come in: a code of the catalogue and its values."""
    return Told(told=[Problem(code, fields=fields)])


def refuse_copy(name: str) -> None:
    """Raise ``Refused`` where a file's name, without its ending, looks like that of a copy."""
    original = copied_from(name)
    if original:
        raise unfit("copied-file", name=original)


def told_by(refusal: Refused) -> tuple[Problem, ...]:
    """Codes and values of a refusal; of one that has none the words as they were said."""
    told = refusal.told if isinstance(refusal, Told) else ()
    return told or (Problem(AS_SAID, fields={"words": str(refusal)}),)
