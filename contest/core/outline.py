"""What a contest lacks before it can be announced, and whether its dates are in their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from contest.core.run_times import RunSpan, is_within_notice


class Part(StrEnum):
    """Parts of a contest that everybody reads or needs, in the order they are asked for."""

    NAME_RU = "name_ru"
    NAME_EN = "name_en"
    SUMMARY_RU = "summary_ru"
    SUMMARY_EN = "summary_en"
    TASK_RU = "task_ru"
    TASK_EN = "task_en"
    CONTACT = "contact"
    APPLICATIONS_FROM = "applications_from"
    APPLICATIONS_UNTIL = "applications_until"
    QUALIFICATION = "qualification"
    FINALS = "finals"
    TRAINING = "training"
    TEST = "test"
    FINAL = "final"
    PARAMETERS = "parameters"


class DateFault(StrEnum):
    """What is wrong with the dates of a contest."""

    QUALIFICATION_OVER = "qualification-over"
    FINALS_WITHIN_NOTICE = "finals-within-notice"
    FINALS_BEFORE_QUALIFICATION_ENDS = "finals-early"
    APPLICATIONS_OVER = "applications-over"
    APPLICATIONS_AFTER_FINALS = "applications-late"


@dataclass(frozen=True, slots=True)
class Outline:
    """What is known of a contest.

    ``of_essays``: by sets of essays and their parameters, not by one of the other schemes.
    ``live``: its finals are held in sessions. ``words``: the texts by their parts; ``moments``: of
    applications; ``phases``: by kind; ``roles``: kinds of data sets it has.
    """

    of_essays: bool
    live: bool
    words: Mapping[str, str] = field(default_factory=dict)
    moments: Mapping[str, datetime | None] = field(default_factory=dict)
    phases: Mapping[str, RunSpan] = field(default_factory=dict)
    roles: frozenset[str] = frozenset()
    has_parameters: bool = False


TEXTS = (
    *(Part.NAME_RU, Part.NAME_EN, Part.SUMMARY_RU, Part.SUMMARY_EN),
    *(Part.TASK_RU, Part.TASK_EN, Part.CONTACT),
)
MOMENTS = (Part.APPLICATIONS_FROM, Part.APPLICATIONS_UNTIL)


def missing_parts(outline: Outline) -> tuple[Part, ...]:
    """The parts without which a contest is not announced, in their order."""
    found = [each for each in TEXTS if not outline.words.get(each, "").strip()]
    found += [each for each in MOMENTS if outline.moments.get(each) is None]
    needed = [Part.QUALIFICATION, *([Part.FINALS] if outline.live else [])]
    found += [each for each in needed if each not in outline.phases]
    if outline.of_essays:
        sets = [Part.TRAINING, Part.TEST, *([Part.FINAL] if outline.live else [])]
        found += [each for each in sets if each not in outline.roles]
        found += [] if outline.has_parameters else [Part.PARAMETERS]
    return tuple(found)


def date_faults(outline: Outline, now: datetime) -> tuple[DateFault, ...]:
    """What is wrong with the dates that are there, as of a moment."""
    found = []
    qualification = outline.phases.get(Part.QUALIFICATION)
    finals = outline.phases.get(Part.FINALS)
    until = outline.moments.get(Part.APPLICATIONS_UNTIL)
    if qualification and qualification.end <= now:
        found.append(DateFault.QUALIFICATION_OVER)
    if finals and is_within_notice(finals.start, now):
        found.append(DateFault.FINALS_WITHIN_NOTICE)
    if qualification and finals and finals.start < qualification.end:
        found.append(DateFault.FINALS_BEFORE_QUALIFICATION_ENDS)
    if until and until <= now:
        found.append(DateFault.APPLICATIONS_OVER)
    if until and finals and until > finals.start:
        found.append(DateFault.APPLICATIONS_AFTER_FINALS)
    return tuple(found)
