from __future__ import annotations

import json

import pytest

from annotator.models import SeenHint
from annotator.services.hints import put_away
from tests.annotator.drafts import draft_of
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import session_of
from tests.e2e.watch import Browser, browser
from tests.screens.desk import FORGETFUL, Desk

PAINTER = """
() => performance.getEntriesByType("resource").some(({ name }) => /marking\\/painting/.test(name))
"""
"""Has the last of the scripts come that a page needs without a network?"""


@pytest.fixture(scope="package")
def whole_site(tmp_path_factory):
    """A web process with the static files of production, and a database of its own."""
    with Stack(tmp_path_factory.mktemp("screens"), crew=("web",)) as stack:
        yield stack


@pytest.fixture(scope="package")
def whole_browser(whole_site, chromium_path):
    """One Chromium for all screens; its event loop runs in this very thread, which Django minds."""
    with pytest.MonkeyPatch.context() as patch, browser(chromium_path, whole_site.url) as opened:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield opened


@pytest.fixture
def site(whole_site, whole_browser, django_db_blocker):  # noqa: ARG001 - Chromium comes first
    """The site, whose database the ORM of this process uses."""
    with django_db_blocker.unblock(), connected(whole_site.database_url):
        yield whole_site


@pytest.fixture
def visitors(site, whole_browser):
    """Gives pages to people; at the end nothing may have gone wrong on any of them."""
    opened = Browser(whole_browser.chromium, site.url)
    yield opened
    opened.close()
    assert opened.watch.problems == []


@pytest.fixture
def trouble(visitors):
    """What the browser says of a network that is cut, or of a mark that is gone, is expected."""
    yield
    visitors.watch.problems.clear()


@pytest.fixture
def visit(site, visitors):
    """Somebody's page: ``visit(user, path)``; without a user a stranger's."""

    def page_of(user, path, *, language="en", **options):
        page = visitors.page(language, **options)
        if user:
            page.context.add_cookies([session_of(user, site.url)])
        page.goto(path)
        return page

    return page_of


@pytest.fixture
def desk(visit):
    """The marking screen of a draft: ``desk(text, *fragments)`` or ``desk(record=record)``.

    Its hints are put away already, unless they are asked for with ``first_visit=True``.
    """

    def opened(text="Some people think.", *fragments, record=None, first_visit=False, **options):
        record = record or draft_of(text, *fragments)
        user = options.pop("user", record.author)
        for hint in () if first_visit else SeenHint.Hint.values:
            put_away(user=user, hint=hint)
        page = visit(user, f"/markups/{record.pk}/", **options)
        return Desk(page, record).ready()

    return opened


@pytest.fixture
def ready(desk):
    """A screen that paints at once, of somebody whose browser keeps what waits, or does not."""

    def opened(text="Some people think.", *fragments, forgetful=False, **options):
        screen = desk(text, *fragments, **options)
        if forgetful:
            screen.page.context.add_init_script(FORGETFUL)
            screen.page.evaluate(f"() => {{{FORGETFUL}}}")
        screen.page.wait_for_function(PAINTER)  # it is asked for when the browser has nothing to do
        screen.page.wait_for_load_state("networkidle")
        return screen.into_text()

    return opened


@pytest.fixture(scope="package")
def module(whole_site):
    """The address of a script, as pages import it: ``module("places")``."""
    manifest = json.loads((whole_site.folder / "static" / "staticfiles.json").read_text("utf-8"))

    def address(name):
        return f"/static/{manifest['paths'][f'js/marking/{name}.js']}"

    return address


@pytest.fixture(scope="package")
def plain_page(whole_browser):
    """A page of the site without scripts of its own."""
    page = whole_browser.page("en")
    page.goto("/login/")
    return page


@pytest.fixture
def script(plain_page, module):
    """Run a function over a script of the product: ``script("places", "(p) => ...", *args)``."""

    def run(name, function, *arguments):
        call = f"async ([at, given]) => ({function})(await import(at), ...given)"
        return plain_page.evaluate(call, [module(name), arguments])

    return run
