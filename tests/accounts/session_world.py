"""A final, a session in it and an archive of markups, all of one participant."""

from __future__ import annotations

from accounts.models import User
from annotator.models import EssaySet
from contest.core.moments import at
from contest.models import ExchangeSession, Parcel
from contest.services.sessions import opening
from contest.services.sessions.asking import next_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import Planned, plan_final
from tests.accounts.desk_world import SECRET, Objects
from tests.factories import EssayFactory, EssaySetFactory


def sessions(participant: User) -> Objects:
    """A final that has begun, and a participant's session in it with its first file handed out."""
    essay_set = EssaySetFactory(name=f"{SECRET} final", access=EssaySet.Access.FINAL)
    essay = EssayFactory(essay_set=essay_set, number=f"{SECRET}-S1", theme=f"{SECRET} theme")
    now = moment_now()
    planned = Planned("Spring", essay_set, at(now), rules={"limit": 3600})
    final = plan_final(planned=planned, admitted=[participant], actor=None)
    wish = opening.Wish(ExchangeSession.Mode.FINAL)
    session, _is_new = opening.open_session(
        participant=participant, wish=wish, door="rest", moment=now
    )
    next_file(session_id=session.pk, moment=now + 1000)
    parcel = Parcel.objects.create(
        participant=participant, essay_set=essay_set, name=f"{SECRET}.zip", size=1
    )
    parcel.files.create(position=1, name=f"{SECRET}.json", outcome="refused")
    return {
        "parcel": {"pk": parcel.pk},
        "final": {"pk": final.pk},
        "session": {"pk": session.pk},
        "session-file": {"pk": session.pk, "file": essay.number},
    }
