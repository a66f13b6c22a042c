"""What the contests of the demo are made of: texts, sets, teams, and what three bodies say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from accounts.models import User
from annotator.models import EssaySet, RuleSet
from annotator.services.archives import NamedBytes
from annotator.services.set_acts import bring_into
from contest.management.demo_boards import People, bring
from contest.models import (
    Contest,
    DataSet,
    Phase,
    PhaseVerdict,
    Publication,
    Team,
    TeamVerdict,
)
from contest.queries.readiness import conclusion_of
from contest.services.contests import announce_contest, make_contest, plan_phase
from contest.services.data_sets import make_data_set
from contest.services.parameters import Wanted, propose_parameters
from contest.services.phase_protocols import results_now, say_of_phase
from contest.services.publishing import make_publication, order_publication
from contest.services.teams.applying import Wish, confirm_application, send_application
from contest.services.teams.letters import Post, link_token
from contest.services.teams.verdicts import Said, say_of_team, seen_of
from razbor.markers.rules import (
    RULES,
    Rule,
    agreement,
    articles,
    contractions,
    doubled,
    spelling,
)

Sets = Mapping[DataSet.Role, tuple[str, Sequence[str]]]
"""The name of each set, and the numbers of its essays."""
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
HOME: Final = settings.PUBLIC_ADDRESS or "http://127.0.0.1:8000"
"""What the links of letters begin with."""
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
TEAMS: Final[Mapping[str, tuple[str, str, Sequence[Rule]]]] = {
    "Рысь": ("lynx", "Правила на все пять признаков", RULES),
    "Ёж": ("hedgehog", "Артикли и словарь", (articles, spelling)),
    "Сова": ("", "Согласование и сокращения", (agreement, contractions, articles)),
    "Выдра": ("", "Все правила, медленный словарь", RULES),
    "Барсук": ("", "Словарь и повторы", (spelling, doubled)),
}
"""Captain, about the solution, and the rules its program marks by."""
TASK: Final = {
    "task_ru": "Программа получает сочинение и за минуту отвечает разметкой: где ошибка, какая она "
    "и как её исправить. Разметка сравнивается с разметками двух экспертов.",
    "task_en": "A program gets an essay and answers within a minute with a markup: where an error "
    "is, what it is and how to mend it. It is compared with the markups of two experts.",
    "subject": "eng",
    "contact": "contest@example.org",
}


def announced(
    words: Mapping[str, Any], sets: Sets, now: datetime, people: People, rules: RuleSet
) -> Contest:
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
    if not contest.scheme:
        wanted = Wanted(rules, {}, star=0, annulled=0.05)
        propose_parameters(contest=contest, wanted=wanted, actor=organiser)
    for role, (name, _numbers) in sets.items():
        make_data_set(contest=contest, role=role, name=name, actor=organiser)
    return announce_contest(contest=contest, actor=organiser)


def moved(contest: Contest, kind: Phase.Kind, starts_at: datetime, ends_at: datetime) -> Phase:
    """A phase with dates that nobody can plan any more: its row is moved."""
    contest.phases.filter(kind=kind).update(starts_at=starts_at, ends_at=ends_at)
    return contest.phases.select_related("contest").get(kind=kind)


def apart(contest: Contest, announced_at: datetime, applications_until: datetime) -> None:
    """A contest that was announced long ago and took applications from then on."""
    contest.parameter_sets.update(in_force_at=announced_at)
    Contest.objects.filter(pk=contest.pk).update(
        announced_at=announced_at,
        applications_from=announced_at,
        applications_until=applications_until,
    )
    contest.refresh_from_db()


def sets_of(
    contest: Contest,
    wanted: Sets,
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
            bring(checks_of(numbers, files), each.essay_set)
        held = EssaySet.objects.get(pk=each.essay_set_id)
        state = EssaySet.State.OPEN
        bring_into(essay_set=held, state=state, seen=held.revision, actor=organiser)
    return found


def checks_of(numbers: Sequence[str], files: Mapping[str, NamedBytes]) -> list[NamedBytes]:
    """The markups of experts of these essays."""
    starts = tuple(f"{number}_exp" for number in numbers)
    return [file for name, file in files.items() if name.startswith(starts)]


def team(contest: Contest, name: str, people: People) -> Team:
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


def admit(teams: Iterable[Team], people: People) -> None:
    """Three bodies admit teams that have qualified."""
    for each in teams:
        for kind, login in CHECKED:
            last = each.verdicts.order_by("pk").last()
            seen = seen_of(conclusion_of(each), last.pk if last else None)
            say_of_team(team=each, said=Said(kind, seen), actor=people[login])


def approve(phase: Phase, people: People) -> None:
    """Judges check the results of a phase, the commission verifies, organisers approve."""
    for kind, login in APPROVED:
        standing = phase.protocols.filter(voided_at=None).first()
        seen = standing.digest if standing else results_now(phase)[1]
        say_of_phase(phase=phase, kind=kind, seen=seen, reason="", actor=people[login])


def publish(contest: Contest, kind: Publication.Kind, organiser: User) -> None:
    """An archive as its job makes it."""
    ordered = order_publication(contest=contest, kind=kind, actor=organiser)
    make_publication(order_id=ordered.pk)
