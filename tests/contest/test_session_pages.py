"""The pages of sessions and finals, and the command that plans them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest.core.moments import at, moment_of
from contest.models import ExchangeSession, Final
from contest.pages.sessions import SessionPage
from contest.pages.standing import standing_of
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort, stop
from contest.services.sessions.settling import settle_due
from razbor.commands.session import judged_log
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, team, unmarked_set
from tests.factories import TEXT, PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    """A program that opened a file, sent something broken, then an answer, a minute ago."""
    marked_set(3)
    client = Client(moment=moment_now() - 60 * SECOND)
    first = client.next(0).slot
    client.send(first, 2, data=b'{"text": ')
    client.send(first, 3)
    client.next(4)
    return client


def organiser():
    return PersonFactory(role="organiser")


def facts(page):
    return {
        each.find("dt")[0].text: each.find("dd")[0].text.strip() for each in page.find(".facts div")
    }


def test_a_participant_sees_the_own_session_as_it_goes_on(client, log_in):
    page = page_of(log_in(client.person).get(f"/exchange/{client.session.pk}/"))

    told = facts(page)
    assert (told["Counted"], told["Annulled"], told["Answer, median"]) == ("1", "2", "3.0 s")
    words = [each.find("td")[2].text.strip() for each in page.find(".log tbody tr")]
    assert words[0] == "Handed out"
    assert "Not accepted: not readable as a markup; " in "".join(words)
    assert "Answer accepted" in words
    lost = [each.find("span")[0].text for each in page.find(".lost li")]
    assert lost == ["no answer came", "nobody asked for it in time"]
    assert not page.find("form[action$='/stop/']")


@pytest.mark.parametrize(
    ("language", "begun", "ended"),
    [
        (
            "en",
            "qualification, training essays, REST; 2 files; 5 Mar 2026, 10:30",
            "finished 10:30:20",
        ),
        (
            "ru",
            "квалификация, обучающие эссе, REST; 2 файла; 05.03.2026 10:30",
            "завершена 10:30:20",
        ),
    ],
)
def test_the_page_tells_of_which_day_a_session_is_and_when_it_ended(log_in, language, begun, ended):
    marked_set(2)
    zone = timezone.get_default_timezone()
    client = Client(moment=moment_of(datetime(2026, 3, 5, 10, 30, tzinfo=zone)))
    settle_due(moment=client.moment(60))

    answered = log_in(client.person).get(
        f"/exchange/{client.session.pk}/", headers={"Accept-Language": language}
    )

    page = page_of(answered)
    assert page.one(".page-head p").text == begun
    assert page.find(".facts dd")[0].text == ended


def told_of(page):
    """What the log says of sends: the line, how many more problems, and these."""
    cells = [each.find("td")[2] for each in page.find(".log tbody tr")]
    return [
        (
            " ".join(cell.text.split("and ")[0].split()),
            [" ".join(each.text.split()) for each in cell.find("summary")],
            [each.text for each in cell.find("li")],
        )
        for cell in cells
        if "ccepted" in cell.text
    ]


def test_all_that_is_odd_in_an_answer_stands_in_the_log(log_in):
    marked_set(3)
    client = Client(moment=moment_now() - 60 * SECOND)
    slot = client.next(0).slot
    client.send(slot, 2, code="А.грам", spans=((0, 4), (2, 6)))
    client.send(slot, 3, code="А.грам", spans=((0, 4),) * 25)
    client.send(slot, 4, spans=((9, 4), (900, 901)))
    client.send(slot, 5, data=b"{}")

    page = page_of(log_in(client.person).get(f"/exchange/{client.session.pk}/"))

    unknown = "The code “А.грам” is not in the classifier of this subject. Check its spelling."
    crossing = (
        "fragment 2: The fragment crosses fragment 1. Both are kept; the markup language can only "
        "nest, so this markup has no TXT form. Nest one in the other to have it."
    )
    assert told_of(page) == [
        (
            (
                "Not accepted: not readable as a markup; text: This is missing. Add it; expected: "
                "string."
            ),
            [],
            [],
        ),
        (
            (
                "Not accepted: not readable as a markup; selections[0]: The fragment ends at 4, "
                "before it begins at 9."
            ),
            ["and 1 more"],
            [f"selections[1]: The bounds 900–901 lie outside the text of {len(TEXT)} characters."],
        ),
        (
            f"Answer accepted; fragment 1: {unknown}",
            ["and 24 more"],
            [
                *(f"fragment {number}: {unknown}" for number in range(2, 21)),
                "Further problems: 5. “razbor validate” names all of them.",
            ],
        ),
        (
            f"Answer accepted; fragment 1: {unknown}",
            ["and 2 more"],
            [f"fragment 2: {unknown}", crossing],
        ),
    ]


def test_what_comes_while_the_page_is_put_together_stands_on_the_next_one():
    marked_set(3)
    client = Client()
    handed = client.next(1)
    seen = SessionPage.of(client.row, client.moment(2))

    client.send(handed.slot, 3)

    assert sorted(line.words for line in seen.log) == ["Asked for a file", "Handed out", "Opened"]
    later = SessionPage.of(client.row, client.moment(4))
    assert later.log[0].words == "Answer accepted"


def test_only_its_part_is_answered_to_htmx_and_asked_for_as_long_as_it_lives(client, log_in):
    browser, address = log_in(client.person), f"/exchange/{client.session.pk}/"

    live = browser.get(address, headers={"HX-Request": "true"})
    assert page_of(live).find("#live")[0]["hx-trigger"] == "every 2s"
    assert b"<html" not in live.content
    settle_due(moment=client.moment(1000))
    assert not page_of(browser.get(address)).find("[hx-trigger='every 2s']")


def test_the_log_is_a_file_that_is_judged_again(client, log_in, tmp_path):
    settle_due(moment=client.moment(1000))
    answer = log_in(client.person).get(f"/exchange/{client.session.pk}/log/")

    name = f"session, {client.session.pk}.json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    (tmp_path / name).write_bytes(answer.content)
    judged = judged_log(str(tmp_path / name))
    assert [each["reason"] or each["verdict"] for each in judged["files"]] == client.verdicts()


def test_everybody_finds_the_sessions_they_may_see(client, log_in):
    def rows(person):
        return len(page_of(log_in(person).get("/exchange/")).find("tbody tr"))

    assert [rows(each) for each in (client.person, team(), organiser())] == [1, 0, 1]
    stranger = log_in(team())
    addresses = [f"/exchange/{client.session.pk}/", f"/exchange/{client.session.pk}/log/"]
    assert [stranger.get(each).status_code for each in addresses] == [404, 404]
    assert log_in(PersonFactory()).get("/exchange/").status_code == 403


def test_the_list_costs_the_same_however_long_it_is(log_in, django_assert_max_num_queries):
    marked_set(2)
    browser = log_in(organiser())
    for _ in range(6):
        Client()
    browser.get("/exchange/")

    with django_assert_max_num_queries(9):
        browser.get("/exchange/")


def test_a_long_history_comes_in_pages_at_the_price_of_a_short_one(
    client, log_in, django_assert_num_queries
):
    abort(session_id=client.session.pk, moment=client.moment(5))
    browser, latest = log_in(client.person), client.row
    browser.get("/exchange/")
    with CaptureQueriesContext(connection) as asked:
        browser.get("/exchange/")
    for _ in range(120):
        latest.pk = None
        latest.save(force_insert=True)

    numbers = []
    for page in (1, 2, 3):
        with django_assert_num_queries(len(asked)):
            found = page_of(browser.get(f"/exchange/?page={page}"))
        numbers.append([int(each.text) for each in found.find(".sessions tbody th a")])

    assert list(map(len, numbers)) == [50, 50, 21]
    listed = [number for page in numbers for number in page]
    assert listed == sorted(listed, reverse=True)
    assert numbers[0][0] == latest.pk


def test_organisers_stop_a_session_with_a_reason_its_participant_reads(client, log_in):
    browser, address = log_in(organiser()), f"/exchange/{client.session.pk}/stop/"

    assert browser.post(address, {"reason": " "}).status_code == 422
    assert browser.post(address, {"reason": "A flood"}).status_code == 302
    assert browser.post(address, {"reason": "again"}).status_code == 410
    page = log_in(client.person).get(f"/exchange/{client.session.pk}/").content.decode()
    assert "Stopped by the organisers: A flood" in page
    assert log_in(PersonFactory(role="judge")).post(address, {"reason": "x"}).status_code == 403


def test_a_final_is_planned_cancelled_and_started_anew_with_other_files(log_in):
    browser, person, essay_set = log_in(organiser()), team(), unmarked_set(5)
    soon = f"{timezone.localtime() + timedelta(minutes=8):%Y-%m-%dT%H:%M}"
    plan = {"name": "Spring", "kind": "final", "essay_set": essay_set.pk, "starts_at": soon}
    plan |= {"count": 2, "interval": 60, "limit": 60, "admitted": [person.pk]}
    plan |= {"window": 120, "sends": 10, "share": 5, "lost": 900}

    assert browser.post("/exchange/finals/", {**plan, "count": 0}).status_code == 422
    assert browser.post("/exchange/finals/", {**plan, "count": 9}).status_code == 422
    assert browser.post("/exchange/finals/", plan).status_code == 302
    first = Final.objects.get()
    client = Client(person, mode=Mode.FINAL)
    assert client.row.state == "waiting"
    restart = {"reason": "A power cut", "starts_at": soon}
    assert browser.post(f"/exchange/finals/{first.pk}/restart/", restart).status_code == 302
    second = Final.objects.get(former=first)
    essays = [set(each.files.values_list("essay", flat=True)) for each in (first, second)]
    assert (str(second), len(essays[0] | essays[1])) == ("Spring, 2", 4)
    assert (client.row.state, client.row.stopped_because) == ("stopped", "A power cut")
    assert Client(person, mode=Mode.FINAL).session.final == second
    Final.objects.filter(pk=second.pk).update(starts_at=at(moment_now()))
    again = browser.post(f"/exchange/finals/{second.pk}/restart/", restart)
    assert (again.status_code, Final.objects.count()) == (422, 2)
    assert browser.post(f"/exchange/finals/{second.pk}/cancel/", {"reason": "x"}).status_code == 302
    assert "cancelled: A power cut" in browser.get("/exchange/finals/").content.decode()


def test_the_command_plans_and_says_what_is_wrong(capsys):
    person, essay_set = team(), unmarked_set(3)
    given = ["--set", essay_set.name, "--start", "2030-01-01T10:00", "--admit", person.username]

    call_command("final", "plan", "Autumn", *given, "--rehearsal")
    final = Final.objects.get()
    assert capsys.readouterr().out == f"{final.pk}: Autumn, 3 files, 1 admitted\n"
    with pytest.raises(CommandError, match="is no moment"):
        call_command("final", "plan", "A", *given[:3], "soon", *given[4:])
    with pytest.raises(CommandError, match="already"):
        call_command("final", "plan", "Autumn", *given)
    call_command("final", "cancel", str(final.pk), "--reason", "rain")
    assert Final.objects.get().cancelled_because == "rain"


def test_a_rehearsal_and_an_aborted_final_are_shown_with_their_solution(log_in):
    person = team()
    final_at(moment_now() - 30 * SECOND, person, share=0.05)
    client = Client(person, mode=Mode.FINAL)
    abort(session_id=client.session.pk, moment=client.moment(1))

    page = page_of(log_in(person).get(f"/exchange/{client.session.pk}/")).one("main").text
    assert "Above 5 % the whole solution is annulled. Solution: annulled." in page
    assert "final, REST;" in page
    Final.objects.update(kind="rehearsal")
    page = log_in(person).get(f"/exchange/{client.session.pk}/").content.decode()
    assert "rehearsal, REST;" in " ".join(page.split())


def test_of_files_that_were_never_handed_out_it_is_said_why(log_in):
    marked_set(4)
    client = Client(moment=moment_now() - 60 * SECOND)
    client.next(0)
    abort(session_id=client.session.pk, moment=client.moment(1))
    stopped = Client(mode=Mode.TECHNICAL, door=Door.SOCKETIO, moment=moment_now() - 60 * SECOND)
    stop(session_id=stopped.session.pk, reason="rain", actor=None, moment=stopped.moment(11))

    def told(each):
        address, browser = f"exchange/{each.session.pk}", log_in(each.person)
        lost = page_of(browser.get(f"/{address}/")).find(".lost li")
        (session,) = ExchangeSession.objects.filter(pk=each.session.pk)
        files = standing_of(session, moment_now())["verdicts"]
        assert [file["reason"] for file in files] == ["missing"] * 4
        words = [file["message"] for file in files]
        assert [line.find("span")[0].text for line in lost] == words
        return words

    aborted = "not handed out: the session was aborted"
    assert told(client) == ["no answer came", *[aborted] * 3]
    by_organisers = "not handed out: the organisers stopped the session"
    assert told(stopped) == [*["no answer came"] * 2, *[by_organisers] * 2]
