"""Confirm an import in a process that dies of SIGKILL while the markup of an essay comes in.

python -m tests.e2e.dying_import IMPORT NUMBER
"""

from __future__ import annotations

import os
import signal
import sys

import django

django.setup()

from annotator.models import Essay  # noqa: E402
from annotator.models.imports import EssayImport  # noqa: E402 - the models come with the set-up
from annotator.services.imports.staging import confirm_import  # noqa: E402
from annotator.signals import markups_imported  # noqa: E402


def main(import_id, number):
    def die(essay_ids, **_):
        if Essay.objects.filter(pk__in=essay_ids, number=number).exists():
            os.kill(os.getpid(), signal.SIGKILL)

    markups_imported.connect(die)
    batch = EssayImport.objects.get(pk=import_id)
    confirm_import(batch=batch, actor=batch.actor)


if __name__ == "__main__":
    main(*sys.argv[1:])
