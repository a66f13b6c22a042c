"""The JSON of a rule -> ``Rule``, or everything that is wrong with it.

Source: 1 and 2; schemes.md 2.3, 15 and 18 to 20. The foreign keys ``combo`` and ``comboMode`` stop
here. Unknown keys are reported and ignored: older editions have ``slot``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from schemes.core.coscore.checking import check_rule
from schemes.core.coscore.limits import MAX_ATOMS, MAX_COMBOS, MAX_RULE
from schemes.core.coscore.problems import Problem, shown
from schemes.core.coscore.values import Atom, AtomType, Combo, ComboMode, Mode, Number, Rule
from web.core.errors import JsonTextError
from web.core.json_text import read_json

FENCED: Final = re.compile(r"(\s*```[A-Za-z]*)([ \t]*\n.*?)```\s*", re.DOTALL)
Word = TypeVar("Word", bound=StrEnum)
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the rule unless it was refused, and all problems; some are warnings."""

    rule: Rule | None
    problems: tuple[Problem, ...]


class Object(dict[str, Any]):
    """A JSON object that remembers which keys were given twice (19)."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _value in pairs) if len(self) < len(pairs) else {}
        self.twice = [key for key, count in counts.items() if count > 1]


class Where(NamedTuple):
    """The atom or the combo that is being read."""

    atom: str | None = None
    combo: str | None = None


def read_rule(text: str) -> Reading:
    """Read a rule from its JSON text, with or without a byte order mark or Markdown fences (20)."""
    if len(text) > MAX_RULE:
        problem = Problem("rule-too-long", fields={"count": len(text), "limit": MAX_RULE})
        return Reading(None, (problem,))
    bare = text.removeprefix("\ufeff")
    fenced = FENCED.fullmatch(bare)
    if fenced:
        bare = " " * len(fenced[1]) + fenced[2]
    try:
        read_json(bare)
    except JsonTextError as error:
        return Reading(None, (_of_text(error),))
    return rule_from_json(json.loads(bare, object_pairs_hook=Object))


def rule_from_json(value: object) -> Reading:
    """Read a rule from a JSON value; of this, keys that were given twice can no longer be seen."""
    door = _Door()
    rule = door.rule(value)
    if rule is None or any(problem.blocks for problem in door.problems):
        return Reading(None, tuple(door.problems))
    problems = (*door.problems, *check_rule(rule))
    return Reading(None if any(each.blocks for each in problems) else rule, problems)


def _of_text(error: JsonTextError) -> Problem:
    line, column = error.fields.get("line"), error.fields.get("column")
    return Problem(
        error.code,
        line=line if isinstance(line, int) else None,
        column=column if isinstance(column, int) else None,
        fields=error.fields,
    )


@dataclass
class _Door:
    """Takes the JSON apart and notes what is wrong with its form."""

    problems: list[Problem] = field(default_factory=list)

    def rule(self, value: object) -> Rule | None:
        parts = self._object(value, ["atoms", "combos", "comboMode"], Where())
        atoms = self._members(parts, "atoms", MAX_ATOMS, self.atom)
        combos = self._members(parts, "combos", MAX_COMBOS, self.combo)
        mode = self._word(ComboMode, parts, "comboMode", Where())
        return Rule(atoms, combos, mode) if mode else None

    def atom(self, key: str, value: object) -> Atom | None:
        where = Where(atom=key)
        parts = self._object(value, ["type", "desc"], where)
        kind = self._word(AtomType, parts, "type", where)
        desc = self._text(parts, "desc", where)
        return Atom(kind, desc) if kind and desc is not None else None

    def combo(self, key: str, value: object) -> Combo | None:
        where = Where(combo=key)
        parts = self._object(value, ["combo", "score", "mode"], where)
        expression = self._text(parts, "combo", where)
        score = self._number(parts, "score", where)
        mode = self._word(Mode, parts, "mode", where)
        if expression is None or score is None or mode is None:
            return None
        return Combo(expression, score, mode)

    def _object(self, value: object, keys: list[str], where: Where) -> Mapping[str, Any]:
        """An object; empty when there is none. Missing, unknown and repeated keys are noted."""
        if not isinstance(value, dict):
            self._note("not-an-object", where)
            return {}
        for key in keys:
            if key not in value:
                self._note("key-missing", where, name=key)
        unknown = [str(key) for key in value if key not in keys]
        if unknown:
            self._note("key-ignored", where, blocks=False, name=shown(", ".join(unknown)))
        self._note_twice(value, where)
        return value

    def _members(
        self,
        parts: Mapping[str, Any],
        name: str,
        limit: int,
        read: Callable[[str, object], Part | None],
    ) -> dict[str, Part]:
        """The atoms or the combos by their ids; those that cannot be read are noted."""
        members = parts.get(name, {})
        if not isinstance(members, dict):
            self._note("members-not-an-object", Where(), name=name)
            return {}
        if len(members) > limit:
            self._note(f"too-many-{name}", Where(), count=len(members), limit=limit)
            return {}
        self._note_twice(members, Where(), name)
        found = [(str(key), read(str(key), each)) for key, each in members.items()]
        return {key: each for key, each in found if each is not None}

    def _note_twice(self, value: dict[str, Any], where: Where, path: str | None = None) -> None:
        twice = getattr(value, "twice", [])
        if twice:
            fields = {"path": path} if path else {}
            self._note("key-twice", where, blocks=True, name=shown(", ".join(twice)), **fields)

    def _text(self, parts: Mapping[str, Any], name: str, where: Where) -> str | None:
        value = parts.get(name)
        if isinstance(value, str):
            return value
        if name in parts:
            self._note("not-a-string", where, name=name)
        return None

    def _number(self, parts: Mapping[str, Any], name: str, where: Where) -> Number | None:
        value = parts.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        if name in parts:
            self._note("not-a-number-given", where, name=name)
        return None

    def _word(
        self, words: type[Word], parts: Mapping[str, Any], name: str, where: Where
    ) -> Word | None:
        value = parts.get(name)
        for word in words:
            if word.value == value:
                return word
        if name in parts:
            known = ", ".join(word.value for word in words)
            self._note("not-one-of", where, name=name, value=_named(value), known=known)
        return None

    def _note(self, code: str, where: Where, *, blocks: bool = True, **fields: object) -> None:
        self.problems.append(Problem(code, where.atom, where.combo, blocks=blocks, fields=fields))


def _named(value: object) -> str:
    """A value fit for a sentence; of what is no text only that it is none."""
    return shown(value) if isinstance(value, str) else type(value).__name__
