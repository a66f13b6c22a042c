"""A contest is made from a folder and taken away as one: whole, or not at all."""

from __future__ import annotations

import io
import json
import shutil

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import User
from annotator.models import EssaySet, MarkupRecord, RuleSet
from contest.models import Contest, ParameterSet, Team
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
        (spoil_phase, "contest.toml: phases[0].kind: Value 'finale' is not a valid choice."),
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
