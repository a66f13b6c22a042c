"""A set whose essays are settled, and people who say what becomes of it."""

from __future__ import annotations

from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from review.models import SetProtocol, Verdict
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from review.services.reopening import reopen_check
from review.services.verdicts import approve_set, return_set, seen_of, verify_set
from scoring.services.grading import grade
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)

RULE = "mean-third/total"


def settled_set(count: int = 2, rule: str | None = RULE, name: str = "March") -> EssaySet:
    """A set of so many essays, each checked twice alike and settled."""
    rules = {"eng": rule} if rule else None
    essay_set: EssaySet = EssaySetFactory(name=name, rules__final_grades=rules)
    for number in range(1, count + 1):
        settle(EssayFactory(essay_set=essay_set, number=str(number)))
    return essay_set


def settle(essay: Essay) -> None:
    for role in (Assignment.Role.FIRST, Assignment.Role.SECOND):
        check = AssignmentFactory(essay=essay, role=role, state="submitted")
        grade(markup_id=submitted(essay, assignment=check).pk)
    arbitrate(essay_id=essay.pk)
    settle_grade(essay_id=essay.pk)


def judge(**more):
    return PersonFactory(role="judge", **more)


def member(**more):
    return PersonFactory(role="commission", **more)


def verify(essay_set: EssaySet, actor=None, **more) -> Verdict:
    seen = more.pop("seen", None) or seen_of(essay_set)
    return verify_set(essay_set=essay_set, actor=actor or judge(), seen=seen, **more)


def approve(essay_set: EssaySet, actor=None, **more) -> Verdict:
    seen = more.pop("seen", None) or seen_of(essay_set)
    return approve_set(essay_set=essay_set, actor=actor or member(), seen=seen, **more)


def give_back(essay_set: EssaySet, actor=None, reason: str = "Look at 2", **more) -> Verdict:
    seen = more.pop("seen", None) or seen_of(essay_set)
    return return_set(essay_set=essay_set, actor=actor or judge(), seen=seen, reason=reason)


def a_check(essay_set: EssaySet, number: str = "2") -> MarkupRecord:
    """The first check of an essay."""
    found = MarkupRecord.objects.select_related("assignment__essay")
    return found.get(essay__essay_set=essay_set, essay__number=number, assignment__role="first")


def reopen(essay_set, reason="Look at K4"):
    check = a_check(essay_set).assignment
    coordinator = PersonFactory(role="coordinator")
    return reopen_check(assignment=check, actor=coordinator, reason=reason)


def history():
    """Each protocol: what was said of it, and why it is void."""
    return [
        ([each.kind for each in row.verdicts.order_by("pk")], row.voided_because, row.reason)
        for row in SetProtocol.objects.order_by("pk")
    ]
