"""The doors that only show: query strings, numbers of addresses, headers, methods."""

from __future__ import annotations

from functools import partial

from tests.hostile.corpus.bodies import JSON
from tests.hostile.corpus.headers import HEADERS
from tests.hostile.corpus.inputs import Input
from tests.hostile.corpus.queries import NUMBERS, QUERIES
from tests.hostile.corpus.texts import FEW, TEXTS
from tests.hostile.doors.sending import Sent
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Visitor, coded_text
from tests.hostile.world import World, admin_pages

FIELDS = {
    "/desk/": ("set", "page"),
    "/people/": ("q",),
    "/compare/": ("left", "right"),
    "/admin/accounts/user/": ("q", "o", "p", "role__exact", "specialisms__subject", "nobody"),
    "/admin/annotator/essay/": ("q", "subject__exact", "essay_set__id__exact", "theme", "e"),
    "/admin/annotator/markuprecord/": ("q", "state__exact"),
    "/admin/accounts/auditentry/": ("q", "action", "_facets", "all"),
}
ADDRESSES = (
    *("/markups/%s/comparison/", "/essays/%s/accuracy/", "/compare/?left=%s&right=1"),
    *("/compare/%s/1/csv/", "/compare/1/%s/json/"),
    *("/essays/%s/", "/desk/essays/%s/", "/compare/%s/1/", "/compare/1/%s/", "/markups/%s/"),
    *("/people/%s/", "/admin/annotator/essay/%s/change/", "/admin/r/%s/%s/"),
)
METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "POST")
POSTED = ("/desk/essays/%s/assign/", "/desk/assignments/%s/withdraw/")


def queries(world: World) -> Sent:
    """Query strings of pages: whole ones, and every text in every field that is read."""
    administrator = world.visitors["administrator"]
    comparison = f"/compare/{world.expert.pk}/{world.algorithm.pk}/"
    pages = ("/desk/", "/people/", "/scores/", "/account/", "/import/", comparison)
    for path in (*pages, "/queue/", "/training/", *admin_pages()):
        for query in world.dealt(QUERIES):
            yield Case(path, "query", query), _who(world, path).get(f"{path}?{query.value}")
    for path, names in {**FIELDS, comparison: ("kind", "code")}.items():
        for name in names:
            for text in world.dealt(TEXTS if name in ("q", "set") else FEW):
                address = f"{path}?{name}={coded_text(text.value)[:7000]}"
                yield Case(path, name, text), administrator.get(address)
            for number in world.dealt(NUMBERS):
                yield Case(path, name, number), administrator.get(f"{path}?{name}={number.value}")


def addresses(world: World) -> Sent:
    """Numbers and texts where the address of a page wants a number."""
    administrator = world.visitors["administrator"]
    for pattern in ADDRESSES:
        for text in world.dealt((*NUMBERS, *FEW)):
            coded = text.value if text in NUMBERS else coded_text(text.value)[:3000]
            yield Case(pattern, "address", text), administrator.get(pattern.replace("%s", coded))
    for text in world.dealt((*NUMBERS, *FEW)):
        coded = text.value if text in NUMBERS else coded_text(text.value)[:3000]
        for pattern in POSTED:
            path = pattern.replace("%s", coded)
            yield Case(pattern, "address", text), administrator.post(path)
        fields = {"role": "first", "expert": text.value}
        path = f"/desk/essays/{world.essay.pk}/assign/"
        yield Case("assign", "expert", text), administrator.post(path, fields)
        fields = {"role": text.value, "expert": "1"}
        yield Case("assign", "role", text), administrator.post(path, fields)
        unknown = world.stranger.get(f"/{coded or 'x'}")
        yield Case("nowhere", "address", text), unknown


def headers(world: World) -> Sent:
    """Every header, at a page and at the API, when read and when written."""
    api = f"/api/essays/{world.essay.pk}/markups/"
    for door, send in {
        "GET page": partial(world.visitors["expert"].get, "/queue/?a=b"),
        "GET api": partial(world.participant.get, "/api/essays/?a=b"),
        "POST api": partial(world.participant.send_body, api, b'{"selections": []}', JSON),
    }.items():
        for header in world.dealt(HEADERS):
            name, value = header.value
            yield Case(door, name, header), send(**{name: value})


def methods(world: World) -> Sent:
    """Methods nobody expects, at every page."""
    for path in world.pages():
        for method in world.dealt(METHODS):
            for body in (b"", b"\xff"):
                answer = _who(world, path).send(method, path, body)
                yield Case(path, "method", Input(method, "", body)), answer


def _who(world: World, path: str) -> Visitor:
    roles = {"/queue/": "expert", "/training/": "participant"}
    return world.visitors[roles.get(path, "administrator")]
