"""Sets with terms, and checks whose deadlines lie before or behind the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core import mail
from django.db.models.functions import Now

import review.tasks  # noqa: F401 - a worker knows the kinds of work
from accounts.models import User
from annotator.models import Assignment
from jobs.models import Job
from jobs.services.work import claim
from jobs.tasks import carry_out
from review.models.deadlines import SetTerms
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
REMINDING = {"before_hours": 24, "at_deadline": True, "every_days": 2, "times": 2}


def set_with_terms(**terms):
    """A set whose terms are these."""
    essay_set = EssaySetFactory()
    SetTerms.objects.create(essay_set=essay_set, **terms)
    return essay_set


def expert(**fields):
    fields.setdefault("email", f"{fields.get('username', 'somebody')}@school.example")
    return PersonFactory(**fields)


def now() -> datetime:
    """The database's clock."""
    return User.objects.annotate(now=Now()).values_list("now", flat=True)[:1].get()


def check(essay_set, person, *, left, **fields):
    """A check of an essay of the set, due in so much time."""
    essay = EssayFactory(essay_set=essay_set, **fields.pop("essay", {}))
    made = AssignmentFactory(essay=essay, expert=person, **fields)
    return move(made, left)


def move(made, left):
    """Let a check be due in so much time from now, by the database's clock."""
    Assignment.objects.filter(pk=made.pk).update(deadline_at=Now() + left)
    made.refresh_from_db()
    return made


def work_off():
    """Do all jobs that wait, as a worker would."""
    for job in list(Job.objects.filter(state=Job.State.QUEUED).order_by("pk")):
        held = claim(job_id=job.pk)
        if held is not None:
            carry_out(held)


def letters():
    """Whom letters went to, by their first lines of checks."""
    return [(tuple(sent.to), numbers_in(sent.body)) for sent in mail.outbox]


def numbers_in(body: str) -> list[str]:
    """The numbers of the essays a letter names."""
    lines = [line for line in body.splitlines() if line.startswith("– ")]
    return [line.removeprefix("– ").split(",")[0].split()[-1] for line in lines]


def draft_in(essay_set, **fields):
    made = check(essay_set, PersonFactory(), left=DAY, state="working")
    return DraftFactory(assignment=made, **fields)
