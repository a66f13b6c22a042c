from __future__ import annotations

import os

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import prepare

pytestmark = pytest.mark.django_db


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The management commands that were called; nothing is run."""
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path))
    called = []
    monkeypatch.setattr(prepare, "call_command", lambda name, *_, **__: called.append(name))
    return called


@pytest.fixture
def empty_database():
    MigrationRecorder(connection).migration_qs.delete()


def test_a_database_in_order_is_left_alone(commands):
    prepare.migrate(demo=True)

    assert commands == []


@pytest.mark.usefixtures("empty_database")
def test_an_empty_database_gets_tables_and_demo(commands):
    prepare.migrate(demo=True)

    assert commands == ["migrate", "demo"]


@pytest.mark.usefixtures("empty_database")
def test_an_empty_database_stays_empty_on_demand(commands):
    prepare.migrate(demo=False)

    assert commands == ["migrate"]


@pytest.mark.usefixtures("empty_database")
def test_demo_data_cut_short_are_loaded_at_the_next_start(commands, monkeypatch):
    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prepare, "call_command", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare.migrate(demo=True)
    executor = prepare.MigrationExecutor(connection)
    for app, name in executor.loader.graph.nodes:
        executor.recorder.record_applied(app, name)

    prepare.migrate(demo=True)
    prepare.migrate(demo=True)

    assert commands == ["demo"]


def test_the_queue_has_its_folders(tmp_path, settings):
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": tmp_path / "queue" / "in"}

    prepare.make_queue()
    prepare.make_queue()

    assert (tmp_path / "queue" / "in").is_dir()


def test_static_files_are_collected_when_they_changed(commands, tmp_path, settings):
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STATIC_ROOT.mkdir()
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    (tmp_path / "source").mkdir()
    style = tmp_path / "source" / "style.css"
    style.write_text("a {}")

    prepare.collect_static()
    prepare.collect_static()
    assert commands == ["collectstatic"]

    style.write_text("b {}")
    os.utime(style, ns=(1, 1))
    prepare.collect_static()
    assert commands == ["collectstatic"] * 2

    settings.STATIC_ROOT.rmdir()
    prepare.collect_static()
    assert commands == ["collectstatic"] * 3


def test_what_was_collected_moves_with_its_folder(commands, tmp_path, settings, monkeypatch):
    settings.STATIC_ROOT = tmp_path / "here" / "static"
    settings.STATIC_ROOT.mkdir(parents=True)
    settings.STATICFILES_DIRS = []
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path / "here"))
    prepare.collect_static()

    (tmp_path / "here").rename(tmp_path / "there")
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path / "there"))
    settings.STATIC_ROOT = tmp_path / "there" / "static"
    prepare.collect_static()

    assert commands == ["collectstatic"]
