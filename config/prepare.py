"""Everything `manage.py run` needs before its processes start, in one Django process.

Nothing is done twice: an unchanged checkout costs one look at the migrations and one at the static
files. Progress goes to stderr; stdout carries the demo logins and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from config.bootstrap import INTERRUPTED, make_secret_key, only_one, replace, var
from config.celery import make_queue
from config.run import FAMILIAR, fingerprint
from config.speech import say

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO_WANTED: Final = "demo.wanted"
STATIC_STAMP: Final = "static.stamp"


def main(arguments: list[str]) -> int:
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    make_secret_key(var())
    try:
        django.setup()
        demo = "--no-demo" not in arguments and settings.LOCAL  # its passwords are published
        with only_one(var() / "prepare.lock"):
            make_queue()
            migrate(demo=demo)
            collect_static()
            replace(var() / FAMILIAR, fingerprint())
            if demo:
                call_command("demo", "--logins")
    except KeyboardInterrupt:
        return INTERRUPTED
    except ImproperlyConfigured as error:
        say(f"A setting is wrong: {error}", f"Неверная настройка: {error}")
        return 1
    except OperationalError as error:
        what = str(error).partition("\n")[0]
        say(f"The database does not answer: {what}", f"База данных не отвечает: {what}")
        return 1
    return 0


def migrate(*, demo: bool) -> None:
    """Bring the database up to date; a database that was empty gets the demo data.

    The wish for demo data is written down first, so that it survives a kill half-way; a database
    with rows of its own is never asked.
    """
    wanted = var() / DEMO_WANTED
    executor = MigrationExecutor(connection)
    if demo and not executor.loader.applied_migrations:
        wanted.touch()
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        say("Preparing the database...", "Готовлю базу данных...")
        call_command("migrate", interactive=False, verbosity=0)
    if demo and wanted.exists():
        say("Loading demo data...", "Загружаю демонстрационные данные...")
        call_command("demo", stdout=io.StringIO())
        wanted.unlink(missing_ok=True)


def collect_static() -> None:
    """Collect, hash and compress, but only what changed: it takes seconds even when nothing did."""
    stamp, digest = var() / STATIC_STAMP, static_digest()
    if stamp.exists() and stamp.read_text() == digest and Path(settings.STATIC_ROOT).is_dir():
        return
    say("Collecting static files...", "Собираю статические файлы...")
    call_command("collectstatic", interactive=False, verbosity=0)
    replace(stamp, digest)


def static_digest() -> str:
    """What the collected files were made of, and where beside the stamp they stand."""
    where = os.path.relpath(settings.STATIC_ROOT, var())
    seed = [f"{settings.STORAGES} {where}", *sorted(static_sources())]
    return hashlib.sha256("\n".join(seed).encode()).hexdigest()


def static_sources() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            source = Path(storage.path(name))
            state = source.stat()
            yield f"{source} {state.st_size} {state.st_mtime_ns}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
