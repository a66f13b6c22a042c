"""Places on the pages of this app for panels of the apps above."""

from __future__ import annotations

from typing import Final

from web.panels import Place

CALLED: Final = Place("annotator:called")
"""After the third checks an import has called so far: ``batch``."""

BEFORE_UNDOING: Final = Place("annotator:before-undoing")
"""Before the button that undoes an import: ``batch``."""

ABOVE_QUEUE: Final = Place("annotator:above-queue")
"""Above an expert's queue: what is pressing in it."""

CHECK_DUE: Final = Place("annotator:check-due")
"""When a check of a queue is due, below how long that is: ``check``, ``queue``, its page."""

QUEUE_ORDER: Final = Place("annotator:queue-order")
"""Beside the order of a queue, for what holds for all its rows: ``queue``, its page."""

BELOW_QUEUE: Final = Place("annotator:below-queue")
"""Below an expert's queue: what is done of it, and letters."""

BEFORE_REPLACING: Final = Place("annotator:before-replacing")
"""Before the form that makes a new version of an essay: ``essay``."""

BEFORE_CORRECTING: Final = Place("annotator:before-correcting")
"""Before the form that corrects what is said about an essay: ``essay``."""

SET_TOOLS: Final = Place("annotator:set-tools")
"""Beside the name of a set on its page: ``essay_set``."""

SET_SIDE: Final = Place("annotator:set-side")
"""Beside the essays of a set on its page: ``essay_set``."""

TRIED: Final = Place("annotator:tried")
"""After an expert’s own tries of a practice essay: ``essay``, one of ``practice_essays``."""

ESSAY_TOOLS: Final = Place("annotator:essay-tools")
"""Beside the name of an essay on its page: ``essay``."""

ESSAY_SIDE: Final = Place("annotator:essay-side")
"""What came of an essay, beside its text: ``essay``, ``markups``, those of its list."""

MARKUP_LINE: Final = Place("annotator:markup-line")
"""What can be done with a markup in the list of an essay's: ``markup``, ``markups``."""

MARKUPS_FOOT: Final = Place("annotator:markups-foot")
"""Below the list of an essay's markups: ``essay``."""

FACTS: Final = Place("annotator:facts")
"""The last of the facts above a text: ``essay``."""

EARLIER: Final = Place("annotator:earlier")
"""After the earlier checks above a text: ``earlier``."""

ABOVE_PALETTE: Final = Place("annotator:above-palette")
"""Beside the text of a markup, above the palette: ``record``, ``editable``."""

BELOW_PALETTE: Final = Place("annotator:below-palette")
"""Beside the text of a markup, below the palette: ``parts``."""

ON_SHEET: Final = Place("annotator:on-sheet")
"""On the sheet before a submission, below what is to be looked at again: ``record``."""

RENEWED: Final = Place("annotator:renewed")
"""What else of the marking page a change of the draft renews: ``parts``."""
