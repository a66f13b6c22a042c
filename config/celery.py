from __future__ import annotations

import os
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_init
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["filesystem"] = "config.spool:Transport"
app = Celery("razbor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def make_queue(**_: object) -> None:
    """The filesystem broker does not make its own folders; a worker that starts anew does."""
    options = app.conf.broker_transport_options or {}
    for name in ("data_folder_in", "data_folder_out", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)
