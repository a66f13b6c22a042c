"""``razbor render``: what it leaves out is said beside the file, not in it."""

from __future__ import annotations

import json

from annotator.core.language import parse
from annotator.core.values import Meta, Subject
from razbor.main import main
from tests.annotator.files import exchanged, selection
from tests.strategies import fragment


def test_outer_white_space_is_left_out_and_that_is_said(tmp_path, capsys):
    file = tmp_path / "a.json"
    marks = [selection(0, 5, correction=" Any\n")]
    file.write_bytes(exchanged("a.json", "Some people.", selections=marks, theme="Sport\n").data)

    status = main(["render", str(file)])

    out, err = capsys.readouterr()
    assert (status, parse(out).file.meta) == (0, Meta(theme="Sport", subject=Subject.ENGLISH))
    assert parse(out).file.markup.fragments == (fragment(0, 4, correction="Any"),)
    assert err.splitlines() == [
        f"{file}: The field “Тема” is written without its outer white space.",
        f"{file}: fragment 1: The fragment is written without its outer white space, at 0–4.",
        f"{file}: fragment 1: The correction is written without its outer white space.",
    ]


def test_what_cannot_be_written_is_refused_and_nothing_is_printed(tmp_path, capsys):
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"meta": {"subject": "eng"}, "text": "a (* b"}), encoding="utf-8")

    status = main(["render", str(file)])

    out, err = capsys.readouterr()
    assert (status, out, "“(*” at position 2" in err) == (2, "", True)
