"""What becomes of the answers of a session: markups of their own origin, read and scored."""

from __future__ import annotations

import pytest

from annotator.core.values import MarkedFile, Markup, Meta
from annotator.models import MarkupRecord
from annotator.services.markup import send_markup
from contest import tasks
from contest.models import SessionFile
from contest.services.sessions.ending import abort
from contest.services.sessions.settling import settle_due
from jobs.models import Job
from scoring.queries.tables import star_table
from tests.contest.world import SECOND, Client, Mode, final_at, marked_set, team
from tests.scoring.work import run_all
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def do_answers():
    """Do the jobs that make markups, then those that score them."""
    for job in Job.objects.filter(kind="contest.keep_answers", state=Job.State.QUEUED):
        tasks.keep_answers(job.pk)
    states = Job.objects.filter(kind="contest.keep_answers").values_list("state", "error")
    assert set(states) <= {("done", "")}
    run_all()


def whole_session(client, **content):
    """Every file answered at once."""
    for number in range(client.session.size):
        client.send(client.next(number).slot, number + 0.5, **content)
    return client


def markups_of(person):
    found = MarkupRecord.objects.filter(author=person, source="algorithm").order_by("pk")
    return list(found.values_list("state", "origin"))


def test_two_sessions_and_a_free_submission_give_three_stars():
    essay_set = marked_set(2)
    person = team()
    first = whole_session(Client(person))
    second = whole_session(Client(person, moment=first.moment(60)), code="А.лекс")
    for essay in essay_set.essays.all():
        free = MarkedFile(Meta(), Markup(essay.text, (fragment(40, 45),)))
        send_markup(essay=essay, author=person, file=free, client_key=None)

    do_answers()

    origins = ["", first.session.origin, second.session.origin]
    lines = {line.origin: line for line in star_table(essay_set).standings}
    assert sorted(lines) == sorted(origins)
    assert {line.participant for line in lines.values()} == {person}
    assert len({round(line.star, 6) for line in lines.values()}) == 3
    assert lines[origins[1]].star > lines[origins[2]].star > lines[""].star
    assert markups_of(person).count(("submitted", origins[1])) == 2


def test_the_last_accepted_answer_is_the_markup_and_it_is_made_once():
    marked_set(2)
    client = Client()
    slot = client.next(0).slot
    client.send(slot, 1, spans=[(0, 4)])
    client.send(slot, 2, spans=[(5, 11)], code="нет такого кода")
    settle_due(moment=client.moment(1000))

    do_answers()
    Job.objects.filter(kind="contest.keep_answers").update(state=Job.State.QUEUED)
    do_answers()

    (record,) = MarkupRecord.objects.filter(author=client.person)
    found = [(row.start, row.end, row.code) for row in record.rows()]
    assert found == [(5, 11, "нет такого кода")]
    assert SessionFile.objects.get(pk=slot.pk).markup == record
    assert record.submitted_at == SessionFile.objects.get(pk=slot.pk).answer.at
    assert record.author_name == f"{client.person}, session {client.session.pk}"


def test_of_what_was_aborted_no_markups_are_made_but_of_a_final():
    marked_set(2)
    client = Client()
    client.send(client.next(0).slot, 1)
    abort(session_id=client.session.pk, moment=client.moment(2))
    start = 1_800_000_000 * SECOND
    person = team()
    final_at(start, person)
    final = Client(person, mode=Mode.FINAL, moment=start)
    final.send(final.next(0).slot, 1)
    abort(session_id=final.session.pk, moment=final.moment(2))

    do_answers()

    assert markups_of(client.person) == []
    assert markups_of(person) == [("submitted", final.session.origin)]


def test_of_a_technical_session_nothing_is_made():
    marked_set(2)
    client = whole_session(Client(mode=Mode.TECHNICAL))

    do_answers()

    assert client.row.state == "finished"
    assert markups_of(client.person) == []


def test_an_essay_of_a_final_is_read_from_its_hand_out_on_and_no_other(log_in):
    start = 1_800_000_000 * SECOND
    person, rival = team(), team()
    final_at(start, person, rival)
    client = Client(person, mode=Mode.FINAL, moment=start)
    Client(rival, mode=Mode.FINAL, moment=start)
    first, second, _third = client.session.files.order_by("position")

    def seen(who, slot):
        return log_in(who).get(f"/api/essays/{slot.essay_id}/").status_code

    assert seen(person, first) == 404
    client.next(0)
    assert (seen(person, first), seen(person, second), seen(rival, first)) == (200, 404, 404)
    client.send(first, 1)
    settle_due(moment=client.moment(1000))
    do_answers()
    assert seen(person, first) == 200
    own = log_in(person).get(f"/api/essays/{first.essay_id}/markups/").json()["results"]
    assert [each["author"] for each in own] == [person.username]
