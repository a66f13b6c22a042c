"""Organisers make a contest, describe it, date it, give it sets, announce it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import AuditEntry
from annotator.models import EssaySet
from contest.models import Contest, DataSet, Phase
from contest.services.addresses import own_words
from contest.services.contests import (
    announce_contest,
    describe_contest,
    make_contest,
    plan_phase,
)
from contest.services.data_sets import add_data_set, drop_data_set, make_data_set
from review.models.deadlines import SetTerms
from tests.contest.running_world import (
    DAY,
    VALUES,
    announced,
    fresh,
    now,
    over,
    person,
    prepared,
)
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, submitted
from tests.pages import page_of
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
Role = DataSet.Role


@pytest.fixture
def contest():
    return make_contest(values={**VALUES, "slug": "spring"}, actor=person("organiser"))


def test_what_is_missing_is_named_before_a_contest_is_announced(contest):
    with pytest.raises(Refused) as refused:
        announce_contest(contest=contest, actor=contest.made_by)

    assert str(refused.value) == (
        "The contest cannot be announced yet. What is missing: applications from, applications "
        "until, dates of the qualification, dates of the finals, training set, test set, final "
        "set, parameters."
    )
    assert fresh(contest).announced_at is None


def test_an_announced_contest_has_its_parameters_in_force_and_says_so():
    contest = prepared()

    announce_contest(contest=contest, actor=contest.made_by)

    held = fresh(contest)
    (said,) = held.announcements.all()
    assert (said.title_en, said.title_ru.endswith("Конкурс"), said.body_ru) == (
        *("The contest is announced: The contest", True),
        "О чём он",
    )
    parameters = held.parameter_sets.get()
    assert (held.is_announced, parameters.in_force_at is not None) == (True, True)
    rules = EssaySet.objects.filter(data_set__contest=held).values_list("rules", flat=True)
    assert set(rules) == {parameters.rules_id}
    with pytest.raises(Conflict, match="announced already"):
        announce_contest(contest=held, actor=contest.made_by)


@pytest.mark.parametrize("live", [True, False])
def test_no_contest_is_announced_whose_finals_begin_within_ten_days(live):
    contest = prepared(live=live)
    contest.phases.filter(kind="qualification").update(ends_at=now() + 5 * DAY)
    finals = contest.phases.filter(kind="finals")
    finals.update(starts_at=now() + 10 * DAY - timedelta(seconds=5))

    with pytest.raises(Refused) as refused:
        announce_contest(contest=contest, actor=contest.made_by)

    assert str(refused.value) == (
        "Clause 7.5 of the regulation: the start of the finals is announced at least 10 days "
        "ahead. Name a later day."
    )
    assert fresh(contest).announced_at is None
    finals.update(starts_at=now() + 10 * DAY + timedelta(hours=1))
    announce_contest(contest=contest, actor=contest.made_by)
    assert fresh(contest).is_announced


@pytest.mark.parametrize("slug", ["new", "applications", "invitations", "spring"])
def test_no_contest_has_the_address_of_another_page(contest, slug):
    with pytest.raises(Refused, match=slug):
        make_contest(values={**VALUES, "slug": slug}, actor=contest.made_by)

    assert Contest.objects.count() == 1


def test_own_words_are_those_beside_the_addresses_of_contests():
    assert own_words() == {"new", "applications", "invitations"}


@pytest.mark.parametrize("slug", ["new", "invitations"])
def test_the_form_refuses_such_an_address_at_its_field(slug, log_in):
    body = {**VALUES, "slug": slug, "zone": "Asia/Omsk", "licence": "CC BY 4.0"}

    refused = log_in(person("organiser")).post("/contests/new/", body)

    said = f"“{slug}” is an address of the platform’s own. Choose another one."
    assert (refused.status_code, refused.context["form"].errors) == (422, {"slug": [said]})


def test_what_everybody_has_read_stays_as_it_is():
    contest = announced()
    values = {"zone": "Asia/Omsk", "name_ru": "Другой", "contact": "other@example.org"}

    with pytest.raises(Refused) as refused:
        describe_contest(contest=contest, values=values, actor=contest.made_by)

    assert str(refused.value).endswith("name in Russian, time zone.")
    assert fresh(contest).contact == VALUES["contact"]
    values = {"contact": "other@example.org"}
    assert describe_contest(contest=contest, values=values, actor=contest.made_by)
    assert not describe_contest(contest=contest, values=values, actor=contest.made_by)
    assert contest.announcements.count() == 1


def test_moved_applications_are_announced_old_and_new():
    contest = announced()
    until = now() + 7 * DAY

    describe_contest(contest=contest, values={"applications_until": until}, actor=contest.made_by)

    said = contest.announcements.first()
    assert (said.kind, said.title_en) == ("schedule", "Schedule: applications until")
    assert (said.body_en.count("→"), said.body_ru.count("→")) == (1, 1)


@pytest.mark.parametrize("name", ["applications_from", "applications_until"])
def test_dates_of_applications_that_were_announced_are_not_emptied(name, log_in):
    contest = announced()
    body = {**VALUES, "slug": contest.slug, "zone": contest.zone, "licence": contest.licence}
    dates = {"applications_from": "2030-01-02T10:00", "applications_until": "2030-02-02T10:00"}

    with pytest.raises(Refused) as refused:
        describe_contest(contest=contest, values={name: None}, actor=contest.made_by)
    address = "/contests/spring/manage/describe/"
    page = log_in(person("organiser")).post(address, {**body, **dates, name: ""})

    assert str(refused.value).endswith(f"Say: {name.replace('_', ' ')}.")
    assert (page.status_code, list(page.context["form"].errors)) == (422, [name])
    assert getattr(fresh(contest), name) == getattr(contest, name)


@pytest.mark.parametrize(
    ("kind", "start", "end", "words"),
    [
        ("qualification", 2, 1, "ends after it starts"),
        ("qualification", -3, -1, "over already: say an end that is still to come"),
        ("qualification", 1, 35, "before the qualification ends"),
        ("finals", 9, 40, "Clause 7.5"),
        ("finals", 15, 40, "before the qualification ends"),
    ],
)
def test_dates_that_cannot_be_are_refused_by_name(kind, start, end, words):
    contest = announced()
    before = list(contest.phases.values())

    with pytest.raises(Refused, match=words):
        plan_phase(
            contest=contest,
            kind=Phase.Kind(kind),
            starts_at=now() + start * DAY,
            ends_at=now() + end * DAY,
            actor=contest.made_by,
        )

    assert list(contest.phases.values()) == before


def test_dates_of_a_phase_whose_results_are_approved_stay(log_in):
    contest = announced()
    held = over(contest, "qualification")
    contest.phases.filter(pk=held.pk).update(closed_at=now())
    dates = {"starts_at": held.starts_at, "ends_at": now() + DAY}

    with pytest.raises(Refused, match=r"The results of the phase are approved: its dates stay\."):
        plan_phase(contest=contest, kind=Phase.Kind.QUALIFICATION, actor=contest.made_by, **dates)

    assert contest.phases.get(pk=held.pk).ends_at == held.ends_at
    page = page_of(log_in(contest.made_by).get(f"/contests/{contest.slug}/manage/"))
    assert [each["value"] for each in page.find("input[name=kind]")] == ["finals"]


def test_finals_that_are_near_are_not_moved_any_more():
    contest = announced()
    contest.phases.filter(kind="finals").update(starts_at=now() + 9 * DAY)
    contest.phases.filter(kind="qualification").update(ends_at=now() + 2 * DAY)

    with pytest.raises(Refused, match=r"Clause 7\.5"):
        plan_phase(
            contest=contest,
            kind=Phase.Kind.FINALS,
            starts_at=now() + 30 * DAY,
            ends_at=now() + 40 * DAY,
            actor=contest.made_by,
        )


def test_a_set_belongs_to_one_contest_and_has_its_subject(contest):
    other = make_contest(values={**VALUES, "slug": "autumn"}, actor=contest.made_by)
    held = EssaySetFactory(name="Shared")
    add_data_set(contest=other, role=Role.TEST, essay_set=held, actor=contest.made_by)
    foreign = EssaySetFactory(name="Foreign")
    EssayFactory(essay_set=foreign, subject="lit", number="0001")
    marked = EssaySetFactory(name="Marked", access="final")
    submitted(EssayFactory(essay_set=marked))
    given = EssaySetFactory(name="Given", access="final")
    AssignmentFactory(essay=EssayFactory(essay_set=given, number="0007"))
    cases = [
        (held, Role.TEST, "“Shared” belongs to the contest “The contest” already"),
        (foreign, Role.TEST, "the essay 0001 of the set “Foreign” is of"),
        (marked, Role.FINAL, "Clause 2.8"),
        (given, Role.FINAL, "Clause 2.8 .* essay 0007 of the set “Given” was given to one"),
        (marked, Role.TEST, "its access is “finals"),
    ]

    for essay_set, role, words in cases:
        with pytest.raises(Refused, match=words):
            add_data_set(contest=contest, role=role, essay_set=essay_set, actor=contest.made_by)

    assert contest.data_sets.count() == 0


def test_a_check_taken_away_unopened_keeps_no_set_from_the_finals(contest):
    held = EssaySetFactory(access="final")
    AssignmentFactory(essay=EssayFactory(essay_set=held), state="withdrawn")

    add_data_set(contest=contest, role=Role.FINAL, essay_set=held, actor=contest.made_by)

    assert contest.data_sets.get().essay_set == held


def test_a_set_takes_the_access_of_its_kind(contest):
    actor = contest.made_by
    empty = EssaySetFactory(access="closed")

    add_data_set(contest=contest, role=Role.FINAL, essay_set=empty, actor=actor)
    made = make_data_set(contest=contest, role=Role.TRAINING, name="New", actor=actor)

    found = contest.data_sets.values_list("role", "essay_set__access")
    assert sorted(found) == [("final", "final"), ("training", "open")]
    with pytest.raises(Refused, match="final set already"):
        make_data_set(contest=contest, role=Role.FINAL, name="Second", actor=actor)
    assert not EssaySet.objects.filter(name="Second").exists()
    drop_data_set(data_set=made, actor=actor)
    assert contest.data_sets.count() == 1


def test_a_final_set_is_marked_within_15_working_days_unless_other_terms_are_said(contest):
    """Clause 7.3; by the days of the contest's zone."""
    plain, said, test = EssaySetFactory(), EssaySetFactory(), EssaySetFactory()
    SetTerms.objects.create(essay_set=said, due_by="working", working_days=7)
    values = {**VALUES, "slug": "autumn", "zone": "Asia/Omsk"}
    other = make_contest(values=values, actor=person("organiser"))

    add_data_set(contest=contest, role=Role.FINAL, essay_set=said, actor=contest.made_by)
    add_data_set(contest=contest, role=Role.TEST, essay_set=test, actor=contest.made_by)
    add_data_set(contest=other, role=Role.FINAL, essay_set=plain, actor=other.made_by)

    found = SetTerms.objects.values_list("essay_set", "due_by", "working_days", "zone")
    assert set(found) == {
        (said.pk, "working", 7, "Europe/Moscow"),
        (plain.pk, "working", 15, "Asia/Omsk"),
    }
    (written,) = AuditEntry.objects.filter(action="deadlines.terms")
    assert written.details == {
        "terms": {"due_by": "working", "working_days": "15", "zone": "Asia/Omsk"}
    }


def test_no_set_leaves_an_announced_contest():
    contest = announced()

    with pytest.raises(Refused, match="none is taken away"):
        drop_data_set(data_set=contest.data_sets.first(), actor=contest.made_by)

    assert contest.data_sets.count() == 3


def test_the_pages_lead_from_nothing_to_an_announced_contest(log_in):
    organiser = person("organiser")
    browser = log_in(organiser)
    body = {**VALUES, "slug": "summer", "zone": "Asia/Omsk", "licence": "CC BY 4.0"}

    made = browser.post("/contests/new/", {**body, "applications_from": "2030-01-02T10:00"})

    contest = Contest.objects.get(slug="summer")
    assert (made.status_code, made["Location"]) == (302, "/contests/summer/manage/")
    assert contest.applications_from.isoformat() == "2030-01-02T04:00:00+00:00"
    page = browser.get("/contests/summer/manage/").content.decode()
    assert "What is missing:" in page
    refused = browser.post("/contests/new/", {**body, "slug": "x y", "zone": "Nowhere"})
    assert refused.status_code == 422
    assert "There is no such time zone." in refused.content.decode()
    asked = browser.post("/contests/summer/manage/announce/")
    assert asked.status_code == 422
    assert AuditEntry.objects.filter(action="contest.announced").count() == 0


def test_of_an_announced_contest_nobody_is_asked_whether_to_announce_it(log_in):
    contest = announced()

    found = log_in(person("organiser")).get(f"/contests/{contest.slug}/manage/announce/")

    assert (found.status_code, found["Location"]) == (302, f"/contests/{contest.slug}/manage/")
    stranger = log_in(person("expert")).get(f"/contests/{contest.slug}/manage/announce/")
    assert stranger.status_code == 403


def test_the_page_of_running_leads_to_the_protocols_of_both_phases(log_in):
    contest = announced()

    page = page_of(log_in(person("judge")).get(f"/contests/{contest.slug}/manage/"))

    ways = {each.text: each["href"] for each in page.find(".row-tools a.btn")}
    assert ways["Protocols: finals"] == f"/contests/{contest.slug}/protocols/finals/"
    assert ways["Protocols: qualification"] == f"/contests/{contest.slug}/protocols/qualification/"


@pytest.mark.parametrize("role", ["participant", "expert", "coordinator", "judge"])
def test_strangers_run_no_contest(role, log_in):
    contest = prepared()
    browser = log_in(person(role))

    answers = [
        browser.post(f"/contests/{contest.slug}/manage/{each}").status_code
        for each in ("announce/", "phase/", "sets/", "describe/", "finals/plan/")
    ]

    assert answers == [403] * 5
    seen = browser.get(f"/contests/{contest.slug}/manage/").status_code
    assert seen == (200 if role == "judge" else 403)
