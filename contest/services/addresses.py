"""Which words no contest has for its address: pages of our own stand there."""

from __future__ import annotations

from functools import cache

from django.urls import get_resolver
from django.utils.translation import gettext as _

from web.refusals import Refused


def refuse_own_address(slug: str) -> None:
    """Raise ``Refused`` for a word that stands where the address of a contest would."""
    if slug in own_words():
        raise Refused(_("“%s” is an address of the platform’s own. Choose another one.") % slug)


@cache
def own_words() -> frozenset[str]:
    """The words beside ``<slug>`` in the addresses of contests."""
    _prefix, resolver = get_resolver().namespace_dict["contest"]
    routes = [str(each.pattern).split("/") for each in resolver.url_patterns]
    beside = [route[1] for route in routes if route[0] == "contests" and len(route) > 2]
    return frozenset(word for word in beside if not word.startswith("<"))
