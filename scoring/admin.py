from __future__ import annotations

from django.contrib import admin

from annotator.admin import ReadOnly
from scoring.models import CriteriaRecord, PairScore, SchemeRun, StoredKey, ThirdCheck


@admin.register(CriteriaRecord)
class CriteriaRecordAdmin(ReadOnly):
    list_display = ["markup", "total", "nomination", "graded_at"]


@admin.register(ThirdCheck)
class ThirdCheckAdmin(ReadOnly):
    list_display = ["essay", "round", "needed", "decided_at"]
    list_filter = ["needed"]


@admin.register(PairScore)
class PairScoreAdmin(ReadOnly):
    list_display = ["assessed", "reference", "rules", "found", "accuracy"]


@admin.register(SchemeRun)
class SchemeRunAdmin(ReadOnly):
    list_display = ["uuid", "scheme", "owner", "state", "total", "created_at"]
    list_filter = ["scheme", "state"]


@admin.register(StoredKey)
class StoredKeyAdmin(ReadOnly):
    list_display = ["name", "scheme", "owner", "offered", "size", "made_at"]
    list_filter = ["scheme", "offered"]
