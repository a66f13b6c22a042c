from __future__ import annotations

import json

import pytest

from tests.hostile.corpus.inputs import Input
from tests.hostile.verdicts import Case, complaints
from tests.hostile.visitor import Answer

PAGE = {"Content-Type": "text/html; charset=utf-8"}
JSON = {"Content-Type": "application/json"}
SOUND = b"<!doctype html><h1>Not done</h1>"


def refusal(**body):
    return json.dumps({"code": "problems", "message": "No.", **body}).encode()


def judged(answer, *, written=False, **case):
    sent = Case("door", "place", Input("input", "", "text"), **case)
    return list(complaints(sent, answer, written))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (Answer(500, PAGE, SOUND, "KeyError"), "500: 'KeyError'"),
        (Answer(404, {"Content-Type": "text/plain"}, b"no"), "404 that is neither a page nor"),
        (Answer(404, PAGE, b"<!doctype html>Not found"), "404 without a sentence"),
        (Answer(404, JSON, b'{"detail": "Not found."}'), "404 without a sentence"),
        (Answer(400, JSON, refusal()), "400 without a place"),
        (Answer(409, JSON, refusal(message="sqlite3 is locked")), "tells of its inside"),
        (Answer(302, {"Location": "//evil.example"}), "leads away to //evil.example"),
        (Answer(200, PAGE, b"<!doctype html><script>x()</script>"), "could run or lead away"),
        (Answer(200, PAGE, b"<!doctype html><p onclick=x()>"), "could run or lead away"),
        (Answer(200, PAGE, b"<!doctype html><b><i><!--x-->"), "could run or lead away"),
    ],
)
def test_a_bad_answer_is_convicted(answer, complaint):
    assert any(each.startswith(complaint) for each in judged(answer))


def test_an_unexpected_status_a_wrong_place_and_a_half_written_row_are_convicted():
    accepted = Answer(201, JSON, b"{}")
    misplaced = Answer(422, JSON, refusal(problems=[{"path": "meta", "place": "meta"}]))

    assert judged(accepted, expected=frozenset({422})) == ["201, not [422]: b'{}'"]
    assert judged(misplaced, path="text") == ["422 names ['meta'], not text"]
    assert judged(misplaced, written=True) == ["422, but rows were written"]


def test_a_page_that_must_warn_and_does_not_is_convicted():
    assert judged(Answer(200, PAGE, SOUND), warns=True) == ["200 says []"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, PAGE, SOUND),
        Answer(404, PAGE, SOUND),
        Answer(400, JSON, refusal(line=1)),
        Answer(302, {"Location": "/queue/"}),
    ],
)
def test_a_good_answer_is_not(answer):
    assert judged(answer) == []
