"""Contests of the demo with live sessions: one is final, one takes applications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from annotator.models import EssaySet, RuleSet
from annotator.services.archives import NamedBytes
from contest.core.both import Both
from contest.core.moments import at, moment_of
from contest.management.demo_boards import People, bring, bring_checked, make_board, show_board
from contest.management.demo_dates import happened_at
from contest.management.demo_kit import release_kit
from contest.management.demo_parts import (
    DAY,
    HOUR,
    TEAMS,
    admit,
    announced,
    apart,
    approve,
    checks_of,
    moved,
    publish,
    sets_of,
    team,
)
from contest.management.demo_sessions import hold_final, hold_test
from contest.management.demo_uploads import load_uploads
from contest.models import (
    Announcement,
    Contest,
    DataSet,
    Phase,
    Publication,
    Team,
)
from contest.models import Final as PlannedFinal
from contest.services.announcing import announce
from contest.services.annulling import exclude_team
from contest.services.contest_finals import WantedRun, plan_contest_final
from contest.services.sessions.clock import moment_now
from contest.services.sessions.settling import settle_due

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


def load_contests(people: People, rules: RuleSet, files: Iterable[NamedBytes]) -> None:
    """All contests, through the same services people use."""
    known = {file.name: file for file in files}
    for login in ("lynx", "hedgehog"):
        people[login].email = f"{login}@example.org"
        people[login].save(update_fields=["email"])
    _load_pilot(people, rules, known)
    _load_autumn(people, rules, known)
    load_uploads(people, rules, known)


def _load_pilot(people: People, rules: RuleSet, files: Mapping[str, NamedBytes]) -> None:
    now = at(moment_now())
    with happened_at(now - 60 * DAY):
        contest = announced(PILOT, PILOT_SETS, now, people, rules)
        release_kit(contest, people["organiser"])
    sets = sets_of(contest, PILOT_SETS, files, people["organiser"])
    bring(checks_of(PILOT_SETS[DataSet.Role.TEST][1], files), sets[DataSet.Role.TEST])
    teams = {name: team(contest, name, people) for name in TEAMS}
    moved(contest, Phase.Kind.QUALIFICATION, now - 45 * DAY, now - 20 * DAY)
    _qualify(teams, sets[DataSet.Role.TEST], now - 25 * DAY, people)
    planned, held = now + 60 * DAY + HOUR, now - 7 * DAY + HOUR
    run = WantedRun("Финал пилотного конкурса", sets[DataSet.Role.FINAL], planned)
    with happened_at(now - 18 * DAY, (planned, held)):
        final = plan_contest_final(contest=contest, wanted=run, actor=people["organiser"])
    _move_back(contest, final, now, held)
    with happened_at(now - 19 * DAY):
        approve(contest.phases.get(kind=Phase.Kind.QUALIFICATION), people)
    _play(teams, final)
    bring_checked(checks_of(PILOT_SETS[DataSet.Role.FINAL][1], files), sets[DataSet.Role.FINAL])
    exclude_team(
        contest=contest,
        team=teams[CHEATS],
        reason="Разметку во время финала правил человек",
        protocol="№ 4",
        actor=people["organiser"],
    )
    show_board(make_board(sets[DataSet.Role.FINAL], people), people)
    approve(contest.phases.get(kind=Phase.Kind.FINALS), people)
    for each, days in PUBLISHED.items():
        with happened_at(now - days * DAY):
            publish(contest, each, people["organiser"])
    publish(contest, Publication.Kind.FINALS, people["organiser"])


def _load_autumn(people: People, rules: RuleSet, files: Mapping[str, NamedBytes]) -> None:
    contest = announced(AUTUMN, AUTUMN_SETS, at(moment_now()), people, rules)
    sets_of(contest, AUTUMN_SETS, files, people["organiser"])
    release_kit(contest, people["organiser"])
    team(contest, "Рысь", people)
    publish(contest, Publication.Kind.TRAINING, people["organiser"])
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


def _qualify(
    teams: Mapping[str, Team], essay_set: EssaySet, starts_at: datetime, people: People
) -> None:
    """Every program passes the qualification; three bodies admit its team."""
    for name, found in teams.items():
        hold_test(found.account, essay_set, TEAMS[name][2], moment_of(starts_at))
    settle_due()
    make_board(essay_set, people, "Квалификация / The qualification")
    admit(teams.values(), people)


def _move_back(contest: Contest, final: PlannedFinal, now: datetime, held: datetime) -> None:
    """Dates a contest of the past has: nobody can plan them, so that their rows are moved."""
    apart(contest, now - 60 * DAY, now - 45 * DAY)
    moved(contest, Phase.Kind.FINALS, now - 7 * DAY, now - 6 * DAY)
    PlannedFinal.objects.filter(pk=final.pk).update(starts_at=held)
    final.refresh_from_db()


def _play(teams: Mapping[str, Team], final: PlannedFinal) -> None:
    for name, found in teams.items():
        hold_final(found.account, final, TEAMS[name][2], [2] if name == LATE else [])
