"""Contests of the demo: one whose results are final, and one that takes applications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.models import User
from annotator.models import EssaySet, RuleSet
from annotator.services.archives import NamedBytes
from annotator.services.set_acts import bring_into
from contest.core.both import Both
from contest.core.moments import at, moment_of
from contest.management.demo_boards import People, bring, make_board, show_board
from contest.management.demo_dates import published_at
from contest.management.demo_sessions import hold_final, hold_test
from contest.models import (
    Announcement,
    Contest,
    DataSet,
    Phase,
    PhaseVerdict,
    Publication,
    Team,
    TeamVerdict,
)
from contest.models import Final as PlannedFinal
from contest.queries.readiness import conclusion_of
from contest.services.announcing import announce
from contest.services.annulling import exclude_team
from contest.services.applying import Wish, confirm_application, send_application
from contest.services.clock import moment_now
from contest.services.contest_finals import WantedRun, plan_contest_final
from contest.services.contests import announce_contest, make_contest, plan_phase
from contest.services.data_sets import make_data_set
from contest.services.parameters import Wanted, propose_parameters
from contest.services.phase_protocols import say_of_phase
from contest.services.publishing import make_publication, order_publication
from contest.services.settling import settle_due
from contest.services.team_letters import Post, link_token
from contest.services.team_verdicts import Said, say_of_team, seen_of
from razbor.markers.rules import (
    RULES,
    Rule,
    agreement,
    articles,
    contractions,
    doubled,
    spelling,
)

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
HOME: Final = "http://127.0.0.1:8000"
"""What the links of letters begin with; nobody reads these letters."""
CHECKED: Final = (
    (TeamVerdict.Kind.CHECKED, "judge"),
    (TeamVerdict.Kind.VERIFIED, "commission"),
    (TeamVerdict.Kind.ADMITTED, "organiser"),
)
APPROVED: Final = (
    (PhaseVerdict.Kind.CHECKED, "judge"),
    (PhaseVerdict.Kind.VERIFIED, "commission"),
    (PhaseVerdict.Kind.APPROVED, "organiser"),
)
PILOT_SETS: Final = {
    DataSet.Role.TRAINING: ("Пилот: обучающая", ("0001003", "0001006")),
    DataSet.Role.TEST: ("Пилот: тестовая", ("0001004", "0001007")),
    DataSet.Role.FINAL: ("Пилот: финальная", ("0001001", "0001002", "0001005")),
}
"""Two essays of the finals have a third check."""
AUTUMN_SETS: Final = {
    DataSet.Role.TRAINING: (
        "Осень: обучающая",
        ("0001001", "0001002", "0001003", "0001004", "0001005", "0001007"),
    ),
    DataSet.Role.TEST: ("Осень: тестовая", ()),
    DataSet.Role.FINAL: ("Осень: финальная", ()),
}
TEAMS: Final[Mapping[str, tuple[str, str, Sequence[Rule]]]] = {
    "Рысь": ("lynx", "Правила на все пять признаков", RULES),
    "Ёж": ("hedgehog", "Артикли и словарь", (articles, spelling)),
    "Сова": ("", "Согласование и сокращения", (agreement, contractions, articles)),
    "Выдра": ("", "Все правила, медленный словарь", RULES),
    "Барсук": ("", "Словарь и повторы", (spelling, doubled)),
}
"""Captain, about the solution, and the rules its program marks by."""
LATE: Final = "Выдра"
CHEATS: Final = "Барсук"
"""Who left a file out in the finals, and who is excluded."""
PUBLISHED: Final = {
    Publication.Kind.TRAINING: 58,
    Publication.Kind.TEST: 44,
}
"""How many days ago the pilot published these archives; that of the finals came today."""
PILOT: Final = {
    "slug": "pilot",
    "name_ru": "Пилотный конкурс",
    "name_en": "Pilot contest",
    "summary_ru": "Алгоритмы ищут и объясняют ошибки в сочинениях на английском языке.",
    "summary_en": "Algorithms find and explain errors in essays written in English.",
}
AUTUMN: Final = {
    "slug": "autumn",
    "name_ru": "Осенний конкурс",
    "name_en": "Autumn contest",
    "summary_ru": "Кто точнее экспертов найдёт ошибки в сочинениях на английском? Заявки открыты.",
    "summary_en": "Who finds errors in English essays better than experts? Applications are open.",
}
TASK: Final = {
    "task_ru": "Программа получает сочинение и за минуту отвечает разметкой: где ошибка, какая она "
    "и как её исправить. Разметка сравнивается с разметками двух экспертов.",
    "task_en": "A program gets an essay and answers within a minute with a markup: where an error "
    "is, what it is and how to mend it. It is compared with the markups of two experts.",
    "subject": "eng",
    "contact": "contest@example.org",
}


def load_contests(people: People, rules: RuleSet, files: Iterable[NamedBytes]) -> None:
    """Both contests, through the same services people use."""
    known = {file.name: file for file in files}
    for login in ("lynx", "hedgehog"):
        people[login].email = f"{login}@example.org"
        people[login].save(update_fields=["email"])
    _load_pilot(people, rules, known)
    _load_autumn(people, rules, known)


def _load_pilot(people: People, rules: RuleSet, files: Mapping[str, NamedBytes]) -> None:
    now = at(moment_now())
    with published_at(now - 60 * DAY):
        contest = _announced(PILOT, now, people, rules)
    sets = _sets_of(contest, PILOT_SETS, files, people["organiser"])
    bring(_checks_of(PILOT_SETS[DataSet.Role.TEST][1], files), sets[DataSet.Role.TEST])
    teams = {name: _team(contest, name, people) for name in TEAMS}
    _qualify(teams, sets[DataSet.Role.TEST], now - 25 * DAY, people)
    planned, held = now + 11 * DAY, now - 7 * DAY + HOUR
    run = WantedRun("Финал пилотного конкурса", sets[DataSet.Role.FINAL], planned)
    with published_at(now - 18 * DAY, (planned, held)):
        final = plan_contest_final(contest=contest, wanted=run, actor=people["organiser"])
    _move_back(contest, final, now, held)
    _play(teams, final)
    bring(_checks_of(PILOT_SETS[DataSet.Role.FINAL][1], files), sets[DataSet.Role.FINAL])
    exclude_team(
        contest=contest,
        team=teams[CHEATS],
        reason="Разметку во время финала правил человек",
        protocol="№ 4",
        actor=people["organiser"],
    )
    show_board(make_board(sets[DataSet.Role.FINAL], people), people)
    for kind in Phase.Kind:
        _approve(contest.phases.get(kind=kind), people)
    for each, days in PUBLISHED.items():
        with published_at(now - days * DAY):
            _publish(contest, each, people["organiser"])
    _publish(contest, Publication.Kind.FINALS, people["organiser"])


def _load_autumn(people: People, rules: RuleSet, files: Mapping[str, NamedBytes]) -> None:
    contest = _announced(AUTUMN, at(moment_now()), people, rules)
    _sets_of(contest, AUTUMN_SETS, files, people["organiser"])
    _team(contest, "Рысь", people)
    _publish(contest, Publication.Kind.TRAINING, people["organiser"])
    announce(
        contest=contest,
        kind=Announcement.Kind.NEWS,
        title=Both("Вопросы участников", "Questions of participants"),
        body=Both(
            "Пишите организаторам: на вопросы, которые касаются всех, ответим здесь.",
            "Write to the organisers: what concerns everybody is answered here.",
        ),
        actor=people["organiser"],
    )


def _announced(words: Mapping[str, str], now: datetime, people: People, rules: RuleSet) -> Contest:
    """A contest that takes applications; its sets are there and empty."""
    organiser = people["organiser"]
    values = {
        **TASK,
        **words,
        "applications_from": now - HOUR,
        "applications_until": now + 14 * DAY,
    }
    contest = make_contest(values=values, actor=organiser)
    spans = ((now + 15 * DAY, now + 35 * DAY), (now + 60 * DAY, now + 61 * DAY))
    for kind, (start, end) in zip(Phase.Kind, spans, strict=True):
        plan_phase(contest=contest, kind=kind, starts_at=start, ends_at=end, actor=organiser)
    wanted = Wanted(rules, {}, star=0, annulled=0.05)
    propose_parameters(contest=contest, wanted=wanted, actor=organiser)
    names = PILOT_SETS if words is PILOT else AUTUMN_SETS
    for role, (name, _numbers) in names.items():
        make_data_set(contest=contest, role=role, name=name, actor=organiser)
    return announce_contest(contest=contest, actor=organiser)


def _sets_of(
    contest: Contest,
    wanted: Mapping[DataSet.Role, tuple[str, Sequence[str]]],
    files: Mapping[str, NamedBytes],
    organiser: User,
) -> dict[DataSet.Role, EssaySet]:
    """The sets of a contest by their kinds, with their essays; the training set is marked."""
    found = {}
    for each in contest.data_sets.select_related("essay_set"):
        role = DataSet.Role(each.role)
        found[role] = each.essay_set
        numbers = wanted[role][1]
        bring([files[f"{number}.txt"] for number in numbers], each.essay_set)
        if role == DataSet.Role.TRAINING:
            bring(_checks_of(numbers, files), each.essay_set)
        held = EssaySet.objects.get(pk=each.essay_set_id)
        state = EssaySet.State.OPEN
        bring_into(essay_set=held, state=state, seen=held.revision, actor=organiser)
    return found


def _checks_of(numbers: Sequence[str], files: Mapping[str, NamedBytes]) -> list[NamedBytes]:
    """The markups of experts of these essays."""
    starts = tuple(f"{number}_exp" for number in numbers)
    return [file for name, file in files.items() if name.startswith(starts)]


def _team(contest: Contest, name: str, people: People) -> Team:
    """A team that applied by the form and followed the link of its letter."""
    login, about, _rules = TEAMS[name]
    captain = people.get(login)
    email = captain.email if captain else f"team{contest.teams.count() + 1}@example.org"
    member = {"name": captain.full_name if captain else name, "email": email}
    application = send_application(
        contest=contest,
        wish=Wish(name, "", about, [member]),
        network=f"demo {contest.slug}",
        post=Post(HOME, "ru"),
        actor=None,
    )
    return confirm_application(token=link_token(application), home=HOME).team


def _qualify(
    teams: Mapping[str, Team], essay_set: EssaySet, starts_at: datetime, people: People
) -> None:
    """Every program passes the qualification; three bodies admit its team."""
    for name, team in teams.items():
        hold_test(team.account, essay_set, TEAMS[name][2], moment_of(starts_at))
    settle_due()
    make_board(essay_set, people, "The qualification")
    for team in teams.values():
        for kind, login in CHECKED:
            last = team.verdicts.order_by("pk").last()
            seen = seen_of(conclusion_of(team), last.pk if last else None)
            say_of_team(team=team, said=Said(kind, seen), actor=people[login])


def _move_back(contest: Contest, final: PlannedFinal, now: datetime, held: datetime) -> None:
    """Dates a contest of the past has: nobody can plan them, so that their rows are moved."""
    rows: list[tuple[Any, dict[str, datetime]]] = [
        (
            Contest.objects.filter(pk=contest.pk),
            {
                "announced_at": now - 60 * DAY,
                "applications_from": now - 60 * DAY,
                "applications_until": now - 45 * DAY,
            },
        ),
        (
            contest.phases.filter(kind=Phase.Kind.QUALIFICATION),
            {"starts_at": now - 45 * DAY, "ends_at": now - 20 * DAY},
        ),
        (
            contest.phases.filter(kind=Phase.Kind.FINALS),
            {"starts_at": now - 7 * DAY, "ends_at": now - 6 * DAY},
        ),
        (PlannedFinal.objects.filter(pk=final.pk), {"starts_at": held}),
    ]
    for found, moments in rows:
        found.update(**moments)
    contest.refresh_from_db()
    final.refresh_from_db()


def _play(teams: Mapping[str, Team], final: PlannedFinal) -> None:
    for name, team in teams.items():
        hold_final(team.account, final, TEAMS[name][2], [2] if name == LATE else [])


def _approve(phase: Phase, people: People) -> None:
    """Judges check the results of a phase, the commission verifies, organisers approve."""
    for kind, login in APPROVED:
        standing = phase.protocols.filter(voided_at=None).first()
        seen = standing.digest if standing else ""
        say_of_phase(phase=phase, kind=kind, seen=seen, reason="", actor=people[login])


def _publish(contest: Contest, kind: Publication.Kind, organiser: User) -> None:
    ordered = order_publication(contest=contest, kind=kind, actor=organiser)
    make_publication(order_id=ordered.pk)
