"""From the demo's table of accuracy to comparisons, link by link: board, report, pair."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from config.celery import app
from jobs.models import Job
from jobs.queries import waiting_jobs
from scoring.models import PairScore, RunPair, StandingBoard
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


def browser(name):
    found = Client()
    found.force_login(User.objects.get(username=name))
    return found


def work_off():
    """Do whatever waits, as workers do; each must end well."""
    while job := waiting_jobs().first():
        app.tasks[job.kind](job.pk)
    assert list(Job.objects.exclude(error="").values_list("key", "error")) == []


@pytest.fixture(scope="module")
def demo(module_rows, tmp_path_factory):  # noqa: ARG001 - the rows are the module's
    app.loader.import_default_modules()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "EXPORTS", tmp_path_factory.mktemp("exports"))
        call_command("demo")
        work_off()
    board = StandingBoard.objects.get(essay_set__name="Обучающая выборка")
    rows = board.applied.entries.filter(state="ranked").order_by("position")
    return SimpleNamespace(number=board.essay_set_id, run=board.applied, rows=list(rows))


def links(answer, selector):
    return [each["href"] for each in page_of(answer).find(selector)]


def table_of(answer, demo):
    """The panel of the set in the list of all tables."""
    panels = page_of(answer).find("section.panel")
    address = f"/boards/{demo.number}/"
    (own,) = (each for each in panels if address in [link["href"] for link in each.find("a.btn")])
    return own


def report_of(entry):
    return f"/scores/{entry.run.essay_set_id}/reports/{entry.participant_id}/free/"


@pytest.mark.parametrize("name", ["lynx", "coordinator"])
def test_the_table_of_accuracy_is_a_board_with_intervals(demo, name):
    table = table_of(browser(name).get("/scores/"), demo)

    assert [row.one("th").text for row in table.find(".ranks tbody tr")] == ["Рысь", "Ёж"]
    ends = [f"{each.low:.2f}–{each.high:.2f}" for each in demo.rows]
    assert [each.text for each in table.find(".ranks td.ci")] == ends
    drawn = [each["d"] for each in table.find(".ranks tbody .whisk")]
    assert len(drawn) == 2
    assert all("H" in each for each in drawn)
    assert [each.text for each in table.find(".ranks td.places")] == ["1", "2"]


@pytest.mark.parametrize("name", ["lynx", "coordinator"])
def test_its_intervals_stand_on_the_page_of_the_board_and_in_json(demo, name):
    address = f"/boards/{demo.number}/"

    page, told = browser(name).get(address), browser(name).get(f"{address}json/").json()

    assert len(page_of(page).find(".ranks tbody .whisk")) == 2
    assert [row["interval"] for row in told["rows"]] == [
        [each.low, each.high] for each in demo.rows
    ]
    assert all(low < row["STAR"] < high for row in told["rows"] for low, high in [row["interval"]])
    assert [row["rank_interval"] for row in told["rows"]] == [[1, 1], [2, 2]]
    assert [row["like"] for row in told["rows"]] == [[], []]


@pytest.mark.parametrize(("name", "reports"), [("lynx", 1), ("coordinator", 2)])
def test_a_link_leads_to_each_report_and_from_it_to_comparisons_of_its_pairs(demo, name, reports):
    client = browser(name)
    table = table_of(client.get("/scores/"), demo)
    assert [each["href"] for each in table.find(".ranks th a")] == [
        report_of(each) for each in demo.rows[:reports]
    ]

    for entry in demo.rows[:reports]:
        early = client.get(report_of(entry))
        work_off()
        report = client.get(report_of(entry))
        assert (early.status_code, report.status_code) == (200, 200)
        ways = {f"/compare/{each.assessed_id}/{each.reference_id}/": each for each in pairs(entry)}
        assert set(links(report, "td.links a")) == set(ways)
        address, pair = min(ways.items())
        told = client.get(address)
        essay = pair.assessed.essay.number
        assert (told.status_code, texts_of(told, "h1")) == (200, [f"Essay {essay}, comparison"])
        assert f"{entry.name} algorithm" in texts_of(told, ".view")[0]
        assert client.get(f"{address}json/").json()["accuracy"] == pair.accuracy


def pairs(entry):
    """What counts now of a solution that was sent freely, against every expert."""
    own = PairScore.objects.filter(assessed__author=entry.participant_id, assessed__origin="")
    standing = own.filter(assessed__state="submitted", reference__state="submitted")
    return standing.filter(assessed__essay__essay_set=entry.run.essay_set_id)


def test_a_report_and_the_board_tell_one_star_or_say_why_not(demo):
    client = browser("coordinator")
    addresses = [report_of(each) for each in demo.rows]
    for address in addresses:
        client.get(address)
    work_off()

    reports = [client.get(address) for address in addresses]

    lynx, hedgehog = reports
    words = f"The board stands by score run {demo.run.pk}"
    assert texts_of(lynx, ".figures dd")[0].split()[0] == f"{demo.rows[0].star:.2f}"
    assert [words in texts_of(each, "#report")[0] for each in (lynx, hedgehog)] == [False, True]
    assert f"by STAR {demo.rows[1].star:.2f} of score run" in texts_of(hedgehog, ".figures dd")[1]


@pytest.mark.parametrize(("who", "status"), [("hedgehog", 404), (None, 302)])
def test_strangers_reach_neither_the_report_nor_its_comparison(demo, who, status):
    client = browser(who) if who else Client()
    pair = RunPair.objects.filter(run=demo.run, entry=demo.rows[0]).earliest("pk")
    comparison = f"/compare/{pair.assessed_id}/{pair.reference_id}/"

    found = [client.get(each).status_code for each in (report_of(demo.rows[0]), comparison)]

    assert found == [status, status]


@pytest.mark.parametrize("who", ["hedgehog", None])
def test_strangers_read_the_board_without_a_way_to_the_report_of_another(demo, who):
    client = browser(who) if who else Client()

    answer = client.get(f"/boards/{demo.number}/")

    assert texts_of(answer, ".ranks tbody th") == ["Рысь", "Ёж"]
    own = [report_of(demo.rows[1])] if who else []
    assert links(answer, ".ranks th a") == own
