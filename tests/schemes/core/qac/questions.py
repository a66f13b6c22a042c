"""Keys and responses as files write them, and Hypothesis strategies that draw them."""

from __future__ import annotations

from hypothesis import strategies as st

from schemes.core.qac.reading import read_key, read_responses
from schemes.core.qac.scoring import score
from schemes.core.qac.values import Match, Options, Task

STRINGS = st.sampled_from(
    ["津", "東京", "ＮＴＴ", "NTT", "a, b", 'say "x"', "三重県津市", "#1", "3500 m"]
)
ARTICLES = st.sampled_from(["980101001", "980101002", "JA-990807065"])
ANSWERS = st.lists(st.tuples(STRINGS, ARTICLES), max_size=7)
TASKS = st.sampled_from(Task)
MATCHES = st.sampled_from(Match)


@st.composite
def files(draw):
    """A key and responses: some questions are absent, some unknown, some without an answer."""
    names = [f"QAC1-{number}-01" for number in range(1, 7)]
    key = draw(st.dictionaries(st.sampled_from(names), ANSWERS, min_size=1))
    responses = draw(st.dictionaries(st.sampled_from([*names, "QAC1-99-01"]), ANSWERS))
    return key, responses


def line(name, answers, separator=": "):
    """One line of a file."""
    fields = []
    for string, article in answers:
        doubled = string.replace('"', '""')
        fields.append(f'"{doubled}", {article}')
    return f"{name}{separator}{', '.join(fields)}"


def written(questions):
    """A file of them."""
    return "".join(f"{line(name, answers)}\n" for name, answers in questions.items())


def scored(key, responses, task=1, match="article", nfkc=False):
    """The score of two files, or of two dictionaries of answers."""
    key, responses = (
        each if isinstance(each, str | bytes) else written(each) for each in (key, responses)
    )
    options = Options(Task(task), Match(match), nfkc=nfkc)
    return score(read_key(key), read_responses(responses), options)


def codes(problems):
    return [(each.code, each.place.line, each.place.id) for each in problems]
