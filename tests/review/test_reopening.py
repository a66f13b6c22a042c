from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, User
from annotator.core.values import Fragment, Span
from annotator.models import Assignment, EssaySet, MarkupRecord
from annotator.services.drafts import add_fragment
from annotator.services.markup import submit_markup
from annotator.services.refusals import MarkupConflict
from jobs.models import Job
from jobs.services.work import LeaseLost, claim, holding
from review.models import ThirdCheck
from review.queries.settling import thirds_nobody_has
from review.services.arbitration import assign_waiting_thirds
from review.services.assigning import withdraw
from review.services.reopening import reopen_check
from scoring.models import CriteriaRecord, PairScore
from scoring.services.grading import grade
from tests.e2e.essays import GAP, people, two_checks
from tests.factories import AssignmentFactory, DraftFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.review.test_acts import sent_by
from tests.review.thirds import settle_rest
from tests.scoring.work import run_all
from web.refusals import Refused

pytestmark = pytest.mark.django_db

REASON = "The file was cut off"
IS_OPEN = (
    "The first check was reopened. Go on: when it is submitted again, the need for a third check"
    " is decided anew."
)


@pytest.fixture
def checks():
    """Two submitted checks so far apart that a third expert is at work."""
    one, other, _third = people(3)
    made = two_checks(one, other)
    for record in (made.first, made.second):
        submit_markup(record=record, version=0)
    run_all()
    return made


@pytest.fixture
def coordinator():
    return PersonFactory(role=User.Role.COORDINATOR)


def reopen(record, actor, reason=REASON):
    return reopen_check(assignment=record.assignment, actor=actor, reason=reason)


def now(record):
    return MarkupRecord.objects.select_related("assignment").get(pk=record.pk)


def states(record):
    found = now(record)
    return found.state, found.assignment.state


def submit_again(record, *fragments):
    for each in fragments:
        found = now(record)
        uid = uuid.UUID(int=each.span.start)
        add_fragment(record=found, version=found.version, uid=uid, fragment=each)
    submit_markup(record=now(record), version=now(record).version)
    run_all()


def test_a_reopened_check_is_a_draft_again_with_all_its_fragments(checks, coordinator):
    before, submitted = now(checks.second), list(checks.second.fragments.values())

    reopen(checks.second, coordinator)

    after = now(checks.second)
    assert states(checks.second) == ("draft", "working")
    assert list(after.fragments.values()) == submitted
    assert (after.version, after.submitted_at) == (before.version + 1, None)
    assert after.assignment.deadline_at > timezone.now()
    assert after.reopened_because == REASON


def test_who_reopened_it_and_why_is_written_down(checks, coordinator):
    due = datetime(2026, 3, 1, 9, tzinfo=UTC)
    Assignment.objects.filter(pk=checks.first.assignment_id).update(deadline_at=due)
    submitted_at = now(checks.first).assignment.submitted_at

    reopen(checks.first, coordinator)

    entry = AuditEntry.objects.get(action="markup.reopened")
    assert (entry.actor, entry.object_id) == (coordinator, str(checks.first.pk))
    assert entry.details == {
        "essay": checks.essay.pk,
        "reason": REASON,
        "submitted_at": submitted_at.isoformat(),
        "deadline_at": due.isoformat(),
    }


def test_what_was_computed_from_it_counts_no_more_until_it_is_submitted_again(checks, coordinator):
    third = DraftFactory(assignment=checks.thirds().get(), third=True)
    settle_rest(third)
    submit_markup(record=third, version=third.version)
    run_all()

    reopen(checks.first, coordinator)

    kept = {(score.assessed, score.reference) for score in PairScore.objects.all()}
    assert kept == {(checks.second, third), (third, checks.second)}
    assert not CriteriaRecord.objects.filter(markup=checks.first).exists()

    submit_again(checks.first)

    assert PairScore.objects.count() == 6
    assert CriteriaRecord.objects.filter(markup=checks.first).count() == 1


def test_the_points_are_those_of_the_markup_as_it_is_now(checks, coordinator):
    before = CriteriaRecord.objects.get(markup=checks.first).total

    reopen(checks.first, coordinator)
    submit_again(checks.first, *GAP[:8])

    assert CriteriaRecord.objects.get(markup=checks.first).total < before


def test_a_worker_that_is_grading_it_just_then_writes_no_result(checks, coordinator):
    submit_again_job = Job.objects.get(key=f"grade:{checks.first.pk}")
    Job.objects.filter(pk=submit_again_job.pk).update(state="queued", attempts=0)
    held = claim(job_id=submit_again_job.pk)

    reopen(checks.first, coordinator)

    with holding(held), pytest.raises(LeaseLost):
        grade(markup_id=checks.first.pk)
    assert not CriteriaRecord.objects.filter(markup=checks.first).exists()


def test_the_third_expert_keeps_working_and_the_decision_is_taken_again(checks, coordinator):
    third = DraftFactory(assignment=checks.thirds().get(), third=True)

    reopen(checks.first, coordinator)

    assert states(third) == ("draft", "waiting")
    decision = ThirdCheck.objects.get()
    submit_again(checks.first, *GAP)

    again = ThirdCheck.objects.get()
    assert (decision.needed, again.needed, again.reasons) == (True, False, [])
    assert again.decided_at > decision.decided_at
    assert checks.thirds().get().state == "waiting"
    settle_rest(third)
    submit_markup(record=third, version=third.version)
    run_all()
    assert states(third) == ("submitted", "submitted")
    assert ThirdCheck.objects.get().needed is False


def test_the_third_expert_reads_of_it_in_the_queue_and_beside_the_text(checks, coordinator, log_in):
    third = DraftFactory(assignment=checks.thirds().get(), third=True)
    client = log_in(third.author)

    def told():
        row = texts_of(client.get("/queue/"), "tbody .badge")[0:2]
        return row, texts_of(client.get(f"/markups/{third.pk}/"), "[data-reopened]")

    before = told()
    reopen(checks.first, coordinator)
    reopened = told()
    submit_again(checks.first)
    back = told()

    assert before == (["third check"], [])
    assert reopened == (
        ["an earlier check was reopened", "third check"],
        [IS_OPEN],
    )
    assert back == (
        ["an earlier check was reopened", "third check"],
        ["The first check was changed and submitted again after you got the essay."],
    )


def test_its_expert_reads_the_reason(checks, coordinator, log_in):
    reopen(checks.first, coordinator)
    client = log_in(checks.first.author)

    assert REASON in texts_of(client.get("/queue/"), "tbody")[0]
    assert texts_of(client.get(f"/markups/{checks.first.pk}/"), "[data-because]") == [
        f"This check was reopened: {REASON}"
    ]


def test_the_desk_says_that_the_decision_is_open(checks, coordinator, log_in):
    client = log_in(coordinator)
    path = f"/desk/essays/{checks.essay.pk}/"
    anew = "One of the two is open again: this is decided anew once it is submitted."
    kept = "The third check was given before one of them was reopened; it is kept."

    def said():
        return texts_of(client.get(path), ".notice")[0]

    before = said()
    reopen(checks.first, coordinator)
    meanwhile = said()
    submit_again(checks.first, *GAP)

    assert (anew in before, anew in meanwhile, anew in said()) == (False, True, False)
    assert (kept in meanwhile, kept in said()) == (False, True)


def test_nobody_is_called_while_an_earlier_check_is_open_again(checks, coordinator):
    withdraw(assignment=checks.thirds().get(), actor=coordinator)
    assert [check.essay for check in thirds_nobody_has()] == [checks.essay]
    PersonFactory()

    reopen(checks.first, coordinator)

    assert assign_waiting_thirds() == 0
    submit_again(checks.first)
    assert checks.thirds().filter(state="waiting").count() == 1


def test_a_stale_page_of_the_submitted_markup_changes_nothing(checks, coordinator):
    seen = now(checks.first).version

    reopen(checks.first, coordinator)

    with pytest.raises(MarkupConflict):
        submit_markup(record=now(checks.first), version=seen)
    assert states(checks.first) == ("draft", "working")


def closed(checks):
    User.objects.filter(pk=checks.first.author_id).update(is_active=False)


def next_round(checks):
    checks.essay.round = 2
    checks.essay.save(update_fields=["round"])


def open_already(checks):
    reopen(checks.first, None)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (closed, "is not an active expert"),
        (next_round, "belongs to an earlier round"),
        (open_already, "is not submitted"),
    ],
)
def test_what_nobody_could_go_on_with_is_not_reopened(checks, coordinator, change, why):
    change(checks)
    before = states(checks.first)

    with pytest.raises(Refused, match=why):
        reopen(Assignment.objects.get(pk=checks.first.assignment_id).markups.get(), coordinator)

    assert states(checks.first) == before


def test_a_coordinator_reopens_a_check_on_the_desk(checks, coordinator, log_in):
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"

    response = log_in(coordinator).post(path, {"reason": REASON}, follow=True)

    assert response.redirect_chain == [(f"/desk/essays/{checks.essay.pk}/", 302)]
    assert states(checks.first) == ("draft", "working")


def test_after_an_act_the_checks_still_stand_in_the_list_somebody_came_from(
    checks, coordinator, log_in
):
    listed = "?list=desk&state=settled"
    page = page_of(log_in(coordinator).get(f"/desk/essays/{checks.essay.pk}/{listed}"))
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/{listed}"

    assert path in [each["action"] for each in page.find("form[method=post]")]
    response = log_in(coordinator).post(path, {"reason": REASON})
    assert response.headers["Location"] == f"/desk/essays/{checks.essay.pk}/{listed}"
    assert log_in(PersonFactory()).post(path, {"reason": REASON}).status_code == 403


def test_a_second_press_reopens_nothing_once_more_and_says_so(checks, coordinator, log_in):
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"
    client = log_in(coordinator)
    client.post(path, {"reason": REASON})

    again = client.post(path, {"reason": REASON}, follow=True)

    assert texts_of(again, ".messages li")[-1] == "The check is open again already."
    assert AuditEntry.objects.filter(action="markup.reopened").count() == 1
    assert client.post(path, {"reason": "Another one"}).status_code == 422


def test_a_second_press_takes_nothing_away_once_more_and_says_so(coordinator, log_in):
    check = AssignmentFactory()
    path = f"/desk/assignments/{check.pk}/withdraw/"
    client = log_in(coordinator)
    answer = sent_by(page_of(client.get(path)))

    first, again = (client.post(path, answer) for _press in range(2))
    later = client.get(path, follow=True)

    assert first["Location"] == again["Location"]
    assert texts_of(later, ".messages li")[-1] == "The check is taken away already."
    assert AuditEntry.objects.filter(action="assignment.withdrawn").count() == 1


def archived(checks):
    EssaySet.objects.filter(pk=checks.essay.essay_set_id).update(state="archived")


@pytest.mark.parametrize(
    ("change", "why"),
    [(closed, "is not an active expert. Open the account first."), (archived, "is in the archive")],
)
def test_what_would_be_refused_is_not_offered_and_the_reason_stands_there(
    checks, coordinator, log_in, change, why
):
    desk, address = log_in(coordinator), f"/desk/essays/{checks.essay.pk}/"
    reopen_first = f"form[action=/desk/assignments/{checks.first.assignment_id}/reopen/]"
    offered = page_of(desk.get(address)).find(reopen_first)
    change(checks)

    page = page_of(desk.get(address))

    assert (len(offered), page.find(reopen_first)) == (1, [])
    row = page.find("tbody tr")[0].text
    assert "Not to be reopened:" in row
    assert why in row


def test_a_reason_must_be_given(checks, coordinator, log_in):
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"

    response = log_in(coordinator).post(path, {"reason": " "})

    assert response.status_code == 422
    assert states(checks.first) == ("submitted", "submitted")


def test_of_a_reason_that_is_too_long_the_limit_is_said(checks, coordinator, log_in):
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"

    response = log_in(coordinator).post(path, {"reason": "x" * 301})

    assert response.status_code == 422
    assert texts_of(response, "#notice") == [
        "Reason: Ensure this value has at most 300 characters (it has 301)."
    ]


@pytest.mark.parametrize("role", ["judge", "commission", "expert", "participant"])
def test_others_reopen_nothing(checks, log_in, role):
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"

    response = log_in(PersonFactory(role=role)).post(path, {"reason": REASON})

    assert response.status_code == 403
    assert states(checks.first) == ("submitted", "submitted")


def test_the_third_check_may_be_reopened_too(checks, coordinator):
    third = DraftFactory(assignment=checks.thirds().get(), third=True)
    settle_rest(third)
    submit_markup(record=third, version=third.version)
    run_all()

    reopen(now(third), coordinator)

    assert states(third) == ("draft", "working")
    assert ThirdCheck.objects.get().needed is True
    fragment = Fragment(Span(0, 4), "А.грамм")
    submit_again(third, fragment)
    assert CriteriaRecord.objects.filter(markup=third).count() == 1
