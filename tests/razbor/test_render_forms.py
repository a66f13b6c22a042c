"""``razbor render --format``: the forms that hold every markup."""

from __future__ import annotations

import pytest

from annotator.core.m2 import m2_of
from annotator.core.values import Markup
from razbor.main import main
from tests.annotator.files import exchanged, selection
from tests.strategies import fragment

TEXT = "Some people think."
CROSSING = [selection(0, 11), selection(5, 17, "А.лекс")]


@pytest.mark.parametrize("form", ["csv", "m2"])
def test_crossing_fragments_are_written(tmp_path, capsys, form):
    file = tmp_path / "a.json"
    file.write_bytes(exchanged("a.json", TEXT, selections=CROSSING).data)

    status = main(["render", str(file), "--format", form])

    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    markup = Markup(TEXT, (fragment(0, 11), fragment(5, 17, "А.лекс")))
    if form == "m2":
        assert out == m2_of(markup)
    else:
        assert out.splitlines() == [
            "start,end,text,code,subcode,correction,comment,explanation,tag",
            "0,11,Some people,А.грамм,,,,,",
            "5,17,people think,А.лекс,,,,,",
        ]
