"""Corrections of a contest's sets are announced, and refused shortly before the finals (R 4.6)."""

from __future__ import annotations

import pytest
from django.utils import translation

from annotator.models import Essay
from annotator.services.imports.importing import Options, import_files
from annotator.services.imports.undoing import undo_import
from annotator.services.versions import SAID, correct_essay, replace_essay
from contest.models import Announcement
from contest.models import Final as PlannedFinal
from contest.queries.solutions import field_of_set
from contest.services.sessions.finals import Planned, plan_final
from tests.annotator.files import exchanged
from tests.contest.data_world import contest_of, data_set_of, in_days, phase_of
from tests.contest.world import Client, Mode, team
from tests.factories import TEXT, PersonFactory
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor():
    return PersonFactory(role="coordinator")


def corrected(data_set, actor, text="Another text, without the slip."):
    essay = data_set.essay_set.essays.order_by("pk").first()
    return replace_essay(essay=essay, text=text, reason="A line was missing", actor=actor)


@pytest.mark.parametrize("role", ["training", "test"])
def test_a_correction_is_announced_in_both_languages_with_its_reason(actor, role):
    contest = contest_of()
    phase_of(contest, starts=11, ends=12)
    found = data_set_of(contest, role)

    done = corrected(found, actor)

    (told,) = contest.announcements.all()
    number, essay_set = done.essay.number, found.essay_set
    assert (told.kind, told.made_by) == ("data", actor)
    assert told.title_en == f"Essay {number} was corrected"
    assert told.body_en == (
        f"Set “{essay_set}”: essay {number} has a new version, 2. Reason: A line was missing"
    )
    assert number in told.title_ru
    assert told.body_ru.endswith("A line was missing")


@pytest.mark.parametrize(("starts", "taken"), [(11, True), (9, False), (-1, False)])
def test_from_ten_days_before_the_finals_on_nothing_is_corrected(actor, starts, taken):
    contest = contest_of()
    phase_of(contest, starts=starts, ends=20)
    found = data_set_of(contest, "test")

    if taken:
        corrected(found, actor)
    else:
        with pytest.raises(Refused, match=rf"Clause 4\.6 .*“{found.essay_set}” of “Contest”"):
            corrected(found, actor)

    assert Essay.objects.filter(essay_set=found.essay_set).count() == 2 + taken
    assert Announcement.objects.count() == taken


@pytest.mark.parametrize(("starts", "taken"), [(11, True), (9, False), (-1, False)])
def test_nor_is_what_is_said_of_an_essay_which_its_file_begins_with(actor, starts, taken):
    contest = contest_of()
    phase_of(contest, starts=starts, ends=20)
    essay = data_set_of(contest, "training").essay_set.essays.order_by("pk").first()
    former, values = essay.theme, {**{name: getattr(essay, name) for name in SAID}, "theme": "Rain"}

    if taken:
        correct_essay(essay=essay, seen=essay.revision, actor=actor, values=values)
    else:
        with pytest.raises(Refused, match=r"Clause 4\.6"):
            correct_essay(essay=essay, seen=essay.revision, actor=actor, values=values)

    essay.refresh_from_db()
    assert essay.theme == ("Rain" if taken else former)


def test_a_planned_final_sets_the_day_where_it_is_earlier_than_the_phase(actor):
    contest = contest_of()
    phase_of(contest, starts=30)
    planned = Planned("Final", data_set_of(contest).essay_set, in_days(5))
    plan_final(planned=planned, admitted=[team()], actor=None)

    with pytest.raises(Refused, match=r"Clause 4\.6"):
        corrected(data_set_of(contest, "training"), actor)


def test_sets_of_no_contest_final_sets_and_unannounced_contests_are_corrected_in_silence(actor):
    close = contest_of()
    phase_of(close, starts=1, ends=2)
    quiet = contest_of(announced_at=None)

    corrected(data_set_of(close, "final"), actor)
    corrected(data_set_of(quiet, "training"), actor)

    assert not Announcement.objects.exists()


def test_a_final_that_is_ahead_gives_out_the_new_version_and_one_that_began_keeps_its_own(actor):
    found = data_set_of(contest_of(), essays=3)
    final = plan_final(
        planned=Planned("Final", found.essay_set, in_days(1)), admitted=[team()], actor=None
    )
    latest = corrected(found, actor).essay
    PlannedFinal.objects.update(starts_at=in_days(0.005))
    client = Client(final.admissions.get().participant, mode=Mode.FINAL)

    assert latest.pk in client.session.files.values_list("essay", flat=True)
    assert latest.pk in field_of_set(found.essay_set_id).essays
    names = list(client.session.files.order_by("position").values_list("name", flat=True))
    assert names == list(final.files.values_list("essay__number", flat=True))
    with pytest.raises(Refused, match=r"is a file of the final “Final”: programs answer this text"):
        replace_essay(essay=latest, text=TEXT, reason="A slip", actor=actor)
    PlannedFinal.objects.update(cancelled_at=in_days(0), cancelled_because="A slip")
    replace_essay(essay=latest, text=TEXT, reason="A slip", actor=actor)


def test_essays_come_at_any_time_and_are_not_taken_away_again(actor):
    contest = contest_of()
    phase_of(contest, starts=1, ends=2)
    found = data_set_of(contest, "training", essays=0)
    options = Options(found.essay_set, actor=actor)
    rows = import_files([exchanged("0000001.json", TEXT)], options)

    with pytest.raises(Refused, match=r"Clause 4\.6"):
        undo_import(batch=found.essay_set.imports.get(), actor=actor)

    assert [row.outcome for row in rows] == ["essay"]
    assert found.essay_set.essays.count() == 1


def test_the_form_says_that_the_reason_becomes_public(log_in, actor):
    contest = contest_of()
    phase_of(contest)
    essay = data_set_of(contest, "test").essay_set.essays.first()

    with translation.override("en"):
        page = page_of(log_in(actor).get(f"/essays/{essay.pk}/replace/"))

    assert "contest “Contest”: the reason is announced to everybody" in page.text
    assert "10 days before the finals (clause 4.6)" in page.text


@pytest.mark.parametrize("act", ["replace", "correct"])
def test_where_it_is_too_late_the_form_says_so_before_anything_is_typed(log_in, actor, act):
    contest = contest_of()
    phase_of(contest, starts=9, ends=12)
    essay = data_set_of(contest, "test").essay_set.essays.first()

    with translation.override("en"):
        page = page_of(log_in(actor).get(f"/essays/{essay.pk}/{act}/"))

    assert "is not corrected later than 10 days before the finals" in page.one(".notice.warn").text
    assert "Corrections are possible" not in page.text


def test_where_programs_answer_a_text_the_form_says_that_it_stays(log_in, actor):
    found = data_set_of(contest_of())
    planned = Planned("Final", found.essay_set, in_days(1))
    plan_final(planned=planned, admitted=[team()], actor=None)
    PlannedFinal.objects.update(starts_at=in_days(0.005))
    essay = found.essay_set.essays.first()

    page = page_of(log_in(actor).get(f"/essays/{essay.pk}/replace/"))

    assert "programs answer this text. It stays" in page.one(".notice.warn").text


def test_before_a_contest_is_announced_the_form_promises_no_announcement(log_in, actor):
    essay = data_set_of(contest_of(announced_at=None), "test").essay_set.essays.first()

    page = page_of(log_in(actor).get(f"/essays/{essay.pk}/replace/"))

    assert page.find(".notice.warn") == []
