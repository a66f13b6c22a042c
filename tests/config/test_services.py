from __future__ import annotations

import os
import signal
import socket
import subprocess

import psycopg
import pytest

from tests import browser, services

pytestmark = pytest.mark.full

# Called directly, not as fixtures: these tests must not count as the parts they only prepare.


@pytest.mark.parametrize("version", [16, 18])
def test_our_own_postgres_survives_a_crash(version):
    with services.own_postgres(version) as server:
        services.execute(server.url, "CREATE TABLE kept AS SELECT 1 AS n")
        server.stop(signal.SIGQUIT)
        server.start()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("SELECT n FROM kept").fetchall() == [(1,)]
            assert connection.info.server_version // 10000 == version


def test_a_test_database_is_dropped_again():
    with services.postgres_database() as url:
        services.execute(url, "CREATE TABLE mine (n int)")

    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        services.execute(url, "SELECT 1")


def test_our_own_redis_starts_and_is_gone_afterwards():
    with services.own_redis() as server, socket.create_connection(server.address) as connection:
        connection.sendall(b"PING\r\n")
        assert connection.recv(100) == b"+PONG\r\n"

    assert not services.is_open(server.address)


def test_chromium_draws_a_page(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p id=a></p><script>a.textContent = 6 * 7</script>")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

    drawn = subprocess.run(
        [browser.chromium(), *flags, f"--user-data-dir={tmp_path}", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )

    assert '<p id="a">42</p>' in drawn.stdout
