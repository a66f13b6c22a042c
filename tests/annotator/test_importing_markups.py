from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.services.importing import Options, import_files
from jobs.models import Job
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, named, selection
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory()


def run(essay_set, *files):
    report = import_files(files, Options(essay_set))
    return {item.name: item.reason or str(item.outcome) for item in report}


def checks():
    """Who fills which check of the essay, and how far it is."""
    found = Assignment.objects.order_by("pk").select_related("expert")
    return [(each.role, each.expert.username, each.state) for each in found]


def test_experts_fill_the_checks_in_the_order_of_their_names(essay_set):
    run(essay_set, *(named(f"0001_exp{number}.txt", MARKED) for number in (3, 1, 2)))

    assert checks() == [
        ("first", "exp1", "submitted"),
        ("second", "exp2", "submitted"),
        ("third", "exp3", "submitted"),
    ]
    thirds = MarkupRecord.objects.values_list("author__username", "third")
    assert list(thirds) == [("exp1", False), ("exp2", False), ("exp3", True)]


def test_a_fourth_expert_is_kept_without_a_check(essay_set):
    run(essay_set, *(named(f"0001_exp{number}.txt", MARKED) for number in range(1, 5)))

    record = MarkupRecord.objects.get(author__username="exp4")
    assert (record.state, record.source, record.assignment) == ("submitted", "expert", None)
    assert [role for role, _expert, _state in checks()] == ["first", "second", "third"]


def test_a_file_that_says_so_is_the_third_check(essay_set):
    run(
        essay_set,
        exchanged("0001_exp1.json", third=True),
        exchanged("0001_exp2.json"),
        exchanged("0001_exp3.json", third=True),
    )

    assert checks() == [("third", "exp1", "submitted"), ("first", "exp2", "submitted")]
    thirds = MarkupRecord.objects.values_list("author__username", "third")
    assert set(thirds) == {("exp1", True), ("exp2", False), ("exp3", True)}


def test_an_imported_markup_is_a_submission_and_orders_its_jobs(essay_set):
    run(essay_set, named("0001.txt"), named("0001_exp1.txt", MARKED))

    record = MarkupRecord.objects.get()
    assert (record.state, record.stated, record.submitted_at is None) == (
        "submitted",
        {"K3": 2},
        False,
    )
    assert [job.key for job in Job.objects.all()] == [f"grade:{record.pk}", f"score:{record.pk}"]


def test_an_expert_who_is_not_known_becomes_an_account_nobody_can_use(essay_set):
    run(essay_set, named("0001_exp7.txt", MARKED))

    expert = User.objects.get()
    assert (expert.username, expert.role, expert.is_active, expert.has_usable_password()) == (
        "exp7",
        "expert",
        False,
        False,
    )


def test_an_expert_is_found_in_any_letter_case(essay_set):
    expert = PersonFactory(username="exp7")

    run(essay_set, named("0001_EXP7.txt", MARKED))

    assert MarkupRecord.objects.get().author == expert


def test_the_experts_own_check_is_filled(essay_set):
    expert = PersonFactory(username="exp7")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    AssignmentFactory(essay=essay, expert=expert, role="second")

    run(essay_set, named("0001_exp7.txt", MARKED))

    assert checks() == [("second", "exp7", "submitted")]


@pytest.mark.parametrize("state", ["withdrawn", "returned"])
def test_a_check_taken_away_is_not_filled(essay_set, state):
    expert = PersonFactory(username="exp7")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    AssignmentFactory(essay=essay, expert=expert, state=state)

    assert run(essay_set, named("0001_exp7.txt", MARKED)) == {
        "0001_exp7.txt": "exp7 does not hold a check of this essay any more."
    }
    assert list(MarkupRecord.objects.all()) == []


def test_a_name_that_is_not_an_experts_is_refused(essay_set):
    PersonFactory(username="exp7", role="participant")

    assert run(essay_set, named("0001_exp7.txt", MARKED)) == {
        "0001_exp7.txt": "“exp7” is not an expert’s account."
    }


@pytest.mark.parametrize("name", ["Иванов И.И./", "a\nb", 'a"b', "e" * 70_000])
def test_a_name_that_cannot_be_a_login_is_refused(essay_set, name):
    assert run(essay_set, exchanged("0001.json", expert=name)) == {
        "0001.json": f"“{name}” cannot be an expert’s login. Use letters, digits and @.+-_ only."
    }
    assert list(User.objects.all()) == []


def test_a_participants_file_is_an_algorithm_markup(essay_set):
    lynx = PersonFactory(username="Lynx", role="participant")

    assert run(
        essay_set,
        exchanged("0001_lynx.json", selections=[selection(0, 4), selection(0, 0, "А.объем")]),
    ) == {"0001_lynx.json": "markup"}

    record = MarkupRecord.objects.get()
    assert (record.author, record.source, record.assignment, record.state) == (
        lynx,
        "algorithm",
        None,
        "submitted",
    )


def test_an_empty_markup_of_a_participant_is_a_markup(essay_set):
    PersonFactory(username="lynx", role="participant")

    assert run(essay_set, named("0001.txt"), exchanged("0001_lynx.json")) == {
        "0001.txt": "essay",
        "0001_lynx.json": "markup",
    }
    assert [str(record.essay) for record in MarkupRecord.objects.all()] == ["0001"]


def test_a_participant_whose_name_begins_like_an_experts_is_a_participant(essay_set):
    PersonFactory(username="express", role="participant")

    run(essay_set, exchanged("0001_express.json", selections=[selection(0, 4)]))

    assert MarkupRecord.objects.get().source == "algorithm"


@pytest.mark.parametrize("role", ["expert", "judge"])
def test_only_a_participant_has_algorithm_markups(essay_set, role):
    PersonFactory(username="lynx", role=role)

    assert run(essay_set, exchanged("0001_lynx.json", selections=[selection(0, 4)])) == {
        "0001_lynx.json": "There is no participant “lynx”. Make the account first."
    }


def test_an_unmarked_file_whose_name_has_a_line_below_is_an_essay(essay_set):
    assert run(essay_set, named("essay_on_sport.txt", PLAIN)) == {"essay_on_sport.txt": "essay"}
    assert [str(essay) for essay in essay_set.essays.all()] == ["essay_on_sport"]


def test_a_draft_of_the_expert_gives_way_to_the_imported_markup(essay_set):
    expert = PersonFactory(username="exp7")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    assignment = AssignmentFactory(essay=essay, expert=expert, state="working")
    MarkupRecord.objects.create(
        essay=essay, author=expert, source="expert", assignment=assignment, version=3
    )

    run(essay_set, named("0001_exp7.txt", MARKED))

    states = MarkupRecord.objects.values_list("state", "assignment__state")
    assert list(states) == [("superseded", "submitted"), ("submitted", "submitted")]
