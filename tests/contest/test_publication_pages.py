"""Archives of a contest: ordered by organisers on a page, taken by everybody."""

from __future__ import annotations

import hashlib
import io
from zipfile import ZipFile

import pytest
from django.test import Client

from contest import tasks
from contest.models import PublicationOrder
from tests.contest.data_world import contest_of, data_set_of, phase_of
from tests.contest.test_publications import Kind, approved, published
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _exports(settings, tmp_path):
    settings.EXPORTS = tmp_path


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


def test_everybody_takes_the_latest_of_an_announced_contest_by_its_checksum(organiser):
    contest, quiet = contest_of(), contest_of(announced_at=None)
    for each in (contest, quiet):
        data_set_of(each, "test")
        made = published(each, Kind.TEST, organiser)
    made = contest.publications.get()
    address = f"/contests/{contest.slug}/data/test.zip"

    taken = Client().get(address)
    content = b"".join(taken.streaming_content)
    known = Client().get(address, headers={"if-none-match": taken["ETag"]})

    assert (taken.status_code, taken["ETag"]) == (200, f'"{made.checksum}"')
    assert hashlib.sha256(content).hexdigest() == made.checksum
    assert ZipFile(io.BytesIO(content)).testzip() is None
    assert taken["Cache-Control"] == "public, no-cache"
    assert (known.status_code, known.content) == (304, b"")
    lost = [f"/contests/{quiet.slug}/data/test.zip", f"/contests/{contest.slug}/data/finals.zip"]
    assert [Client().get(each).status_code for each in lost] == [404, 404]


def test_organisers_order_on_a_page_and_strangers_do_not(log_in, organiser):
    contest = contest_of()
    data_set_of(contest, "test", essays=3)
    address = f"/contests/{contest.slug}/data/"
    browser = log_in(organiser)

    ordered = browser.post(address, {"kind": "test"})
    waiting = page_of(browser.get(address))
    tasks.make_publication(PublicationOrder.objects.get().job_id)
    done = texts_of(browser.get(address), "#archives .panel .sub")

    assert (ordered.status_code, ordered.url) == (302, address)
    assert waiting.find("#archives")[0]["hx-get"] == address
    assert done[0].startswith("3 essays, ")
    assert browser.post(address, {"kind": "other"}).status_code == 422
    assert browser.get("/contests/none/data/").status_code == 404
    for role in ("participant", "expert", "judge", "coordinator"):
        assert log_in(PersonFactory(role=role)).get(address).status_code == 403


def test_no_button_makes_an_archive_that_would_be_refused(log_in, organiser):
    contest = contest_of()
    phase_of(contest, starts=-9, ends=-8, closed=-7)
    data_set_of(contest, "test", essays=1)
    data_set_of(contest, "final", essays=1)
    address = f"/contests/{contest.slug}/data/"
    browser = log_in(organiser)

    shown = page_of(browser.get(address))
    approved(contest)
    after = page_of(browser.get(address))

    offered = [each["value"] for each in shown.find("#archives button")]
    why = [each.text for each in shown.find("#archives p.muted")]
    assert (offered, "no essays of this kind: training" in " ".join(why)) == (["test"], True)
    assert [each["value"] for each in after.find("#archives button")] == ["test", "finals"]
