"""The pages of boards and reports that axe looks at."""

from __future__ import annotations

from accounts.models import User
from scoring.services.reporting import compute
from tests.factories import submitted
from tests.scoring.test_board_history import World as History
from tests.scoring.test_board_page import World as Board
from tests.scoring.work import score
from tests.strategies import fragment


class Boards:
    """Pages of ``tests.screens.axe_world.World``."""

    def page_board(self):
        return None, Board().address

    def page_board_with_its_history(self):
        return None, History().address

    def page_board_among_tables(self):
        Board()
        return self.somebody(User.Role.COMMISSION), "/scores/"

    def page_report(self):
        one, other = self.checked()
        lynx = self.somebody(User.Role.PARTICIPANT)
        own = submitted(
            one.essay,
            fragment(23, 28, "А.лекс"),
            fragment(5, 11, "А.грамм"),
            author=lynx,
            source="algorithm",
        )
        score(one, other, own)
        compute(set_id=one.essay.essay_set_id, author_id=lynx.pk, origin="")
        return lynx, f"/scores/{one.essay.essay_set_id}/reports/{lynx.pk}/free/"

    def page_own_figures(self):
        return self.somebody(User.Role.PARTICIPANT), "/scores/own/"
