"""A set is closed while checks of it are given: one waits for the other, and sees what it did."""

from __future__ import annotations

import threading
import time
import uuid
from functools import partial

import pytest
from django.db import connection, connections, transaction

from accounts.models import Specialism, User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.services.archives import NamedBytes
from annotator.services.assignment import hold_in_state
from annotator.services.imports.importing import Options as ImportOptions
from annotator.services.imports.importing import import_files
from annotator.services.practising import start_try
from annotator.services.set_acts import bring_into
from review.core.plan_options import Options
from review.models.plans import PlannedCheck
from review.services.acts import Kind, Wish, carry_out, plan_of, undo
from review.services.assigning import assign_expert, assign_third_expert, assign_two_experts
from review.services.plans import confirm_plan, preview_plan
from review.services.reopening import reopen_check
from tests.e2e.essays import people
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, submitted
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.full

CHECKED = "Предмет: английский\n\nHe (\\ А.грамм \\ have >> has \\) a dog.".encode()

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


class Apart:
    """A call on a connection of its own."""

    def __init__(self, call):
        self.call, self.answer = call, None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            self.answer = self.call()
        except Exception as error:
            self.answer = error
        finally:
            connections.close_all()

    def waits(self):
        """Does it wait for a lock? It is given a minute to come to it."""
        for _each in range(1200):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_stat_clear_snapshot()")  # kept within a transaction
                cursor.execute(WAITING)
                if cursor.fetchone()[0]:
                    return True
            if not self.thread.is_alive():
                return False
            time.sleep(0.05)
        return False

    def done(self):
        self.thread.join(30)
        return self.answer


@pytest.fixture
def coordinator(stack):
    if not stack.database_url.startswith("postgres"):
        pytest.skip("SQLite has one writer at a time")
    yield people(1, User.Role.COORDINATOR)[0]
    # what was made here without its jobs would stand there as promises that were broken
    rounds = Assignment.objects.filter(essay__essay_set__name__startswith="closing ")
    PlannedCheck.objects.filter(assignment__in=rounds).delete()
    MarkupRecord.objects.filter(essay__essay_set__name__startswith="closing ").delete()
    rounds.delete()


def essay_in(state="open", **fields):
    name = f"closing {uuid.uuid4().hex[:8]}"
    return EssayFactory(essay_set=EssaySetFactory(name=name, state=state, **fields))


def brought_into(state, essay, coordinator):
    seen = EssaySet.objects.get(pk=essay.essay_set_id)
    return partial(bring_into, essay_set=seen, state=state, seen=seen.revision, actor=coordinator)


def one(essay, coordinator):
    (expert,) = people(1)
    role = Assignment.Role.FIRST
    return partial(assign_expert, essay=essay, expert=expert, role=role, actor=coordinator)


def two(essay, coordinator):
    people(2)
    return partial(assign_two_experts, essay=essay, actor=coordinator)


def third(essay, _coordinator):
    people(1)
    return partial(assign_third_expert, essay=essay)


def planned(essay, coordinator):
    people(2)
    plan = preview_plan(options=Options(essay_set=essay.essay_set_id), actor=coordinator)
    return partial(confirm_plan, plan=plan, seen=plan.digest, actor=coordinator)


def handed_over(essay, coordinator):
    holder, heir = people(2)
    for each in (holder, heir):
        Specialism.objects.get_or_create(user=each, subject=essay.subject)
    AssignmentFactory(essay=essay, expert=holder)
    wish = Wish(Kind.HAND_OVER, Essay.objects.filter(pk=essay.pk), expert=heir)
    act = partial(carry_out, key=uuid.uuid4(), wish=wish, actor=coordinator)
    return partial(act, digest=plan_of(wish).digest), heir


def test_nothing_is_handed_over_in_a_set_that_is_just_being_closed(coordinator):
    essay = essay_in()
    hand_over, heir = handed_over(essay, coordinator)
    close = brought_into("closed", essay, coordinator)

    with transaction.atomic():
        close()
        other = Apart(hand_over)
        waited = other.waits()

    assert waited
    assert isinstance(other.done(), Conflict)
    assert not heir.assignments.filter(essay=essay).exists()


def test_nothing_is_put_back_in_a_set_that_is_just_being_archived(coordinator):
    essay = essay_in("closed")
    check = AssignmentFactory(essay=essay, expert=people(1)[0])
    wish = Wish(Kind.WITHDRAW, Essay.objects.filter(pk=essay.pk))
    digest = plan_of(wish).digest
    act = carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=digest)
    archive = brought_into("archived", essay, coordinator)

    with transaction.atomic():
        archive()
        other = Apart(partial(undo, act=act, actor=coordinator))
        waited = other.waits()

    assert waited
    assert isinstance(other.done(), Refused)  # as a whole, so that it may be undone later
    act.refresh_from_db()
    assert (act.undone_at, act.restored) == (None, 0)
    assert Assignment.objects.get(pk=check.pk).state == "withdrawn"


def given(essay):
    return Assignment.objects.filter(essay=essay, state__in=Assignment.ACTIVE).count()


def brought(essay, _coordinator):
    """A file that would bring an essay of its own with an expert's check."""
    name = f"{uuid.uuid4().hex[:8]}_exp1.txt"
    options = ImportOptions(EssaySet.objects.get(pk=essay.essay_set_id), from_markups=True)
    return partial(import_files, [NamedBytes(name, CHECKED)], options)


def test_no_file_brings_a_check_into_a_set_that_is_just_being_closed(coordinator):
    essay = essay_in()
    bring, close = brought(essay, coordinator), brought_into("closed", essay, coordinator)

    with transaction.atomic():
        close()
        other = Apart(bring)
        waited = other.waits()
    (row,) = other.done()

    assert (waited, row.outcome) == (True, "refused")
    assert not MarkupRecord.objects.filter(essay__essay_set=essay.essay_set).exists()


def test_no_try_is_begun_in_a_set_for_practice_that_is_just_being_closed(coordinator):
    essay = essay_in(access="practice")
    submitted(essay, source="key")
    (expert,) = people(1)
    close = brought_into("closed", essay, coordinator)

    with transaction.atomic():
        close()
        other = Apart(partial(start_try, essay=essay, expert=expert))
        waited = other.waits()

    assert waited
    assert isinstance(other.done(), Refused)
    assert not MarkupRecord.objects.filter(essay=essay, author=expert).exists()


@pytest.mark.parametrize("giving", [one, two, third, planned])
def test_no_check_is_given_in_a_set_that_is_just_being_closed(coordinator, giving):
    essay = essay_in()
    give, close = giving(essay, coordinator), brought_into("closed", essay, coordinator)

    with transaction.atomic():
        close()
        other = Apart(give)
        waited = other.waits()
    answer = other.done()

    assert waited
    assert given(essay) == 0, answer


@pytest.mark.parametrize("giving", [one, two, third, planned])
def test_a_set_is_closed_after_the_check_that_is_just_being_given(coordinator, giving):
    essay = essay_in()
    give, close = giving(essay, coordinator), brought_into("closed", essay, coordinator)

    with transaction.atomic():
        give()
        other = Apart(close)
        waited = other.waits()
        count = given(essay)

    assert (waited, other.done()) == (True, True)
    assert given(essay) == count > 0


def test_no_check_is_reopened_in_a_set_that_is_just_being_archived(coordinator):
    essay = essay_in("closed")
    check = AssignmentFactory(essay=essay, expert=people(1)[0], state="submitted")
    submitted(essay, assignment=check)
    archive = brought_into("archived", essay, coordinator)

    with transaction.atomic():
        archive()
        other = Apart(partial(reopen_check, assignment=check, actor=coordinator, reason="why not"))
        waited = other.waits()

    assert waited
    assert isinstance(other.done(), Refused)
    assert Assignment.objects.get(pk=check.pk).state == "submitted"


def test_checks_of_one_set_are_given_at_once(coordinator):
    one_essay = essay_in()
    other_essay = EssayFactory(essay_set=one_essay.essay_set)
    give, give_other = two(one_essay, coordinator), two(other_essay, coordinator)

    with transaction.atomic():
        hold_in_state(one_essay.pk)
        other = Apart(give_other)
        made = other.done()
    give()

    assert [len(each) for each in (made, [*Assignment.objects.filter(essay=one_essay)])] == [2, 2]
