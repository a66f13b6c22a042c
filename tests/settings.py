"""Settings of the tests: the product's own, with a throw-away key and a quick password hash."""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "a key for tests only, of no use anywhere else")
os.environ.setdefault("RAZBOR_VAR", tempfile.mkdtemp(prefix="razbor-tests-"))

os.environ.setdefault("RECALL_SECONDS", "0")  # what is submitted takes effect at once

from config.settings import *  # noqa: F403

if "sqlite" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    # pytest-django knows Django's own engine by name only, to keep its test databases in memory.
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - whitenoise warns about a missing one
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_BROKER_URL = os.environ.get("BROKER_URL", "memory://")
CELERY_TASK_ALWAYS_EAGER = False
