"""A peer of a save: a view that writes one row and answers with a word, behind the same server.

    python3 -m gunicorn tests.bench.bare:application --worker-class config.web.WebWorker …

It knows nobody: no session, no person, no mark is read, checked, painted or counted.
"""

from __future__ import annotations

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.env import env_database

if not settings.configured:
    settings.configure(
        SECRET_KEY="0" * 50,
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        DATABASES={"default": env_database("DATABASE_URL", "")},
        TRUSTED_PROXIES=[],
        WEB_REQUEST_SECONDS=20,
        USE_TZ=True,
    )

TABLE = "CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY, words TEXT NOT NULL)"


def add(request: HttpRequest) -> HttpResponse:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO mark (words) VALUES (%s)", [request.POST["quote"]])
    return HttpResponse("kept")


urlpatterns = [path("", add)]
if "DATABASE_URL" in os.environ and os.environ.get("RAZBOR_BARE"):
    application = get_wsgi_application()
    with connection.cursor() as prepared:
        prepared.execute(TABLE)
    connection.close()
