"""What people typed stays before them when a contest refuses it."""

from __future__ import annotations

import pytest
from django.test import Client

from contest.models import Contest
from contest.services.teams.joining import join
from tests.contest.running_world import DAY, VALUES, announced, now, person, prepared, team_in
from tests.factories import EssaySetFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db
AT = "%Y-%m-%dT%H:%M"
MANAGE = "/contests/spring/manage/"


@pytest.fixture
def send(client):
    """The page that answers what an organiser sends."""
    client.force_login(person("organiser"))

    def answer(address, **fields):
        response = client.post(address, fields)
        assert response.status_code == 422
        return page_of(response)

    return answer


def typed(page, action=""):
    """The fields of a form of the page, by their names."""
    forms = page.find("main form[method=post]")
    form = next(each for each in forms if each.attributes.get("action", "").endswith(action))
    fields = [*form.find("input"), *form.find("textarea")]
    return {
        each["name"]: each.attributes.get("value", each.raw.strip())
        for each in fields
        if each["name"] != "csrfmiddlewaretoken"
    }


def test_a_contest_at_an_address_of_the_platform_keeps_its_words(send):
    page = send("/contests/new/", **VALUES, slug="new", zone="Europe/Moscow", licence="CC BY 4.0")

    kept = typed(page)
    assert {name: kept[name] for name in ("slug", "name_ru", "task_en")} == {
        "slug": "new",
        "name_ru": "Конкурс",
        "task_en": "What to do",
    }
    assert "“new” is an address" in page.one("main").text


@pytest.mark.parametrize("wrong", ["весна", "spring 2027", "a.b"])
def test_an_address_that_is_none_is_refused_in_the_words_of_its_help(send, wrong):
    page = send("/contests/new/", **VALUES, slug=wrong, zone="Europe/Moscow", licence="CC BY 4.0")

    said = ("helptext", "error")
    assert [" ".join(page.one(f"#id_slug_{each}").text.split()) for each in said] == [
        "Latin letters, digits, hyphens and underscores: /contests/address/.",
        "An address has Latin letters, digits, hyphens and underscores only.",
    ]


def test_dates_in_the_wrong_order_stay_in_their_own_form(send):
    prepared()
    dates = {"starts_at": (now() + 5 * DAY).strftime(AT), "ends_at": (now() + DAY).strftime(AT)}

    page = send(f"{MANAGE}phase/", kind="finals", **dates)

    forms = page.find("main form[action=/contests/spring/manage/phase/]")
    kept = [each.one("input[name=ends_at]")["value"] == dates["ends_at"] for each in forms]
    said = ["A phase ends after it starts" in each.text for each in forms]
    assert (kept, said) == ([False, True], [False, True])


def test_a_second_final_set_keeps_its_name(send):
    prepared()

    page = send(f"{MANAGE}sets/", role="final", name="Another one")

    assert typed(page, "sets/")["name"] == "Another one"
    assert "has a final set already" in page.one("main").text


def test_sets_of_other_contests_are_not_offered(client):
    prepared()
    EssaySetFactory(name="Free")
    client.force_login(person("organiser"))

    page = page_of(client.get(MANAGE))

    offered = [each.text for each in page.find("select[name=essay_set] option")]
    assert offered == ["---------", "Free"]


def test_a_run_that_cannot_be_planned_keeps_its_words(send):
    held = announced().data_sets.get(role="final").essay_set
    start = (now() + DAY).strftime(AT)

    fields = {"kind": "final", "name": "The last one", "essay_set": held.pk, "starts_at": start}
    page = send(f"{MANAGE}finals/plan/", **fields)

    kept = typed(page, "plan/")
    assert (kept["name"], kept["starts_at"]) == ("The last one", start)
    assert "10 days" in page.one("main form .notice").text


def test_parameters_out_of_range_keep_their_reason(send):
    rules = announced().parameter_sets.get().rules_id
    values = {"interval": 60, "sends": 10, "share": 5, "window": 120, "rules": rules}
    lines = {"star_to_qualify": 50, "annulled_to_qualify": 5}

    words = {"limit": 9000, "reason_ru": "Долгие эссе", "reason_en": "Long essays"}
    page = send("/contests/spring/parameters/propose/", **values, **lines, **words)

    kept = typed(page, "propose/")
    assert {name: kept[name] for name in words} == {**words, "limit": "9000"}


def test_an_exclusion_without_a_protocol_keeps_its_reason(send):
    team = team_in(announced())

    page = send(f"{MANAGE}teams/{team.pk}/exclude/", reason="A person marked", protocol="")

    assert typed(page)["reason"] == "A person marked"


def test_a_refusal_without_a_form_gives_the_sentences_back(client):
    contest = announced()
    client.force_login(person("judge"))

    words = {"kind": "verified", "seen": "", "reason": "The third <file> is late"}
    address = f"/contests/{contest.slug}/protocols/qualification/say/"
    response = client.post(address, words)

    page = page_of(response)
    assert response.status_code in {409, 422}
    assert page.one("main details p").text == "The third <file> is late"


def test_a_stranger_sends_nothing(client):
    prepared()
    client.force_login(person("expert"))

    asked = [f"{MANAGE}phase/", f"{MANAGE}sets/", "/contests/new/"]
    assert [client.post(each).status_code for each in asked] == [403, 403, 403]


def test_an_invitation_that_cannot_be_sent_keeps_whom_it_is_for(client):
    team = team_in(announced())
    captain = person("participant", email="ivan@example.org")
    join(team=team, person=captain, is_captain=True)
    client.force_login(captain)

    words = {"name": "Ivan again", "email": "ivan@example.org"}
    response = client.post("/contests/spring/team/invite/", words)

    page = page_of(response)
    kept = typed(page, "invite/")
    assert (response.status_code, kept) == (422, words)
    assert "already" in page.one("main details .notice").text


def test_who_is_in_a_team_is_not_asked_to_fill_in_another_application(client):
    team = team_in(announced())
    member = person("participant", full_name="Ivan")
    join(team=team, person=member)
    client.force_login(member)

    page = page_of(client.get("/contests/spring/apply/"))

    assert (page.find("main textarea"), "in the team “Lynx”" in page.one("main").text) == ([], True)
    assert page.one("main .panel a.btn")["href"] == "/contests/spring/team/"
    assert client.get("/contests/spring/team/").status_code == 200


def test_who_is_in_no_team_is_led_to_none(client):
    contest = announced()
    Contest.objects.filter(pk=contest.pk).update(applications_from=now() + DAY)
    strangers = [None, person("participant")]

    for who in strangers:
        if who:
            client.force_login(who)
        page = page_of(client.get("/contests/spring/apply/"))
        assert (page.find("main textarea"), page.find("main .panel a.btn")) == ([], [])


def test_who_was_logged_out_meanwhile_gets_the_sentences_back():
    announced()
    client = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    client.get("/login/")
    token = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value, "kind": "news"}

    said = client.post(f"{MANAGE}announcements/", {**token, "title_ru": "Вопрос о сессиях"})
    silent = client.post(f"{MANAGE}announcements/", token)

    page = page_of(said)
    assert (said.status_code, page.one("main details p").text) == (403, "Вопрос о сессиях")
    assert "You are logged out" in page.one("#notice").text
    assert (silent.status_code, silent["Location"]) == (302, "/login/")
