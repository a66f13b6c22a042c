"""Messages in files: who reads at the instant one is written finds it whole, or not at all."""

from __future__ import annotations

import queue
import sys
from threading import Thread

import pytest
from kombu import Connection

from config.celery import app

MESSAGES = 300


@pytest.fixture
def impatient():
    """Threads take turns as often as they can."""
    former = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(former)


@pytest.fixture
def connect(tmp_path):
    """Opens a queue of the channel the product uses, in a folder of the test's own."""
    folders = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path)}
    options = {**folders, "control_folder": str(tmp_path / "control"), "polling_interval": 0}
    assert app is not None, "with it the channel is known"
    return lambda: Connection("filesystem://", transport_options=options).SimpleQueue("bell")


@pytest.mark.usefixtures("impatient")
def test_every_message_is_read_whole_and_once_while_others_are_written(connect, tmp_path):
    reader, found = connect(), []
    writer = Thread(target=lambda: [connect().put({"n": n}) for n in range(MESSAGES)])
    writer.start()
    while writer.is_alive() or len(found) < MESSAGES:
        try:
            message = reader.get_nowait()
        except queue.Empty:
            continue
        message.ack()
        found.append(message.payload["n"])

    assert sorted(found) == list(range(MESSAGES))
    assert list(tmp_path.glob("*.bell*")) == []
