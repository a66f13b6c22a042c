"""Who sees what of an essay and its markups: role x kind of set x stage, in one table.

Regulation 2.6 to 2.8 (which sets there are), 2.19 (participants look, they do not mark), 7.9
(the third expert gets the two earlier checks), 7.10 (finals are opened when the results are in).
Whoever decides what to show asks this table; ``annotator.access`` turns it into queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Final


class Stage(StrEnum):
    """A kind of essay set and how far its contest is."""

    TRAINING = "training"
    TEST = "test"
    FINALS = "finals"
    PUBLISHED = "published"
    PRACTICE = "practice"


class Relation(StrEnum):
    """What somebody is to an essay; who is several of these sees what the best of them sees."""

    STAFF = "staff"
    PARTICIPANT = "participant"
    HANDED = "handed"
    EXPERT = "expert"
    GIVEN = "given"
    THIRD = "third"
    DONE = "done"
    TRYING = "trying"
    TRIED = "tried"


class Sight(IntEnum):
    """How much is seen.

    ``FIGURES``: metrics of own markups against the experts' ones, without a word of text and
    without the experts' points; essay by essay of solutions of ``FEWEST_TOLD`` essays or more.
    ``TEXT``: the essay alone, not even figures of what others have marked. ``KEY``: also the key of
    a practice essay; other essays have none. ``CHECKS``: all of that, and what experts have
    submitted. ``EVERYTHING``: also the algorithms' markups, others' tries and the final grade;
    ``HISTORY``: also what was superseded. Own markups are always seen, drafts by nobody else.
    """

    NOTHING = 0
    FIGURES = 1
    TEXT = 2
    KEY = 3
    CHECKS = 4
    EVERYTHING = 5
    HISTORY = 6


FEWEST_TOLD: Final = 10
"""Of a solution of fewer essays figures of each essay tell what the experts marked."""

NOTHING, FIGURES, TEXT, KEY, CHECKS, EVERYTHING, HISTORY = Sight

VISIBILITY: Final[Mapping[Relation, Mapping[Stage, Sight]]] = {
    relation: dict(zip(Stage, row, strict=True))
    for relation, row in {
        #                      training    test        finals      published   practice
        Relation.STAFF:       (HISTORY,    HISTORY,    HISTORY,    HISTORY,    HISTORY),
        Relation.PARTICIPANT: (CHECKS,     FIGURES,    NOTHING,    CHECKS,     NOTHING),
        # the participant's program was given the essay in a session
        Relation.HANDED:      (CHECKS,     TEXT,       TEXT,       CHECKS,     NOTHING),
        # an expert who has nothing to do with the essay
        Relation.EXPERT:      (NOTHING,    NOTHING,    NOTHING,    NOTHING,    NOTHING),
        # a check was given to the expert and is not submitted: no other first marking is seen
        Relation.GIVEN:       (TEXT,       TEXT,       TEXT,       TEXT,       NOTHING),
        # the third check, unless the rules want it blind
        Relation.THIRD:       (CHECKS,     CHECKS,     CHECKS,     CHECKS,     NOTHING),
        # submitted, and nothing else to do on this essay
        Relation.DONE:        (EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING, NOTHING),
        # a practice essay the expert has begun, be it once more: neither the key nor others' tries
        Relation.TRYING:      (TEXT,       TEXT,       TEXT,       TEXT,       TEXT),
        # submitted: the key, and still nobody else's try
        Relation.TRIED:       (TEXT,       TEXT,       TEXT,       TEXT,       KEY),
    }.items()
}  # fmt: skip
"""The whole table. tests/annotator/test_visibility.py walks every cell through pages and API."""


def stages_showing(relation: Relation, sight: Sight) -> frozenset[Stage]:
    """The stages in which somebody of this relation sees at least so much."""
    return frozenset(stage for stage, seen in VISIBILITY[relation].items() if seen >= sight)


def stages_measuring(relation: Relation) -> frozenset[Stage]:
    """The stages in which somebody of this relation sees figures of own markups."""
    figures = {stage for stage, seen in VISIBILITY[relation].items() if seen is Sight.FIGURES}
    return stages_showing(relation, Sight.CHECKS) | figures
