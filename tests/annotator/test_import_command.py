from __future__ import annotations

import os
import resource
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry, User
from annotator.models import Essay, EssaySet
from annotator.models.imports import EssayImport
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, selection, zipped
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="Рабочая выборка")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "0001.txt").write_text(PLAIN, encoding="utf-8")
    (tmp_path / "0001_exp1.txt").write_text(MARKED, encoding="utf-8")
    return tmp_path


def run(*arguments, err=None):
    out = StringIO()
    call_command("import_essays", *map(str, arguments), stdout=out, stderr=err or StringIO())
    return out.getvalue()


def test_a_folder_is_imported_file_by_file(essay_set, folder):
    out = run(folder, "--set", essay_set)

    assert out == "essay    0001.txt\nmarkup   0001_exp1.txt (first check)\n"
    assert [essay.text for essay in essay_set.essays.all()] == [TEXT]


def test_folders_and_files_that_are_passed_over_are_named(essay_set, folder):
    (folder / "notes.md").write_text("not ours", encoding="utf-8")
    (folder / "second").mkdir()
    (folder / "second" / "0002.txt").write_text(PLAIN, encoding="utf-8")
    err = StringIO()

    run(folder, "--set", essay_set, err=err)

    assert err.getvalue().splitlines() == [
        f"skipped  {folder}/notes.md: only .txt, .json, .zip files are imported.",
        f"skipped  {folder}/second: a folder within a folder; name it as well to import it.",
        "account  exp1: new, closed",
    ]


def test_an_archive_and_a_subject_may_be_given(essay_set, tmp_path):
    archive = tmp_path / "essays.zip"
    archive.write_bytes(zipped(("0001.txt", TEXT)))

    assert run(archive, "--set", essay_set, "--subject", "hist") == "essay    0001.txt\n"
    assert Essay.objects.get().subject == "hist"


def test_remarks_stand_below_their_file(essay_set, folder):
    (folder / "0001_exp1.txt").write_text(MARKED.replace("А.лекс", "А.лек"), encoding="utf-8")

    assert run(folder, "--set", essay_set) == (
        "essay    0001.txt\n"
        "markup   0001_exp1.txt (first check)\n"
        "         line 5, column 16: "
        "The code “А.лек” is not in the classifier and was left out. Check its spelling.\n"
    )


def test_refused_files_are_named_the_good_ones_come_in_and_the_command_fails(essay_set, folder):
    (folder / "0002.txt").write_bytes(PLAIN.encode("cp1251"))
    out = StringIO()

    with pytest.raises(CommandError, match=r"^Some files were refused; the reasons stand above\.$"):
        call_command(
            "import_essays", str(folder), set=str(essay_set), stdout=out, stderr=StringIO()
        )

    assert out.getvalue() == (
        "refused  0002.txt The file seems to be in Windows-1251. Save it as UTF-8.\n"
        "essay    0001.txt\n"
        "markup   0001_exp1.txt (first check)\n"
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


def test_accounts_that_will_be_made_are_listed_first(essay_set, folder):
    PersonFactory(username="exp2")
    (folder / "0001_exp2.txt").write_text(MARKED, encoding="utf-8")
    err = StringIO()

    run(folder, "--set", essay_set, err=err)
    again = StringIO()
    run(folder, "--set", essay_set, err=again)

    assert (err.getvalue(), again.getvalue()) == ("account  exp1: new, closed\n", "")


def test_a_dry_run_says_what_would_happen_and_does_nothing(essay_set, folder):
    mistakes = [
        selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")
    ]
    (folder / "0001_exp2.json").write_bytes(exchanged("x", selections=mistakes).data)
    err = StringIO()

    out = run(folder, "--set", essay_set, "--dry-run", err=err)

    assert err.getvalue() == "account  exp1: new, closed\naccount  exp2: new, closed\n"
    assert out == (
        "essay    0001.txt\n"
        "markup   0001_exp1.txt (first check)\n"
        "markup   0001_exp2.json (second check)\n"
        "Third checks called: 0001.\n"
        "Nothing was imported.\n"
    )
    found = Essay.objects.count(), User.objects.count(), EssayImport.objects.count()
    assert found == (0, 0, 0)


def test_a_dry_run_names_what_would_be_refused_and_fails(essay_set, folder):
    (folder / "0002_exp1.txt").write_text(MARKED, encoding="utf-8")
    out = StringIO()

    with pytest.raises(CommandError, match="Some files were refused"):
        call_command(
            "import_essays", folder, set=essay_set.name, dry_run=True, stdout=out, stderr=out
        )

    assert out.getvalue().endswith("Third checks called: none.\nNothing was imported.\n")


@pytest.mark.parametrize("rules", [[], ["Грамматика"]])
def test_a_new_set_is_made_where_that_is_asked_for(folder, rules):
    for name in rules:
        RuleSetFactory(name=name)
        RuleSetFactory(name=name, version=2)

    run(folder, "--set", "Новая", "--make-set", "--dry-run")
    assert EssaySet.objects.count() == 0
    run(folder, "--set", "Новая", "--make-set")
    run(folder, "--set", "Новая", "--make-set")

    made = EssaySet.objects.get()
    expected = f"{rules[0]} 2" if rules else "Regulation 1"
    assert (made.name, made.access, str(made.rules)) == ("Новая", "closed", expected)
    assert [essay.essay_set for essay in Essay.objects.all()] == [made]
    assert AuditEntry.objects.filter(action="set.made").count() == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Say which rules the set follows. There are: Первые, Вторые."),
        (["--rules", "x"], "Say which rules the set follows. There are: Первые, Вторые."),
        (["--rules", "Вторые"], None),
    ],
)
def test_a_new_set_follows_the_rules_that_are_named(folder, options, message):
    for name in ("Первые", "Вторые"):
        RuleSetFactory(name=name)
    arguments = [folder, "--set", "Новая", "--make-set", *options]

    if message is None:
        run(*arguments)
        assert EssaySet.objects.get().rules.name == "Вторые"
    else:
        with pytest.raises(CommandError) as failed:
            run(*arguments)
        assert sorted(str(failed.value)) == sorted(message)
        assert EssaySet.objects.count() == 0


@pytest.mark.parametrize("name", ["x" * 81, "a\nb", " "])
def test_a_name_no_set_can_have_is_refused(folder, name):
    with pytest.raises(CommandError, match="cannot be the name of a set: "):
        run(folder, "--set", name, "--make-set")


def test_no_set_is_made_whose_name_differs_in_capitals_alone(folder):
    EssaySetFactory(name="Новая")

    with pytest.raises(CommandError, match="There is a set “Новая” already, whose name differs"):
        run(folder, "--set", "НОВАЯ", "--make-set")


class Terminal(StringIO):
    def isatty(self):
        return True


def test_who_watches_sees_how_far_a_big_import_is(essay_set, folder, monkeypatch):
    for number in range(2, 70):
        (folder / f"{number:04}.txt").write_text(PLAIN, encoding="utf-8")
    monkeypatch.setattr("sys.stderr", Terminal())

    run(folder, "--set", essay_set)

    assert "69/69" in sys.stderr.getvalue()


def test_files_are_opened_one_by_one(essay_set, folder):
    for number in range(2, 70):
        (folder / f"{number:04}.txt").write_text(f"{PLAIN} {number}", encoding="utf-8")
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = max(int(name) for name in os.listdir("/dev/fd")) + 20

    resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
    try:
        out = run(folder, "--set", essay_set)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))

    assert len(out.splitlines()) == 70


def test_the_command_line_stands_in_the_list_of_imports(essay_set, folder):
    run(folder, "--set", essay_set)

    made = EssayImport.objects.get()
    assert (made.actor, made.set_name, made.essays, made.markups, made.state) == (
        None,
        *("Рабочая выборка", 1, 1, "done"),
    )
    assert list(made.files.values_list("name", flat=True)) == ["0001.txt", "0001_exp1.txt"]
