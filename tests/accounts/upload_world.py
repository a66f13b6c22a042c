"""What a contest of another scheme takes uploads for: that of the participant's team."""

from __future__ import annotations

from contest.models import Contest
from tests.accounts.desk_world import Objects
from tests.contest.data_world import data_set_of, phase_of, terms_of


def uploads(slug: str) -> Objects:
    """The contest of this address takes uploads now, of QAC."""
    Contest.objects.filter(slug=slug).update(
        scheme="qac", subject="", live=False, shows_test_board=True
    )
    contest = Contest.objects.get(slug=slug)
    terms_of(phase_of(contest, "qualification", -1, 1))
    data_set_of(contest, "test", essays=1)
    place = {"slug": slug}
    return {
        "upload-contest": place,
        "upload-set": {**place, "kind": "test"},
        "upload-phase": {**place, "kind": "qualification"},
    }
