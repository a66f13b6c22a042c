"""Files a browser or a system gave a second name to, as they come in with the others."""

from __future__ import annotations

import pytest

from annotator.models import Essay
from annotator.services.imports.importing import Imported, Options, Outcome, import_files
from tests.annotator.files import MARKED, PLAIN, TEXT, named
from tests.factories import EssayFactory, EssaySetFactory

pytestmark = pytest.mark.django_db

COPY = "The name looks like that of a copy of "
SAME = f"{COPY}essay 0001, and the text is the same: leave the file out, unless both are meant."
OTHER = f"{COPY}essay 0001, but the text is another one: it becomes an essay of its own."
NONE = f"{COPY}“0009”, which is not in the set: this becomes the number of an essay."
REFUSED = "{}“{}”. Leave the file out, or name it so."


def test_a_copy_of_an_essay_is_told_from_another_text_and_from_a_copy_of_nothing():
    names = ["0001.txt", "0001 (1).txt", "0001 - Copy.txt", "0009 (1).txt"]
    texts = [PLAIN, PLAIN, f"{PLAIN} So?", f"{PLAIN} No."]
    files = [named(name, text) for name, text in zip(names, texts, strict=True)]

    report = import_files(files, Options(EssaySetFactory()))

    assert {each.name: each.remarks for each in report} == {
        "0001.txt": (),
        "0001 (1).txt": (SAME,),
        "0001 - Copy.txt": (OTHER,),
        "0009 (1).txt": (NONE,),
    }
    assert Essay.objects.count() == 4


def test_a_copy_of_what_the_set_has_is_remarked_on_once_it_comes_in():
    essay_set = EssaySetFactory()
    EssayFactory(essay_set=essay_set, number="0001", text=TEXT)
    file = named("Копия 0001.txt")

    assert [each.remarks for each in import_files([file], Options(essay_set))] == [(SAME,)]
    again = import_files([named("Копия 0001.txt")], Options(essay_set))
    assert again == [Imported("Копия 0001.txt", Outcome.KNOWN)]


@pytest.mark.parametrize(
    ("name", "text", "original"),
    [
        ("0001_exp1 (1).txt", MARKED, "0001_exp1"),
        ("0001_exp1 (1).txt", PLAIN, "0001_exp1"),
        ("0001_team — копия.txt", MARKED, "0001_team"),
        ("0001 (1).txt", f"Эксперт: exp1\n{MARKED}", "0001"),
    ],
)
def test_a_copy_of_a_markup_is_refused_with_the_name_it_should_have(name, text, original):
    essay_set = EssaySetFactory()
    EssayFactory(essay_set=essay_set, number="0001", text=TEXT)

    (report,) = import_files([named(name, text)], Options(essay_set))

    assert (report.outcome, report.reason) == (Outcome.REFUSED, REFUSED.format(COPY, original))
    assert Essay.objects.count() == 1
