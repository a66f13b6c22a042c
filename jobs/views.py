from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from jobs.queries import failed_jobs, live_workers, nobody_works, stuck_jobs, waiting_jobs


@login_not_required
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    try:
        figures = {
            "stuck_jobs": stuck_jobs().count(),
            "failed_jobs": failed_jobs().count(),
            "waiting_jobs": waiting_jobs().count(),
            "workers": live_workers().count(),
        }
        is_stuck = figures["stuck_jobs"] > 0 or nobody_works()
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    body = {"status": "stuck" if is_stuck else "ok", **figures}
    return JsonResponse(body, status=503 if is_stuck else 200)
