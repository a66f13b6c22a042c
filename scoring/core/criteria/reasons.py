"""The words of reasons: why a criterion has its points, for the command line and the web.

As in ``annotator.core.messages``: the English words are keys of the gettext catalogue, whoever
speaks to a person brings the translator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from annotator.core.classifier import classifier_of
from annotator.core.problems import Problem
from annotator.core.stated import Stated
from annotator.core.validation import compare_criteria
from annotator.core.values import Kind, Subject
from scoring.core.criteria.grader import Reasons
from web.core.sentences import N_, Translate

GATES: Final[Mapping[str, str]] = {
    "too-few-words": N_("the essay is too short"),
    "k1-is-zero": N_("K1 is 0"),
    "unproductive": N_("too much is copied"),
}
MEASURES: Final[Mapping[str, str]] = {
    "words": N_("words: {value}"),
    "least-words": N_("at least {value} are needed"),
    "unproductive-percent": N_("copied words: {value}%"),
    "most-percent": N_("at most {value}% are allowed"),
    "missing-aspects": N_("missing aspects: {value}"),
    "plan-faults": N_("blocks missing or out of order: {value}"),
    "k1-to-k4": N_("K1 to K4 together: {value}"),
    "least-points": N_("at least {value} are needed"),
}
"""Each measure that has a limit is followed by it."""


LIMIT: Final = N_("{code}: {count} different, at most {most} for a point more")


def code_itself(code: str) -> str:
    """A code as it is; a family with a sign for all that follows: «Г.*»."""
    return f"{code}*" if code.endswith(".") else code


def describe(
    subject: Subject,
    why: Reasons,
    translate: Translate,
    limits: Mapping[str, int] = MappingProxyType({}),
    call: Callable[[str], str] = code_itself,
) -> str:
    """The shut gate, the measures, the codes with their counts, the blocks that are missing.

    ``limits``: how many of a code would have given a point more (``limits.limits_of``). ``call``:
    what a code, or a family («Г.»), is called.

    Empty when nothing entered but mistakes that were not made. Blocks are called missing only
    where points were lost.
    """
    gate = translate(GATES[why.gate]) if why.gate else ""
    measures = [translate(MEASURES[name]).format(value=n) for name, n in why.measures.items()]
    counts = [
        translate(LIMIT).format(code=call(code), count=n, most=limits[code])
        if code in limits
        else f"{call(code)}: {n}"
        for code, n in why.counts.items()
        if n
    ]
    missing = ", ".join(map(call, _missing(subject, why)))
    absent = translate(N_("missing: {codes}")).format(codes=missing) if missing else ""
    return "; ".join(filter(None, [gate, ", ".join(measures), ", ".join(counts), absent]))


def stated_otherwise(
    stated: Mapping[str, Stated], criteria: Mapping[str, Reasons]
) -> tuple[Problem, ...]:
    """The points an expert stated that the criteria do not bear out; a shut gate is told once."""
    graded = {name: why.points for name, why in criteria.items()}
    gates = {name: GATES[why.gate] for name, why in criteria.items() if why.gate}
    return compare_criteria(stated, graded, gates)


def missing_blocks(subject: Subject, criteria: Mapping[str, Reasons]) -> list[str]:
    """The semantic blocks whose absence costs points, each once, by their criteria."""
    return list(dict.fromkeys(code for why in criteria.values() for code in _missing(subject, why)))


def _missing(subject: Subject, why: Reasons) -> list[str]:
    if why.points == why.maximum:
        return []
    kind = classifier_of(subject).kind
    return [code for code, n in why.counts.items() if not n and kind(code) is Kind.BLOCK]
