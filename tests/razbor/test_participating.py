"""What docs/participating.md tells participants to type does what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import threading

import pytest
from django.test import Client as Browser

from annotator.models import MarkupRecord
from contest.models import ExchangeSession
from razbor import parcels
from tests.contest.world import marked_set, team
from tests.pages import page_of
from tests.razbor.guide import ADDRESS, GUIDE, ROOT, program, typed

PATIENCE = 60
ASKED = "Key of your account: "


def names_of(session):
    return list(session.files.order_by("position").values_list("name", flat=True))


def ran(line, address, folder=ROOT):
    """A program of the guide, by one of its lines, as it ran in a folder."""
    return subprocess.run(
        [sys.executable, "-c", program(line, address)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.django_db
def test_a_key_is_made_where_the_guide_says_and_opens_the_doors(client, log_in):
    (place,) = re.findall(r"open your name at the top \(`(/\S+/)`\)", GUIDE)
    (title,) = re.findall(r"and under “(.+?)” make a key", GUIDE)
    browser = log_in(team())

    page = page_of(browser.get(place))
    made = page_of(browser.post(place, {"name": "program"}))
    key = made.one("code.secret").text

    assert place in [each["href"] for each in page.find("header a")]
    assert title in [each.text for each in page.find("h2")]
    words = {"authorization": f"Token {key}"}
    opened = Browser(headers=words).get("/api/exchange/")
    assert (opened.status_code, client.get("/api/exchange/").status_code) == (200, 401)


@pytest.mark.usefixtures("worker")
def test_the_archive_of_the_guide_is_made_handed_in_and_taken(
    exchange, folder, live_server, monkeypatch
):
    monkeypatch.setattr(parcels, "PAUSE", 0.1)
    (words,) = typed("razbor exchange --url https://razbor.example --zip")
    named = re.findall(r"in the demo it is `\"(.+?)\"`", GUIDE)
    marked_set(4, name=named[0], takes_parcels=True)

    made = ran("from zipfile import ZipFile", live_server.url, folder())
    status, out, errors = exchange(*words[4:-1], *named)

    assert (made.returncode, made.stderr, status, errors) == (0, "", 0, "")
    assert out.endswith("Taken: 4, known already: 0, refused: 0.\n")
    algorithms = MarkupRecord.objects.filter(source=MarkupRecord.Source.ALGORITHM)
    assert algorithms.count() == 4


def test_the_two_lines_of_the_command_end_a_session_and_judge_its_log(exchange, run, folder):
    folder()
    begun, judged = typed(f"razbor exchange --url {ADDRESS} --mode technical")
    python = f"{shlex.quote(sys.executable)} -m"

    took_part = exchange(*(word.replace("python -m", python) for word in begun[4:]))
    found = run(*judged[1:])

    session = ExchangeSession.objects.get()
    assert (session.state, session.counted) == ("finished", 3)
    assert [(status, errors) for status, _out, errors in (took_part, found)] == [(0, "")] * 2
    assert found[1].startswith("Session: finished\n")
    assert took_part[1].endswith(found[1])


def test_the_program_of_the_guide_answers_every_file(key, live_server):  # noqa: ARG001
    done = ran("from razbor.client import Exchange, ExchangeError", live_server.url)

    *lines, counted = done.stdout.splitlines()
    session = ExchangeSession.objects.get()
    assert (done.returncode, done.stderr) == (0, "")
    assert [re.sub(r"\d+ s were left", "", line).split() for line in lines] == [
        [name, "True", "Accepted."] for name in names_of(session)
    ]
    assert (counted, session.state) == ("3", "finished")


def test_every_option_of_the_command_stands_in_the_guide(run):
    _status, out, _err = run("exchange", "--help")

    named = set(re.findall(r"--[a-z]+", out)) - {"--help"}
    assert sorted(named - set(re.findall(r"--[a-z]+", GUIDE))) == []


def test_without_the_variable_the_key_is_asked_for_and_shown_to_nobody(key, live_server):
    screen, keyboard = os.openpty()
    words = [sys.executable, "-m", "razbor.main", "exchange", "--url", live_server.url, "--abort"]
    without = {name: value for name, value in os.environ.items() if name != "RAZBOR_TOKEN"}
    asking = subprocess.Popen(
        words,
        cwd=ROOT,
        env={**without, "LC_ALL": "C.UTF-8"},
        stdin=keyboard,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = threading.Timer(PATIENCE, asking.kill)
    end.start()
    with asking:
        asked = asking.stderr.read(len(ASKED))
        os.write(screen, f"{key}\n".encode())
        out, errors = asking.communicate()
    end.cancel()
    os.close(keyboard)
    os.close(screen)

    assert (asked, asking.returncode, out) == (ASKED, 0, "No session is open.\n")
    assert key not in errors
