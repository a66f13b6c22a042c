"""A contest of essays without live sessions, its teams and their archives of markups."""

from __future__ import annotations

import io
import json
import zipfile

from annotator.models import MarkupRecord
from contest import tasks
from contest.models import (
    Team,
    UploadCounter,
)
from contest.services.uploads.terms import Terms, set_upload_terms
from contest.services.uploads.uploading import Sent, send_upload
from jobs.models import Job
from tests.contest.data_world import contest_of, data_set_of, phase_of
from tests.contest.world import answer, team
from tests.factories import EssayFactory, PersonFactory


def markups_contest():
    """A contest without live sessions whose qualification takes markups of two essays now."""
    made = contest_of(live=False)
    phase = phase_of(made, "qualification", -1, 5)
    held = data_set_of(made, "test", essays=0, state="open", takes_parcels=True).essay_set
    for number in ("0001", "0002"):
        EssayFactory(essay_set=held, number=number, text="He have a dog.")
    terms_of(phase, held)
    return made


def terms_of(phase, essay_set, per_day=2, in_all=3, actor=None):
    terms = Terms(per_day=per_day, in_all=in_all, essay_set=essay_set)
    return set_upload_terms(
        phase=phase, terms=terms, actor=actor or PersonFactory(role="organiser")
    )


def held_of(contest):
    return contest.data_sets.filter(role="test").order_by("pk").first().essay_set


def team_of(contest, name="Lynx", **fields):
    return Team.objects.create(contest=contest, name=name, account=team(), **fields)


def zipped(contest, *codes, **others):
    """An archive with a markup of each essay by these codes, and what else there is in it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for essay, code in zip(held_of(contest).essays.order_by("number"), codes, strict=False):
            archive.writestr(f"{essay.number}.json", answer(essay, code=code))
        for name, data in others.items():
            archive.writestr(f"{name}.json", data)
    return content.getvalue()


def archive_of(files):
    """An archive of files by their names: texts as they are, the rest as JSON."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data if isinstance(data, str) else json.dumps(data))
    return content.getvalue()


def sent_by(team, data):
    sent = Sent("markups.zip", data)
    return send_upload(contest=team.contest, user=team.account, sent=sent)[0]


def work_off():
    for job in Job.objects.filter(kind="contest.take_parcel", state=Job.State.QUEUED):
        tasks.take_parcel(job.pk)


def counted(team):
    return list(UploadCounter.objects.filter(team=team).values_list("of_day", "total"))


def markups_of(team):
    found = MarkupRecord.objects.filter(author=team.account, state="submitted")
    return [(each.essay.number, each.rows()[0].code) for each in found.order_by("essay__number")]
