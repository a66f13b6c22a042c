"""The schemes of the web, by the names in their addresses: one line each.

What a scheme is, ``scheme.Scheme`` says; the order is that of the page.
"""

from __future__ import annotations

from typing import Final

from schemes.adapters import coscore, qac, space2022, use
from schemes.adapters.scheme import Scheme

SCHEMES: Final[dict[str, Scheme]] = {
    "use": use.SCHEME,
    "coscore": coscore.SCHEME,
    "space2022": space2022.SCHEME,
    "qac": qac.SCHEME,
}
