"""1,000 essays, two subjects, 30 experts: planned, marked, settled, exported, all through HTTP.

One expert falls ill, one is late, a worker is killed, an appeal reopens a check. Of the thousand
essays CI has sixty marked to the end; all of them are in the long form.
"""

from __future__ import annotations

import csv
import io
import random
import re
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db.models.functions import Now

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay, MarkupRecord
from jobs.models import Job
from review.models import FinalGrade, ThirdCheck
from tests.e2e import experts
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.coordinating import Coordinator
from tests.e2e.database import connected
from tests.e2e.desk_counts import counted
from tests.e2e.pages import PASSWORD
from tests.e2e.post import letters_to_everybody
from tests.e2e.promises import all_ended, ill_arbitrated, ungraded, unpaired
from tests.e2e.stack import WorkerProcess
from tests.e2e.thousand import SETS, Ledger, marked, marks_of, written, zipped
from tests.factories import PersonFactory

pytestmark = pytest.mark.full

REDIS_DATABASE = "/6"
"""Not the one of another stack: its worker would take our messages."""
PATIENCE = 1800
"""Seconds all experts may take: in the long form they make some 2,300 checks."""
ESSAYS, MARKED, EXPERTS = 1000, 60, 30
UNEVEN = 8
"""Checks by which two experts may differ: words are balanced, not checks."""
State, Role = Assignment.State, Assignment.Role


@pytest.fixture(params=BACKENDS)
def whole_stack(request, tmp_path_factory):
    with opened_stack(request, tmp_path_factory, REDIS_DATABASE) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


@pytest.fixture
def coordinator(stack):
    hasher = Argon2PasswordHasher()
    PersonFactory(
        username="lead",
        role=User.Role.COORDINATOR,
        password=hasher.encode(PASSWORD, hasher.salt()),
    )
    return Coordinator(stack, "lead", PASSWORD)


class Story:
    """The coordinator's two sets, the experts who came, and what they sent.

    ``wanted``: the numbers of the essays that are marked to the end.
    """

    def __init__(self, stack, coordinator, most):
        self.stack, self.coordinator = stack, coordinator
        each = most // len(SETS)
        self.sets = {name: coordinator.found(name, SETS[name]) for name in SETS}
        self.essays = [
            written(subject, 1000 * place + number)
            for place, subject in enumerate(SETS.values(), 1)
            for number in range(ESSAYS // len(SETS))
        ]
        self.ledger = Ledger({essay.number: essay for essay in self.essays})
        self.wanted = [essay.number for essay in self.essays if int(essay.number) % 1000 < each]
        self.guests, self.taken_away = {}, 0

    def open_checks(self, **of):
        found = Assignment.objects.filter(state__in=[State.WAITING, State.WORKING], **of)
        return found.select_related("essay", "expert").order_by("deadline_at", "pk")

    def person(self, login):
        return User.objects.get(username=login)

    def do(self, check, login):
        """An expert does one check as it seems right to this expert."""
        essay = self.ledger.essays[check.essay.number]
        fragments = marks_of(essay, login)
        experts.check(self.guests[login], check.pk, essay.text, fragments)
        self.ledger.note(essay.number, login, fragments)

    def do_all(self, logins):
        """Each of these experts works through what is wanted; futures, one an expert."""
        wanted = self.open_checks(essay__number__in=self.wanted)
        work = {login: list(wanted.filter(expert__username=login)) for login in logins}
        pool = ThreadPoolExecutor(experts.AT_ONCE)
        futures = [pool.submit(self.work_through, login, work[login]) for login in work]
        pool.shutdown(wait=False)
        return futures

    def work_through(self, login, checks):
        for check in checks:
            self.do(check, login)


@pytest.mark.parametrize("most", [MARKED, pytest.param(ESSAYS, marks=pytest.mark.long)])
def test_a_thousand_essays_go_their_way_from_the_upload_to_the_exported_grades(
    stack, coordinator, most
):
    story = Story(stack, coordinator, most)
    bring_essays(story)
    bring_experts(story)
    give_checks(story)
    one_falls_ill(story)
    one_is_late(story)
    all_mark_and_a_worker_is_killed(story)
    one_appeals(story)

    assert_nothing_is_lost_or_doubled(story)
    assert_thirds_and_grades_are_as_the_rules_say(story)
    assert_everything_is_written_down(story)
    assert_desk_is_right(story)
    assert_exports_hold_the_essays(story)
    assert stack.health()["status"] == "ok"


def bring_essays(story):
    for name, subject in SETS.items():
        essays = [each for each in story.essays if each.subject is subject]
        story.coordinator.bring(story.sets[name], subject, zipped(essays))
        story.coordinator.open(story.sets[name])
    stored = dict(Essay.objects.values_list("number", "text"))
    assert stored == {essay.number: essay.text for essay in story.essays}


def bring_experts(story):
    subjects = ["lit", "social", "lit", "social", "lit social"]
    people = [
        (
            f"expert{number:02}",
            f"Expert {number}",
            f"expert{number:02}@school.example",
            "expert",
            f"School {number % 10}",
            subjects[number % len(subjects)],
        )
        for number in range(EXPERTS)
    ]
    story.coordinator.invite(people)
    letters = letters_to_everybody(story.stack)
    links = {
        login: re.search("http://[^/]+(/invitation/.+)", letters[login][0])[1]
        for login, *_ in people
    }
    story.guests = experts.all_signed_in(story.stack, links)


def give_checks(story):
    """One plan for both sets: nothing is given before it was looked at and confirmed."""
    path, seen, told = story.coordinator.plan()
    assert told == f"{2 * ESSAYS} of {2 * ESSAYS} checks"
    assert not Assignment.objects.exists()
    story.coordinator.confirm(path, seen)
    held = Counter(Assignment.objects.values_list("expert", flat=True))
    assert (sum(held.values()), len(held)) == (2 * ESSAYS, EXPERTS)
    assert max(held.values()) - min(held.values()) <= UNEVEN


def one_falls_ill(story):
    """A check is submitted, another one begun; all the rest is taken away and planned anew."""
    login = "expert00"
    ill, guest = story.person(login), story.guests[login]
    first, second, *_ = story.open_checks(expert=ill, essay__number__in=story.wanted)
    assert experts.waits(guest) == story.open_checks(expert=ill).count()
    story.do(first, login)
    experts.begin(guest, second.pk)
    story.taken_away = story.open_checks(expert=ill).count()

    story.coordinator.take_away(ill.pk)

    assert_desk_is_right(story)
    assert experts.waits(guest) == 0
    path, seen, told = story.coordinator.plan()
    assert told == f"{story.taken_away} of {story.taken_away} checks"
    story.coordinator.confirm(path, seen)


def one_is_late(story):
    """Deadlines pass: what was not begun goes to others and one letter says so."""
    login = "expert01"
    late = story.person(login)
    begun, *_ = story.open_checks(expert=late, essay__number__in=story.wanted)
    experts.begin(story.guests[login], begun.pk)
    story.open_checks(expert=late).update(deadline_at=Now() - timedelta(hours=2))
    waiting = story.open_checks(expert=late, state=State.WAITING)
    story.stack.until(lambda: not waiting.exists(), "what is late goes to others")

    assert_desk_is_right(story)
    assert experts.waits(story.guests[login]) == 1
    story.do(begun, login)
    assert Assignment.objects.get(pk=begun.pk).is_late
    story.stack.until(all_ended, "every letter is sent")
    told = letters_to_everybody(story.stack)
    assert {name: len(letters) for name, letters in told.items()} == {
        name: 2 if name == login else 1 for name in story.guests
    }


def all_mark_and_a_worker_is_killed(story):
    worker = WorkerProcess(story.stack, story.stack.children["worker"]).ready()
    futures = story.do_all(story.guests)
    half = len(story.ledger) + len(story.wanted)
    story.stack.until(
        lambda: len(story.ledger) > half or is_over(futures),
        "half of it is marked",
        patience=PATIENCE,
    )
    worker.kill("group")
    worker.ready()
    while futures:
        done = partial(is_over, futures)
        story.stack.until(done, "all is marked", patience=PATIENCE)
        assert [future.result() for future in futures] == [None] * len(futures)
        story.stack.until(all_ended, "every job ends", patience=PATIENCE)
        still = story.open_checks(essay__number__in=story.wanted)
        futures = story.do_all(set(still.values_list("expert__username", flat=True)))


def is_over(futures):
    return not wait(futures, 0).not_done


def one_appeals(story):
    """A pupil appeals; a check is reopened, its expert marks one thing more, it is settled anew."""
    settled = [each for each in story.wanted if not story.ledger.calls_third(each)]
    number = next(each for each in settled if story.ledger.essays[each].subject == "lit")
    check = Assignment.objects.get(essay__number=number, role=Role.FIRST, state=State.SUBMITTED)
    login = check.expert.username
    former = FinalGrade.objects.get(essay__number=number)

    story.coordinator.reopen(check.pk, "An appeal: the first paragraph was passed over")

    assert FinalGrade.objects.get(pk=former.pk).voided_because == "reopened"
    guest = story.guests[login]
    queue = guest.get("/queue/").text + guest.get("/queue/?page=2").text
    assert "the first paragraph was passed over" in queue
    essay = story.ledger.essays[number]
    more = marked(essay, "С.одностор", random.Random(number))
    draft = experts.begin(guest, check.pk)
    version = experts.version_of(guest.get(draft).text)
    experts.submit(guest, draft, experts.mark(guest, draft, essay.text, [more], version))
    story.ledger.sent[number][login].append(more)
    story.stack.until(all_ended, "it is settled anew")
    assert FinalGrade.objects.filter(essay__number=number).count() == 2


def assert_desk_is_right(story):
    for name, essay_set in story.sets.items():
        assert story.coordinator.numbers(name) == counted(essay_set)


def assert_nothing_is_lost_or_doubled(story):
    active = Assignment.objects.filter(state__in=Assignment.ACTIVE).exclude(role=Role.THIRD)
    holders = {}
    for number, login, school in active.values_list(
        "essay__number", "expert__username", "expert__school"
    ):
        holders.setdefault(number, []).append((login, school))
    assert holders.keys() == {essay.number for essay in story.essays}
    assert all(len(two) == len({school for _, school in two}) == 2 for two in holders.values())
    submitted = MarkupRecord.objects.filter(state="submitted").prefetch_related("fragments")
    stored = {}
    for record in submitted.select_related("essay", "author"):
        mine = stored.setdefault(record.essay.number, {})
        assert record.author.username not in mine
        mine[record.author.username] = list(record.to_core().fragments)
    assert stored == {number: dict(sent) for number, sent in story.ledger.sent.items()}
    assert stored.keys() == set(story.wanted)
    marked_essays = Essay.objects.filter(number__in=story.wanted)
    assert ungraded() == []
    assert list(unpaired(marked_essays)) == []
    assert list(ill_arbitrated(marked_essays)) == []
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def assert_thirds_and_grades_are_as_the_rules_say(story):
    called = {number for number in story.wanted if story.ledger.calls_third(number)}
    assert called
    thirds = ThirdCheck.objects.filter(needed=True).values_list("essay__number", flat=True)
    assert sorted(thirds) == sorted(called)
    done = Assignment.objects.filter(role=Role.THIRD, state=State.SUBMITTED)
    assert sorted(done.values_list("essay__number", flat=True)) == sorted(called)
    assert not Assignment.objects.filter(role=Role.THIRD).exclude(state=State.SUBMITTED).exists()
    grades = FinalGrade.objects.filter(voided_at=None)
    assert sorted(grades.values_list("essay__number", "total", "points")) == [
        (number, found.total, found.points and dict(found.points))
        for number in sorted(story.wanted)
        for found in [story.ledger.grade(number)]
    ]


def assert_everything_is_written_down(story):
    told = Counter(AuditEntry.objects.values_list("action", flat=True))
    gone = Assignment.objects.filter(state=State.WITHDRAWN).count()
    assert told["assignment.withdrawn"] + told["assignment.overdue"] == gone
    expected = {
        "essay.imported": ESSAYS,
        "person.invited": EXPERTS,
        "plan.confirmed": 2,
        "expert.assigned": Assignment.objects.count(),
        "assignment.withdrawn": story.taken_away,
        "markup.submitted": len(story.ledger) + 1,
        "markup.reopened": 1,
        "grade.settled": len(story.wanted) + 1,
        "grade.voided": 1,
    }
    assert {action: told[action] for action in expected} == expected


def assert_exports_hold_the_essays(story):
    for essay_set, subject in zip(story.sets.values(), SETS.values(), strict=True):
        numbers = [each.number for each in story.essays if each.subject is subject]
        data = story.coordinator.exported(story.stack, essay_set, "csv")
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        assert {row["essay"]: row["final grade: total"] for row in rows} == {
            each: str(story.ledger.grade(each).total) if each in story.wanted else ""
            for each in numbers
        }
        assert [row["essay"] for row in rows] == numbers
        book = story.coordinator.exported(story.stack, essay_set, "xlsx")
        sheet = zipfile.ZipFile(io.BytesIO(book)).read("xl/worksheets/sheet1.xml").decode()
        assert sheet.count("<row ") == len(numbers) + 1
