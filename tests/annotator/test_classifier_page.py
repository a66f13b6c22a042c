from __future__ import annotations

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from accounts.models import User
from annotator.core.classifier import Category, Classifier, Subcategory, classifier_of
from annotator.core.values import Kind, Markup, Subject
from annotator.pages.palette import code_list, palette_of, searchable_codes
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

CODES = "#classifier-list section dt"
EVIL = "</script><script>alert(1)</script><!--"


@pytest.fixture
def show(log_in):
    def page(subject="eng", role="expert", htmx=False, **query):
        headers = {"HX-Request": "true"} if htmx else {}
        client = log_in(PersonFactory(role=role))
        return client.get(f"/classifiers/{subject}/", query, headers=headers)

    return page


@pytest.mark.parametrize("subject", [name for name, _words in settings.SUBJECTS])
def test_the_active_codes_of_every_subject_are_listed(show, subject):
    response = show(subject)

    active = [each for each in classifier_of(Subject(subject)).categories if each.active]
    assert response.status_code == 200
    assert sorted(texts_of(response, CODES)) == sorted(each.code for each in active)


@pytest.mark.parametrize("role", User.Role.values)
def test_everybody_who_is_logged_in_reads_it(show, role):
    assert show(role=role).status_code == 200


def test_whoever_is_not_logged_in_is_asked_to(client):
    page = client.get("/classifiers/eng/")
    part = client.get("/classifiers/eng/", headers={"HX-Request": "true"})

    assert page.headers["Location"] == "/login/?next=/classifiers/eng/"
    assert (part.status_code, part.headers["HX-Redirect"], part.content) == (286, "/login/", b"")


@pytest.mark.parametrize("subject", ["maths", "ENG", "eng-", "0"])
def test_a_subject_nobody_knows_is_not_there(show, subject):
    assert show(subject).status_code == 404


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("А.орф", ["А.орф"]),
        ("  а.ОРФ ", ["А.орф"]),
        ("видовр", ["А.грамм"]),
        ("misspelt", ["А.орф"]),
        ("word misspelt", ["А.орф"]),
        ("misspelt paragraphs", []),
        ("%_", []),
    ],
)
def test_codes_are_found_by_all_of_the_words(show, words, codes):
    response = show(q=words)

    assert texts_of(response, CODES) == codes
    assert texts_of(response, "#classifier-list .muted") == ([] if codes else ["No such code."])


def test_codes_are_found_in_the_readers_own_language(log_in):
    client = log_in(PersonFactory())
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ru"

    response = client.get("/classifiers/eng/", {"q": "написано с ошибкой"})

    assert texts_of(response, CODES) == ["А.орф"]


@pytest.mark.parametrize("htmx", [False, True])
def test_the_words_stay_in_their_field_and_are_escaped(show, htmx):
    page = page_of(show(q='"><script>', htmx=htmx))

    field = page.one("#classifier-words")
    assert field["value"] == '"><script>'
    assert field["hx-get"] == "/classifiers/eng/"
    assert page.one(field["hx-target"]) == page.one(field["hx-select"])


def test_htmx_gets_the_part_that_the_page_has(show):
    page, part = (show("lit", q="факт", htmx=htmx).content.decode() for htmx in (False, True))

    assert "<html" not in part
    assert part.strip() in page
    assert texts_of(part, CODES) == texts_of(page, CODES) != []


def evil_classifier():
    words = {"ru": EVIL, "en": EVIL}
    subcodes = (Subcategory(EVIL, words),)
    return Classifier([Category(EVIL, Kind.MISTAKE, words, EVIL, words, (), subcodes)])


def palette_page(classifier):
    page = {
        "palette": palette_of(classifier, Markup("")),
        "codes": code_list(classifier),
    }
    return render_to_string("annotator/marking/palette.html", {"page": page})


def test_a_classifier_cannot_close_the_script_of_the_palette():
    html = palette_page(evil_classifier())

    page = page_of(html)
    assert [each.attributes for each in page.find("script")] == [
        {"id": "code-list", "type": "application/json"}
    ]
    assert html.count("<script") == html.count("</script") == 1
    assert "<!--" not in html
    assert page.one("button.code")["data-code"] == EVIL


@pytest.mark.parametrize(("language", "first"), [("ru", "Слово"), ("en", "A word")])
def test_the_palette_searches_both_languages_the_readers_first(language, first):
    with translation.override(language):
        codes = searchable_codes(classifier_of(Subject.ENGLISH))

    (spelling,) = [each for each in codes if each["code"] == "А.орф"]
    assert spelling["names"][0].startswith(first)
    assert {name.partition(" ")[0] for name in spelling["names"]} == {"Слово", "A", "Spelling"}


def test_another_method_is_not_allowed(client):
    client.force_login(PersonFactory())

    assert client.post("/classifiers/eng/").status_code == 405


def test_the_page_asks_nothing_of_the_database_but_who_is_there(django_assert_num_queries):
    client = Client()
    client.force_login(PersonFactory())
    client.get("/classifiers/eng/")

    with django_assert_num_queries(2):
        client.get("/classifiers/eng/")
