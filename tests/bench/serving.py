"""Pages a second with one process of the web and with one a core, in turns in one run."""

from __future__ import annotations

import http.client
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

from config.run import web_processes
from tests.bench.timing import Figures
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import Visitor

CLIENTS = 16
PAGES = 4
"""Of each client in a round."""
TURNS = 5


def figures() -> Iterator[Figures]:
    """Seconds for a page of the marking screen: 300 words, 40 fragments, 16 clients at once."""
    with ExitStack() as opened:
        many, one = (served(opened, count) for count in (web_processes(), 1))
        rounds = [(seconds_a_page(*many), seconds_a_page(*one)) for _ in range(TURNS + 1)][1:]
    ours, peer = zip(*rounds, strict=True)
    yield Figures(
        f"a page, {CLIENTS} clients, {web_processes()} processes", [*ours], "one", [*peer]
    )


def served(opened: ExitStack, processes: int) -> tuple[Visitor, str]:
    """An expert and the page of a draft, at a web of its own."""
    from tests.bench.screen import draft  # noqa: PLC0415 - needs the settings

    folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
    stack = opened.enter_context(Stack(folder, crew=("web",), web_processes=processes))
    with connected(stack.database_url):
        record = draft(40)
        return Visitor(stack, record.author), f"/markups/{record.pk}/"


def seconds_a_page(visitor: Visitor, path: str) -> float:
    def visit(_number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=120)
        with closing(connection):
            for _ in range(PAGES):
                connection.request("GET", path, headers=visitor.headers)
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200, answer.status

    began = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(visit, range(CLIENTS)))
    return (time.perf_counter() - began) / (CLIENTS * PAGES)
