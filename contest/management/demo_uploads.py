"""Contests of the demo without live sessions: of essays, whose finals wait for their results, and
of another scoring system, whose qualification runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

from annotator.models import EssaySet, RuleSet
from annotator.services.archives import NamedBytes
from contest.core.moments import at
from contest.management.demo_boards import People, bring, bring_checked, make_board
from contest.management.demo_dates import happened_at
from contest.management.demo_parts import (
    DAY,
    HOUR,
    TEAMS,
    Sets,
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
from contest.models import Contest, DataSet, Phase, Publication, Team, Upload, UploadCounter
from contest.services.sessions.asking import essay_json
from contest.services.sessions.clock import moment_now
from contest.services.uploads.parcels import take_parcel
from contest.services.uploads.terms import Terms, set_upload_terms
from contest.services.uploads.uploading import Sent, send_upload
from razbor.markers.rules import answer
from schemes.services.runs import score

WINTER: Final = {
    "slug": "winter",
    "name_ru": "Зимний конкурс",
    "name_en": "Winter contest",
    "summary_ru": "Команды размечают сочинения у себя и загружают архивы разметок.",
    "summary_en": "Teams mark essays on their own machines and upload archives of markups.",
    "task_ru": "Программа размечает сочинения: где ошибка, какая она и как её исправить. Команда "
    "загружает архив разметок.",
    "task_en": "A program marks essays: where an error is, what it is and how to mend it. The team "
    "uploads an archive of markups.",
    "live": False,
}
WINTER_SETS: Final[Sets] = {
    DataSet.Role.TRAINING: ("Зима: обучающая", ("0001005",)),
    DataSet.Role.TEST: ("Зима: тестовая", ("0001003", "0001004")),
    DataSet.Role.FINAL: ("Зима: финальная", ("0001001", "0001002", "0001007")),
}
TERMS_OF: Final = {
    Phase.Kind.QUALIFICATION: DataSet.Role.TEST,
    Phase.Kind.FINALS: DataSet.Role.FINAL,
}
QUESTIONS: Final = {
    "slug": "questions",
    "name_ru": "Вопросы и ответы",
    "name_en": "Questions and answers",
    "summary_ru": "Программы отвечают на вопросы; ответы оценивает система QAC.",
    "summary_en": "Programs answer questions; the answers are scored as QAC does.",
    "task_ru": "Команда загружает файл ответов: на каждый вопрос — ответы, лучший первым.",
    "task_en": "A team uploads a file of responses: for each question the answers, best first.",
    "subject": "",
    "scheme": "qac",
    "live": False,
    "shows_test_board": True,
}
KEY: Final = """QAC1-0001-01: "Кто написал роман «Отцы и дети»?"
QAC1-0001-01: "Тургенев", 101
QAC1-0002-01: "Какая река течёт через Нижний Новгород?"
QAC1-0002-01: "Волга", 102, "Ока", 103
QAC1-0003-01: "Сколько планет в Солнечной системе?"
QAC1-0003-01: "восемь", 104, "8", 105
QAC1-0004-01: "Как звали второго спутника Сатурна в 1600 году?"
QAC1-0004-01:
QAC1-0005-01: "Столица Армении?"
QAC1-0005-01: "Ереван", 106
QAC1-0006-01: "Из чего делают бумагу?"
QAC1-0006-01: "древесина", 107
"""
RESPONSES: Final = {
    "Рысь": """QAC1-0001-01: "Тургенев", 101
QAC1-0002-01: "Ока", 103, "Волга", 102
QAC1-0003-01: "восемь", 104
QAC1-0004-01:
QAC1-0005-01: "Гюмри", 106, "Ереван", 106
QAC1-0006-01: "древесина", 107
""",
    "Ёж": """QAC1-0001-01: "Толстой", 101
QAC1-0002-01: "Волга", 102
QAC1-0003-01: "девять", 104, "восемь", 104
QAC1-0004-01: "Титан", 108
QAC1-0005-01: "Ереван", 106
QAC1-0006-01:
""",
}
PER_DAY: Final = 3
IN_ALL: Final = 20


def load_uploads(people: People, rules: RuleSet, files: Mapping[str, NamedBytes]) -> None:
    """Both contests, through the same services people use."""
    now = at(moment_now())
    _load_winter(people, rules, files, now)
    _load_questions(people, rules, now)


def _load_winter(
    people: People, rules: RuleSet, files: Mapping[str, NamedBytes], now: datetime
) -> None:
    with happened_at(now - 50 * DAY):
        contest = announced(WINTER, WINTER_SETS, now, people, rules)
    sets = sets_of(contest, WINTER_SETS, files, people["organiser"])
    for kind, role in TERMS_OF.items():
        terms = Terms(PER_DAY, IN_ALL, essay_set=sets[role])
        phase = contest.phases.get(kind=kind)
        set_upload_terms(phase=phase, terms=terms, actor=people["organiser"])
    teams = {name: team(contest, name, people) for name in ("Рысь", "Ёж", "Сова")}
    apart(contest, now - 50 * DAY, now - 30 * DAY)
    test, final = sets[DataSet.Role.TEST], sets[DataSet.Role.FINAL]
    for archive, days in ((Publication.Kind.TRAINING, 49), (Publication.Kind.TEST, 30)):
        with happened_at(now - days * DAY):
            publish(contest, archive, people["organiser"])
    with happened_at(now - 25 * DAY):
        _upload_markups(contest, Phase.Kind.QUALIFICATION, teams, test)
    bring(checks_of(WINTER_SETS[DataSet.Role.TEST][1], files), test)
    make_board(test, people, "Квалификация / The qualification")
    admit(teams.values(), people)
    with happened_at(now - 19 * DAY):
        approve(moved(contest, Phase.Kind.QUALIFICATION, now - 30 * DAY, now - 20 * DAY), people)
    with happened_at(now - 8 * DAY + HOUR):
        _upload_markups(contest, Phase.Kind.FINALS, teams, final)
    moved(contest, Phase.Kind.FINALS, now - 8 * DAY, now - 7 * DAY)
    bring_checked(checks_of(WINTER_SETS[DataSet.Role.FINAL][1], files), final)
    before = {"day": (now - 8 * DAY).date()}
    UploadCounter.objects.filter(phase__contest=contest).update(**before)


def _upload_markups(
    contest: Contest, kind: Phase.Kind, teams: Mapping[str, Team], essay_set: EssaySet
) -> None:
    """What each team's rules mark, as the archive it uploads while the phase runs."""
    now = at(moment_now())
    moved(contest, kind, now - HOUR, now + HOUR)
    for name, found in teams.items():
        content = BytesIO()
        with ZipFile(content, "w") as archive:
            for essay in essay_set.essays.order_by("number"):
                markup = answer(essay_json(essay), TEAMS[name][2])
                archive.writestr(f"{essay.number}.json", json.dumps(markup, ensure_ascii=False))
        upload = _sent(contest, found, "markups.zip", content.getvalue())
        if upload.parcel is not None:
            take_parcel(parcel_id=upload.parcel.pk, first=1)


def _load_questions(people: People, rules: RuleSet, now: datetime) -> None:
    with happened_at(now - 20 * DAY):
        contest = announced(QUESTIONS, {}, now, people, rules)
    teams = {name: team(contest, name, people) for name in RESPONSES}
    apart(contest, now - 20 * DAY, now + 5 * DAY)
    phase = moved(contest, Phase.Kind.QUALIFICATION, now - 5 * DAY, now + 20 * DAY)
    options: dict[str, Any] = {"task": "1"}
    terms = Terms(PER_DAY, IN_ALL, key=KEY.encode(), options=options)
    set_upload_terms(phase=phase, terms=terms, actor=people["organiser"])
    for name, responses in RESPONSES.items():
        upload = _sent(contest, teams[name], "responses.txt", responses.encode())
        if upload.run is not None:
            score(run_id=upload.run.pk)


def _sent(contest: Contest, found: Team, name: str, data: bytes) -> Upload:
    upload, _is_new = send_upload(contest=contest, user=found.account, sent=Sent(name, data))
    return upload
