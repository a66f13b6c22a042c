from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config.celery import app  # noqa: PLC0415 - settings must be ready first

        app.set_default()
