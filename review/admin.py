from __future__ import annotations

from django.contrib import admin

from annotator.admin import ReadOnly
from review.models import FinalGrade, ThirdCheck


@admin.register(ThirdCheck)
class ThirdCheckAdmin(ReadOnly):
    list_display = ["essay", "round", "needed", "decided_at"]
    list_filter = ["needed"]


@admin.register(FinalGrade)
class FinalGradeAdmin(ReadOnly):
    list_display = ["essay", "round", "total", "rule", "settled_at", "voided_at"]
    list_filter = ["rule", "voided_because"]
    search_fields = ["essay__number"]
