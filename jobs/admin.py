from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from jobs.models import Job
from jobs.services.work import retry
from web.paging import PER_PAGE


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    list_per_page = PER_PAGE
    list_display = ["key", "kind", "state", "attempts", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    search_fields = ["key"]
    actions = ["try_again"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Job | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Job | None = None) -> bool:
        return False

    @admin.action(description=_("Try failed jobs again"))
    def try_again(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        again = sum(retry(job_id=job.pk) for job in queryset)
        self.message_user(request, _("Jobs begun anew: %d.") % again, messages.INFO)
