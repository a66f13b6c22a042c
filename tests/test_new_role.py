"""Who may is asked in access.py alone, so that a role nobody has named yet may do nothing."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.models import User
from tests.accounts.world import routes
from tests.factories import PersonFactory
from tests.pages import texts_of
from web.panels import entries_for

ROOT = Path(__file__).resolve().parent.parent
ACCESS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in ROOT.glob("*/access.py")
]
ASKED = re.compile(r"\b(?:user|viewer|visitor|person|actor)\.role (?:[!=]=|in\b|not in\b)")
DECIDING = {"access.py", "roles.py"}
EDGES = sorted(
    path
    for path in ROOT.glob("*/**/*.py")
    if path.name not in DECIDING
    and not {"services", "migrations", "tests", "core", ".venv"} & set(path.parts)
)
OPEN_TO_ALL = {
    *("accounts:forgotten", "accounts:password", "contest:contests", "contest:participating"),
    "health",
}
"""Pages for whoever comes, and the own password."""
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.fixture
def observer(db):  # noqa: ARG001 - the row needs the database
    """Somebody of a role that is new."""
    person = PersonFactory()
    User.objects.filter(pk=person.pk).update(role="observer")
    return User.objects.get(pk=person.pk)


def may_functions():
    """Every question of an access.py that is about a person alone."""
    for name in ACCESS:
        for function in vars(importlib.import_module(name)).values():
            if inspect.isfunction(function) and function.__module__ == name:
                signature = inspect.signature(function)
                if signature.return_annotation == "bool" and [*signature.parameters] == ["user"]:
                    yield function


def test_a_new_role_may_do_nothing(observer):
    asked = [*may_functions()]

    assert len(asked) > 10
    assert [function.__name__ for function in asked if function(observer)] == []


def test_a_new_role_finds_nothing_in_the_navigation(observer, log_in):
    page = log_in(observer).get("/no/such/page/")

    own = [each for each in entries_for(observer) if not each.public]
    assert (page.status_code, own) == (404, [])
    assert set(texts_of(page, "header nav a")) == {"Contests"}
    assert texts_of(log_in(PersonFactory()).get("/no/such/page/"), "header nav a") != []


def test_every_page_is_closed_to_a_new_role(observer, log_in):
    client = log_in(observer)
    pages = {route for route, arguments in routes().items() if not arguments}
    shown = {
        route
        for route in pages - OPEN_TO_ALL
        if not route.startswith("api:") and client.get(reverse(route)).status_code == 200
    }

    assert shown == set()


def test_roles_are_named_one_by_one_at_the_doors():
    source = (ROOT / "accounts" / "roles.py").read_text("utf-8")

    assert re.findall(r"frozenset\(Role\)|\bin Role\b|list\(Role\)", source) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_do_not_ask_for_roles(path):
    assert "user.role" not in path.read_text("utf-8")


def test_pages_and_api_do_not_ask_for_roles():
    assert [
        str(path.relative_to(ROOT)) for path in EDGES if ASKED.search(path.read_text("utf-8"))
    ] == []
