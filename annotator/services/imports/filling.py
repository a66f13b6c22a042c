"""Which check of an essay an imported markup of an expert fills (regulation, 7.9).

Every essay is checked by two experts, and by a third one where their points are too far apart.
So a third markup is the third check where the rule calls one, or where its file says that it is
one; any other is kept beside the checks, and that is remarked.
"""

from __future__ import annotations

from accounts.models import User
from annotator.core.problems import Problem
from annotator.models import Assignment, Essay
from annotator.queries.third_checks import FIRST_TWO
from annotator.services.imports.present import Present, third_called
from annotator.services.reading import NamedFile
from annotator.services.refusals import unfit

THIRD = Assignment.Role.THIRD


def check_for(
    file: NamedFile, essay: Essay, author: User, present: Present
) -> tuple[Assignment | None, Problem | None]:
    """The check an imported markup fills, the expert's own or one nobody holds, and a remark.

    Raises ``Refused``.
    """
    mine = next((each for each in present.checks if each.expert == author), None)
    if mine:
        if not mine.is_active:
            raise unfit("holds-no-check", author=str(author))
        return mine, None
    role, remark = _role(file, essay, present)
    if role is None:
        return None, remark
    working = Assignment.State.WORKING
    made = Assignment(essay=essay, round=essay.round, role=role, expert=author, state=working)
    present.checks.append(made)
    return made, remark


def _role(
    file: NamedFile, essay: Essay, present: Present
) -> tuple[Assignment.Role | None, Problem | None]:
    """The role that is free for the markup, if any, and what is remarked."""
    taken = {check.role for check in present.checks if check.is_active}
    says_third = file.file.meta.third
    free = next((role for role in FIRST_TWO if role not in taken), None)
    if free and not says_third:
        return free, None
    if THIRD in taken:
        return None, Problem("third-is-held", blocks=False)
    called = third_called(present, essay.essay_set.rules)
    if says_third:
        return THIRD, Problem("third-by-its-word", blocks=False) if called is False else None
    if called is None:
        return None, Problem("two-are-not-in", blocks=False)
    return (THIRD, None) if called else (None, Problem("third-not-called", blocks=False))
