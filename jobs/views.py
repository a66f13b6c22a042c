from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from jobs.queries import failed_jobs, stuck_jobs


@login_not_required
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    try:
        stuck, failed = stuck_jobs().count(), failed_jobs().count()
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    status = "stuck" if stuck else "ok"
    body = {"status": status, "stuck_jobs": stuck, "failed_jobs": failed}
    return JsonResponse(body, status=503 if stuck else 200)
