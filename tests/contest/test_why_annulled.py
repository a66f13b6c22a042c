"""Of a file that was annulled for what was sent, what that was: unreadable, or of another text."""

from __future__ import annotations

import pytest

from contest.core.moments import at, moment_of
from contest.core.session_json import log_from_json
from contest.pages.logs import log_of
from contest.pages.sessions import SessionPage
from contest.queries.annulled import why_annulled
from contest.queries.exchanged import exchange_of
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort
from razbor.commands.session import show
from tests.contest.world import SECOND, Client, Mode, final_at, marked_set, team

pytestmark = pytest.mark.django_db

BROKEN = {"data": b'{"text": '}
FOREIGN = {"text": "Another text."}
UNREADABLE = "what was sent is not readable as a markup"
OF_ANOTHER = "what was sent is a markup of another text"
NONE = "what was sent is no markup of this essay"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ([BROKEN], UNREADABLE),
        ([BROKEN, BROKEN], UNREADABLE),
        ([FOREIGN], OF_ANOTHER),
        ([FOREIGN, BROKEN], NONE),
    ],
)
def test_it_is_told_which_on_the_page_in_the_report_and_by_the_command(sent, why, capsys):
    found = marked_set(3)
    client = Client(mode=Mode.TECHNICAL, moment=moment_now() - 60 * SECOND)
    slot = client.next(0).slot
    for after, content in enumerate(sent, 2):
        client.send(slot, after, **content)
    session = abort(session_id=client.session.pk, moment=client.moment(9))
    now = moment_of(session.last_event_at)

    page = SessionPage.of(session, now)
    assert [each.why for each in page.lost if each.file == slot.name] == [why]
    told = exchange_of(set_id=found.pk, author_id=client.person.pk, origin=session.origin)
    assert [each.words for each in told.annulled if each.essay == slot.name] == [why]
    show(log_from_json(log_of(session, now)))
    assert capsys.readouterr().out.count(why) == 1


def test_where_it_is_not_known_the_reason_alone_is_told():
    whole = {"opens_at": at(0), "closed_at": at(9), "state": "finished"}

    assert why_annulled("rejected", **whole) == NONE
    assert why_annulled("late", **whole, refused=["broken"]) == "the answer came too late"


def test_of_a_final_that_was_opened_late_nobody_is_said_to_have_asked_too_late(capsys):
    person, start = team(), moment_now() - 300 * SECOND
    final = final_at(start, person, window=None)
    client = Client(person, mode=Mode.FINAL, moment=start + 100 * SECOND)
    first = client.session.files.earliest("position")
    session = abort(session_id=client.session.pk, moment=client.moment(9))
    why, now = "its time was over before the session was opened", moment_of(session.last_event_at)

    page = SessionPage.of(session, now)
    assert [each.why for each in page.lost if each.file == first.name] == [why]
    told = exchange_of(
        set_id=final.essay_set_id, author_id=person.pk, origin=session.origin
    ).annulled
    assert [each.words for each in told if each.essay == first.name] == [why]
    show(log_from_json(log_of(session, now)))
    assert capsys.readouterr().out.count(why) == 1
