from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import MarkupRecord
from annotator.services.importing import Options, Outcome, import_files
from tests.annotator.files import exchanged, selection
from tests.factories import EssaySetFactory

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
