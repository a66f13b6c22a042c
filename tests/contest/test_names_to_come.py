"""Which essays are still to come in a session by the clock is told to nobody (R 7.5)."""

from __future__ import annotations

import json

import pytest

from contest.core.moments import at
from contest.models import Final
from contest.pages.logs import log_of
from contest.pages.standing import standing_of
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort
from contest.services.sessions.finals import cancel_final
from razbor.commands.session import judged_log
from scoring.pages.reports import report_page
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, team

pytestmark = pytest.mark.django_db


def of_a_final(ago):
    """A session of a final of three files, opened a minute before a start so many seconds ago."""
    person, start = team(), moment_now() - ago * SECOND
    final_at(start, person)
    return Client(person, mode=Mode.FINAL, moment=start - 60 * SECOND)


def numbers_of(client):
    return list(client.session.files.order_by("position").values_list("name", flat=True))


def told_of(client, log_in):
    """What log, state and pages say of a session now."""
    browser, number = log_in(client.person), client.session.pk
    addresses = [f"/exchange/{number}/", f"/exchange/{number}/log/"]
    addresses += [f"/api/exchange/sessions/{number}/", f"/api/exchange/sessions/{number}/log/"]
    return [browser.get(each).content.decode() for each in addresses]


@pytest.mark.parametrize(("ago", "opened"), [(-30, 0), (10, 1), (100, 2)])
@pytest.mark.parametrize("ends", [False, True])
def test_files_have_names_from_their_opening_on(ago, opened, ends, log_in):
    client = of_a_final(ago)
    if ends:
        abort(session_id=client.session.pk, moment=moment_now())
    numbers = numbers_of(client)

    for words in told_of(client, log_in):
        assert [each for each in numbers if each in words] == numbers[:opened]
        assert "#3" in words


def test_a_run_that_was_cancelled_before_it_began_names_no_file_that_the_next_one_may_give(log_in):
    client = of_a_final(100)
    final, before = client.session.final, client.start + 30 * SECOND
    cancel_final(final=final, reason="A wrong day", actor=None, moment=before)
    Final.objects.filter(pk=final.pk).update(cancelled_at=at(before))
    numbers = numbers_of(client)
    whose = {"author": client.person.pk, "origin": client.session.origin}

    report = report_page(client.person, pk=final.essay_set_id, **whose).as_json()

    for words in (*told_of(client, log_in), json.dumps(report)):
        assert [each for each in numbers if each in words] == []
        assert "#3" in words


def test_a_qualification_of_the_originals_clients_names_them_as_they_open():
    marked_set(3)
    client = Client(door=Door.SOCKETIO, mode=Mode.TECHNICAL)
    numbers = numbers_of(client)

    def names(after):
        return [each["file"] for each in standing_of(client.row, client.moment(after))["verdicts"]]

    assert names(0) == [numbers[0], "#2", "#3"]
    assert names(20) == numbers


def test_who_guesses_a_name_reads_the_same_of_one_to_come_as_of_none():
    client = of_a_final(10)
    last = client.session.files.select_related("essay").latest("position")

    to_come = client.send(last, 70).event
    last.name = "9999999"
    none = client.send(last, 71).event

    assert to_come.why_not() == none.why_not() == "no file of this name has opened in the session"


@pytest.mark.parametrize("after", [75, 130, 400])
def test_a_log_with_numbers_for_names_is_judged_to_the_same_verdicts(after, tmp_path):
    client = of_a_final(400)
    first, second, _third = client.session.files.select_related("essay").order_by("position")
    client.send(second, 61)
    client.send(first, 70)
    moment = client.moment(after)
    (tmp_path / "log.json").write_text(json.dumps(log_of(client.row, moment)), encoding="utf-8")

    judged = judged_log(str(tmp_path / "log.json"))

    standing = standing_of(client.row, moment)["verdicts"]
    assert [each["file"] for each in judged["files"]] == [each["file"] for each in standing]
    assert [each["verdict"] for each in judged["files"]] == [each["verdict"] for each in standing]
    assert judged["events"] == [None, "not-open", None]


def test_the_report_of_what_was_ended_early_names_nothing_that_is_to_come():
    client = of_a_final(10)
    abort(session_id=client.session.pk, moment=moment_now())
    session, essay_set = client.session, client.session.final.essay_set
    whose = {"pk": essay_set.pk, "author": client.person.pk, "origin": session.origin}

    told = json.dumps(report_page(client.person, **whose).as_json())

    numbers = numbers_of(client)
    assert [each for each in numbers if each in told] == numbers[:1]
