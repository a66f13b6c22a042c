from __future__ import annotations

import re
from uuid import UUID

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import path, reverse

from config.urls import urlpatterns as product_urls
from tests.accounts.world import routes
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.test_access import ROWS

pytestmark = pytest.mark.django_db

OLD, NEW = "lake under the hill", "hill above the lake"


@login_not_required
def fail(_request):
    raise RuntimeError("A fault of ours, on purpose.")


@login_not_required
def refuse(_request):
    raise PermissionDenied


@login_not_required
def miss(_request):
    raise Http404


urlpatterns = [
    *product_urls,
    path("fail/", fail),
    path("refuse/", refuse),
    path("miss/", miss),
]


def lines_of(response):
    return response.content.decode()


START = {
    "expert": "/queue/",
    "participant": "/training/",
    "coordinator": "/desk/",
    "organiser": "/desk/",
    "judge": "/verdicts/",
    "commission": "/verdicts/",
    "administrator": "/desk/",
}


@pytest.mark.parametrize("role", START)
def test_work_begins_at_the_page_of_the_role(role, log_in):
    browser = log_in(PersonFactory(role=role))

    page = browser.get("/", follow=True)

    assert page.redirect_chain == [(START[role], 302)]
    assert page.status_code == 200


SECTIONS = {
    "expert": ["My essays", "Practice", "Contests", "Scores", "Systems"],
    "participant": [
        *("Training essays", "Contests", "Team", "Sessions", "Scores", "Systems", "Exports"),
    ],
    "coordinator": [
        *("Desk", "Planning", "Deadlines", "Verification", "Sets", "Import", "People"),
        *("Contests", "Sessions", "Scores", "Score runs", "Agreement", "Systems", "Exports"),
    ],
    "organiser": [
        *("Desk", "Planning", "Deadlines", "Verification", "Sets", "Import", "People"),
        *("Contests", "Sessions", "Finals", "Scores", "Score runs", "Agreement", "Systems"),
        "Exports",
    ],
    "judge": [
        *("Desk", "Deadlines", "Verification", "Contests"),
        *("Sessions", "Scores", "Score runs", "Agreement"),
        "Systems",
    ],
    "commission": [
        *("Desk", "Deadlines", "Verification", "Contests"),
        *("Sessions", "Scores", "Score runs", "Agreement"),
        "Systems",
    ],
    "administrator": [
        *("Desk", "Planning", "Deadlines", "Verification", "Sets", "Import"),
        *("People", "Administration", "Contests", "Sessions", "Finals", "Scores"),
        *("Score runs", "Agreement", "Systems", "Exports"),
    ],
}


@pytest.mark.parametrize("role", SECTIONS)
def test_the_navigation_leads_only_to_pages_that_open(role, log_in):
    browser = log_in(PersonFactory(role=role))

    bar, *_same = re.findall(r"<nav.*?</nav>", lines_of(browser.get("/scores/")), re.DOTALL)

    links = re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', bar)
    assert [words for _, words in links] == SECTIONS[role]
    assert [browser.get(address).status_code for address, _ in links] == [200] * len(links)


GROUPS = {
    "expert": [],
    "judge": ["Work", "Contest", "Results"],
    "coordinator": ["Work", "Essays", "Contest", "Results"],
    "administrator": ["Work", "Essays", "People", "Contest", "Results"],
}


@pytest.mark.parametrize("role", GROUPS)
def test_a_long_navigation_stands_in_groups_and_marks_the_present_one(role, log_in):
    page = page_of(log_in(PersonFactory(role=role)).get("/scores/"))

    groups = page.find("nav.grouped summary")
    assert [each.text for each in groups] == GROUPS[role]
    here = [each.text for each in groups if "aria-current" in each.attributes]
    assert here == (["Results"] if groups else [])
    assert len(page.find("nav.one-menu details")) == 1
    lists = [[each["href"] for each in page.find(f"nav.{name} a")] for name in NAVIGATIONS]
    assert lists[0] == lists[1]


NAVIGATIONS = ("grouped", "one-menu")


@pytest.mark.parametrize(("language", "zone"), [("ru", "МСК"), ("en", "MSK")])
def test_the_foot_names_the_zone_of_all_times_in_the_language_of_the_page(language, zone):
    page = page_of(Client(headers={"accept-language": language}).get("/login/"))

    assert page.one(".foot").text.split()[-1] == zone


def language_of(response):
    return re.findall(r'<html lang="(\w+)"', lines_of(response))


@pytest.mark.parametrize("wanted", ["ru", "en"])
def test_the_language_is_the_browsers_until_another_is_chosen(wanted):
    other = {"ru": "en", "en": "ru"}[wanted]
    browser = Client(headers={"accept-language": other})
    before = language_of(browser.get("/login/"))

    chosen = browser.post("/language/", {"language": wanted, "next": "/forgotten/"})

    assert (before, chosen["Location"]) == ([other], "/forgotten/")
    assert language_of(browser.get("/login/")) == [wanted]


def test_an_unknown_language_changes_nothing():
    browser = Client()
    browser.post("/language/", {"language": "tlh", "next": "/login/"})

    assert language_of(browser.get("/login/")) == ["en"]


def test_the_language_switch_leads_to_no_other_site():
    led = Client().post("/language/", {"language": "ru", "next": "https://evil.example/"})

    assert led["Location"] == "/"


def test_the_language_switch_leads_back_to_the_same_page(log_in, coordinator):
    browser = log_in(coordinator)
    (address,) = re.findall(
        r'name="next" value="([^"]+)"', lines_of(browser.get("/people/?q=anna&page=2"))
    )

    assert address == "/people/?q=anna&amp;page=2"


def change_password(browser, old, new, again=None):
    body = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return browser.post(reverse("accounts:password"), body)


@pytest.fixture
def anna():
    person = PersonFactory(username="anna")
    person.set_password(OLD)
    person.save()
    return person


def test_a_changed_password_ends_the_other_sessions(anna, log_in):
    here, elsewhere = log_in(anna), log_in(anna)

    answer = change_password(here, OLD, NEW)

    anna.refresh_from_db()
    assert (answer["Location"], anna.check_password(NEW)) == ("/account/", True)
    assert (here.get("/queue/").status_code, elsewhere.get("/queue/").status_code) == (200, 302)


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("wrong", NEW, NEW),
        ("", NEW, NEW),
        (OLD, NEW, "hill above the leak"),
        (OLD, "12345678", "12345678"),
        (OLD, "password", "password"),
        (OLD, "short", "short"),
        (OLD, "anna", "anna"),
    ],
)
def test_a_password_is_kept_when_the_change_is_refused(anna, log_in, old, new, again):
    answer = change_password(log_in(anna), old, new, again)

    anna.refresh_from_db()
    assert (answer.status_code, anna.check_password(OLD)) == (200, True)


ERRORS = {"/refuse/": 403, "/miss/": 404, "/nothing/here/": 404, "/fail/": 500}


def error_page(address, language="en"):
    browser = Client(raise_request_exception=False, headers={"accept-language": language})
    return browser.get(address)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("address", ERRORS)
def test_an_error_page_speaks_the_readers_language(address, language):
    words = lines_of(error_page(address, language))

    titles = re.findall(r"<(?:title|h1)>([^<]+)<", words)
    assert [bool(re.search("[А-я]", title)) for title in titles] == [language == "ru"] * 2


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("address", ERRORS)
def test_an_error_page_names_its_language(address, language):
    page = error_page(address, language)

    assert (page.status_code, language_of(page)) == (ERRORS[address], [language])


@pytest.mark.urls(__name__)
def test_an_error_page_tells_nothing_of_the_inside():
    words = lines_of(error_page("/fail/"))

    assert [word for word in ("RuntimeError", "on purpose", "Traceback") if word in words] == []


POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("address", ["/login/", "/api/schema/", "/healthz", *ERRORS])
def test_every_answer_carries_the_headers_that_protect_the_reader(address):
    page = error_page(address)

    assert {name: page.headers.get(name) for name in HEADERS} == HEADERS
    assert set(page["Content-Security-Policy"].split("; ")) == POLICY


NOBODYS = {"uuid": UUID(int=0)}
NAMED = {"slug": "spring", "pk": 1, "version": 1, "kind": "finals", "token": "x", "name": "x"}
OF_CONTESTS = {
    route: {each: NAMED[each] for each in given}
    for route, given in routes().items()
    if route.startswith("contest:") and {"slug", "token"} & set(given)
}
"""Arguments of addresses of contests."""
POSTS = sorted({row[0] for row in ROWS if row[1] == "POST" and not row[0].startswith("api:")})


@pytest.mark.parametrize("route", POSTS)
def test_a_form_of_another_site_does_nothing(route, administrator):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(administrator)
    row = next(row for row in ROWS if row[0] == route)
    arguments = {
        "accounts:invitation": {"uidb64": "x", "token": "x"},
        "annotator:fragment": {"pk": 1, "number": 1},
        "annotator:drop": {"pk": 1, "number": 1},
        "schemes:scheme": {"slug": "use"},
        "schemes:keep_key": {"slug": "use"},
        "schemes:tool": {"slug": "use", "name": "try"},
        **dict.fromkeys(("schemes:drop_run", "schemes:offer_key", "schemes:drop_key"), NOBODYS),
        "review:undo_act": NOBODYS,
        **OF_CONTESTS,
    }.get(route, {} if row[2] == "-" else {"pk": 1})

    assert browser.post(reverse(route, kwargs=arguments)).status_code == 403


def error_title(answer):
    return re.findall(r"<h1>([^<]+)<", lines_of(answer))


@pytest.mark.parametrize(
    ("language", "title"), [("ru", "Форма устарела"), ("en", "The form is out of date")]
)
def test_a_form_opened_before_a_login_is_said_to_be_out_of_date(language, title):
    browser = Client(enforce_csrf_checks=True, headers={"accept-language": language})

    answer = browser.post("/login/", {"username": "anna", "password": OLD})

    assert (answer.status_code, error_title(answer)) == (403, [title])


def test_a_form_out_of_date_gives_back_what_was_typed_unless_it_came_from_elsewhere():
    browser = Client(enforce_csrf_checks=True)
    typed = {"about": "Rules and a <b>dictionary</b>", "password": OLD}

    def shown(origin):
        page = page_of(browser.post("/login/", typed, headers={"origin": origin}))
        return [each.text for each in page.find("main .essay")]

    assert shown("http://testserver") == ["Rules and a <b>dictionary</b>"]
    assert shown("http://elsewhere.example") == []


def test_the_language_is_switched_on_the_page_a_refused_form_stood_on():
    browser = Client(headers={"accept-language": "en"})
    stood = "http://testserver/login/?next=/queue/"

    refused = browser.post("/login/", {"username": "anna"}, headers={"referer": stood})
    switch = page_of(refused).one("form.language input[name=next]")["value"]
    switched = browser.post("/language/", {"language": "ru", "next": switch}, follow=True)

    assert (switch, switched.redirect_chain) == ("/login/?next=/queue/", [(switch, 302)])
    assert page_of(switched).one("html")["lang"] == "ru"


@pytest.mark.parametrize(
    ("language", "title"), [("ru", "Запрос не принят"), ("en", "The request was not accepted")]
)
def test_too_many_fields_are_a_page_of_ours(language, title, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    browser = Client(headers={"accept-language": language})

    answer = browser.post("/login/", {"username": "anna", "password": OLD, "next": "/"})

    assert (answer.status_code, error_title(answer)) == (400, [title])


def test_a_session_alone_does_not_write_through_the_api(log_in):
    person = PersonFactory(role="participant")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person)

    answer = browser.post("/api/essays/1/markups/", {}, content_type="application/json")

    assert (answer.status_code, "CSRF" in answer.json()["message"]) == (403, True)
    assert log_in(person).post("/api/essays/1/markups/").status_code == 404


def test_cookies_are_not_sent_along_from_other_sites(anna):
    answer = Client().post("/login/", {"username": anna.username, "password": OLD})

    session = answer.cookies["sessionid"]
    assert (session["samesite"], session["httponly"]) == ("Lax", True)
    assert Client().get("/login/").cookies["csrftoken"]["samesite"] == "Lax"
