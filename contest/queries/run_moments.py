"""The moments of a planned run that follow from its start, its rules and its files."""

from __future__ import annotations

from contest.core.moments import moment_of
from contest.core.session_json import FINAL, iso, rules_from_log
from contest.core.session_rules import Rules
from contest.models import Final


def opened_until(run: Final, files: int) -> int:
    """The last moment at which opening a session of a run of so many files may bring one."""
    return _or_start(run, _rules_of(run).worth_opening_until(files))


def answered_until(run: Final, files: int) -> int:
    """The last moment of an answer to the last file of a run, whoever takes part."""
    return _or_start(run, _rules_of(run).answered_until(files))


def _rules_of(run: Final) -> Rules:
    return rules_from_log({**FINAL, **run.rules, "start": iso(moment_of(run.starts_at))})


def _or_start(run: Final, moment: int | None) -> int:
    return moment_of(run.starts_at) if moment is None else moment
