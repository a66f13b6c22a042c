"""Results of finals rest on checks as they were scored: none is reopened since (R 7.10, 8.2)."""

from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import MarkupRecord
from annotator.services.gates import refuse_undoing
from annotator.services.imports.importing import Options, Outcome, import_files
from annotator.services.markup import hand_in, reopen
from contest.models import Contest
from review.services.reopening import reopen_check, why_not_reopened
from tests.annotator.files import exchanged
from tests.contest.phases import COURSE, applied, checked_by_two, say, waits_for_judges
from tests.contest.running_world import announced, now, over, person, team_in
from tests.factories import AssignmentFactory, submitted
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db
IS_OPEN = r"^Clause 7\.10 of the regulation: experts still mark .* The protocol may be returned\.$"


@pytest.fixture
def contest():
    """The finals are over, two experts have checked each essay, and a run counts."""
    made = announced()
    team_in(made)
    over(made, "finals")
    checked_by_two(held_of(made))
    applied(made)
    return made


@pytest.fixture
def check(contest):
    """A third check of an essay that was made before the run."""
    essay = held_of(contest).essays.first()
    given = AssignmentFactory(essay=essay, role="third", state="submitted")
    record = submitted(essay, assignment=given)
    run = held_of(contest).board.applied
    before = MarkupRecord.objects.filter(essay__essay_set=held_of(contest))
    before.update(submitted_at=run.ordered_at)
    content = [
        {"essay": each.pk, "number": each.number, "answers": []}
        | {"experts": [*each.markups.values_list("pk", flat=True)]}
        for each in held_of(contest).essays.all()
    ]
    run.parts.create(number=0, essays=3, content=content)
    return record.assignment


def held_of(contest):
    return contest.data_sets.get(role="final").essay_set


def open_again(check):
    return reopen_check(assignment=check, actor=person("coordinator"), reason="An appeal")


@pytest.mark.parametrize(("kind", "role"), COURSE[1:])
def test_a_check_that_was_reopened_since_the_results_were_checked_keeps_them_back(
    contest, check, log_in, kind, role
):
    for said, body in COURSE[: COURSE.index((kind, role))]:
        say(contest, said, body, of="finals")
    open_again(check)

    with pytest.raises(Refused, match=IS_OPEN):
        say(contest, kind, role, of="finals")
    page = page_of(log_in(person(role)).get("/contests/spring/protocols/finals/"))

    assert "Clause 7.10 of the regulation: experts still mark the final set" in page.text
    assert [each["value"] for each in page.find("button[name=kind]")] == ["returned"]
    say(contest, "returned", role, of="finals", reason="An appeal")
    assert Contest.objects.get().final_at is None


def test_a_run_that_scored_a_check_as_it_was_before_it_was_reopened_is_no_result(contest, check):
    assert waits_for_judges(contest)
    record = open_again(check)
    hand_in([record])

    assert not waits_for_judges(contest)
    with pytest.raises(Refused, match="Checks came in after the score run that counts was ordered"):
        say(contest, "checked", "judge", of="finals")


def test_checks_of_a_final_set_stay_once_results_are_final(contest, check):
    Contest.objects.update(final_at=now())

    for refused in (
        lambda: open_again(check),
        lambda: refuse_undoing([held_of(contest)]),
    ):
        with pytest.raises(Refused, match=r"^Clause 8\.2\.5 .* They stay\.$"):
            refused()

    assert why_not_reopened(check).startswith("Clause 8.2.5")
    assert MarkupRecord.objects.get(assignment=check).state == "submitted"


def test_checks_of_a_test_set_are_reopened_as_any(contest):
    Contest.objects.update(final_at=now())
    essay = contest.data_sets.get(role="test").essay_set.essays.get()
    given = AssignmentFactory(essay=essay, role="first", state="submitted")
    record = submitted(essay, assignment=given)

    assert open_again(record.assignment).state == "draft"
    reopen(submitted(essay), reason="A slip")


def test_no_import_puts_another_check_in_the_place_of_one_of_final_results(contest, check):
    Contest.objects.update(final_at=now())
    person("expert", username="exp7")
    given = AssignmentFactory(essay=check.essay, expert=User.objects.get(username="exp7"))
    held, essay = held_of(contest), given.essay
    files = [exchanged(f"{essay.number}_exp7.json", essay.text), exchanged("0050051.json", "New.")]

    rows = import_files(files, Options(held, actor=person("coordinator")))

    told = {row.name: row.outcome for row in rows}
    assert told == {files[0].name: Outcome.REFUSED, files[1].name: Outcome.ESSAY}
    assert any(row.reason.startswith("Clause 8.2.5") for row in rows)
    assert not essay.markups.filter(author__username="exp7").exists()
