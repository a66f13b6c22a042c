"""A text is replaced while its checks are opened, marked and submitted: nothing is torn."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from accounts.models import User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.services.drafts import add_fragment, open_draft
from annotator.services.markup import submit_markup
from annotator.services.set_acts import bring_into, describe_set
from annotator.services.versions import replace_essay
from review.services.assigning import assign_two_experts
from tests.e2e.database import together
from tests.e2e.essays import draft, people
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.full

ROUNDS = 12


def unexpected(answers):
    return [
        each for each in answers if isinstance(each, Exception) and not isinstance(each, Refused)
    ]


def test_an_essay_is_replaced_once_however_busy_it_is(stack):  # noqa: ARG001 - the rows need the database
    (coordinator,) = people(1, User.Role.COORDINATOR)
    first, second, _third = people(3)
    for _ in range(ROUNDS):
        essay = EssayFactory()
        text = essay.text
        at_work = draft(essay, "first", first)
        waiting = AssignmentFactory(essay=essay, role="second", expert=second)
        marked = words_of(at_work) | {text[0:4]}
        seen = MarkupRecord.objects.get(pk=at_work.pk)
        others = [f"Version {name}. {text}" for name in ("A", "B")]

        answers = together(
            *(
                partial(replace_essay, essay=essay, text=other, reason="Lost", actor=coordinator)
                for other in others
            ),
            partial(submit_markup, record=at_work, version=at_work.version),
            partial(
                add_fragment,
                record=seen,
                version=seen.version,
                uid=uuid.uuid4(),
                fragment=fragment(0, 4),
            ),
            partial(open_draft, assignment=waiting),
            partial(assign_two_experts, essay=essay, actor=coordinator),
        )

        assert unexpected(answers) == []
        latest = Essay.objects.get(LATEST, essay_set=essay.essay_set)
        assert (latest.version, latest.text in others) == (2, True)
        open_checks = Assignment.objects.filter(
            essay__essay_set=essay.essay_set, state__in=["waiting", "working"]
        )
        assert {check.essay for check in open_checks} <= {latest}
        for record in MarkupRecord.objects.filter(essay__essay_set=essay.essay_set):
            assert record.essay_id == record.assignment.essay_id
            assert words_of(record) <= marked


def words_of(record):
    """The words a markup stands on."""
    rows = record.fragments.exclude(start=None)
    return {record.essay.text[row.start : row.end] for row in rows}


def test_of_many_acts_on_one_revision_one_is_done(stack):  # noqa: ARG001 - the rows need the database
    coordinators = people(6, User.Role.COORDINATOR)
    for _ in range(ROUNDS):
        essay_set = EssaySetFactory(state="preparing")
        acts = [
            partial(
                describe_set,
                essay_set=essay_set,
                seen=0,
                actor=person,
                values={"guidelines": person.username},
            )
            for person in coordinators
        ]
        acts += [
            partial(bring_into, essay_set=essay_set, state="open", seen=0, actor=coordinators[0])
        ] * 3

        answers = together(*acts)

        assert unexpected(answers) == []
        assert answers.count(True) == EssaySet.objects.get(pk=essay_set.pk).revision == 1
