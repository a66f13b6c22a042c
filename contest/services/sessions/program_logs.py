"""What participants' programs write into their own logs, as they send it."""

from __future__ import annotations

import json
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.tokens import without_tokens
from contest.core.moments import at
from contest.models import ProgramLog
from contest.services.sessions.opening import open_session_of
from web.refusals import Refused

MOST_ENTRIES: Final = 10_000
MOST_BYTES: Final = 1_000_000
KEPT: Final = 100
"""So many of a participant are kept; the oldest go."""


@transaction.atomic
def keep_program_log(*, participant: User, entries: object, moment: int) -> ProgramLog:
    """Keep a list of entries, the participant's keys masked.

    Raises ``Refused`` for another value, or for too many.
    """
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise Refused(_("A log is a list of at most %d entries.") % MOST_ENTRIES)
    written = json.dumps(entries)
    if len(written) > MOST_BYTES:
        raise Refused(_("The log is larger than 1 MB. Send it in parts."))
    row = ProgramLog.objects.create(
        participant=participant,
        session=open_session_of(participant),
        at=at(moment),
        entries=json.loads(without_tokens(written, participant)),
    )
    kept = ProgramLog.objects.filter(participant=participant).order_by("-pk")
    ProgramLog.objects.filter(
        participant=participant, pk__in=list(kept.values_list("pk", flat=True)[KEPT:])
    ).delete()
    return row
