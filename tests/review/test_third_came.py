from __future__ import annotations

import pytest

from annotator.models import Essay
from annotator.services.imports.importing import Options, import_files
from annotator.services.markup import submit_markup
from tests.annotator.files import exchanged
from tests.e2e.essays import people, submit_unheard, two_checks
from tests.factories import DraftFactory, EssaySetFactory, PersonFactory
from tests.pages import texts_of
from tests.scoring.work import run_all

pytestmark = pytest.mark.django_db

WHY = "the totals differ by 6, the threshold is 4"


@pytest.fixture
def checks():
    """Two submitted checks so far apart that a third expert is at work."""
    one, other, _third = people(3)
    made = two_checks(one, other)
    for record in (made.first, made.second):
        submit_markup(record=record, version=0)
    run_all()
    return made


@pytest.fixture
def third(checks):
    return DraftFactory(assignment=checks.thirds().get(), third=True)


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


def told(judge, checks):
    """What the coordinators' page, the comparison and its file say of the third check."""
    compared = f"/compare/{checks.first.pk}/{checks.second.pk}/"
    check = judge.get(f"{compared}json/").json()["third_check"]
    return (
        texts_of(judge.get(f"/desk/essays/{checks.essay.pk}/"), ".notice span"),
        texts_of(judge.get(compared), ".why p")[0],
        (check["needed"], check["came"]),
    )


@pytest.mark.usefixtures("third")
def test_a_third_check_in_work_is_needed(judge, checks):
    assert told(judge, checks) == (
        [f"A third check is needed: {WHY}."],
        f"A third expert is needed: {WHY}",
        (True, False),
    )


def test_a_third_check_that_came_is_needed_no_more(judge, checks, third):
    submit_unheard(third)

    assert told(judge, checks) == (
        [f"The third check came. It was needed because: {WHY}."],
        f"The third check came. It was needed because: {WHY}",
        (False, True),
    )


def test_the_rule_is_not_applied_to_the_third_check_itself(judge, checks, third):
    submit_unheard(third)
    compared = f"/compare/{checks.second.pk}/{third.pk}/"

    assert texts_of(judge.get(compared), ".why p")[0] == "The rule is for the first two checks."
    assert judge.get(f"{compared}json/").json()["third_check"] is None


def test_a_third_check_nobody_called_is_not_said_to_be_from_before_a_reopening(judge):
    names = ["0001.json", "0001_exp1.json", "0001_exp2.json"]
    files = [*map(exchanged, names), exchanged("0001_exp3.json", third=True)]
    import_files(files, Options(EssaySetFactory()))
    run_all()

    page = judge.get(f"/desk/essays/{Essay.objects.get(number='0001').pk}/")

    assert texts_of(page, ".notice span") == [
        (
            "The two checks agree: no third one is needed. "
            "There is a third check all the same; it is kept."
        )
    ]


def test_strangers_are_told_nothing(client, log_in, checks):
    stranger = PersonFactory(role="expert")

    assert client.get(f"/desk/essays/{checks.essay.pk}/").status_code == 302
    assert log_in(stranger).get(f"/desk/essays/{checks.essay.pk}/").status_code == 403
    compared = f"/compare/{checks.first.pk}/{checks.second.pk}/json/"
    assert log_in(stranger).get(compared).status_code == 404
