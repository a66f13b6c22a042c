from __future__ import annotations

import json
from hashlib import sha256

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry
from review.core.canonical import canonical, digest_of
from review.core.readiness import Readiness
from review.models import FinalGrade, Letter, SetProtocol, ThirdCheck, Verdict
from review.queries.set_contents import contents_of
from review.queries.verdicts import essays_not_done, readiness_of
from review.services.verdicts import seen_of
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.review.verdicts import (
    a_check,
    approve,
    give_back,
    history,
    judge,
    member,
    settle,
    settled_set,
    verify,
)
from tests.scoring.work import run_all
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


def test_a_judge_verifies_and_the_commission_approves():
    essay_set, anna, boris = settled_set(), judge(), member()

    verify(essay_set, anna)
    said = approve(essay_set, boris, reason="agreed")

    assert history() == [(["verified", "approved"], "", "")]
    assert (said.who, said.reason, said.protocol.essays) == (boris, "agreed", 2)
    entries = AuditEntry.objects.filter(action__startswith="set.").order_by("pk")
    assert [(each.actor, each.action, each.details["digest"]) for each in entries] == [
        (anna, "set.verified", said.protocol.digest),
        (boris, "set.approved", said.protocol.digest),
    ]


def test_a_protocol_holds_the_checks_and_the_grades_as_canonical_json():
    essay_set = settled_set(1)
    grade, check = FinalGrade.objects.get(), a_check(essay_set, "1")

    protocol = verify(essay_set).protocol

    content = json.loads(protocol.content)
    (essay,) = content["essays"]
    assert protocol.content == canonical(content)
    assert protocol.digest == sha256(protocol.content.encode()).hexdigest()
    assert content["set"] == {"id": essay_set.pk, "name": "March"}
    assert [essay[name] for name in ("number", "subject", "version", "round")] == ["1", "eng", 1, 1]
    assert essay["checks"][0] == {
        "role": "first",
        "expert": check.author.username,
        "state": "submitted",
        "markup": check.pk,
        "submitted_at": check.submitted_at.isoformat(),
        "points": check.criteria.points,
        "total": check.criteria.total,
    }
    assert essay["grade"] == {
        "total": grade.total,
        "points": None,
        "rule": "mean-third/total",
        "counted": ["first", "second"],
        "settled_at": grade.settled_at.isoformat(),
    }
    assert essay["third"] == {"needed": False, "reasons": []}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [None, True]}, '{"a":[null,true],"b":1}'),
        ({"ё": "«Ы»\n"}, '{"ё":"«Ы»\\n"}'),
        ({"a": {"z": 1, "y": 2}}, '{"a":{"y":2,"z":1}}'),
    ],
)
def test_equal_values_are_one_text(value, text):
    assert canonical(value) == canonical(dict(reversed(value.items()))) == text
    assert digest_of(text) == sha256(text.encode()).hexdigest()


def test_numbers_json_does_not_have_are_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_what_was_said_never_changes_and_stays():
    verdict = verify(settled_set())
    protocol = SetProtocol.objects.filter(pk=verdict.protocol_id)

    for change in (
        lambda: protocol.update(content="{}"),
        lambda: protocol.update(digest="0"),
        lambda: Verdict.objects.update(reason="other"),
        lambda: Verdict.objects.all().delete(),
        protocol.delete,
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()

    assert history() == [(["verified"], "", "")]


def test_the_database_keeps_one_protocol_and_one_verdict_of_a_kind():
    essay_set = settled_set()
    protocol = verify(essay_set).protocol
    fields = {"protocol": protocol, "seen": "x"}

    for rows in (
        lambda: SetProtocol.objects.create(essay_set=essay_set, content="{}", digest="", essays=0),
        lambda: Verdict.objects.create(kind="verified", who=judge(), **fields),
        lambda: Verdict.objects.create(kind="returned", who=judge(), reason="", **fields),
        lambda: Verdict.objects.create(kind="approved", who=protocol.verdicts.get().who, **fields),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows()


def nobody_has_it(essay_set):
    EssayFactory(essay_set=essay_set, number="9")
    return Readiness(essays=3, unassigned=1, decided=2)


def it_is_in_work(essay_set):
    essay = EssayFactory(essay_set=essay_set, number="9")
    for role in ("first", "second"):
        AssignmentFactory(essay=essay, role=role)
    return Readiness(essays=3, working=1, open_checks=2, decided=2)


def a_third_is_needed(essay_set):
    ThirdCheck.objects.filter(essay__essay_set=essay_set, essay__number="2").update(needed=True)
    return Readiness(essays=2, third=1, decided=2, thirds=1)


def it_has_no_grade(essay_set):
    FinalGrade.objects.filter(essay__essay_set=essay_set, essay__number="2").delete()
    return Readiness(essays=2, ungraded=1, decided=2)


@pytest.mark.parametrize(
    "lacking", [nobody_has_it, it_is_in_work, a_third_is_needed, it_has_no_grade]
)
def test_what_is_missing_is_named_and_refuses_every_verdict(lacking):
    essay_set = settled_set()
    expected = lacking(essay_set)

    assert readiness_of([essay_set]) == {essay_set.pk: expected}
    assert expected.is_ready is False
    number = "9" if expected.essays == 3 else "2"
    assert [each.number for each in essays_not_done(essay_set)] == [number]
    for saying in (verify, give_back):
        with pytest.raises(Refused, match="not done yet"):
            saying(essay_set)
    assert history() == []


def test_an_open_check_of_a_settled_essay_is_missing_too():
    essay_set = settled_set()
    AssignmentFactory(essay=essay_set.essays.get(number="2"), role="third")

    found = readiness_of([essay_set])[essay_set.pk]

    assert (found, found.is_ready) == (
        Readiness(essays=2, open_checks=1, decided=2),
        False,
    )


def test_where_rules_state_no_grades_the_checks_are_enough():
    essay_set = settled_set(rule=None)

    content = json.loads(verify(essay_set).protocol.content)

    assert [each["grade"] for each in content["essays"]] == [None, None]


def test_a_set_without_essays_is_not_ready():
    essay_set = EssaySetFactory()

    assert readiness_of([essay_set])[essay_set.pk].is_ready is False


def test_many_sets_are_asked_in_as_many_queries_as_one():
    sets = [settled_set(), EssaySetFactory(), EssaySetFactory()]
    counts = []
    for some in (sets[:1], sets):
        with CaptureQueriesContext(connection) as caught:
            readiness_of(some)
        counts.append(len(caught))

    assert counts == [1, 1]


def test_the_content_of_a_set_takes_the_same_queries_however_long_it_is():
    essay_set = settled_set(1)
    counts = []
    for more in ("2", "3"):
        with CaptureQueriesContext(connection) as caught:
            contents_of(essay_set)
        counts.append(len(caught))
        settle(EssayFactory(essay_set=essay_set, number=more))

    assert counts[0] == counts[1]


def test_nothing_is_approved_that_nobody_verified():
    with pytest.raises(Refused, match="judges verify the set first"):
        approve(settled_set())


def test_who_verified_does_not_approve_even_in_another_role():
    essay_set, anna = settled_set(), judge()
    verify(essay_set, anna)
    anna.role = "commission"
    anna.save()

    for saying in (approve, give_back):
        with pytest.raises(Refused, match="somebody else does"):
            saying(essay_set, anna)

    assert history() == [(["verified"], "", "")]


def test_a_form_sent_twice_says_it_once():
    essay_set, anna, boris = settled_set(), judge(), member()
    for saying, who in ((verify, anna), (approve, boris)):
        seen = seen_of(essay_set)
        assert saying(essay_set, who, seen=seen) == saying(essay_set, who, seen=seen)

    assert history() == [(["verified", "approved"], "", "")]


def test_a_return_sent_twice_is_one_return():
    essay_set, anna = settled_set(), judge()
    seen = seen_of(essay_set)

    assert give_back(essay_set, anna, seen=seen) == give_back(essay_set, anna, seen=seen)

    assert history() == [(["returned"], "returned", "Look at 2")]


def test_the_second_of_two_tabs_is_told_what_the_first_said():
    essay_set = settled_set()
    seen = seen_of(essay_set)
    verify(essay_set, judge(full_name="Anna"), seen=seen)

    with pytest.raises(Conflict, match="verified already, by Anna"):
        verify(essay_set, seen=seen)
    with pytest.raises(Conflict, match="changed meanwhile"):
        give_back(essay_set, member(), seen=seen)


def test_nobody_says_anything_of_what_nobody_has_seen():
    essay_set = settled_set()
    seen = seen_of(essay_set)
    settle(EssayFactory(essay_set=essay_set, number="3"))

    with pytest.raises(Conflict, match="changed meanwhile"):
        verify(essay_set, seen=seen)


def test_what_an_algorithm_sends_changes_nothing():
    essay_set = settled_set()
    seen = seen_of(essay_set)
    verify(essay_set, seen=seen)
    author = PersonFactory(role="participant")
    submitted(essay_set.essays.get(number="2"), source="algorithm", author=author)

    approve(essay_set)

    assert history() == [(["verified", "approved"], "", "")]


def test_the_commission_returns_what_is_verified_and_judges_say_it_anew():
    essay_set = settled_set()
    verify(essay_set)

    give_back(essay_set, member(), reason="One expert too many")
    verify(essay_set)

    assert history() == [
        (["verified", "returned"], "returned", "One expert too many"),
        (["verified"], "", ""),
    ]


def test_a_return_needs_a_reason():
    with pytest.raises(Refused, match="Say why"):
        give_back(settled_set(), reason="")


def test_what_is_approved_is_not_returned():
    essay_set = settled_set()
    verify(essay_set)
    approve(essay_set, member(full_name="Boris"))

    with pytest.raises(Conflict, match="approved already, by Boris"):
        give_back(essay_set, member())


def test_a_return_is_a_letter_to_each_coordinator_with_an_address(settings):
    settings.PUBLIC_ADDRESS = "https://razbor.example"
    settings.MAIL_LANGUAGE = "en"
    PersonFactory(role="coordinator", email="olga@example.org", full_name="Olga")
    PersonFactory(role="coordinator", email="gone@example.org", is_active=False)
    PersonFactory(role="coordinator")
    essay_set = settled_set()

    give_back(essay_set, judge(full_name="Anna"))
    run_all()

    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (
        ["olga@example.org"],
        "Razbor: the set “March” was returned",
    )
    assert "The set “March” was returned by Anna (Judge):\n\nLook at 2\n" in letter.body
    assert f"https://razbor.example/verdicts/sets/{essay_set.pk}/" in letter.body
    assert Letter.objects.get().state == "sent"


def test_who_leads_no_set_any_more_gets_no_letter_of_a_return():
    olga = PersonFactory(role="coordinator", email="olga@example.org")
    give_back(settled_set(), judge())
    olga.role = "participant"
    olga.save()

    run_all()

    assert (mail.outbox, Letter.objects.get().state) == ([], "void")
