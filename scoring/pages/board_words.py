"""What is said above a board: whether everybody reads it, and what became of it since."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from scoring.access import boards_taken_off, counted_otherwise, may_see_runs, why_withheld
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard


def still_since(run: ScoreRun) -> datetime | None:
    """Since when the public board stands still at a run; ``None`` where it does not."""
    board = StandingBoard.objects.filter(essay_set=run.essay_set_id, public=run).first()
    return board.still_since if board else None


def words_above(viewer: User | AnonymousUser, run: ScoreRun) -> list[str]:
    """Which board this is among those of its set, as its reader may know."""
    board = StandingBoard.objects.filter(essay_set=run.essay_set_id).first()
    public = board.public_id if board else None
    told = [_still(board)] if board and run.pk == public else []
    if board and run.pk in (public, board.applied_id):
        told.append(counted_otherwise(run))
    if isinstance(viewer, User) and may_see_runs(viewer):
        return [each for each in (*told, _for_staff(run, public)) if each]
    earlier = taken_off(viewer, [run.essay_set_id]) if run.pk == public else []
    return [each for each in (*told, *(words for _set_id, words in earlier)) if each]


def taken_off(viewer: User | AnonymousUser, sets: Iterable[int]) -> list[tuple[int, str]]:
    """Of which of these sets somebody reads no board any more, or an earlier one: since when."""
    told: dict[int, str] = {}
    for each in boards_taken_off(viewer, sets):
        words = _(
            "The board of “%(name)s” was that of score run %(n)s until %(at)s: it was returned."
        )
        names = {"name": each.run.essay_set, "n": each.run_id, "at": _day(each.at)}
        told.setdefault(each.run.essay_set_id, words % names)
    return list(told.items())


def _still(board: StandingBoard) -> str:
    at = board.still_since
    words = _(
        "The public board stands still since %s, until organisers let it go on: runs applied later "
        "are not shown on it."
    )
    return words % date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT") if at else ""


def _for_staff(run: ScoreRun, public: int | None) -> str:
    if run.pk == public:
        return why_withheld(run.essay_set_id)
    returned = RunVerdict.objects.filter(run=run, kind=RunVerdict.Kind.RETURNED)
    verdict = returned.select_related("who").first()
    instead = _("Everybody reads the board of run %d.") % public if public else ""
    if verdict is not None:
        said = _("%(who)s returned this run on %(at)s: staff alone reads its board.")
        said %= {"who": verdict.who, "at": _day(verdict.at)}
    elif PublishedRun.objects.filter(run=run).exists():
        said = _("Everybody reads this board among the earlier ones.")
    else:
        said = _("This board is not published: staff alone reads it.")
    return f"{said} {instead}".rstrip()


def _day(at: datetime) -> str:
    return date_format(timezone.localtime(at), "SHORT_DATE_FORMAT")
