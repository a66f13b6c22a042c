from __future__ import annotations

import pytest

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.services.imports.importing import Options, import_files
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
    report = import_files(files, Options(essay_set, from_markups=True))
    return {item.name: item.reason or str(item.outcome) for item in report}


def checks():
    """Who fills which check of the essay, and how far it is."""
    found = Assignment.objects.order_by("pk").select_related("expert")
    return [(each.role, each.expert.username, each.state) for each in found]


FAR_OFF = [selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")]


def test_experts_fill_the_checks_in_the_order_of_their_names(essay_set):
    files = [named(f"0001_exp{number}.txt", MARKED) for number in (3, 1)]
    run(essay_set, *files, exchanged("0001_exp2.json", selections=FAR_OFF))

    assert checks() == [
        ("first", "exp1", "submitted"),
        ("second", "exp2", "submitted"),
        ("third", "exp3", "submitted"),
    ]
    thirds = MarkupRecord.objects.values_list("author__username", "third")
    assert list(thirds) == [("exp1", False), ("exp2", False), ("exp3", True)]


OTHER = (
    "exp1 is not entered for the subject of essay 0001. Add it to the account, or see whose "
    "markup this is."
)


@pytest.mark.parametrize(
    ("subjects", "active", "remarks"),
    [(["rus", "hist"], True, (OTHER,)), (["rus", "eng"], True, ()), ([], False, ())],
)
def test_a_markup_by_an_expert_of_other_subjects_comes_in_with_a_remark(
    essay_set, subjects, active, remarks
):
    PersonFactory(username="exp1", subjects=subjects, is_active=active)
    EssayFactory(essay_set=essay_set, number="0001", text=TEXT, subject="eng")

    (imported,) = import_files([named("0001_exp1.txt", MARKED)], Options(essay_set))

    assert (str(imported.outcome), imported.remarks) == ("markup", remarks)


CROSSING = [selection(0, 11), selection(5, 17)]


@pytest.mark.parametrize("allowed", [True, False])
def test_crossing_fragments_of_an_algorithm_are_imported_and_remarked(allowed):
    essay_set = EssaySetFactory(rules__allow_crossing=allowed)
    PersonFactory(role=User.Role.PARTICIPANT, username="lynx")

    (imported,) = import_files(
        [exchanged("0001_lynx.json", selections=CROSSING)], Options(essay_set, from_markups=True)
    )

    remark = (
        "fragment 2: The fragment crosses fragment 1. Both are kept; the markup language can only"
        " nest, so this markup has no TXT form. Nest one in the other to have it."
    )
    assert (imported.outcome, imported.remarks) == ("markup", () if allowed else (remark,))
    assert MarkupRecord.objects.get().fragments.count() == 2


@pytest.mark.parametrize("allowed", [True, False])
def test_crossing_fragments_of_an_expert_are_imported_where_the_rules_allow_them(allowed):
    essay_set = EssaySetFactory(rules__allow_crossing=allowed)

    report = run(essay_set, exchanged("0001_exp1.json", selections=CROSSING))

    refusal = "Fragment 2 crosses fragment 1, which these rules do not allow."
    assert report == {"0001_exp1.json": "markup" if allowed else refusal}
    assert MarkupRecord.objects.count() == int(allowed)


def test_a_fourth_expert_is_kept_without_a_check(essay_set):
    files = [named(f"0001_exp{number}.txt", MARKED) for number in (1, 3, 4)]
    run(essay_set, *files, exchanged("0001_exp2.json", selections=FAR_OFF))

    record = MarkupRecord.objects.get(author__username="exp4")
    assert (record.state, record.source, record.assignment) == ("submitted", "expert", None)
    assert [role for role, _expert, _state in checks()] == ["first", "second", "third"]


NOT_CALLED = (
    "A third markup, though the rule calls no third check: the two agree. It is kept beside the "
    "checks, as a further markup."
)


def remarks_of(essay_set, *files):
    report = import_files(files, Options(essay_set, from_markups=True))
    return {item.name: item.remarks for item in report if item.remarks}


def test_a_third_markup_is_no_third_check_where_the_rule_calls_none(essay_set):
    files = [named(f"0001_exp{number}.txt", MARKED) for number in (1, 2, 3)]

    assert remarks_of(essay_set, *files) == {"0001_exp3.txt": (NOT_CALLED,)}
    assert checks() == [("first", "exp1", "submitted"), ("second", "exp2", "submitted")]
    record = MarkupRecord.objects.get(author__username="exp3")
    assert (record.state, record.third, record.assignment) == ("submitted", False, None)


def test_a_third_markup_that_comes_later_fills_the_check_the_rule_called(essay_set):
    run(essay_set, named("0001_exp1.txt", MARKED))
    run(essay_set, exchanged("0001_exp2.json", selections=FAR_OFF))

    assert remarks_of(essay_set, named("0001_exp3.txt", MARKED)) == {}
    assert checks()[2] == ("third", "exp3", "submitted")


def test_a_third_markup_is_no_third_check_while_the_two_are_not_both_in(essay_set):
    run(essay_set, named("0001_exp1.txt", MARKED))
    essay = MarkupRecord.objects.get().essay
    AssignmentFactory(essay=essay, role="second", expert=PersonFactory(username="sokolova"))

    remark = (
        "A further markup, while the two checks are not both submitted: no third check is called "
        "yet. It is kept beside the checks."
    )
    assert remarks_of(essay_set, named("0001_exp3.txt", MARKED)) == {"0001_exp3.txt": (remark,)}
    assert [role for role, _expert, _state in checks()] == ["first", "second"]


def test_a_file_that_says_so_is_the_third_check_also_where_the_rule_calls_none(essay_set):
    files = [exchanged("0001_exp1.json"), exchanged("0001_exp2.json")]

    assert remarks_of(essay_set, *files, exchanged("0001_exp3.json", third=True)) == {
        "0001_exp3.json": (
            (
                "The file says that it is the third check, though the rule calls none: the two "
                "agree. It is taken at its word."
            ),
        )
    }
    assert checks()[2] == ("third", "exp3", "submitted")


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


def test_halves_and_lists_of_points_come_in_once(essay_set):
    files = [
        exchanged("0001_exp1.json", criteria={"K3": "3.5", "K4": [1, 2]}),
        named("0002_exp1.txt", MARKED.replace("K3: 2", "K3: 3,5\nK4: 1; 2")),
    ]

    assert set(run(essay_set, *files).values()) == {"markup"}
    assert set(run(essay_set, *files).values()) == {"known"}
    assert list(MarkupRecord.objects.values_list("stated", flat=True)) == [
        {"K3": 3.5, "K4": [1, 2]},
        {"K3": 3.5, "K4": [1, 2]},
    ]


def test_an_imported_markup_is_a_submission_and_its_essay_is_assessed_in_bulk(essay_set):
    run(essay_set, named("0001.txt"), named("0001_exp1.txt", MARKED))

    record = MarkupRecord.objects.get()
    assert (record.state, record.stated, record.submitted_at is None) == (
        "submitted",
        {"K3": 2},
        False,
    )
    assert [(job.key, job.kind, job.priority) for job in Job.objects.all()] == [
        (f"essay:{record.essay_id}:{record.pk}", "scoring.assess_essay", Job.Priority.BULK)
    ]


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
    shown = name.replace("\n", "\\n")
    assert run(essay_set, exchanged("0001.json", expert=name)) == {
        "0001.json": f"“{shown}” cannot be an expert’s login. Use letters, digits and @.+-_ only."
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


@pytest.mark.parametrize("role", ["judge", "coordinator"])
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
