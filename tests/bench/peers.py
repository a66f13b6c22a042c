"""The same work in other marking tools, in turns with ours: opening a document, saving a mark.

By hand, with each tool running in an environment of its own (docs/benchmarks.md says how):

    python3 manage.py bench peers LABEL_STUDIO=http://127.0.0.1:8702 DOCCANO=http://127.0.0.1:8701

One client, 300 words with 40 nested marks. "Open" is what the server answers with the text and the
marks (ours: the whole page), "save" one more mark: its whole answer, and until the client knows
that it is stored. Of ours that is the first byte behind the head, at which the page says so; the
others say nothing before their answer.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.bench.essays import nested_markup
from tests.bench.timing import ROUNDS, Figures, seconds
from tests.e2e.database import connected
from tests.e2e.stack import Stack
from tests.e2e.visitor import session_of

LOGIN, PASSWORD = "admin", "pass12345"
TOKEN = "0123456789abcdef0123456789abcdef01234567"
MARKUP = nested_markup(300, 40)
Calls = tuple[Callable[[], object], Callable[[], object]]
STORED = "X-Stored"


class AnswerError(Exception):
    """An answer that is no success."""


class Site:
    """A web site, asked over one connection for as long as it keeps that, as a browser does."""

    def __init__(self, address: str, **headers: str) -> None:
        self.address, self.headers = address, headers
        self.connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
        self.cookies: SimpleCookie = SimpleCookie()
        self.stored: list[float] = []
        """Seconds until a change was known to be stored, of each."""

    def ask(self, path: str, data: Any = None, *, method: str = "", form: bool = False) -> bytes:
        body = urlencode(data).encode() if form else json.dumps(data).encode()
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        began = time.perf_counter()
        self.connection.request(
            method or ("GET" if data is None else "POST"),
            path,
            body=None if data is None else body,
            headers={"Content-Type": kind, "Referer": self.address, **self.headers},
        )
        answer = self.connection.getresponse()
        for each in answer.headers.get_all("Set-Cookie", []):
            self.cookies.load(each)
        content = answer.read(1)
        if STORED in answer.headers:
            self.stored.append(time.perf_counter() - began)
        content += answer.read()
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise AnswerError(f"{path}: {answer.status}")
        return content

    def json(self, path: str, data: Any = None, *, method: str = "") -> Any:
        return json.loads(self.ask(path, data, method=method))


def ours(stack: Stack) -> tuple[Calls, list[float]]:
    """Opening, saving, and how long it took until each save was known to be stored."""
    from tests.bench.screen import draft  # noqa: PLC0415 - needs the settings

    with connected(stack.database_url):
        record = draft(40)
        session = session_of(record.author, stack.url)
    site = Site(stack.url, Cookie=f"sessionid={session['value']}")
    page = site.ask(f"/markups/{record.pk}/").decode()
    found = re.search(r'X-CSRFToken": "([^"]+)"', page)
    csrf = site.cookies["csrftoken"].value
    site.headers = {
        "Cookie": f"sessionid={session['value']}; csrftoken={csrf}",
        "X-CSRFToken": found[1] if found else "",
        "HX-Request": "true",
        STORED: "?",
    }
    version = iter(range(10**6))

    def save() -> None:
        fields = {"uid": uuid.uuid4(), "start": 0, "end": 4, "quote": MARKUP.text[:4]}
        form = {**fields, "code": "А.лекс", "version": next(version)}
        site.ask(f"/markups/{record.pk}/fragments/", form, form=True)

    return (lambda: site.ask(f"/markups/{record.pk}/"), save), site.stored


def doccano_project(address: str) -> tuple[Site, int, int]:
    """A project of its own: who asks, its number, that of its one label."""
    site = Site(address)
    key = site.json("/v1/auth/login/", {"username": LOGIN, "password": PASSWORD})["key"]
    site = Site(address, Authorization=f"Token {key}")
    kind = {"project_type": "SequenceLabeling", "allow_overlapping": True, "guideline": ""}
    about = {"name": "b", "description": "b", "resourcetype": "SequenceLabelingProject", "tags": []}
    project = site.json("/v1/projects", {**about, **kind})["id"]
    label = {"text": "m", "prefix_key": None, "suffix_key": None, "background_color": "#123456"}
    return site, project, site.json(f"/v1/projects/{project}/span-types", label)["id"]


def doccano_example(site: Site, project: int, label: int) -> int:
    """The essay with its marks, but those of one place: it takes no two of a label."""
    essay = site.json(f"/v1/projects/{project}/examples", {"text": MARKUP.text})["id"]
    spans = f"/v1/projects/{project}/examples/{essay}/spans"
    for each in MARKUP.fragments:
        place = {"start_offset": each.span.start, "end_offset": each.span.end}  # type: ignore[union-attr]
        with suppress(AnswerError):
            site.json(spans, {**place, "label": label})
    return int(essay)


def doccano(address: str) -> Calls:
    site, project, label = doccano_project(address)
    essay = doccano_example(site, project, label)
    spans = f"/v1/projects/{project}/examples/{essay}/spans"
    at = iter(range(10**6))

    def open_essay() -> None:
        site.json(f"/v1/projects/{project}/examples/{essay}")
        site.json(f"/v1/projects/{project}/span-types")
        site.json(spans)

    def save() -> object:
        place = {"start_offset": next(at), "end_offset": len(MARKUP.text)}
        return site.json(spans, {**place, "label": label})

    return open_essay, save


def label_studio_project(address: str) -> tuple[Site, int]:
    """A project of its own: who asks, and its number."""
    site = Site(address, Authorization=f"Token {TOKEN}")
    config = (
        '<View><Labels name="l" toName="t"><Label value="m"/></Labels>'
        '<Text name="t" value="$text"/></View>'
    )
    made = site.json("/api/projects/", {"title": "bench", "label_config": config})
    return site, made["id"]


def label_studio_task(site: Site, project: int) -> tuple[int, int, list[Any]]:
    """A task, its annotation and the marks in it."""
    task = site.json("/api/tasks/", {"data": {"text": MARKUP.text}, "project": project})["id"]
    result: list[Any] = [
        region(each.span.start, each.span.end)  # type: ignore[union-attr]
        for each in MARKUP.fragments
    ]
    made = site.json(f"/api/tasks/{task}/annotations/", {"result": result})["id"]
    return task, made, result


def label_studio(address: str) -> Calls:
    site, project = label_studio_project(address)
    task, made, result = label_studio_task(site, project)

    def save() -> object:  # the whole document goes along
        result.append(region(0, 4))
        return site.json(f"/api/annotations/{made}/", {"result": result}, method="PATCH")

    return lambda: site.json(f"/api/tasks/{task}/"), save


def region(start: int, end: int) -> Mapping[str, Any]:
    value = {"start": start, "end": end, "text": MARKUP.text[start:end], "labels": ["m"]}
    names = {"from_name": "l", "to_name": "t", "type": "labels"}
    return {"id": uuid.uuid4().hex[:10], **names, "value": value}


PEERS: Mapping[str, Callable[[str], Calls]] = {"LABEL_STUDIO": label_studio, "DOCCANO": doccano}


def figures(addresses: Mapping[str, str]) -> Iterator[Figures]:
    """Opening and saving, ours beside each peer that runs."""
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), crew=("web",)) as stack:
        for name, address in addresses.items():
            own_calls, stored = ours(stack)
            calls = zip(("open", "save"), own_calls, PEERS[name](address), strict=True)
            for what, own, other in calls:
                times = [(seconds(own, 1), seconds(other, 1)) for _ in range(ROUNDS + 2)][2:]
                mine, theirs = zip(*times, strict=True)
                yield Figures(f"{what}, whole, over HTTP", [*mine], name, [*theirs])
            yield Figures("save, until it is stored", stored[2:], name, [*theirs])
