"""Fifty experts save at once, ten of them on one essay: what was acknowledged is stored, once."""

from __future__ import annotations

import http.client
import os
import uuid
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlencode

import pytest

from annotator.models import Assignment
from tests.e2e.database import together
from tests.e2e.essays import draft, people
from tests.e2e.once import check_all_saved
from tests.e2e.visitor import Visitor
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory, marking_form

pytestmark = pytest.mark.full

EXPERTS = 50
ON_ONE_ESSAY = 10
SAVES = 100 if os.environ.get("RAZBOR_TEST_TIER") == "long" else 40
"""Of each expert: a hundred are promised, and take minutes on two processors."""
TO_EACH_MARK = 4
"""A mark is made and then changed so often; what it costs grows with the marks on the page."""
LOST = 7
"""The answer of every seventh save is lost: the page sends it again."""
ROLES = Assignment.Role.FIRST, Assignment.Role.SECOND


@dataclass
class Saver:
    """One expert at one draft, and a journal of what was acknowledged."""

    visitor: Visitor
    record: object
    statuses: list[int] = field(default_factory=list)
    acknowledged: list[uuid.UUID] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """Where each mark should end after the last change of it."""

    def save_all(self):
        page = f"/markups/{self.record.pk}/fragments/"
        connection = http.client.HTTPConnection("127.0.0.1", self.visitor.port, timeout=120)
        with closing(connection):
            mark = None
            for number in range(SAVES):
                form = marking_form(self.record, start=0, end=4 + number)
                form["version"] = number
                if number % TO_EACH_MARK == 0:
                    mark = form["uid"]
                    self.ends.append(form["end"])
                    self.save(connection, number, page, form)
                else:
                    self.ends[-1] = form["end"]
                    self.save(connection, number, f"{page}{mark}/", form)

    def save(self, connection, number, path, form):
        for _sent in range(2 if number % LOST == LOST - 1 else 1):
            connection.request("POST", path, urlencode(form), self.visitor.headers)
            answer = connection.getresponse()
            answer.read()
            self.statuses.append(answer.status)
        if answer.status == HTTPStatus.OK:
            self.acknowledged.append(uuid.UUID(form["uid"]))


def drafts():
    """Of as many experts; ten of them check one essay, two in each round of checks."""
    experts = people(EXPERTS)
    essay = EssayFactory(text="Some people think that sport unites people. " * 10)
    for number, expert in enumerate(experts):
        if number >= ON_ONE_ESSAY:
            yield draft(EssayFactory(text=essay.text), Assignment.Role.FIRST, expert)
            continue
        assignment = AssignmentFactory(
            essay=essay,
            expert=expert,
            role=ROLES[number % 2],
            round=1 + number // 2,
            state=Assignment.State.WORKING,
        )
        yield DraftFactory(assignment=assignment)


def test_what_fifty_experts_save_at_once_is_stored_once_and_in_order(stack):
    savers = [Saver(Visitor(stack, each.author), each) for each in drafts()]

    failed = [each for each in together(*(saver.save_all for saver in savers)) if each]

    assert failed == []
    assert Counter(status for saver in savers for status in saver.statuses) == {
        HTTPStatus.OK: EXPERTS * (SAVES + SAVES // LOST)
    }
    for saver in savers:
        check_all_saved(saver.record, saver.acknowledged)
        rows = saver.record.fragments.order_by("pk")
        assert [row.end for row in rows] == saver.ends
    assert [len(saver.acknowledged) for saver in savers] == [SAVES] * EXPERTS
    assert len({saver.record.essay_id for saver in savers[:ON_ONE_ESSAY]}) == 1
