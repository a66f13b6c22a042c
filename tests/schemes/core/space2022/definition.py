"""The task's rule and the published script once more, as directly as they can be written."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

Fields = dict[str, Any]


def first_of_each_type(predicted: list[Fields]) -> list[Fields]:
    return [
        each
        for at, each in enumerate(predicted)
        if each["type"] not in {earlier["type"] for earlier in predicted[:at]}
    ]


def characters(reason: Fields, role: str | None = None) -> set[int]:
    return {
        index
        for each in reason["fragments"]
        if role in (None, each["role"])
        for index in each["idxes"]
    }


def f1(hit: int, ours: int, theirs: int) -> Fraction:
    return Fraction(2 * hit, ours + theirs) if hit else Fraction(0)


def text(one: Fields, other: Fields) -> Fraction:
    ours, theirs = characters(one), characters(other)
    return f1(len(ours & theirs), len(ours), len(theirs))


def elements(reason: Fields) -> set[tuple[str, str, int]]:
    """Each character with the type and the role it is said to have."""
    return {
        (reason["type"], each["role"], index)
        for each in reason["fragments"]
        for index in each["idxes"]
    }


def element(one: Fields, other: Fields) -> Fraction:
    ours, theirs = elements(one), elements(other)
    return f1(len(ours & theirs), len(ours), len(theirs))


def element_mean(one: Fields, other: Fields) -> Fraction:
    """The rule of 8 August 2022, 22:32: the mean of the roles' F1."""
    roles = {each["role"] for reason in (one, other) for each in reason["fragments"]}
    if one["type"] != other["type"]:
        return Fraction(0)
    figures = []
    for role in roles:
        ours, theirs = characters(one, role), characters(other, role)
        figures.append(f1(len(ours & theirs), len(ours), len(theirs)))
    return sum(figures, Fraction(0)) / len(roles)


def best(figure: Any, reference: list[Fields], predicted: list[Fields]) -> Fraction:
    pairs = product(first_of_each_type(predicted), reference)
    return max((figure(one, other) for one, other in pairs), default=Fraction(0))


def type_at_text(reference: list[Fields], predicted: list[Fields]) -> bool:
    pairs = list(product(first_of_each_type(predicted), reference))
    greatest = best(text, reference, predicted)
    winners = [(one, other) for one, other in pairs if text(one, other) == greatest]
    return bool(greatest) and winners[0][0]["type"] == winners[0][1]["type"]


def type_any(reference: list[Fields], predicted: list[Fields]) -> bool:
    ours = {each["type"] for each in predicted}
    return bool(ours & {each["type"] for each in reference})


def script_strict(reference: list[Fields], predicted: list[Fields]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the best pair as the script's strict level counts them."""
    figures = (0.0, 0.0, 0.0)
    for one, other in product(first_of_each_type(predicted), reference):
        if one["type"] != other["type"]:
            continue
        hit = ours = theirs = 0
        for mine in one["fragments"]:
            met = [each for each in other["fragments"] if each["role"] == mine["role"]]
            for each in met:
                hit += len(set(mine["idxes"]) & set(each["idxes"]))
                ours += len(set(mine["idxes"]))
                theirs += len(set(each["idxes"]))
            if not met:
                ours += len(mine["idxes"])
        if hit:
            precision, recall = hit / ours, hit / theirs
            figure = 2 * (precision * recall) / (precision + recall)
            if figure > figures[2]:
                figures = precision, recall, figure
    return figures


def script_strict_type(reference: list[Fields], predicted: list[Fields]) -> bool:
    return {each["type"] for each in reference} == {each["type"] for each in predicted}
