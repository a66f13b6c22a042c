"""Essays in every state the desk tells apart, made in a few statements."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import product

from django.utils import timezone

from annotator.models import Assignment, Essay, MarkupRecord
from jobs.models import Job
from review.models import ThirdCheck
from scoring.models import CriteriaRecord
from tests.factories import EssaySetFactory, PersonFactory

FIRST_TWO = [None, "waiting", "working", "submitted", "returned", "withdrawn"]
THIRD = [None, "waiting", "submitted", "returned"]
DECIDED = [None, True, False]


def every_state() -> list[Essay]:
    """All combinations of states of three checks and of the decision, in two sets and rounds."""
    sets = [EssaySetFactory(name="Alpha"), EssaySetFactory(name="Beta")]
    cases = list(product(FIRST_TWO, FIRST_TWO, THIRD, DECIDED))
    essays = Essay.objects.bulk_create(
        Essay(
            essay_set=sets[number % 2],
            number=f"{number:04}",
            subject=("eng", "rus", "lit")[number % 3],
            text="Some people think.",
            theme=f"Theme {number % 7}",
            round=1 + number % 5 // 4,
        )
        for number in range(len(cases))
    )
    experts = [PersonFactory(full_name=name) for name in ("Ann", "Bob", "Cid", "Dan", "Eve")]
    add_checks(essays, cases, experts)
    add_decisions(essays, [decided for *_checks, decided in cases])
    return essays


def add_checks(essays: Iterable[Essay], cases: Iterable[tuple], experts: list) -> None:  # type: ignore[type-arg]
    """The checks of each case; deadlines are over for some, and former rounds have theirs."""
    made, now = [], timezone.now()
    for number, (essay, states) in enumerate(zip(essays, cases, strict=True)):
        for place, (role, state) in enumerate(zip(Assignment.Role, states, strict=False)):
            if state is None:
                continue
            expert = experts[(number + place) % len(experts)]
            days = (number + 2 * place) % 4 - 1
            deadline = now + timedelta(days=days, hours=1) if days else None
            check = {"essay": essay, "role": role, "expert": expert, "deadline_at": deadline}
            sent = now - timedelta(days=number % 9) if state == "submitted" else None
            made.append(Assignment(**check, round=essay.round, state=state, submitted_at=sent))
            if essay.round == 2:
                made.append(Assignment(**check, round=1, state="submitted", submitted_at=now))
    Assignment.objects.bulk_create(made)


def add_decisions(essays: list[Essay], decided: Iterable[bool | None]) -> None:
    """Decisions about third checks, with two markups nobody looks into."""
    author, other = PersonFactory(role="participant"), PersonFactory(role="participant")
    markups = MarkupRecord.objects.bulk_create(
        MarkupRecord(essay=essay, author=each, source="algorithm")
        for essay in essays
        for each in (author, other)
    )
    ThirdCheck.objects.bulk_create(
        ThirdCheck(
            essay=essay,
            round=essay.round,
            first=markups[2 * at],
            second=markups[2 * at + 1],
            needed=needed,
        )
        for at, (essay, needed) in enumerate(zip(essays, decided, strict=True))
        if needed is not None
    )


def make_large(count: int) -> None:
    """So many essays with three checks of fifty experts each, given over twenty days, and what
    comes of them: drafts, submitted markups with their points, decisions about thirds, jobs that
    are done.
    """
    essay_set, experts = EssaySetFactory(name="large"), [PersonFactory() for _ in range(50)]
    essays = Essay.objects.bulk_create(
        (
            Essay(essay_set=essay_set, number=f"{at:07}", subject="eng", text="x" * 2000)
            for at in range(count)
        ),
        batch_size=500,
    )
    states, now = ["waiting", "working", "submitted"], timezone.now()
    checks = Assignment.objects.bulk_create(
        (
            Assignment(
                essay=essay,
                role=role,
                expert=experts[(at + 7 * place) % 50],
                state=states[(at // (place + 1)) % 3],
                created_at=now - timedelta(days=20 - at % 20),
                deadline_at=now + timedelta(days=at % 20 - 3, minutes=1),
                submitted_at=now - timedelta(days=10 - at % 20 / 2),
            )
            for at, essay in enumerate(essays)
            for place, role in enumerate(Assignment.Role)
        ),
        batch_size=500,
    )
    _mark_up([each for each in checks if each.state != "waiting"])


def _points(total: int) -> dict[str, int]:
    """Points of five criteria, three at most, that make a total."""
    return {f"K{n}": max(0, min(3, total - 3 * (n - 1))) for n in range(1, 6)}


def _mark_up(checks: list[Assignment]) -> None:
    """A markup of each check: a draft of those in work, points of those that are submitted."""
    now = timezone.now()
    markups = MarkupRecord.objects.bulk_create(
        (
            MarkupRecord(
                essay=check.essay,
                author=check.expert,
                source="expert",
                assignment=check,
                state="submitted" if check.state == "submitted" else "draft",
                submitted_at=check.submitted_at if check.state == "submitted" else None,
                active_at=now - timedelta(days=1 if at % 10 else 5),
            )
            for at, check in enumerate(checks)
        ),
        batch_size=500,
    )
    done = [each for each in markups if each.state == "submitted"]
    CriteriaRecord.objects.bulk_create(
        (
            CriteriaRecord(markup=each, points=_points(each.pk % 15), total=each.pk % 15)
            for each in done
        ),
        batch_size=500,
    )
    Job.objects.bulk_create(
        (Job(key=f"grade:{each.pk}", kind="scoring.grade", state="done") for each in done),
        batch_size=500,
    )
    by_role = {(each.essay_id, each.assignment.role): each for each in done}
    ThirdCheck.objects.bulk_create(
        (
            ThirdCheck(
                essay=first.essay,
                round=1,
                first=first,
                second=by_role[essay, "second"],
                needed=bool(first.pk % 3),
            )
            for (essay, role), first in by_role.items()
            if role == "first" and (essay, "second") in by_role
        ),
        batch_size=500,
    )
