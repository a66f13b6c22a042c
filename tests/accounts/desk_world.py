"""What coordinators have to do with, and what they post about it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from accounts.models import User
from annotator.models import Assignment, EssaySet
from jobs.models import Job
from review.core.plan_options import Options
from review.models import Export, Note
from review.models.acts import BulkAct
from review.models.deadlines import CalendarDay, LetterTerms
from review.models.plans import ExpertConflict, Pin, Plan, PlannedCheck
from review.services.agreeing import compute_agreement
from review.services.plans import preview_plan
from review.services.verdicts import return_set, seen_of
from tests.factories import (
    EssaySetFactory,
    PersonFactory,
)

SECRET = "Zanzibar"
Objects = dict[str, dict[str, Any]]


def deadlines(essay_set: EssaySet) -> Objects:
    """A set with its terms to come, a day of the calendar, an address that was refused."""
    day = CalendarDay.objects.create(day="2030-05-02", note=SECRET)
    person = PersonFactory(username=f"{SECRET}-mute", email="mute@example.org")
    refused = LetterTerms.objects.create(
        person=person, refused_address=person.email, refused_at="2026-01-01T00:00:00Z"
    )
    return {
        "closed-set": {"pk": essay_set.pk},
        "calendar-day": {"pk": day.pk},
        "refused": {"pk": refused.pk},
    }


def bodies_of_deadlines(check: int) -> Objects:
    expert = Assignment.objects.get(pk=check).expert
    User.objects.filter(pk=expert.pk).update(email="waiting@school.example")
    Assignment.objects.filter(pk=check).update(deadline_at=Now() + timedelta(days=3))
    moved = {"checks": [check], "working_days": 3, "reason": "illness"}
    terms = {"zone": "Europe/Moscow", "due_by": "days"}
    return {
        "review:extend": moved,
        "review:remind_people": {"key": str(uuid.uuid4()), "person": [expert.pk]},
        "review:terms": terms,
        "review:calendar": {"day": "2030-05-03", "works": "1"},
        "review:letters_language": {"language": "en"},
    }


def plans(check: Assignment) -> Objects:
    """A plan that gave a check, a preview of somebody else, and what plans keep to."""
    coordinator = PersonFactory(role=User.Role.COORDINATOR)
    carried_out = {"state": Plan.State.DONE, "done_at": Now(), "digest": "f" * 64}
    done = Plan.objects.create(actor=coordinator, given=1, **carried_out)
    PlannedCheck.objects.create(plan=done, assignment=check)
    preview = preview_plan(options=Options(), actor=coordinator)
    pair = sorted([check.expert_id, PersonFactory(username=f"{SECRET}-rival").pk])
    conflict = ExpertConflict.objects.create(one_id=pair[0], other_id=pair[1])
    pin = Pin.objects.create(essay=check.essay, expert=check.expert)
    return {
        "plan": {"pk": done.pk},
        "plan-preview": {"pk": preview.pk},
        "conflict": {"pk": conflict.pk},
        "pin": {"pk": pin.pk},
    }


def bodies_of_plans(expert: User) -> Objects:
    """What a coordinator posts of limits, conflicts and pins."""
    other = PersonFactory(username=f"{SECRET}-other")
    return {
        "review:limits": {f"checks-{expert.pk}": 3},
        "review:conflict": {"one": expert.username, "other": other.username},
        "review:pin": {"expert": other.pk},
    }


def essay_sets(opened: EssaySet) -> Objects:
    """A set with essays, and an empty one of finals."""
    finals = EssaySetFactory(name=f"{SECRET} finals", access=EssaySet.Access.FINAL)
    return {"set": {"pk": opened.pk}, "finals": {"pk": finals.pk}}


def bodies_of_sets(opened: EssaySet) -> Objects:
    """What coordinators post about a set and its essays."""
    said = {"name": "Mine", "access": "closed", "rules": opened.rules_id, "seen": 0}
    weights = {f"w{number}": 2 for number in range(1, 7)}
    rules = {**weights, "hardness": 1, "third_total": "all", "days_to_mark": 1}
    return {
        "annotator:new_set": said,
        "annotator:describe_set": {**said, "name": "Renamed"},
        "annotator:set_state": {"state": "closed", "seen": 0},
        "annotator:publish_set": {"seen": 0},
        "annotator:new_rules": {**rules, "newest": 1, "seen": 0},
        "annotator:correct_essay": {"theme": "Mine", "seen": 0},
        "annotator:replace_essay": {"text": "Mine.", "reason": "Why not"},
    }


def notes(check: Assignment) -> Objects:
    """A message of an expert that waits for an answer."""
    return {"note": {"pk": Note.objects.create(assignment=check, words=SECRET).pk}}


def bodies_of_notes() -> Objects:
    key = "2b3f2f6e-4d0c-4a3e-9a53-0a7a7d3f6f11"
    return {
        "review:write_note": {"words": "Is this a copy?", "key": key},
        "review:answer_note": {"words": "It is."},
    }


def of_the_desk() -> Objects:
    """An act on many checks, and a job that failed."""
    act = BulkAct.objects.create(kind="withdraw", actor=PersonFactory(role="coordinator"))
    job = Job.objects.create(key=f"{SECRET} job", kind="none", state=Job.State.FAILED)
    return {"act": {"uuid": act.key}, "job": {"pk": job.pk}}


def figures(essay_set: EssaySet, participant: User) -> Objects:
    """Where the experts of a set differ, and its training file, which the participant ordered."""
    compute_agreement(set_id=essay_set.pk)
    kind, form = Export.Kind.TRAINING, Export.Form.JSONL
    export = Export.objects.create(
        owner=participant, kind=kind, form=form, essay_set=essay_set, digest=SECRET, language="en"
    )
    return {"set": {"pk": essay_set.pk}, "export": {"key": export.uuid}}


def set_protocol(essay_set: EssaySet) -> Objects:
    """What a judge returned of a set once: nothing of it stands."""
    judge = PersonFactory(role="judge", username=f"{SECRET}-judge")
    seen = seen_of(essay_set)
    said = return_set(essay_set=essay_set, actor=judge, seen=seen, reason=f"{SECRET} reason")
    return {"set-protocol": {"pk": said.protocol_id}}


def bodies_of_verdicts(set_id: int) -> Objects:
    """What a judge says of a set that is done."""
    essay_set = EssaySet.objects.select_related("rules").get(pk=set_id)
    return {"review:say_verdict": {"kind": "verified", "seen": seen_of(essay_set)}}
