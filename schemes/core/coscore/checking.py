"""Everything a rule must be, and may be odd in, whether it was just read or is about to run.

Sizes come first: nothing is parsed before it is known to be small. Source: 2.1 to 2.3 and
schemes.md 2.3, 10 to 18.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schemes.core.coscore import desc, limits, nodes
from schemes.core.coscore.errors import ExpressionError
from schemes.core.coscore.expression import parse
from schemes.core.coscore.kinds import oddities
from schemes.core.coscore.nodes import Node, within
from schemes.core.coscore.problems import Problem, shown
from schemes.core.coscore.values import Combo, Rule


def check_rule(rule: Rule) -> list[Problem]:
    """The problems of a rule; it can run when none of them blocks."""
    return list(_sizes(rule)) or [*_atoms(rule), *_combos(rule)]


def _sizes(rule: Rule) -> Iterator[Problem]:
    """Whatever is too big, too many or not there."""
    if not rule.combos:
        yield Problem("no-combos")
    yield from _more("too-many-atoms", len(rule.atoms), limits.MAX_ATOMS)
    yield from _more("too-many-combos", len(rule.combos), limits.MAX_COMBOS)
    yield from _ids(rule)
    for key, atom in rule.atoms.items():
        yield from _more("desc-too-long", len(atom.desc), limits.MAX_DESC, atom=key)
    for key, combo in rule.combos.items():
        size = len(combo.expression)
        yield from _more("expression-too-long", size, limits.MAX_EXPRESSION, combo=key)
    size = sum(len(atom.desc) for atom in rule.atoms.values())
    yield from _more("rule-too-long", size, limits.MAX_RULE)
    size = sum(len(combo.expression) for combo in rule.combos.values())
    yield from _more("expressions-too-long", size, limits.MAX_EXPRESSIONS)


def _more(
    code: str, count: int, limit: int, *, atom: str | None = None, combo: str | None = None
) -> Iterator[Problem]:
    if count > limit:
        yield Problem(code, atom, combo, fields={"count": count, "limit": limit})


def _ids(rule: Rule) -> Iterator[Problem]:
    """An id is shown in messages, tables and the first line of a CSV."""
    for key in (*rule.atoms, *rule.combos):
        if not key.isprintable() or not 0 < len(key) <= limits.MAX_ID:
            yield Problem("bad-id", fields={"name": shown(key), "limit": limits.MAX_ID})


def _atoms(rule: Rule) -> Iterator[Problem]:
    for key, atom in rule.atoms.items():
        yield from desc.problems_of(key, atom)
        if not (key.isascii() and key.isdecimal()):
            yield Problem("atom-id-not-a-number", atom=key, blocks=False)


def _combos(rule: Rule) -> Iterator[Problem]:
    used: set[str] = set()
    all_read = True
    for key, combo in rule.combos.items():
        if not abs(combo.score) < limits.MAX_SCORE:  # so, and not >=, for the sake of NaN
            yield Problem("score-not-finite", combo=key)
        try:
            tree = parse(combo.expression)
        except ExpressionError as error:
            all_read = False
            yield Problem(error.code, combo=key, column=error.column, fields=error.fields)
            continue
        asked = [node for node in within(tree) if isinstance(node, nodes.Ask)]
        used |= {ask.atom for ask in asked}
        yield from _undefined(key, asked, rule)
        yield from _oddities(key, combo, tree)
    if all_read:
        unused = [key for key in rule.atoms if key not in used]
        yield from (Problem("atom-not-used", atom=key, blocks=False) for key in unused)


def _undefined(key: str, asked: Iterable[nodes.Ask], rule: Rule) -> Iterator[Problem]:
    """Each atom once, where it is first asked."""
    first = {ask.atom: ask.start + 1 for ask in reversed(list(asked))}
    for atom, column in first.items():
        if atom not in rule.atoms:
            yield Problem(
                "atom-not-defined", combo=key, column=column, fields={"name": shown(atom)}
            )


def _oddities(key: str, combo: Combo, tree: Node) -> Iterator[Problem]:
    for code, column in oddities(tree, combo.mode):
        yield Problem(code, combo=key, column=column, blocks=False)
