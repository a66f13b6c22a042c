"""The doors of the schemes: forms and files of a run, tools, tables, orders by programs."""

from __future__ import annotations

import json

from accounts.models import User
from schemes.adapters import SCHEMES
from tests.hostile.corpus.bodies import BODIES, JSON
from tests.hostile.corpus.files import ESSAYS
from tests.hostile.corpus.forms import RAW_FORMS
from tests.hostile.corpus.queries import NUMBERS, QUERIES
from tests.hostile.corpus.texts import FEW, TEXTS
from tests.hostile.corpus.values import VALUES
from tests.hostile.doors.sending import MULTIPART, Sent, with_files
from tests.hostile.verdicts import Case
from tests.hostile.visitor import coded_text
from tests.hostile.world import World
from tests.schemes.inputs import INPUTS, form_of, scored

ORDERED = frozenset({302, 422})
SHOWN = frozenset({200})
ADDRESSES = ("/schemes/%s/", "/schemes/runs/%s/", "/schemes/keys/%s/", "/schemes/use/tools/%s/")
REFUSED_BY_API = frozenset({400, 413, 415, 422, 429})


def forms(world: World) -> Sent:
    """Every text in every field of a run and of a stored key."""
    visitor = world.visitors["participant"]
    for slug in SCHEMES:
        form = form_of(slug)
        for field in (*form, "name", "stored_key"):
            for text in world.dealt(TEXTS if field in INPUTS[slug]() else FEW):
                answer = visitor.post(f"/schemes/{slug}/", {**form, field: text.value})
                yield Case(f"run of {slug}", field, text, ORDERED), answer
        for field in ("name", "content", "offered"):
            for text in world.dealt(FEW):
                fields = {"name": "Mine", "content": "x", field: text.value}
                answer = visitor.post(f"/schemes/{slug}/keys/", fields)
                yield Case(f"key of {slug}", field, text, ORDERED), answer


def tools(world: World) -> Sent:
    """Every text in every field of every tool."""
    for slug, scheme in SCHEMES.items():
        for name, tool in scheme.tools.items():
            path = f"/schemes/{slug}/tools/{name}/"
            for field in tool.form.base_fields:
                for text in world.dealt(TEXTS):
                    fields = {**form_of(slug), field: text.value}
                    answer = world.visitors["participant"].post(path, fields)
                    yield Case(path, field, text, SHOWN), answer


def files(world: World) -> Sent:
    """Files that are none in place of every source, and forms that are none."""
    visitor = world.visitors["participant"]
    for slug in SCHEMES:
        form = form_of(slug)
        for source in INPUTS[slug]():
            fields = {name: str(value) for name, value in form.items() if name != source}
            for essay in world.dealt(ESSAYS):
                name, data = essay.value
                body = with_files(fields, [(f"{source}_file", name, data)])
                answer = visitor.send_body(f"/schemes/{slug}/", body, MULTIPART)
                yield Case(f"run of {slug}", f"{source}_file", essay, ORDERED | {400}), answer
        for raw in world.dealt(RAW_FORMS):
            content_type, body = raw.value
            answer = visitor.send_body(f"/schemes/{slug}/", body, content_type)
            yield Case(f"run of {slug}", "body", raw), answer


def orders(world: World) -> Sent:
    """Bodies, values and texts where a program orders a run or stores a key."""
    api = world.participant
    for path in ("/api/schemes/use/runs/", "/api/schemes/keys/"):
        for body in world.dealt(BODIES):
            headers = {"Content-Type": body.value.content_type, **body.value.headers}
            answer = api.send("POST", path, body.value.data, **headers)
            yield Case(f"POST {path}", "body", body, REFUSED_BY_API), answer
    for slug in SCHEMES:
        sources = INPUTS[slug]()
        for field in ("inputs", "options", "stored_key", "name"):
            for value in world.dealt(VALUES):
                sound = json.dumps({"inputs": sources})[:-1]
                sent = f'{sound}, "{field}": {value.value}}}'.encode()
                answer = api.send_body(f"/api/schemes/{slug}/runs/", sent, JSON)
                yield Case(f"POST run of {slug}", field, value), answer
        for source in sources:
            for text in world.dealt(TEXTS):
                sent = json.dumps({"inputs": {**sources, source: text.value}}).encode()
                answer = api.send_body(f"/api/schemes/{slug}/runs/", sent, JSON)
                yield Case(f"POST run of {slug}", source, text), answer


def tables(world: World) -> Sent:
    """Queries of a run's table."""
    run = scored(User.objects.get(username="expert"), "use")  # the participant has its fill
    visitor = world.visitors["expert"]
    for pattern in ("/schemes/runs/%s/", "/schemes/runs/%s/csv/", "/api/schemes/runs/%s/items/"):
        path = pattern.replace("%s", str(run.uuid))
        for query in world.dealt(QUERIES):
            yield Case(pattern, "query", query), visitor.get(f"{path}?{query.value}")
        for name in ("verdict", "group", "q", "page"):
            for text in world.dealt((*FEW, *NUMBERS)):
                coded = text.value if text in NUMBERS else coded_text(text.value)[:3000]
                yield Case(pattern, name, text), visitor.get(f"{path}?{name}={coded}")


def addresses(world: World) -> Sent:
    """Texts and numbers where an address wants the name of a scheme, a run, a key, a tool."""
    for pattern in ADDRESSES:
        for text in world.dealt((*FEW, *NUMBERS)):
            coded = text.value if text in NUMBERS else coded_text(text.value)[:3000]
            answer = world.visitors["participant"].get(pattern.replace("%s", coded))
            yield Case(pattern, "address", text), answer
