from __future__ import annotations

import pytest
from django.db import DataError, IntegrityError

from accounts.models import User
from annotator.models import Essay, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.imports.importing import Options, Outcome, import_files
from annotator.signals import essays_came, markups_imported
from tests.annotator.files import exchanged, selection
from tests.factories import EssaySetFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db


def checks(essay, *experts):
    marks = [selection(0, 4)]
    marked = [exchanged(f"{essay}_{name}.json", selections=marks) for name in experts]
    return [exchanged(f"{essay}.json"), *marked]


def overtaken(files, other_files):
    """The outcomes of an import and of another one that comes between its plan and its deeds."""
    options = Options(EssaySetFactory())
    quicker = []

    def meanwhile(groups):
        quicker.extend(import_files(other_files, options))
        return groups

    slower = import_files(files, options, watch=meanwhile)
    return [[each.outcome for each in report] for report in (slower, quicker)]


@pytest.mark.parametrize("spelt", ["exp61", "EXP61"])
def test_two_imports_that_need_the_same_new_expert_share_the_account(spelt):
    found = overtaken(checks("0001", "exp61", "exp62"), checks("0002", spelt, "exp63"))

    assert found == [[Outcome.ESSAY, Outcome.MARKUP, Outcome.MARKUP]] * 2
    logins = User.objects.values_list("username", flat=True).order_by("pk")
    assert list(logins) == [spelt, "exp63", "exp62"]
    assert MarkupRecord.objects.filter(author__username=spelt).count() == 2


def test_an_account_that_became_a_participants_meanwhile_refuses_the_essays_checks():
    options = Options(EssaySetFactory())

    def meanwhile(groups):
        User.objects.create(username="exp61", role=User.Role.PARTICIPANT)
        return groups

    found = import_files(checks("0001", "exp61"), options, watch=meanwhile)

    assert [each.outcome for each in found] == [Outcome.ESSAY, Outcome.REFUSED]


def test_an_essay_the_database_cannot_hold_breaks_off_after_those_before_it():
    def fail(essay_ids, **_):
        if Essay.objects.filter(pk__in=essay_ids, number="0003").exists():
            raise DataError

    files = [file for number in range(1, 6) for file in checks(f"{number:04}", "exp61")]
    markups_imported.connect(fail)
    try:
        with pytest.raises(DataError):
            import_files(files, Options(EssaySetFactory()))
    finally:
        markups_imported.disconnect(fail)

    assert list(Essay.objects.order_by("number").values_list("number", flat=True)) == [
        "0001",
        "0002",
    ]


def test_that_essays_came_is_told_once_the_markups_of_all_are_written():
    options = Options(EssaySetFactory())
    import_files(checks("0001", "exp61"), options)
    former = MarkupRecord.objects.get()
    told = []

    def tell(**_):
        former.refresh_from_db()
        told.append(former.state)

    again = [checks("0001")[0], exchanged("0001_exp61.json", selections=[selection(5, 9)])]
    essays_came.connect(tell)
    try:
        import_files([*again, *checks("0002")], options)
    finally:
        essays_came.disconnect(tell)

    assert told == ["superseded"]


@pytest.mark.parametrize(
    ("refusals", "left_out"),
    [
        ([IntegrityError()], set()),  # another import was quicker, and is seen the next time
        ([Refused("Not now."), Refused("Not now.")], {"0003.json", "0003_exp61.json"}),
    ],
)
def test_an_essay_that_cannot_come_in_keeps_those_beside_it_out_no_longer(refusals, left_out):
    waiting = list(refusals)

    def refuse(essay_ids, **_):
        if waiting and Essay.objects.filter(pk__in=essay_ids, number="0003").exists():
            raise waiting.pop()

    files = [file for number in range(1, 6) for file in checks(f"{number:04}", "exp61")]
    markups_imported.connect(refuse)
    try:
        found = import_files(files, Options(EssaySetFactory()))
    finally:
        markups_imported.disconnect(refuse)

    refused = {each.name for each in found if each.outcome == Outcome.REFUSED}
    assert (len(found), refused, waiting) == (len(files), left_out, [])
    assert Essay.objects.count() == MarkupRecord.objects.count() == 5 - bool(left_out)
    assert User.objects.filter(username="exp61").count() == 1
    (batch,) = EssayImport.objects.all()
    assert (batch.state, batch.came, batch.total) == ("done", 5, 5)
