"""A Celery app like the product's that knows strange kinds of work besides.

celery -A tests.e2e.misbehaving worker
"""

from __future__ import annotations

from config.celery import app

app.conf.include = ["tests.e2e.strange_tasks"]
