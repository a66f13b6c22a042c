"""Finals of uploads: texts for teams, experts afterwards; and doors that lead past no quota."""

from __future__ import annotations

import io
import zipfile

import pytest

from annotator.models import MarkupRecord
from contest.models import (
    ExchangeSession,
    Parcel,
    Phase,
    UploadTerms,
)
from contest.services.phase_protocols import results_now, say_of_phase
from contest.services.sessions.drawing import technical_essays
from contest.services.uploads.parcels import keep_parcel
from review.core.plan_options import Options as PlanOptions
from review.services.plans import preview_plan
from scoring.queries.tables import star_table
from tests.contest.data_world import data_set_of, in_days, phase_of
from tests.contest.markup_world import (
    held_of,
    markups_contest,
    sent_by,
    team_of,
    terms_of,
    work_off,
    zipped,
)
from tests.contest.world import answer, handed
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.scoring.work import order, run_all
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return markups_contest()


@pytest.fixture
def finals(contest):
    """Finals of uploads that go on, on a final set of two essays nobody has marked."""
    phase = phase_of(contest, "finals", -1, 5)
    held = data_set_of(contest, "final", essays=0, state="open").essay_set
    for number in ("0001", "0002"):
        EssayFactory(essay_set=held, number=number, text="He have a dog.")
    terms_of(phase, held)
    return phase


def archive_of(phase, *codes):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        essays = phase.upload_terms.essay_set.essays.order_by("number")
        for essay, code in zip(essays, codes, strict=False):
            archive.writestr(f"{essay.number}.json", answer(essay, code=code))
    return content.getvalue()


def test_texts_of_finals_are_given_to_admitted_teams_from_their_beginning_on(
    contest, finals, log_in
):
    lynx = team_of(contest, admitted_at=contest.announced_at)
    owl = team_of(contest, "Owl")
    cheats = team_of(
        contest,
        "C",
        admitted_at=contest.announced_at,
        excluded_at=contest.announced_at,
        excluded_because="x",
    )
    address = f"/contests/{contest.slug}/uploads/"
    essay = finals.upload_terms.essay_set.essays.get(number="0001")
    taking = f"{address}finals.zip"

    shown = log_in(lynx.account).get(taking)
    refused = [log_in(each.account).get(taking).status_code for each in (owl, cheats)]
    seen = [
        log_in(each.account).get(f"/api/essays/{essay.pk}/").status_code for each in (lynx, owl)
    ]
    links = [
        "finals.zip" in log_in(each.account).get(address).content.decode() for each in (lynx, owl)
    ]
    Phase.objects.filter(pk=finals.pk).update(starts_at=in_days(1))
    early = log_in(lynx.account).get(taking).status_code

    with zipfile.ZipFile(io.BytesIO(shown.content)) as archive:
        assert archive.namelist() == ["0001.json", "0001.txt", "0002.json", "0002.txt"]
        assert archive.read("0001.txt").decode() == essay.text
    assert (refused, early, seen, links) == ([404, 404], 404, [200, 404], [True, False])


def test_experts_mark_the_final_set_once_its_uploads_are_over(contest, finals):
    lynx = team_of(contest, admitted_at=contest.announced_at)
    held = finals.upload_terms.essay_set
    bear = team_of(contest, "Bear", admitted_at=contest.announced_at)
    Phase.objects.filter(kind="qualification").update(starts_at=in_days(-3), ends_at=in_days(-2))
    sent_by(lynx, archive_of(finals, "А.грамм", "А.грамм"))
    sent_by(bear, archive_of(finals, "А.лекс", "А.лекс"))
    work_off()
    coordinator = PersonFactory(role="coordinator")
    with pytest.raises(Refused, match=r"clause 2\.8"):
        preview_plan(options=PlanOptions(essay_set=held.pk), actor=coordinator)
    judge = PersonFactory(role="judge")
    with pytest.raises(Refused, match="The phase is not over yet"):
        said_of(finals, "checked", judge)

    Phase.objects.filter(pk=finals.pk).update(starts_at=in_days(-2), ends_at=in_days(-1))
    with pytest.raises(Refused, match="nothing is taken after the end"):
        sent_by(lynx, archive_of(finals, "А.лекс"))
    with pytest.raises(Refused, match="No score run counts for the final set yet"):
        said_of(finals, "checked", judge)
    for essay in held.essays.all():
        for _expert in range(2):
            order(submitted(essay, fragment(3, 7, "А.грамм")))
    run_all()

    found = star_table(held).standings
    assert [each.participant.team.name for each in found] == ["Lynx", "Bear"]
    preview_plan(options=PlanOptions(essay_set=held.pk), actor=coordinator)


def said_of(phase, kind, actor):
    seen = results_now(phase)[1]
    return say_of_phase(phase=phase, kind=kind, seen=seen, reason="", actor=actor)


def test_whoever_was_given_an_essay_before_passes_no_quota_by(contest, log_in):
    lynx = team_of(contest)
    held = held_of(contest)
    essay = held.essays.get(number="0001")
    handed_to(lynx, held)
    address, body = f"/api/essays/{essay.pk}/markups/", answer(essay)

    def posted():
        return log_in(lynx.account).post(address, body, content_type="application/json")

    refused = posted()
    UploadTerms.objects.all().delete()
    early = posted()
    drawn = technical_essays(lynx.account).exists()
    contest.data_sets.all().delete()
    taken = posted()

    assert (refused.status_code, early.status_code, taken.status_code) == (422, 422, 201)
    assert not drawn
    assert early.json() == refused.json()
    assert "are uploads to “Contest”, within its quotas" in refused.json()["message"]
    assert MarkupRecord.objects.count() == 1


def test_an_archive_sent_before_the_terms_is_told_of_the_quotas_file_by_file(contest):
    lynx, held = team_of(contest), held_of(contest)
    content = zipped(contest, "А.грамм")
    keep_parcel(participant=handed_to(lynx, held), essay_set=held, name="a.zip", content=content)

    work_off()

    parcel = Parcel.objects.get()
    assert (parcel.accepted, parcel.refused, MarkupRecord.objects.count()) == (0, 1, 0)


def test_the_terms_wait_for_open_sessions_of_their_set(contest):
    lynx = team_of(contest)
    other = data_set_of(contest, "test", essays=0, state="open").essay_set
    essay = EssayFactory(essay_set=other)
    handed_to(lynx, other)
    session = ExchangeSession.objects.get(files__essay=essay)
    ExchangeSession.objects.filter(pk=session.pk).update(state="open", closed_at=None)

    with pytest.raises(Refused, match="are open: wait until they end"):
        terms_of(contest.phases.get(), other)


def handed_to(team, essay_set):
    """The account of a team that was given the first essay of a set, in a session that is over."""
    return handed(essay_set.essays.order_by("pk").first(), team.account)
