"""The demo's participants took part in sessions with the example marker and a variant of it."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db.models import Count
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from annotator.core.codec import submission_from_json
from annotator.models import MarkupRecord
from contest.management.demo_boards import make_board, show_board
from contest.management.demo_parts import approve
from contest.management.demo_uploads import RESPONSES
from contest.models import (
    Contest,
    ExchangeSession,
    Final,
    Parcel,
    Phase,
    PhaseProtocol,
    Publication,
    Upload,
)
from contest.services.publishing import path_of
from contest.services.sessions.answers import keep_answers
from contest.services.sessions.asking import essay_json
from razbor.markers.rules import RULES, answer, articles, spelling
from scoring.models import StandingBoard
from scoring.pages.solution_ranks import standing_of
from tests.pages import page_of
from web.zones import told_at

pytestmark = pytest.mark.django_db
BOARD = {
    "Рысь": ("ranked", ""),
    "Ёж": ("ranked", ""),
    "Сова": ("ranked", ""),
    "Выдра": ("annulled", "1 / 3"),
    "Барсук": ("excluded", "Разметку во время финала правил человек"),
}


@pytest.fixture(autouse=True)
def _exports(settings, tmp_path):
    settings.EXPORTS = tmp_path


def fragments(markup):
    return {(each.span, each.code, each.subcode, each.correction) for each in markup.fragments}


def test_the_demo_holds_sessions_a_rehearsal_to_come_and_four_contests():
    call_command("demo")

    good, middling = ExchangeSession.objects.filter(participant__team=None).order_by("pk")
    for each in (good, middling):
        keep_answers(session_id=each.pk, first=1, last=each.size)

    told = [(each.participant.username, each.state, each.counted) for each in (good, middling)]
    assert told == [("lynx", "finished", 14), ("hedgehog", "finished", 7)]
    assert list(middling.files.exclude(reason="").values_list("position", "reason")) == [
        (3, "late")
    ]
    assert middling.log.filter(content="broken").count() == 1
    for session, rules in ((good, RULES), (middling, (articles, spelling))):
        made = MarkupRecord.objects.filter(origin=session.origin).select_related("essay__essay_set")
        assert made.count() == session.counted
        for record in made:
            sent = answer(essay_json(record.essay), rules)
            reading = submission_from_json(sent, meta=record.essay.meta(), text=record.essay.text)
            assert fragments(record.to_core()) == fragments(reading.file.markup)
    the_first_reports_lead_to_what_counts(good, middling)
    parcel = Parcel.objects.get(upload=None)
    assert (parcel.state, parcel.taken, parcel.refused) == ("done", 1, 2)
    assert Final.objects.get(kind=Final.Kind.REHEARSAL).admissions.count() == 2
    the_pilot_is_final()
    the_autumn_takes_applications()
    before = rows()
    call_command("demo")
    assert rows() == before
    the_winter_goes_from_its_uploads_to_its_results()
    the_questions_take_uploads()


def the_first_reports_lead_to_what_counts(good, middling):
    """Every session was there when the run of its board was ordered: none came too late for it."""
    (board,) = StandingBoard.objects.filter(essay_set__name="Обучающая выборка")
    told = {each.origin: each.state for each in board.applied.entries.all()}
    assert (told[good.origin], told[middling.origin]) == ("former", "former")
    judge = User.objects.get(username="judge")
    standing = standing_of(judge, board.essay_set, good.participant_id, good.origin)
    assert (standing.reason, standing.told_counts) == ("former", "free")


def the_pilot_is_final():
    contest = Contest.objects.get(slug="pilot")
    standing = StandingBoard.objects.get(essay_set__data_set__contest=contest, public__isnull=False)
    told = {each.name: (each.state, each.reason) for each in standing.public.entries.all()}
    assert told == BOARD
    final_set = standing.essay_set
    checks = MarkupRecord.objects.filter(
        essay__essay_set=final_set, source=MarkupRecord.Source.EXPERT
    )
    per_essay = checks.order_by().values_list("essay__number").annotate(n=Count("pk"))
    assert dict(per_essay) == {"0001001": 2, "0001002": 3, "0001005": 3}
    protocols = PhaseProtocol.objects.filter(phase__contest=contest, voided_at=None)
    said = {
        each.phase.kind: [verdict.kind for verdict in each.verdicts.all()] for each in protocols
    }
    assert said == {kind: ["checked", "verified", "approved"] for kind in Phase.Kind.values}
    kinds = contest.publications.order_by("pk").values_list("kind", flat=True)
    assert (contest.is_final, list(kinds)) == (True, Publication.Kind.values)
    told = list(contest.announcements.order_by("published_at", "pk"))
    ago = [(timezone.now() - each.published_at).days for each in told]
    assert list(zip(ago, [each.kind for each in told], strict=True)) == [
        (60, "news"),
        (60, "modules"),
        (58, "data"),
        (44, "data"),
        (19, "results"),
        (18, "schedule"),
        (0, "results"),
        (0, "data"),
    ]
    with override("ru"):
        start = told_at(Final.objects.get(kind=Final.Kind.FINAL).starts_at, contest.zone)
    assert start in told[5].body_ru


def the_autumn_takes_applications():
    contest = Contest.objects.get(slug="autumn")
    page = Client().get("/contests/autumn/apply/")
    assert (page.status_code, page.context["refusal"]) == (200, "")
    assert [(each.name, each.admitted_at) for each in contest.teams.all()] == [("Рысь", None)]
    kinds = contest.announcements.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["news", "modules", "data", "news"]
    (archive,) = contest.publications.all()
    assert path_of(archive).stat().st_size == archive.size


def the_winter_goes_from_its_uploads_to_its_results():
    contest = Contest.objects.get(slug="winter")
    uploads = Upload.objects.filter(phase__contest=contest)
    told = uploads.order_by("pk").values_list("phase__kind", "team__name", "state")
    assert list(told) == [
        (kind, name, "taken") for kind in Phase.Kind.values for name in ("Рысь", "Ёж", "Сова")
    ]
    assert all(
        phase.starts_at <= each.sent_at <= phase.ends_at
        for phase in contest.phases.all()
        for each in uploads.filter(phase=phase)
    )
    assert PhaseProtocol.objects.get(phase__contest=contest).phase.kind == "qualification"
    people = {each.username: each for each in User.objects.all()}
    final_set = contest.data_sets.get(role="final").essay_set
    assert (contest.is_final, final_set.published_at) == (False, None)

    def waits(role, path):
        return "Зимний конкурс" in page_of(browser(people[role]).get(path)).one("main").text

    assert (waits("organiser", "/desk/"), waits("judge", "/verdicts/")) == (True, False)
    run = make_board(final_set, people)
    assert waits("judge", "/verdicts/")

    show_board(run, people)
    approve(contest.phases.get(kind="finals"), people)

    contest.refresh_from_db()
    final_set.refresh_from_db()
    assert (contest.is_final, final_set.published_at is not None) == (True, True)


def the_questions_take_uploads():
    lynx = browser(User.objects.get(username="lynx"))
    team = Contest.objects.get(slug="questions").teams.get(name="Рысь")
    lynx.post("/team/act/", {"team": team.pk})
    board = page_of(Client().get("/contests/questions/uploads/board/")).one("main").text
    file = SimpleUploadedFile("responses.txt", f"{RESPONSES['Рысь']}\n".encode())
    sent = lynx.post("/contests/questions/uploads/send/", {"file": file})

    assert ("Рысь" in board, "Ёж" in board, "lynx" in board) == (True, True, False)
    assert sent.status_code == 302
    told = Upload.objects.filter(team=team).values_list("state", "public_items", "final_items")
    assert [state for state, *_items in told] == ["waiting", "scored"]
    assert sum(told.last()[1:]) == 6


def browser(person):
    found = Client(headers={"accept-language": "ru"})
    found.force_login(person)
    return found


def rows():
    """How many rows of every kind there are."""
    models = apps.get_models()
    return {each._meta.label: each.objects.count() for each in models if each._meta.managed}
