from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.models import Essay, EssaySet
from tests.annotator.files import MARKED, PLAIN, TEXT, zipped
from tests.factories import EssaySetFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="Рабочая выборка")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "0001.txt").write_text(PLAIN, encoding="utf-8")
    (tmp_path / "0001_exp1.txt").write_text(MARKED, encoding="utf-8")
    (tmp_path / "notes.md").write_text("not ours", encoding="utf-8")
    return tmp_path


def run(*arguments):
    out = StringIO()
    call_command("import_essays", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_a_folder_is_imported_file_by_file(essay_set, folder):
    out = run(folder, "--set", essay_set)

    assert out == "essay    0001.txt\nmarkup   0001_exp1.txt\n"
    assert [essay.text for essay in essay_set.essays.all()] == [TEXT]


def test_an_archive_and_a_subject_may_be_given(essay_set, tmp_path):
    archive = tmp_path / "essays.zip"
    archive.write_bytes(zipped(("0001.txt", TEXT)))

    assert run(archive, "--set", essay_set, "--subject", "hist") == "essay    0001.txt\n"
    assert Essay.objects.get().subject == "hist"


def test_remarks_stand_below_their_file(essay_set, folder):
    (folder / "0001_exp1.txt").write_text(MARKED.replace("А.лекс", "А.лек"), encoding="utf-8")

    assert run(folder, "--set", essay_set) == (
        "essay    0001.txt\n"
        "markup   0001_exp1.txt\n"
        "         line 5, column 16: "
        "The code “А.лек” is not in the classifier and was left out.\n"
    )


def test_refused_files_are_named_the_good_ones_come_in_and_the_command_fails(essay_set, folder):
    (folder / "0002.txt").write_bytes(PLAIN.encode("cp1251"))
    out = StringIO()

    with pytest.raises(CommandError, match=r"^Some files were refused; the reasons stand above\.$"):
        call_command("import_essays", str(folder), set=str(essay_set), stdout=out)

    assert out.getvalue() == (
        "refused  0002.txt The file seems to be in Windows-1251. Save it as UTF-8.\n"
        "essay    0001.txt\n"
        "markup   0001_exp1.txt\n"
    )
    assert [str(essay) for essay in Essay.objects.all()] == ["0001"]


def test_a_second_run_knows_the_files(essay_set, folder):
    run(folder, "--set", essay_set)

    assert run(folder, "--set", essay_set) == "known    0001.txt\nknown    0001_exp1.txt\n"


@pytest.mark.parametrize(
    ("names", "known"), [([], "none yet"), (["Вторая", "Первая"], "Вторая, Первая")]
)
def test_an_unknown_set_names_the_sets_there_are(folder, names, known):
    for name in names:
        EssaySetFactory(name=name)

    with pytest.raises(CommandError) as failed:
        run(folder, "--set", "Рабочая")

    assert str(failed.value) == f"There is no essay set “Рабочая”. There are: {known}."
    assert EssaySet.objects.count() == len(names)


def test_a_path_that_is_not_there_is_named(essay_set, tmp_path):
    with pytest.raises(CommandError) as failed:
        run(tmp_path / "nothing", "--set", essay_set)

    assert str(failed.value) == f"{tmp_path / 'nothing'}: no such file or folder."
