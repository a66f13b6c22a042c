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
        "than": "before",
        "than_at": None,
    }


def test_what_became_better_is_told_over_the_essays_that_count_in_both(marked, run):
    (marked / "before").mkdir()
    (marked / "before" / "1.txt").write_text(OTHER, "utf-8")

    _status, printed, _told = run("report", ".", "--last", "before")
    found = json.loads(run("report", ".", "--last", "before", "--json")[1])["change"]

    words = f"over the essays that count in both (1): STAR {found['difference']:+.2f}; "
    better = f"{found['better']} better, {found['worse']} worse"
    assert f"\nSince the last, {words}{better}\n" in printed
    assert found["difference"] != found["star"]


def test_experts_files_beside_earlier_answers_do_not_count_and_are_named(marked, run):
    (marked / "before").mkdir()
    for name, words in (("1.txt", OTHER), ("1_exp01.txt", OTHER), ("1_exp02.txt", RIGHT)):
        (marked / "before" / name).write_text(words, "utf-8")

    status, printed, told = run("report", ".", "--last", "before", "--json")

    found = json.loads(printed)["change"]
    assert (status, found["common"], found["difference"], found["better"]) == (0, 1, 40.0, 1)
    instead = "files of experts instead of which those of the first folder count"
    assert f"{instead}: 1_exp01.txt, 1_exp02.txt\n" in told


def test_the_limit_of_a_session_and_what_it_allows_are_those_of_its_log(marked, run):
    (marked / "session").mkdir()
    log = {**LOG, "rules": {**LOG["rules"], "limit": 30, "share": 0.5}}
    (marked / "session" / "log.json").write_text(json.dumps(log), "utf-8")

    found = json.loads(run("report", ".", "--session", "session/log.json", "--json")[1])["session"]

    assert (found["limit"], found["allowed"]) == (30.0, 1)


def test_an_earlier_solution_without_a_common_essay_is_no_measure(marked, run):
    (marked / "before").mkdir()
    (marked / "before" / "9.txt").write_text(OTHER, "utf-8")

    printed = run("report", ".", "--last", "before")[1]

    assert "\nSince the last: no essay counts in both.\n" in printed


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


def test_a_folder_of_a_board_serves_the_report_of_one_of_its_algorithms(folder, run):
    path = folder(**{f"{number}_exp01__txt": RIGHT for number in (1, 2)})
    for name, texts in (("lynx", (RIGHT, OTHER)), ("owl", (RIGHT, RIGHT))):
        (path / name).mkdir()
        for number, text in enumerate(texts, 1):
            (path / name / f"{number}.txt").write_text(text, "utf-8")

    assert run("report", ".", "--system", "lynx") == (0, SHOWN, "")
    found = json.loads(run("report", ".", "--system", "owl", "--json")[1])
    stars = [
        json.loads(run("star", ".", "--system", each, "--json")[1]) for each in ("owl", "lynx")
    ]
    assert [each["STAR"] for each in stars] == [100.0, 80.0]
    assert found["STAR"] == 100.0


def test_earlier_answers_may_lie_in_a_folder_of_a_board_too(folder, run):
    path = folder(**{"1_exp01__txt": RIGHT})
    for place, text in (("lynx", RIGHT), ("last/lynx", OTHER)):
        (path / place).mkdir(parents=True)
        (path / place / "1.txt").write_text(text, "utf-8")

    _status, out, _errors = run("report", ".", "--system", "lynx", "--last", "last", "--json")

    assert json.loads(out)["change"]["difference"] == 40.0
