"""`razbor session`: a log judged again, and what is refused of a case."""

from __future__ import annotations

import json

import pytest

from contest.core.session_rules import What
from tests.contest.core.test_timeline import CASES

LOG = {
    "session": 1094,
    "rules": {"start": "2026-11-20T12:00:00+03:00"},
    "files": ["0101", "0102"],
    "events": [
        {"t": "2026-11-20T08:59:50.000000+00:00", "type": "open"},
        {
            "t": "2026-11-20T09:00:01.531000+00:00",
            "type": "send",
            "file": "0101",
            "content": "valid",
        },
        {
            "t": "2026-11-20T09:02:00.000001+00:00",
            "type": "send",
            "file": "0102",
            "content": "valid",
        },
    ],
    "deliveries": [{"t": "2026-11-20T09:00:00.100000+00:00", "file": "0101"}],
    "until": "2026-11-20T09:05:00.000000+00:00",
}
SHOWN = """\
Session: finished
Opened: 2026-11-20T08:59:50.000000+00:00
Closed: 2026-11-20T09:02:00.000000+00:00

file  opens                             verdict   why             sends  seconds
0101  2026-11-20T09:00:00.000000+00:00  counts    –                   1     1.53
0102  2026-11-20T09:01:00.000000+00:00  annulled  no answer came      0        –

Without effect:
  sent after the session had ended: 1

Annulled: 1 of 2 (50.0%)
The solution is annulled: too many files are.
"""
CASE = {"files": ["1"], "events": [{"t": 1, "type": "open"}], "until": 2}


def with_event(**event):
    return {**CASE, "events": [{"t": 1, "type": "open"}, event]}


def test_a_log_is_judged_and_shown(folder, run):
    folder(log__json=LOG)

    assert run("session", "log.json") == (0, SHOWN, "")


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (1, "In a final the solution would stand."),
        (0, "In a final the solution would be annulled: too many files are."),
    ],
)
def test_of_a_rehearsal_no_solution_is_said_to_stand(folder, run, share, told):
    folder(log__json={**LOG, "rules": {**LOG["rules"], "share": share}, "rehearsal": True})

    last = run("session", "log.json")[1].splitlines()[-1]

    assert last == f"A rehearsal counts nowhere. {told}"


def test_of_files_that_were_never_handed_out_it_is_said(folder, run):
    aborted = {"t": "2026-11-20T09:00:30.000000+00:00", "type": "abort"}
    folder(log__json={**LOG, "events": [*LOG["events"][:2], aborted]})

    lines = run("session", "log.json")[1].splitlines()

    assert [line.split("annulled")[1].strip() for line in lines if line.startswith("0102")] == [
        "not handed out: the session had ended      0        –"
    ]


def test_a_log_as_json_has_moments_of_whole_microseconds(folder, run):
    folder(log__json=LOG)

    status, printed, _ = run("session", "log.json", "--json")

    found = json.loads(printed)
    assert (status, found["session"], found["files"][0]["response"]) == (
        0,
        {
            "state": "finished",
            "opened_at": "2026-11-20T08:59:50.000000+00:00",
            "closed_at": "2026-11-20T09:02:00.000000+00:00",
        },
        1.531,
    )
    assert found["events"] == [None, None, "closed"]


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        ({"files": []}, "files: There are no files. Name at least one."),
        ({"files": ["1", "1"]}, "files[1]: The file “1” is named twice. Keep one of them."),
        ({"files": [1]}, "files[0]: A string is expected here. Put it in quotes."),
        ({"files": [""]}, "files[0]: The string is empty. Write a name."),
        ({"files": "1"}, "files: A list is expected here."),
        ({"rules": []}, "rules: A JSON object is expected here."),
        ({"rules": {"limits": 1}}, "rules: The key “limits” is unknown. Check its spelling."),
        ({"rules": {"pace": "slow"}}, "rules.pace: “slow” is none of these: schedule, asked."),
        ({"rules": {"limit": 0}}, "rules.limit: The span must be longer than 0 seconds."),
        ({"rules": {"lost": -1}}, "rules.lost: The span must be 0 seconds or longer."),
        ({"rules": {"sends": 0}}, "rules.sends: A whole number of 1 or more is expected here."),
        ({"rules": {"share": 2}}, "rules.share: A share from 0 to 1, or null, is expected here."),
        (
            {"until": True},
            "until: A number of seconds is expected here, with at most 12 decimals.",
        ),
        (
            {"events": [{"t": 2, "type": "open"}, {"t": 1, "type": "ask"}]},
            "events[1].t: The event is earlier than the one before it. Put events in their order.",
        ),
        ({"events": [1]}, "events[0]: A JSON object is expected here."),
        ({"events": [{"t": 1}]}, "events[0]: The key “type” is missing. Add it."),
        (
            {"events": [{"t": 1, "type": "go"}]},
            f"events[0].type: “go” is none of these: {', '.join(What)}.",
        ),
        (
            {"events": [{"t": 1, "type": "send", "file": "1"}]},
            "events[0]: The key “content” is missing. Add it.",
        ),
        (
            {"events": [{"t": 1, "type": "open", "file": "1"}]},
            "events[0]: The key “file” is unknown. Check its spelling.",
        ),
    ],
)
def test_a_bad_case_is_refused_by_its_place(folder, run, broken, error):
    folder(cases__jsonl=json.dumps({"id": 7, **CASE, **broken}) + "\n")

    status, printed, told = run("session", "--jsonl", "cases.jsonl")

    assert (status, json.loads(printed)) == (2, {"id": 7, "error": error})
    assert told == f"razbor: cases.jsonl, line 1: {error}\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[]", "log.json: a log is one JSON object."),
        ("{", "log.json: line 1, column 2: This is not JSON. "),
        (
            json.dumps({**LOG, "until": "2026-11-20 12:00"}),
            "log.json: until: A moment such as 2026-11-20T11:25:04.531000+00:00 is expected here.",
        ),
    ],
)
def test_a_bad_log_is_refused_by_its_place(folder, run, text, error):
    folder(log__json=text)

    status, printed, told = run("session", "log.json")

    assert (status, printed) == (2, "")
    assert told.startswith(f"razbor: {error}")


def test_the_worked_sessions_come_out_of_the_command(folder, run):
    folder(cases__jsonl="".join(json.dumps(case) + "\n" for case in CASES))

    status, printed, _ = run("session", "--jsonl", "cases.jsonl")

    answers = [json.loads(line) for line in printed.splitlines()]
    assert (status, answers) == (0, [{"id": each["id"], **each["expect"]} for each in CASES])
