"""`manage.py run`: an address for people, one for programs, and what works behind them."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from django.core.exceptions import ImproperlyConfigured

from config.bootstrap import INTERRUPTED, ROOT, bytecode, var
from config.env import env_count
from config.speech import choose, say
from config.supervisor import Child, leashed, supervise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

FAMILIAR: Final = "familiar"
FIRST_PORT: Final = 8000
FIRST_GATEWAY: Final = 8200
LAST_PORT: Final = 65_535
HEAD_START: Final = 2.0
"""Seconds by which worker and tick follow web: the first page comes almost a second sooner."""
SETTLING: Final = 30.0
"""Seconds worker and tick are given to start, also where much else is at work."""
LARGEST_LOG: Final = 10_000_000


def run(arguments: Sequence[str]) -> int:
    began = time.monotonic()
    options = options_of(arguments)
    os.umask(0o077)
    listener = listen(options.port)
    gateway = listen_for_programs()
    preparation = prepare(options, served=served_by(listener.fileno()))
    if not is_familiar() and (code := finished(preparation)):
        return code
    health = Health(listener.getsockname()[1])
    threading.Thread(target=health.watch, daemon=True).start()

    def ready() -> bool:
        if preparation.poll():
            sys.exit(preparation.returncode)
        return preparation.returncode == 0 and health.answered()

    def announce() -> None:
        welcome(health, time.monotonic() - began, preparation.communicate()[0], gateway)

    def shut() -> None:
        listener.close()
        gateway.close()

    children = our_children(listener.fileno(), gateway)
    return supervise(children, ready=ready, announce=announce, shut=shut)


def prepare(options: argparse.Namespace, *, served: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "config.prepare", *(["--no-demo"] * options.no_demo)]
    return subprocess.Popen(  # noqa: S603 - our own words, no shell
        leashed(command),
        cwd=ROOT,
        env={**os.environ, **bytecode(os.environ), "SERVED_HERE": served},
        stdout=subprocess.PIPE,
        text=True,
    )


def finished(preparation: subprocess.Popen[str]) -> int:
    try:
        return preparation.wait()
    except KeyboardInterrupt:
        return INTERRUPTED


def is_familiar() -> bool:
    """Was all this prepared before? Then web may start while that is being verified."""
    known = var() / FAMILIAR
    return known.exists() and known.read_text("utf-8") == fingerprint()


def fingerprint() -> str:
    """Changes with the code, the packages, the static files and the database address."""
    files = [ROOT / "requirements.txt", *ROOT.glob("*/migrations/*.py"), *ROOT.glob("static/**/*")]
    states = [f"{file} {file.stat().st_mtime_ns}" for file in sorted(files)]
    database = os.environ.get("DATABASE_URL") or (var() / "razbor.sqlite3").exists()
    states += [str(database), str((var() / "static").exists())]
    return hashlib.sha256("\n".join(states).encode()).hexdigest()


def welcome(health: Health, seconds: float, logins: str, gateway: socket.socket) -> None:
    ready = choose(f"Razbor is ready in {seconds:.1f} s", f"Разбор готов за {seconds:.1f} с")
    programs = choose("Gateway for programs", "Шлюз для программ")
    sys.stdout.write(f"{ready}: http://127.0.0.1:{health.port}/\n{logins}")
    sys.stdout.write(f"{programs}: {gateway_address(gateway)}\n")
    sys.stdout.flush()
    say("Ctrl+C stops it.", "Остановить: Ctrl+C.")


def gateway_address(gateway: socket.socket) -> str:
    """Where programs reach the gateway: ``GATEWAY_URL``, or the port it serves here."""
    here = f"http://127.0.0.1:{gateway.getsockname()[1]}"
    return os.environ.get("GATEWAY_URL") or here


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="manage.py run", description=__doc__)
    parser.add_argument(
        "--port", type=int, help="this port or none (0: any free one); else PORT says it"
    )
    parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")
    options = parser.parse_args(arguments)
    if options.port is None and os.environ.get("PORT"):
        options.port = count("PORT", default=FIRST_PORT, most=LAST_PORT)
    return options


def listen(port: int | None, first: int | None = None) -> socket.socket:
    """Open the address web will serve, on the wanted port or the first free one from 8000,
    or from ``first``.

    It stays open here while a dead web is replaced: visitors wait instead of being refused.
    """
    first = FIRST_PORT if first is None else first
    candidates = range(first, first + 100) if port is None else [port]
    for candidate in candidates:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", candidate))
            listener.listen(1024)
        except (OSError, OverflowError):
            listener.close()
            continue
        if port is None and first == FIRST_PORT and candidate != first:
            say(
                f"Port {FIRST_PORT} is taken, using {candidate}.",
                f"Порт {FIRST_PORT} занят, беру {candidate}.",
            )
        return listener
    span = f"{candidates[0]}-{candidates[-1]}" if port is None else str(port)
    sys.exit(choose(f"Port {span} is not free.", f"Порт {span} не свободен."))


def listen_for_programs() -> socket.socket:
    """Open the address of the gateway: ``GATEWAY_PORT``, or the first free one from 8200.

    It stays open here while a dead gateway is replaced: programs wait instead of being refused.
    """
    if os.environ.get("GATEWAY_PORT"):
        return listen(count("GATEWAY_PORT", default=FIRST_GATEWAY, most=LAST_PORT))
    return listen(None, FIRST_GATEWAY)


class Health:
    """Asks /healthz; whatever it answers, pages can be opened from then on."""

    def __init__(self, port: int) -> None:
        self.port, self.status = port, 0

    def watch(self) -> None:
        """Ask until all is well; what is not ``SETTLING`` seconds after the first answer is said.

        The worker starts after web: until it has, jobs that wait since the demo was loaded or the
        last run was stopped have nobody, and nothing is wrong.
        """
        self.ask_until(self.answered, pause=0.05)
        latest = time.monotonic() + SETTLING
        self.ask_until(lambda: self.is_well() or time.monotonic() >= latest, pause=0.5)
        if not self.is_well():
            where = f"/healthz: {self.status} ({var()}/log)"
            say(f"Something is not well yet, see {where}.", f"Пока не всё в порядке, см. {where}.")

    def ask_until(self, done: Callable[[], bool], pause: float) -> None:
        while not done():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.ask()
            time.sleep(pause)

    def ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", "/healthz", headers={"Host": allowed_host()})
            self.status = connection.getresponse().status

    def answered(self) -> bool:
        return bool(self.status)

    def is_well(self) -> bool:
        return self.status == http.client.OK


def allowed_host() -> str:
    """A host web answers for: the first that ALLOWED_HOSTS names."""
    hosts = os.environ.get("ALLOWED_HOSTS") or "127.0.0.1"
    return hosts.partition(",")[0].strip().removeprefix(".")


def our_children(listener: int, gateway: socket.socket) -> list[Child]:
    logs = var() / "log"
    logs.mkdir(mode=0o700, parents=True, exist_ok=True)
    put_aside(logs)
    gunicorn = [
        *("gunicorn", "config.wsgi:application", "--bind", f"fd://{listener}"),
        *("--worker-class", "config.web.WebWorker", "--workers", str(web_processes())),
        *("--threads", "8"),
        *("--graceful-timeout", "10", "--no-control-socket"),
        *("--access-logfile", str(logs / "access.log"), "--error-logfile", "-"),
    ]
    celery = [
        *("celery", "-A", "config", "worker", "--pool", "prefork"),
        *("-c", str(worker_processes())),
        *("--without-gossip", "--without-mingle", "--loglevel", "WARNING"),
    ]
    later = time.monotonic() + HEAD_START
    programs = ["manage.py", "gateway", "--fd", str(gateway.fileno())]
    web = child("web", ["-m", *gunicorn], logs, descriptors=(listener,))
    web.environment["GATEWAY_URL"] = gateway_address(gateway)
    worker = child("worker", ["-m", *celery], logs, due=later)
    worker.environment["SERVED_HERE"] = served_by(listener)
    return [
        web,
        child("gateway", programs, logs, descriptors=(gateway.fileno(),), due=later),
        worker,
        child("tick", ["manage.py", "tick"], logs, due=later),
    ]


def served_by(listener: int) -> str:
    """The address of a socket that is open here; what closes is a copy of it."""
    with socket.socket(fileno=os.dup(listener)) as copy:
        return f"http://127.0.0.1:{copy.getsockname()[1]}"


def web_processes() -> int:
    """One a core: Python works on one page at a time in each, however many threads wait."""
    return count("WEB_PROCESSES", default=cores())


def worker_processes() -> int:
    """One a core on PostgreSQL, where two take different jobs; on SQLite one writes at a time."""
    is_postgres = os.environ.get("DATABASE_URL", "").startswith("postgres")
    return count("WORKER_PROCESSES", default=cores() if is_postgres else 1)


def cores() -> int:
    """How many this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


def count(name: str, *, default: int, most: int = 64) -> int:
    try:
        return env_count(name, default, most)
    except ImproperlyConfigured as error:
        sys.exit(choose(f"A setting is wrong: {error}", f"Неверная настройка: {error}"))


def put_aside(logs: Path) -> None:
    for log in logs.glob("*.log"):
        if log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".old"))


def child(
    name: str, words: list[str], logs: Path, *, descriptors: tuple[int, ...] = (), due: float = 0.0
) -> Child:
    environment = {
        **bytecode(os.environ),
        "RAZBOR_BOOTSTRAP": "off",  # .venv was checked a moment ago
        "PYTHONUNBUFFERED": "1",
        # Celery warns root at every start; in a container or a CI job root is all there is.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
    }
    return Child(
        name,
        [sys.executable, *words],
        logs / f"{name}.log",
        descriptors=descriptors,
        environment=environment,
        due=due,
    )
