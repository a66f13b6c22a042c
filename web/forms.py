"""What the forms of all apps read alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from web.core.sound import SURROGATE
from web.core.years import YEARS
from web.refusals import Refused

LONGEST: Final = 19
"""Digits of a number no row has."""


def refuse_surrogates(words: Iterable[str]) -> None:
    """Raise ``ValidationError`` for half of a surrogate pair, which no database takes."""
    if any(SURROGATE.search(word) for word in words):
        raise forms.ValidationError(_("A field holds half of a surrogate pair. Remove it."))


def refuse_far(day: date) -> None:
    """Raise ``ValidationError`` for a day, or a moment, from which no other can be reckoned."""
    if day.year not in YEARS:
        message = _("Name a day of the years %(first)d to %(last)d.")
        raise forms.ValidationError(message, params={"first": YEARS[0], "last": YEARS[-1]})


def sent_in(request: HttpRequest) -> QueryDict | None:
    """What a form of the page is bound to: what was sent, be it nothing; ``None`` where the page is
    only looked at.
    """
    return request.POST if request.method == "POST" else None


def sent_with_files(
    request: HttpRequest,
) -> tuple[QueryDict, MultiValueDict[str, Any]] | tuple[None, None]:
    """The same with the files that were sent."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def status_of(*shown: forms.BaseForm | None) -> HTTPStatus:
    """How a page with these forms is answered: is one of them refused?"""
    is_refused = any(form.errors for form in shown if form is not None)
    return HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK


@contextmanager
def told_in(form: forms.BaseForm) -> Iterator[None]:
    """What a service refuses meanwhile stands above the form, which keeps what was typed."""
    try:
        yield
    except Refused as refused:
        form.add_error(None, str(refused))


def asked_words(given: Mapping[str, str], name: str, most: int) -> str:
    """What somebody looks for: so many signs at most, and no NUL, which no database takes."""
    return given.get(name, "").strip()[:most].replace("\0", "")


def is_number_of_row(word: str) -> bool:
    """Can a row have this number, as somebody wrote it?"""
    return word.isascii() and word.isdecimal() and len(word) < LONGEST
