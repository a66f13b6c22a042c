"""The pure cores against what one would use without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import networkx as nx
import numpy as np
from scipy.optimize import linear_sum_assignment

from annotator.core.language import parse, render
from annotator.core.values import MarkedFile, Markup, Meta, Subject
from compare.core.matcher import match
from scoring.core.counts import count
from scoring.core.criteria import grade
from scoring.core.metrics import measure
from tests.bench.essays import nested_markup, overlapping_markup
from tests.bench.timing import Case

SIGN = re.compile(r"(\(\\|\(\*|\\\)|\*\)|\\|::|>>|#)")


def cases() -> Iterator[Case]:
    yield parsing()
    one, other = nested_markup(300, 40, 1), moved(nested_markup(300, 40, 1))
    yield matching("match 40 × 40 fragments", one, other)
    yield Case(
        "match 40 × 40 fragments, against a graph library",
        lambda: match(one, other),
        lambda: graph_matching(one, other),
        "networkx",
    )
    yield matching(
        "match 300 × 300 overlapping fragments",
        overlapping_markup(300, 1),
        overlapping_markup(300, 2),
    )
    yield Case("match, count, M2 to M6", lambda: measure(count(match(one, other))))
    yield Case("points of an English essay", lambda: grade(Subject.ENGLISH, one))


def moved(markup: Markup) -> Markup:
    """The same markup as somebody else would have made it: every third fragment is another one."""
    others = nested_markup(300, 40, 1).fragments[1:]
    kept = [f for at, f in enumerate(markup.fragments) if at % 3]
    return Markup(markup.text, (*kept, *others[::3]))


def parsing() -> Case:
    markup = nested_markup(300, 40)
    text = render(MarkedFile(Meta(subject=Subject.ENGLISH), markup))
    return Case("parse 40 fragments", lambda: parse(text), lambda: SIGN.split(text), "re.split")


def matching(name: str, one: Markup, other: Markup) -> Case:
    return Case(
        name, lambda: match(one, other), lambda: dense_assignment(one, other), "scipy, one answer"
    )


def gains(one: Markup, other: Markup) -> np.ndarray:
    """How much is won by each pair: 2 - L where it is worth anything (Appendix 1)."""
    left = np.array([(f.span.start, f.span.end) for f in one.fragments])[:, None, :]
    right = np.array([(f.span.start, f.span.end) for f in other.fragments])[None, :, :]
    inner = np.minimum(left[..., 1], right[..., 1]) - np.maximum(left[..., 0], right[..., 0])
    outer = np.maximum(left[..., 1], right[..., 1]) - np.minimum(left[..., 0], right[..., 0])
    share = np.maximum(inner, 0) / outer
    codes = np.array([[x.code == y.code for y in other.fragments] for x in one.fragments])
    same = (left[..., 0] == right[..., 0]).astype(int) + codes
    return np.where(inner > 0, np.maximum(share - 1 + same, 0), 0)


def dense_assignment(one: Markup, other: Markup) -> object:
    return linear_sum_assignment(gains(one, other), maximize=True)


def graph_matching(one: Markup, other: Markup) -> object:
    graph = nx.Graph()
    for (i, k), gain in np.ndenumerate(gains(one, other)):
        if gain > 0:
            graph.add_edge(i, -1 - k, weight=gain)
    return nx.max_weight_matching(graph)
