"""Announcements of this app, each sent inside the transaction that made it true; ids only.

Two are questions instead: what they are about may not be stored yet, so they bring values.
"""

from __future__ import annotations

from django.dispatch import Signal

submission_asked = Signal()
"""``markup_id``: an expert wants to hand a draft in; a receiver may raise ``Refused``."""

markup_submitted = Signal()
"""``markup_id``: an expert or an algorithm handed a markup in."""

markups_imported = Signal()
"""``essay_id``: markups of an essay were handed in together, by an import."""

markup_reopened = Signal()
"""``markup_id``: a submitted markup is a draft again; what was computed from it is void."""

essays_withdrawn = Signal()
"""``essay_ids``, ``markup_ids``: these markups of these essays are about to be deleted.

Sent first, before anything is locked: whoever holds rows or jobs of them takes them back now.
"""

drafts_carried = Signal()
"""``markup_ids``: drafts that stand over a new version of their essay now.

What was noted about them and fragments of other markups of the former version is void.
"""

third_check_asked = Signal()
"""``subject``, ``rules``, ``first``, ``second``: would these two markups call a third check?

A question: whoever knows the rule answers true or false. Nothing is announced and nothing written.
"""

points_stated = Signal()
"""``subject``, ``markup``, ``stated``: are these the points that the markup gives?

A question: whoever computes points answers with the problems there are. Nothing is written.
"""
