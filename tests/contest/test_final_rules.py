"""The rules of a final that belongs to no contest, by page and by command, and its restart."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from contest.models import ExchangeSession, Final
from contest.services.sessions.clock import moment_now
from tests.contest.world import Client, Mode, final_at, team, unmarked_set
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

USUAL = {
    "interval": 60.0,
    "limit": 60.0,
    "window": 120,
    "sends": 10,
    "share": 0.05,
    "linger": None,
    "lost": 900,
}
OTHERS = {"window": 300, "sends": 3, "share": 0.1, "linger": 30, "lost": 60}
NONE = {"window": None, "sends": 10, "share": None, "linger": None, "lost": 900}


def planned_on_page(browser, **said):
    soon = f"{timezone.localtime() + timedelta(minutes=8):%Y-%m-%dT%H:%M}"
    plan = {"name": "Spring", "kind": "final", "essay_set": unmarked_set(5).pk, "starts_at": soon}
    plan |= {"count": 2, "interval": 60, "limit": 60, "admitted": [team().pk]}
    return browser.post("/exchange/finals/", plan | said)


def planned_by_command(*said):
    given = ["--set", unmarked_set(3).name, "--start", "2030-01-01T10:00"]
    call_command("final", "plan", "Autumn", *given, "--admit", team().username, *said)


@pytest.fixture
def browser(log_in):
    return log_in(PersonFactory(role="organiser"))


def test_the_page_begins_with_the_rules_of_a_final(browser, log_in):
    form = page_of(browser.get("/exchange/finals/"))
    fields = {name: form.one(f"[name={name}]") for name in OTHERS}

    assert {name: field.attributes.get("value", "") for name, field in fields.items()} == {
        "window": "120",
        "sends": "10",
        "share": "5",
        "linger": "",
        "lost": "900",
    }
    for stranger in (team(), PersonFactory(role="coordinator")):
        assert log_in(stranger).get("/exchange/finals/").status_code == 403


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ({"window": "120", "sends": "10", "share": "5", "lost": "900"}, {}),
        ({"window": "300", "sends": "3", "share": "10", "linger": "30", "lost": "60"}, OTHERS),
        ({"window": "", "sends": "10", "share": "", "linger": "", "lost": "900"}, NONE),
    ],
)
def test_organisers_choose_the_rules_of_a_final_on_its_page(browser, said, rules):
    assert planned_on_page(browser, **said).status_code == 302

    assert Final.objects.get().rules == {**USUAL, **rules}


def test_rules_that_are_none_are_refused_on_the_page_where_they_stand(browser):
    said = {"window": "-1", "sends": "0", "share": "101", "linger": "x", "lost": ""}

    answer = planned_on_page(browser, **said)

    page = page_of(answer)
    assert (answer.status_code, len(page.find("form details[open] .bad"))) == (422, 5)
    assert not Final.objects.exists()


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ([], {}),
        (
            ["--window=300", "--sends=3", "--share=10", "--linger=30", "--lost=60"],
            OTHERS,
        ),
        (["--window=none", "--share=none", "--linger=none"], NONE),
        (["--share=0"], {"share": 0}),
    ],
)
def test_the_command_takes_the_same_rules(said, rules):
    planned_by_command(*said)

    assert Final.objects.get().rules == {**USUAL, **rules}


@pytest.mark.parametrize(
    "said",
    [
        *("--window=-1", "--sends=0", "--share=101", "--linger=soon", "--lost=-1"),
        "--start=9999-12-31T23:00",
    ],
)
def test_the_command_refuses_rules_that_are_none(said):
    with pytest.raises(CommandError):
        planned_by_command(said)

    assert not Final.objects.exists()


def test_a_session_of_a_final_has_the_rules_of_its_plan(browser):
    assert planned_on_page(browser, window="300", sends="3", share="10", lost="60").status_code
    final = Final.objects.get()
    session = Client(final.admissions.get().participant, mode=Mode.FINAL).session

    told = {name: session.rules[name] for name in USUAL}
    assert told == {**USUAL, **OTHERS, "linger": None}


def test_the_command_starts_a_final_anew_with_other_files(capsys):
    person, moment = team(), moment_now()
    first = final_at(moment + 60_000_000, person, essays=4)
    first.files.filter(position__gt=2).delete()
    client = Client(person, mode=Mode.FINAL)
    capsys.readouterr()
    words = ["--reason", "A power cut", "--start", "2030-01-01T10:00"]

    call_command("final", "restart", str(first.pk), *words)

    second = Final.objects.get(former=first)
    essays = [set(each.files.values_list("essay", flat=True)) for each in (first, second)]
    session = ExchangeSession.objects.get(pk=client.session.pk)
    assert capsys.readouterr().out == f"{second.pk}: {second}, 2 files, 1 admitted\n"
    assert len(essays[0] | essays[1]) == 4
    assert (session.state, session.stopped_because) == ("stopped", "A power cut")
    with pytest.raises(CommandError, match="started anew already"):
        call_command("final", "restart", str(first.pk), *words)
    with pytest.raises(CommandError, match="There is no final 99"):
        call_command("final", "restart", "99", *words)
