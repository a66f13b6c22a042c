"""The moments of a planned run that follow from its start, its rules and its files."""

from __future__ import annotations

from contest.core.moments import moment_of
from contest.core.session_json import FINAL, iso, rules_from_log
from contest.core.session_rules import Rules
from contest.models import ExchangeSession, Final


def opened_until(run: Final, files: int) -> int:
    """The last moment at which opening a session of a run of so many files may bring one."""
    return _or_start(run, _rules_of(run).worth_opening_until(files))


def answered_until(run: Final, files: int) -> int:
    """The last moment of an answer to the last file of a run, whoever takes part."""
    return _or_start(run, _rules_of(run).answered_until(files))


def opens_files_until(session: ExchangeSession, moment: int) -> int:
    """Until when files of a session have opened by the clock to anybody, as of ``moment``: none do
    of a run once it is cancelled, and the next one may give out those that had not.
    """
    cancelled = session.final.cancelled_at if session.final else None
    return moment if cancelled is None else min(moment, moment_of(cancelled))


def _rules_of(run: Final) -> Rules:
    return rules_from_log({**FINAL, **run.rules, "start": iso(moment_of(run.starts_at))})


def _or_start(run: Final, moment: int | None) -> int:
    return moment_of(run.starts_at) if moment is None else moment
