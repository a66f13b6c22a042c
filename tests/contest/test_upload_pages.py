"""What the pages of uploads show to whom: terms, counters, what was sent, the board."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from contest.models import Upload, UploadTerms
from tests.contest.data_world import OPTIONS, in_days, phase_of, terms_of
from tests.contest.test_uploads import GOOD, qac, sent_by, team_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.inputs import SECRET, do_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    """A contest of QAC whose qualification takes uploads now."""
    made = qac()
    terms_of(phase_of(made, "qualification", -1, 5))
    UploadTerms.objects.update(seed=3)  # by which neither part of so few items is empty
    return made


def test_a_team_sees_its_own_uploads_both_counters_and_the_moment_of_the_reset(contest, log_in):
    lynx, bear = team_of(contest), team_of(contest, "Bear")
    sent_by(bear)
    browser = log_in(lynx.account)
    address = f"/contests/{contest.slug}/uploads/"
    file = SimpleUploadedFile("mine.txt", GOOD)

    done = browser.post(f"{address}send/", {"file": file})
    page = page_of(browser.get(address))

    assert (done.status_code, done.url) == (302, address)
    (quota,) = [each.text for each in page.find("#quota-qualification")]
    assert quota.startswith("Today 1 of 2, in all 1 of 3. The day’s begin anew on")
    assert [each.text.split()[0] for each in page.find("#sent tbody th")] == ["mine.txt"]
    assert UploadTerms.objects.get().digest in page.text
    assert SECRET not in page.text


def test_the_same_file_sent_again_is_told_with_what_it_got_and_costs_nothing(contest, log_in):
    browser = log_in(team_of(contest).account)
    address = f"/contests/{contest.slug}/uploads/"

    def sent(name):
        file = SimpleUploadedFile(name, GOOD)
        return page_of(browser.post(f"{address}send/", {"file": file}, follow=True))

    first = sent("mine.txt")
    do_all()
    again = sent("copy.txt")

    assert first.find(".messages li") == []
    said = again.one(".messages li").text
    assert said.startswith("This was sent already on")
    public = Upload.objects.get().public
    assert said.endswith(f"as “mine.txt”: it counts once. Scored; public part: {public:.4f}.")
    (quota,) = [each.text for each in again.find("#quota-qualification")]
    assert quota.startswith("Today 1 of 2, in all 1 of 3.")
    assert log_in(PersonFactory()).post(f"{address}send/").status_code == 404


def test_after_the_end_the_page_says_so_instead_of_a_form(contest, log_in):
    browser = log_in(team_of(contest).account)
    address = f"/contests/{contest.slug}/uploads/"
    before = page_of(browser.get(address))
    contest.phases.update(starts_at=in_days(-5), ends_at=in_days(-1))
    after = page_of(browser.get(address))

    assert [bool(page.find("main input[type=file]")) for page in (before, after)] == [True, False]
    assert "nothing is taken after the end" in after.one("main .notice").text


def test_the_cabinet_tells_uploads_where_there_are_no_sessions(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx)
    do_all()

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/team/"))

    assert page.one("[aria-labelledby=h-uploads] li").text.endswith("scored")
    link = page.one("[aria-labelledby=h-uploads] header a")["href"]
    assert link == f"/contests/{contest.slug}/uploads/"
    assert not page.find("[aria-labelledby=h-sessions]")


def test_strangers_find_nothing_and_organisers_all(contest, log_in):
    lynx, other = team_of(contest), team_of(qac())
    sent_by(lynx)
    address = f"/contests/{contest.slug}/uploads/"
    terms = f"{address}terms/qualification/"
    organiser = log_in(PersonFactory(role="organiser"))

    assert log_in(other.account).get(address).status_code == 404
    assert log_in(PersonFactory()).get(address).status_code == 404
    assert log_in(lynx.account).get(terms).status_code == 403
    assert texts_of(organiser.get(address), "#sent tbody td")[0] == "Lynx"
    posted = {"per_day": 4, "in_all": 8, "public_share": 0.5, **OPTIONS, "match": "exact"}
    page = organiser.post(terms, posted)
    assert page.status_code in (302, 422)
    assert organiser.get(f"{address}terms/finals/").status_code == 404


def test_the_board_is_public_but_of_a_qualification_only_where_the_contest_says_so(contest, log_in):
    sent_by(team_of(contest))
    do_all()
    address = f"/contests/{contest.slug}/uploads/board/"

    before = Client().get(address).status_code
    staff = log_in(PersonFactory(role="judge")).get(address).status_code
    contest.shows_test_board = True
    contest.save()
    shown = texts_of(Client().get(address), "tbody th")

    assert (before, staff, shown) == (404, 200, ["Lynx"])
