from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line ends, bidi controls: they would make a name read as another."""


def clean_name(value: str) -> None:
    """Refuse a name with characters that cannot be seen, or not in the composed form (NFC)."""
    if UNSEEN.search(value):
        raise ValidationError(_("The name holds control characters. Remove them."))
    if value != unicodedata.normalize("NFC", value):
        raise ValidationError(_("Write the name with composed letters (NFC)."))
