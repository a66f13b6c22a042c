from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotator.forms.rules import SUBJECT_OF, RuleSetForm
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord, RuleSet
from web.admin import SavedAtOnce
from web.paging import PER_PAGE


class ReadOnly(admin.ModelAdmin):
    """What services write is only looked at here."""

    list_per_page = PER_PAGE

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        return False


@admin.register(RuleSet)
class RuleSetAdmin(SavedAtOnce, ReadOnly):
    list_display = ["name", "version", "hardness", "third_total", "days_to_mark"]
    form = RuleSetForm
    exclude = ["created_at", "final_grades"]

    def get_fields(self, request: HttpRequest, rules: RuleSet | None = None) -> list[str]:
        """New rules are asked subject by subject; those that are there say it in words."""
        asked = [str(name) for name in super().get_fields(request, rules)]
        if rules is None:
            return asked
        return [*(name for name in asked if name not in SUBJECT_OF), "how_they_grade"]

    def get_readonly_fields(self, _request: HttpRequest, rules: RuleSet | None = None) -> list[str]:
        return ["how_they_grade"] if rules else []

    @admin.display(description=_("final grades"))
    def how_they_grade(self, rules: RuleSet) -> str:
        return rules.final_rules_in_words()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)


@admin.register(EssaySet)
class EssaySetAdmin(ReadOnly):
    list_display = [
        "name",
        "state",
        "access",
        "published_at",
        "shows_rivals",
        "names_experts",
        "takes_parcels",
        "rules",
    ]
    list_filter = ["state"]


@admin.register(Essay)
class EssayAdmin(ReadOnly):
    list_display = ["number", "version", "essay_set", "subject", "theme"]
    list_filter = ["essay_set", "subject"]
    search_fields = ["number", "theme"]


@admin.register(MarkupRecord)
class MarkupRecordAdmin(ReadOnly):
    list_display = ["essay", "author", "source", "state", "version", "submitted_at"]
    list_filter = ["source", "state"]
    search_fields = ["essay__number", "author__username"]


@admin.register(Assignment)
class AssignmentAdmin(ReadOnly):
    list_display = ["essay", "round", "role", "expert", "state", "deadline_at"]
    list_filter = ["role", "state"]
    search_fields = ["essay__number", "expert__username"]
