"""What the pages of uploads show to whom: terms, counters, what was sent, the board."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from contest.models import Contest, Phase, Upload, UploadTerms
from tests.contest.data_world import (
    OPTIONS,
    contest_of,
    in_days,
    qac,
    taking_uploads,
    terms_of,
)
from tests.contest.test_uploads import GOOD, POOR, refusal_of, sent_by, team_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.inputs import SECRET, do_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return taking_uploads()


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
    assert UploadTerms.objects.get().public_digest in page.text
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


def test_a_contest_of_live_sessions_has_no_page_of_uploads(log_in):
    contest = contest_of()
    lynx = team_of(contest)

    for person in (lynx.account, PersonFactory(role="organiser")):
        assert log_in(person).get(f"/contests/{contest.slug}/uploads/").status_code == 404


def test_a_team_whose_uploads_are_used_up_reads_so_instead_of_a_form(contest, log_in):
    lynx = team_of(contest)
    for data in (GOOD, POOR):
        sent_by(lynx, data)

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))

    assert page.find("main input[type=file]") == []
    said = [each.text for each in page.find("main .notice")]
    assert any(
        each.startswith("Clause 2.17 of the regulation: your team has used its 2 uploads of today;")
        for each in said
    )


def test_terms_that_are_refused_stand_beside_their_form(contest, log_in):
    sent_by(team_of(contest))
    browser = log_in(PersonFactory(role="organiser"))
    address = f"/contests/{contest.slug}/uploads/terms/qualification/"
    form = page_of(browser.get(address)).one("main form")
    body = {each["name"]: each.attributes.get("value", "") for each in form.find("input")}
    chosen = {"task": "1", "match": "article", "encoding": "", "public_share": "40"}

    answer = browser.post(address, {**body, **chosen, "key": ""})

    page = page_of(answer)
    assert (answer.status_code, bool(page.find("main form"))) == (422, True)
    assert "Something was uploaded: the key" in page.one("main").text


def test_of_a_phase_that_is_over_the_page_tells_no_quota_of_a_day(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx)
    contest.phases.update(starts_at=in_days(-5), ends_at=in_days(-1))

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))

    (quota,) = [each.text for each in page.find("#quota-qualification")]
    assert quota == "In all 1 of 3; nothing is taken any more."


def test_on_its_last_day_a_phase_tells_no_moment_after_its_end(contest, log_in):
    lynx = team_of(contest)
    contest.phases.update(starts_at=in_days(-5), ends_at=timezone.now() + timedelta(seconds=9))

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))

    (quota,) = [each.text for each in page.find("#quota-qualification")]
    assert quota == "Today 0 of 2, in all 0 of 3."


def test_a_part_that_is_hidden_has_a_dash_where_its_figure_will_be(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx)
    do_all()

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))

    public, final = (each.text for each in page.find("#sent td.num"))
    assert (public, final) == (f"{Upload.objects.get().public:.4f}", "–")


def test_what_was_refused_has_dashes_for_figures_also_once_all_is_told(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx, b"hello world\n")
    do_all()
    Phase.objects.update(closed_at=timezone.now())

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))

    assert [each.text for each in page.find("#sent td.num")] == ["–", "–"]


def test_a_team_reads_which_lines_of_its_scored_upload_did_not_count(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx, GOOD + b"hello\n")
    do_all()
    browser = log_in(lynx.account)

    page = page_of(browser.get(f"/contests/{contest.slug}/uploads/"))
    (line,) = browser.get(f"/api/contests/{contest.slug}/uploads/").json()["results"]

    told = [each.text for each in page.find("#sent details li")]
    assert [each.split(":")[0] for each in told] == [
        "responses, line 7",
        "responses, line 6, id QAC1-6-01",
    ]
    assert told[1].endswith("The key has no such question. What was said to it was ignored.")
    assert page.one("#sent summary").text == "What was odd (2)"
    assert (line["problems"], line["remarks"], SECRET in page.text) == ([], told, False)


def test_the_cabinet_tells_uploads_where_there_are_no_sessions(contest, log_in):
    lynx = team_of(contest)
    sent_by(lynx)
    do_all()

    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/team/"))

    assert page.one("[aria-labelledby=h-uploads] li").text.endswith("scored")
    link = page.one("[aria-labelledby=h-uploads] header a")["href"]
    assert link == f"/contests/{contest.slug}/uploads/"
    assert not page.find("[aria-labelledby=h-sessions]")


def test_the_cabinet_offers_a_new_upload_as_long_as_one_is_taken(contest, log_in):
    browser = log_in(team_of(contest).account)

    def told():
        page = page_of(browser.get(f"/contests/{contest.slug}/team/"))
        return page.one("[aria-labelledby=h-uploads] header a").text

    during = told()
    Phase.objects.update(ends_at=timezone.now())

    assert (during, told()) == ("All uploads, and a new one", "All uploads")


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
    posted = {"per_day": 4, "in_all": 8, "public_share": 50, **OPTIONS, "match": "exact"}
    page = organiser.post(terms, posted)
    assert page.status_code in (302, 422)
    assert organiser.get(f"{address}terms/finals/").status_code == 404


def test_fewer_uploads_in_all_than_a_day_are_refused_by_that_name_alone(contest, log_in):
    posted = {"per_day": 3, "in_all": 2, "public_share": 50, "task": "1", "match": "article"}
    address = f"/contests/{contest.slug}/uploads/terms/qualification/"

    page = log_in(PersonFactory(role="organiser")).post(address, posted)

    alert = " ".join(page_of(page).one("main [role=alert]").text.split())
    told = "A team may send 3 uploads a day: say at least as many in all."
    assert (page.status_code, alert) == (422, told)


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


def test_of_a_key_everybody_reads_what_proves_it_later_and_finds_no_short_one_now(contest, log_in):
    terms = UploadTerms.objects.select_related("key").get()
    key = bytes(terms.key.content)
    Contest.objects.update(shows_test_board=True)
    team = log_in(team_of(contest).account)
    address = f"/contests/{contest.slug}/uploads/"

    before = [page_of(Client().get(f"{address}board/")).text, page_of(team.get(address)).text]
    Phase.objects.update(closed_at=timezone.now())
    after = [page_of(Client().get(f"{address}board/")).text, page_of(team.get(address)).text]

    for page in before:
        assert sha256(key).hexdigest() not in page
        assert terms.salt not in page
    for page in after:
        assert terms.salt in page
    for page in before + after:
        assert sha256(terms.salt.encode() + key).hexdigest() in page
    assert len(terms.salt) == 32


@pytest.mark.usefixtures("contest")
def test_another_key_has_another_secret_before_it_and_the_same_one_keeps_it():
    phase, first = Phase.objects.get(), UploadTerms.objects.get()
    key = bytes(first.key.content)

    terms_of(phase, key=key)
    same = UploadTerms.objects.get()
    terms_of(phase, key=key + b"\n")
    other = UploadTerms.objects.get()

    assert (same.salt, same.public_digest) == (first.salt, first.public_digest)
    assert other.salt != first.salt
    assert other.public_digest == sha256(other.salt.encode() + key + b"\n").hexdigest()


def test_a_place_that_teams_share_is_marked_on_the_board_of_uploads(contest, log_in):
    for name, data in (("Lynx", GOOD), ("Bear", GOOD), ("Owl", POOR)):
        sent_by(team_of(contest, name), data)
    do_all()

    page = log_in(PersonFactory(role="judge")).get(f"/contests/{contest.slug}/uploads/board/")

    assert [each.split()[:2] for each in texts_of(page, "tbody tr")] == [
        ["1=", "Bear"],
        ["1=", "Lynx"],
        ["3", "Owl"],
    ]


def test_a_scheme_that_is_none_is_refused_as_it_was_named(contest):
    said = refusal_of(team_of(contest), scheme="chess")

    assert said.endswith("what was sent is said to be predictions for “chess”.")
