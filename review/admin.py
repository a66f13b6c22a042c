from __future__ import annotations

from django.contrib import admin

from annotator.admin import ReadOnly
from review.models import ThirdCheck


@admin.register(ThirdCheck)
class ThirdCheckAdmin(ReadOnly):
    list_display = ["essay", "round", "needed", "decided_at"]
    list_filter = ["needed"]
