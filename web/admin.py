"""Forms of the administration: what two people save at once is answered, not broken."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse


class SavedAtOnce(admin.ModelAdmin):
    """A name somebody else took between our check and our write is refused at its field."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:  # nothing was written; asked again, the form sees what was
            return super().changeform_view(request, *args, **kwargs)
