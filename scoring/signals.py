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
"""``solutions``: which of these, each an author's number, an origin and the number of a set, do not
stand (R 9.5, 10.1)?

A question: who knows of sessions and teams answers with a ``scoring.core.entries.Annulment`` by
solution. Asked by the live table and by score runs alike, of solutions known already, of any number
of sets, sent freely or in sessions; ``solutions_asked`` says which there are. Nothing is written.
"""

doubts_asked = Signal()
"""Which solutions, of whatever set, may not stand by a decision somebody took (R 9.5, 10.1)?

A question: who knows of sessions and teams answers with pairs of an author's number and an origin,
``None`` for whatever the author sent: nothing of it stands. Those that do not stand by the rule of
5 % are none of them: they never did. Asked for boards, which know what did not stand when their
run was ordered.
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

counting_asked = Signal()
"""``run_id``, ``set_id``: does whoever counts by other rules than this run of a set say so?

A question: who keeps parameters of a set answers with a sentence, or with an empty one.
"""

counting_rules_asked = Signal()
"""``set_id``: by which rules do the results of this essay set count?

A question: who keeps parameters of a set answers with the number of the rules they name, or with
``None``.
"""

results_asked = Signal()
"""``set_id``, ``holds``: are the results of this essay set approved, so that the run that counts
for it is replaced or returned no more?

A question: who keeps results answers with a sentence that says so, or with an empty one; where it
``holds``, the answer stays so to the end of the transaction.
"""

readers_asked = Signal()
"""``set_id``: who reads the published board of this essay set, where not everybody does?

A question: whoever keeps boards back (``withheld_asked``) answers with a sentence that names the
setting, everybody else with an empty one.
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

names_asked = Signal()
"""``set_ids``: what do the boards of these essay sets call participants?

A question: who knows of teams answers with their names, by set and by the number of the account.
"""
