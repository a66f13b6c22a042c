"""Places on the pages of this app for panels of the apps above."""

from __future__ import annotations

from typing import Final

from web.panels import Place

FIGURES_HEAD: Final = Place("accounts:figures-head")
"""Columns of the list of people: ``people``, the page’s ``PeoplePage``."""

FIGURES: Final = Place("accounts:figures")
"""The cells of somebody in these columns: ``person``, with the figures asked for; ``people``."""

TICKED: Final = Place("accounts:ticked")
"""Buttons about the ticked people, within a form that is sent by GET as ``person``."""

KEYS: Final = Place("accounts:keys")
"""Above the form of a new key: whose keys are made here."""

ACTING: Final = Place("accounts:acting")
"""In the bar, beside the own account: in whose name somebody acts."""
