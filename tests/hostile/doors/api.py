"""The doors of the API: a markup is sent, a key is asked for, lists are filtered."""

from __future__ import annotations

import json
import re
from typing import Any

from annotator.models import FragmentRecord
from tests.factories import TEXT
from tests.hostile.corpus import values as json_values
from tests.hostile.corpus.bodies import BODIES, JSON
from tests.hostile.corpus.inputs import Input
from tests.hostile.corpus.queries import NUMBERS, QUERIES
from tests.hostile.corpus.texts import FEW, TEXTS, is_unsound, misleads
from tests.hostile.corpus.values import FINE_SPANS, NOT_JSON, SPANS, VALUES
from tests.hostile.doors.sending import Sent
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer, coded_text
from tests.hostile.world import World

OK = frozenset({200, 201})
BAD = frozenset({400})
PROBLEMS = frozenset({422})
EITHER = frozenset({400, 422})

NEEDED = {"type": '"А.грамм"', "startSelection": "0", "endSelection": "4"}
MARK = ", ".join(f'"{name}": {value}' for name, value in NEEDED.items())


def _with(name: str) -> str:
    """A submission of one fragment, with the slot as the value of ``name``."""
    fields = ", ".join(f'"{key}": {value}' for key, value in {**NEEDED, name: "SLOT"}.items())
    return f'{{"selections": [{{{fields}}}]}}'


SLOTS = {
    "": "SLOT",
    "selections": '{"selections": SLOT}',
    "selections[0]": '{"selections": [SLOT]}',
    "selections[1]": f'{{"selections": [{{{MARK}}}, SLOT]}}',
    "selections[0].startSelection": _with("startSelection"),
    "selections[0].endSelection": _with("endSelection"),
    "selections[0].id": _with("id"),
    "selections[0].type": _with("type"),
    "selections[0].group": _with("group"),
    "selections[0].subtype": _with("subtype"),
    "selections[0].tag": _with("tag"),
    "selections[0].comment": _with("comment"),
    "selections[0].explanation": _with("explanation"),
    "selections[0].correction": _with("correction"),
    "text": '{"selections": [], "text": SLOT}',
    "criteria": '{"selections": [], "criteria": SLOT}',
    "criteria.K1": '{"selections": [], "criteria": {"K1": SLOT}}',
    "fileName": '{"selections": [], "fileName": SLOT}',
    "meta": '{"selections": [], "meta": SLOT}',
    "meta.year": '{"selections": [], "meta": {"year": SLOT}}',
    "meta.subject": '{"selections": [], "meta": {"subject": SLOT}}',
    "meta.theme": '{"selections": [], "meta": {"theme": SLOT}}',
    "selections[0].unknown": _with("unknown"),
}
"""Path of a value -> a submission in which it is replaced."""
BOUNDS = re.compile(r"\.(start|end)Selection$")
"""A bound can be wrong beside the other one: then the fragment is named."""

OBJECTS = {
    *{"object", "object-of-null", "object-of-object", "object-with-proto"},
    *{"object-with-class", "object-with-operator", "object-like-list"},
}
ANY = {value.name for value in VALUES} - NOT_JSON
TEXT_LIKE = json_values.NULLS | json_values.SMALL_INTEGERS | json_values.SOUND_STRINGS
EMPTY_TEXT = json_values.NULLS | {"string-empty"}
TAKEN_AS_NUMBER = {
    *json_values.SMALL_INTEGERS,
    *{"zero-float", "float-whole", "float-power", "float-tiny"},
    *{"string-zero", "string-four", "string-negative"},
}
FINE_AT = {
    "": set(),
    "selections": {"list"},
    "selections[0]": {"nothing"},
    "selections[1]": set(),
    "selections[0].startSelection": {
        *{"zero", "zero-negative", "zero-float", "one", "float-whole", "float-power"},
        *{"float-tiny", "string-zero"},
    },
    "selections[0].endSelection": {
        *{"zero", "zero-negative", "zero-float", "float-tiny", "string-zero"},
        *{"one", "float-whole", "float-power", "string-four"},
    },
    "selections[0].id": TAKEN_AS_NUMBER | json_values.NULLS,
    "selections[0].type": set(),
    "selections[0].group": EMPTY_TEXT,
    "selections[0].subtype": EMPTY_TEXT,
    "selections[0].tag": TEXT_LIKE
    - {"string-of-brackets", "string-of-brackets-escaped", "string-5000-digits"},
    "selections[0].comment": TEXT_LIKE,
    "selections[0].explanation": TEXT_LIKE,
    "selections[0].correction": TEXT_LIKE,
    "text": set(),
    "criteria": {
        *{"null", "list"},
        *OBJECTS,
        *{"list-of-list", "list-of-null", "list-of-number", "list-of-object", "pair"},
    },
    "criteria.K1": {
        *TAKEN_AS_NUMBER,
        *EMPTY_TEXT,
        *{"float", "string-float", "list", "list-of-null", "list-of-number", "pair"},
    },
    "fileName": TEXT_LIKE,
    "meta": json_values.NULLS | OBJECTS,
    "meta.year": TAKEN_AS_NUMBER | EMPTY_TEXT,
    "meta.subject": EMPTY_TEXT,
    "meta.theme": TEXT_LIKE,
    "selections[0].unknown": ANY,
}
"""Path -> the values that are in fact right there."""


def values(world: World) -> Sent:
    """Every JSON value in every place of a submission."""
    for path, body in SLOTS.items():
        for value in world.dealt(VALUES):
            expected = _expected(path, value)
            place = BOUNDS.sub("", path)
            case = Case("POST markup", path or "body", value, expected, place)
            yield case, send_markup(world, body.replace("SLOT", value.value).encode())


def _expected(path: str, value: Input[str]) -> frozenset[int]:
    if value.name in FINE_AT[path]:
        return OK
    is_unsaid = value.name in NOT_JSON or not path  # objects have fields nobody knows
    return EITHER if is_unsaid else PROBLEMS


def spans(world: World) -> Sent:
    """Pairs of offsets."""
    for span in SPANS:
        start, end = (_offset(bound) for bound in span.value)
        fields = f'"type": "А.грамм", "startSelection": {start}, "endSelection": {end}'
        expected = OK if span.name in FINE_SPANS else EITHER
        case = Case("POST markup", "span", span, expected, "selections[0]")
        yield case, send_markup(world, f'{{"selections": [{{{fields}}}]}}'.encode())


def _offset(bound: str) -> str:
    name, sign, more = bound.partition("+" if "+" in bound else "-")
    if name != "LENGTH":
        return bound
    return str(len(TEXT) + int(f"{sign}{more}" if more else 0))


def bodies(world: World) -> Sent:
    """Whole bodies, whatever they claim to be."""
    for body in world.dealt_widely(BODIES):
        sent = body.value
        expected = frozenset({sent.status}) if sent.status else OK | EITHER | {413, 415}
        headers = {"Content-Type": sent.content_type, **sent.headers}
        case = Case("POST markup", "body", body, expected)
        yield case, world.participant.send("POST", markups_of(world), sent.data, **headers)


def texts(world: World) -> Sent:
    """Every text in every field of a fragment that takes one, and as a key."""
    for text in world.dealt_widely(TEXTS):
        for place, field in (("free", "comment"), ("tag", "tag")):
            yield _in_fragment(world, text, place, field)
    for text in world.dealt(FEW):
        for field in ("type", "subtype", "group"):
            yield _in_closed_field(world, text, field)
        yield from _as_keys(world, text)


def _in_fragment(world: World, text: Input[str], place: str, field: str) -> tuple[Case, Answer]:
    value = text.value
    names = ["tag"] if place == "tag" else ["comment", "explanation", "correction"]
    sent = {"type": "А.грамм", "startSelection": 0, "endSelection": 4}
    sent |= dict.fromkeys(names, value)
    expected = OK
    if is_unsound(value):
        expected = BAD
    elif place == "tag" and (misleads(value) or len(value) > 60):
        expected = PROBLEMS
    answer = send_markup(world, as_json({"selections": [sent]}))
    if answer.status in OK:
        row = FragmentRecord.objects.order_by("pk").last()
        kept = {name: getattr(row, name) for name in names}
        assert kept == dict.fromkeys(names, value), f"{text} is kept otherwise"
    path = "selections[0]" if is_unsound(value) else f"selections[0].{field}"
    return Case("POST markup", place, text, expected, path), answer


def _in_closed_field(world: World, text: Input[str], field: str) -> tuple[Case, Answer]:
    sent = {"type": "А.грамм", "startSelection": 0, "endSelection": 4, field: text.value}
    expected = BAD if is_unsound(text.value) else PROBLEMS
    if field != "type" and text.value == "":
        expected = OK
    case = Case("POST markup", field, text, expected, f"selections[0].{field}")
    return case, send_markup(world, as_json({"selections": [sent]}))


def _as_keys(world: World, text: Input[str]) -> Sent:
    unsound = is_unsound(text.value)
    bodies: dict[str, Any] = {
        "key": {"selections": [], text.value: 1},
        "key of criteria": {"selections": [], "criteria": {text.value: 1}},
        "text": {"selections": [], "text": text.value},
        "points": {"selections": [], "criteria": {"K1": text.value}},
    }
    for place, body in bodies.items():
        is_blank = not text.value.strip("\ufeff \n")
        fine = place == "key of criteria" or (place == "points" and is_blank)
        refused = BAD if unsound or place == "key" else PROBLEMS
        case = Case("POST markup", place, text, OK if fine and not unsound else refused)
        yield case, send_markup(world, as_json(body))


def keys(world: World) -> Sent:
    """POST /api/keys/, by a stranger."""
    sound = {"username": "participant", "password": "x", "name": "x"}
    for field in sound:
        for text in world.dealt(TEXTS if field == "name" else FEW):
            body = as_json({**sound, field: text.value})
            expected = EITHER | {401}
            if is_unsound(text.value) or (field == "name" and misleads(text.value)):
                expected = BAD
            yield Case("POST keys", field, text, expected), ask_key(world, body)
        for value in world.dealt(VALUES):
            fields = {**dict.fromkeys(sound, '"x"'), field: value.value}
            body = ", ".join(f'"{name}": {given}' for name, given in fields.items())
            case = Case("POST keys", field, value, EITHER | {401})
            yield case, ask_key(world, f"{{{body}}}".encode())
    for value in world.dealt(VALUES):
        yield Case("POST keys", "body", value, BAD), ask_key(world, value.value.encode())
    for body in world.dealt(BODIES):
        headers = {"Content-Type": body.value.content_type, **body.value.headers}
        answer = world.stranger.send("POST", "/api/keys/", body.value.data, **headers)
        yield Case("POST keys", "body", body, frozenset({400, 413, 415})), answer


def filters(world: World) -> Sent:
    """Filters and pages of lists, numbers of addresses."""
    lists = ["/api/essays/", "/api/scores/", "/api/schema/", f"/api/markups/{world.expert.pk}/"]
    for query in QUERIES:
        for path in lists:
            yield Case(path, "query", query), world.participant.get(f"{path}?{query.value}")
    for name in ("set", "subject", "number", "limit", "offset", "nobody", "format"):
        for text in world.dealt(TEXTS if name == "set" else FEW):
            address = f"/api/essays/?{name}={coded_text(text.value)[:7000]}"
            yield Case("/api/essays/", name, text), world.participant.get(address)
        for number in world.dealt(NUMBERS):
            address = f"/api/essays/?{name}={number.value}"
            yield Case("/api/essays/", name, number), world.participant.get(address)
    for number in NUMBERS:
        for path in (
            *("/api/essays/%s/", "/api/essays/%s/markups/", "/api/markups/%s/"),
            *("/api/markups/%s/scores/", "/api/comparisons/%s/1/", "/api/comparisons/1/%s/"),
        ):
            answer = world.participant.get(path.replace("%s", number.value))
            yield Case(path, "number", number), answer
        posted = world.participant.send_body(f"/api/essays/{number.value}/markups/", b"{}", JSON)
        yield Case("POST /api/essays/%s/markups/", "number", number), posted


def methods(world: World) -> Sent:
    """Methods nobody expects, at every address of the API."""
    for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW", ""):
        for path in [*world.lists(), "/api/keys/", markups_of(world)]:
            for body in (b"", b'{"selections": []}', b"\xff"):
                headers = {"Content-Type": JSON}
                answer = world.participant.send(method, path, body, **headers)
                yield Case(path, "method", Input(method or "none", "", body)), answer


def markups_of(world: World) -> str:
    return f"/api/essays/{world.essay.pk}/markups/"


def send_markup(world: World, body: bytes) -> Answer:
    return world.participant.send_body(markups_of(world), body, JSON)


def ask_key(world: World, body: bytes) -> Answer:
    return world.stranger.send_body("/api/keys/", body, JSON)


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()
