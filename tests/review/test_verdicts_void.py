"""What voids the protocol of a set, and what does not."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from accounts.models import AuditEntry
from annotator.models import MarkupRecord
from annotator.services.markup import submit_markup
from annotator.services.set_acts import delete_set
from annotator.services.versions import correct_essay, replace_essay
from annotator.signals import essays_came, rules_changed
from jobs.models import Job
from review.models import SetProtocol, ThirdCheck
from review.services.finals import settle_grade
from scoring.models import CriteriaRecord
from scoring.services.regrading import regrade
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)
from tests.review.verdicts import (
    a_check,
    approve,
    history,
    reopen,
    settle,
    settled_set,
    verify,
)
from tests.scoring.work import run_all
from web.refusals import Refused

pytestmark = pytest.mark.django_db


def by_a_reopened_check(essay_set):
    reopen(essay_set, "Look at K4")
    return ("reopened", "Look at K4", "2")


def by_a_new_version(essay_set):
    essay = essay_set.essays.get(number="2")
    replace_essay(essay=essay, text="Others.", reason="A page was lost", actor=PersonFactory())
    return ("version", "A page was lost", "2")


def by_other_points(essay_set):
    record = a_check(essay_set)
    CriteriaRecord.objects.filter(markup=record).update(total=1)
    regrade(markup_ids=[record.pk])
    run_all()
    return ("regraded", "", "")


def by_a_third_check_that_came(essay_set):
    check = AssignmentFactory(essay=essay_set.essays.get(number="2"), role="third", state="working")
    record = MarkupRecord.objects.create(
        essay=check.essay, author=check.expert, assignment=check, third=True, source="expert"
    )
    submit_markup(record=record, version=0)
    return ("changed", "", "2")


def by_a_decision_taken_anew(essay_set):
    essay = essay_set.essays.get(number="2")
    ThirdCheck.objects.filter(essay=essay).update(needed=True)
    settle_grade(essay_id=essay.pk)
    return ("changed", "", "2")


def by_essays_that_came(essay_set):
    essays_came.send(sender=None, set_id=essay_set.pk)
    return ("essays", "", "")


def by_other_rules(essay_set):
    rules_changed.send(sender=None, set_id=essay_set.pk)
    return ("rules", "", "")


@pytest.mark.parametrize(
    "changed",
    [
        by_a_reopened_check,
        by_a_new_version,
        by_other_points,
        by_a_third_check_that_came,
        by_a_decision_taken_anew,
        by_essays_that_came,
        by_other_rules,
    ],
)
def test_a_later_change_voids_the_protocol_and_says_why(changed):
    essay_set = settled_set()
    verify(essay_set)
    approve(essay_set)

    expected = changed(essay_set)

    row = SetProtocol.objects.get()
    assert (row.voided_because, row.reason, row.about) == expected
    assert row.voided_at is not None
    assert row.verdicts.count() == 2
    entry = AuditEntry.objects.get(action="protocol.voided")
    assert (entry.object_id, entry.details["because"]) == (str(row.pk), expected[0])


def test_another_set_keeps_its_protocol():
    essay_set, other = settled_set(), EssaySetFactory(rules__final_grades={"eng": "median/total"})
    settle(EssayFactory(essay_set=other, number="1"))
    verify(other)
    verify(essay_set)

    reopen(essay_set)

    assert {row.essay_set: row.voided_because for row in SetProtocol.objects.all()} == {
        other: "",
        essay_set: "reopened",
    }


def test_what_changed_without_a_word_is_found_before_it_is_approved():
    essay_set = settled_set()
    verify(essay_set)
    CriteriaRecord.objects.filter(markup=a_check(essay_set)).update(total=1)

    with pytest.raises(Refused, match="judges verify the set first"):
        approve(essay_set)

    assert history() == [(["verified"], "changed", "")]


def test_what_is_said_about_an_essay_may_be_corrected():
    essay_set = settled_set()
    verify(essay_set)
    essay = essay_set.essays.get(number="2")
    names = ("theme", "task_text", "class_name", "year", "category", "test")
    values = {name: getattr(essay, name) for name in names} | {"theme": "Sport"}

    correct_essay(essay=essay, seen=0, actor=PersonFactory(), values=values)
    approve(essay_set)

    assert history() == [(["verified", "approved"], "", "")]


def test_after_a_change_the_set_is_verified_anew():
    essay_set = settled_set()
    first = verify(essay_set).protocol
    record = reopen(essay_set)
    record.refresh_from_db()
    submit_markup(record=record, version=record.version)
    run_all()

    second = verify(essay_set).protocol

    assert [kinds for kinds, *_ in history()] == [["verified"], ["verified"]]
    assert first.digest != second.digest


def test_a_job_that_voids_is_safe_to_repeat():
    essay_set = settled_set()
    verify(essay_set)
    by_other_points(essay_set)
    before = SetProtocol.objects.values("voided_at", "voided_because").get()
    Job.objects.filter(key__startswith="void-protocol:").update(state="queued", attempts=0)

    run_all()

    assert SetProtocol.objects.values("voided_at", "voided_because").get() == before


def test_a_set_something_was_said_of_is_not_deleted():
    essay_set = EssaySetFactory()
    protocol = SetProtocol.objects.create(
        essay_set=essay_set,
        content="{}",
        digest="0",
        essays=0,
        voided_at=Now(),
        voided_because="essays",
    )

    with pytest.raises(Refused, match="written down of it"):
        delete_set(essay_set=essay_set, actor=PersonFactory())

    assert SetProtocol.objects.get() == protocol
