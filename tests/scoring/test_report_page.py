"""The report of a solution: who reads it, what it says, how it becomes ready."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.models import EssaySet
from jobs.models import Job
from scoring import signals
from scoring.core.exchange import AnnulledFile, Exchange
from scoring.models import ScoreRun, SolutionReport
from scoring.services.reporting import compute
from scoring.services.run_acts import decide_run, propose_run
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.reports import ALGORITHM, HIT, MISS, World, statuses
from tests.scoring.runs import done_run
from tests.scoring.work import score

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - the rows are the module's
    made = World()
    for origin in ("", "session-7"):
        made.compute(origin)
    return made


@pytest.fixture
def exchange():
    """What a session would say, as an app above answers."""
    lost = (AnnulledFile("3", "missing", "no answer came"),)
    told = Exchange(3, 60.0, 1, {"1": 4.0, "2": 12.0}, lost, unread=4)

    def answer(origin, **_):
        return told if origin == "session-7" else None

    signals.exchange_asked.connect(answer)
    yield told
    signals.exchange_asked.disconnect(answer)


@pytest.mark.parametrize("ending", ["", "json/", "csv/"])
def test_owner_and_staff_read_it_and_nobody_learns_that_others_have_one(log_in, world, ending):
    staff = {role: PersonFactory(role=role) for role in ("coordinator", "judge", "commission")}
    others = {"rival": PersonFactory(role="participant")}

    found = statuses(log_in, world.address(ending=ending), {**staff, **others, "own": world.lynx})

    assert found == {**dict.fromkeys(staff, 200), "rival": 404, "own": 200}
    assert log_in(PersonFactory(role="expert")).get(world.address()).status_code == 403


@pytest.mark.parametrize("origin", ["session-8", "session-", "x"])
def test_a_solution_that_is_none_has_no_report(log_in, world, origin):
    assert log_in(world.lynx).get(world.address(origin)).status_code == 404


def test_a_report_says_figures_beside_peoples_codes_and_the_ways_to_comparisons(log_in, world):
    page = log_in(world.lynx).get(world.address())

    shown = texts_of(page, ".figures dd")
    assert [each.split()[0] for each in shown] == ["80.00", "–", "80.00", "100.0", "2", "2"]
    assert texts_of(page, ".codes-table tbody th")[::2] == ["Mistakes", "Criteria"]
    assert texts_of(page, ".heat .diag") == ["100.0"]
    own, first = world.sent[0].pk, world.checks[0].pk
    links = [link["href"] for link in page_of(page).find(".essaysbest .links a")]
    assert f"/compare/{own}/{first}/" in links
    assert len(links) == 4


def test_a_code_has_a_bar_of_its_precision_and_one_of_its_recall(log_in):
    world = World()
    score(world.answer(world.essays[0], HIT, MISS, origin="session-8"))
    world.compute("session-8")

    page = log_in(PersonFactory(role="judge")).get(world.address("session-8"))

    bars = [each["width"] for each in page_of(page).find(".codes-table tbody .chart rect")]
    told = texts_of(page, ".codes-table tbody td.num")
    assert (bars[:2], told[:3]) == (["150.0", "300.0"], ["2", "50.0", "100.0"])


def test_a_session_is_told_with_its_times_and_annulled_files(log_in, world, exchange):
    page = log_in(world.lynx).get(world.address("session-7"))

    assert "session 7; rules" in texts_of(page, ".page-head p")[0]
    assert texts_of(page, "#h-annulled") == ["Annulled, 1 of 3"]
    assert texts_of(page, ".lostfiles td") == ["no answer came"]
    assert [int(each) for each in texts_of(page, ".numbers td")] == [1, 0, 1, *[0] * 9]
    told = json.loads(log_in(world.lynx).get(world.address("session-7", "json/")).content)
    assert told["session"]["median"] == exchange.median


def test_what_became_better_and_worse_since_the_last_is_told(log_in, world):
    told = json.loads(log_in(world.lynx).get(world.address("session-7", "json/")).content)

    assert told["change"] == {
        "star": -20.0,
        "common": 1,
        "difference": -20.0,
        "better": 0,
        "worse": 1,
        "than": "free",
        "than_at": world.sent[1].submitted_at.isoformat(),
    }
    assert (told["STAR"], told["STER"], told["essays"]) == (60.0, 80.0, 1)


def test_a_table_opens_in_a_spreadsheet(log_in, world):
    lines = log_in(world.lynx).get(world.address(ending="csv/")).content.decode().split("\r\n")

    assert (lines[0], lines[12]) == (
        "\ufeffpart,subject,name,figure,value",
        "summary,,STAR,percent,80.0",
    )
    assert lines[8:10] == [
        "no_rank,,reason,,no-board",
        "no_rank,,words,,No board of the set is published: there are no ranks yet.",
    ]
    made_at = SolutionReport.objects.get(origin="").computed_at.isoformat()
    assert lines[1:8] == [
        f"report,,essay_set,,{world.essay_set.name}",
        "report,,participant,,The Lynx",
        "report,,origin,,free",
        f"report,,rules,,{world.essay_set.rules}",
        "report,,run,,",
        f"report,,made_at,,{made_at}",
        "report,,stale,,false",
    ]


def test_a_table_opens_in_a_russian_spreadsheet(log_in, world):
    browser = log_in(world.lynx)
    browser.cookies["django_language"] = "ru"
    tools = page_of(browser.get(world.address())).find("#tools a")
    (link,) = [each["href"] for each in tools if each.text.strip() == "Excel"]

    lines = browser.get(link).content.decode().split("\r\n")

    assert (lines[0], lines[12]) == (
        "\ufeffpart;subject;name;figure;value",
        "summary;;STAR;percent;80,0",
    )


def test_the_table_of_accuracy_leads_to_the_own_report_alone(log_in, world):
    rival = PersonFactory(role="participant")
    score(submitted(world.essays[0], MISS, author=rival, source=ALGORITHM))

    page = page_of(log_in(world.lynx).get("/scores/"))

    links = {link["href"] for link in page.find("tbody th a")}
    assert links == {world.address(), world.address("session-7")}


def test_a_report_that_is_not_computed_is_ordered_once_and_waits(log_in):
    world = World()
    browser = log_in(world.lynx)

    pages = [browser.get(world.address()) for _ in range(2)]

    assert [texts_of(page, ".notice span")[0] for page in pages] == (
        ["The report is being computed. 2 of 2 files are scored."] * 2
    )
    early = browser.get(world.address(ending="json/"))
    words = "The report is being computed. Ask again in a moment."
    assert (early.status_code, early["Retry-After"]) == (409, "2")
    assert early.json() == {"code": "not-yet", "message": words}
    table = browser.get(world.address(ending="csv/"))
    assert (table.status_code, table["Content-Type"]) == (409, "text/html; charset=utf-8")


def test_when_a_waiting_page_gets_its_report_it_gets_the_files_of_it_too(log_in):
    world = World()
    browser = log_in(world.lynx)
    asked = {"headers": {"HX-Request": "true"}}
    before = browser.get(world.address())
    compute(set_id=world.essay_set.pk, author_id=world.lynx.pk, origin="")

    part = browser.get(world.address(), **asked)

    assert texts_of(before, "#tools a") == ["Scores"]
    assert texts_of(part, "#tools a") == ["CSV", "JSON", "Scores"]
    (tools,) = page_of(part).find("#tools")
    assert tools["hx-swap-oob"] == "true"
    assert "hx-swap-oob" not in before.content.decode()


def test_a_report_says_how_many_files_are_scored_of_those_that_came(log_in, exchange):
    world = World()
    world.answer(world.essays[1], HIT, origin="session-7")
    nobodys = EssayFactory(essay_set=world.essay_set)
    world.answer(nobodys, HIT, origin="session-7")

    words = texts_of(log_in(world.lynx).get(world.address("session-7")), ".notice span")[0]

    assert (exchange.unread, words) == (
        4,
        "The report is being computed. 1 of 6 files are scored.",
    )


def test_however_often_a_report_is_asked_for_while_scores_come_one_job_waits(log_in):
    world = World()
    browser = log_in(world.lynx)

    for _ in range(3):
        browser.get(world.address())
        score(submitted(world.essays[0], MISS))

    assert list(reports_ordered().values_list("state", flat=True)) == ["queued"]


def test_a_report_that_is_kept_is_not_computed_once_more():
    world = World()
    world.compute()
    before = SolutionReport.objects.values().get(author=world.lynx)

    with CaptureQueriesContext(connection) as queries:
        world.compute()

    assert SolutionReport.objects.values().get(author=world.lynx) == before
    assert len(queries) == 4


@pytest.mark.parametrize("essays", [2, 12])
def test_the_queries_of_computing_do_not_grow(essays, django_assert_num_queries):
    world = World()
    for _ in range(essays):
        essay = EssayFactory(essay_set=world.essay_set)
        score(submitted(essay, HIT), submitted(essay, HIT, author=world.lynx, source=ALGORITHM))

    with django_assert_num_queries(15):
        world.compute()


def reports_ordered():
    return Job.objects.filter(kind="scoring.compute_report")


def test_new_scores_make_a_report_stale_until_it_is_computed_anew(log_in):
    world = World()
    world.compute()
    browser = log_in(world.lynx)
    assert texts_of(browser.get(world.address()), ".notice") == []

    score(submitted(world.essays[0], MISS))

    words = "The report is computed anew. 2 of 2 files are scored."
    assert texts_of(browser.get(world.address()), ".notice span")[0] == words
    stale = browser.get(world.address(ending="json/")).json()
    assert (stale["stale"], stale["made_at"], stale["origin"], stale["run"]) == (
        True,
        SolutionReport.objects.get(author=world.lynx).computed_at.isoformat(),
        "free",
        None,
    )
    world.compute()
    assert texts_of(browser.get(world.address()), ".notice") == []
    assert browser.get(world.address(ending="json/")).json()["stale"] is False


def test_of_few_essays_of_a_test_set_its_participant_reads_no_counts(log_in):
    world = World(access="closed")
    world.compute()
    of_staff, browser = log_in(PersonFactory(role="judge")), log_in(world.lynx)

    page = browser.get(world.address())
    assert (texts_of(page, ".figures dt"), page_of(page).find(".essaysbest")) == (
        ["STAR", "Rank", "Share of the human level, OTAR", "Essays that count"],
        [],
    )
    assert not page_of(page).find(".confusion, .codes, #h-codes")
    told = json.loads(browser.get(world.address(ending="json/")).content)
    assert (told["STAR"], told["essays"], list(told["metrics"])) == (
        80,
        2,
        ["M2", "M3", "M4", "M5", "M6"],
    )
    kept_back = ("STER", "like_people", "subjects", "per_essay", "worst", "best", "change")
    assert [told[name] or None for name in kept_back] == [None] * 7
    assert {each["people"] for each in told["metrics"].values()} == {None}
    table = browser.get(world.address(ending="csv/")).content.decode()
    kinds = {line.split(",")[0] for line in table.splitlines()[1:]}
    assert kinds == {"report", "no_rank", "summary", "metric"}
    why = told["restricted"]
    assert why.startswith("So few essays of a test set count that figures by essays and codes")
    assert f"report,,restricted,,{why}\r\n" in table
    assert why in page_of(page).one("main").text
    assert json.loads(of_staff.get(world.address(ending="json/")).content)["per_essay"]


def test_of_a_test_set_the_own_figures_are_shown_without_a_word_of_the_essays(log_in, monkeypatch):
    monkeypatch.setattr("scoring.core.report.FEWEST_TOLD", 2)
    world = World(access="closed")
    world.compute()

    page = log_in(world.lynx).get(world.address())

    assert page.status_code == 200
    assert texts_of(page, ".essaysbest .serif") == []
    assert len(page_of(page).find(".essaysbest .links a")) == 4


@pytest.mark.usefixtures("exchange")
@pytest.mark.parametrize("published_at", [None, timezone.now()])
def test_of_finals_times_are_told_at_once_and_accuracies_after_a_run(log_in, published_at):
    world = World(access="final", published_at=published_at)
    for person in (world.lynx, PersonFactory(role="judge")):
        page = log_in(person).get(world.address("session-7"))

        assert texts_of(page, ".notice span") == ["Accuracies stand here once the results are in."]
        assert (texts_of(page, ".figures dd"), texts_of(page, ".lostfiles tbody th")) == (
            [],
            ["3"],
        )
        told = json.loads(log_in(person).get(world.address("session-7", "json/")).content)
        assert ("STAR" in told, told["session"]["files"]) == (False, 3)
    assert not SolutionReport.objects.filter(essay_set=world.essay_set).exists()


@pytest.mark.usefixtures("exchange")
def test_a_session_of_a_final_whose_every_file_is_annulled_has_its_report(log_in):
    world = World(access="final", published_at=timezone.now())
    lost = PersonFactory(role="participant")
    address = f"/scores/{world.essay_set.pk}/reports/{lost.pk}/session-7/"
    people = {"own": lost, "judge": PersonFactory(role="judge"), "stranger": world.lynx}

    assert statuses(log_in, address, people) == {"own": 200, "judge": 200, "stranger": 404}
    page = log_in(lost).get(address)
    assert texts_of(page, "#h-annulled") == ["Annulled, 1 of 3"]
    assert log_in(lost).get(f"{address}json/").json()["session"]["files"] == 3
    assert log_in(lost).get(address.replace("session-7", "session-8")).status_code == 404


@pytest.mark.usefixtures("exchange")
def test_of_other_sets_a_session_without_an_answer_that_counts_has_no_report(log_in, world):
    lost = PersonFactory(role="participant")

    address = f"/scores/{world.essay_set.pk}/reports/{lost.pk}/session-7/"
    assert log_in(lost).get(address).status_code == 404


def test_of_a_final_staff_read_accuracies_once_a_run_is_applied_and_its_owner_once_published(
    log_in,
):
    world = World(access="final", published_at=None)
    run = done_run(world.essay_set)
    organiser, judge = (PersonFactory(role=role) for role in ("organiser", "judge"))
    apply = ScoreRun.Proposal.APPLY
    propose_run(run=run, proposal=apply, reason="New", actor=organiser)
    decide_run(run=run, proposal=apply, against=None, actor=judge)
    entry = run.entries.exclude(state="former").get(participant=world.lynx)
    world.compute(entry.origin)
    address = world.address(entry.origin or "free", "json/")

    def told():
        found = (log_in(person).get(address).json() for person in (judge, world.lynx))
        return [each.get("STAR") for each in found]

    before = told()
    EssaySet.objects.filter(pk=world.essay_set.pk).update(published_at=timezone.now())

    assert before == [pytest.approx(entry.star), None]
    assert told() == [pytest.approx(entry.star)] * 2


@pytest.mark.parametrize("essays", [1, 30])
def test_the_queries_of_a_report_do_not_grow(log_in, django_assert_max_num_queries, essays):
    world = World()
    for _ in range(essays):
        essay = EssayFactory(essay_set=world.essay_set)
        score(submitted(essay, HIT), world.answer(essay, MISS))
    world.compute()
    browser = log_in(world.lynx)
    browser.get(world.address())

    with django_assert_max_num_queries(27):
        browser.get(world.address())
