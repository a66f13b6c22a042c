"""Answers and tests run upon a frame that claims room for all the others."""

from __future__ import annotations

import sys

import pytest
from django.test import RequestFactory

from config import wsgi
from config.room import CLAIMED, with_room


def rooms_below():
    """How many of the frames below claim room."""
    frame, found = sys._getframe(), 0
    while frame := frame.f_back:
        found += frame.f_code.co_stacksize >= CLAIMED
    return found


def test_a_test_has_room():
    assert rooms_below() == 1


@pytest.mark.django_db
def test_an_answer_has_room(monkeypatch):
    before, seen = rooms_below(), []

    class Watched(wsgi.Request):
        def __init__(self, environ):
            seen.append(rooms_below())
            super().__init__(environ)

    monkeypatch.setattr(wsgi.pages, "request_class", Watched)
    environ = RequestFactory().get("/nowhere.txt", HTTP_HOST="localhost").environ
    b"".join(wsgi.application(environ, lambda *_told: None))

    assert seen == [before + 1]


def test_what_is_called_with_room_answers_and_raises_as_ever():
    assert with_room(divmod, 7, 2) == (3, 1)
    assert with_room(sorted, [2, 1], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        with_room(divmod, 7, 0)
