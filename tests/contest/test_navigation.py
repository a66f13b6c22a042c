"""Every page of a contest marks its place in the navigation."""

from __future__ import annotations

from contest.navigation import PAGES
from contest.urls import urlpatterns

FILES = {
    *("feed", "publication", "upload_texts", "phase_file"),
    *("upload_board_json", "upload_board_csv"),
}
ACTS = {
    *(
        "drop_data_set",
        "lift_annulment",
        "lift_upload",
        "take_team_back",
        "withdraw_parameters",
        "send_upload",
    ),
    *("invite_member", "ask_leader", "drop_invitation", "leave_team", "dismiss", "make_captain"),
}
"""What is no page: files, and what only redirects or is answered by a notice."""


def test_every_page_of_a_contest_is_one_of_the_contests_and_the_cabinet_the_teams():
    known = {each.name for each in urlpatterns if str(each.pattern).startswith("contests/")}

    pages = {f"contest:{name}" for name in known - FILES - ACTS}

    assert pages - PAGES == {"contest:contests", "contest:cabinet"}
    assert PAGES - pages == set()
