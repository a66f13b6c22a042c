"""What a report compares a solution with: what was there when it was complete, and no other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotator.models import MarkupRecord
from scoring.models import SolutionReport
from tests.factories import PersonFactory, submitted
from tests.pages import texts_of
from tests.scoring.reports import HIT, MISS, OTHER, World
from tests.scoring.work import score

pytestmark = pytest.mark.django_db

START = timezone.now() - timedelta(days=30)


class Sent(World):
    """What came freely, then sessions 7, 8 and, freely again, another markup: a day between."""

    def __init__(self):
        super().__init__()
        self.at(1, *self.sent[:2])
        self.at(2, self.sent[2])
        self.eighth = self.answer(self.essays[0], HIT, origin="session-8")
        self.at(4, self.eighth)
        score(self.eighth)

    def at(self, day, *records):
        numbers = [record.pk for record in records]
        moment = START + timedelta(days=day)
        MarkupRecord.objects.filter(pk__in=numbers).update(submitted_at=moment)

    def freely_on(self, day, *fragments):
        """Another markup of the first essay in place of the one that stands."""
        former = MarkupRecord.objects.filter(
            essay=self.essays[0], author=self.lynx, origin="", state="submitted"
        )
        former.update(state="superseded", superseded_at=START + timedelta(days=day))
        made = self.answer(self.essays[0], *fragments)
        self.at(day, made)
        score(made)

    def told(self, origin):
        self.compute(origin)
        return SolutionReport.objects.get(author=self.lynx, origin=origin).change


def moment(day):
    return (START + timedelta(days=day)).isoformat()


def change(than, day, difference, *, better=0, worse=0):
    steps = {"star": difference, "common": 1, "difference": difference}
    return {**steps, "better": better, "worse": worse, "than": than, "than_at": moment(day)}


def test_what_comes_later_moves_no_comparison():
    world = Sent()
    first = world.told("session-7"), world.told("session-8")

    world.freely_on(6, MISS)

    assert first == (change("free", 1, -20.0, worse=1), change("session-7", 2, 20.0, better=1))
    assert (world.told("session-7"), world.told("session-8")) == first
    assert world.told("")["than"] == "session-8"


def test_what_was_sent_freely_between_two_sessions_is_before_the_later_one():
    world = Sent()
    world.freely_on(3, OTHER)

    assert world.told("session-8") == {**change("free", 3, 20.0, better=1), "star": 10.0}
    assert world.told("session-7") == change("free", 1, -20.0, worse=1)


def test_of_an_expert_who_came_later_what_was_replaced_is_measured_as_well():
    world = Sent()
    world.freely_on(6, MISS)
    score(submitted(world.essays[0], MISS, author=PersonFactory()))

    found = world.told("session-7")

    assert (found["than"], found["common"]) == ("free", 1)
    assert found["difference"] == pytest.approx(-40 / 3)


def test_a_session_that_comes_later_is_no_reason_to_compute_a_report_anew(log_in):
    world = Sent()
    browser = log_in(world.lynx)
    world.compute("session-7")
    world.freely_on(6, MISS)

    page = browser.get(world.address("session-7"))

    assert texts_of(page, ".notice span") == []


def test_page_json_and_csv_name_what_a_solution_is_compared_with(log_in):
    world = Sent()
    world.compute("session-7")
    browser = log_in(world.lynx)

    page = browser.get(world.address("session-7"))
    lines = browser.get(world.address("session-7", "csv/")).content.decode().split("\r\n")

    day = date_format(localtime(START + timedelta(days=1)), "SHORT_DATE_FORMAT")
    better = "on the 1 essay that counts in both: 0 better, 1 worse"
    words = f"-20.00 since the last (sent freely, {day}), {better}".replace("-", "−", 1)
    assert words in texts_of(page, ".lead-figure .sub")
    assert [line for line in lines if line.startswith("change,,,than")] == [
        "change,,,than,free",
        f"change,,,than_at,{moment(1)}",
    ]


def test_since_the_last_is_told_over_the_essays_that_count_in_both(log_in):
    world = World()
    score(world.answer(world.essays[1], MISS, origin="session-8"))
    score(world.answer(world.essays[0], HIT, origin="session-8"))
    for origin in ("session-7", "session-8"):
        world.compute(origin)

    browser = log_in(world.lynx)
    page = browser.get(world.address("session-8"))
    told = browser.get(world.address("session-8", "json/")).json()["change"]

    day = date_format(localtime(world.sent[2].submitted_at), "SHORT_DATE_FORMAT")
    better = "on the 1 essay that counts in both: 1 better, 0 worse"
    words = f"+20.00 since the last (session 7, {day}), {better}"
    assert words in texts_of(page, ".lead-figure .sub")
    assert (told["difference"], told["common"], told["star"] < told["difference"]) == (20, 1, True)
