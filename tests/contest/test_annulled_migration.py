"""Back from annulments of uploads and forward again, with one of a session and one of an upload."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from tests.moments import go

pytestmark = pytest.mark.full

BEFORE, AFTER = (("contest", name) for name in ("0013_sessions_frozen", "0014_annulled_uploads"))
WHY = {"reason": "Marked by hand", "protocol": "No. 5"}


@pytest.fixture
def model_of(todays_database):  # noqa: ARG001 - where the rows stand
    model_of = go(AFTER)
    of = {
        name: model_of("contest", name)
        for name in ("Contest", "Phase", "Team", "Upload", "ExchangeSession", "Annulment")
    }
    person = model_of("accounts", "User").objects.create(username="lynx", role="participant")
    now = timezone.now()
    contest = of["Contest"].objects.create(slug="qac", name_ru="Конкурс", scheme="qac")
    phase = of["Phase"].objects.create(
        contest=contest, kind="finals", starts_at=now, ends_at=now + timezone.timedelta(1)
    )
    team = of["Team"].objects.create(contest=contest, name="Lynx", account=person)
    upload = of["Upload"].objects.create(
        phase=phase,
        team=team,
        sent_by=person,
        name="a.txt",
        digest="ab" * 32,
        size=1,
        day=now,
        state="scored",
    )
    session = of["ExchangeSession"].objects.create(
        participant=person,
        mode="technical",
        door="rest",
        rules={},
        seed=1,
        opened_at=now,
        last_event_at=now,
        judged_until=now,
        state="open",
        size=0,
    )
    for solution in ({"session": session}, {"upload": upload}):
        of["Annulment"].objects.create(**solution, who=person, **WHY)
    return model_of


def annulled(model_of, *names):
    return list(model_of("contest", "Annulment").objects.order_by("pk").values_list(*names))


def refuse_changes_of_what_it_says(model_of):
    rows = model_of("contest", "Annulment").objects
    for change in ({"reason": "Other"}, {"protocol": "No. 6"}, {"at": timezone.now()}):
        with pytest.raises(DatabaseError, match="this cannot be changed"):
            rows.update(**change)


def test_back_annulments_of_uploads_go_and_those_of_sessions_stay_and_are_frozen(model_of):
    (session, _none), (_no, upload) = annulled(model_of, "session", "upload")

    then = go(BEFORE)
    former = annulled(then, "session", "reason", "protocol")
    uploads = list(then("contest", "Upload").objects.values_list("pk", flat=True))
    refuse_changes_of_what_it_says(then)
    model_of = go(AFTER)

    assert (former, uploads) == ([(session, *WHY.values())], [upload])
    assert annulled(model_of, "session", "upload") == [(session, None)]
    refuse_changes_of_what_it_says(model_of)
    person = model_of("accounts", "User").objects.get()
    made = model_of("contest", "Annulment").objects.create
    made(upload_id=upload, who=person, **WHY)
    for what in ({"upload_id": upload}, {"session_id": session}, {}):
        with pytest.raises(IntegrityError), transaction.atomic():
            made(**what, who=person, **WHY)
