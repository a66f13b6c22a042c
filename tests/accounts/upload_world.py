"""What a contest of another scheme takes uploads for: that of the participant's team."""

from __future__ import annotations

from contest.models import Contest, Upload
from tests.accounts.desk_world import Objects
from tests.contest.data_world import data_set_of, phase_of, terms_of


def uploads(slug: str) -> Objects:
    """The contest of this address takes uploads now, of QAC."""
    Contest.objects.filter(slug=slug).update(
        scheme="qac", subject="", live=False, shows_test_board=True
    )
    contest = Contest.objects.get(slug=slug)
    phase = phase_of(contest, "qualification", -1, 1)
    terms_of(phase)
    data_set_of(contest, "test", essays=1)
    place = {"slug": slug}
    team = contest.teams.first()
    upload = Upload.objects.create(
        phase=phase,
        team=team,
        sent_by=team.account,
        name="answers.txt",
        digest="0" * 64,
        size=1,
        day=phase.starts_at.date(),
        state=Upload.State.SCORED,
    )
    return {
        "upload-contest": place,
        "upload": {**place, "pk": upload.pk},
        "upload-set": {**place, "kind": "test"},
        "upload-phase": {**place, "kind": "qualification"},
    }
