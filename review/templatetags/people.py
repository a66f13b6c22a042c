"""People by the names that tell them apart."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from accounts.models import User

register = template.Library()


@register.filter
def called(person: User | int, names: Mapping[int, str]) -> str:
    """What somebody is called among others; ``names``: what to call whom, by number. Of lists that
    name people by their numbers alone, ``person`` is one.
    """
    return names.get(person if isinstance(person, int) else person.pk) or str(person)
