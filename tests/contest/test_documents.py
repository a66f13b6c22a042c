"""Documents for participants as pages of the site, without an account (R 12.3)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from contest.pages.documents import PUBLIC_DOCUMENTS, Document, rendered
from tests.contest.test_public_costs import MOST
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["en", "ru"])
def stranger(request):
    return Client(headers={"accept-language": request.param})


@pytest.mark.parametrize("name", PUBLIC_DOCUMENTS)
def test_each_document_is_a_page_of_the_site_whose_links_work(stranger, name):
    answer = stranger.get(f"/documents/{name}/")
    page = page_of(answer)
    body = page.one(".document")

    assert answer["Content-Type"].startswith("text/html")
    assert len(answer.content) <= MOST
    assert (body["lang"], len(page.find("main h1")), page.find("main [style]")) == ("en", 1, [])
    assert "](" not in body.text
    assert "\n## " not in body.text
    anchors = {each["id"] for each in page.find("main h2, main h3")}
    links = [each["href"] for each in page.find(".document a")]
    assert {each[1:] for each in links if each.startswith("#")} <= anchors
    for link in links:
        if link.startswith("/"):
            target, _, anchor = link.partition("#")
            there = page_of(stranger.get(target))
            assert not anchor or there.find(f"main [id={anchor}]"), link
    assert [each for each in links if ".md" in each] == []


def test_the_page_around_says_in_the_readers_language_that_the_document_is_in_english():
    said = "Этот документ на английском языке."
    told = {
        language: said
        in page_of(Client(headers={"accept-language": language}).get("/documents/sessions/")).text
        for language in ("ru", "en")
    }

    assert told == {"ru": True, "en": False}


def test_the_footer_leads_to_what_is_for_participants(stranger):
    page = page_of(stranger.get("/"))

    links = [each["href"] for each in page.find(".site-foot nav a")]
    documents = [
        re.sub(r"/documents/(.*)/", r"\1", each) for each in links if "/documents/" in each
    ]
    assert documents == ["participating", "markup", "taking-part", "contest-data"]


@pytest.mark.parametrize("name", ["decisions", "exchange", "..", "running-a-contest"])
def test_what_is_for_others_is_no_document(stranger, name):
    assert stranger.get(f"/documents/{name}/").status_code == 404


def test_html_is_escaped_foreign_links_lose_their_address_and_columns_their_style():
    text = (
        "# A title\n\n## Who *sees* what?\n\n<script>x</script> [a](../runs.md), "
        "[b](markup.md#blocks), [c](javascript:x), [d](https://example.org)\n\n"
        "| n |\n|--:|\n| 1 |\n"
    )

    assert rendered(text, "rules/sessions.md") == Document(
        "A title",
        '<h2 id="who-sees-what">Who <em>sees</em> what?</h2>\n'
        "<p>&lt;script&gt;x&lt;/script&gt; a, "
        '<a href="/documents/markup/#blocks">b</a>, [c](javascript:x), '
        '<a href="https://example.org">d</a></p>\n'
        '<div class="scroll">\n<table>\n<thead>\n<tr>\n<th class="num">n</th>\n</tr>\n</thead>\n'
        '<tbody>\n<tr>\n<td class="num">1</td>\n</tr>\n</tbody>\n</table>\n</div>\n',
    )
