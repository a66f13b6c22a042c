"""Every page somebody can come to in the demo is there: followed link by link, as visitors go."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urljoin

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from tests.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]

OF_A_KIND = {"ru": 2, "en": 1}
"""So many pages of one kind are read, as all contests or all checks have the same links; of the
second language one, as it is the words that differ.
"""

BEING_MADE = 409
"""What a report answers until a worker has made it; none runs here."""


def followed(browser, of_a_kind):
    """How each page answered that links lead to, beginning with the start page: {path: status}."""
    known, waiting, kinds = {"/": 0}, ["/"], Counter()
    while waiting:
        path = waiting.pop(0)
        kind = re.sub(r"\d+", "0", path.split("?")[0])
        kinds[kind] += 1
        if kinds[kind] > of_a_kind:
            continue
        found = browser.get(path, follow=True)
        known[path] = found.status_code
        found.close()
        if not found.headers["Content-Type"].startswith("text/html"):
            continue
        links = [each["href"].split("#")[0] for each in page_of(found).find("a[href]")]
        here = found.request["PATH_INFO"]
        new = {urljoin(here, each) for each in links if each and ":" not in each.split("/")[0]}
        waiting += sorted(new - known.keys())
        known |= dict.fromkeys(new - known.keys(), 0)
    return {path: status for path, status in known.items() if status}


PEOPLE = ("lynx", "exp1", "coordinator", "organiser", "judge", "commission", "admin")


def test_no_link_of_the_demo_leads_to_nothing_in_either_language(settings, tmp_path):
    settings.EXPORTS = tmp_path
    call_command("demo")

    answers = {}
    for language, of_a_kind in OF_A_KIND.items():
        for name in PEOPLE:
            browser = Client()
            browser.force_login(User.objects.get(username=name))
            browser.cookies["django_language"] = language
            assert page_of(browser.get("/contests/")).one("html")["lang"] == language
            answers[language, name] = followed(browser, of_a_kind)

    told = [(whose, path, status) for whose in answers for path, status in answers[whose].items()]
    dead = {each for each in told if each[2] >= 400 and each[2] != BEING_MADE}
    assert dead == set()
    assert min(map(len, answers.values())) > 40
