"""Announcements: told to everybody, and to members by letter; modules until 10 days before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, transaction

from accounts.models import AuditEntry
from contest.core.both import Both
from contest.models import Announcement, AnnouncementLetter, Final, Membership, ModuleRelease
from contest.services.announcing import Module, release_module
from review.models import Letter
from review.services.letters import send_letter
from review.services.terms import choose_language
from tests.contest.contests import contest_of, data_set, days, phase, running, team_of, told
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.review.deadlines import work_off
from web.refusals import Refused

pytestmark = pytest.mark.django_db

SUM = "ab" * 32


def released(contest, version="1.4", **fields):
    return release_module(
        contest=contest,
        module=Module("razbor", version, SUM.upper(), "https://example.org/razbor.whl"),
        purpose=Both(ru="Быстрее", en="Faster"),
        actor=PersonFactory(role="organiser"),
        **fields,
    )


def test_members_of_teams_get_one_letter_each_in_their_language():
    contest = running()
    lynx = team_of(contest, "Lynx", members=2)
    reader, writer = (each.person for each in lynx.memberships.order_by("pk"))
    choose_language(person=reader, language="en")
    left = team_of(contest, "Owl").memberships.get()
    Membership.objects.filter(pk=left.pk).update(left_at=days(-1))
    team_of(contest, "Out", excluded_at=days(-1), excluded_because="asked to")
    team_of(running("another"), "Stranger")

    told(contest, "Finals: 5 December", "600 files")
    work_off()
    work_off()

    found = {letter.to[0]: letter for letter in mail.outbox}
    assert sorted(found) == sorted([reader.email, writer.email])
    assert len(mail.outbox) == 2
    assert found[reader.email].subject == "Contest autumn: Finals: 5 December"
    assert "600 files" in found[reader.email].body
    assert "Times are given in the zone MSK." in found[reader.email].body
    assert found[writer.email].subject == "Конкурс autumn: Finals: 5 December по-русски"


def test_a_letter_that_is_sent_again_after_a_crash_bears_the_same_message_id():
    contest = running()
    team_of(contest, "Lynx")
    told(contest)
    letter = AnnouncementLetter.objects.get().letter

    for _ in range(2):
        Letter.objects.filter(pk=letter.pk).update(state=Letter.State.ORDERED)
        with transaction.atomic():
            send_letter(letter_id=letter.pk)

    one, other = (each.extra_headers["Message-ID"] for each in mail.outbox)
    assert one == other


def test_nobody_is_written_to_about_a_contest_that_is_not_announced():
    contest = contest_of(announced=False)
    team_of(contest, "Lynx")

    told(contest)

    assert AnnouncementLetter.objects.count() == 0


def test_an_announcement_is_written_down_with_who_made_it():
    organiser = PersonFactory(role="organiser")
    contest = running()
    team_of(contest, "Lynx", members=3)

    made = told(contest, kind="schedule", actor=organiser)

    (entry,) = AuditEntry.objects.filter(action="contest.told")
    details = {"announcement": made.pk, "kind": "schedule", "letters": 3}
    assert (entry.actor, entry.object_id, entry.details) == (organiser, str(contest.pk), details)


def test_an_announcement_never_changes():
    made = told(running())

    for act in (lambda: type(made).objects.update(title_en="x"), made.delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_a_version_of_a_module_is_announced_with_its_purpose():
    contest = running()

    made = released(contest)

    told_of = made.announcement
    assert (made.name, made.version, made.checksum) == ("razbor", "1.4", SUM)
    assert (told_of.kind, str(told_of), told_of.body) == ("modules", "razbor 1.4", "Faster")


def test_a_version_is_released_once():
    contest = running()
    released(contest)

    with pytest.raises(Refused, match=r"razbor 1\.4"):
        released(contest)

    assert ModuleRelease.objects.count() == contest.announcements.count() == 1


@pytest.mark.parametrize(("left", "may"), [(11, True), (9.9, False), (-1, False)])
def test_modules_change_no_more_from_ten_days_before_the_finals(left, may):
    contest = contest_of()
    phase(contest, "finals", left, left + 1)

    if may:
        assert released(contest).pk
    else:
        with pytest.raises(Refused, match=r"Clause 4\.7"):
            released(contest)
        assert contest.announcements.count() == 0


@pytest.mark.parametrize(
    ("kind", "cancelled", "may"),
    [("final", None, False), ("rehearsal", None, True), ("final", days(-1), True)],
)
def test_a_planned_final_counts_as_the_finals_unless_it_is_none(kind, cancelled, may):
    contest = running()
    essay_set = data_set(contest, "final").essay_set
    why = {"cancelled_at": cancelled, "cancelled_because": "x"} if cancelled else {}
    Final.objects.create(name="F", kind=kind, essay_set=essay_set, starts_at=days(3), seed=1, **why)

    if may:
        assert released(contest).pk
    else:
        with pytest.raises(Refused, match=r"Clause 4\.7"):
            released(contest)


def test_the_clock_of_the_web_server_decides_nothing(web_clock):
    contest = contest_of()
    phase(contest, "finals", 11, 12)
    web_clock(timedelta(days=5).total_seconds())

    assert released(contest).pk


def test_organisers_announce_news_in_both_languages(log_in):
    contest = running()
    lynx = team_of(contest, "Lynx", members=1)
    browser = log_in(PersonFactory(role="organiser"))
    address = f"/contests/{contest.slug}/manage/announcements/"
    said = {"title_ru": "Новость", "title_en": "News", "body_ru": "Текст", "body_en": "Text"}

    refused = browser.post(address, {**said, "body_ru": ""})
    done = browser.post(address, said)

    assert (refused.status_code, done.status_code) == (422, 302)
    made = Announcement.objects.get()
    assert {name: getattr(made, name) for name in said} == said
    assert (made.kind, made.letters.count()) == ("news", lynx.memberships.count())
    page = page_of(browser.get(address))
    assert page.one(".messages .notice").text.strip() == "“News” is announced."
    assert "News" in page.one("main").text
    again = browser.post(address, said)
    assert (again.status_code, Announcement.objects.count()) == (422, 1)
    assert "This was announced already, on" in again.content.decode()
    assert browser.post(address, {**said, "body_en": "More"}).status_code == 302
    assert log_in(PersonFactory(role="judge")).post(address, said).status_code == 403
