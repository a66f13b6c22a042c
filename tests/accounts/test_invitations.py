from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.models import AuditEntry, User
from accounts.services.logins import LETTERS
from review.models.deadlines import LetterTerms
from tests.accounts.world import link_token, uid_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

CHOSEN = "lake under the hill"
USED = "This link was used already or is too old. Ask for a new one."
ON_ITS_WAY = "If there is an account with this address, a letter with a link is on its way."


@pytest.fixture
def anna():
    name = "Анна <b>Лебедева"
    return PersonFactory(username="anna", full_name=name, email="anna@school.example", invited=True)


@pytest.fixture
def manager(coordinator, log_in):
    return log_in(coordinator)


def invite(manager, person, **headers):
    return manager.post(f"/people/{person.pk}/invite/", headers=headers)


def ask_anew(email, **headers):
    return Client().post("/forgotten/", {"email": email}, headers=headers)


def link_in(letter):
    (link,) = re.findall(r"http://127\.0\.0\.1:80(/invitation/\S+/)\n", letter.body)
    return link


def opened(link, browser=None):
    """The page a link leads to."""
    return (browser or Client()).get(link, follow=True)


def choose(link, password=CHOSEN):
    browser = Client()
    page = opened(link, browser)
    body = {"new_password1": password, "new_password2": password}
    return browser.post(page.request["PATH_INFO"], body)


def test_an_invitation_brings_a_link_to_choose_a_password(manager, anna, settings):
    settings.MAIL_LANGUAGE = "en"
    answer = invite(manager, anna)

    (letter,) = mail.outbox
    assert (answer["Location"], letter.to, letter.subject) == (
        "/people/",
        ["anna@school.example"],
        "Your Razbor account",
    )
    assert "Hello, Анна <b>Лебедева." in letter.body
    assert "“anna”" in letter.body
    assert link_in(letter) in letter.body
    assert letter.extra_headers["Content-Language"] == "en"
    assert AuditEntry.objects.get().action == "person.invited"


def test_a_link_sets_the_password_once(manager, anna):
    invite(manager, anna)
    link = link_in(mail.outbox[0])

    chosen = choose(link)

    anna.refresh_from_db()
    assert (chosen.status_code, chosen["Location"]) == (302, "/login/")
    assert anna.check_password(CHOSEN)
    assert USED in opened(link).content.decode()


def test_the_login_page_has_the_name_of_whoever_chose_a_password(manager, anna):
    invite(manager, anna)

    page = choose(link_in(mail.outbox[0])).client.get("/login/")

    assert page_of(page).find("#id_username")[0]["value"] == "anna"
    assert "value" not in page_of(Client().get("/login/")).find("#id_username")[0].attributes


def test_choosing_a_password_is_not_a_login(manager, anna):
    invite(manager, anna)

    assert "_auth_user_id" not in choose(link_in(mail.outbox[0])).client.session


def test_the_login_says_that_the_password_is_chosen(manager, anna):
    invite(manager, anna)

    chosen = choose(link_in(mail.outbox[0]))

    page = chosen.client.get("/login/")
    assert texts_of(page, ".messages li") == ["The password is chosen. Log in with it."]


def test_a_weak_password_is_refused_and_the_link_stays_good(manager, anna):
    invite(manager, anna)
    link = link_in(mail.outbox[0])

    refused = [choose(link, password).status_code for password in ("12345", "password1", "anna")]

    anna.refresh_from_db()
    assert (refused, anna.has_usable_password()) == ([200] * 3, False)
    assert choose(link).status_code == 302


class EarlierTokens(PasswordResetTokenGenerator):
    """Makes the tokens of a while ago."""

    def __init__(self, ago):
        super().__init__()
        self.ago = ago

    def _now(self):
        return super()._now() - self.ago


@pytest.mark.parametrize(
    ("age", "is_too_old"),
    [(timedelta(days=3, minutes=-1), False), (timedelta(days=3, minutes=1), True)],
    ids=["almost three days", "three days and a minute"],
)
def test_a_link_is_good_for_three_days(anna, age, is_too_old):
    link = f"/invitation/{uid_of(anna)}/{EarlierTokens(age).make_token(anna)}/"

    assert (USED in opened(link).content.decode()) == is_too_old


@pytest.mark.parametrize("change", ["password", "email", "last_login"])
def test_a_link_ends_when_its_account_changes(anna, change):
    link = f"/invitation/{uid_of(anna)}/{link_token(anna)}/"
    new = {"password": "!other", "email": "other@school.example", "last_login": timezone.now()}
    User.objects.filter(pk=anna.pk).update(**{change: new[change]})

    assert USED in opened(link).content.decode()


class Meanwhile:
    """Judges a password; before the first one is saved, another is chosen by the same link."""

    link = ""

    def validate(self, _password, _user=None):
        link, Meanwhile.link = Meanwhile.link, ""
        if link:
            assert choose(link, "quicker by a moment").status_code == 302

    def get_help_text(self):
        return ""


def test_a_link_that_two_use_at_once_takes_one_password_and_says_so_to_the_other(anna, settings):
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": f"{__name__}.Meanwhile"}]
    Meanwhile.link = f"/invitation/{uid_of(anna)}/{link_token(anna)}/"

    answer = choose(Meanwhile.link)

    assert USED in answer.content.decode()
    anna.refresh_from_db()
    assert anna.check_password("quicker by a moment")


@pytest.mark.parametrize("uid", ["", "!", "AA", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw", "%00"])
@pytest.mark.parametrize("token", ["x", "set-password", "%00"])
def test_a_made_up_link_opens_nothing(uid, token):
    page = opened(f"/invitation/{uid or 'MQ'}/{token}/")

    assert (page.status_code, USED in page.content.decode()) == (200, True)


def test_the_link_of_one_account_does_not_open_another(anna):
    other = PersonFactory()

    assert USED in opened(f"/invitation/{uid_of(other)}/{link_token(anna)}/").content.decode()


@pytest.mark.usefixtures("anna")
def test_whoever_forgot_the_password_gets_a_link():
    answer = ask_anew("ANNA@school.example")

    assert (answer.status_code, ON_ITS_WAY in answer.content.decode()) == (200, True)
    assert choose(link_in(mail.outbox[0])).status_code == 302


def test_the_answer_is_the_same_for_an_unknown_address(anna):
    closed = PersonFactory(email="closed@school.example", is_active=False)
    PersonFactory(email="")

    asked = (anna.email, closed.email, "nobody@school.example", "", "no address", "a\0b")
    answers = [ask_anew(email) for email in asked]

    pages = {re.sub(rb'value="[^"]*"', b"", answer.content) for answer in answers[:5]}
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len(pages) == 1
    assert [letter.to for letter in mail.outbox] == [[anna.email]]


def test_five_letters_an_hour_go_to_one_account(anna, clock):
    answers = [ask_anew(anna.email) for _ in range(7)]
    within = len(mail.outbox)
    clock.move(LETTERS.seconds)
    ask_anew(anna.email)

    assert {answer.status_code for answer in answers} == {200}
    assert (within, len(mail.outbox)) == (5, 6)


@pytest.mark.parametrize("host", ["localhost:8443", "127.0.0.1:1", "evil.school.example:99"])
def test_a_stranger_chooses_neither_host_nor_port_of_a_link(settings, manager, anna, host):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", ".school.example"]
    ask_anew(anna.email, host=host)
    invite(manager, anna, host=host)
    settings.PUBLIC_ADDRESS = "https://razbor.school.example"
    ask_anew(anna.email, host=host)

    links = [re.findall(r"(\S+)/invitation/", letter.body) for letter in mail.outbox]
    local, public = ["http://127.0.0.1:80"], ["https://razbor.school.example"]
    assert links == [local, local, public]


@pytest.mark.parametrize("language", ["ru", "en"])
def test_letters_speak_the_language_of_whoever_asks_or_is_invited(
    manager, anna, settings, language
):
    settings.MAIL_LANGUAGE = language
    invite(manager, anna, accept_language={"ru": "en", "en": "ru"}[language])
    settings.MAIL_LANGUAGE = "ru"
    ask_anew(anna.email, accept_language=language)

    with translation.override(language):
        subject = gettext("Your Razbor account")
        promise = gettext(
            "The link is good for three days. If you did not expect this letter, do nothing."
        )
    is_russian = bool(re.search("[а-я]", subject)) and bool(re.search("[а-я]", promise))
    assert [letter.subject for letter in mail.outbox] == [subject] * 2
    assert [promise in letter.body for letter in mail.outbox] == [True] * 2
    assert is_russian == (language == "ru")


def test_who_chose_a_language_for_letters_is_invited_in_it(manager, anna, settings):
    settings.MAIL_LANGUAGE = "ru"
    LetterTerms.objects.create(person=anna, language="en")

    invite(manager, anna, accept_language="ru")

    (letter,) = mail.outbox
    assert (letter.subject, letter.extra_headers["Content-Language"]) == (
        "Your Razbor account",
        "en",
    )


def test_a_name_with_a_line_end_does_not_add_a_header(anna):
    User.objects.filter(pk=anna.pk).update(full_name="Anna\nBcc: everybody@school.example")

    ask_anew(anna.email)

    (letter,) = mail.outbox
    assert letter.message()["Bcc"] is None
    assert letter.recipients() == [anna.email]


@pytest.mark.parametrize("person", [{"email": ""}, {"email": "a@b.example", "is_active": False}])
def test_nobody_is_invited_without_address_or_account(manager, person):
    assert invite(manager, PersonFactory(**person)).status_code == 404
    assert mail.outbox == []


@pytest.fixture
def dead_mail_server(settings, free_port):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port


@pytest.mark.usefixtures("dead_mail_server")
def test_a_coordinator_learns_that_a_letter_was_not_sent(manager, anna):
    page = manager.post(f"/people/{anna.pk}/invite/", follow=True)

    assert "The letter could not be sent. Try again later." in page.content.decode()
    assert not AuditEntry.objects.exists()


@pytest.mark.usefixtures("dead_mail_server")
def test_a_lost_letter_does_not_tell_which_addresses_are_known(anna):
    known, unknown = ask_anew(anna.email), ask_anew("nobody@school.example")

    assert (known.status_code, unknown.status_code) == (200, 200)
