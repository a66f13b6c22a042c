"""What a contest lacks, and the order of its dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from contest.core.outline import (
    MOMENTS,
    TEXTS,
    DateFault,
    Outline,
    Part,
    date_faults,
    missing_parts,
)
from contest.core.run_times import RunSpan

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def whole(**changes):
    given = {
        "of_essays": True,
        "live": True,
        "words": dict.fromkeys(TEXTS, "words"),
        "moments": {MOMENTS[0]: NOW, MOMENTS[1]: NOW + 5 * DAY},
        "phases": {
            "qualification": RunSpan(NOW, NOW + 9 * DAY),
            "finals": RunSpan(NOW + 20 * DAY, NOW + 30 * DAY),
        },
        "roles": frozenset({"training", "test", "final"}),
        "has_parameters": True,
    }
    return Outline(**{**given, **changes})


def test_a_whole_contest_lacks_nothing():
    assert (missing_parts(whole()), date_faults(whole(), NOW)) == ((), ())


def test_an_empty_one_lacks_every_part_in_its_order():
    assert missing_parts(Outline(of_essays=True, live=True)) == tuple(Part)


@pytest.mark.parametrize(
    ("of_essays", "live", "unneeded"),
    [
        (True, False, {Part.FINALS, Part.FINAL}),
        (False, False, {Part.FINALS, Part.FINAL, Part.TRAINING, Part.TEST, Part.PARAMETERS}),
    ],
)
def test_what_a_kind_of_contest_has_not_is_not_missing(of_essays, live, unneeded):
    missing = missing_parts(Outline(of_essays=of_essays, live=live))

    assert set(Part) - set(missing) == unneeded


def test_blank_words_are_missing():
    words = {**dict.fromkeys(TEXTS, "words"), Part.TASK_EN: " \n"}

    assert missing_parts(whole(words=words)) == (Part.TASK_EN,)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"phases": {"qualification": RunSpan(NOW - 2 * DAY, NOW)}},
            DateFault.QUALIFICATION_OVER,
        ),
        (
            {
                "phases": {
                    "qualification": RunSpan(NOW, NOW + 21 * DAY),
                    "finals": RunSpan(NOW + 20 * DAY, NOW + 30 * DAY),
                }
            },
            DateFault.FINALS_BEFORE_QUALIFICATION_ENDS,
        ),
        (
            {
                "phases": {
                    "qualification": RunSpan(NOW, NOW + 9 * DAY),
                    "finals": RunSpan(NOW + 10 * DAY - timedelta(microseconds=1), NOW + 30 * DAY),
                }
            },
            DateFault.FINALS_WITHIN_NOTICE,
        ),
        ({"moments": {MOMENTS[1]: NOW}}, DateFault.APPLICATIONS_OVER),
        ({"moments": {MOMENTS[1]: NOW + 21 * DAY}}, DateFault.APPLICATIONS_AFTER_FINALS),
    ],
)
def test_dates_out_of_their_order_are_told(changes, fault):
    assert date_faults(whole(**changes), NOW) == (fault,)
