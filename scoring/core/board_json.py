"""A board as JSON: a case of ``razbor board --jsonl``, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.core.board import Apart, Board, Participant, Row, Standing
from scoring.core.errors import BoardCaseError
from web.core.json_values import is_number, items, object_with, one_of, refuse_others, string

STATES: Final = (Standing.RANKED, Standing.ANNULLED, Standing.EXCLUDED)
FULL: Final = 100
"""The highest accuracy, in percent."""
PARTICIPANT: Final = ("name", "state", "accuracy")


@dataclass(frozen=True, slots=True)
class BoardCase:
    """What a board is made of: H, M(E, E') of each essay, the participants."""

    hardness: float
    essays: Mapping[str, tuple[float, ...]]
    participants: tuple[Participant, ...]


def board_case_from_json(found: Mapping[str, Any]) -> BoardCase:
    """Raises ``JsonValueError`` with the place of what cannot be used."""
    hardness: Any = found.get("hardness")
    if not is_number(hardness, 0, 1):
        raise BoardCaseError("bad-hardness", "hardness")
    essays = {
        name: _pairs(each, f"essays.{name}")
        for name, each in object_with(found.get("essays"), (), "essays").items()
    }
    participants: dict[str, Participant] = {}
    for index, each in enumerate(items(found.get("participants"), "participants")):
        path = f"participants[{index}]"
        participant = _participant(each, essays, path)
        if participant.name in participants:
            raise BoardCaseError("name-twice", f"{path}.name", name=participant.name)
        participants[participant.name] = participant
    return BoardCase(float(hardness), essays, tuple(participants.values()))


def board_to_json(board: Board) -> dict[str, Any]:
    """The answer; percent, nothing rounded but the ranks of an interval."""
    return {
        "STER": board.ster,
        "essays": board.essays,
        "rows": [_row(each) for each in board.rows],
        "apart": [_apart(each) for each in board.apart],
    }


def _row(row: Row) -> dict[str, Any]:
    sure = row.sureness
    return {
        "rank": row.rank,
        "name": row.name,
        "STAR": row.star,
        "OTAR": row.otar,
        "counted": row.counted,
        "interval": [*sure.interval] if sure else None,
        "rank_interval": [*sure.ranks] if sure else None,
        "like": [*sure.like] if sure else None,
    }


def _apart(each: Apart) -> dict[str, Any]:
    return {
        "name": each.name,
        "reason": each.reason.value,
        "STAR": each.star,
        "counted": each.counted,
    }


def _participant(found: Any, essays: Mapping[str, Any], path: str) -> Participant:
    refuse_others(object_with(found, PARTICIPANT, path), PARTICIPANT, path)
    accuracy = {}
    for essay, values in object_with(found["accuracy"], (), f"{path}.accuracy").items():
        place = f"{path}.accuracy.{essay}"
        if essay not in essays:
            raise BoardCaseError("essay-not-listed", place, name=essay)
        accuracy[essay] = () if values is None else _accuracies(values, place)
    name = string(found["name"], f"{path}.name")
    return Participant(name, one_of(STATES, found["state"], f"{path}.state"), accuracy)


def _pairs(found: Any, path: str) -> tuple[float, ...]:
    refuse_others(object_with(found, ("experts",), path), ("experts",), path)
    return _accuracies(found["experts"], f"{path}.experts")


def _accuracies(found: Any, path: str) -> tuple[float, ...]:
    for index, each in enumerate(items(found, path)):
        if not is_number(each, 0, FULL):
            raise BoardCaseError("bad-accuracy", f"{path}[{index}]")
    return tuple(float(each) for each in found)
