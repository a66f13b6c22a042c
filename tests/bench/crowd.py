"""16 people who mark at once, over HTTP: opens and saves a second, and how long a save takes.

Ours as `run` starts the web, beside a view that writes one row behind the same server, and beside
the tools of ``tests.bench.peers`` that run; all in turns. Everybody has a document of their own,
300 words with 40 nested marks, on a connection that stays open.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from config.bootstrap import ROOT
from config.run import listen, web_processes
from tests.bench import peers
from tests.bench.essays import nested_markup
from tests.bench.timing import percentile
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import Visitor

CLIENTS = 16
TURNS = 2
OPENS = 3
SAVES = 4
"""Of each client in a turn."""
MARKUP = nested_markup(300, 40)
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Request:
    """What goes over the wire once."""

    verb: str
    path: str
    body: str | None = None


@dataclass(frozen=True)
class Client:
    """One person: the requests of an open, those of a save."""

    port: int
    headers: Mapping[str, str]
    opens: Callable[[], Sequence[Request]]
    saves: Callable[[], Sequence[Request]]


@dataclass
class Crowd:
    """Everybody at one server, and the seconds each open and each save took.

    ``server``: the number of its first process, where the processor's time of all is asked.
    """

    name: str
    clients: Sequence[Client]
    server: int | None = None
    rates: dict[str, list[float]] = field(default_factory=dict)
    took: dict[str, list[float]] = field(default_factory=dict)
    spent: dict[str, list[float]] = field(default_factory=dict)

    def __str__(self) -> str:
        told = [f"{self.name:<44}"]
        for what, rates in self.rates.items():
            middle, worst = sorted(rates)[len(rates) // 2], percentile(self.took[what], 95)
            told.append(f"{what} {middle:>7.1f} a second, p95 {worst * 1000:>6.0f} ms")
            if self.server:
                spent = sorted(self.spent[what])[len(rates) // 2]
                told.append(f"processor {spent * 1000:>6.1f} ms each")
        return "  ".join(told)

    def work(self, what: str, often: int) -> None:
        """Everybody does it so often, all at once."""
        began, before = time.perf_counter(), processor_of(self.server)
        with ThreadPoolExecutor(CLIENTS) as pool:
            found = list(pool.map(lambda each: times(each, what, often), self.clients))
        count = len(self.clients) * often
        self.rates.setdefault(what, []).append(count / (time.perf_counter() - began))
        self.spent.setdefault(what, []).append((processor_of(self.server) - before) / count)
        self.took.setdefault(what, []).extend(seconds for each in found for seconds in each)


def times(client: Client, what: str, often: int) -> list[float]:
    """The seconds of each of ``often`` opens or saves."""
    found = []
    make = client.opens if what == "opens" else client.saves
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=120)
    with closing(connection):
        for _ in range(often):
            began = time.perf_counter()
            for each in make():
                connection.request(each.verb, each.path, each.body, {**client.headers})
                answer = connection.getresponse()
                said = answer.read()
                assert answer.status in (200, 201), (answer.status, said[:400])
            found.append(time.perf_counter() - began)
    return found


def processor_of(server: int | None) -> float:
    """Seconds the processor has worked for a process and those it has begun, ended ones too."""
    if server is None:
        return 0.0
    worked, parents = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            pid = int(stat.parent.name)
            worked[pid], parents[pid] = sum(map(int, words[11:15])), int(words[1])
    family = {server}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(worked.get(pid, 0) for pid in family) / os.sysconf("SC_CLK_TCK")


def figures(addresses: Mapping[str, str]) -> Iterator[str]:
    """A line each: ours, a view that writes one row, and the tools at these addresses.

    Behind an address may stand the number of the first process, ``http://127.0.0.1:8701#4711``.
    """
    with ExitStack() as opened:
        crowds = [ours(opened), bare(opened)]
        for name, told in addresses.items():
            address, _, server = told.partition("#")
            crowds.append(Crowd(name, OTHERS[name](address), int(server) if server else None))
        for turn in range(TURNS + 1):
            for crowd in crowds:
                crowd.work("opens", OPENS)
                crowd.work("saves", SAVES)
                if not turn:
                    crowd.rates, crowd.took, crowd.spent = {}, {}, {}  # what is made once is made
    yield f"{CLIENTS} clients, {web_processes()} processes of ours"
    yield from map(str, crowds)


def ours(opened: ExitStack) -> Crowd:
    """As `run` starts the web, on SQLite."""
    from tests.bench.screen import draft  # noqa: PLC0415 - needs the settings

    folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
    stack = opened.enter_context(Stack(folder, crew=("web",), database_url=postgres()))
    with connected(stack.database_url):
        clients = [_ours(stack, draft(40)) for _ in range(CLIENTS)]
    return Crowd("ours", clients, stack.children["web"].process.pid)


def postgres() -> str:
    """An address of PostgreSQL in BENCH_DATABASE_URL, an empty database; else SQLite."""
    return os.environ.get("BENCH_DATABASE_URL", "")


def _ours(stack: Stack, record: object) -> Client:
    visitor = Visitor(stack, record.author)  # type: ignore[attr-defined]
    page = f"/markups/{record.pk}/"  # type: ignore[attr-defined]
    version = iter(range(10**6))

    def save() -> Sequence[Request]:
        seen = next(version)
        fields = {"uid": uuid.uuid4(), "start": 0, "end": 4, "quote": MARKUP.text[:4]}
        fields |= {"code": "А.лекс", "version": seen, "shown": seen, "page": "bench"}
        made = Request("POST", f"{page}fragments/", urlencode(fields))
        return [made]

    headers = {**visitor.headers, "HX-Request": "true", "Accept-Encoding": "gzip", "X-Stored": "?"}
    return Client(stack.port, headers, lambda: [Request("GET", page)], save)


def bare(opened: ExitStack) -> Crowd:
    """A view that writes one row, behind the server of ours."""
    port, server = opened.enter_context(served())
    post = Request("POST", "/", urlencode({"quote": MARKUP.text[:4]}))
    one = Client(port, {"Content-Type": FORM}, lambda: [post], lambda: [post])
    return Crowd("a view that writes one row, no open", [one] * CLIENTS, server)


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """``tests.bench.bare`` behind the processes and threads `run` has: its port, its process."""
    with tempfile.TemporaryDirectory() as folder, closing(listen(0)) as listener:
        url = f"sqlite:///{folder}/bare.sqlite3"
        words = ["-m", "gunicorn", "tests.bench.bare:application", "--threads", "8"]
        words += ["--worker-class", "config.web.WebWorker", "--workers", str(web_processes())]
        words += ["--bind", f"fd://{listener.fileno()}", "--no-control-socket"]
        environment = {**os.environ, "DATABASE_URL": url, "RAZBOR_BARE": "1"}
        environment |= {"DJANGO_SETTINGS_MODULE": "", "LOG_LEVEL": "error"}
        running = subprocess.Popen(
            [sys.executable, *words, "--log-level", "error"],
            cwd=ROOT,
            env=environment,
            pass_fds=[listener.fileno()],
        )
        try:
            yield ready(listener.getsockname()[1]), running.pid
        finally:
            running.terminate()
            running.wait(30)


def ready(port: int) -> int:
    """The port once somebody answers there."""
    for _ in range(200):
        with suppress(OSError), closing(http.client.HTTPConnection("127.0.0.1", port)) as asked:
            asked.request("POST", "/", "quote=x", {"Content-Type": FORM})
            if asked.getresponse().status == 200:
                return port
        time.sleep(0.1)
    raise RuntimeError("The bare view does not answer.")


def doccano(address: str) -> list[Client]:
    """Everybody has an example of their own in one project."""
    site, project, label = peers.doccano_project(address)
    base = f"/v1/projects/{project}"
    found = []
    for _ in range(CLIENTS):
        essay = peers.doccano_example(site, project, label)
        spans, at = f"{base}/examples/{essay}/spans", iter(range(10**6))
        opens = [f"{base}/examples/{essay}", f"{base}/span-types", spans]
        gets = [Request("GET", each) for each in opens]

        def save(spans: str = spans, at: Iterator[int] = at) -> Sequence[Request]:
            place = {"start_offset": next(at), "end_offset": len(MARKUP.text), "label": label}
            return [Request("POST", spans, json.dumps(place))]

        found.append(Client(port_of(address), headers_of(site), lambda gets=gets: gets, save))
    return found


def label_studio(address: str) -> list[Client]:
    """Everybody has a task with one annotation, which every save sends as a whole."""
    site, project = peers.label_studio_project(address)
    found = []
    for _ in range(CLIENTS):
        task, made, result = peers.label_studio_task(site, project)
        get = Request("GET", f"/api/tasks/{task}/")

        def save(made: int = made, result: list[object] = result) -> Sequence[Request]:
            result.append(peers.region(0, 4))
            body = json.dumps({"result": result})
            return [Request("PATCH", f"/api/annotations/{made}/", body)]

        found.append(Client(port_of(address), headers_of(site), lambda get=get: [get], save))
    return found


def port_of(address: str) -> int:
    """The port of an address of this machine."""
    return urlsplit(address).port or 80


def headers_of(site: peers.Site) -> dict[str, str]:
    """Who a program is there."""
    return {**site.headers, "Content-Type": "application/json"}


OTHERS: Mapping[str, Callable[[str], list[Client]]] = {
    "DOCCANO": doccano,
    "LABEL_STUDIO": label_studio,
}
