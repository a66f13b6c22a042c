"""The words of the command line: Russian or English, as the environment asks."""

from __future__ import annotations

import gettext
import os
from pathlib import Path
from typing import Final

LOCALE: Final = Path(__file__).parent / "locale"


def _language() -> str:
    """``ru`` when the first set variable of the usual four says so, else ``en``."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "ru" if value.lower().startswith("ru") else "en"
    return "en"


_catalogue = gettext.translation("django", LOCALE, languages=[_language()], fallback=True)


def _(message: str) -> str:
    """The message in the reader's language."""
    return _catalogue.gettext(message)
