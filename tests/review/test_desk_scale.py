"""The desk at 5,000 essays with three checks each: its price does not follow the size."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from review.core.desk import Number
from tests.factories import PersonFactory
from tests.review.desk_world import make_large

pytestmark = pytest.mark.django_db

ESSAYS = 5000
ADDRESSES = [
    "/desk/",
    *(f"/desk/?state={number}" for number in Number),
    *(f"/desk/?order={order}" for order in ("late", "number", "due")),
    *("/desk/?set=large", "/desk/?subject=eng", "/desk/?q=4711", "/desk/?page=90"),
    "/desk/?set=large&state=late&order=due&q=expert",
]
ALONE = "/desk/?set=large&q=0000042"


@pytest.fixture(scope="module")
def large(module_rows):  # noqa: ARG001 - the rows are the module's
    make_large(ESSAYS)


@pytest.fixture(scope="module")
def asked(large):  # noqa: ARG001 - its rows
    """What each address of the desk asks of the database, and what one essay alone does."""
    client = Client()
    client.force_login(PersonFactory(role="coordinator"))

    def queries(address):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return [each["sql"] for each in captured.captured_queries]

    queries("/desk/")
    return {address: queries(address) for address in (*ADDRESSES, ALONE)}


def test_every_filter_takes_as_many_queries_as_an_essay_alone(asked):
    most = len(asked[ALONE])

    of_whole_sets = {"/desk/?set=large": 2}  # what is foretold of them stands below the list
    assert {
        address: len(asked[address])
        for address in ADDRESSES
        if len(asked[address]) > most + of_whole_sets.get(address, 0)
    } == {}


def test_no_list_reads_a_text(asked):
    read = [sql for address in ADDRESSES for sql in asked[address]]

    assert [sql for sql in read if '"annotator_essay"."text"' in sql] == []


SCANNED = re.compile(
    r"^SCAN (annotator_assignment|annotator_markuprecord|scoring_thirdcheck)(?! USING .*INDEX)"
)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="EXPLAIN QUERY PLAN is SQLite's")
def test_checks_are_found_by_an_index_for_each_essay(asked):
    plans = {address: list(scans(asked[address])) for address in ADDRESSES}

    assert {address: found for address, found in plans.items() if found} == {}


def scans(statements):
    """Tables beside the essays' that a statement of the desk reads from end to end."""
    for sql in statements:
        if "annotator_assignment" in sql and "annotator_essay" in sql:
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN QUERY PLAN " + sql.replace("%", "%%"))
                for _id, _parent, _unused, step in cursor.fetchall():
                    if SCANNED.match(step):
                        yield step


def test_the_markup_of_a_page_does_not_grow(large, log_in):  # noqa: ARG001
    page = log_in(PersonFactory(role="coordinator")).get("/desk/?state=late")

    assert page.text.count("<tr") == 51
