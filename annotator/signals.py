"""Announcements of this app, each sent inside the transaction that made it true; ids only.

Some are questions instead: what these are about may not be stored yet, so they bring values.
"""

from __future__ import annotations

from django.dispatch import Signal

submission_asked = Signal()
"""``markup_id``: an expert wants to hand a draft in; a receiver may raise ``Refused``."""

sending_asked = Signal()
"""``essay_id``, ``author_id``: an algorithm's markup of it, which nothing has counted, is about to
be taken; a receiver may raise ``Refused``."""

pairs_ruled = Signal()
"""``markup_id``, ``ruled``, ``reasons``: a step of a third check says of these fragments of the
earlier ones whether neither of their pair is taken, and of those why it is decided so.
"""

markup_handed_in = Signal()
"""``markup_id``: an expert handed a draft in, who may recall it yet; nothing takes effect."""

markup_submitted = Signal()
"""``markup_id``: an expert or an algorithm handed a markup in."""

answers_submitted = Signal()
"""``author_id``, ``origin``, ``first``, ``last``: the markups of this algorithm from there, with
numbers from one to the other, were handed in together.
"""

markups_imported = Signal()
"""``essay_ids``: markups of these essays of a set were handed in together, by an import."""

markup_reopened = Signal()
"""``markup_id``: a submitted markup is a draft again; what was computed from it is void."""

essays_withdrawn = Signal()
"""``essay_ids``, ``markup_ids``: these markups of these essays are about to be deleted.

Sent first, before anything is locked: whoever holds rows or jobs of them takes them back now.
"""

essays_came = Signal()
"""``set_id``: essays that were not there before came into a set."""

correction_asked = Signal()
"""``essay_ids``: these are about to be replaced or taken away; a receiver may raise ``Refused``."""

rewording_asked = Signal()
"""``essay_ids``: what is said about these is about to be corrected, not their texts; a receiver may
raise ``Refused``."""

undoing_asked = Signal()
"""``set_ids``: essays or markups of these sets are about to be taken away again, as an import is
undone; a receiver may raise ``Refused``."""

reopening_asked = Signal()
"""``set_id``: a submitted check of this set is about to be open again, or an import may put another
one in its place; a receiver may raise ``Refused``."""

essay_replaced = Signal()
"""``essay_id``, ``reason``, ``actor_id``: this version of an essay is closed, another one took its
place; a receiver may raise ``Refused``."""

sealed_asked = Signal()
"""A question: of which sets is nothing given to experts yet? Whoever seals some answers with their
numbers. Nothing is written.
"""

idle_asked = Signal()
"""A question: of which essays is no check wanted, although their sets take checks? Whoever keeps
some back answers with a condition they fulfil. Nothing is written.
"""

subject_asked = Signal()
"""``set_id``: of which subject are all essays of this set? A question: whoever holds them to one
answers with it. Nothing is written.
"""

publication_asked = Signal()
"""``set_id``: participants are about to read the experts' markups of this set of finals, now or
from a moment on; a receiver may raise ``Refused``."""

access_asked = Signal()
"""``set_id``, ``access``: a set is about to show participants what this access shows; a receiver
may raise ``Refused``."""

rules_asked = Signal()
"""``set_id``, ``rules_id``: a set is about to go by these rules, by any where there is no number; a
receiver may raise ``Refused``."""

rules_changed = Signal()
"""``set_id``: a set goes by other rules."""

drafts_carried = Signal()
"""``markup_ids``: drafts that stand over a new version of their essay now.

What was noted about them and fragments of other markups of the former version is void.
"""

third_check_asked = Signal()
"""``subject``, ``rules``, ``first``, ``second``: would these two markups call a third check?

A question: whoever knows the rule answers true or false. Nothing is announced and nothing written.
"""

comparison_asked = Signal()
"""``left``, ``right``: where are these two markups, by their numbers, laid side by side?

A question: whoever compares answers with the address. Nothing is written.
"""

points_stated = Signal()
"""``subject``, ``markup``, ``stated``: are these the points that the markup gives?

A question: whoever computes points answers with the problems there are. Nothing is written.
"""
