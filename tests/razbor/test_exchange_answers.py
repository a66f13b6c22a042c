"""What a participant's program answers is checked before it is sent."""

from __future__ import annotations

import json

import pytest

from razbor import words
from razbor.answers import Nonsense, check

TEXT = "She have a bike.\nIt is red."
ESSAY = {"meta": {"id": "7", "subject": "eng", "theme": "A bike"}, "text": TEXT}
FOUND = {"startSelection": 4, "endSelection": 8, "type": "А.грамм", "correction": "has"}


@pytest.fixture(autouse=True)
def _in_english(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", words.gettext.NullTranslations())


def sent(data):
    checked = check(data if isinstance(data, bytes) else data.encode(), ESSAY)
    body = json.loads(checked.body)
    assert (body["meta"], body["text"]) == (ESSAY["meta"], TEXT)
    spans = [(each["startSelection"], each["endSelection"]) for each in body["selections"]]
    assert checked.fragments == len(spans)
    return spans


@pytest.mark.parametrize(
    ("data", "spans"),
    [
        ('{"selections": []}', []),
        (json.dumps({"selections": [FOUND]}), [(4, 8)]),
        (b"\xef\xbb\xbf" + json.dumps({**ESSAY, "selections": [FOUND]}).encode(), [(4, 8)]),
        (TEXT, []),
        ("She (\\А.грамм\\have >>has\\) a bike.\nIt is red.", [(4, 8)]),
        ("\nShe  (\\ А.грамм \\ have >> has \\) a bike.\n\nIt is red.\n", [(4, 8)]),
    ],
)
def test_json_and_brackets_become_the_same_file(data, spans):
    assert sent(data) == spans


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "The answer is empty. A markup without fragments has “selections”: []."),
        (b"\xff", "Byte 0 of the answer is not UTF-8."),
        (b" " * 2_621_441, "The answer is larger than 2.5 MB."),
        (b"hello", "Without its brackets the answer is another text than the essay."),
        (b"[]", "The answer is JSON, but no object with “selections” in it."),
        (b' "She have a bike." ', "The answer is JSON, but no object with “selections” in it."),
        (b'{"text": "other", "selections": []}', "text: "),
        (b'{"selections": [{"startSelection": 4, "endSelection": 99}]}', "selections[0]"),
        (b"{}", "selections: "),
        (b'{"selections": null}', "selections: "),
        (json.dumps({"selections": [FOUND] * 1001}).encode(), "A markup holds at most 1000"),
        (json.dumps({"selections": [{**FOUND, "tag": "x" * 61}]}).encode(), "60"),
    ],
)
def test_nonsense_is_told_with_its_place(data, told):
    with pytest.raises(Nonsense) as refused:
        check(data, ESSAY)

    assert told in str(refused.value)


def test_a_code_nobody_knows_and_fragments_that_cross_are_remarked():
    crossing = {**FOUND, "startSelection": 6, "endSelection": 10}
    unknown = {**FOUND, "type": "А.грам", "corection": "has"}

    checked = check(json.dumps({"selections": [unknown, crossing]}).encode(), ESSAY)

    assert [remark.split(".")[0] for remark in checked.remarks] == [
        "selections[0]",
        "fragment 1: The code “А",
        "fragment 2: The fragment crosses fragment 1",
    ]
