"""All settings; SQLite and the filesystem broker unless the environment says otherwise."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from annotator.core.values import LARGEST_MARKUP, Subject
from config.env import (
    env_address,
    env_bool,
    env_broker,
    env_database,
    env_hosts,
    env_language,
    env_networks,
    env_seconds,
    env_str,
    env_zone,
    secret_key,
)
from config.floors import APPS

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env_str("RAZBOR_VAR", str(BASE_DIR / "var")))
"""Everything that is made at run time: database, key, queue, mail, collected static files."""

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

DEBUG = env_bool("DEBUG", default=False)
SECRET_KEY = secret_key("SECRET_KEY", VAR / "secret_key")
ALLOWED_HOSTS = env_hosts("ALLOWED_HOSTS", LOOPBACK)
LOCAL = set(ALLOWED_HOSTS) <= set(LOOPBACK) and not env_str("TRUSTED_PROXIES", "")
"""True when only this machine is served: then plain HTTP is right, else HTTPS is expected."""

TRUSTED_PROXIES = env_networks("TRUSTED_PROXIES", [] if LOCAL else ["127.0.0.0/8", "::1"])
"""Who is believed about where a request comes from. `run` listens on this machine alone: whoever
reaches it for others stands here, unless another place is named."""

PUBLIC_ADDRESS = env_address(
    "PUBLIC_ADDRESS",
    env_str("SERVED_HERE", "") if LOCAL else f"https://{ALLOWED_HOSTS[0].removeprefix('.')}",
)
"""What links in letters begin with; on this machine alone, unless it is set: the port we serve,
which `run` tells those that see no request by ``SERVED_HERE``."""

GATEWAY_URL = env_address("GATEWAY_URL", "")
"""Where programs reach the gateway of exchange sessions; `run` sets it to the port it serves."""

if DEBUG and not LOCAL:
    hint = "leave ALLOWED_HOSTS and TRUSTED_PROXIES unset."
    raise ImproperlyConfigured(f"DEBUG=True serves this machine only: {hint}")

# -- applications

INSTALLED_APPS = [
    "config",
    *APPS,
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "django_htmx.middleware.HtmxMiddleware",  # first: also the pages of faults ask it
    "web.middleware.Proxies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",  # also around the pages of faults
    "csp.middleware.CSPMiddleware",
    "web.middleware.Compression",  # pads at random against guessing from lengths
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "web.middleware.Common",
    "web.middleware.Utf8Forms",
    "config.doors.BodyLimits",  # before what protects forms, which reads them
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.OwnPages",
    "accounts.middleware.Acting",
    "accounts.middleware.LoginRequired",
    "web.middleware.SoundSearches",
    "web.middleware.Refusals",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "web.loaders.Cached",
                            [
                                "web.loaders.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# -- data

DATABASES = {"default": env_database("DATABASE_URL", f"sqlite:///{VAR / 'razbor.sqlite3'}")}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
"""None: what one process of the web kept, the others would not know."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.authentication.Accounts"]
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "contest:home"
LOGOUT_URL = "accounts:logout"
LOGOUT_REDIRECT_URL = "accounts:login"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [{"NAME": "accounts.validators.NotPublished"}] + [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SUBJECTS = [
    (Subject.ENGLISH.value, _("English")),
    (Subject.ENGLISH_FREE.value, _("English, free")),
    (Subject.RUSSIAN.value, _("Russian")),
    (Subject.RUSSIAN_FREE.value, _("Russian, free")),
    (Subject.LITERATURE.value, _("Literature")),
    (Subject.SOCIAL_SCIENCE.value, _("Social science")),
    (Subject.HISTORY.value, _("History")),
]
"""Subjects by name, for apps below annotator too: they must not import its core."""

START_PAGES = {
    "expert": "annotator:queue",
    "participant": "annotator:training",
    "coordinator": "review:desk",
    "organiser": "review:desk",
    "judge": "review:verification",
    "commission": "review:verification",
    "administrator": "review:desk",
}
"""Role -> the page its work begins at."""

EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = VAR / "mail"
DEFAULT_FROM_EMAIL = env_str("MAIL_FROM", "razbor@localhost")
if env_str("MAIL_HOST", ""):
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = env_str("MAIL_HOST", "")
    EMAIL_PORT = int(env_str("MAIL_PORT", "587"))
    EMAIL_HOST_USER = env_str("MAIL_USER", "")
    EMAIL_HOST_PASSWORD = env_str("MAIL_PASSWORD", "")
    EMAIL_USE_TLS = env_bool("MAIL_TLS", default=True)
EMAIL_TIMEOUT = env_seconds("MAIL_SECONDS", 10)
"""How long a mail server may keep us waiting: well within a job's time."""
MAIL_LANGUAGE = env_language("MAIL_LANGUAGE", "ru", ("ru", "en"))
"""Of letters nobody asked for, to those who have chosen no language for them."""

# -- security

SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "web.declining.form_out_of_date"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if not LOCAL:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # is asked on this machine, past the proxy
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

WEB_REQUEST_SECONDS = env_seconds("WEB_REQUEST_SECONDS", 20)
"""How long a request may take to arrive, and an answer to be read; longer only at 50 KB/s."""
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = LARGEST_MARKUP
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 200

# -- API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["web.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "web.api_paging.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "annotator.schema.ProblemAwareSchema",
    "EXCEPTION_HANDLER": "web.api_errors.answer",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Razbor",
    "DESCRIPTION": (
        "Essays, markups, comparisons and scores. Moments are ISO 8601 with the offset of the "
        "platform’s time zone; those of exchange sessions are in UTC, to the microsecond."
    ),
    "VERSION": "1",
    "ENUM_NAME_OVERRIDES": {
        "RoleOfCheck": "annotator.models.Assignment.Role",
        "StateOfCheck": "annotator.models.Assignment.State",
        "StateOfMarkup": "annotator.models.MarkupRecord.State",
        "SubjectEnum": SUBJECTS,
        "StateOfSession": "contest.models.ExchangeSession.State",
        "StateOfImport": "annotator.models.imports.EssayImport.State",
        "StateOfSubmission": "review.serializers.PROGRESS",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
}

# -- language and time

LANGUAGE_CODE = "en"
LANGUAGES = [("ru", "Русский"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "razbor" / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env_zone("TIME_ZONE", "Europe/Moscow")
USE_TZ = True

# -- static files

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site reads them, and every answer is shorter
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # pages name no others
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.storage.ModuleManifestStorage"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# -- work in the background (reliability.md 5: the database is the truth, the broker a doorbell)

EXPORTS = VAR / "exports"
"""Files people ordered; tick deletes them (review/services/exporting.py)."""

JOB_LIMIT_SECONDS = env_seconds("JOB_LIMIT_SECONDS", 48, least=6)
"""The longest a job may work; a lost worker's begins anew a sixth of it later: within a minute."""
JOB_LEASE_MARGIN_SECONDS = JOB_LIMIT_SECONDS // 6
RECALL_SECONDS = env_seconds("RECALL_SECONDS", 60, least=0)
"""So long an expert may recall a submitted check; nothing takes effect before (0: at once)."""

CELERY_BROKER_URL = env_broker("BROKER_URL", "filesystem://localhost")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_TASK_TIME_LIMIT = JOB_LIMIT_SECONDS
CELERY_TASK_SOFT_TIME_LIMIT = JOB_LIMIT_SECONDS - JOB_LEASE_MARGIN_SECONDS
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 0}
CELERY_WORKER_LOST_WAIT = 1
CELERY_WORKER_POOL = "config.pool:TaskPool"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
if CELERY_BROKER_URL.startswith("filesystem"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR / "broker" / "queue"),
        "data_folder_out": str(VAR / "broker" / "queue"),
        "control_folder": str(VAR / "broker" / "control"),
        "polling_interval": 0.1,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 2,
        "socket_connect_timeout": 1,
        "health_check_interval": 10,
    }

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
    },
    "filters": {"brief": {"()": "config.logs.Brief"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "brief": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["brief"]},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "contest.gateway": {"level": "INFO"},  # what programs wrote that nobody can read
        "jobs": {"level": "INFO"},
        "django.request": {"level": "ERROR"},
        "django.security": {"handlers": ["brief"], "propagate": False},  # what strangers send
        "waitress.queue": {"level": "ERROR"},  # every request that has to wait a moment
    },
}
