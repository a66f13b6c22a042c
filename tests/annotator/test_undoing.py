from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from accounts.models import AuditEntry, User
from accounts.services.people import set_active
from annotator.models import Assignment, Essay, FragmentRecord, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.assignment import hand_back
from annotator.services.drafts import add_fragment, open_draft
from annotator.services.imports.importing import Options, import_files
from annotator.services.markup import send_markup, submit_markup
from jobs.models import Job
from jobs.services.work import LeaseLost, claim, fenced, holding, order
from review.models import ThirdCheck
from review.services.assigning import assign_expert, assign_two_experts
from review.services.reopening import reopen_check
from scoring.models import CriteriaRecord, PairScore
from scoring.services.grading import grade
from tests.annotator.files import MARKED, TEXT, exchanged, named, selection
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    PersonFactory,
)
from tests.pages import page_of, texts_of
from tests.scoring.work import run_all
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db

FAR_OFF = [selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")]
EVERYTHING = [
    *(Essay, MarkupRecord, FragmentRecord, Assignment),
    *(Job, CriteriaRecord, PairScore, ThirdCheck),
]


def rows():
    return [model.objects.count() for model in EVERYTHING]


def state_of(batch):
    return EssayImport.objects.get(pk=batch.pk).state


def refusal(response):
    (notice,) = texts_of(response, "#notice")
    assert response.status_code == 422
    return notice


def test_an_import_nobody_worked_on_is_undone_without_a_trace(bring, undo, coordinator):
    batch = bring(
        exchanged("0001.json"),
        exchanged("0001_exp1.json"),
        exchanged("0001_exp2.json", selections=FAR_OFF),
    )
    PersonFactory(username="third")
    run_all()
    (third,) = Assignment.objects.filter(role="third")
    assert (ThirdCheck.objects.get().needed, third.expert.username) == (True, "third")

    response = undo(batch)

    assert texts_of(response, ".messages li") == ["The import is undone."]
    assert rows() == [0] * len(EVERYTHING)
    assert set(User.objects.values_list("username", flat=True)) == {"kotova", "third"}
    undone = EssayImport.objects.get()
    told = (undone.state, undone.undone_by, undone.undone_at is None)
    assert told == ("undone", coordinator, False)


def test_both_acts_stand_in_the_audit_trail(bring, undo, coordinator):
    batch = bring(named("0001.txt"), named("0001_exp1.txt", MARKED))
    undo(batch)

    entries = AuditEntry.objects.filter(object_type="annotator.essayimport").order_by("pk")
    counts = {"essays": 1, "markups": 1, "known": 0, "refused": 0, "accounts": 1}
    assert [(each.action, each.actor, each.object_id, each.details) for each in entries] == [
        (action, coordinator, str(batch.pk), {"set": "Рабочая выборка", **counts})
        for action in ("import.done", "import.undone")
    ]


def test_the_question_counts_what_goes(bring, ask, coordinator):
    batch = bring(named("0001.txt"), named("0002.txt"), named("0001_exp1.txt", MARKED))
    PersonFactory(username="sokolova")
    assign_expert(
        essay=Essay.objects.get(number="0002"),
        expert=User.objects.get(username="sokolova"),
        role=Assignment.Role.FIRST,
        actor=coordinator,
    )

    page = ask(batch)

    assert dict(zip(texts_of(page, "dt"), texts_of(page, "dd"), strict=True)) == {
        "Essays": "2",
        "Submitted markups": "1",
        "Checks without a mark": "1",
        "Closed accounts": "1",
    }
    assert (state_of(batch), Essay.objects.count()) == ("done", 2)


def test_checks_nobody_has_opened_go_too(bring, undo, coordinator):
    batch = bring(named("0001.txt"))
    for _ in range(2):
        PersonFactory()
    assign_two_experts(essay=Essay.objects.get(), actor=coordinator)

    undo(batch)

    assert (state_of(batch), rows()) == ("undone", [0] * len(EVERYTHING))


def mark(assignment):
    record = open_draft(assignment=assignment)
    add_fragment(record=record, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))


def test_a_check_that_was_begun_without_a_mark_is_no_work(bring, ask, undo):
    batch = bring(named("0001.txt"))
    for role in ("first", "second"):
        returned = AssignmentFactory(essay=Essay.objects.get(), role=role)
        open_draft(assignment=returned)
    hand_back(assignment=returned, actor=returned.expert, reason="ill")

    asked = dict(zip(texts_of(ask(batch), "dt"), texts_of(ask(batch), "dd"), strict=True))
    undo(batch)

    assert asked["Checks without a mark"] == "2"
    assert (state_of(batch), rows()) == ("undone", [0] * len(EVERYTHING))


def test_an_empty_check_that_was_handed_in_is_work_though_it_can_be_recalled(bring, undo, settings):
    settings.RECALL_SECONDS = 60
    batch = bring(named("0001.txt"))
    check = AssignmentFactory(essay=Essay.objects.get(), expert__full_name="Соколова")
    record = open_draft(assignment=check)
    submit_markup(record=record, version=record.version)

    said = refusal(undo(batch))

    assert "Соколова has worked on essay 0001 since." in said
    assert MarkupRecord.objects.filter(pk=record.pk).exists()


def open_check(essay):
    expert = PersonFactory(full_name="Соколова")
    mark(AssignmentFactory(essay=essay, expert=expert, role="second"))


def send_solution(essay):
    lynx = PersonFactory(role="participant", full_name="Рысь")
    (record,) = essay.markups.all()
    send_markup(essay=essay, author=lynx, file=record.to_file(), client_key=None)


def reopen(essay):
    User.objects.filter(username="exp1").update(is_active=True)
    actor = PersonFactory(role="coordinator")
    reopen_check(assignment=essay.assignments.get(), actor=actor, reason="cut off")


def replace(essay):
    other = named("0001_exp1.txt", MARKED.replace("believe", "suppose"))
    import_files([other], Options(essay.essay_set))


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (open_check, "Соколова has worked on essay 0001 since."),
        (send_solution, "Рысь has worked on essay 0001 since."),
        (reopen, "The markup of essay 0001 by exp1 was changed or replaced since."),
        (replace, "A later import brought a markup of essay 0001 by exp1. Undo that one first."),
    ],
)
def test_what_somebody_worked_on_stays_and_is_named(bring, ask, undo, work, reason):
    batch = bring(named("0001.txt"), named("0001_exp1.txt", MARKED), named("0002.txt"))
    work(Essay.objects.get(number="0001"))
    before = rows()

    asked = ask(batch)

    sentence = f"The import cannot be undone. {reason}"
    assert texts_of(asked, "[role=alert]") == [sentence]
    assert texts_of(asked, "form.form") == []
    assert refusal(undo(batch)) == sentence
    assert (state_of(batch), rows()) == ("done", before)


def test_a_third_check_at_work_keeps_the_markups_that_called_it(bring, undo):
    bring(exchanged("0001.json"))
    batch = bring(exchanged("0001_exp1.json"), exchanged("0001_exp2.json", selections=FAR_OFF))
    PersonFactory(full_name="Лебедева")
    run_all()
    mark(Assignment.objects.get(role="third"))

    sentence = "The import cannot be undone. Лебедева has worked on essay 0001 since."
    assert refusal(undo(batch)) == sentence


def test_markups_of_an_essay_that_was_there_go_alone_and_their_third_check_too(bring, undo):
    bring(exchanged("0001.json"), exchanged("0001_exp1.json"))
    batch = bring(exchanged("0001_exp2.json", selections=FAR_OFF))
    PersonFactory()
    run_all()
    assert Assignment.objects.filter(role="third").count() == 1

    undo(batch)

    run_all()
    assert list(Assignment.objects.values_list("role", "expert__username", "state")) == [
        ("first", "exp1", "submitted")
    ]
    assert [record.author.username for record in MarkupRecord.objects.all()] == ["exp1"]
    assert (CriteriaRecord.objects.count(), ThirdCheck.objects.count()) == (1, 0)
    assert set(User.objects.filter(is_active=False).values_list("username", flat=True)) == {"exp1"}


def test_a_draft_that_an_import_replaced_is_a_draft_again(bring, undo, essay_set):
    expert = PersonFactory(username="exp7")
    essay = EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    assignment = AssignmentFactory(essay=essay, expert=expert, state="working", role="second")
    draft = DraftFactory(assignment=assignment)
    batch = bring(named("0001_exp7.txt", MARKED))

    undo(batch)

    draft.refresh_from_db()
    assignment.refresh_from_db()
    assert (draft.state, draft.submitted_at, assignment.state, assignment.submitted_at) == (
        *("draft", None),
        *("working", None),
    )
    assert list(MarkupRecord.objects.all()) == [draft]
    assert User.objects.filter(username="exp7").exists()


def test_a_markup_that_an_import_replaced_counts_again(bring, undo):
    bring(exchanged("0001.json"), exchanged("0001_exp1.json"), exchanged("0001_exp2.json"))
    run_all()
    first = MarkupRecord.objects.get(author__username="exp1")
    batch = bring(exchanged("0001_exp1.json", selections=FAR_OFF))
    run_all()
    assert ThirdCheck.objects.get().needed

    undo(batch)
    run_all()

    again = MarkupRecord.objects.get(author__username="exp1")
    assert (again, again.state, again.submitted_at) == (first, "submitted", first.submitted_at)
    assert list(ThirdCheck.objects.values_list("first", "needed")) == [(first.pk, False)]
    assert (CriteriaRecord.objects.count(), PairScore.objects.count()) == (2, 2)


def test_an_account_that_is_in_use_by_now_stays_and_is_named(bring, undo, coordinator):
    batch = bring(
        named("0001.txt"),
        *(named(f"0001_exp{number}.txt", MARKED) for number in (1, 2, 3)),
    )
    set_active(person=User.objects.get(username="exp1"), active=True, actor=coordinator)
    AssignmentFactory(expert=User.objects.get(username="exp2"))

    response = undo(batch)

    assert texts_of(response, ".messages li") == [
        "The import is undone.",
        "These accounts are in use by now and stay: exp1, exp2.",
    ]
    assert not User.objects.filter(username="exp3").exists()


def test_an_import_is_undone_once_and_who_presses_twice_is_told_so(bring, undo):
    batch = bring(named("0001.txt"))
    told = [texts_of(undo(batch), ".messages li") for _press in range(2)]

    assert told == [["The import is undone."], ["This import is undone already."]]


def test_an_import_under_way_is_not_undone_one_that_broke_off_is(bring, undo):
    batch = bring(named("0001.txt"))
    EssayImport.objects.update(state="running", lease_until=Now() + timedelta(seconds=60))

    assert refusal(undo(batch)) == (
        "The import cannot be undone. This import is under way. Wait for its end."
    )

    EssayImport.objects.update(lease_until=Now() - timedelta(seconds=1))
    undo(batch)
    assert (state_of(batch), Essay.objects.count()) == ("undone", 0)


def test_the_result_of_a_worker_that_grades_meanwhile_is_kept_out(bring, undo):
    batch = bring(named("0001.txt"), named("0001_exp1.txt", MARKED))
    record = MarkupRecord.objects.get()
    job = order(kind="scoring.assess_essay", key=f"essay:{record.essay_id}:1", args={})
    other = order(kind="scoring.assess_essay", key=f"essay:{record.essay_id}7:1", args={})
    held = claim(job_id=job.pk)

    undo(batch)

    with holding(held), pytest.raises(LeaseLost), fenced():
        pytest.fail("nothing may be written here")
    with holding(held), pytest.raises((LeaseLost, MarkupRecord.DoesNotExist)):
        grade(markup_id=record.pk)
    assert list(Job.objects.all()) == [other]


def test_a_check_that_was_taken_back_is_not_begun(bring, undo):
    batch = bring(named("0001.txt"))
    assignment = AssignmentFactory(essay=Essay.objects.get())
    undo(batch)

    with pytest.raises(Refused, match=r"This essay was taken back: nobody marks it\."):
        open_draft(assignment=assignment)


def test_the_list_names_who_when_where_and_what(bring, undo, log_in, coordinator):
    undo(bring(named("0001.txt"), named("0001_exp1.txt", MARKED), named("0002.txt", "\0")))
    import_files([named("0003.txt")], Options(EssayImport.objects.get().essay_set))

    page = log_in(coordinator).get("/imports/")

    latest, undone = texts_of(page, "table.imports tbody tr")
    assert latest.endswith(" command line Рабочая выборка 1 0 0 0 carried out Undo")
    assert " Котова Рабочая выборка 1 1 0 1 undone Котова" in undone
    assert [link["href"] for link in page_of(page).find("table.imports .btn")] == [
        f"/imports/{EssayImport.objects.latest('pk').pk}/undo/"
    ]
