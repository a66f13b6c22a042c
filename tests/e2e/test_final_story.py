"""A qualification and a final, played by five programs through both doors, the gateway killed once.

Time is compressed by the rules; what each program does with a file is a policy below, and beside it
stands what sessions.md says of it.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest

from accounts.services.tokens import issue_token
from annotator.models import MarkupRecord
from contest.models import ExchangeSession, SessionEvent
from contest.services.sessions.clock import moment_now
from tests.contest.crowd import otherwise
from tests.contest.players import QUALIFYING, RestPlayer, SocketPlayer, marked
from tests.contest.world import SECOND, final_at, marked_set, team
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.database import connected
from tests.e2e.gateways import kill, twin_of
from tests.e2e.promises import all_ended

pytestmark = [pytest.mark.full, pytest.mark.parametrize("whole_stack", BACKENDS, indirect=True)]

FILES, LIMIT, INTERVAL = 33, 10, 0.6
LAST = FILES - 1
TOO_LATE = LIMIT + 0.4
GARBAGE = ("", "no JSON", "{}", "[]", '{"text": 7}', "null", '{"selections": [{}]}', "\x00")
COUNTED, STANDS, ANNULLED = "counted", "stands", "annulled"


def good(number, content):
    return [(0, sent(content, number))]


def middling(number, content):
    """Repairs what was refused, sends twice, leaves one file out."""
    first, second = sent(content, number, "first"), sent(content, number)
    return {0: [(0, "{"), (0.2, second)], 1: [(0, first), (0.2, second)]}.get(
        number % 3, [] if number == 8 else [(0, second)]
    )


def late(number, content):
    return [(TOO_LATE if number in (5, 20, LAST) else 0, sent(content, number))]


def silent(number, content):
    return [] if number in (3, 17) else [(0, sent(content, number))]


def garbage(number, content):
    """Sends nonsense to every file, and a markup after it to every other one."""
    return nonsense(number, content) if number % 2 == 0 else repaired(number, content)


def nonsense(number, content):
    other = sent({**content, "text": "Another essay."}, number)
    return [(0, GARBAGE[number % len(GARBAGE)]), (0.1, other)]


def repaired(number, content):
    return [*nonsense(number, content), (0.2, sent(content, number))]


def sent(content, number, which="last"):
    return json.dumps(marked(content, f"{number} {which}"), ensure_ascii=False)


PLAYERS = {
    "good": (SocketPlayer, good, STANDS, {}),
    "middling": (RestPlayer, middling, STANDS, {8: "missing"}),
    "late": (SocketPlayer, late, ANNULLED, {5: "late", 20: "late", LAST: "missing"}),
    "silent": (RestPlayer, silent, ANNULLED, {3: "missing", 17: "missing"}),
    "garbage": (RestPlayer, garbage, ANNULLED, dict.fromkeys(range(0, FILES, 2), "rejected")),
}
"""Door, policy, what becomes of the solution, and the files that are annulled (sessions.md 6, 8).

The last file of a final falls due with its end: what comes later is ``closed`` and says nothing.
"""


def late_once(number, content):
    return [(0 if number else QUALIFYING + 0.4, sent(content, number))]


def mended(number, content):
    """The first accepted answer to the last file ends the session, so nothing is sent twice."""
    return [(0, "{"), (0.2, sent(content, number))]


def given_up(number, content):
    return None if number else good(number, content)


TRIALS = {
    "good": (good, "finished", {}),
    "middling": (mended, "finished", {}),
    "late": (late_once, "finished", {0: "late"}),
    "silent": (given_up, "aborted", {1: "missing"}),
    "garbage": (repaired, "finished", {}),
}
"""The same in the qualification: policy, how the session ends, annulled files. It has two files."""


@pytest.fixture(scope="module")
def whole_stack(request, tmp_path_factory):
    crew = ("web", "gateway", "worker", "tick")
    with opened_stack(request, tmp_path_factory, "/12", crew=crew) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


def played(stack, people, policies, mode, *, refuge=None, meanwhile=None):
    """Everybody plays a session to its end; the players, and the sessions by names."""
    players = {
        name: PLAYERS[name][0](stack, issue_token(user=person, name="program"))
        for name, person in people.items()
    }
    with ThreadPoolExecutor(2 * len(people)) as pool, leaving(players.values()):
        for each in players.values():
            each.refuge = refuge
            each.open(mode)
        done = [pool.submit(each.play, policies[name]) for name, each in players.items()]
        if meanwhile:
            meanwhile()
        stack.until(lambda: all(each.done() for each in done), "everybody has played")
        for each in done:
            each.result()
    found = ExchangeSession.objects.filter(participant__in=people.values(), mode=mode)
    stack.until(lambda: not found.filter(closed_at=None).exists(), "all sessions have ended")
    stack.until(all_ended, "markups are made")
    names = {person.pk: name for name, person in people.items()}
    return players, {names[session.participant_id]: session for session in found}


@contextmanager
def leaving(players):
    """Whatever becomes of the story, no player goes on after it."""
    try:
        yield
    finally:
        for each in players:
            each.leaves = True


def verdicts(session):
    """State and solution, and what each file came to, as it is kept."""
    kept = session.files.order_by("position").values_list("verdict", "reason")
    return session.state, session.solution, [reason or verdict for verdict, reason in kept]


def told(files, annulled):
    return [annulled.get(number, COUNTED) for number in range(files)]


def markups(session):
    """The comments of the markups that were made of a session's answers, by their files."""
    positions = dict(session.files.values_list("essay", "position"))
    made = MarkupRecord.objects.filter(author=session.participant, origin=session.origin)
    found = made.values_list("essay", "fragments__comment")
    return sorted((positions[essay] - 1, comment) for essay, comment in found)


def expected_markups(files, annulled):
    return [(number, f"{number} last") for number in range(files) if number not in annulled]


def killed(stack, person):
    """SIGKILL to the gateway, once an answer of this person is stored."""
    sends = SessionEvent.objects.filter(session__participant=person, what="send")
    stack.until(sends.exists, "an answer is stored")
    kill(stack.children["gateway"])


def test_a_qualification_and_a_final_come_to_what_their_rules_say(stack, tmp_path):
    people = {name: team() for name in PLAYERS}
    marked_set(2)
    with twin_of(stack, stack.children["gateway"]) as twin:
        players, trials = played(
            stack,
            people,
            {name: policy for name, (policy, *_) in TRIALS.items()},
            "algorithmic",
            refuge=twin.getsockname()[1],
            meanwhile=partial(killed, stack, people["good"]),
        )
    assert min(players["good"].came_back, players["late"].came_back) > 0
    for name, (_policy, state, annulled) in TRIALS.items():
        assert (name, verdicts(trials[name])) == (name, (state, "", told(2, annulled)))
        assert otherwise(trials[name], tmp_path) == []
        is_aborted = state == "aborted"  # then there is no report
        assert markups(trials[name]) == ([] if is_aborted else expected_markups(2, annulled))

    rules = {"interval": INTERVAL, "limit": LIMIT}
    final_at(moment_now() + 8 * SECOND, *people.values(), essays=FILES, **rules)
    policies = {name: policy for name, (_door, policy, *_) in PLAYERS.items()}
    _players, finals = played(stack, people, policies, "final")
    for name, (_door, _policy, solution, annulled) in PLAYERS.items():
        assert (name, verdicts(finals[name])) == (
            name,
            ("finished", solution, told(FILES, annulled)),
        )
        assert otherwise(finals[name], tmp_path) == []
        assert markups(finals[name]) == expected_markups(FILES, annulled)
