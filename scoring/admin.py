from __future__ import annotations

from django.contrib import admin

from annotator.admin import ReadOnly
from scoring.models import CriteriaRecord, PairScore


@admin.register(CriteriaRecord)
class CriteriaRecordAdmin(ReadOnly):
    list_display = ["markup", "total", "nomination", "graded_at"]


@admin.register(PairScore)
class PairScoreAdmin(ReadOnly):
    list_display = ["assessed", "reference", "rules", "found", "accuracy"]
