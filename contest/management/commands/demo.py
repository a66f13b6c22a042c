from __future__ import annotations

from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

import review
from accounts.access import people_of_the_demo
from accounts.models import User
from accounts.services.people import save_person
from accounts.validators import PUBLISHED_PASSWORD
from annotator.models import Assignment, Essay, EssaySet, RuleSet
from annotator.services.archives import NamedBytes
from annotator.services.drafts import open_draft
from annotator.services.practising import give_key, read_key
from contest.management.demo_boards import bring, make_board, show_board
from contest.management.demo_contests import load_contests
from contest.management.demo_sessions import hold_sessions, plan_rehearsal, send_archive
from review.services.assigning import assign_expert, assign_two_experts

FILES: Final = Path(review.__file__).resolve().parent / "demo"
PRACTICE: Final = FILES / "practice"
ENGLISH: Final = ["eng", "eng-free"]
OTHERS: Final = ["rus", "rus-free", "lit", "social", "hist"]
PEOPLE: Final = [
    ("coordinator", "Наталья Котова", User.Role.COORDINATOR, "", []),
    ("organiser", "Павел Седов", User.Role.ORGANISER, "", []),
    ("judge", "Вера Лунина", User.Role.JUDGE, "", []),
    ("commission", "Олег Рогов", User.Role.COMMISSION, "", []),
    ("admin", "Администратор", User.Role.ADMINISTRATOR, "", []),
    ("exp1", "Ирина Соколова", User.Role.EXPERT, "Школа № 7", ENGLISH),
    ("exp2", "Пётр Кравцов", User.Role.EXPERT, "Гимназия № 2", ENGLISH),
    ("exp3", "Анна Лебедева", User.Role.EXPERT, "Лицей № 11", [*ENGLISH, *OTHERS]),
    ("exp4", "Игорь Гусев", User.Role.EXPERT, "Школа № 30", [*ENGLISH, *OTHERS]),
    ("exp5", "Ольга Демидова", User.Role.EXPERT, "Гимназия № 2", OTHERS),
    ("exp6", "Кирилл Рябов", User.Role.EXPERT, "Школа № 7", OTHERS),
    ("lynx", "Рысь", User.Role.PARTICIPANT, "", []),
    ("hedgehog", "Ёж", User.Role.PARTICIPANT, "", []),
]
UNMARKED: Final = ("0001001", "0001003", "0001009")
"""Essays of the demo that stand once more, unmarked, in the set to work on."""
CHECKED_TWICE: Final = ("0001006.txt", "0001006_exp2.txt", "0001006_exp3.txt")
"""An essay whose two checks are 4 points apart: it stands there too, with its third check."""


class Command(BaseCommand):
    help = "Load essays, markups and people to look at; a second time changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--logins", action="store_true", help="print the demo's logins only")

    def handle(self, *, logins: bool, **_: object) -> None:
        if not logins and not settings.LOCAL:
            raise CommandError(
                "The demo's passwords are published: it is for this machine only. "
                "Leave ALLOWED_HOSTS and TRUSTED_PROXIES unset, or import essays of your own."
            )
        if not logins and not EssaySet.objects.exists():
            load_demo()
            self.stdout.write(f"Demo loaded: {Essay.objects.count()} essays.")
        for login in login_lines():
            self.stdout.write(login)


def login_lines() -> list[str]:
    """Who can log in to the demo and how; empty when this is not the demo, or is for others too."""
    people = {person.username: person for person in people_of_the_demo()}
    return [
        f"{name:12} {PUBLISHED_PASSWORD}   {people[name].get_role_display()}"
        for name in ("exp1", "coordinator", "lynx", "admin")
        if name in people
    ]


@transaction.atomic
def load_demo() -> None:
    """Everything the demo shows, through the same services people use."""
    people = {login: _person(login, *rest) for login, *rest in PEOPLE}
    rules = RuleSet.objects.create(
        name="Грамматика_Eng", final_grades=dict.fromkeys([*ENGLISH, *OTHERS], "mean-third/total")
    )
    training = EssaySet.objects.create(
        name="Обучающая выборка", access=EssaySet.Access.OPEN, rules=rules, takes_parcels=True
    )
    work = EssaySet.objects.create(name="Рабочая выборка", rules=rules)
    files = [NamedBytes(path.name, path.read_bytes()) for path in sorted(FILES.glob("*.txt"))]
    bring(files, training)
    hold_sessions(people["lynx"], people["hedgehog"])
    bring([file for file in files if file.name[:-4] in UNMARKED], work)
    show_board(make_board(training, people), people)
    for essay in work.essays.all():
        assign_two_experts(essay=essay, actor=people["coordinator"])
    bring([file for file in files if file.name in CHECKED_TWICE], work)
    _give_third_check(work.essays.get(number=CHECKED_TWICE[0][:-4]), people["exp1"])
    _load_practice(rules, people["coordinator"])
    send_archive(people["hedgehog"], training)
    plan_rehearsal(training, [people["lynx"], people["hedgehog"]], people["organiser"])
    load_contests(people, rules, files)


def _person(login: str, name: str, role: User.Role, school: str, subjects: list[str]) -> User:
    is_admin = role == User.Role.ADMINISTRATOR
    person = User(
        username=login,
        full_name=name,
        role=role,
        school=school,
        is_staff=is_admin,
        is_superuser=is_admin,
    )
    save_person(person=person, subjects=subjects, actor=None)
    person.set_password(PUBLISHED_PASSWORD)
    person.save(update_fields=["password", "password_is_published"])
    return person


def _load_practice(rules: RuleSet, coordinator: User) -> None:
    """Essays anybody may try, each with its key beside it: ``NNNNNNN_key.txt``."""
    practice = EssaySet.objects.create(
        name="Тренировочная выборка", access=EssaySet.Access.PRACTICE, rules=rules
    )
    keys = {path.name.removesuffix("_key.txt"): path for path in PRACTICE.glob("*_key.txt")}
    plain = [PRACTICE / f"{number}.txt" for number in sorted(keys)]
    bring([NamedBytes(path.name, path.read_bytes()) for path in plain], practice)
    for essay in practice.essays.all():
        path = keys[essay.number]
        named = read_key(essay=essay, name=path.name, data=path.read_bytes())
        give_key(essay=essay, file=named.file, seen=0, actor=coordinator)


def _give_third_check(essay: Essay, expert: User) -> None:
    """The worker will find that the two checks need a third one: here it is known who has it."""
    third = assign_expert(essay=essay, expert=expert, role=Assignment.Role.THIRD, actor=None)
    open_draft(assignment=third)
