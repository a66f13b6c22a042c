"""Which words no contest has for its address: what is none, and pages of our own."""

from __future__ import annotations

from functools import cache
from typing import Final

from django.core.validators import slug_re
from django.urls import get_resolver
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.refusals import Refused

WRONG: Final = gettext_lazy("An address has Latin letters, digits, hyphens and underscores only.")


def refuse_address(slug: str) -> None:
    """Raise ``Refused`` for what is no address, and for a word that stands where one would."""
    if not slug_re.match(slug):
        raise Refused(str(WRONG))
    if slug in own_words():
        raise Refused(_("“%s” is an address of the platform’s own. Choose another one.") % slug)


@cache
def own_words() -> frozenset[str]:
    """The words beside ``<slug>`` in the addresses of contests."""
    _prefix, resolver = get_resolver().namespace_dict["contest"]
    routes = [str(each.pattern).split("/") for each in resolver.url_patterns]
    beside = [route[1] for route in routes if route[0] == "contests" and len(route) > 2]
    return frozenset(word for word in beside if not word.startswith("<"))
