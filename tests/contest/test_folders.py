"""A contest is made from a folder and taken away as one: whole, or not at all."""

from __future__ import annotations

import io
import json
import re
import shutil
from contextlib import nullcontext

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import User
from annotator.models import EssaySet, MarkupRecord, RuleSet
from contest.models import Contest, ParameterSet, Team
from contest.services.annulling import take_team_back
from contest.services.folders import FolderRefused, make_from_folder, take_to_folder
from tests.contest.data_world import contest_of, data_set_of, in_days, phase_of
from tests.contest.world import team
from tests.factories import PersonFactory, RuleSetFactory, submitted
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    """Two phases, parameters, a set of each kind; the training essays are marked."""
    made = contest_of(slug="grammar", name_ru="Грамматика", task_ru="Первая\n\\вторая “строка”")
    phase_of(made, "qualification", -9, -2)
    phase_of(made)
    rules = RuleSetFactory(name="Regulation", hardness=0.5)
    ParameterSet.objects.create(
        contest=made, rules=rules, session={"limit": 60, "window": None}, proposed_at=in_days(-6)
    )
    training = data_set_of(made, "training", rules=rules)
    data_set_of(made, "test", essays=1, rules=rules, state="closed")
    data_set_of(made, "final", essays=1)
    essay = training.essay_set.essays.order_by("pk").first()
    submitted(essay, fragment(0, 4, "А.грамм"), author=PersonFactory(username="ivanova"))
    runner = Team.objects.create(contest=made, name="Lynx", account=team())
    source = MarkupRecord.Source.ALGORITHM
    submitted(essay, fragment(5, 9, "А.грамм"), author=runner.account, source=source)
    return made


@pytest.fixture
def taken(contest, tmp_path):
    """The contest as a folder, and no more on the platform."""
    folder = tmp_path / "taken"
    take_to_folder(contest=contest, folder=folder)
    forget()
    return folder


def forget():
    """The contest and its sets have other names by now: these are free."""
    Contest.objects.update(slug="former")
    for each in EssaySet.objects.all():
        each.name = f"former {each.pk}"
        each.save()


def files_in(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("teams", [False, True])
def test_a_contest_comes_back_to_the_same_bytes(contest, tmp_path, teams):
    take_to_folder(contest=contest, folder=tmp_path / "one", teams=teams)
    Team.objects.all().delete()
    forget()

    made = make_from_folder(folder=tmp_path / "one")
    take_to_folder(contest=made, folder=tmp_path / "two", teams=teams)

    one, two = files_in(tmp_path / "one"), files_in(tmp_path / "two")
    assert one.keys() == two.keys()
    assert one["contest.toml"] == two["contest.toml"]
    assert [name.split("/")[:2] for name in one if "_" in name] == (
        [["training", "algorithms"]] * teams + [["training", "experts"]]
    )
    roles = made.data_sets.order_by("pk").values_list("role", "essay_set__access")
    assert list(roles) == [("training", "open"), ("test", "closed"), ("final", "final")]
    assert made.teams.count() == teams


def test_an_account_that_is_made_for_a_team_is_called_as_the_team_is(contest, tmp_path):
    folder, login = tmp_path / "one", contest.teams.get().account.username
    MarkupRecord.objects.filter(source="algorithm").delete()
    take_to_folder(contest=contest, folder=folder, teams=True)
    forget()
    file = folder / "contest.toml"
    file.write_text(file.read_text().replace(f'login = "{login}"', 'login = "another"'))

    made = make_from_folder(folder=folder)

    account = made.teams.get().account
    assert (account.username, account.full_name) == ("another", "Lynx")


def test_the_markups_of_the_experts_come_along(taken):
    made = make_from_folder(folder=taken)

    (record,) = MarkupRecord.objects.filter(essay__essay_set__data_set__contest=made)
    assert (record.author.username, record.source, record.state) == (
        "ivanova",
        "expert",
        "submitted",
    )
    assert [(each.start, each.end) for each in record.fragments.all()] == [(0, 4)]


def changed(folder, old, new):
    path = folder / "contest.toml"
    path.write_text(path.read_text().replace(old, new, 1))


def spoil_name(folder):
    changed(folder, 'slug = "grammar"', 'slug = "former"')


def spoil_zone(folder):
    changed(folder, "Europe/Moscow", "Europe/Moskva")


def spoil_rules(folder):
    changed(folder, "hardness = 0.5", "hardness = 0.25")


def spoil_phase(folder):
    changed(folder, 'kind = "finals"', 'kind = "finale"')


def spoil_contact(folder):
    changed(folder, 'contact = ""', 'contact = "nobody"')


def spoil_set(folder):
    changed(folder, 'folder = "test"', 'folder = "tests"')


def spoil_essay(folder):
    next((folder / "training/essays").iterdir()).write_text("{")


def spoil_markup(folder):
    (path,) = (folder / "training/experts").iterdir()
    path.write_text(path.read_text().replace("Some people", "Some persons"))


def take_own_word(folder):
    changed(folder, 'slug = "grammar"', 'slug = "invitations"')


def spoil_address(folder):
    changed(folder, 'slug = "grammar"', 'slug = "gram mar"')


def mark_final_set(folder):
    (essay,) = (folder / "final/essays").iterdir()
    file = json.loads(essay.read_text())
    file["meta"]["expert"] = "ivanova"
    (folder / "final/experts" / f"{essay.stem}_ivanova.json").write_text(json.dumps(file))


def spoil_session(folder):
    changed(folder, "limit = 60", "limit = 0")


def misspell_session(folder):
    changed(folder, "limit = 60", "limits = 60")


def change_subject(folder):
    (essay,) = (folder / "test/essays").iterdir()
    file = json.loads(essay.read_text())
    file["meta"]["subject"] = "rus"
    essay.write_text(json.dumps(file))


def turn_phases_round(folder):
    path = folder / "contest.toml"
    words = path.read_text().replace('"finals"', '"x"').replace('"qualification"', '"finals"')
    path.write_text(words.replace('"x"', '"qualification"'))


def end_in_no_year(folder):
    path = folder / "contest.toml"
    path.write_text(
        re.sub(r"(?m)^ends_at = .*", "ends_at = 9999-12-31T00:00:00Z", path.read_text())
    )


def add_file(folder):
    (folder / "test/essays/photo.jpg").write_text("-")


def take_file_away(folder):
    (folder / "contest.toml").unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoil_name, "contest.toml: contest.slug: The platform has “former” already. Choose"),
        (take_own_word, "contest.toml: contest.slug: “invitations” is an address of the"),
        (
            spoil_address,
            "contest.toml: contest.slug: An address has Latin letters, digits, hyphens",
        ),
        (mark_final_set, "contest.toml: sets[2]: Clause 2.8 of the regulation: experts mark the"),
        (spoil_zone, "contest.toml: contest.zone: “Europe/Moskva” is no time zone. Write one"),
        (spoil_rules, "contest.toml: rules[0].version: The platform has rules “Regulation 1”"),
        (spoil_session, "contest.toml: parameters[0]: limit: A number from 1 to 3600 is expected"),
        (misspell_session, "contest.toml: parameters[0]: session"),
        (
            change_subject,
            "contest.toml: sets[1]: The contest is of the subject “English”; the essay",
        ),
        (turn_phases_round, "contest.toml: phases: "),
        (spoil_phase, "contest.toml: phases[0].kind: Value 'finale' is not a valid choice."),
        (end_in_no_year, "contest.toml: phases[0].ends_at: Name a day of the years 2000 to 2199."),
        (spoil_contact, "contest.toml: contest.contact: Enter a valid email address."),
        (spoil_set, "tests: there is no such folder. Make it, be it empty."),
        (spoil_essay, "training/essays/"),
        (spoil_markup, "training/experts/"),
        (add_file, "test/essays/photo.jpg: only .txt and .json files belong here."),
        (take_file_away, "contest.toml: No such file or directory"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(taken, spoil, said):
    spoil(taken)
    before = [model.objects.count() for model in (Contest, EssaySet, RuleSet, User)]

    with pytest.raises(FolderRefused) as refused, transaction.atomic():
        make_from_folder(folder=taken)

    assert str(refused.value).startswith(said)
    after = [model.objects.count() for model in (Contest, EssaySet, RuleSet, User)]
    assert after == before


@pytest.mark.parametrize("is_announced", [False, True])
def test_a_draft_comes_with_the_dates_it_may_have_and_an_announced_contest_does_not(
    contest, tmp_path, is_announced
):
    late = {"applications_from": in_days(1), "applications_until": in_days(40)}
    Contest.objects.update(announced_at=in_days(-5) if is_announced else None, **late)
    contest.refresh_from_db()
    take_to_folder(contest=contest, folder=tmp_path / "taken")
    forget()
    words = "phases: Applications would be taken after the finals"

    with pytest.raises(FolderRefused, match=words) if is_announced else nullcontext():
        make_from_folder(folder=tmp_path / "taken")


def test_a_folder_that_holds_something_is_not_written_over(contest, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")

    with pytest.raises(FolderRefused, match="is not empty"):
        take_to_folder(contest=contest, folder=tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_one_command_makes_and_takes(taken, tmp_path):
    told = io.StringIO()

    call_command("contest", "make", str(taken), stdout=told)
    call_command("contest", "take", "grammar", str(tmp_path / "again"), stdout=told)
    shutil.rmtree(tmp_path / "again")
    with pytest.raises(CommandError, match="There is no contest “grammer”"):
        call_command("contest", "take", "grammer", str(tmp_path / "again"))

    assert told.getvalue() == "grammar: 3 sets, 4 essays\n" * 2


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("contest.toml: sets[2]: Clause 2.8 of", "contest.toml: sets[1]: The contest is")),
        ("ru", ("contest.toml: sets[2]: Пункт 2.8 регл", "contest.toml: sets[1]: Предмет конкур")),
    ],
)
def test_the_command_refuses_in_the_language_of_its_reader(taken, monkeypatch, language, told):
    monkeypatch.setenv("LANGUAGE", language)
    refused = []
    for spoil in (mark_final_set, change_subject):
        spoil(taken)
        with pytest.raises(CommandError) as error, transaction.atomic():
            call_command("contest", "make", str(taken))
        refused.append(str(error.value))

    assert [each.startswith(words) for each, words in zip(refused, told, strict=True)] == [True] * 2


OF_SCHEME = """format = 1

[contest]
slug = "questions"
name_ru = "Вопросы"
name_en = "Questions"
subject = ""
scheme = "qac"
zone = "Europe/Moscow"
live = false
shows_test_board = true
contact = "we@example.org"
licence = "CC BY 4.0"
summary_ru = ""
summary_en = ""
task_ru = ""
task_en = ""

[[phases]]
kind = "qualification"
starts_at = 2026-10-01T00:00:00+03:00
ends_at = 2027-11-01T00:00:00+03:00
"""


def of_scheme(folder, words=OF_SCHEME):
    folder.mkdir()
    (folder / "contest.toml").write_text(words)
    return folder


def test_a_contest_of_another_scheme_is_made_from_its_file_alone(tmp_path):
    made = make_from_folder(folder=of_scheme(tmp_path / "one"))
    take_to_folder(contest=made, folder=tmp_path / "two")

    assert (made.scheme, made.takes_uploads, made.phases.count()) == ("qac", True, 1)
    assert (tmp_path / "two/contest.toml").read_text() == OF_SCHEME


@pytest.mark.parametrize("part", ["sets", "parameters"])
def test_a_contest_of_another_scheme_has_neither_sets_nor_parameters(taken, tmp_path, part):
    essays = (taken / "contest.toml").read_text()
    rules = essays[essays.index("[[rules]]") : essays.index("[[parameters]]")]
    ends = {"parameters": "[[sets]]", "sets": "\0"}[part]
    rows = essays[essays.index(f"[[{part}]]") :].partition(ends)[0]
    folder = of_scheme(tmp_path / "one", f"{OF_SCHEME}\n{rules}{rows}")
    shutil.copytree(taken, folder, dirs_exist_ok=True, ignore=lambda *_: ["contest.toml"])

    said = rf"^contest\.toml: {part}\[0\]: The contest goes by the scoring system “QAC"
    with pytest.raises(FolderRefused, match=said), transaction.atomic():
        make_from_folder(folder=folder)

    assert not Contest.objects.filter(slug="questions").exists()


def test_a_contest_of_another_scheme_has_no_subject(tmp_path):
    words = OF_SCHEME.replace('subject = ""', 'subject = "eng"')

    with pytest.raises(FolderRefused, match=r"contest\.subject: A contest of essays has a subject"):
        make_from_folder(folder=of_scheme(tmp_path / "one", words))


@pytest.mark.parametrize("kept", ["No. 5", ""])
def test_an_excluded_team_keeps_its_reason_and_its_protocol(contest, tmp_path, kept):
    out = {"excluded_at": in_days(-1), "excluded_because": "By hand", "excluded_by": "No. 5"}
    contest.teams.update(**out)
    take_to_folder(contest=contest, folder=tmp_path / "one", teams=True)
    Team.objects.all().delete()
    forget()
    if not kept:  # a folder of before names no protocols
        changed(tmp_path / "one", 'excluded_by = "No. 5"\n', "")

    made = make_from_folder(folder=tmp_path / "one")

    (team_,) = made.teams.all()
    assert (team_.excluded_because, team_.excluded_by) == ("By hand", kept)
    assert team_.account.is_active is False
    actor = PersonFactory(role="organiser")
    take_team_back(contest=made, team=team_, reason="A mistake", actor=actor)
    assert User.objects.get(pk=team_.account_id).is_active is True
