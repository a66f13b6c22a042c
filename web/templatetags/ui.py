"""Small pieces of every page: icons, percentages, times."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from math import ceil
from typing import Any, Final

from django import template
from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, BoundField
from django.shortcuts import resolve_url
from django.template.context import Context
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from web.core.letters import language_by_letters
from web.declining import page_before
from web.zones import zone_words

register = template.Library()

UNKNOWN = "–"
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


@register.simple_tag
def zone_name() -> str:
    """What the zone of all times of a page is called for short."""
    return zone_words(timezone.get_current_timezone_name())


register.filter("zone_words", zone_words)


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


KEY_NAMES: Final = {"/": "Slash", ".": "Period", "[": "BracketLeft", "]": "BracketRight"}


@register.simple_tag
@lru_cache(maxsize=128)
def key_buttons(*names: str) -> SafeString:
    """Keys that can be pressed with the mouse as well: each button does what its key does."""
    button = (
        '<button type="button" tabindex="-1" data-do="key" data-value="{}"><kbd>{}</kbd></button>'
    )
    return format_html_join(" ", button, ((_key_name(name), name) for name in names))


def _key_name(name: str) -> str:
    """What the scripts call a key, as browsers do: by its place on the keyboard."""
    if name.isalnum():
        return f"Digit{name}" if name.isdigit() else f"Key{name}"
    return KEY_NAMES.get(name, name)


@register.filter
def first_wrong(form: BaseForm) -> str:
    """Where a refused form is looked at first: a field's name, or that of what is said of all.

    Empty where nothing is wrong or a field of it takes the focus anyway.
    """
    fields = [field for field in form.visible_fields() if form.is_bound]
    if any(field.field.widget.attrs.get("autofocus") for field in fields):
        return ""
    if form.is_bound and form.non_field_errors():
        return NON_FIELD_ERRORS
    return next((field.name for field in fields if field.errors), "")


@register.filter
def in_focus(field: BoundField) -> SafeString:
    """A field that takes the focus once its page is there, also without scripts."""
    return field.as_widget(attrs={"autofocus": True})


@register.filter
def in_its_language(text: object) -> object:
    """Words that somebody typed; those in another language than the page's bear its name."""
    language = language_by_letters(str(text))
    if language in ("", get_language()):
        return text
    return format_html('<span lang="{}">{}</span>', language, text)


@register.filter
def naming_language_of(sentence: str, typed: str) -> str:
    """A sentence of the platform that quotes somebody's words: these bear their language."""
    before, found, after = sentence.rpartition(typed) if typed else ("", "", sentence)
    return format_html("{}{}{}", before, in_its_language(found), after)


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
def coefficient(value: float) -> str:
    """Two places in the reader's notation; what is negative has a minus, no hyphen."""
    return floatformat(value, 2).replace("-", "−")


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
