"""Submit a markup in a process that dies of SIGKILL between the commit and the ring of the bell.

python -m tests.e2e.dying MARKUP: with the job's row, as the product does it.
python -m tests.e2e.dying MARKUP naive: without it, as `delay_on_commit` alone would do it.
"""

from __future__ import annotations

import os
import signal
import sys

import django
from django.db import transaction

django.setup()

from annotator.models import MarkupRecord  # noqa: E402 - the models come with the set-up
from annotator.services.markup import submit_markup  # noqa: E402
from annotator.signals import markup_submitted  # noqa: E402
from config.celery import app  # noqa: E402
from scoring import receivers  # noqa: E402


def main(markup_id, how="product"):
    if how == "naive":
        markup_submitted.disconnect(receivers.order_grading_and_scoring)
        markup_submitted.connect(only_ring)
    record = MarkupRecord.objects.get(pk=markup_id)
    with transaction.atomic():
        # Hooks run in the order they were hung up: this one before any bell.
        transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
        submit_markup(record=record, version=record.version)


def only_ring(markup_id, **_):
    transaction.on_commit(lambda: app.send_task("scoring.grade_markup", args=[markup_id]))


if __name__ == "__main__":
    main(*sys.argv[1:])
