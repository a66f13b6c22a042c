from __future__ import annotations

from contest.services import publishing
from contest.services.sessions import answers
from contest.services.teams import letters
from contest.services.uploads import parcels
from jobs.tasks import work


@work
def keep_answers(*, session_id: int, first: int, last: int) -> None:
    answers.keep_answers(session_id=session_id, first=first, last=last)


@work
def take_parcel(*, parcel_id: int, first: int) -> None:
    parcels.take_parcel(parcel_id=parcel_id, first=first)


@work
def send_team_letter(*, letter_id: int) -> None:
    letters.send_team_letter(letter_id=letter_id)


@work
def make_publication(*, order_id: int) -> None:
    publishing.make_publication(order_id=order_id)
