from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import DateTimeField, F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from annotator.models import MarkupRecord
from tests.factories import DraftFactory, PersonFactory
from web.prepared import LARGEST, Given, Prepared, PreparedUpdate

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
