"""One file with an essay and all its markups, as the original comparison program takes it."""

from __future__ import annotations

import json

import pytest

from annotator.models import Essay, MarkupRecord
from annotator.services.imports.importing import Options, import_files
from tests.annotator.files import TEXT, named, selection
from tests.factories import EssaySetFactory, PersonFactory
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

NOBODY = "It is not said whose markup this is: give it a key “expert”."


@pytest.fixture
def essay_set():
    return EssaySetFactory()


def wrapper(*markups, name="case.json", **fields):
    meta = {"id": "0000028", "subject": "eng", "theme": "Sport unites people"}
    essay = {"id": 5, "meta": meta, "text": TEXT, "markups": list(markups), **fields}
    return named(name, json.dumps({"essay": essay}, ensure_ascii=False))


def wrapped(number, *selections, **fields):
    return {"id": number, "isExpert": True, "third": False, "selections": selections, **fields}


def run(essay_set, *files):
    report = import_files(files, Options(essay_set))
    return {item.name: item.reason or str(item.outcome) for item in report}


def test_the_essay_and_each_markup_come_in_with_its_author(essay_set):
    PersonFactory(username="lynx", role="participant")
    file = wrapper(
        wrapped(1, selection(0, 4), expert="exp13", criteria={"K3": "2.5"}),
        wrapped(2, selection(5, 11), meta={"expert": "exp14"}, third=True),
        wrapped(3, fileName="0000028_exp15.json"),
        wrapped("exp16"),
        wrapped("lynx", isExpert=False),
    )

    assert run(essay_set, file) == {
        "case.json": "essay",
        **{f"case.json: essay.markups[{place}]": "markup" for place in range(5)},
    }
    essay = Essay.objects.get()
    assert (essay.number, essay.text, essay.theme) == ("0000028", TEXT, "Sport unites people")
    records = {record.author.username: record for record in MarkupRecord.objects.all()}
    assert {name: (each.source, each.third, each.stated) for name, each in records.items()} == {
        "exp13": ("expert", False, {"K3": 2.5}),
        "exp14": ("expert", True, {}),
        "exp15": ("expert", False, {}),
        "exp16": ("expert", False, {}),
        "lynx": ("algorithm", False, {}),
    }
    assert records["exp13"].to_core().fragments == (fragment(0, 4),)


def test_the_name_of_the_file_gives_the_number_where_it_begins_with_one(essay_set):
    run(essay_set, wrapper(name="0000105.json"))

    assert Essay.objects.get().number == "0000105"


def test_the_one_expert_who_is_not_named_is_that_of_the_essay(essay_set):
    meta = {"id": "0000028", "subject": "eng", "expert": "exp106"}

    run(essay_set, wrapper(wrapped(1), wrapped(2, isExpert=False, expert="lynx"), meta=meta))

    assert [each.author.username for each in MarkupRecord.objects.all()] == ["exp106"]


def test_a_markup_that_cannot_come_in_is_named_and_keeps_no_other_back(essay_set):
    file = wrapper(
        wrapped(1),
        wrapped(2, selection(0, 999), expert="exp1"),
        wrapped(3, expert="exp2"),
        wrapped(4, expert="EXP2"),
        7,
    )

    assert run(essay_set, file) == {
        "case.json": "essay",
        "case.json: essay.markups[0]": NOBODY,
        "case.json: essay.markups[1]": (
            "essay.markups[1].selections[0]: "
            "The bounds 0–999 lie outside the text of 71 characters."
        ),
        "case.json: essay.markups[2]": "markup",
        "case.json: essay.markups[3]": "The file holds another markup by EXP2.",
        "case.json: essay.markups[4]": (
            "essay.markups[4]: A value of another type is expected here: object."
        ),
    }


def test_the_same_wrapper_again_changes_nothing(essay_set):
    file = wrapper(wrapped(1, selection(0, 4), expert="exp13", criteria={"K3": [1, 2]}))
    run(essay_set, file)

    assert set(run(essay_set, file).values()) == {"known"}
    assert MarkupRecord.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"text": []}, "essay.text: A value of another type is expected here: string."),
        ({"text": None}, "essay.text: A value of another type is expected here: string."),
        ({"markups": {}}, "essay.markups: A value of another type is expected here: list."),
        ({"meta": 5}, "essay.meta: A value of another type is expected here: object."),
    ],
)
def test_a_wrapper_of_another_shape_is_refused_with_its_place(essay_set, fields, reason):
    found = run(essay_set, wrapper(**fields))

    assert found == {"case.json": reason}


def test_what_a_wrapper_holds_besides_is_remarked_once(essay_set):
    (essay, markup) = import_files(
        [wrapper(wrapped(1, expert="exp1", color="red"), metrics={})], Options(essay_set)
    )

    unknown = "The key is not part of the format and was ignored. Check its spelling."
    assert essay.remarks == (f"essay.metrics: {unknown}",)
    assert markup.remarks == (f"essay.markups[0].color: {unknown}",)
