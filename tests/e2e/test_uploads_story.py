"""A contest of essay markup without live sessions, from its first words to its archive, by HTTP.

Teams upload archives of markups within quotas, in the qualification and in the finals; no program
opens a session. Where the clock alone stands in the way, the moments of rows are moved.
"""

from __future__ import annotations

import io
import json
import zipfile
from http import HTTPStatus

import pytest

from contest.models import Contest, ExchangeSession, Publication, Upload, UploadCounter
from scoring.models import ScoreRun
from tests.contest.players import marked
from tests.contest.world import marked_set
from tests.e2e import test_contest_story as stories
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.database import connected
from tests.e2e.guests import Guest
from tests.pages import page_of

pytestmark = [pytest.mark.full, pytest.mark.parametrize("whole_stack", BACKENDS, indirect=True)]

CONTEST, days, typed = stories.CONTEST, stories.days, stories.typed
PER_DAY, IN_ALL = 2, 3


@pytest.fixture(scope="module")
def whole_stack(request, tmp_path_factory):
    with opened_stack(request, tmp_path_factory, "/14", crew=("web", "worker", "tick")) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


def test_a_contest_without_live_sessions_goes_its_way_to_the_archive(stack):
    story = stories.Story(stack)
    organisers_announce_it(story)
    stories.teams_apply(story)
    captains = {
        name: Guest(stack, f"{name.lower()}@example.org", stories.PASSWORD)
        for name in ("Alfa", "Beta")
    }
    teams_qualify_by_uploads(story, captains)
    stories.three_bodies_admit_them(story)
    stories.three_bodies_approve(story, "qualification")
    teams_upload_in_the_finals(story, captains)
    experts_mark_the_final_set(story)
    stories.two_apply_a_score_run(story, story.sets["final"])
    the_board_is_published(story)
    stories.the_results_open_the_experts_markups(story)
    everybody_takes_the_archive(story)
    assert not ExchangeSession.objects.exists()
    assert stack.health()["status"] == "ok"


def organisers_announce_it(story):
    organiser = story.guests["organiser"]
    dates = {"applications_from": typed(days(-1)), "applications_until": typed(days(3))}
    organiser.goes_on(organiser.fill("/contests/new/", **stories.WORDS, **dates, live=None))
    assert not story.contest.live
    story.sets = {
        "training": marked_set(2, rules=story.rules),
        "test": marked_set(2, "closed", rules=story.rules),
    }
    for role, found in story.sets.items():
        story.does("organiser", f"{CONTEST}manage/sets/", role=role, essay_set=found.pk)
    story.does("organiser", f"{CONTEST}manage/sets/", role="final", name="The final set")
    story.sets["final"] = story.contest.data_sets.get(role="final").essay_set
    for kind, start, end in (("qualification", 4, 9), ("finals", 20, 21)):
        spans = {"starts_at": typed(days(start)), "ends_at": typed(days(end))}
        story.does("organiser", f"{CONTEST}manage/phase/", kind=kind, **spans)
    terms_are_set(story)
    values = {"limit": 60, "interval": 60, "sends": 10, "share": 5, "window": 600}
    lines = {"star_to_qualify": 50, "annulled_to_qualify": 5}
    path = f"{CONTEST}parameters/propose/"
    story.does("organiser", path, rules=story.rules.pk, **values, **lines)
    story.does("organiser", f"{CONTEST}manage/announce/")
    stories.bring_final_essays(story)
    assert Guest(story.stack).get(CONTEST).status == HTTPStatus.OK


def terms_are_set(story):
    for kind, role in (("qualification", "test"), ("finals", "final")):
        path = f"{CONTEST}uploads/terms/{kind}/"
        held = {"essay_set": story.sets[role].pk, "per_day": PER_DAY, "in_all": IN_ALL}
        story.does("organiser", path, **held)


def archive_of(essay_set, comment, essays=None):
    """An archive of a marker that is right, as a browser sends a file."""
    packed = io.BytesIO()
    packed.name = "markups.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for essay in essay_set.essays.order_by("number")[:essays]:
            markup = marked({"text": essay.text, "meta": {}}, comment)
            archive.writestr(f"{essay.number}.json", json.dumps(markup, ensure_ascii=False))
    packed.seek(0)
    return packed


def upload(story, captain, file):
    answer = captain.post(f"{CONTEST}uploads/send/", file=file)
    story.goes_quiet()
    return answer


def teams_qualify_by_uploads(story, captains):
    held = story.sets["test"]
    early = upload(story, captains["Alfa"], archive_of(held, "early"))
    assert "begin on" in early.text
    story.contest.phases.filter(kind="qualification").update(starts_at=days(-1))
    for captain in captains.values():
        captain.goes_on(upload(story, captain, archive_of(held, "first")))
    captain = captains["Alfa"]
    nonsense = io.BytesIO(archive_of(held, "x").getvalue()[:-30])
    nonsense.name = "broken.zip"
    assert upload(story, captain, nonsense).status != HTTPStatus.FOUND
    captain.goes_on(upload(story, captain, archive_of(held, "second")))
    over = upload(story, captain, archive_of(held, "third"))
    assert f"has used its {PER_DAY} uploads of today" in over.text
    counted = dict(UploadCounter.objects.values_list("team__name", "total"))
    assert counted == {"Alfa": 2, "Beta": 1}
    shown = captain.page(f"{CONTEST}uploads/")[1].one("#quota-qualification").text
    assert shown.startswith(f"Today 2 of {PER_DAY}, in all 2 of {IN_ALL}.")
    assert set(Upload.objects.values_list("state", flat=True)) == {"taken"}
    stories.two_apply_a_score_run(story, held)


def teams_upload_in_the_finals(story, captains):
    """The texts are given once the phase has begun; no form plans a final."""
    shown = story.guests["organiser"].page(f"{CONTEST}manage/finals/")[1]
    assert not shown.find("main form")
    texts, held = f"{CONTEST}uploads/finals.zip", story.sets["final"]
    assert captains["Alfa"].get(texts).status == HTTPStatus.NOT_FOUND
    story.contest.phases.filter(kind="finals").update(starts_at=days(-1), ends_at=days(1))
    assert captains["Alfa"].get(texts).status == HTTPStatus.OK
    with zipfile.ZipFile(io.BytesIO(captains["Alfa"].body)) as given:
        assert f"{stories.NUMBERS[0]}.txt" in given.namelist()
    for captain in captains.values():
        captain.goes_on(upload(story, captain, archive_of(held, "final")))
    assert "clause 2.8" in story.coordinator.fill("/planning/", essay_set=held.pk).text
    story.contest.phases.filter(kind="finals").update(starts_at=days(-2), ends_at=days(0))
    late = upload(story, captains["Beta"], archive_of(held, "late", essays=1))
    assert "nothing is taken after the end" in late.text


def experts_mark_the_final_set(story):
    """Two experts an essay, a third where they differ."""
    stories.experts_mark_what_is_given(story)


def the_board_is_published(story):
    run = ScoreRun.objects.get(essay_set=story.sets["final"])
    path = f"/scores/runs/{run.pk}/"
    story.does("judge", f"{path}verdict/", kind="checked")
    story.does("commission", f"{path}verdict/", kind="verified")
    story.does("organiser", f"{path}publish/")
    board = page_of(Guest(story.stack).get(f"{CONTEST}board/").text).text
    assert "Alfa" in board
    assert "Beta" in board
    assert set(run.entries.values_list("state", flat=True)) == {"ranked"}


def everybody_takes_the_archive(story):
    story.does("organiser", f"{CONTEST}data/", kind="finals")
    stranger = Guest(story.stack)
    path = f"{CONTEST}data/finals.zip"
    story.stack.until(lambda: stranger.get(path).status == HTTPStatus.OK, "the archive is there")
    published = Publication.objects.get(kind="finals")
    with zipfile.ZipFile(io.BytesIO(stranger.body)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".json")]
    assert (published.essays, len(stranger.body)) == (stories.FILES, published.size)
    for team in ("Alfa", "Beta"):
        assert sum(team in name for name in names) == stories.FILES
    assert Contest.objects.get(slug="story").is_final
