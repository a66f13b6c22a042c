"""Agreement as JSON and back: what a database keeps of it. Reading gives what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotator.core.values import Subject
from review.core.agreement import Agreement, CodeGap, Compared, Gaps, TwoExperts
from review.core.kappa import Kappa


def pair_to_json(pair: Compared) -> dict[str, Any]:
    """A pair of checks by the names of its fields."""
    return asdict(pair)


def pair_from_json(written: Mapping[str, Any]) -> Compared:
    """The pair ``pair_to_json`` wrote."""
    left, right = written["points"]
    return Compared(
        essay=written["essay"],
        subject=Subject(written["subject"]),
        markups=_two(written["markups"]),
        experts=_two(written["experts"]),
        points=(left, right),
        marks=written["marks"],
        codes={code: tuple(counts) for code, counts in written["codes"].items()},
        third=written["third"],
    )


def agreement_to_json(found: Agreement) -> dict[str, Any]:
    """The figures of a subject by the names of their fields; a key of JSON is a string."""
    written = asdict(found)
    for gap in written["gaps"]:
        gap["spread"] = {str(apart): count for apart, count in gap["spread"].items()}
    return written


def agreement_from_json(written: Mapping[str, Any]) -> Agreement:
    """The figures ``agreement_to_json`` wrote."""
    fields = {
        "subject": Subject(written["subject"]),
        "gaps": tuple(map(_gaps, written["gaps"])),
        "codes": tuple(CodeGap(**each) for each in written["codes"]),
        "experts": tuple(
            TwoExperts(**{**each, "experts": _two(each["experts"])}) for each in written["experts"]
        ),
    }
    return Agreement(**{**written, **fields})


def _gaps(written: Mapping[str, Any]) -> Gaps:
    spread = {int(apart): count for apart, count in written["spread"].items()}
    kappa = written["kappa"]
    if kappa is not None:
        interval = kappa["interval"]
        kappa = Kappa(kappa["value"], None if interval is None else (interval[0], interval[1]))
    return Gaps(**{**written, "spread": dict(sorted(spread.items())), "kappa": kappa})


def _two(numbers: list[int]) -> tuple[int, int]:
    first, second = numbers
    return first, second
