"""Small pieces of every page: icons, percentages, times."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from math import ceil
from typing import Any

from django import template
from django.conf import settings
from django.shortcuts import resolve_url
from django.template.context import Context
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from web.declining import page_before

register = template.Library()

UNKNOWN = "–"
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


ZONES = {"MSK": pgettext_lazy("time zone", "MSK"), "UTC": pgettext_lazy("time zone", "UTC")}
"""Short names of zones that have another one in another language."""


@register.simple_tag
def zone_name() -> str:
    """What the zone of all times of a page is called for short."""
    name = timezone.localtime().tzname() or ""
    return str(ZONES.get(name, name))


@register.simple_tag
@lru_cache(maxsize=128)
def icon(name: str) -> SafeString:
    """A drawing from templates/icons.html; the words beside it carry the meaning."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
@lru_cache(maxsize=128)
def keys(*names: str) -> SafeString:
    """Keys of the keyboard, as help and hints show them."""
    return format_html_join(" ", "<kbd>{}</kbd>", ((name,) for name in names))


@register.filter
def brief_digests(text: str) -> str:
    """A text with the beginnings of its SHA-256: in a line or two nobody compares them."""
    return DIGEST.sub(lambda found: f"{found[0][:12]}…", text)


@register.simple_tag(takes_context=True)
def page_again(context: Context) -> str:
    """Where the page can be opened once more; what takes a form may show none: where it stood."""
    request = context.get("request")
    if request is None:
        return ""
    is_shown = request.method in ("GET", "HEAD")
    return str(request.get_full_path()) if is_shown else page_before(request)


@register.simple_tag
def home() -> str:
    """The address everybody begins at: strangers and, after a login, whoever works here."""
    return resolve_url(settings.LOGIN_REDIRECT_URL)


@register.simple_tag(takes_context=True)
def to_page(context: Context, number: int, name: str = "") -> str:
    """The address of another page of a list, all else in it kept; ``name``: of the list's number,
    where a page has more than one list.
    """
    query = context["request"].GET.copy()
    query[name or "page"] = str(number)
    return f"?{query.urlencode()}"


@register.filter
def percent(value: float | None, places: int = 1) -> str:
    """A percentage in the reader's notation; a dash for what is not known, never 0."""
    # number_format cuts digits off; floatformat rounds them
    return UNKNOWN if value is None else floatformat(value, places)


@register.filter
def seconds(value: float | None, places: int = 1) -> str:
    """Seconds in the reader's notation, with their sign; a dash for what is not known."""
    return UNKNOWN if value is None else _("%(s)s s") % {"s": floatformat(value, places)}


@register.filter
def signed(value: float, places: int = 1) -> str:
    """A difference in the reader's notation, with its sign."""
    shown = floatformat(abs(value), places)
    return shown if not value else ("−" if value < 0 else "+") + shown


@register.filter
def known(value: Any) -> Any:
    """The value, or a dash for what is not known."""
    return UNKNOWN if value is None or value == "" else value


@register.filter
def time_left(deadline: datetime | None, now: datetime | None = None) -> str:
    """How long until a deadline, in one or two units; negative when it is past.

    ``now``: the database's, wherever it stands beside a verdict.
    """
    if deadline is None:
        return UNKNOWN
    minutes = int((deadline - (now or timezone.now())).total_seconds() // 60)
    sign, minutes = ("−", -minutes) if minutes < 0 else ("", minutes)
    days, hours = minutes // 1440, minutes % 1440 // 60
    if days:
        parts = [ngettext("%d d", "%d d", days) % days]
        parts += [ngettext("%d h", "%d h", hours) % hours] if hours else []
    elif hours:
        parts = [ngettext("%d h", "%d h", hours) % hours]
    else:
        parts = [_("%d min") % minutes]
    return sign + " ".join(parts)


@register.filter
def seconds_from(moment: datetime, now: datetime) -> int:
    """How many whole seconds are left until a moment; 0 once it is past."""
    return max(0, ceil((moment - now).total_seconds()))


@register.filter
def is_past(deadline: datetime | None, now: datetime) -> bool:
    """True when the deadline is over by the database's clock, which decides about deadlines."""
    return deadline is not None and deadline < now
