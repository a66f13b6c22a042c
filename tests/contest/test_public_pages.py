"""The public site: who reads which contest, what stands there, at which price."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localtime

from accounts.models import User
from annotator.core.language import parse
from contest.core.both import Both
from contest.models import Consent, Contest, Phase, Publication
from contest.pages.specimen import SPECIMEN
from contest.services.announcing import Module, release_module
from tests.contest import data_world
from tests.contest.contests import (
    contest_of,
    data_set,
    days,
    parameters,
    running,
    team_of,
    told,
)
from tests.factories import EssayFactory, PersonFactory, RuleSetFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parent.parent.parent
SUM = "cd" * 32


@pytest.fixture
def stranger():
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def autumn():
    return running(
        summary_en="Find the mistakes", task_en="Return a markup.", contact="office@c.example"
    )


def addresses_of(contest, announcement):
    return [
        reverse("contest:contest", args=[contest.slug]),
        reverse("contest:feed", args=[contest.slug]),
        reverse("contest:contest_board", args=[contest.slug]),
        reverse("contest:announcement", args=[contest.slug, announcement.pk]),
    ]


def test_strangers_see_the_front_page_and_everybody_else_the_page_of_the_role(stranger, log_in):
    at_work = log_in(PersonFactory(role="judge")).get("/")

    assert stranger.get("/").status_code == 200
    assert (at_work.status_code, at_work["Location"]) == (302, "/verdicts/")


@pytest.mark.parametrize("role", [None, *User.Role.values])
def test_a_contest_that_is_not_announced_is_read_by_those_who_run_and_judge_it(role, log_in):
    secret = contest_of("secret", announced=False, name_en="Quiet")
    client = log_in(PersonFactory(role=role)) if role else Client()

    found = [client.get(each).status_code for each in addresses_of(secret, told(secret))]

    may = role in ("organiser", "judge", "commission", "administrator")
    assert found == [200 if may else 404] * 4
    assert ("Quiet" in client.get("/contests/").content.decode()) == may


def test_strangers_read_announced_contests(autumn, stranger):
    found = [stranger.get(each).status_code for each in addresses_of(autumn, told(autumn))]

    assert found == [200] * 4


def test_an_announcement_is_not_read_through_another_contest(stranger):
    running()
    other = running("winter")
    made = told(other)

    assert stranger.get(f"/contests/autumn/announcements/{made.pk}/").status_code == 404


def test_the_front_page_says_what_is_on_and_what_comes_next(autumn, stranger):
    team_of(autumn, "Lynx")
    told(autumn, "Hello", "everybody")
    contest_of("done", final_at=days(-1))

    page = page_of(stranger.get("/"))

    (row,) = page.find("table.contests tbody tr")
    assert row.find("th a")[0].text == "Contest autumn"
    assert row.find(".phase")[0].text == "Qualification"
    assert "the qualification ends" in row.text
    assert row.find("td")[-1].text == "1"
    assert [each.text for each in page.find(".news a")] == ["Hello"]


def test_a_front_page_without_contests_says_so(stranger):
    page = page_of(stranger.get("/"))

    assert "No contest is announced at the moment." in page.text


def test_the_specimen_is_what_the_demo_has():
    folder = ROOT / "review" / "demo"

    def found_by(who):
        markup = parse((folder / f"0001002_{who}.txt").read_text("utf-8")).file.markup
        begins, ends = (markup.text.index(each) for each in ("Secondly, games", "foreigners."))
        return {
            (markup.text[each.span.start : each.span.end], each.correction): each.code
            for each in markup.fragments
            if each.correction and begins <= each.span.start < ends
        }

    irina, anna, lynx = (found_by(each) for each in ("exp1", "exp3", "lynx"))
    assert [
        (*pair, code, anna.get(pair) == code, lynx.get(pair) == code)
        for pair, code in irina.items()
    ] == [tuple(each) for each in SPECIMEN]


@pytest.mark.usefixtures("autumn")
def test_one_step_of_the_schedule_is_lit(stranger):
    page = page_of(stranger.get("/contests/autumn/"))

    steps = page.find(".steps li")
    assert [each.find("b")[0].text for each in steps] == [
        *("Announced", "Applications", "Qualification", "Finals", "Experts mark", "Results")
    ]
    lit = [each.find("b")[0].text for each in steps if "aria-current" in each.attributes]
    assert lit == ["Qualification"]
    assert page.find("aside .big")[0].text == "Qualification"
    assert page.find("aside dd a")[0]["href"] == "mailto:office@c.example"


def test_parameters_stand_with_their_date_and_their_history(autumn, stranger):
    organiser = PersonFactory(role="organiser", full_name="Natalia", username="secret-login")
    parameters(autumn, 1, since=-30, rules=RuleSetFactory(hardness=0.5))
    second = parameters(
        autumn,
        2,
        since=-3,
        session={"window": 60},
        reason_en="The window was too wide",
        proposed_by=organiser,
    )
    judge = PersonFactory(role="judge", username="hidden-login")
    Consent.objects.create(parameters=second, body="judges", agrees=True, who=judge)

    answer = stranger.get("/contests/autumn/")
    page = page_of(answer)

    rows = {row.find("th")[0].text: row for row in page.find(".params tbody tr")}
    window = rows["Seconds to open a session after the start"]
    assert [each.text for each in window.find("td")][:2] == ["–", "60"]
    assert window.find("td")[-1].text == "7.4"
    since = {
        each.find("time")[0]["datetime"][:10] for each in (window, rows["STAR to be admitted"])
    }
    assert since == {f"{localtime(days(each)):%Y-%m-%d}" for each in (-3, -30)}
    first, last = page.find(".changes li")[::-1]
    assert "Initial parameters" in first.text
    changed = [
        (each.find("b")[0].text, each.find("del")[0].text, each.find("ins")[0].text)
        for each in last.find("p")
        if each.find("del")
    ]
    assert changed == [
        ("Hardness H (1: the mean of the experts)", "0.5", "1"),
        ("Seconds to open a session after the start", "120", "60"),
    ]
    assert last.text.endswith(
        "The window was too wide Proposed by Natalia (Organiser). Agreed: Judge."
    )
    assert "login" not in answer.content.decode().replace("/login/", "")


def test_a_version_that_is_only_proposed_is_not_told(autumn, stranger):
    parameters(autumn, 1)
    autumn.parameter_sets.create(version=2, rules=RuleSetFactory(), session={"window": 7})

    page = page_of(stranger.get("/contests/autumn/"))

    assert [each.text for each in page.find(".changes .v")] == ["1"]


def test_data_sets_say_how_many_essays_and_which_archive(autumn, stranger):
    for role, many in (("training", 2), ("test", 1), ("final", 3)):
        made = data_set(autumn, role)
        for _ in range(many):
            EssayFactory(essay_set=made.essay_set)
    for checksum in ("ee" * 32, SUM):
        Publication.objects.create(
            contest=autumn, kind="training", file="x", size=2_000_000, essays=2, checksum=checksum
        )

    def rows():
        found = page_of(stranger.get("/contests/autumn/")).find(".data tbody tr")
        return [(each.find("td")[0].text, each.find("code")) for each in found]

    assert [count for count, _ in rows()] == ["2", "1", "–"]
    assert [[each.text for each in code] for _, code in rows()] == [[f"SHA-256 {SUM}"], [], []]
    Phase.objects.filter(contest=autumn, kind="finals").update(closed_at=days(0))
    assert [count for count, _ in rows()] == ["2", "1", "3"]


def release(contest, version="1.4"):
    return release_module(
        contest=contest,
        module=Module("razbor", version, SUM),
        purpose=Both(ru="Быстрее", en="Faster"),
        actor=None,
    )


def test_common_modules_stand_with_version_checksum_and_instructions(autumn, stranger):
    made = release(autumn)

    page = page_of(stranger.get("/contests/autumn/"))

    (module,) = page.find("#modules .module")
    assert f"razbor 1.4 SHA-256 {SUM}" in module.text
    link = module.find("p a")[-1]["href"]
    assert link == f"/contests/autumn/announcements/{made.announcement_id}/"
    assert "Faster" in page_of(stranger.get(link)).text
    instructions = [each["href"] for each in page.find("#modules a") if "documents" in each["href"]]
    assert [stranger.get(each).status_code for each in instructions] == [200] * 4


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"live": False}, ["taking-part", "contest-data", "markup"]),
        *(
            (
                {"live": False, "subject": "", "scheme": scheme},
                ["taking-part", "contest-data", scheme],
            )
            for scheme in ("use", "coscore", "space2022", "qac")
        ),
    ],
)
def test_instructions_are_those_of_the_kind_of_contest(stranger, fields, expected):
    made = data_world.contest_of(**fields)

    page = page_of(stranger.get(f"/contests/{made.slug}/"))

    found = [each["href"] for each in page.find("#modules a")]
    assert found == [f"/documents/{name}/" for name in expected]
    assert [stranger.get(each).status_code for each in found] == [200] * 3
    opened = "all markups open to everybody" in page.text
    assert opened == ("scheme" not in fields)


def form_of(**fields):
    return {
        "name": "razbor",
        "version": "1.4",
        "checksum": SUM,
        "purpose_ru": "Быстрее",
        "purpose_en": "Faster",
        **fields,
    }


def test_organisers_announce_a_version_by_a_form(autumn, log_in):
    client = log_in(PersonFactory(role="organiser"))

    sent = client.post("/contests/autumn/manage/modules/", form_of())

    assert (sent.status_code, sent["Location"]) == (302, "/contests/autumn/")
    assert [str(each) for each in autumn.releases.all()] == ["razbor 1.4"]
    again = client.post("/contests/autumn/manage/modules/", form_of())
    assert (again.status_code, autumn.announcements.count()) == (422, 1)


@pytest.mark.parametrize(
    "wrong", [{"checksum": "abc"}, {"purpose_en": ""}, {"address": "javascript:x"}]
)
def test_a_form_with_something_missing_announces_nothing(autumn, log_in, wrong):
    client = log_in(PersonFactory(role="organiser"))

    sent = client.post("/contests/autumn/manage/modules/", form_of(**wrong))

    assert (sent.status_code, autumn.announcements.count()) == (422, 0)


@pytest.mark.parametrize(
    "role", [None, "participant", "expert", "coordinator", "judge", "commission"]
)
def test_nobody_else_announces_versions(autumn, log_in, role):
    client = log_in(PersonFactory(role=role)) if role else Client()

    sent = client.post("/contests/autumn/manage/modules/", form_of())

    assert (sent.status_code, autumn.announcements.count()) == (403 if role else 302, 0)


def test_the_words_of_a_contest_are_never_markup(stranger):
    contest_of("odd", name_en="<b>A&B</b>", task_en="<script>x</script>")

    page = stranger.get("/contests/odd/").content.decode()

    assert "<script>x" not in page
    assert "&lt;b&gt;A&amp;B&lt;/b&gt;" in page


def test_everybody_finds_the_contests_in_the_navigation(stranger, log_in):
    for client in (stranger, *(log_in(PersonFactory(role=each)) for each in User.Role.values)):
        bar = page_of(client.get("/contests/")).find("header nav a")
        assert "/contests/" in [each["href"] for each in bar]


def test_a_contest_in_another_language_is_read_in_the_one_it_has(stranger):
    Contest.objects.create(slug="ru", subject="rus", name_ru="Сочинения", announced_at=days(-1))

    assert texts_of(stranger.get("/contests/ru/"), "h1") == ["Сочинения"]


def test_a_contest_without_live_sessions_says_nothing_of_sessions(client):
    found = data_world.contest_of(live=False, shows_test_board=True)
    data_world.phase_of(found, "qualification", -1, 5)
    predictions = data_world.qac()
    parameters(found)
    parameters(predictions)
    data_world.phase_of(predictions, "qualification", -1, 5)

    page, other = (page_of(client.get(f"/contests/{each.slug}/")) for each in (found, predictions))

    assert "so many a day and in all" in page.one("#schedule").text
    assert [each.text for each in page.find("#rules .params tbody th")] == [
        *("Weights of M1 to M7", "Hardness H (1: the mean of the experts)"),
        *("Total that calls the third expert", "STAR to be admitted"),
    ]
    assert (other.find("#data"), other.find("#rules"), other.find("a[href=#rules]")) == ([], [], [])
    assert "sessions" not in other.one("#schedule").text.casefold()


@pytest.mark.parametrize("page", ["", "apply/"])
def test_the_foot_of_a_contests_page_names_the_zone_of_its_moments(stranger, page):
    running("omsk", zone="Asia/Omsk")

    shown = page_of(stranger.get(f"/contests/omsk/{page}"))

    assert "Times are given in the zone UTC+6" in " ".join(shown.one("footer").text.split())


@pytest.mark.parametrize("page", ["/", "/contests/"])
def test_a_list_of_contests_names_the_zone_of_each_moment(stranger, page):
    for slug, zone in (("omsk", "Asia/Omsk"), ("moscow", "Europe/Moscow")):
        running(slug, zone=zone)

    told = [each.text for each in page_of(stranger.get(page)).find("td b time")]

    assert sorted(each.split()[-1] for each in told) == ["MSK", "UTC+6"]
