"""Letters to several people: asked first, each sent once."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from accounts.models import AuditEntry, User
from accounts.services.inviting import AT_ONCE
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

ADDRESS = "/people/invite/"


@pytest.fixture
def manager(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def people():
    """One never invited, one with a password, one without an address, one closed, a colleague."""
    return {
        "new": PersonFactory(full_name="New", email="new@a.example", invited=True),
        "old": PersonFactory(full_name="Old", email="old@a.example"),
        "mute": PersonFactory(full_name="Mute", invited=True),
        "gone": PersonFactory(full_name="Gone", email="g@a.example", invited=True, is_active=False),
        "judge": PersonFactory(role="judge", email="j@a.example", invited=True),
    }


def sent_to():
    return [address for letter in mail.outbox for address in letter.to]


def fields_of(page):
    fields = page_of(page).find("form[method=post] input")
    return {
        name: [each["value"] for each in fields if each["name"] == name]
        for name in {each["name"] for each in fields}
    }


def test_all_who_were_never_invited_get_a_letter_once(manager, people):
    question = manager.get(ADDRESS, {"all": "1"})
    lines = texts_of(question, ".remarks li")

    told = [
        texts_of(manager.post(ADDRESS, fields_of(question), follow=True), ".messages li")
        for _press in range(2)
    ]

    assert (lines, sent_to()) == (["New, new@a.example"], ["new@a.example"])
    assert told == [["Letters sent: 1."], ["Letters sent: 0."]]
    entries = AuditEntry.objects.filter(action="person.invited").values_list("object_id", flat=True)
    assert [*entries] == [str(people["new"].pk)]


@pytest.mark.usefixtures("people")
def test_the_question_before_all_are_invited_names_who_has_no_address(manager):
    PersonFactory(full_name="Came by a password", email="")

    question = manager.get(ADDRESS, {"all": "1"})
    manager.post(ADDRESS, fields_of(question))

    assert texts_of(question, "form[method=post] p") == [
        "1 person gets a letter with a link to choose a password:",
        "Without an e-mail address, and so without a letter: Mute",
    ]
    assert sent_to() == ["new@a.example"]


@pytest.mark.usefixtures("people")
def test_the_list_marks_who_has_no_address(manager):
    lines = page_of(manager.get("/people/")).find("tbody tr")

    marked = [each.find("a")[0].text for each in lines if "no e-mail address" in each.text]
    assert marked == ["Mute"]


def test_the_ticked_ones_get_a_letter_and_the_question_says_who_does_not(manager, people):
    ticked = {"person": [person.pk for person in people.values()]}

    question = manager.get(ADDRESS, ticked)
    manager.post(ADDRESS, fields_of(question))

    assert texts_of(question, ".remarks li") == ["New, new@a.example", "Old, old@a.example"]
    words = texts_of(question, "form[method=post] p")
    assert words[1:] == [
        "Without an e-mail address, and so without a letter: Mute",
        "Closed, and so without a letter: Gone",
    ]
    assert sent_to() == ["new@a.example", "old@a.example"]


def test_who_had_a_letter_a_moment_ago_gets_no_other(manager, people):
    ticked = {"person": people["old"].pk}
    for _press in range(2):
        manager.post(ADDRESS, ticked)
    AuditEntry.objects.filter(action="person.invited").count()

    assert sent_to() == ["old@a.example"]


def test_a_reminder_is_sent_later(manager, people):
    entry = AuditEntry.objects.create(
        action="person.invited",
        object_type="accounts.user",
        object_id=str(people["new"].pk),
        at=timezone.now() - timedelta(days=2),
    )
    never = manager.get(ADDRESS, {"all": "1"})

    manager.post(ADDRESS, {"person": people["new"].pk})

    assert (texts_of(never, ".remarks li"), sent_to()) == ([], ["new@a.example"])
    assert AuditEntry.objects.filter(action=entry.action).count() == 2


def test_a_long_list_comes_in_portions(manager):
    made = [
        User(username=f"p{at}", email=f"p{at}@a.example", password="!") for at in range(AT_ONCE + 5)
    ]
    User.objects.bulk_create(made)

    question = manager.get(ADDRESS, {"all": "1"})

    assert len(texts_of(question, ".remarks li")) == AT_ONCE
    assert texts_of(question, "form[method=post] p")[1] == "5 people more get one the next time."


def test_what_was_sent_before_the_mail_server_failed_stays_sent(manager, people, monkeypatch):
    send = EmailBackend.send_messages

    def one_only(backend, letters):
        if mail.outbox:
            raise smtplib.SMTPServerDisconnected
        return send(backend, letters)

    monkeypatch.setattr(EmailBackend, "send_messages", one_only)
    answer = manager.post(ADDRESS, {"person": [people["new"].pk, people["old"].pk]}, follow=True)

    assert texts_of(answer, ".messages li") == [
        "Letters sent: 1.",
        "The mail server takes no more letters. Try again later.",
    ]
    assert AuditEntry.objects.filter(action="person.invited").count() == 1


REFUSALS = {
    "refused": smtplib.SMTPRecipientsRefused({"a@a.example": (550, b"No such user")}),
    "refused without a code": smtplib.SMTPRecipientsRefused({}),
    "not to be written": UnicodeEncodeError("ascii", "ä", 0, 1, "ordinal not in range(128)"),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_an_address_that_is_refused_keeps_no_letter_from_the_others(
    manager, people, monkeypatch, refusal
):
    bad = PersonFactory(full_name="Ann", email="a@a.example", invited=True)
    send = EmailBackend.send_messages

    def refuse(backend, letters):
        if letters[0].to == [bad.email]:
            raise refusal
        return send(backend, letters)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    answer = manager.post(ADDRESS, {"all": "1"}, follow=True)
    alone = manager.post(f"/people/{bad.pk}/invite/", follow=True)

    assert texts_of(answer, ".messages li") == [
        "Letters sent: 1.",
        "The mail server does not take letters to: Ann (a@a.example). Correct what is wrong there.",
    ]
    assert texts_of(alone, ".messages li") == [
        "The mail server does not take letters to: Ann (a@a.example). Correct what is wrong there."
    ]
    assert sent_to() == [people["new"].email]
    invited = AuditEntry.objects.filter(action="person.invited")
    assert list(invited.values_list("object_id", flat=True)) == [str(people["new"].pk)]


def test_an_address_that_takes_no_letters_for_a_while_is_not_told_as_wrong(
    manager, people, monkeypatch
):
    def put_off(_backend, letters):
        raise smtplib.SMTPRecipientsRefused({letters[0].to[0]: (450, b"Greylisted")})

    monkeypatch.setattr(EmailBackend, "send_messages", put_off)
    person = people["new"]
    several = manager.post(ADDRESS, {"person": person.pk}, follow=True)
    alone = manager.post(f"/people/{person.pk}/invite/", follow=True)

    assert [texts_of(each, ".messages li") for each in (several, alone)] == [
        ["Letters sent: 0.", "The mail server takes no more letters. Try again later."],
        ["The letter could not be sent. Try again later."],
    ]


def test_a_fault_of_our_own_is_told_as_no_wrong_address(manager, people, monkeypatch):
    def fail(_backend, _letters):
        raise ValueError("Ours.")

    monkeypatch.setattr(EmailBackend, "send_messages", fail)

    with pytest.raises(ValueError, match=r"Ours\."):
        manager.post(ADDRESS, {"person": people["new"].pk})


def test_a_stranger_invites_nobody(log_in, people):
    for role in ("expert", "participant", "judge"):
        answer = log_in(PersonFactory(role=role)).post(ADDRESS, {"person": people["new"].pk})
        assert answer.status_code == 403

    assert sent_to() == []


@pytest.mark.usefixtures("people")
def test_people_are_listed_and_invited_by_role(manager):
    ann = PersonFactory(full_name="Ann", role="participant", email="a@a.example", invited=True)

    all_of_them = manager.get("/people/")
    experts = manager.get("/people/?role=expert")
    question = manager.get("/people/invite/?all=1&role=participant")
    manager.post("/people/invite/", fields_of(question))

    buttons = [
        page_of(each).one("#invite button[name=all]").text for each in (all_of_them, experts)
    ]
    assert buttons == ["To all never invited (2)…", "To all never invited (1)…"]
    shown = {word for row in names(experts) for word in ("Ann", "New", "Old") if word in row}
    assert shown == {"New", "Old"}
    assert page_of(experts).one("#invite input[name=role]")["value"] == "expert"
    assert sent_to() == [ann.email]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("role", ["zz", "judge"])
def test_a_role_that_is_none_of_those_kept_invites_nobody(log_in, role):
    manager = log_in(PersonFactory(role="coordinator"))

    answers = [
        manager.get(ADDRESS, {"all": "1", "role": role}),
        manager.post(ADDRESS, {"all": "1", "role": role}),
    ]

    assert [each.status_code for each in answers] == [422, 422]
    assert texts_of(answers[0], "#notice") == [f"Nothing here is called {role}."]
    assert sent_to() == []


def names(page):
    return texts_of(page, "table.people tbody th")


def test_who_invites_the_ticked_comes_back_to_what_was_searched_for(manager, people):
    asked = "?q=Old&role=expert&sort=seen_at"
    form = page_of(manager.get(f"/people/{asked}")).one("#invite")
    kept = {each["name"]: each["value"] for each in form.find("input[type=hidden]")}
    address = f"{ADDRESS}?{urlencode(kept | {'person': people['old'].pk})}"

    question = manager.get(address)
    sent = manager.post(address, fields_of(question))

    back = page_of(question).one(".row-tools a")["href"]
    searched = "/people/?q=Old&role=expert&sort=seen_at"
    assert [back, sent["location"]] == [searched] * 2
    assert sent_to() == [people["old"].email]


def test_who_closes_an_account_comes_back_to_what_was_searched_for(manager, people):
    person, asked = people["old"], "?q=Old&role=expert"
    shown = page_of(manager.get(f"/people/{asked}"))
    link = next(each["href"] for each in shown.find("td.a-act a") if "activity" in each["href"])

    closed = manager.post(link)
    again = page_of(manager.get(f"/people/{asked}")).one("td.a-act form")["action"]
    opened = manager.post(again, {"active": "1"})

    assert [closed["location"], opened["location"]] == [f"/people/{asked}"] * 2
    assert User.objects.get(pk=person.pk).is_active


def test_of_those_who_get_no_letter_people_of_one_name_are_told_apart(manager):
    made = [PersonFactory(username=f"ann{at}", full_name="Ann", invited=True) for at in (1, 2)]
    made.append(PersonFactory(full_name="Ann", email="a@a.example", is_active=False))

    (_nobody, mute, closed) = texts_of(
        manager.get(ADDRESS, {"person": [person.pk for person in made]}), "form[method=post] p"
    )

    assert mute == "Without an e-mail address, and so without a letter: Ann (ann1), Ann (ann2)"
    assert closed == "Closed, and so without a letter: Ann"


def test_experts_with_numbers_stand_by_their_numbers(manager):
    made = [
        PersonFactory(full_name=f"Expert {at}", email=f"e{at}@a.example", invited=True)
        for at in (1, 10, 2)
    ]

    lists = [
        texts_of(manager.get(ADDRESS, asked), ".remarks li")
        for asked in ({"all": "1"}, {"person": [person.pk for person in made]})
    ]

    named = [f"Expert {at}, e{at}@a.example" for at in (1, 2, 10)]
    assert lists == [named, named]
