"""Two managers do the same at one instant, or one clicks twice: done once, told in words."""

from __future__ import annotations

import uuid
from functools import partial
from http import HTTPStatus
from io import BytesIO

import pytest

from accounts.models import User
from accounts.services.importing import import_people
from annotator.models import EssaySet
from annotator.models.imports import EssayImport
from annotator.services.imports.importing import Options
from annotator.services.imports.staging import stage_import
from tests.annotator.files import exchanged, selection, zipped
from tests.e2e.database import together
from tests.e2e.essays import people
from tests.e2e.visitor import Visitor
from tests.factories import EssaySetFactory

pytestmark = pytest.mark.full

COORDINATOR = User.Role.COORDINATOR


def checks_by(expert, essays=10):
    """An archive of essays of its own, each with a check by this expert."""
    mark = uuid.uuid4().hex[:8]
    files = [
        file
        for number in range(essays)
        for file in (
            exchanged(f"{mark}-{number}.json", text=f"Some people think {mark} {number}."),
            exchanged(
                f"{mark}-{number}_{expert}.json",
                text=f"Some people think {mark} {number}.",
                selections=[selection(0, 4)],
            ),
        )
    ]
    return zipped(*((file.name, file.data) for file in files))


def test_one_account_asked_for_twenty_times_at_once_is_made_once_and_each_reads_it_is_saved(stack):
    visitor = Visitor(stack, *people(1, COORDINATOR))
    login = f"anna-{uuid.uuid4().hex[:8]}"
    form = {"username": login, "email": f"{login}@example.org", "role": "expert"}

    answers = together(*[partial(visitor.post, "/people/new/", **form)] * 20)

    assert {answer.status for answer in answers} == {HTTPStatus.FOUND}
    assert User.objects.filter(username=login).count() == 1


def test_one_list_of_people_read_six_times_at_once_makes_everybody_once(stack):  # noqa: ARG001
    coordinators = people(6, COORDINATOR)
    mark = uuid.uuid4().hex[:8]
    lines = "".join(f"{mark}-{number},,{mark}{number}@x.org,expert,,\n" for number in range(10))
    data = f"login,name,email,role,school,subjects\n{lines}".encode()

    reports = together(*(partial(import_people, data=data, actor=each) for each in coordinators))

    told = [line for report in reports for line in report if not line.refusal]
    made = [line.login for line in told if not line.is_known]
    assert sorted(made) == [f"{mark}-{number}" for number in range(10)]


def test_imports_confirmed_at_once_share_the_new_expert_of_both(stack):
    coordinators = people(4, COORDINATOR)
    essay_set, expert = EssaySetFactory(), f"exp{uuid.uuid4().int % 10**8}"
    staged = [
        stage_import(
            uploads=[("essays.zip", BytesIO(checks_by(expert)))],
            options=Options(essay_set, None, person),
        ).batch
        for person in coordinators
    ]
    visitors = [Visitor(stack, person) for person in coordinators]

    answers = together(
        *(
            partial(visitor.post, f"/imports/{batch.pk}/confirm/")
            for visitor, batch in zip(visitors, staged, strict=True)
        )
    )

    assert [answer.status for answer in answers] == [HTTPStatus.FOUND] * 4
    numbers = [batch.pk for batch in staged]
    done = EssayImport.objects.filter(pk__in=numbers, state=EssayImport.State.DONE)
    assert [(each.essays, each.markups) for each in done] == [(10, 10)] * 4
    assert sum(each.accounts for each in done) == 1


def test_of_ten_previews_sent_at_once_three_wait(stack):  # noqa: ARG001
    (coordinator,) = people(1, COORDINATOR)
    options = Options(EssaySetFactory(), None, coordinator)
    files = [exchanged(f"{number}.json") for number in range(10)]

    staged = together(
        *(
            partial(stage_import, uploads=[(file.name, BytesIO(file.data))], options=options)
            for file in files
        )
    )

    waiting = EssayImport.objects.filter(actor=coordinator, state=EssayImport.State.PREVIEW)
    displaced = [each.batch.pk for one in staged for each in one.displaced]
    assert (waiting.count(), len(displaced), len(set(displaced))) == (3, 7, 7)


def test_names_that_differ_in_capitals_asked_for_at_once_make_one_set(stack):
    rules, mark = EssaySetFactory().rules, uuid.uuid4().hex[:8]
    visitors = [Visitor(stack, person) for person in people(6, COORDINATOR)]
    names = [f"{name} {mark}" for name in ("Финал", "ФИНАЛ", "финал", "фИНАЛ", "ФИнал", "ФИНал")]
    form = {"access": "closed", "rules": rules.pk, "seen": 0}

    answers = together(
        *(
            partial(visitor.post, "/sets/new/", name=name, **form)
            for visitor, name in zip(visitors, names, strict=True)
        )
    )

    refused = [answer for answer in answers if answer.status == HTTPStatus.UNPROCESSABLE_ENTITY]
    assert len(refused) == 5
    assert all("There is a set “" in answer.text for answer in refused)
    assert [each.name in names for each in EssaySet.objects.filter(name__endswith=mark)] == [True]
