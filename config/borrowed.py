"""Sentences of Django and REST framework that we say in Russian in our own words.

Their English stays theirs. Our catalogue comes before the ones they bring, so a translation
there is enough; this list only makes sure that the sentences are collected.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

BORROWED: Final = (
    # django.contrib.auth
    _("The two password fields didn’t match."),
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("A user with that username already exists."),
    _(
        "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ "
        "characters."
    ),
    # rest_framework
    _("Authentication credentials were not provided."),
    _("Not found."),
    _('Method "{method}" not allowed.'),
    _('Unsupported media type "{media_type}" in request.'),
    _("Could not satisfy the request Accept header."),
)
