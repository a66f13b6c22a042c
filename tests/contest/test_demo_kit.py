"""The demo's contests name the common module with its version and checksum (R 4.2, 12.3)."""

from __future__ import annotations

import subprocess

import pytest
from django.conf import settings
from django.test import Client

from contest.management.demo_kit import kit_checksum, release_kit
from razbor.main import VERSION
from tests.contest.contests import running
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

COMMAND = "find razbor -name '*.py' | LC_ALL=C sort | xargs sha256sum | sha256sum"


def test_the_checksum_of_the_kit_is_what_the_documents_have_one_count():
    told = subprocess.run(
        ["bash", "-c", COMMAND], cwd=settings.BASE_DIR, capture_output=True, check=True, text=True
    )

    assert told.stdout.split()[0] == kit_checksum()
    docs = (settings.BASE_DIR / "docs" / "running-a-contest.md").read_text("utf-8")
    assert COMMAND in docs


def test_a_contest_of_the_demo_shows_the_kit_with_its_version_and_checksum():
    contest = running()

    release_kit(contest, PersonFactory(role="organiser"))

    page = page_of(Client().get("/contests/autumn/"))
    assert page.one(".release").text == f"razbor {VERSION} SHA-256 {kit_checksum()}"
    (told,) = contest.announcements.all()
    assert (told.kind, told.title_en) == ("modules", f"razbor {VERSION}")
