"""Lists that grow come 50 a page, at the price of a short one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, AuditEntry, User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord, RuleSet
from jobs.models import Job
from schemes.models import SchemeRun, StoredKey
from scoring.models import PairScore
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory
from tests.pages import page_of
from web.paging import PER_PAGE

pytestmark = pytest.mark.django_db

COUNTS = range(120)


class World:
    """Who looks, and something to hang rows on."""

    def __init__(self, role):
        self.visitor = PersonFactory(role=role, username="visitor")
        self.set = EssaySetFactory(access=EssaySet.Access.OPEN)

    def essays(self):
        rows = (
            Essay(essay_set=self.set, number=f"{n:04}", subject="eng", text="x") for n in COUNTS
        )
        return Essay.objects.bulk_create(rows)

    def people(self):
        rows = (User(username=f"{n}", role="participant", password="!") for n in COUNTS)
        return User.objects.bulk_create(rows)

    def assignments(self, **fields):
        Assignment.objects.bulk_create(
            Assignment(essay=each, role="first", round=1, expert=self.visitor, **fields)
            for each in self.essays()
        )

    def markups(self):
        essay = EssayFactory(essay_set=self.set)
        fields = {"source": "algorithm", "state": "submitted", "submitted_at": "2026-01-01T00:00Z"}
        return MarkupRecord.objects.bulk_create(
            MarkupRecord(essay=essay, author=each, **fields) for each in self.people()
        )


def training(world):
    world.essays()
    return "/training/", "page", "tbody tr"


def queue(world):
    world.assignments()
    return "/queue/", "page", "tbody tr"


def submitted_checks(world):
    world.assignments(state="submitted", submitted_at="2026-01-01T00:00Z")
    return "/queue/", "done", "tbody tr"


def people(world):
    world.people()[0].delete()  # who looks stands in the list too
    return "/people/", "page", "tbody tr"


def keys(world):
    ApiToken.objects.bulk_create(
        ApiToken(
            user=world.visitor,
            name=f"key {n}",
            digest=f"{n:064}",
            hint="0000",
            expires_at=Now() + timedelta(days=1),
        )
        for n in COUNTS
    )
    return "/account/", "page", "tbody tr"


def essays_of_a_set(world):
    world.essays()
    return f"/desk/?set={world.set.name}", "page", "tbody tr"


def markups_of_an_essay(world):
    essay = world.markups()[0].essay
    return f"/essays/{essay.pk}/", "page", ".markup-list li"


def checks_of_an_essay(world):
    essay = world.markups()[0].essay
    return f"/desk/essays/{essay.pk}/", "page", ".markup-list li"


def tables_of_sets(world):
    rules = RuleSetFactory()
    world.set.delete()
    EssaySet.objects.bulk_create(EssaySet(name=f"{n:04}", rules=rules) for n in COUNTS)
    return "/scores/", "page", "section.lead"


def own_figures(world):
    essays = world.essays()
    rules = RuleSet.objects.first()
    expert = PersonFactory()
    done = {"state": "submitted", "submitted_at": "2026-01-01T00:00Z"}
    for source, author in (("algorithm", world.visitor), ("expert", expert)):
        MarkupRecord.objects.bulk_create(
            MarkupRecord(essay=each, author=author, source=source, **done) for each in essays
        )
    found = {(each.essay_id, each.source): each for each in MarkupRecord.objects.all()}
    figures = {"n": 1, "m": 1, "found": 1, "equal_codes": 1, "equal_subcodes": 1}
    PairScore.objects.bulk_create(
        PairScore(
            assessed=found[each.pk, "algorithm"],
            reference=found[each.pk, "expert"],
            rules=rules,
            accuracy=100,
            localization=1,
            equal_corrections=1,
            **figures,
        )
        for each in essays
    )
    return "/scores/own/", "page", "tbody tr"


def runs(world):
    _runs(world)
    return "/schemes/", "page", "tbody tr"


def runs_of_a_scheme(world):
    _runs(world)
    return "/schemes/qac/", "page", "tbody tr"


def _runs(world):
    SchemeRun.objects.bulk_create(
        SchemeRun(owner=world.visitor, scheme="qac", version="1", name=f"{n}") for n in COUNTS
    )


def stored_keys(world):
    StoredKey.objects.bulk_create(
        StoredKey(owner=world.visitor, scheme="qac", name=f"{n}", content=b"x", size=1)
        for n in COUNTS
    )
    return "/schemes/qac/", "keys", ".keys li"


def audit(world):
    AuditEntry.objects.bulk_create(
        AuditEntry(actor=world.visitor, action="a", object_type="t", object_id=str(n))
        for n in COUNTS
    )
    return "/admin/accounts/auditentry/?object_type=t", "p", "#result_list tbody tr"


def jobs(_world):
    Job.objects.bulk_create(Job(kind="scoring.grade", key=f"{n}") for n in COUNTS)
    return "/admin/jobs/job/", "p", "#result_list tbody tr"


def all_markups(world):
    world.markups()
    return "/admin/annotator/markuprecord/", "p", "#result_list tbody tr"


LISTS = [
    *((training, "participant"), (queue, "expert"), (submitted_checks, "expert")),
    *((people, "administrator"), (keys, "expert"), (essays_of_a_set, "judge")),
    *((markups_of_an_essay, "judge"), (checks_of_an_essay, "judge"), (tables_of_sets, "judge")),
    *((own_figures, "participant"), (runs, "expert"), (runs_of_a_scheme, "expert")),
    *((stored_keys, "expert"), (audit, "administrator"), (jobs, "administrator")),
    (all_markups, "administrator"),
]


@pytest.mark.parametrize(("make", "role"), LISTS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_list_of_120_comes_50_a_page_at_the_same_price(log_in, make, role):
    world = World(role)
    address, name, rows = make(world)
    client = log_in(world.visitor)
    join = "&" if "?" in address else "?"

    pages = []
    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(f"{address}{join}{name}={number}")
        pages.append((len(page_of(response).find(rows)), len(queries)))

    counts, prices = zip(*pages, strict=True)
    assert counts == (PER_PAGE, PER_PAGE, 20)
    assert max(prices) <= 23
    assert max(prices) - min(prices) <= 1  # what the first visit found out is kept
