from __future__ import annotations

from django.contrib import admin

from annotator.admin import ReadOnly
from schemes.models import SchemeRun, StoredKey


@admin.register(SchemeRun)
class SchemeRunAdmin(ReadOnly):
    list_display = ["uuid", "scheme", "owner", "state", "total", "created_at"]
    list_filter = ["scheme", "state"]


@admin.register(StoredKey)
class StoredKeyAdmin(ReadOnly):
    list_display = ["name", "scheme", "owner", "offered", "size", "made_at"]
    list_filter = ["scheme", "offered"]
