"""The words of the command line: Russian or English, as the environment asks."""

from __future__ import annotations

import gettext
import os
from pathlib import Path
from typing import Final

from web.core.languages import language_of
from web.core.sentences import N_

LOCALE: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "django"
OF_ARGPARSE: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("ignored explicit argument %r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
)
"""What argparse says by itself; it looks its words up with the standard gettext."""


def language() -> str:
    """The language of whoever types the command."""
    return language_of(os.environ)


_catalogue = gettext.translation(DOMAIN, LOCALE, languages=[language()], fallback=True)


def _(message: str) -> str:
    """The message in the reader's language."""
    return _catalogue.gettext(message)


def teach_argparse() -> None:
    """Let argparse find its words in the catalogue of the command line."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
