"""Whoever gives checks holds rows in one order: sets, essays, people, checks. On PostgreSQL two who
hold the same rows in another order would wait for each other until one is thrown out.
"""

from __future__ import annotations

import threading
import time
import uuid
from functools import partial

import pytest
from django.db import connection, transaction

from annotator.core.values import Fragment, MarkedFile, Markup, Meta, Span
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.services.assignment import hold_in_state
from annotator.services.markup import Brought, send_markup, store_markups
from review.models.acts import BulkAct
from review.services.acts import Wish, carry_out, plan_of, undo
from review.services.assigning import give
from tests.e2e.database import connected, together
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.services import copy_of
from web.refusals import Conflict

pytestmark = pytest.mark.full

FIRST, SECOND = Assignment.Role.FIRST, Assignment.Role.SECOND
WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted"
"""Unlike the list of who does what, read anew each time within a transaction."""


@pytest.fixture(scope="module", autouse=True)
def server(postgres_tables, django_db_blocker):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        yield


def until_somebody_waits():
    """The other one has come upon a row of ours."""
    for _try in range(1200):
        with connection.cursor() as cursor:
            cursor.execute(WAITS)
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.05)
    raise AssertionError("nobody waited")


def held(act, *rows, then):
    """Do an act while another transaction holds these rows and goes on once the act waits."""
    is_held = threading.Event()

    @transaction.atomic
    def other():
        for hold in rows:
            hold()
        is_held.set()
        until_somebody_waits()
        return then()

    def after():
        is_held.wait(60)
        return act()

    return together(other, after)


def test_checks_are_handed_over_while_one_is_given_to_the_same_expert():
    essay = EssayFactory(essay_set=EssaySetFactory(name=uuid.uuid4().hex[:8]))
    AssignmentFactory(essay=essay, role=FIRST)
    expert, coordinator = PersonFactory(), PersonFactory(role="coordinator")
    wish = Wish(BulkAct.Kind.HAND_OVER, Essay.objects.filter(pk=essay.pk), expert=expert)
    act = partial(
        carry_out,
        key=uuid.uuid4(),
        wish=wish,
        actor=coordinator,
        digest=plan_of(wish).digest,
    )

    given, done = held(
        act,
        partial(hold_in_state, essay.pk),
        then=lambda: give(hold_in_state(essay.pk), expert, SECOND, None),
    )

    assert given.expert == expert
    assert isinstance(done, Conflict)  # the expert has the essay now
    checks = essay.assignments.filter(state__in=Assignment.ACTIVE)
    assert list(checks.order_by("role").values_list("role", flat=True)) == [FIRST, SECOND]


def test_an_algorithm_sends_while_an_import_brings_its_markup_of_the_same_essay():
    essay = EssayFactory(essay_set=EssaySetFactory(name=uuid.uuid4().hex[:8]))
    lynx = PersonFactory(role="participant")
    file = MarkedFile(Meta(), Markup(essay.text, (Fragment(Span(0, 4), "А.лекс"),)))
    source = MarkupRecord.Source.ALGORITHM

    brought, sent = held(
        partial(send_markup, essay=essay, author=lynx, file=file, client_key=None),
        partial(hold_in_state, essay.pk),
        then=lambda: store_markups([Brought(essay, lynx, source, file)]),
    )

    assert [type(each) for each in (brought, sent)] == [list, tuple]
    assert essay.markups.exclude(state="superseded").count() == 1


def test_acts_of_two_coordinators_with_the_same_people_end_and_are_undone():
    one, other = EssaySetFactory(name=uuid.uuid4().hex[:8]), EssaySetFactory()
    experts = [PersonFactory() for _ in range(3)]
    coordinators = [PersonFactory(role="coordinator") for _ in range(2)]
    for essay_set in (one, other):
        for essay in EssayFactory.create_batch(6, essay_set=essay_set):
            AssignmentFactory(essay=essay, role=FIRST, expert=experts[0])

    for turn in range(4):
        wishes = [
            Wish(BulkAct.Kind.HAND_OVER, Essay.objects.filter(essay_set=each), expert=experts[at])
            for each, at in ((one, 1 + turn % 2), (other, 2 - turn % 2))
        ]
        acts = [
            partial(
                carry_out,
                key=uuid.uuid4(),
                wish=wish,
                actor=actor,
                digest=plan_of(wish).digest,
            )
            for wish, actor in zip(wishes, coordinators, strict=True)
        ]
        done = together(*acts)
        assert [type(each) for each in done] == [BulkAct, BulkAct]
        undone = together(
            *(partial(undo, act=each, actor=each.actor) for each in done),
        )
        assert [each.restored for each in undone] == [6, 6]
