"""What was said of a contest never changes: the database itself refuses."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from contest.models import (
    Annulment,
    Consent,
    ExchangeSession,
    Final,
    ParameterSet,
    PhaseProtocol,
    PhaseVerdict,
    RestartBasis,
)
from tests.contest.running_world import now, person, prepared, team_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def rows(module_rows):  # noqa: ARG001 - rows of the module
    contest = prepared()
    judge = person("judge")
    parameters = contest.parameter_sets.get()
    Consent.objects.create(parameters=parameters, body="judges", agrees=True, who=judge)
    phase = contest.phases.first()
    protocol = PhaseProtocol.objects.create(phase=phase, content="{}", digest="0" * 64)
    PhaseVerdict.objects.create(protocol=protocol, kind="checked", who=judge)
    session = ExchangeSession.objects.create(
        participant=team_in(contest).account,
        mode="algorithmic",
        door="rest",
        rules={},
        seed=1,
        size=1,
        state="finished",
        **dict.fromkeys(["opened_at", "closed_at", "last_event_at", "judged_until"], now()),
    )
    Annulment.objects.create(session=session, reason="a", protocol="b", who=judge)
    held = contest.data_sets.get(role="final").essay_set
    final = Final.objects.create(name="F", essay_set=held, starts_at=now(), seed=1)
    RestartBasis.objects.create(final=final, judges="1", commission="2")


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (ParameterSet, {"session": {"limit": 5}}),
        (ParameterSet, {"star_to_qualify": 1}),
        (ParameterSet, {"reason_en": "another"}),
        (Consent, {"agrees": False, "reason": "x"}),
        (PhaseProtocol, {"content": "[]"}),
        (PhaseProtocol, {"digest": "1"}),
        (PhaseVerdict, {"reason": "another"}),
        (Annulment, {"reason": "another"}),
        (Annulment, {"protocol": "another"}),
        (RestartBasis, {"judges": "another"}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else next(iter(each)),
)
def test_what_was_said_never_changes(model, changes):
    with pytest.raises(IntegrityError, match="this cannot be changed"), transaction.atomic():
        model.objects.update(**changes)


@pytest.mark.usefixtures("rows")
def test_what_follows_may_be_written_beside_it():
    ParameterSet.objects.update(in_force_at=now())
    PhaseProtocol.objects.update(voided_at=now())
    Annulment.objects.update(lifted_at=now(), lifted_because="A mistake")
