from __future__ import annotations

from config.celery import app, make_queue


def test_a_worker_that_starts_anew_makes_the_folders_of_its_broker(tmp_path, monkeypatch):
    folders = {"data_folder_in": "queue", "data_folder_out": "queue", "control_folder": "control"}
    options = {name: str(tmp_path / folder) for name, folder in folders.items()}
    monkeypatch.setitem(app.conf, "broker_transport_options", options)

    make_queue()
    make_queue()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["control", "queue"]
