from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import DateTimeField, F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from tests.factories import DraftFactory, PersonFactory
from web.prepared import LARGEST, Given, GivenAny, Prepared, PreparedUpdate

pytestmark = pytest.mark.django_db


def sql_of(ask):
    with CaptureQueriesContext(connection) as asked:
        ask()
    return [each["sql"] for each in asked]


def test_a_prepared_query_finds_what_the_plain_one_does_for_every_value():
    people = [PersonFactory(), PersonFactory(), PersonFactory()]
    prepared = Prepared(lambda: User.objects.filter(pk=Given("pk")))

    assert [prepared(pk=each.pk) for each in people] == [[each] for each in people]
    assert prepared(pk=0) == []


def test_a_prepared_query_asks_what_the_plain_one_asks():
    person = PersonFactory()
    prepared = Prepared(lambda: User.objects.filter(pk=Given("pk")).order_by("-username")[:3])

    ours = sql_of(lambda: prepared(pk=person.pk))
    plain = sql_of(lambda: list(User.objects.filter(pk=person.pk).order_by("-username")[:3]))

    assert [each.replace(f"({person.pk})", str(person.pk)) for each in ours] == plain


def test_rows_come_as_they_are_by_now():
    person = PersonFactory(full_name="Before")
    prepared = Prepared(lambda: User.objects.filter(pk=Given("pk")))
    prepared(pk=person.pk)

    User.objects.filter(pk=person.pk).update(full_name="After")

    assert [each.full_name for each in prepared(pk=person.pk)] == ["After"]


def test_what_is_selected_along_needs_no_query_of_its_own(django_assert_num_queries):
    draft = DraftFactory()
    prepared = Prepared(
        lambda: MarkupRecord.objects.select_related("essay__essay_set").filter(pk=Given("pk"))
    )

    with django_assert_num_queries(1):
        (found,) = prepared(pk=draft.pk)
        names = found.essay.number, found.essay.essay_set.name

    assert names == (draft.essay.number, draft.essay.essay_set.name)


def test_single_values_come_as_a_list():
    person = PersonFactory()
    prepared = Prepared(
        lambda: User.objects.filter(pk=Given("pk")).values_list("username", flat=True)
    )

    assert prepared(pk=person.pk) == [person.username]


def test_a_moment_is_written_as_the_database_keeps_it():
    person = PersonFactory()
    User.objects.filter(pk=person.pk).update(last_login=timezone.now())
    since = Prepared(
        lambda: User.objects.filter(pk=person.pk, last_login__gt=Given("moment", DateTimeField()))
    )

    assert since(moment=timezone.now() - timedelta(minutes=1)) == [person]
    assert since(moment=timezone.now() + timedelta(minutes=1)) == []


@pytest.mark.parametrize("number", [LARGEST + 1, -LARGEST - 1, 10**30])
def test_a_number_no_column_holds_finds_and_changes_nothing(number):
    PersonFactory()
    query = Prepared(lambda: User.objects.filter(pk=Given("pk")))
    change = PreparedUpdate(lambda: User.objects.filter(pk=Given("pk")), full_name="Somebody")

    assert query(pk=number) == []
    assert change(pk=number) == 0


def test_a_prepared_change_reaches_its_rows_alone_and_counts_them():
    draft, other = DraftFactory(), DraftFactory()
    change = PreparedUpdate(
        lambda: MarkupRecord.objects.filter(pk=Given("pk"), version=Given("version")),
        version=F("version") + 1,
    )

    assert [change(pk=draft.pk, version=0), change(pk=draft.pk, version=0)] == [1, 0]
    assert change(pk=draft.pk, version=1) == 1
    kept = dict(MarkupRecord.objects.values_list("pk", "version"))
    assert kept == {draft.pk: 2, other.pk: 0}


def test_any_of_several_values_is_found_however_many_are_named():
    people = [PersonFactory() for _ in range(5)]
    prepared = Prepared(lambda: User.objects.filter(pk__in=GivenAny("numbers", 4)).order_by("pk"))
    numbers = [each.pk for each in people]

    assert [prepared(numbers=numbers[:many]) for many in (1, 3, 4)] == [
        people[:many] for many in (1, 3, 4)
    ]


@pytest.mark.parametrize("place", [slice(0, 2), slice(2, 4), slice(3, 9), slice(None)], ids=str)
def test_a_part_of_the_rows_is_what_a_slice_of_the_list_is(place):
    people = [PersonFactory() for _ in range(4)]
    prepared = Prepared(lambda: User.objects.filter(role=Given("role")).order_by("pk"))

    assert prepared.between(place.start, place.stop, role="expert") == people[place]


@pytest.mark.parametrize("word", ["it's", '"', "50%", "%s", "%%s", "\\", "a_b", "слово"])
def test_the_words_of_a_query_are_found_as_they_are(word):
    person = PersonFactory(full_name=word)
    PersonFactory(full_name="somebody else")
    prepared = Prepared(lambda: User.objects.filter(full_name=word, pk__gt=Given("pk")))

    assert prepared(pk=0) == [person]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="EXPLAIN QUERY PLAN is SQLite's")
def test_an_index_of_some_rows_is_taken_where_the_query_is_about_those():
    open_checks = Prepared(
        lambda: (
            Assignment.objects.filter(
                essay=Given("essay"), round=Given("round"), state__in=("waiting", "working")
            )
            .order_by()
            .values_list("deadline_at", flat=True)
        )
    )
    asked = []

    def told(execute, sql, values, *rest):
        asked.append((sql, values))
        return execute(sql, values, *rest)

    with connection.execute_wrapper(told):
        open_checks(essay=1, round=1)

    ((sql, values),) = asked
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", values)
        steps = " ".join(row[3] for row in cursor)
    assert "open_checks_of_an_essay" in steps
