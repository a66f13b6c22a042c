"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

answers_assessed = Signal()
"""``author_id``, ``origin``: points and scores of some answers of this algorithm are there.

Or they are given up: nothing more comes of these by itself.
"""

essay_graded = Signal()
"""``essay_id``: the points of an essay's checks are there, of one or of all that came in.

Sent inside the job that computed them: what a receiver does is done before the job is.
"""

annulments_asked = Signal()
"""``solutions``: which of these, each an author's number and an origin, do not stand (R 9.5, 10.1)?

A question: who knows of sessions and teams answers with a ``scoring.core.entries.Annulment`` by
solution. Asked by the live table and by score runs alike, of solutions known already, of any number
of sets, sent freely or in sessions; ``solutions_asked`` says which there are. Nothing is written.
"""

points_regraded = Signal()
"""``markup_id``: the stored points of a markup are other ones now, by a rule that changed."""

solutions_asked = Signal()
"""``set_id``: which solutions of this essay set are there, besides what was sent freely?

A question: whoever has exchange sessions answers with a ``scoring.core.entries.Field``, for which
every file of every session of the set is read: a score run asks, no page does. That a solution does
not stand is no part of it: see ``annulments_asked``.
"""

publication_asked = Signal()
"""``set_id``: does anything stand against showing everybody the board of this essay set?

A question: who knows of checks answers with a sentence that says what, or with an empty one.
"""

run_applied = Signal()
"""``run_id``: its scores are those of the set now."""

exchange_asked = Signal()
"""``author_id``, ``set_id``, ``origin``: when did the answers of this solution come, and which of
its files are annulled?

A question: who knows of sessions answers with an ``Exchange``, everybody else with ``None``.
"""

withheld_asked = Signal()
"""Of which essay sets are published boards withheld from all but staff (R 6.4)?

A question: whoever keeps some back answers with their numbers, as a query; nothing is read.
"""
