"""Whoever decides about a score run at the instant somebody else does is told so."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from scoring.models import ScoreRun
from scoring.services.run_acts import decide_run, propose_run, withdraw_proposal
from tests.e2e.database import together
from tests.e2e.essays import people
from tests.factories import EssaySetFactory
from tests.scoring.test_board_page import run_of
from web.refusals import Conflict

pytestmark = pytest.mark.full


def test_a_run_is_discarded_once_or_its_proposal_taken_back(stack):  # noqa: ARG001
    (coordinator,) = people(1, User.Role.COORDINATOR)
    deciding = people(2, User.Role.ORGANISER)
    for number in range(6):
        run = run_of(EssaySetFactory(name=f"Discarded {number}"))
        about = {"run": run, "proposal": ScoreRun.Proposal.DISCARD}
        propose_run(**about, reason="Wrong rules", actor=coordinator)

        answers = together(
            *(partial(decide_run, **about, against=None, actor=each) for each in deciding),
            partial(withdraw_proposal, run=run, whose=coordinator.pk, actor=coordinator),
        )

        run.refresh_from_db()
        heard = [each for each in answers if not isinstance(each, Conflict)]
        told = {each.code for each in answers if isinstance(each, Conflict)}
        assert (len(heard), len(told)) == (1, 1), answers
        assert (run.state, run.decided_by) in (
            ("ready", None),
            *(("discarded", each) for each in deciding),
        )
