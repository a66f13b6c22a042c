"""Commands of manage.py that speak the language of whoever types them, as razbor does."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from web.core.languages import language_of


class SpokenCommand(BaseCommand):
    """A command whose words are Russian or English, as the environment asks."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        with translation.override(language_of(os.environ)):
            return super().execute(*args, **options)
