"""`razbor score qac` and `razbor qac`: what is printed, where, what is written, which status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from razbor.commands import score_qac
from razbor.main import main
from schemes.core.qac.messages import READINGS, SENTENCES

ANSWER = 'Q1: "津", 1, "東京", 2\nQ2:\nQ3: "京都", 3\n'
SYSTEM = 'Q1: "x", 1, "津", 1\nQ3: "京都", 4\n'
OF_TASK_1 = """Task1 Results:
1.5 marks out of 3.0 in TASK1
Average score: 0.500

----------------------------------------------------------
    Question      Answer      Output     Correct
----------------------------------------------------------
           3           3           3           1
----------------------------------------------------------

----------------------------------------------------------
      Recall   Precision   F-measure     MRR/AFM
----------------------------------------------------------
       0.333       0.333       0.333       0.500
----------------------------------------------------------
"""
OF_5 = (
    'Q1 "";CORRECT ANSWER: 津 東京;x;津 *;Q2 "";CORRECT ANSWER:;Q3 "?";CORRECT ANSWER: 京都;京都;'
)
ARTICLE = (
    "reading: a response is right when its string and its article stand in the key; right strings "
    "with another article count as wrong (--match string takes them): 1\n"
)
EMPTY = "reading: no response to a question without an answer is worth the full mark: 1\n"
ABSENT = "reading: a question without a line in the responses counts as one without a response: 1\n"
NO_LINE = (
    "answer.txt, line 2, id Q2: The responses have no line for this question. It counts as one "
    "without any.\n"
)
RES_DAT = "Q1: x ×, 津 ○\nQ2: φ ○\nQ3: 京都 ×\n"


@pytest.fixture
def qac(write, run, tmp_path):
    """Write both files, run the command; the res.dat it wrote comes last."""

    def run_qac(*options, answer=ANSWER, system=SYSTEM, files=("-a", "answer.txt", "system.txt")):
        write("txt", answer=answer, system=system)
        status, out, err = run("qac", *options, *files)
        res_dat = tmp_path / "res.dat"
        return status, out, err, res_dat.read_text("utf-8") if res_dat.exists() else None

    return run_qac


def test_the_tables_the_notes_and_res_dat(qac):
    assert qac("-t", "1") == (
        0,
        OF_TASK_1,
        NO_LINE
        + ARTICLE
        + EMPTY
        + ABSENT
        + "Average score: 0.500 by string and article, 0.833 by string.\n",
        RES_DAT,
    )


def test_the_alias_does_the_same_and_task_1_is_the_default(qac, capsys, tmp_path):
    _, out, err, written = qac("-t", "1")
    (tmp_path / "res.dat").unlink()

    assert main(["qac", "--answer", "answer.txt", "system.txt"]) == 0
    printed = capsys.readouterr()
    assert (printed.out, (tmp_path / "res.dat").read_text("utf-8")) == (out, written)
    assert printed.err == err.replace(
        ARTICLE, f"reading: task 1, since --task is not given\n{ARTICLE}"
    )


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (("-t", "2"), ("Task2 Results:", "1.5 marks out of 3.0 in TASK2", "Average score: 0.500")),
        (("-t", "3"), ("Task3 Results:", "1.5 marks out of 3.0 in TASK3", "Average score: 0.500")),
        (
            ("-t", "1", "--match", "string"),
            ("Task1 Results:", "2.5 marks out of 3.0 in TASK1", "Average score: 0.833"),
        ),
    ],
)
def test_the_other_tasks_and_the_other_reading(qac, options, lines):
    assert tuple(qac(*options)[1].splitlines()[:3]) == lines


@pytest.mark.parametrize(
    ("task", "number", "lines"),
    [
        ("1", "1", "Q1 2 2;1 津 1;2 東京 2;Q2 0 0;Q3 1 1;1 京都 3;"),
        ("1", "2", "Q1 2;0 x 1;1 津 1;Q3 1;0 京都 4;"),
        ("3", "3", "津 | 1;京都 | -1;"),
        ("2", "4", "Q1: 2 2 1 0.500000;Q2: 0 0 0 1.000000;Q3: 1 1 0 0.000000;"),
        ("1", "5", OF_5),
    ],
)
def test_an_extraction_is_all_that_is_printed_and_nothing_is_written(qac, task, number, lines):
    key = ANSWER + 'Q3: "?"\n' if number == "5" else ANSWER
    status, out, _, written = qac("-t", task, "-e", number, answer=key)

    assert (status, written) == (0, None)
    assert out == lines.replace(";", "\n")


def test_texts_of_questions_come_from_a_file_of_their_own(qac, write):
    write("txt", questions='Q1: "津はどこ？"\n')

    out = qac("-t", "1", "-e", "5", "--questions", "questions.txt")[1]

    assert out.splitlines()[0] == 'Q1 "津はどこ？"'


def test_json_has_everything_and_nothing_is_written(qac):
    status, out, err, written = qac("-t", "1", "--json")
    found = json.loads(out)

    assert (status, written) == (0, None)
    assert err.endswith("Average score: 0.500 by string and article, 0.833 by string.\n")
    assert {name: value for name, value in found.items() if not isinstance(value, list)} == {
        "task": 1,
        "match": "article",
        "nfkc": False,
        "marks": 1.5,
        "questions": 3,
        "answers": 3,
        "responses": 3,
        "correct": 1,
        "average": 0.5,
        "recall": 1 / 3,
        "precision": 1 / 3,
        "f_measure": 1 / 3,
        "averages": {"article": 0.5, "string": 2.5 / 3},
        "encodings": {"key": "UTF-8", "responses": "UTF-8"},
    }
    assert found["per_question"][2] == {
        "id": "Q3",
        "text": "",
        "mark": 0.0,
        "marks": {"article": 0.0, "string": 1.0},
        "correct": 0,
        "given": True,
        "answers": [{"number": 1, "string": "京都", "article": "3"}],
        "responses": [
            {
                "string": "京都",
                "article": "4",
                "right": False,
                "number": 1,
                "same_article": False,
            }
        ],
    }
    assert [each["code"] for each in found["warnings"]] == ["no-responses"]
    assert found["readings"][0] == {
        "code": "article-too",
        "count": 1,
        "message": ARTICLE.removesuffix(": 1\n"),
    }


@pytest.mark.parametrize("codec", ["euc_jp", "shift_jis", "iso2022_jp"])
def test_every_japanese_code_is_read_and_utf_8_is_written(qac, codec):
    status, out, err, written = qac("-t", "1", system=SYSTEM.encode(codec))

    assert (status, out, written) == (0, OF_TASK_1, RES_DAT)
    assert f"system.txt: read as {codec.replace('_', '-')}.\n".lower() in err.lower().replace(
        *("shift_jis", "shift-jis")
    ).replace("iso-2022-jp", "iso2022-jp")


def test_a_code_can_be_given(qac):
    narrow = 'Q1: "ｱｲ", 1\n'

    assert qac("--encoding", "shift-jis", answer=narrow.encode("cp932"), system="")[3] == (
        "Q1: φ ×\n"
    )
    assert "ｱｲ" in qac("-e", "1", "--encoding", "Shift_JIS", answer=narrow.encode("cp932"))[1]


BROKEN = {
    "no id": ('"津", 1\n', "line 1: The line does not begin with the ID of a question."),
    "unquoted": ("\nQ1: 津, 1\n", "line 2, column 5, id Q1: “津” is not in its place."),
    "open quote": ('Q1: "津, 1\n', "line 1, column 5, id Q1: The quote that opens here"),
    "twice": ("Q1:\nQ1:\n", "line 2, id Q1: The question was given before, in line 1."),
    "no article": ('Q1: "津", "東", 1', "line 1, column 5, id Q1: “津” has no article."),
    "nothing": ('Q1: "", 1', "line 1, column 5, id Q1: There is nothing between the quotes."),
    "NUL": ('Q1: "\0", 1', "line 1, column 6, id Q1: The line holds a control character."),
    "bytes": (
        'Q1: "津", 1\nQ2: "'.encode("euc_jp") + b'\xff", 1',
        "line 2, id Q2: Byte 6 of the line is not EUC-JP.",
    ),
    "noise": (b"\xff\xfd\n\xfd\xff", "line 1: The file is no text in UTF-8, EUC-JP,"),
    "ZIP": (b"PK\x03\x04\x14", "This is a ZIP archive, and a text is expected here."),
    "UTF-16": ("Q1:".encode("utf-16"), "The file is UTF-16."),
}


@pytest.mark.parametrize("name", ["answer", "system"])
@pytest.mark.parametrize(("contents", "sentence"), BROKEN.values(), ids=BROKEN)
def test_bad_input_is_one_line_and_nothing_is_written(qac, name, contents, sentence):
    status, out, err, written = qac(**{name: contents})

    assert (status, out, written) == (2, "", None)
    assert err.startswith(f"razbor: {name}.txt")
    assert sentence in err
    assert err.count("\n") == 1
    assert err.endswith(".\n")


def test_a_broken_line_does_not_hide_the_others(qac):
    status, out, err, written = qac(answer=f"{ANSWER}津\nQ1:\n", system=f"{SYSTEM}Q4: 津\n")

    assert (status, out, written) == (2, "", None)
    assert [line.split(": ")[1] for line in err.splitlines()] == [
        "answer.txt, line 4",
        "answer.txt, line 5, id Q1",
        "system.txt, line 3, column 5, id Q4",
    ]


def test_broken_lines_can_be_left_out(qac):
    status, out, err, written = qac("-t", "1", "--skip-broken", answer=f"{ANSWER}Q4: 津\n")

    assert (status, out, written) == (0, OF_TASK_1, RES_DAT)
    assert err.startswith("answer.txt, line 4, column 5, id Q4: “津” is not in its place.")
    assert "or is left out if it is the key's: 1\n" in err


def test_of_very_many_broken_lines_the_number_is_told(qac):
    err = qac(system="津\n" * 30)[2]

    assert err.count("\n") == score_qac.NAMED + 1
    assert err.endswith("razbor: system.txt: More problems of this file: 10.\n")


def test_of_very_many_warnings_the_number_is_told(qac):
    key = "".join(f'Q{number}: "津", 1\n' for number in range(30))
    err = qac(answer=key, system="")[2]

    assert err.count("The responses have no line") == 5
    assert "More warnings of this kind: 25.\n" in err


def test_an_empty_key_is_refused_and_empty_responses_are_all_phi(qac):
    assert qac(answer="# nothing\n") == (
        *(2, ""),
        "razbor: answer.txt: The file has no question. Give the file with the right answers.\n",
        None,
    )
    assert qac(system=b"")[3] == "Q1: φ ×\nQ2: φ ○\nQ3: φ ×\n"


OPTIONS = {
    "no answer": (("system.txt",), "--answer is missing. Name the file with the right answers."),
    "no such file": (
        ("-a", "nothing.txt", "system.txt"),
        "nothing.txt: there is no such file. Check the name.",
    ),
    "a folder": (("-a", ".", "system.txt"), ".: this is a folder. Name a file in it."),
    "NUL in a name": (
        ("-a", "x\0", "system.txt"),
        "x\0: there is no such file. Check the name.",
    ),
    "both from the input": (
        ("-a", "-", "-"),
        "The input can be read once only. Name the other files.",
    ),
    "task 0": (("-t", "0"), "--task 0: there is none. Use 1, 2 or 3."),
    "tasks": (
        ("-t", "1, \t3"),
        "--task “1, \\t3” holds “,”, a blank, U+0009. Give one number alone: 1, 2 or 3.",
    ),
    "task x": (("-t", "x"), "--task x: there is none. Use 1, 2 or 3."),
    "task 4": (
        ("-t", "4"),
        "--task 4: what scoring.pl does there is not documented. Use 1, 2 or 3.",
    ),
    "extract 6": (("-e", "6"), "--extract 6: there is none. Use 1, 2, 3, 4 or 5."),
    "extract ¹": (("-e", "¹"), "--extract ¹: there is none. Use 1, 2, 3, 4 or 5."),
    "4 of task 1": (("-e", "4"), "--extract 4 works for task 2 only. Add --task 2."),
    "5 of task 3": (("-t", "3", "-e", "5"), "--extract 5 works for task 1 only. Add --task 1."),
    "match": (("--match", "x"), "--match x: there is none. Use string or article."),
    "encoding": (
        ("--encoding", "koi8"),
        "--encoding koi8: there is none. Use UTF-8, ISO-2022-JP, EUC-JP, Shift_JIS.",
    ),
}


@pytest.mark.parametrize(("options", "sentence"), OPTIONS.values(), ids=OPTIONS)
def test_wrong_options_are_one_line_and_nothing_is_written(qac, options, sentence):
    files = () if "system.txt" in options or "-" in options else ("-a", "answer.txt", "system.txt")

    assert qac(*options, files=files) == (2, "", f"razbor: {sentence}\n", None)


@pytest.mark.parametrize("options", [["--nothing"], [], ["-t"], ["a", "b"]], ids=" ".join)
def test_what_argparse_refuses_is_one_line(capsys, options):
    with pytest.raises(SystemExit) as caught:
        main(["qac", *options, *(["x"] if options == ["--nothing"] else [])])
    printed = capsys.readouterr()

    assert (caught.value.code, printed.out) == (2, "")
    assert printed.err.startswith("razbor: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("option", ["-v", "--version"])
def test_the_version_is_that_of_the_original(capsys, option):
    with pytest.raises(SystemExit) as caught:
        main(["qac", option])

    assert (caught.value.code, capsys.readouterr().out) == (0, "scoring.pl 1.50 (razbor)\n")


@pytest.mark.usefixtures("marked_words")
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_the_words_of_help_go_through_the_catalogue(capsys, option):
    with pytest.raises(SystemExit) as caught:
        main(["qac", option])
    out = " ".join(capsys.readouterr().out.split())

    assert caught.value.code == 0
    assert out.startswith("usage: razbor qac [-h] [-a FILE] [-t N] [-e N] [-v]")
    assert "<the right answers>" in out


@pytest.mark.usefixtures("marked_words")
def test_the_words_of_notes_go_through_the_catalogue(qac):
    _, out, err, _ = qac()

    assert out == OF_TASK_1
    assert all("<" in line for line in err.splitlines())
    assert f"<{SENTENCES['no-responses']}>" in err
    assert all(reading not in err.replace(f"<{reading}>", "") for reading in READINGS.values())


def test_res_dat_is_never_written_over_a_file_that_was_read(qac, tmp_path):
    (tmp_path / "res.dat").write_text(SYSTEM, encoding="utf-8")

    status, out, err, written = qac(files=("-a", "answer.txt", "./res.dat"))

    assert (status, out, written) == (2, "", SYSTEM)
    assert err == "razbor: res.dat would be written over. Give that file another name.\n"


def test_an_older_res_dat_is_replaced(qac, tmp_path):
    (tmp_path / "res.dat").write_text("older", encoding="utf-8")

    assert qac()[3] == RES_DAT
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("answer.txt", "res.dat", "system.txt")
    ]


def test_where_res_dat_cannot_be_written_nothing_is_printed(write, run, tmp_path):
    write("txt", answer=ANSWER, system=SYSTEM)
    (tmp_path / "res.dat").mkdir()

    status, out, err = run("qac", "-a", "answer.txt", "system.txt")

    assert (status, out) == (2, "")
    assert err == (
        "razbor: res.dat cannot be written here: Is a directory. Go to a folder of your own.\n"
    )
    assert not list(tmp_path.glob("res.dat.*"))


def test_the_output_is_utf_8_whatever_the_terminal_says(write, tmp_path):
    write("txt", answer=ANSWER, system=SYSTEM)
    root = str(Path(__file__).parents[4])
    environment = {**os.environ, "PYTHONPATH": root, "PYTHONIOENCODING": "ascii"}

    done = subprocess.run(
        [*(sys.executable, "-m", "razbor.main", "qac", "-e", "3"), "-a", "answer.txt", "-"],
        cwd=tmp_path,
        env=environment,
        input=SYSTEM.encode("euc_jp"),
        capture_output=True,
        check=True,
    )

    assert done.stdout.decode("utf-8") == "津 | 1\n京都 | -1\n"
