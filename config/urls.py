from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.i18n import set_language

from accounts import api as accounts_api
from annotator import urls as annotator_urls
from annotator.api import Description
from compare import urls as compare_urls
from contest import urls as contest_urls
from jobs import views as jobs_views
from review import urls as review_urls
from schemes import urls as schemes_urls
from scoring import urls as scoring_urls

handler400 = "config.doors.unaccepted"
handler404 = "web.api_errors.lost"
handler500 = "web.outages.fault"

api_patterns = [
    path("keys/", accounts_api.Keys.as_view(), name="api_keys"),
    path("schema/", Description.as_view(), name="api_schema"),
    *annotator_urls.api_patterns,
    *compare_urls.api_patterns,
    *scoring_urls.api_patterns,
    *review_urls.api_patterns,
    *schemes_urls.api_patterns,
    *contest_urls.api_patterns,
]

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("annotator.urls")),
    path("", include("compare.urls")),
    path("", include("scoring.urls")),
    path("", include("review.urls")),
    path("", include("schemes.urls")),
    path("", include("contest.urls")),
    path("api/", include((api_patterns, "api"))),
    path("healthz", jobs_views.health, name="health"),
    path("language/", login_not_required(set_language), name="set_language"),
    path("admin/", admin.site.urls),
]
