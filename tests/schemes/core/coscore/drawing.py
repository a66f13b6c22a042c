"""Rules and answers that meet each other often.

A rule is grown from one number that Hypothesis draws: a hundred times quicker than drawing every
sign, and a rule that fails is printed whole all the same.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

SIGNS = "甲乙丙水Aaя5 -"
SHORT = st.text(st.sampled_from(SIGNS), max_size=12)
BLANKS = st.lists(
    st.one_of(SHORT, SHORT, st.sampled_from(["", "null", "7.5", "nan", "1e400"])),
    min_size=1,
    max_size=3,
)
NUMBERS = ["0", "1", "2", "0.5", "3.25", "100", "1e300", "True", "False"]
SIGNS_BETWEEN = ["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", " and ", " or "]


def rules():
    """A rule as JSON, with atoms of all kinds and up to three combos."""
    return st.integers(0, 2**60).map(lambda seed: Grower(Random(seed)).rule())


class Grower:
    def __init__(self, random):
        self.random = random

    def rule(self):
        atoms = {
            "0": {"type": "EM", "desc": self.listed(self.word_or_nothing)},
            "1": {"type": "SM", "desc": self.listed(self.options)},
            "2": {"type": "OP", "desc": self.near()},
            "3": {"type": "CS", "desc": self.near()},
        }
        combos = {key: self.combo() for key in "ABC"[: self.random.randint(1, 3)]}
        mode = self.random.choice(["ADD", "MAX"])
        return {"atoms": atoms, "combos": combos, "comboMode": mode}

    def combo(self):
        return {
            "combo": self.expression(self.random.randint(0, 3)),
            "score": self.random.choice([1, 2, 5, 0.5, -3, 10]),
            "mode": self.random.choice(["logic", "value"]),
        }

    def word(self):
        return "".join(self.random.choices(SIGNS, k=self.random.randint(1, 5)))

    def word_or_nothing(self):
        return self.random.choice([self.word(), self.word(), ""])

    def options(self):
        modifiers = ["", "", "", "!", "~"]
        count = self.random.randint(1, 4)
        words = [self.random.choice(modifiers) + self.word_or_nothing() for _ in range(count)]
        return "|".join(words)

    def listed(self, word):
        return ",".join(word() for _ in range(self.random.randint(1, 4)))

    def near(self):
        return self.random.choice(["0", "0.2", "0.5", "0.75", "1"]) + ":" + self.listed(self.word)

    def text(self):
        blanks = ["T(0)", "T(1)", "T('*')", 'T("*")', "T(*)"]
        return "+".join(self.random.choices(blanks, k=self.random.choice([1, 1, 1, 2])))

    def leaf(self):
        atom = f"{self.random.choice('GM')}({self.random.randrange(4)},{self.text()})"
        blank = f"{self.random.choice('TLQF')}({self.random.choice(['0', '1', '*'])})"
        return self.random.choice([atom, atom, atom, blank, self.random.choice(NUMBERS)])

    def expression(self, depth):
        if not depth:
            return self.leaf()
        one, two, three = (self.expression(self.random.randrange(depth)) for _ in range(3))
        sign = self.random.choice(SIGNS_BETWEEN)
        return self.random.choice(
            [
                f"{one}{sign}{two}",
                f"({one}{sign}{two})*{three}",
                f"({one} if {two} else {three})",
                f"({one}<{two}<={three})",
                f"A({one},{two},{three})",
                f"X({one},{two})",
                f"U({one},{two})",
                f"-{one}",
                f"(not {one})",
            ]
        )
