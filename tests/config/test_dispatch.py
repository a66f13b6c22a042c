"""How many requests a process of the web works on at once, and which."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from config.dispatch import LONG, Dispatcher

AT_ONCE, THREADS = 2, 4


class Request:
    """Answered when it is told to be; the log says which were begun."""

    def __init__(self, log: list[int]) -> None:
        self.number, self.log, self.answered = 0, log, threading.Event()

    def service(self) -> None:
        self.log.append(self.number)
        self.answered.wait(30)

    def cancel(self) -> None:
        """It was held to the end."""


class Failing(Request):
    def service(self) -> None:
        super().service()
        raise RuntimeError("A fault of a page.")


@pytest.fixture
def log() -> list[int]:
    return []


@pytest.fixture
def dispatcher() -> Iterator[Dispatcher]:
    made = Dispatcher(AT_ONCE)
    made.set_thread_count(THREADS)
    yield made
    made.shutdown()


def ask(dispatcher: Dispatcher, requests: list[Request]) -> list[Request]:
    for number, each in enumerate(requests):
        each.number = number
        dispatcher.add_task(each)
    return requests


def begun(log: list[int], count: int) -> list[int]:
    """What was begun once so many were, and a moment later."""
    deadline = time.monotonic() + 30
    while len(log) < count and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(0.02)
    return sorted(log)


def test_of_those_that_come_at_once_two_are_begun_and_the_next_when_one_is_answered(
    dispatcher, log
):
    requests = ask(dispatcher, [Request(log) for _ in range(6)])
    first = begun(log, 2)
    requests[1].answered.set()
    second = begun(log, 3)
    for each in requests:
        each.answered.set()

    assert (first, second) == ([0, 1], [0, 1, 2])
    assert begun(log, 6) == [0, 1, 2, 3, 4, 5]
    assert (len(dispatcher.held), dispatcher.begun) == (0, {})


def test_those_that_take_long_hold_up_nobody_behind_them(dispatcher, log):
    requests = ask(dispatcher, [Request(log) for _ in range(6)])
    begun(log, 2)
    time.sleep(LONG)
    dispatcher.look()
    found = begun(log, 4)
    for each in requests:
        each.answered.set()

    assert found == [0, 1, 2, 3]


def test_who_fails_makes_room_for_the_next(dispatcher, log):
    requests = ask(dispatcher, [Failing(log), Failing(log), Request(log), Request(log)])
    begun(log, 2)
    for each in requests[:2]:
        each.answered.set()
    found = begun(log, 4)
    for each in requests:
        each.answered.set()

    assert found == [0, 1, 2, 3]
