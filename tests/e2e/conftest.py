from __future__ import annotations

import contextlib
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.e2e.database import connected
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.stack import Stack, WorkerProcess
from tests.services import copy_of, own_postgres

BACKENDS = {"sqlite": (), "postgres": ("postgres_url", "redis_url")}
REDIS_DATABASE = "/9"
"""Not the one other tests use: their workers would take our messages."""


def pytest_itemcollected(item):
    """A test on PostgreSQL asks for the services by name: tests/tiers.py counts such tests."""
    backend = getattr(item, "callspec", None) and item.callspec.params.get("whole_stack")
    # A list of its own: pytest's is shared with the test's twin on the other backend.
    item.fixturenames = [*item.fixturenames, *BACKENDS.get(backend, ())]


@pytest.fixture(scope="session", params=BACKENDS)
def whole_stack(request, tmp_path_factory):
    """One stack a backend for all tests; each adds rows of its own."""
    with opened_stack(request, tmp_path_factory) as stack:
        yield stack


@contextlib.contextmanager
def opened_stack(request, tmp_path_factory, redis_database=REDIS_DATABASE, **options):
    """A stack on the backend a test asks for, with a database of its own."""
    with contextlib.ExitStack() as opened:
        addresses = {}
        if request.param == "postgres":
            tables = request.getfixturevalue("postgres_tables")
            addresses["database_url"] = opened.enter_context(copy_of(tables))
            address = urlsplit(request.getfixturevalue("redis_url"))
            addresses["broker_url"] = urlunsplit(address._replace(path=redis_database))
        folder = tmp_path_factory.mktemp(request.param)
        yield opened.enter_context(Stack(folder, **addresses, **options))


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    """A stack whose database the ORM of this process uses; at the end every promise is kept."""
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack
        whole_stack.until(all_ended, "every job ends")
        assert broken_promises() == []
        assert whole_stack.health()["status"] == "ok"


@pytest.fixture
def worker(stack):
    """The worker of the stack, up and waiting for jobs."""
    return WorkerProcess(stack, stack.children["worker"]).ready()


@pytest.fixture
def rival(stack):
    """Two more hands beside the one of our worker: jobs really do meet."""
    yield WorkerProcess(stack, stack.hire("rival", hands=2)).ready()
    stack.dismiss("rival")


@pytest.fixture(scope="session")
def mortal_postgres():
    """A PostgreSQL server of our own that tests may stop and freeze; one after the other does."""
    with own_postgres() as server:
        yield server
