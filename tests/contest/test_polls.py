"""Requests that wait for the next file: how many of a participant, and what ends them."""

from __future__ import annotations

import asyncio

import pytest

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, owners_of_tokens, revoke_token
from contest.gateway import polling
from contest.gateway.limits import LONGEST_POLL, POLLS
from contest.gateway.polling import ask, poll
from contest.services.sessions.asking import file_json, next_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort
from tests.contest.world import SECOND, Client, Mode, final_at, played, team
from tests.patience import PATIENCE

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

    def again(self):
        """What the database hands out to it now."""
        return next_file(session_id=self.session.pk, moment=moment_now())

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
    async with asyncio.timeout(PATIENCE):
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
        await asyncio.wait(greedy.requests, timeout=PATIENCE)
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
        await asyncio.wait(greedy.requests, timeout=PATIENCE)

    played(story)

    assert greedy.told() == [(401, "authentication_failed", {})]


def test_a_request_that_no_file_comes_to_is_answered_within_twenty_five_seconds(
    greedy_and_rival, monkeypatch
):
    greedy, _rival = greedy_and_rival
    assert LONGEST_POLL <= 25
    monkeypatch.setattr(polling, "LONGEST_POLL", 0.2)

    async def story(hall):
        greedy.poll(hall)
        await asyncio.wait(greedy.requests, timeout=PATIENCE)

    played(story)

    (answer,) = [each.result() for each in greedy.requests]
    assert (answer.status, answer.body) == (204, None)
    assert 530 <= int(answer.headers["retry-after"]) <= 540


@pytest.fixture
def soon():
    """Two participants whose final begins at once; the moment of its first file."""
    people, start = [team(), team()], moment_now() + SECOND
    final_at(start, *people)
    return [Polling(person) for person in people]


async def all_wait_and_one_looks(hall, pollings):
    for each in pollings:
        each.poll(hall)
    await until(lambda: waiting(hall) == len(pollings))
    async with asyncio.timeout(PATIENCE):
        while waiting(hall):
            await hall.look()
            await asyncio.sleep(0)
    await asyncio.wait(
        [request for each in pollings for request in each.requests], timeout=PATIENCE
    )


def test_a_file_that_opens_by_the_clock_is_handed_to_all_who_wait_by_one_look(soon):
    async def story(hall):
        written, write = [], hall.threads.write

        async def counted(call, *args, **kwargs):
            written.append(call)
            return await write(call, *args, **kwargs)

        hall.threads.write = counted
        await all_wait_and_one_looks(hall, soon)
        await hall.note()
        return written

    assert ask not in played(story)
    for each in soon:
        (answer,) = [request.result() for request in each.requests]
        slot = each.session.files.earliest("position")
        assert (answer.status, answer.body["file"]) == (200, slot.name)
        assert answer.body.keys() == file_json(each.again()).keys()
        assert slot.deliveries.count() == 2


def test_a_file_that_opens_is_not_handed_to_a_key_that_was_revoked_meanwhile(soon):
    async def story(hall):
        token = await hall.threads.read(ApiToken.objects.get, user=soon[0].session.participant)
        watch = hall.threads.read

        async def revoked_before(call, *args, **kwargs):
            if call is owners_of_tokens:
                await hall.threads.write(revoke_token, token=token, actor=None)
            return await watch(call, *args, **kwargs)

        hall.threads.read = revoked_before
        await all_wait_and_one_looks(hall, soon)

    played(story)

    assert soon[0].told() == [(401, "authentication_failed", {})]
    assert soon[1].requests[0].result().status == 200
