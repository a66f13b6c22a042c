"""Questions and predictions of our own, as values and as files, and what Hypothesis draws."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.scoring import score
from schemes.core.space2022.values import ROLES, Outcome, Score

CONTEXT: Final = "小明把书放进了桌子旁，然后走出教室。"
"""«Xiao Ming put the book into beside the table, then left the classroom.»"""

Fields = dict[str, Any]


def fragment(role: str, *indices: Any, context: str = CONTEXT) -> Fields:
    """A fragment with the text its indices have in the context."""
    known = [each for each in indices if isinstance(each, int) and 0 <= each < len(context)]
    text = "".join(context[each] for each in known)
    return {"role": role, "text": text, "idxes": list(indices)}


def reason(type_: str, *fragments: Fields) -> Fields:
    return {"type": type_, "fragments": list(fragments)}


def record(*reasons: Any, qid: object = "q1", **more: Any) -> Fields:
    return {"qid": qid, "reasons": list(reasons), **more}


MISPLACED: Final = reason("A", fragment("text1", 4, 5), fragment("text2", 9))
UNLIKELY: Final = reason("C", fragment("S", 3), fragment("P", 7, 8, 9), fragment("E", 4, 5))


def question(*reasons: Any, qid: str = "q1", context: str | None = CONTEXT) -> Fields:
    """A record of an answer file; with two reference reasons unless others are given."""
    more = {} if context is None else {"context": context}
    return record(*(reasons or (MISPLACED, UNLIKELY)), qid=qid, **more)


def as_lines(*records: Any) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()


def scored(questions: list[Any], predictions: list[Any]) -> Score:
    """Score lists of records."""
    return score(read_answers(as_lines(*questions)), read_predictions(as_lines(*predictions)))


def outcome(reference: list[Fields], predicted: list[Fields]) -> Outcome:
    """One question without a context, and what its prediction scores."""
    found = scored([question(*reference, context=None)], [record(*predicted)])
    return found.outcomes[0]


def codes(found: Score) -> list[str]:
    return [each.code for each in found.warnings]


def taken(found: Score) -> dict[str, int]:
    return {each.code.value: each.count for each in found.readings}


INDICES: Final = st.lists(st.integers(0, 7), max_size=5)


@st.composite
def reasons(draw: st.DrawFn, *, tidy: bool = False) -> Fields:
    """A reason over few indices; a tidy one has no repetition, no empty or foreign role."""
    type_ = draw(st.sampled_from("ABC"))
    names = st.sampled_from(ROLES[type_] if tidy else (*ROLES[type_], "E", "X"))
    roles = draw(st.lists(names, min_size=1, max_size=5, unique=tidy))
    drawn = st.lists(st.integers(0, 7), min_size=1, max_size=5, unique=True) if tidy else INDICES
    return reason(type_, *(fragment(role, *draw(drawn)) for role in roles))


REASONS: Final = st.lists(reasons(), max_size=5)
TIDY_REASONS: Final = st.lists(reasons(tidy=True), min_size=1, max_size=4)
