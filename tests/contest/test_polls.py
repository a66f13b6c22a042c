"""Requests that wait for the next file: how many of a participant, and what ends them."""

from __future__ import annotations

import asyncio

import pytest

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, revoke_token
from contest.gateway.limits import POLLS
from contest.gateway.polling import poll
from contest.services.clock import moment_now
from contest.services.ending import abort
from tests.contest.world import SECOND, Client, Mode, final_at, played, team

pytestmark = pytest.mark.django_db

TOO_MANY = (429, "too-many-polls", {"retry-after": "1"})


class Polling:
    """A participant whose final begins in an hour, and the requests of its program."""

    def __init__(self, person):
        self.session = Client(person, mode=Mode.FINAL).session
        self.token = issue_token(user=person, name="program")
        self.requests = []

    def poll(self, hall):
        asking = poll(hall, self.session.pk, self.token, "en")
        self.requests.append(asyncio.ensure_future(asking))

    def told(self):
        """What the requests were answered that were."""
        answers = [each.result() for each in self.requests if each.done()]
        assert {name for each in answers for name in each.body} == {"code", "message"}
        return [(each.status, each.body["code"], each.headers) for each in answers]

    async def leave(self):
        for each in self.requests:
            each.cancel()
        await asyncio.wait(self.requests)


@pytest.fixture
def greedy_and_rival():
    people = [team(), team()]
    final_at(moment_now() + 540 * SECOND, *people)
    return [Polling(person) for person in people]


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0)


def waiting(hall):
    return len(list(hall.waiters.waiting()))


def test_the_newest_requests_wait_and_of_the_others_each_is_told(greedy_and_rival):
    greedy, rival = greedy_and_rival

    async def story(hall):
        rival.poll(hall)
        for number in range(POLLS):
            greedy.poll(hall)
            await until(lambda number=number: waiting(hall) == number + 2)
        for number in range(2):
            greedy.poll(hall)
            await until(lambda number=number: greedy.requests[number].done())
        await until(lambda: waiting(hall) == POLLS + 1)
        displaced = greedy.told()
        moment = await hall.threads.moment()
        await hall.threads.write(abort, session_id=greedy.session.pk, moment=moment)
        await hall.look()
        await asyncio.wait(greedy.requests, timeout=10)
        assert waiting(hall) == 1  # the rival's
        await rival.leave()
        return displaced

    assert played(story) == [TOO_MANY] * 2
    assert greedy.told() == [TOO_MANY] * 2 + [(410, "ended", {})] * POLLS


def test_while_all_places_are_being_answered_one_more_is_refused(greedy_and_rival):
    greedy, _rival = greedy_and_rival

    async def story(hall):
        for _ in range(POLLS + 5):
            greedy.poll(hall)
        await until(lambda: waiting(hall) == POLLS)
        refused = greedy.told()
        await greedy.leave()
        return refused

    assert played(story) == [TOO_MANY] * 5


def test_a_key_that_is_revoked_while_its_request_waits_is_handed_nothing(greedy_and_rival):
    greedy, _rival = greedy_and_rival

    async def story(hall):
        greedy.poll(hall)
        await until(lambda: waiting(hall) == 1)
        token = await hall.threads.read(ApiToken.objects.get, user=greedy.session.participant)
        await hall.threads.write(revoke_token, token=token, actor=None)
        for each in hall.waiters.waiting():
            each.woken.set()
        await asyncio.wait(greedy.requests, timeout=10)

    played(story)

    assert greedy.told() == [(401, "authentication_failed", {})]
