"""Applications: sent by anybody, confirmed by a letter's link, then a team (R 3.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, RateBucket, User
from contest.models import Application, Membership, Team, TeamInvitation
from contest.services.teams.limits import FROM_ADDRESS, TO_MAILBOX
from tests.contest.team_world import WHOLE, a_contest, a_person, a_team, add, letters
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return a_contest()


def send(contest, browser=None, **fields):
    address = f"/contests/{contest.slug}/apply/"
    return (browser or Client()).post(address, {**WHOLE, **fields})


def errors(response):
    return [each.text.strip() for each in page_of(response.content.decode()).find(".bad")]


def joined():
    found = Membership.objects.filter(left_at=None).order_by("pk")
    return list(found.values_list("person__email", "is_captain"))


def test_a_stranger_applies_and_the_link_of_the_letter_makes_the_team(contest):
    answer = send(contest, members="Boris, boris@example.org\n")
    assert answer.status_code == 200
    assert "anna@example.org" in answer.content.decode()
    assert (Team.objects.count(), Membership.objects.count()) == (0, 0)

    link = letters()["anna@example.org"]
    asked = Client().get(link)
    assert (asked.status_code, Team.objects.count()) == (200, 0)
    done = Client().post(link)

    team = Team.objects.get()
    account = team.account
    assert (team.name, account.role, account.full_name) == ("Alfa", "participant", "Alfa")
    assert (account.has_usable_password(), account.email) == (False, "")
    assert joined() == [("anna@example.org", True)]
    assert done["Location"].startswith("/invitation/")
    assert Client().get(done["Location"], follow=True).status_code == 200
    assert TeamInvitation.objects.get().email == "boris@example.org"


def test_a_link_works_once_and_tells_when_it_was_used(contest):
    send(contest)
    link = letters()["anna@example.org"]
    Client().post(link)

    again = Client().post(link)

    assert "This link was used" in again.content.decode()
    assert page_of(again.content.decode()).one("time")["datetime"]
    assert Team.objects.count() == 1


def test_a_link_of_nothing_is_not_there(contest):
    send(contest)

    assert Client().get("/contests/applications/guessed/").status_code == 404
    token = Application.objects.get().token
    assert Client().get(f"/contests/applications/{token}/").status_code == 404


def test_an_old_link_opens_nothing(contest):
    send(contest)
    link = letters()["anna@example.org"]
    Application.objects.update(sent_at=F("sent_at") - timedelta(days=8))

    assert "too old" in Client().get(link).content.decode()
    assert Client().post(link).status_code == 422
    assert Team.objects.count() == 0


def test_an_application_that_was_sent_in_time_is_confirmed_after_applications_have_ended(contest):
    sent = page_of(send(contest))
    link = letters()["anna@example.org"]
    type(contest).objects.update(applications_until=timezone.now())

    done = Client().post(link)

    promised = "good for seven days, also where applications end before"
    (letter,) = mail.outbox
    assert [promised in each for each in (sent.one("main").text, letter.body)] == [True, True]
    assert (done.status_code, Team.objects.get().name) == (302, "Alfa")


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (1, "Send the form once more."),
        (-1, "Clause 3.1 of the regulation: applications were taken"),
    ],
)
def test_an_old_link_leads_to_another_form_only_as_long_as_they_are_taken(contest, days, told):
    send(contest)
    link = letters()["anna@example.org"]
    Application.objects.update(sent_at=F("sent_at") - timedelta(days=8))
    type(contest).objects.update(applications_until=timezone.now() + timedelta(days=days))

    shown = page_of(Client().get(link)).one("main").text

    assert f"This link is too old: it was good for 7 days. {told}" in shown


@pytest.mark.parametrize("field", ["name", "about", "captain", "email", "agrees"])
def test_missing_fields_are_named(contest, field):
    answer = send(contest, **{field: ""})

    assert (answer.status_code, errors(answer)) == (422, ["This field is required."])
    assert Application.objects.count() == 0


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ("Boris", "Not a name and an address with a comma between them: Boris"),
        ("Boris, nowhere", "Not a name and an address with a comma between them: Boris, nowhere"),
        ("Anna, ANNA@example.org", "The address anna@example.org stands here twice."),
        (
            "\n".join(f"B, b{n}@c.org" for n in range(10)),
            "Name at most 9 here: invite others later.",
        ),
    ],
)
def test_members_that_cannot_be_read_are_refused_by_name(contest, members, told):
    answer = send(contest, members=members)

    assert (answer.status_code, errors(answer)) == (422, [told])


@pytest.mark.parametrize(
    ("begins", "ends", "told"),
    [
        (1, 9, "applications are taken from"),
        (-9, -1, "applications were taken until"),
        (None, None, "takes no applications"),
    ],
)
def test_early_and_late_applications_are_refused_with_the_dates(begins, ends, told):
    now = timezone.now()
    dates = [None if days is None else now + timedelta(days=days) for days in (begins, ends)]
    contest = a_contest(applications_from=dates[0], applications_until=dates[1])

    page = Client().get(f"/contests/{contest.slug}/apply/").content.decode()
    answer = send(contest)

    assert told in page
    assert "<textarea" not in page
    assert (answer.status_code, [told in each for each in errors(answer)]) == (422, [True])
    assert begins is None or "(MSK)" in errors(answer)[0]
    assert (Application.objects.count(), RateBucket.objects.count()) == (0, 0)


def test_the_zone_stands_right_after_the_moment_and_before_what_the_reader_s_clock_says(contest):
    contest.applications_until = timezone.now() + timedelta(days=1)
    contest.save()

    page = page_of(Client().get(f"/contests/{contest.slug}/apply/"))

    assert page.one("main time").text.strip().endswith(" MSK")


def test_a_contest_that_is_not_announced_takes_nothing():
    contest = a_contest(announced_at=None)

    assert send(contest).status_code == 404
    assert Client().get(f"/contests/{contest.slug}/apply/").status_code == 404


def test_the_name_of_another_team_is_refused(contest):
    a_team(contest, "ALFA")

    assert errors(send(contest)) == ["There is a team “Alfa” in this contest. Choose another name."]


def test_a_taken_name_is_told_beside_all_else_that_is_wrong(contest):
    a_team(contest, "АЛЬФА")

    assert errors(send(contest, name="Альфа", about="")) == [
        "There is a team “Альфа” in this contest. Choose another name.",
        "This field is required.",
    ]


def test_a_name_another_application_waits_with_is_told_once_the_form_is_sent(contest):
    told = "Another application under the name “ALFA” is not confirmed yet"
    sent = [
        send(contest, name="ALFA", email=email).content.decode()
        for email in ("anna@example.org", "boris@example.org", "boris@example.org")
    ]

    assert [told in each for each in sent] == [False, True, True]
    assert "whoever confirms first has the name" in sent[1]


def test_of_an_application_nobody_can_confirm_any_more_nothing_is_told(contest):
    send(contest)
    Application.objects.update(sent_at=F("sent_at") - timedelta(days=8))

    assert "Another application" not in send(contest, email="boris@example.org").content.decode()


def test_a_name_that_was_taken_since_is_refused_when_confirmed(contest):
    send(contest)
    link = letters()["anna@example.org"]
    a_team(contest)

    asked = page_of(Client().get(link))
    assert "There is a team “Alfa” in this contest." in asked.one("main").text
    assert [each.text for each in asked.find("main .btn")] == ["Application"]
    assert Client().post(link).status_code == 422
    assert User.objects.filter(email="anna@example.org").count() == 0


def test_a_form_pressed_twice_is_one_application_and_one_letter(contest):
    answers = [send(contest).status_code for _press in range(2)]
    send(contest, about="Another word")

    assert answers == [200, 200]
    assert Application.objects.count() == 2
    letters()
    assert len(mail.outbox) == 2


def test_the_same_form_some_minutes_later_brings_another_letter(contest):
    send(contest)
    Application.objects.update(sent_at=F("sent_at") - timedelta(minutes=3))
    send(contest)

    assert Application.objects.count() == 2


def test_letters_to_one_mailbox_are_limited(contest):
    found = [send(contest, name=f"Team {n}").status_code for n in range(TO_MAILBOX.tries + 1)]

    assert found == [200] * TO_MAILBOX.tries + [429]
    assert int(send(contest, name="One more")["Retry-After"]) > 0


def test_applications_from_one_address_are_limited(contest):
    found = [
        send(contest, name=f"T{n}", email=f"t{n}@example.org").status_code
        for n in range(FROM_ADDRESS.tries + 1)
    ]

    assert found == [200] * FROM_ADDRESS.tries + [429]


def test_the_captain_keeps_the_account_that_is_there(contest):
    anna = a_person("Anna", email="anna@example.org")
    send(contest)

    done = Client().post(letters()["anna@example.org"])

    assert done["Location"] == f"/contests/{contest.slug}/team/"
    assert Membership.objects.get().person == anna


@pytest.mark.parametrize("role", ["expert", "judge", "organiser"])
def test_who_checks_or_decides_leads_no_team(contest, role):
    PersonFactory(role=role, email="anna@example.org")
    send(contest)

    answer = Client().post(letters()["anna@example.org"])

    assert (answer.status_code, Team.objects.count()) == (422, 0)


def test_somebody_is_in_one_team_of_a_contest(contest):
    anna = a_person("Anna", email="anna@example.org")
    add(a_team(contest, "Beta"), anna)
    send(contest)

    link = letters()["anna@example.org"]
    asked, answer = Client().get(link), Client().post(link)

    told = "Anna is in the team “Beta” of this contest: one leaves it first."
    assert (answer.status_code, told in answer.content.decode()) == (422, True)
    assert told in asked.content.decode()
    assert Team.objects.count() == 1


def test_the_same_person_leads_a_team_of_another_contest(contest):
    anna = a_person("Anna", email="anna@example.org")
    add(a_team(a_contest("autumn"), "Beta"), anna)
    send(contest)
    Client().post(letters()["anna@example.org"])

    assert sorted(Team.objects.values_list("name", flat=True)) == ["Alfa", "Beta"]


def test_what_happened_is_written_down_by_who_did_it(contest):
    send(contest, members="Boris, boris@example.org")
    Client().post(letters()["anna@example.org"])

    anna = User.objects.get(email="anna@example.org")
    found = AuditEntry.objects.order_by("pk").values_list("action", "actor_id")
    assert list(found) == [
        ("application.sent", None),
        ("person.made", None),
        ("person.made", anna.pk),
        ("team.made", anna.pk),
        ("member.joined", anna.pk),
        ("member.invited", anna.pk),
        ("application.confirmed", anna.pk),
    ]


def test_a_letter_speaks_the_language_of_the_form(contest):
    browser = Client(headers={"accept-language": "ru"})
    send(contest, browser)
    letters()

    (letter,) = mail.outbox
    assert letter.extra_headers["Message-ID"].startswith("<teams.")
    assert letter.extra_headers["Content-Language"] == "ru"
    assert contest.name_ru in letter.body


def test_a_letter_that_is_sent_twice_by_a_lost_worker_is_one_letter(contest):
    send(contest)
    letters()
    letters()

    assert len(mail.outbox) == 1
