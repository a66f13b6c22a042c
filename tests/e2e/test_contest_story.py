"""A contest from its first words to the archive of its finals, told through HTTP.

The time is compressed by the rules of sessions. Where the clock alone stands in the way (the ten
days before finals, the end of a phase), the moments of rows are moved.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http import HTTPStatus
from types import SimpleNamespace

import pytest
from django.utils import timezone

from annotator.models import Assignment, EssaySet, MarkupRecord
from contest.models import Contest, ExchangeSession, Final, Phase, PhaseProtocol, Publication
from razbor.client import Exchange
from review.core.canonical import digest_of
from scoring.models import ScoreRun
from tests.contest.players import LONGEST, RestPlayer, marked
from tests.contest.world import marked_set
from tests.e2e import experts
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.coordinating import Coordinator
from tests.e2e.database import connected
from tests.e2e.essays import GAP
from tests.e2e.guests import Guest
from tests.e2e.pages import PASSWORD
from tests.e2e.post import letters_to_everybody
from tests.e2e.promises import all_ended
from tests.e2e.visitor import session_of
from tests.factories import TEXT, PersonFactory, RuleSetFactory
from tests.pages import page_of

pytestmark = [pytest.mark.full, pytest.mark.parametrize("whole_stack", BACKENDS, indirect=True)]

CONTEST = "/contests/story/"
FILES, INTERVAL, LIMIT, WINDOW = 4, 1, 4, 5
LEFT_OUT = 2
"""The file of the finals to which one of the teams sends nothing."""
STAFF = ("organiser", "judge", "commission", "coordinator")
WORDS = {
    "slug": "story",
    "name_ru": "Повесть",
    "name_en": "The story",
    "summary_ru": "О чём она",
    "summary_en": "What it is about",
    "task_ru": "Разметить",
    "task_en": "Mark",
    "subject": "eng",
    "zone": "UTC",
    "contact": "we@example.org",
}
NUMBERS = [f"{number:07}" for number in range(1, FILES + 1)]


@pytest.fixture(scope="module")
def whole_stack(request, tmp_path_factory):
    crew = ("web", "gateway", "worker", "tick")
    with opened_stack(request, tmp_path_factory, "/13", crew=crew) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


def days(count):
    return timezone.now() + timedelta(days=count)


def typed(moment):
    """A moment as a browser sends it."""
    return moment.strftime("%Y-%m-%dT%H:%M")


def at_the_door(stack, person, kind=Guest):
    """Somebody who has logged in."""
    guest, session = kind(stack), session_of(person, stack.url)
    guest.cookies |= {session["name"]: session["value"], "csrftoken": "a" * 32}
    return guest


class Story:
    """Who takes part, and the contest as it stands in the database; experts mark its sets."""

    def __init__(self, stack):
        self.stack = stack
        people = {role: PersonFactory(role=role) for role in STAFF}
        self.guests = {role: at_the_door(stack, people[role]) for role in STAFF}
        self.coordinator = at_the_door(stack, people["coordinator"], Coordinator)
        self.rules = RuleSetFactory(final_grades={"eng": "mean-third/total"})
        self.sets, self.programs = {}, {}

    @property
    def contest(self):
        return Contest.objects.get(slug="story")

    def does(self, who, path, /, **fields):
        guest = self.guests[who]
        return guest.goes_on(guest.post(path, **fields))

    def seen(self, role, path):
        """What a page says it showed."""
        return self.guests[role].page(path)[1].find("input[name=seen]")[0]["value"]

    def goes_quiet(self):
        self.stack.until(all_ended, "every job ends")


def test_a_contest_goes_its_way_from_its_announcement_to_the_archive_of_its_finals(stack):
    story = Story(stack)
    organisers_announce_it(story)
    teams_apply(story)
    teams_qualify(story)
    three_bodies_admit_them(story)
    three_bodies_approve(story, "qualification")
    the_finals_are_held(story)
    experts_check_the_final_set(story)
    two_apply_a_score_run(story, story.sets["final"])
    a_board_is_published(story)
    the_results_open_the_experts_markups(story)
    everybody_takes_the_archive(story)
    assert stack.health()["status"] == "ok"


def organisers_announce_it(story):
    organiser = story.guests["organiser"]
    dates = {"applications_from": typed(days(-1)), "applications_until": typed(days(3))}
    organiser.goes_on(organiser.fill("/contests/new/", **WORDS, **dates))
    story.sets = {
        "training": marked_set(2, rules=story.rules),
        "test": marked_set(2, "closed", rules=story.rules),
    }
    for role, found in story.sets.items():
        story.does("organiser", f"{CONTEST}manage/sets/", role=role, essay_set=found.pk)
    story.does("organiser", f"{CONTEST}manage/sets/", role="final", name="The final set")
    story.sets["final"] = EssaySet.objects.get(name="The final set")
    for kind, start, end in (("qualification", 4, 9), ("finals", 20, 21)):
        spans = {"starts_at": typed(days(start)), "ends_at": typed(days(end))}
        story.does("organiser", f"{CONTEST}manage/phase/", kind=kind, **spans)
    values = {"limit": LIMIT, "interval": INTERVAL, "sends": 10, "share": 5, "window": WINDOW}
    lines = {"star_to_qualify": 50, "annulled_to_qualify": 5}
    path = f"{CONTEST}parameters/propose/"
    story.does("organiser", path, rules=story.rules.pk, **values, **lines)
    assert Guest(story.stack).get(CONTEST).status == HTTPStatus.NOT_FOUND
    story.does("organiser", f"{CONTEST}manage/announce/")
    bring_final_essays(story)
    assert Guest(story.stack).get(CONTEST).status == HTTPStatus.OK


def bring_final_essays(story):
    packed = io.BytesIO()
    packed.name = "essays.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for number in NUMBERS:
            head = f"Тема: (* Sport {number} *)\nКласс: 11\nГод: 2026\nТест: Зимний"
            archive.writestr(f"{number}.txt", f"{head}\n\n{TEXT}\n")
    packed.seek(0)
    held = story.sets["final"]
    story.coordinator.bring(held.pk, SimpleNamespace(value="eng"), packed)
    story.coordinator.open(held.pk)
    assert held.essays.count() == FILES


def teams_apply(story):
    """A stranger sends the form and follows the link of the letter; a key is made for a program."""
    for name in ("Alfa", "Beta"):
        email = f"{name.lower()}@example.org"
        form = {"name": name, "about": "Rules", "captain": f"{name} Captain", "email": email}
        sent = Guest(story.stack).fill(f"{CONTEST}apply/", **form, agrees="on")
        assert sent.status == HTTPStatus.OK
        assert not story.contest.teams.filter(name=name).exists()
        story.goes_quiet()
        (letter,) = letters_to_everybody(story.stack)[name.lower()]
        link = re.search(r"http://[^/]+(/contests/applications/\S+)", letter)[1]
        newcomer = Guest(story.stack)
        welcome = newcomer.goes_on(newcomer.fill(link))
        newcomer.goes_on(newcomer.fill(welcome, new_password1=PASSWORD, new_password2=PASSWORD))
        captain = Guest(story.stack, email, PASSWORD)
        assert captain.get(f"{CONTEST}team/").status == HTTPStatus.OK
        story.programs[name] = program_of(story, captain, name)


def program_of(story, captain, name):
    """A program with a key that the captain has made in the name of the team."""
    team = story.contest.teams.get(name=name)
    captain.goes_on(captain.post("/team/act/", team=team.pk))
    account = page_of(captain.post("/account/", name="program").text)
    return Player(story.stack, account.one(".secret").text)


class Player(RestPlayer):
    def __init__(self, stack, token):
        self.exchange, self.leaves = Exchange(stack.url, token), False

    def open(self, mode, **wish):
        self.session = self.exchange.open(mode, **wish)["id"]


def good(number, content):
    return [(0, json.dumps(marked(content, f"file {number}"), ensure_ascii=False))]


def careless(number, content):
    return [] if number == LEFT_OUT else good(number, content)


def played(story, policies, mode, **wish):
    """Every team's program plays a session to its end; the sessions by teams."""
    with ThreadPoolExecutor(len(policies)) as pool:
        for name in policies:
            story.programs[name].open(mode, **wish)
        done = [pool.submit(story.programs[name].play, policies[name]) for name in policies]
        story.stack.until(lambda: all(each.done() for each in done), "everybody has played")
        for each in done:
            each.result()
    held = ExchangeSession.objects.filter(participant__team__contest=story.contest, mode=mode)
    story.stack.until(lambda: not held.filter(closed_at=None).exists(), "all sessions have ended")
    story.goes_quiet()
    return {each.participant.team.name: each for each in held.select_related("participant__team")}


def teams_qualify(story):
    policies = dict.fromkeys(story.programs, good)
    story.contest.phases.filter(kind="qualification").update(starts_at=days(-1))
    held = played(story, policies, "algorithmic", set="test", files=10, time=LONGEST)
    assert {name: (each.state, each.counted) for name, each in held.items()} == {
        "Alfa": ("finished", 2),
        "Beta": ("finished", 2),
    }
    two_apply_a_score_run(story, story.sets["test"])


def two_apply_a_score_run(story, essay_set):
    """Organisers order and propose it, a judge applies it."""
    story.does("organiser", "/scores/runs/", essay_set=essay_set.pk, seed=0)
    runs = ScoreRun.objects.filter(essay_set=essay_set)
    story.stack.until(lambda: runs.filter(state="ready").exists(), "the run is ready")
    run = f"/scores/runs/{runs.get().pk}/"
    story.does("organiser", f"{run}propose/", proposal="apply", reason="The results")
    story.does("judge", f"{run}decide/", proposal="apply")
    assert runs.get().state == "applied"


def three_bodies_admit_them(story):
    for team in story.contest.teams.all():
        path = f"{CONTEST}teams/{team.pk}/"
        for role, kind in (
            ("judge", "checked"),
            ("commission", "verified"),
            ("organiser", "admitted"),
        ):
            story.does(role, f"{path}say/", kind=kind, seen=story.seen(role, path))
        team.refresh_from_db()
        assert team.admitted_at is not None


def three_bodies_approve(story, kind):
    """The phase is over; its results are checked, verified and approved."""
    phase = story.contest.phases.filter(kind=kind)
    phase.update(starts_at=days(-3), ends_at=days(0))
    path = f"{CONTEST}protocols/{kind}/"
    for role, verdict in (
        ("judge", "checked"),
        ("commission", "verified"),
        ("organiser", "approved"),
    ):
        story.does(role, f"{path}say/", kind=verdict, seen=story.seen(role, path))
    protocol = PhaseProtocol.objects.get(phase__in=phase)
    story.guests["judge"].get(f"{path}{protocol.pk}/file/")
    assert digest_of(story.guests["judge"].body.decode()) == protocol.digest
    assert story.contest.is_final == (kind == Phase.Kind.FINALS)


def the_finals_are_held(story):
    """Planned on the announced day, ten days ahead or more; then these days are passed over."""
    organiser, held = story.guests["organiser"], story.sets["final"]
    form = {"kind": "final", "name": "The final", "essay_set": held.pk, "count": ""}
    path = f"{CONTEST}manage/finals/plan/"
    early = organiser.post(path, **form, starts_at=typed(days(5)))
    assert "Clause 7.5" in early.text
    story.does("organiser", path, **form, starts_at=typed(days(20.5)))
    assert "clause 2.8" in story.coordinator.fill("/planning/", essay_set=held.pk).text
    Final.objects.update(starts_at=timezone.now() + timedelta(seconds=4))

    sessions = played(story, {"Alfa": good, "Beta": careless}, "final")

    told = {name: (each.solution, each.counted) for name, each in sessions.items()}
    assert told == {"Alfa": ("stands", FILES), "Beta": ("annulled", FILES - 1)}


def experts_check_the_final_set(story):
    """Once the finals are over checks are planned; two experts differ, a third one decides."""
    opened = Final.objects.get().starts_at + timedelta(seconds=WINDOW)
    story.stack.until(lambda: timezone.now() > opened, "nobody can open a session any more")
    experts_mark_what_is_given(story)


def experts_mark_what_is_given(story):
    held = story.sets["final"]
    for number in range(3):
        PersonFactory(school=f"School {number}")
    path, seen, told = story.coordinator.plan(essay_set=held.pk)
    assert told == f"{2 * FILES} of {2 * FILES} checks"
    story.coordinator.confirm(path, seen)
    checks = Assignment.objects.filter(essay__essay_set=held, state=Assignment.State.WAITING)
    for each in checks.exclude(role="third").select_related("essay", "expert"):
        differs = each.role == "second" and each.essay.number == NUMBERS[0]
        check(story, each, GAP if differs else GAP[:1])
    thirds = checks.filter(role="third").select_related("essay", "expert")
    story.stack.until(thirds.exists, "a third check is given")
    (third,) = thirds
    assert third.essay.number == NUMBERS[0]
    check(story, third, GAP[:1])
    story.goes_quiet()
    of_experts = MarkupRecord.objects.filter(essay__essay_set=held, source="expert")
    assert of_experts.filter(state="submitted").count() == 2 * FILES + 1


def check(story, assignment, fragments):
    """Whoever a check was given to does it."""
    expert = at_the_door(story.stack, assignment.expert)
    experts.check(expert, assignment.pk, assignment.essay.text, fragments)


def a_board_is_published(story):
    run = ScoreRun.objects.get(essay_set=story.sets["final"])
    path = f"/scores/runs/{run.pk}/"
    assert Guest(story.stack).get(f"/boards/{run.essay_set_id}/").status != HTTPStatus.OK
    story.does("judge", f"{path}verdict/", kind="checked")
    story.does("commission", f"{path}verdict/", kind="verified")
    story.does("organiser", f"{path}publish/")
    board = Guest(story.stack).page(f"{CONTEST}board/")[1].text
    assert "Alfa" in board
    assert "Beta" in board
    states = dict(run.entries.values_list("name", "state"))
    assert states == {"Alfa": "ranked", "Beta": "annulled"}


def the_results_open_the_experts_markups(story):
    """Three bodies approve; with that a member of a team reads them, and a stranger does not."""
    captain = Guest(story.stack, "alfa@example.org", PASSWORD)
    found = MarkupRecord.objects.filter(essay__essay_set=story.sets["final"], source="expert")
    path = f"/markups/{found.first().pk}/"
    assert captain.get(path).status == HTTPStatus.NOT_FOUND
    three_bodies_approve(story, "finals")
    assert captain.page(path)[1].find("main")
    assert Guest(story.stack).get(path).location.startswith("/login/")


def everybody_takes_the_archive(story):
    story.does("organiser", f"{CONTEST}data/", kind="finals")
    stranger = Guest(story.stack)
    path = f"{CONTEST}data/finals.zip"
    story.stack.until(lambda: stranger.get(path).status == HTTPStatus.OK, "the archive is there")
    published = Publication.objects.get(kind="finals")
    with zipfile.ZipFile(io.BytesIO(stranger.body)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".json")]
    assert (published.essays, len(stranger.body)) == (FILES, published.size)
    assert sum("Alfa" in name for name in names) == FILES
    assert not any("Beta" in name for name in names)
