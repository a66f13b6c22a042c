from __future__ import annotations

from typing import Final, cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry, Specialism, User
from accounts.roles import Role, Visit, open_to
from accounts.services.audit import record

ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})


@open_to(ADMINISTRATORS)
def enter(_request: Visit, **_: object) -> HttpResponse:
    """Django's own login counts no tries (reliability.md S10): the platform's is the only one."""
    return redirect("admin:index")


admin.site.login = enter  # type: ignore[method-assign]


class SpecialismInline(admin.TabularInline):
    model = Specialism
    extra = 0


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ["username", "full_name", "role", "school", "is_active"]
    list_filter = ["role", "is_active", "specialisms__subject"]
    search_fields = ["username", "full_name", "email", "school"]
    inlines = [SpecialismInline]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Person"), {"fields": ["full_name", "email", "school", "role"]}),
        (_("Rights"), {"fields": ["is_active"]}),
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

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        action = "person.changed" if change else "person.made"
        record(actor=cast(User, request.user), action=action, target=obj, role=obj.role)


@admin.register(AuditEntry)
class AuditEntryAdmin(admin.ModelAdmin):
    list_display = ["at", "actor", "action", "object_type", "object_id"]
    list_filter = ["action", "object_type"]
    search_fields = ["object_id"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: AuditEntry | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: AuditEntry | None = None) -> bool:
        return False
