"""The moments of a planned run that follow from its start, its rules and its files."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet

from contest.core.moments import moment_of
from contest.core.session_json import FINAL, iso, rules_from_log
from contest.core.session_rules import Rules
from contest.models import ExchangeSession, Final


def counted(runs: QuerySet[Final]) -> QuerySet[Final, Any]:
    """Runs with ``size``, how many files each gives out: its last moments follow from that."""
    return runs.annotate(size=Count("files", distinct=True))


def opened_until(run: Final) -> int:
    """The last moment at which opening a session of a run that is ``counted`` may bring one."""
    return _or_start(run, _rules_of(run).worth_opening_until(_size_of(run)))


def answered_until(run: Final) -> int:
    """The last moment of an answer to the last file of one that is ``counted``, by whomever."""
    return _or_start(run, _rules_of(run).answered_until(_size_of(run)))


def opens_files_until(session: ExchangeSession, moment: int) -> int:
    """Until when files of a session have opened by the clock to anybody, as of ``moment``: none do
    of a run once it is cancelled, and the next one may give out those that had not.
    """
    cancelled = session.final.cancelled_at if session.final else None
    return moment if cancelled is None else min(moment, moment_of(cancelled))


def _size_of(run: Final) -> int:
    found: int = run.size  # type: ignore[attr-defined] - of ``counted``
    return found


def _rules_of(run: Final) -> Rules:
    return rules_from_log({**FINAL, **run.rules, "start": iso(moment_of(run.starts_at))})


def _or_start(run: Final, moment: int | None) -> int:
    return moment_of(run.starts_at) if moment is None else moment
