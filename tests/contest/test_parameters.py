"""Parameters: proposed, agreed to by two bodies, in force, told to everybody (R 2.17)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import override

from contest.core.both import Both
from contest.forms.fields import Number
from contest.forms.parameters import ParametersForm
from contest.models import Consent, ParameterSet
from contest.queries.parameters import parameters_in_force
from contest.services.contest_finals import WantedRun, plan_contest_final
from contest.services.parameters import (
    give_consent,
    propose_parameters,
    withdraw_parameters,
)
from tests.contest.running_world import (
    DAY,
    announced,
    now,
    person,
    prepared,
    team_in,
    wanted,
)
from tests.factories import RuleSetFactory
from tests.pages import page_of
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return announced()


def proposed(contest, **session):
    rules = parameters_in_force(contest).rules
    asked = wanted(rules=rules, **{"limit": 90, **session})
    return propose_parameters(contest=contest, wanted=asked, actor=person("organiser"))


def agree(parameters, role, *, agrees=True, reason="", actor=None):
    return give_consent(
        parameters=parameters, agrees=agrees, reason=reason, actor=actor or person(role)
    )


def test_two_consents_bring_parameters_into_force_and_everybody_is_told(contest):
    parameters = proposed(contest)

    agree(parameters, "judge")
    assert parameters_in_force(contest).version == 1
    agree(parameters, "commission")

    assert parameters_in_force(contest) == parameters
    said = contest.announcements.first()
    assert (said.kind, said.title_en) == ("parameters", "Parameters of the contest, version 2")
    assert said.body_en == "seconds for an answer: 60 → 90.\n\nA decision of the committee"
    assert said.body_ru.endswith(": 60 → 90.\n\nРешение комитета")


def test_one_refusal_rejects_and_another_proposal_may_follow(contest):
    parameters = proposed(contest)
    with pytest.raises(Refused, match="Say why you do not agree"):
        agree(parameters, "judge", agrees=False)

    agree(parameters, "judge", agrees=False, reason="Too long")

    assert (parameters_in_force(contest).version, contest.announcements.count()) == (1, 1)
    with pytest.raises(Conflict, match="decided already"):
        agree(parameters, "commission")
    assert proposed(contest).version == 3


def test_who_may_not_agree_is_told_why(contest):
    parameters = proposed(contest)
    judge = person("judge")
    agree(parameters, "judge", actor=judge)
    turned = person("judge")
    proposer = parameters.proposed_by
    cases = [(turned, Conflict, "For “judges”"), (person("expert"), Refused, "theirs to say")]
    for actor, kind, words in cases:
        with pytest.raises(kind, match=words):
            agree(parameters, "", actor=actor)
    judge.role = proposer.role = "commission"
    for actor, words in ((judge, "something of these"), (proposer, "not the person who made it")):
        actor.save()
        with pytest.raises(Refused, match=words):
            agree(parameters, "", actor=actor)

    assert parameters.consents.count() == 1
    assert parameters_in_force(contest).version == 1


def test_the_database_keeps_one_consent_of_a_body_and_its_words(contest):
    parameters = proposed(contest)
    agree(parameters, "judge")

    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(
            parameters=parameters, body="judges", agrees=True, who=person("judge")
        )


@pytest.mark.parametrize(
    ("session", "star", "annulled", "words"),
    [
        ({"limit": 0}, 0, 0, "seconds for an answer: A number from 1 to 3600"),
        ({"interval": 3601}, 0, 0, "seconds between two files: A number from 1 to 3600"),
        ({"sends": 0}, 0, 0, "answers to a file that are looked at: A number"),
        ({"share": 1.5}, 0, 0, "solution is annulled: A number from 0 to 1"),
        ({"window": -1}, 0, 0, "session may be opened: A number from 0"),
        ({}, 101, 0, "STAR to be admitted, %: A number from 0 to 100"),
        ({}, 0, 2, "share of annulled files at most: A number from 0 to 1"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(contest, session, star, annulled, words):
    asked = wanted(star=star, annulled=annulled, **session)
    with pytest.raises(Refused) as refused:
        propose_parameters(contest=contest, wanted=asked, actor=person("organiser"))

    assert words in str(refused.value)
    assert contest.parameter_sets.count() == 1


def test_a_proposal_says_why_in_both_languages_and_something_new(contest):
    actor = person("organiser")
    same = parameters_in_force(contest)
    cases = [
        (wanted(reason=Both("Решение", " ")), "in Russian and in English"),
        (wanted(rules=same.rules), "Nothing is different"),
    ]

    for asked, words in cases:
        with pytest.raises(Refused, match=words):
            propose_parameters(contest=contest, wanted=asked, actor=actor)

    first = proposed(contest)
    with pytest.raises(Conflict, match="Version 2 is proposed already"):
        proposed(contest)
    withdraw_parameters(parameters=first, actor=actor)
    assert proposed(contest).version == 3


def test_the_announced_interval_of_the_finals_stays(contest):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    asked = WantedRun("Finals", held, now() + 31 * DAY)
    plan_contest_final(contest=contest, wanted=asked, actor=person("organiser"))

    with pytest.raises(Refused) as refused:
        proposed(contest, interval=30)

    assert "Clause 7.5" in str(refused.value)
    assert "seconds between two files" in str(refused.value)
    assert proposed(contest).version == 2


def test_the_first_parameters_are_said_anew_until_the_contest_is_announced():
    contest = prepared()
    rules = RuleSetFactory()

    propose_parameters(contest=contest, wanted=wanted(rules=rules), actor=contest.made_by)

    found = contest.parameter_sets.values_list("version", "rules", "in_force_at")
    assert list(found) == [(1, rules.pk, None)]


def test_judges_read_what_differs_and_agree_on_the_page(contest, log_in):
    parameters = proposed(contest)
    judge = log_in(person("judge"))

    waiting = judge.get("/verdicts/").content.decode()
    page = judge.get("/contests/spring/parameters/").content.decode()
    answer = judge.post("/contests/spring/parameters/2/consent/", {"agrees": "1"})

    assert "Parameters of “The contest”, version 2: agree or not" in waiting
    assert ("60 →" in page, answer.status_code) == (True, 302)
    assert parameters.consents.get().body == "judges"
    assert "version 2: agree" not in judge.get("/verdicts/").content.decode()
    member = log_in(person("commission"))
    last = member.post("/contests/spring/parameters/2/consent/", {"agrees": "1"}, follow=True)
    told = page_of(last).one(".messages li").text
    assert told == "Version 2 is in force now: everybody is told."
    other = announced("autumn")
    assert judge.get(f"/contests/{other.slug}/parameters/").status_code == 200
    assert judge.post("/contests/autumn/parameters/2/consent/", {}).status_code == 404


def test_organisers_propose_on_the_page_and_read_what_is_wrong(contest, log_in):
    browser = log_in(person("organiser"))
    rules = parameters_in_force(contest).rules
    body = {
        "rules": rules.pk,
        "limit": "45",
        "interval": "60",
        "sends": "10",
        "share": "5",
        "window": "120",
        "star_to_qualify": "50",
        "annulled_to_qualify": "7",
        "reason_ru": "Так решили",
        "reason_en": "So it was decided",
    }

    address = "/contests/spring/parameters/propose/"
    bad = browser.post(address, {**body, "limit": "many"})
    good = browser.post(address, body)

    assert (bad.status_code, good.status_code) == (422, 302)
    made = ParameterSet.objects.get(version=2)
    assert (made.session, made.reason_en) == ({"limit": 45}, "So it was decided")
    assert made.annulled_to_qualify == 0.07
    stranger = log_in(person("participant"))
    assert stranger.get("/contests/spring/parameters/").status_code == 403
    assert stranger.post(address, body).status_code == 403


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("said", ["0.05", "0,05", " +0.05 "])
def test_a_number_is_the_same_with_a_point_and_with_a_comma(language, said):
    with override(language):
        assert Number().clean(said) == 0.05


@pytest.mark.parametrize(
    ("language", "said", "words"),
    [
        ("en", "1,500", "Write the number without a comma between thousands, or with a point."),
        ("en", "1,500.5", "Enter a number."),
        ("en", "0,0,5", "Enter a number."),
        ("ru", "1.500,5", "Введите число."),
        ("ru", "NaN", "Введите число."),
    ],
)
def test_a_number_that_may_be_another_one_is_refused(language, said, words):
    with override(language):
        with pytest.raises(ValidationError) as refused:
            Number().clean(said)

        assert refused.value.messages == [words]


def test_a_decimal_comma_is_read_on_the_page_in_either_language(contest, log_in):
    browser = log_in(person("organiser"))
    body = dict.fromkeys(("limit", "interval", "sends", "star_to_qualify", "window"), "10")
    body |= {"rules": parameters_in_force(contest).rules_id, "share": "2,5"}
    body |= {"annulled_to_qualify": "50", "reason_ru": "Так решили", "reason_en": "Decided"}
    browser.cookies["django_language"] = "en"

    posted = browser.post("/contests/spring/parameters/propose/", body)

    made = ParameterSet.objects.get(version=2)
    assert (posted.status_code, made.session["share"], made.annulled_to_qualify) == (
        302,
        0.025,
        0.5,
    )


def test_a_version_that_was_replaced_says_until_when_it_was_in_force(contest, log_in):
    first = parameters_in_force(contest)
    ParameterSet.objects.create(
        contest=contest, version=2, rules=first.rules, in_force_at=now() - timedelta(hours=1)
    )

    words = page_of(log_in(person("judge")).get("/contests/spring/parameters/")).one("main").text

    assert (words.count("In force since"), words.count("In force from")) == (1, 1)


def test_a_page_of_many_versions_asks_as_many_questions_as_one_of_few(
    contest, log_in, django_assert_max_num_queries
):
    rules = parameters_in_force(contest).rules
    ParameterSet.objects.bulk_create(
        ParameterSet(contest=contest, version=number, rules=rules, rejected_at=now() - timedelta(1))
        for number in range(2, 60)
    )
    browser = log_in(person("judge"))

    with django_assert_max_num_queries(18):
        assert browser.get("/contests/spring/parameters/").status_code == 200


def test_a_parameter_out_of_range_is_told_at_its_field(contest):
    rules = parameters_in_force(contest).rules.pk
    values = {"limit": 0, "interval": 60, "sends": 10, "share": 101, "window": 120}
    said = {"rules": rules, **values, "star_to_qualify": 50, "annulled_to_qualify": 0.05}

    form = ParametersForm(said, has_reason=False)

    assert {name: len(told) for name, told in form.errors.items()} == {"limit": 1, "share": 1}


def test_shares_are_asked_for_and_told_in_percent(contest, log_in):
    ParameterSet.objects.create(
        contest=contest,
        version=2,
        rules=parameters_in_force(contest).rules,
        session={"share": 0.07},
        annulled_to_qualify=0.035,
        in_force_at=now(),
    )

    page = page_of(log_in(person("organiser")).get("/contests/spring/parameters/"))

    asked = {name: page.one(f"#id_{name}").attributes for name in ("share", "annulled_to_qualify")}
    told = {name: (each["value"], each["min"], each["max"]) for name, each in asked.items()}
    assert told == {"share": ("7", "0", "100"), "annulled_to_qualify": ("3.5", "0", "100")}
    labels = [page.one(f"label[for=id_{name}]").text for name in asked]
    assert [each.removesuffix(":")[-3:] for each in labels] == [", %", ", %"]
    words = page.one("main").text.replace("\xa0", " ")
    told = [each in words for each in ("7 %", "3.5 %", "0.07", "0.035")]
    assert told == [True, True, False, False], words
