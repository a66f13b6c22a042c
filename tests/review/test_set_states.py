"""What the state of a set, and a newer version of an essay, keep from coming in."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.management import CommandError, call_command

from accounts.services.tokens import issue_token
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.archives import NamedBytes
from annotator.services.imports.importing import Options, import_files
from annotator.services.imports.staging import stage_import
from annotator.services.versions import replace_essay
from review.queries.settling import standing_decisions, thirds_nobody_has
from review.services.arbitration import arbitrate, assign_waiting_thirds
from review.services.assigning import assign_expert, assign_third_expert, assign_two_experts
from review.services.reopening import reopen_check
from scoring.queries.tables import graded_markups, own_scores, star_table
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)
from tests.pages import texts_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db

STATES = ["preparing", "closed", "archived"]
FIRST = Assignment.Role.FIRST
CHECKED = "Предмет: английский\n\nHe (\\ А.грамм \\ have >> has \\) a dog.".encode()


def replaced(essay):
    actor = PersonFactory(role="coordinator")
    return replace_essay(essay=essay, text="Another text.", reason="Lost", actor=actor).essay


def checked_apart(**essay_set):
    """An essay whose two checks call a third one."""
    rules = RuleSetFactory(third_total="nomination")
    essay = EssayFactory(essay_set=EssaySetFactory(rules=rules, **essay_set))
    codes = ["А.грамм"] * 8 + ["А.лекс"] * 3
    marks = [fragment(at, at + 1, code) for at, code in enumerate(codes)]
    for role, found in (("first", []), ("second", marks)):
        check = AssignmentFactory(essay=essay, role=role, state="submitted")
        grade(markup_id=submitted(essay, *found, assignment=check).pk)
    return essay


@pytest.mark.parametrize("state", STATES)
def test_checks_are_given_in_an_open_set_alone(state):
    essay, expert = EssayFactory(essay_set__state=state), PersonFactory()

    with pytest.raises(Refused, match="The set “"):
        assign_two_experts(essay=essay, actor=None)
    with pytest.raises(Refused, match="The set “"):
        assign_expert(essay=essay, expert=expert, role=FIRST, actor=None)

    assert (assign_third_expert(essay=essay), Assignment.objects.count()) == (None, 0)


def test_no_check_of_a_replaced_version_is_given_or_reopened():
    essay = EssayFactory()
    done = AssignmentFactory(essay=essay, state="submitted")
    submitted(essay, assignment=done)
    latest = replaced(essay)

    with pytest.raises(Refused, match=rf"version 2 \(id {latest.pk}\)"):
        assign_two_experts(essay=essay, actor=None)
    with pytest.raises(Refused, match="was replaced"):
        reopen_check(assignment=done, actor=PersonFactory(role="coordinator"), reason="Late")


def test_a_third_check_waits_for_an_open_set():
    essay = checked_apart(state="closed")
    PersonFactory()

    given = [arbitrate(essay_id=essay.pk), assign_waiting_thirds()]
    essay.essay_set.state = "open"
    essay.essay_set.save()

    assert (given, assign_waiting_thirds()) == ([None, 0], 1)


def test_nothing_is_decided_about_a_replaced_version():
    essay = checked_apart()
    arbitrate(essay_id=essay.pk)
    decided = [standing_decisions().count(), thirds_nobody_has().count()]

    replaced(essay)

    after = [
        standing_decisions().count(),
        thirds_nobody_has().count(),
        arbitrate(essay_id=essay.pk),
    ]
    assert (decided, after) == ([1, 1], [0, 0, None])


def test_tables_count_the_latest_version_alone():
    essay = EssayFactory()
    participant = PersonFactory(role="participant")
    for one in (
        submitted(essay),
        submitted(essay),
        submitted(essay, source="algorithm", author=participant),
    ):
        score_pairs_of(markup_id=one.pk)
    before = star_table(essay.essay_set)

    replaced(essay)

    after = star_table(essay.essay_set)
    assert (before.measured, len(before.standings)) == (1, 1)
    assert (after.measured, after.standings, own_scores(participant).count()) == (0, (), 0)


def test_scores_and_points_of_a_replaced_version_stay():
    essay = EssayFactory()
    record = submitted(essay)
    grade(markup_id=record.pk)

    replaced(essay)

    assert [each.markup for each in graded_markups()] == [record]


@pytest.mark.parametrize("state", [*STATES, "open"])
def test_an_algorithms_markup_comes_into_a_set_that_takes_it(client, state):
    person = PersonFactory(role="participant")
    essay = EssayFactory(essay_set__state=state, essay_set__access="open")
    key = {"authorization": f"Token {issue_token(user=person, name='key')}"}

    answer = client.post(
        f"/api/essays/{essay.pk}/markups/",
        {"selections": []},
        content_type="application/json",
        headers=key,
    )

    expected = {"preparing": 404, "open": 201, "closed": 422, "archived": 422}
    assert (answer.status_code, MarkupRecord.objects.count()) == (expected[state], state == "open")


def test_an_algorithm_is_told_which_version_to_mark(client):
    person = PersonFactory(role="participant")
    essay = EssayFactory(essay_set__access="open")
    latest = replaced(essay)
    key = {"authorization": f"Token {issue_token(user=person, name='key')}"}

    answer = client.post(
        f"/api/essays/{essay.pk}/markups/",
        {"selections": []},
        content_type="application/json",
        headers=key,
    )

    assert (answer.status_code, f"(id {latest.pk})" in answer.json()["message"]) == (422, True)


def test_participants_see_nothing_of_a_set_in_preparation(log_in):
    essay = EssayFactory(essay_set__access="open", essay_set__state="preparing")
    record = submitted(essay)
    participant = log_in(PersonFactory(role="participant"))

    doors = [f"/essays/{essay.pk}/", f"/markups/{record.pk}/", f"/api/essays/{essay.pk}/"]

    assert [participant.get(door).status_code for door in doors] == [404, 404, 404]
    assert texts_of(participant.get("/training/"), "tbody tr") == []
    assert texts_of(participant.get("/scores/"), "table") == []


def test_lists_pass_the_archive_over_until_it_is_asked_for(log_in):
    essay = EssayFactory(
        essay_set__name="Old", essay_set__access="open", essay_set__state="archived"
    )
    judge, participant = (log_in(PersonFactory(role=role)) for role in ("judge", "participant"))

    listed = [
        *texts_of(judge.get("/desk/"), "tbody tr"),
        *texts_of(participant.get("/training/"), "tbody tr"),
        *judge.get("/api/essays/").json()["results"],
        *judge.get("/api/scores/").json(),
    ]

    assert listed == []
    assert len(texts_of(judge.get("/desk/?set=Old"), "tbody tr")) == 1
    assert "Old" in texts_of(judge.get("/scores/?archived=1"), "section h2")
    assert [each["id"] for each in judge.get("/api/essays/?set=Old").json()["results"]] == [
        essay.pk
    ]


def test_nothing_is_imported_into_the_archive(tmp_path):
    essay_set = EssaySetFactory(name="Old", state="archived")
    (tmp_path / "1.txt").write_text("Предмет: английский\n\nText.")

    with pytest.raises(Refused, match="nothing is imported into it"):
        stage_import(uploads=[("1.txt", BytesIO(b"Text."))], options=Options(essay_set))
    with pytest.raises(CommandError, match="nothing is imported into it"):
        call_command("import_essays", str(tmp_path), "--set", "Old")

    assert EssayImport.objects.count() == 0


def test_files_bring_no_new_check_and_no_algorithm_into_a_closed_set():
    essay = EssayFactory(number="0001", text="Some people think.", essay_set__state="closed")
    PersonFactory(username="exp1")
    PersonFactory(username="lynx", role="participant")
    held = AssignmentFactory(essay=essay, expert=PersonFactory(username="exp2"))
    files = [
        NamedBytes(f"0001_{login}.txt", "Предмет: английский\n\nSome people think.".encode())
        for login in ("exp1", "exp2", "lynx")
    ]

    done = import_files(files, Options(essay.essay_set))

    assert [(each.name, str(each.outcome)) for each in done] == [
        ("0001_exp1.txt", "refused"),
        ("0001_exp2.txt", "markup"),
        ("0001_lynx.txt", "refused"),
    ]
    assert Assignment.objects.get() == held


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("closed", "takes no new checks and no more markups by algorithms."),
        ("archived", "nothing is imported into it. Take it out first."),
    ],
)
def test_an_import_under_way_keeps_to_a_state_that_came_since_it_began(state, told):
    options = Options(EssaySetFactory(), from_markups=True)
    EssaySet.objects.update(state=state)

    (refused,) = import_files([NamedBytes("7_exp1.txt", CHECKED)], options)

    assert refused.reason.endswith(told)
    assert (Essay.objects.count(), MarkupRecord.objects.count()) == (0, 0)


def test_files_meet_the_latest_version():
    essay = EssayFactory(number="0001", text="Some people think.")
    latest = replaced(essay)

    files = [NamedBytes("0001.txt", "Предмет: английский\n\nAnother text.".encode())]
    (done,) = import_files(files, Options(essay.essay_set))

    assert (str(done.outcome), latest.text) == ("known", "Another text.")
