"""The whole platform on a backend of its own: the very processes of `manage.py run`, killable."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cached_property, partial
from pathlib import Path
from unittest import mock

from celery import Celery
from django.conf import settings
from kombu.exceptions import ChannelError

from config.bootstrap import ROOT
from config.run import listen, our_children
from config.supervisor import Child
from tests.collected import collected
from tests.e2e.database import nobody_writes
from tests.migrated import kept

JOB_LIMIT_SECONDS = 6
"""As short as the settings allow: the job of a lost worker begins anew after 7 s."""
EVERYBODY = ("web", "worker", "tick")
"""What most stories need; those of exchange sessions name the gateway too."""
PATIENCE = 120
"""How long anything may take before it counts as never; the machine may be busy with others."""


class Stack:
    """Web, worker and tick over a database and a broker; nothing of it outlives the `with`.

    A `crew` names the processes that are wanted, where not all of them are.
    """

    def __init__(
        self,
        folder,
        *,
        database_url="",
        broker_url="filesystem://localhost",
        crew=EVERYBODY,
        web_processes="",
        worker_processes="1",
        job_seconds=JOB_LIMIT_SECONDS,
    ):
        self.folder, self.broker_url, self.crew = folder, broker_url, crew
        self.database_url = database_url or f"sqlite:///{folder / 'razbor.sqlite3'}"
        self.vendor = "postgresql" if database_url else "sqlite"
        self.environment = {
            "RAZBOR_VAR": str(folder),
            "RAZBOR_BOOTSTRAP": "off",
            "DATABASE_URL": self.database_url,
            "BROKER_URL": broker_url,
            "SECRET_KEY": settings.SECRET_KEY,  # so that tests can make sessions
            "DEBUG": "False",  # static files as they are served for good
            "WEB_PROCESSES": str(web_processes),
            "WORKER_PROCESSES": worker_processes,
            "JOB_LIMIT_SECONDS": str(job_seconds),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LC_ALL": "C.UTF-8",
            "CI": "",
        }
        self.listener, self.gateway = listen(0), listen(0)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.children = {}
        self.opened = contextlib.ExitStack()

    def __enter__(self):
        try:
            if self.vendor == "sqlite":  # how long tables take to be made, other tests know
                shutil.copyfile(kept(), self.folder / "razbor.sqlite3")
            with collected(self.folder):
                self.python("-m", "config.prepare", "--no-demo")
            with mock.patch.dict(os.environ, self.environment):
                children = our_children(self.listener.fileno(), self.gateway)
            self.children = {child.name: child for child in children if child.name in self.crew}
            for child in self.children.values():
                self.begin(child)
            self.until(self.answers, "web answers")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        for child in self.children.values():
            self.halt(child)
        self.opened.close()
        self.listener.close()
        self.gateway.close()

    def begin(self, child):
        child.environment = {**child.environment, **self.environment}
        child.due = 0.0
        child.tend(time.monotonic())

    def hire(self, name, *, like=None, app="config", hands=1):
        """One more worker beside ours, or one in its stead."""
        like = like or self.children["worker"]
        command = [*like.command]
        command[command.index("-A") + 1] = app
        command[command.index("-c") + 1] = str(hands)
        log = like.log.with_name(f"{name}.log")
        hired = Child(name, [*command, "--hostname", f"{name}@%h"], log)
        hired.environment = {**like.environment}
        self.children[name] = hired
        self.begin(hired)
        return hired

    def dismiss(self, name):
        self.halt(self.children.pop(name))

    def halt(self, child):
        child.sweep()
        if child.process:
            child.process.wait()
            child.process = None

    def tend(self):
        """What the supervisor does ten times a second; a killed child starts without a pause."""
        for child in self.children.values():
            child.deaths = 0
            child.tend(time.monotonic())

    def until(self, condition, promise, patience=PATIENCE):
        """Wait until something is so, and say what; give back what the condition gave."""
        deadline = time.monotonic() + patience
        while not (found := condition()):
            assert time.monotonic() < deadline, f"not within {patience} s: {promise}\n{self.logs()}"
            self.tend()
            time.sleep(0.05)
        return found

    def health(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", "/healthz")
            return json.loads(connection.getresponse().read())

    def answers(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.health()
        return None

    def python(self, *words, check=True, **environment):
        """Run a Python of the stack's own to its end, such as a management shell."""
        finished = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, **self.environment, **environment},
            check=False,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
        assert not (check and finished.returncode), f"{words}\n{finished.stdout}{finished.stderr}"
        return finished

    @contextlib.contextmanager
    def broker(self):
        """A Celery app that sends messages past the product."""
        with Celery(broker=self.broker_url, set_as_current=False) as app:
            app.conf.broker_transport_options = self.transport_options
            yield app

    @cached_property
    def transport_options(self):
        words = "import json; from django.conf import settings as s; "
        words += "print(json.dumps(s.CELERY_BROKER_TRANSPORT_OPTIONS))"
        return json.loads(self.python("-c", words).stdout)

    @cached_property
    def queue(self):
        """What workers take their messages from; a test looks at it many times a second."""
        connection = self.opened.enter_context(
            self.opened.enter_context(self.broker()).connection()
        )
        return self.opened.enter_context(contextlib.closing(connection.SimpleQueue("celery")))

    def messages(self):
        """How many messages nobody has taken yet."""
        with contextlib.suppress(ChannelError):  # Redis knows no empty queue
            return self.queue.qsize()
        return 0

    def logs(self):
        """The ends of the logs, for whoever has to find out what happened."""
        ends = []
        for log in sorted((self.folder / "log").glob("*.log")):
            lines = log.read_text("utf-8", "replace").splitlines()[-12:]
            ends.append("\n".join([f"--- {log.name}", *lines]))
        return "\n".join(ends)


class WorkerProcess:
    """The Celery worker of a stack, seen from outside: its processes may be killed and stopped."""

    def __init__(self, stack, child):
        self.stack, self.child = stack, child

    @property
    def main(self):
        assert self.child.process
        return self.child.process.pid

    def hands(self):
        """The processes of the pool, which do the jobs."""
        return [pid for pid in processes() if parent(pid) == self.main]

    def ready(self):
        """Is the pool up? A process that has not become Celery yet has no hands."""
        self.stack.until(lambda: self.child.process and self.hands(), "the worker is up")
        return self

    def kill(self, who):
        """SIGKILL to the `hand` at work, to the `main` process, or to the whole `group`."""
        if who == "group":
            os.killpg(self.main, signal.SIGKILL)
        for pid in {"hand": self.hands(), "main": [self.main]}.get(who, ()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    @contextlib.contextmanager
    def paused(self):
        """Nobody of the group does anything within this block, nor holds the database meanwhile."""
        group = self.main
        self.stack.until(partial(stopped_between_writes, group), "it stops between two writes")
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGCONT)


def stopped_between_writes(group):
    """Stop these processes, unless one of them is amidst a transaction, which would never end."""
    os.killpg(group, signal.SIGSTOP)
    if not (free := all_stand(group) and nobody_writes()):
        os.killpg(group, signal.SIGCONT)
    return free


def all_stand(group):
    """A stop asked for is not yet one; a parent amidst ``vfork`` waits for its stopped child."""
    deadline = time.monotonic() + 2
    while not (still := all(map(stands, members(group)))) and time.monotonic() < deadline:
        time.sleep(0.01)
    return still


def processes():
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def parent(pid):
    """The parent of a living process."""
    _state, ppid, _group = status_of(pid)
    return ppid


def members(group):
    """The living processes of a group."""
    return [pid for pid in processes() if status_of(pid)[2] == group]


def stands(pid):
    """Do all threads of a process stand still, or is it gone?"""
    with contextlib.suppress(OSError):
        return all(
            status_of(thread.name)[0] in ("T", None)
            for thread in Path(f"/proc/{pid}/task").iterdir()
        )
    return True


def status_of(pid):
    """The state of a process, its parent and its group; nothing of it when it is dead."""
    with contextlib.suppress(OSError):
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:3]
        if state not in "ZX":
            return state, *map(int, numbers)
    return None, None, None
