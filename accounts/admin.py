from __future__ import annotations

from typing import Any, Final, cast

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList, ChangeListSearchForm
from django.contrib.auth.admin import UserAdmin
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.forms import AdministeredForm
from accounts.models import AuditEntry, Specialism, User
from accounts.roles import Role, Visit, open_to
from accounts.services.audit import audit
from accounts.services.people import (
    announce_leaving,
    note_activity,
    note_login,
    refuse_opening,
    refuse_role,
)
from web.admin import SavedAtOnce
from web.paging import PER_PAGE

ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})


@open_to(ADMINISTRATORS)
def enter(_request: Visit, **_: object) -> HttpResponse:
    """Django's own login counts no tries (reliability.md S10): the platform's is the only one."""
    return redirect("admin:index")


admin.site.login = enter  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = _("Razbor")


class ShortSearch(ChangeListSearchForm):
    """A search of thousands of words would be a condition no database takes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[SEARCH_VAR].validators.append(MaxLengthValidator(100))


ChangeList.search_form_class = ShortSearch


class SpecialismInline(admin.TabularInline):
    model = Specialism
    extra = 0


@admin.register(User)
class PersonAdmin(SavedAtOnce, UserAdmin):
    list_per_page = PER_PAGE
    list_display = ["username", "full_name", "role", "school", "is_active"]
    list_filter = ["role", "is_active", "specialisms__subject"]
    search_fields = ["username", "full_name", "email", "school"]
    inlines = [SpecialismInline]
    form = AdministeredForm
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Person"), {"fields": ["full_name", "email", "school", "role"]}),
        (_("Rights"), {"fields": ["is_active", "seen"]}),
    ]
    add_fieldsets = [
        (
            None,
            {
                "fields": [
                    "username",
                    "full_name",
                    "role",
                    "usable_password",
                    "password1",
                    "password2",
                ]
            },
        ),
    ]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        # Nobody closes or demotes himself: so there is always an administrator.
        return ["role", "is_active"] if obj == request.user else []

    def has_delete_permission(self, _request: HttpRequest, _obj: User | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if change and obj.is_active and "is_active" in form.changed_data:
            refuse_opening(person=obj)
        if change and "role" in form.changed_data:
            refuse_role(person=obj)
        super().save_model(request, obj, form, change)
        actor = cast(User, request.user)
        if change and "username" in form.changed_data:
            note_login(person=obj, former=form.initial["username"], actor=actor)
        if change and "is_active" in form.changed_data:
            note_activity(person=obj, actor=actor)
        announce_leaving(person=obj, actor=actor)

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        """With the former role, for ``log_change``: the row has the new one by then."""
        told: list[dict[str, Any]] = super().construct_change_message(request, form, formsets, add)
        is_other = not add and "role" in form.changed_data
        return [*told, {"before": form.initial["role"]}] if is_other else told

    def log_addition(self, request: HttpRequest, obj: User, message: object) -> LogEntry:
        audit(actor=cast(User, request.user), action="person.made", target=obj, role=obj.role)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> LogEntry:
        # Called for a new password and for other subjects, too.
        former = {name: role for part in message for name, role in part.items() if name == "before"}
        actor = cast(User, request.user)
        audit(actor=actor, action="person.changed", target=obj, role=obj.role, **former)
        own = [part for part in message if "before" not in part]
        return super().log_change(request, obj, own)


@admin.register(AuditEntry)
class AuditEntryAdmin(admin.ModelAdmin):
    list_per_page = PER_PAGE
    list_display = ["at", "actor", "action", "object_type", "object_id"]
    list_filter = ["action", "object_type"]
    list_select_related = ["actor"]  # Django follows a key that may be empty only when told
    search_fields = ["object_id"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: AuditEntry | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: AuditEntry | None = None) -> bool:
        return False
