"""The definition of CoScore, written down as plainly and slowly as it goes, to compare with.

No code of the product is used. Python's tree is walked directly; the longest common subsequence
is the table of the manual's 2.1.3.4; multisets are sorted lists. ``Failure`` means a row error.
"""

from __future__ import annotations

import ast
import math
import operator

COMPARED = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}
COMPUTED = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Failure(Exception):
    pass


def lcs(one, other):
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one, 1):
        for j, right in enumerate(other, 1):
            longer = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = table[i - 1][j - 1] + 1 if left == right else longer
    return table[-1][-1]


def jaccard(one, other):
    left, right = (sorted(c.lower() for c in text if not c.isspace()) for text in (one, other))
    rest, common = list(right), 0
    for sign in left:
        if sign in rest:
            rest.remove(sign)
            common += 1
    union = len(left) + len(rest)
    return common / union if union else 0


def entry_hits(entry, text):
    words = [word for word in entry.split("|") if word]
    for word in words:
        if word[0] == "!" and word[1:] and word[1:] in text:
            return False
        if word[0] == "~" and word[1:]:
            text = "".join(text.split(word[1:]))
    return any(word in text for word in words if word[0] not in "!~")


def atom_says(atom, text):
    kind, desc = atom["type"], atom["desc"]
    if kind == "EM":
        hit = any(text == string for string in desc.split(","))
        return (hit, int(hit))
    if kind == "SM":
        hits = [entry for entry in desc.split(",") if entry_hits(entry, text)]
        return (bool(hits), len(hits))
    threshold, strings = desc.split(":", 1)
    near = {"OP": lambda a: lcs(a, text) / len(a), "CS": lambda a: jaccard(a, text)}[kind]
    best = max(near(string) for string in strings.split(",") if string)
    return (True, best) if best >= float(threshold) else (False, 0)


def number_of(text):
    try:
        number = float(text)
    except ValueError:
        return 0
    return number if math.isfinite(number) else 0


def finite(number):
    if isinstance(number, float) and not math.isfinite(number):
        raise Failure
    return number


class Definition:
    def __init__(self, rule, blanks):
        self.rule, self.blanks = rule, blanks

    def score(self):
        """The score and the combos' points; ``None`` for what fails."""
        points = {key: self.points(combo) for key, combo in self.rule["combos"].items()}
        if None in points.values():
            return None, points
        total = max(points.values())
        if self.rule["comboMode"] == "ADD":
            total = 0
            for each in points.values():
                total += each
        return min(10, max(0, total)), points

    def points(self, combo):
        try:
            value = self.value(ast.parse(combo["combo"].replace("(*)", "('*')"), mode="eval").body)
            if isinstance(value, str):
                return None
            if combo["mode"] == "logic":
                return combo["score"] if value else 0
            return finite(value * combo["score"])
        except (Failure, ZeroDivisionError, OverflowError):
            return None

    def value(self, tree):
        return getattr(self, type(tree).__name__)(tree)

    def Constant(self, tree):  # noqa: N802 - the methods are called like Python's nodes
        return tree.value

    def BoolOp(self, tree):  # noqa: N802
        for operand in tree.values:
            value = self.value(operand)
            if bool(value) == isinstance(tree.op, ast.Or):
                break
        return value

    def UnaryOp(self, tree):  # noqa: N802
        value = self.value(tree.operand)
        if isinstance(tree.op, ast.Not):
            return not value
        self.numbers(value)
        return -value if isinstance(tree.op, ast.USub) else +value

    def BinOp(self, tree):  # noqa: N802
        left, right = self.value(tree.left), self.value(tree.right)
        if isinstance(left, str) and isinstance(right, str) and isinstance(tree.op, ast.Add):
            return left + right
        self.numbers(left, right)
        return finite(COMPUTED[type(tree.op)](left, right))

    def Compare(self, tree):  # noqa: N802
        left = self.value(tree.left)
        for sign, operand in zip(tree.ops, tree.comparators, strict=True):
            right = self.value(operand)
            is_order = not isinstance(sign, ast.Eq | ast.NotEq)
            if is_order and isinstance(left, str) != isinstance(right, str):
                raise Failure
            if not COMPARED[type(sign)](left, right):
                return False
            left = right
        return True

    def IfExp(self, tree):  # noqa: N802
        return self.value(tree.body if self.value(tree.test) else tree.orelse)

    def Call(self, tree):  # noqa: N802
        return getattr(self, tree.func.id)(*tree.args)

    def T(self, tree):  # noqa: N802
        if tree.value == "*":
            return "".join(self.blanks)
        if tree.value >= len(self.blanks):
            raise Failure
        return self.blanks[tree.value]

    def L(self, tree):  # noqa: N802
        return len(self.T(tree))

    def Q(self, tree):  # noqa: N802
        if tree.value == "*":
            return len([blank for blank in self.blanks if blank not in ("", "null")])
        return self.T(tree) in ("", "null")

    def F(self, tree):  # noqa: N802
        return number_of(self.T(tree))

    def G(self, atom, text):  # noqa: N802
        return self.said(atom, text)[0]

    def M(self, atom, text):  # noqa: N802
        return self.said(atom, text)[1]

    def U(self, *trees):  # noqa: N802
        return min(self.numbers(*map(self.value, trees)))

    def X(self, *trees):  # noqa: N802
        return max(self.numbers(*map(self.value, trees)))

    def A(self, *trees):  # noqa: N802
        return len([tree for tree in trees if self.value(tree)])

    def said(self, atom, tree):
        text = self.value(tree)
        if not isinstance(text, str):
            raise Failure
        return atom_says(self.rule["atoms"][str(atom.value)], text)

    def numbers(self, *values):
        if any(isinstance(value, str) for value in values):
            raise Failure
        return values
