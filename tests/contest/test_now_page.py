"""What coordinators see of the sessions that are open, and of outages beside the files they hit."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest

from contest.core.moments import at
from contest.models import ExchangeSession, GatewayBeat, Outage
from contest.pages.now import SessionsNow
from contest.queries.outages import GONE, lasting
from contest.services.sessions.beating import beat, files_hit
from contest.services.sessions.clock import moment_now
from contest.services.sessions.connecting import connect
from contest.services.sessions.ending import stop
from contest.services.sessions.settling import settle_due
from tests.contest.world import SECOND, Client, Door, marked_set, team
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def start():
    marked_set(12)
    return moment_now() - 37 * SECOND


def by_socket(start, *, is_there):
    """A program by the clock, a file each ten seconds: two are lost if it is not there."""
    client = Client(door=Door.SOCKETIO, moment=start)
    client.send(client.next(0.4).slot, 2)
    if is_there:
        client.send(client.next(12.5).slot, 14)
        client.send(client.next(20.2).slot, 22)
        connect(participant=client.person, holder=uuid.uuid4(), moment=client.moment(30))
    settle_due(moment=client.moment(35))
    return client


def test_who_is_late_stands_first_with_the_delays_of_all(start):
    there, gone = by_socket(start, is_there=True), by_socket(start, is_there=False)
    asked = Client(moment=start, seconds=60)
    asked.next(1)

    sessions = [each.row for each in (there, gone, asked)]
    seen = SessionsNow.of(ExchangeSession.objects.all(), at(start + 36 * SECOND))

    rows = {row.session: row for row in seen.rows}
    assert seen.rows[0].session == gone.session
    told = [(row.connected, row.annulled, row.is_late) for row in map(rows.get, sessions)]
    assert told == [(True, 0, False), (False, 2, True), (None, 0, False)]
    assert rows[sessions[0]].delays == [0.4, 2.5, 0.2]
    assert (rows[sessions[0]].delay, rows[sessions[0]].longest) == (0.4, 2.5)
    assert [round(row.seconds_left) for row in map(rows.get, sessions)] == [4, 4, 25]
    assert (seen.connected, seen.cut_off, seen.late, seen.annulled) == (1, 1, 1, 2)
    assert (seen.punctual, seen.longest) == (80, 2.5)


def test_of_a_session_by_the_clock_an_answer_counts_as_soon_as_it_is_accepted(start):
    client = Client(door=Door.SOCKETIO, moment=start)
    first = client.next(0.4).slot
    client.send(first, 2)
    client.send(first, 3)
    client.send(client.next(12).slot, 13)

    seen = SessionsNow.of(ExchangeSession.objects.all(), at(client.moment(14)))

    assert [(row.session.counted, row.annulled) for row in seen.rows] == [(2, 0)]
    settle_due(moment=client.moment(35))
    assert (client.row.counted, client.row.annulled) == (2, 1)


def test_what_ended_in_the_last_ten_minutes_counts_on_and_stands_below(start, log_in):
    gone, asked = by_socket(start, is_there=False), Client(moment=start, seconds=60)
    stop(session_id=gone.session.pk, reason="x", actor=None, moment=gone.moment(36))

    def seen_after(seconds):
        return SessionsNow.of(ExchangeSession.objects.all(), at(start + seconds * SECOND))

    seen = seen_after(36.5)
    assert [row.session for row in seen.rows] == [asked.session]
    assert [(row.session, row.annulled, row.seconds_left) for row in seen.ended] == [
        (gone.session, 3, None)
    ]
    assert (seen.connected, seen.cut_off, seen.late, seen.annulled) == (0, 0, 0, 3)
    assert (seen.punctual, seen.longest) == (100, 0.4)
    later = seen_after(700)
    assert (later.ended, later.annulled, later.punctual) == ([], 0, None)

    page = page_of(log_in(PersonFactory(role="commission")).get("/exchange/now/"))
    rows = page.find("[aria-labelledby=ended-head] tbody tr")
    assert [row.find("td")[0].text.split()[0] for row in rows] == ["stopped"]
    labels = [each["data-label"] for each in rows[0].find("td")[1:]]
    assert labels == ["Counted", "Annulled", "Handed out after", "Lost lately"]


def test_the_page_leads_to_stopping_and_costs_the_same_for_many(
    start, log_in, django_assert_max_num_queries
):
    gone = by_socket(start, is_there=False)
    for _ in range(49):
        Client(moment=start, seconds=60).next(1)
    Outage.objects.create(began_at=at(start), ended_at=at(start + 5 * SECOND))
    coordinator, judge = log_in(PersonFactory(role="coordinator")), PersonFactory(role="judge")
    coordinator.get("/exchange/now/")

    with django_assert_max_num_queries(10):
        page = page_of(coordinator.get("/exchange/now/"))

    assert len(page.find("tbody tr")) == 50
    links = [each["href"] for each in page.find("tbody .btn")]
    assert links[0] == f"/exchange/{gone.session.pk}/#stop-head"
    assert "50 files of all sessions waited" in page.find(".lost li")[0].text
    assert not page_of(log_in(judge).get("/exchange/now/")).find("tbody .btn")
    assert log_in(team()).get("/exchange/now/").status_code == 403


def test_beside_an_outage_stand_the_files_it_hit(start, log_in):
    gone = by_socket(start, is_there=False)
    for after, until in ((1, 4), (5, 9), (8, 22)):
        began_at, ended_at = at(gone.moment(after)), at(gone.moment(until))
        Outage.objects.create(began_at=began_at, ended_at=ended_at)
    names = list(gone.session.files.order_by("position").values_list("name", flat=True))

    browser = log_in(PersonFactory(role="commission"))
    answers = [browser.get(f"/exchange/{part}/") for part in (gone.session.pk, "now")]
    assert all(re.search(r':\d\d <span class="sub">', each.content.decode()) for each in answers)
    page = page_of(answers[0])

    found = page.find("[aria-labelledby=outages-head] li")
    hits = [[(each["class"], each.text) for each in li.find(".hit span")] for li in found]
    first, second, third = names[:3]
    assert hits == [[("annulled", second), ("annulled", third)], [], [("counted", first)]]
    assert "2 files waited for an answer, annulled of them: 2" in found[0].text
    assert "No file waited for an answer." in found[1].text
    assert [files_hit(each) for each in Outage.objects.order_by("-began_at")] == [2, 0, 1]


def test_an_outage_that_lasts_is_seen_before_it_ends(start, log_in):
    gone = by_socket(start, is_there=False)
    browser = log_in(PersonFactory(role="commission"))
    addresses = [f"/exchange/{part}/" for part in (gone.session.pk, "now")]

    def told():
        return [
            page_of(browser.get(address)).find("[aria-labelledby=outages-head] li")
            for address in addresses
        ]

    beat(name="a", moment=moment_now() - 4 * SECOND)
    assert told() == [[], []]
    GatewayBeat.objects.update(beat_at=at(gone.moment(1)))

    for (line,) in told():
        assert "and it lasts" in line.text
    assert not Outage.objects.exists()
    assert log_in(team()).get(addresses[0]).status_code == 404
    beat(name="a", moment=moment_now())
    for (line,) in told():
        assert "and it lasts" not in line.text
    assert Outage.objects.count() == 1


def test_where_no_gateway_runs_any_more_or_no_session_was_open_no_outage_lasts(start):
    gone = by_socket(start, is_there=False)
    now = at(moment_now())

    assert lasting(now) is None
    GatewayBeat.objects.create(name="a", beat_at=now - GONE)
    assert lasting(now) is None
    GatewayBeat.objects.update(beat_at=now - GONE + timedelta(seconds=1))
    assert lasting(now).began_at == now - GONE + timedelta(seconds=1)
    GatewayBeat.objects.update(beat_at=now - timedelta(seconds=6))
    assert lasting(now) is not None
    stop(session_id=gone.session.pk, reason="Ill", actor=None, moment=gone.moment(30))
    assert lasting(now) is None
