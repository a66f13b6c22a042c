"""`razbor report`: a folder told as text, CSV and JSON; earlier answers and a session beside it."""

from __future__ import annotations

import json

import pytest

HEAD = "Предмет: английский\n\n"
RIGHT = HEAD + "She (\\ А.грамм \\ have >> has \\) a bike"
OTHER = HEAD + "She (\\ А.лекс \\ have \\) a bike"
MOMENT = "2026-11-20T09:0{}+00:00"
LOG = {
    "rules": {"start": MOMENT.format("0:00")},
    "files": ["1", "2"],
    "events": [
        {"t": MOMENT.format("0:00"), "type": "open"},
        {"t": MOMENT.format("0:04"), "type": "send", "file": "1", "content": "valid"},
    ],
    "until": MOMENT.format("5:00"),
}
SHOWN = """\
 STAR  STER  OTAR  essays
80.00  –     –          2

metric  algorithm  experts
M2         100.00  –
M3          50.00  –
M4         100.00  –
M5         100.00  –
M6          50.00  –

eng
code     experts  algorithm  right  precision  recall
А.лекс         0          1      0       0.00       –
А.грамм        2          1      1     100.00   50.00

eng
criterion  experts  algorithm  right  precision  recall
K3               0          1      0       0.00       –
K4               2          1      1     100.00   50.00

experts  algorithm  times
А.грамм  А.лекс         1

Worst essays
essay    STAR  STER  found  other code  missed  invented
    2   60.00  –         1           1       0         0
    1  100.00  –         1           0       0         0
"""


@pytest.fixture
def marked(folder):
    path = folder(**{"1__txt": RIGHT, "2__txt": OTHER})
    for number in (1, 2):
        (path / f"{number}_exp01.txt").write_text(RIGHT, "utf-8")
    return path


@pytest.mark.usefixtures("marked")
def test_a_folder_is_told_as_text(run):
    assert run("report", ".") == (0, SHOWN, "")


def test_earlier_answers_tell_what_became_better(marked, run):
    (marked / "before").mkdir()
    for number in (1, 2):
        (marked / "before" / f"{number}.txt").write_text(OTHER, "utf-8")

    status, printed, _told = run("report", ".", "--last", "before", "--json")

    assert status == 0
    assert json.loads(printed)["change"] == {
        "star": 20.0,
        "common": 2,
        "difference": 20.0,
        "better": 1,
        "worse": 0,
    }


def test_files_of_a_session_that_are_not_in_the_folder_are_named(marked, run):
    (marked / "session").mkdir()
    others = json.dumps({**LOG, "files": ["1", "2", "7"]})
    (marked / "session" / "log.json").write_text(others, "utf-8")

    status, _printed, told = run("report", ".", "--session", "session/log.json")

    words = "--session: the folder has no such files, which are left out: 7\n"
    assert (status, words in told) == (0, True)


def test_a_session_tells_the_times_and_its_annulled_files_do_not_count(marked, run):
    (marked / "session").mkdir()
    (marked / "session" / "log.json").write_text(json.dumps(LOG), "utf-8")

    status, printed, _told = run("report", ".", "--session", "session/log.json")

    assert status == 0
    assert printed.startswith("  STAR  STER  OTAR  essays\n100.00  –     –          1\n")
    assert printed.endswith(
        "Answers: median 4.0 s, 95 % within 4.0 s\n\n"
        "Annulled: 1 of 2 (50.0%)\n  2: no answer came\n"
    )


@pytest.mark.usefixtures("marked")
def test_a_figure_stands_on_each_line_of_the_csv(run):
    status, printed, _told = run("report", ".", "--csv")

    lines = printed.split("\r\n")
    assert (status, lines[:2]) == (
        0,
        ["part,subject,name,figure,value", "summary,,STAR,percent,80.0"],
    )
    assert "meeting,eng,А.грамм / А.лекс,count,1" in lines


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["nowhere"], "razbor: nowhere: no such folder.\n"),
        (["1.txt"], "razbor: 1.txt: this is no folder. Name the one it lies in.\n"),
        (
            [".", "--weights", "1,1,1,1,1,1,0"],
            "razbor: --weights: w1 must be 0 here, since M1 needs points.\n",
        ),
        ([".", "--session", "1.txt"], "razbor: 1.txt: "),
        ([".", "--json", "--csv"], "razbor: --json and --csv: choose one of them."),
        ([".", "--last", "nowhere"], "razbor: nowhere: no such folder.\n"),
    ],
)
def test_what_cannot_be_used_is_refused(run, arguments, hint):
    status, printed, told = run("report", *arguments)

    assert (status, printed, told[: len(hint)]) == (2, "", hint)


def test_an_essay_that_cannot_be_used_is_told_and_left_out(marked, run):
    (marked / "2_exp01.txt").write_text(HEAD + "another text", "utf-8")

    status, printed, told = run("report", ".", "--json")

    assert (status, json.loads(printed)["essays"]) == (2, 1)
    assert told.startswith("razbor: 2_exp01.txt")
