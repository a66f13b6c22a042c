"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

password_renewed = Signal()
"""``user_id``: an account has another password, or none any more."""

expert_left = Signal()
"""``user_id``, ``actor_id``: an account was closed, or its owner is no expert any more."""

account_changed = Signal()
"""``user_id``, ``actor_id``: an account was made, changed, closed or opened; whoever gave its owner
something for a role, or as long as it is open, takes it back.
"""

role_asked = Signal()
"""``user_id``, ``role``: may this account have that role instead of its own? A question, asked in
the transaction that changes it.

Whoever needs it as it is answers with a sentence: why, and what is to be done before.
"""

work_asked = Signal()
"""``user_id``: what would go back if this account were closed? A question: nothing is announced.

Whoever knows answers with a list of dictionaries: ``place``, and how many checks go back there,
``unopened``, ``begun`` and ``thirds`` of both; ``plan`` is the address of a page by which those
that wait are given to others, empty where none does.
"""

language_asked = Signal()
"""``user_id``: in which language does somebody read letters? A question.

Whoever knows answers with its code, or with nothing where it was not said.
"""

opening_asked = Signal()
"""``user_id``: may this account be opened again? A question, asked in the opening's transaction.

Whoever has closed it answers with a sentence: why it stays closed, and where that is taken back.
"""

figures_asked = Signal()
"""No arguments: which figures stand beside people in their list? A question.

Whoever counts something of people answers with expressions by their names; ``OuterRef("pk")`` is
the person. What stands there is shown by panels of ``accounts.panels``.
"""
