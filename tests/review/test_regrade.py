"""``manage.py regrade``: points change only when somebody has seen how, and said so."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from annotator.core.errors import SpanError
from annotator.core.values import Fragment, Kind, Span
from annotator.models import Assignment, MarkupRecord
from review.models import ThirdCheck
from review.services.arbitration import arbitrate
from scoring.models import CriteriaRecord, PairScore
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from scoring.services.regrading import regrade
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

FIRST, SECOND = Assignment.Role.FIRST, Assignment.Role.SECOND
PENDING = "Nothing is written yet. Add --apply to write the points."


@pytest.fixture
def essay():
    essay_set = EssaySetFactory(name="Рабочая")
    return EssayFactory(essay_set=essay_set, number="0000085")


def checked(essay, role, name, *fragments):
    """A submitted and graded check."""
    assignment = AssignmentFactory(
        essay=essay,
        role=role,
        state=Assignment.State.SUBMITTED,
        expert=PersonFactory(username=name),
    )
    record = submitted(essay, *fragments, assignment=assignment)
    grade(markup_id=record.pk)
    return record


def outdate(record, **points):
    """Points as an older rule has given them."""
    stored = CriteriaRecord.objects.get(markup=record)
    stored.points = {**stored.points, **points}
    stored.total = sum(stored.points.values())
    stored.save()


def said(*arguments):
    out = StringIO()
    call_command("regrade", *arguments, stdout=out)
    return out.getvalue().splitlines()


def stored():
    return list(CriteriaRecord.objects.order_by("pk").values("pk", "points", "total"))


def test_where_the_rules_give_the_same_nothing_is_to_be_done(essay):
    checked(essay, FIRST, "exp1", fragment(0, 4))

    assert said() == ["0 markups have other points now."]
    assert said("--apply") == ["0 markups have other points now.", "0 markups were graded anew."]
    assert list(AuditEntry.objects.filter(action="markup.regraded")) == []


def test_the_difference_is_shown_and_nothing_written(essay):
    outdate(checked(essay, FIRST, "exp1", fragment(0, 4)), K2=2, K4=1)
    before = stored()

    lines = said()

    assert lines == [
        "Рабочая, 0000085, exp1: K2 2 → 1, K4 1 → 3, total 8 → 9",
        "1 markup has other points now.",
        PENDING,
    ]
    assert (stored(), AuditEntry.objects.filter(action="markup.regraded").count()) == (before, 0)


def test_with_apply_the_points_are_written_and_audited(essay):
    record = checked(essay, FIRST, "exp1", fragment(0, 4))
    right = stored()
    outdate(record, K2=2)

    lines = said("--apply")

    assert lines[-1] == "1 markup was graded anew."
    assert stored() == right
    entry = AuditEntry.objects.get(action="markup.regraded")
    assert (entry.object_id, entry.details["essay"]) == (str(record.pk), essay.pk)
    assert (entry.details["before"]["points"]["K2"], entry.details["after"]["points"]["K2"]) == (
        2,
        1,
    )
    assert said("--apply")[-1] == "0 markups were graded anew."
    assert AuditEntry.objects.filter(action="markup.regraded").count() == 1


def test_the_scores_of_a_regraded_markup_are_measured_anew(essay):
    first, second = checked(essay, FIRST, "exp1"), checked(essay, SECOND, "exp2", fragment(0, 4))
    score_pairs_of(markup_id=first.pk)
    PairScore.objects.update(m1=1.0)
    outdate(second, K2=2)

    said("--apply")

    assert [score.m1 for score in PairScore.objects.all()] == [100.0, 100.0]


def test_a_history_essay_graded_by_the_former_rule_is_found(essay):
    places = [(10, 20), (30, 40)]
    roles = [Fragment(Span(*place), "РОЛЬ", kind=Kind.BLOCK) for place in places]
    wrong = [Fragment(Span(*place), "И.лдейств") for place in places]
    events = [Fragment(Span(at, at + 1), "СЯП", kind=Kind.BLOCK) for at in (0, 2)]
    history = EssayFactory(essay_set=essay.essay_set, number="0000086", subject="hist")
    outdate(checked(history, FIRST, "exp1", *events, *roles, *wrong), K2=1)
    outdate(checked(essay, FIRST, "exp2"), K2=3)

    assert said("--subject", "hist")[0] == "Рабочая, 0000086, exp1: K2 1 → 0, total 7 → 6"


def test_drafts_and_superseded_markups_keep_their_points(essay):
    record = checked(essay, FIRST, "exp1")
    outdate(record, K2=2)
    MarkupRecord.objects.filter(pk=record.pk).update(state=MarkupRecord.State.SUPERSEDED)

    assert said("--apply")[-1] == "0 markups were graded anew."
    assert regrade(markup_ids=[record.pk]) == 0
    assert CriteriaRecord.objects.get().points["K2"] == 2


def test_a_markup_reopened_in_between_is_left_alone(essay):
    record = checked(essay, FIRST, "exp1")
    CriteriaRecord.objects.all().delete()

    assert regrade(markup_ids=[record.pk, 999]) == 0
    assert stored() == []


def test_the_writing_goes_in_chunks_each_a_transaction_and_can_be_repeated():
    records = [submitted(EssayFactory()) for _ in range(5)]
    for record in records:
        grade(markup_id=record.pk)
        outdate(record, K2=2)
    numbers = [record.pk for record in records]
    broken = records[3].fragments.create(start=0, end=10**6, code="А.грамм", kind="mistake")

    with pytest.raises(SpanError):
        regrade(markup_ids=numbers, chunk=2)
    halfway = [each["points"]["K2"] for each in stored()]
    broken.delete()

    assert halfway == [1, 1, 2, 2, 2]
    assert regrade(markup_ids=numbers, chunk=2) == 3
    assert [each["points"]["K2"] for each in stored()] == [1] * 5
    assert AuditEntry.objects.filter(action="markup.regraded").count() == 5


def apart(essay):
    """Two checks that agree, though by the former points they were 6 apart."""
    first, second = checked(essay, FIRST, "exp1"), checked(essay, SECOND, "exp2")
    outdate(first, K3=0, K4=0)
    arbitrate(essay_id=essay.pk)
    return first, second


def test_a_third_check_that_would_change_is_shown_and_stays(essay):
    apart(essay)
    decision = ThirdCheck.objects.values().get()

    shown, written = said(), said("--apply")

    line = "Рабочая, 0000085: no third check would be needed; one that was given stays"
    assert (line in shown, shown[-1]) == (True, PENDING)
    assert written[-2:] == [
        "1 markup was graded anew.",
        "The decisions on third checks stay as they are. Add --thirds to take them anew.",
    ]
    assert ThirdCheck.objects.values().get() == decision
    assert said()[-2:] == [line, PENDING]


def test_with_thirds_the_decisions_are_taken_anew_and_audited(essay):
    apart(essay)

    lines = said("--apply", "--thirds")

    assert lines[-1] == "1 third check was decided anew."
    assert ThirdCheck.objects.get().needed is False
    entry = AuditEntry.objects.get(action="third.decided_anew")
    assert (entry.object_id, entry.details["before"]["needed"], entry.details["after"]) == (
        str(essay.pk),
        True,
        {"needed": False, "reasons": []},
    )
    assert said() == ["0 markups have other points now."]


def test_a_third_check_that_becomes_needed_is_given(essay):
    checked(essay, FIRST, "exp1")
    grammar = [fragment(at, at + 1) for at in range(12)]
    words = [fragment(at, at + 1, "А.лекс") for at in range(6)]
    outdate(checked(essay, SECOND, "exp2", *grammar, *words), K3=3, K4=3)
    arbitrate(essay_id=essay.pk)
    third = PersonFactory(username="exp3")

    lines = said("--apply", "--thirds")

    assert "Рабочая, 0000085: a third check would be needed" in lines
    given = essay.assignments.get(role=Assignment.Role.THIRD)
    assert (given.expert, ThirdCheck.objects.get().needed) == (third, True)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--set", "нет"], "There is no essay set “нет”. There are: Рабочая."),
        (["--thirds"], "--thirds goes with --apply."),
    ],
)
@pytest.mark.usefixtures("essay")
def test_what_cannot_be_asked_for_is_refused(arguments, reason):
    with pytest.raises(CommandError, match=reason):
        said(*arguments)


@pytest.mark.usefixtures("essay")
def test_an_essay_set_is_asked_for_by_its_name():
    outdate(checked(EssayFactory(), FIRST, "exp1"), K2=2)

    assert said("--set", "Рабочая") == ["0 markups have other points now."]


def test_many_markups_are_read_in_as_many_queries_as_one(essay, django_assert_num_queries):
    for count in (1, 4):
        for _ in range(count):
            record = submitted(essay, fragment(0, 4))
            grade(markup_id=record.pk)
        with django_assert_num_queries(3):
            said()
