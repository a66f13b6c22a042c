"""The doors of accounts: login, forgotten password, people one by one and as a list, keys."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.hostile.corpus.files import HEAD, PEOPLE
from tests.hostile.corpus.forms import RAW_FORMS
from tests.hostile.corpus.inputs import Input
from tests.hostile.corpus.queries import NUMBERS
from tests.hostile.corpus.texts import FEW, TEXTS, is_composed, misleads
from tests.hostile.doors.sending import MULTIPART, Sent, decoded, with_files
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer, coded_text
from tests.hostile.world import World

SHOWN_AGAIN = frozenset({200, 422})
COLUMNS = HEAD.strip().split(",")
CHOSEN = ("role", "subjects")


def login(world: World) -> Sent:
    """Every text as a name, a password, a place to go to; and as a mail address forgotten."""
    for text in world.dealt(TEXTS):
        for field in ("username", "next"):
            yield Case("login", field, text), _log_in(world, field, text)
        asked = world.stranger.post("/forgotten/", {"email": text.value})
        yield Case("forgotten", "email", text, frozenset({200})), asked
        address = f"/login/?next={coded_text(text.value)[:7000]}"
        yield Case("login", "query", text), world.stranger.get(address)
    for text in world.dealt(FEW):
        for field in ("password", "csrfmiddlewaretoken"):
            yield Case("login", field, text), _log_in(world, field, text)
        known = {"username": "participant", "password": "right", "next": text.value}
        yield Case("login", "next of known", text), world.stranger.post("/login/", known)
        path = coded_text(text.value)[:200].replace("%2F", "") or "x"
        yield Case("invitation", "uid", text), world.stranger.get(f"/invitation/{path}/x-y/")
        yield Case("invitation", "token", text), world.stranger.get(f"/invitation/MQ/{path}/")
    for form in world.dealt(RAW_FORMS):
        content_type, body = form.value
        for path in ("/login/", "/forgotten/", "/logout/", "/language/"):
            answer = world.stranger.send_body(path, body, content_type)
            yield Case(path, "body", form), answer


def _log_in(world: World, field: str, text: Input[str]) -> Answer:
    form = {"username": f"nobody {field}", "password": "x", field: text.value}
    return world.stranger.post("/login/", form)


def settings(world: World) -> Sent:
    """Every text as a language, as the name of a key, as a password."""
    visitor = world.visitors["expert"]
    for text in world.dealt(TEXTS):
        form = {"language": "ru", "next": text.value}
        yield Case("language", "next", text), visitor.post("/language/", form)
        named = visitor.post("/account/", {"name": text.value})
        fine = _is_name(text.value, 60) and decoded(text.value).strip()
        yield Case("account", "name", text, SHOWN_AGAIN, warns=not fine), named
    for text in world.dealt(FEW):
        form = {"language": text.value, "next": "/"}
        yield Case("language", "language", text), visitor.post("/language/", form)
        form = dict.fromkeys(("old_password", "new_password1", "new_password2"), text.value)
        yield Case("password", "all", text, SHOWN_AGAIN), visitor.post("/account/password/", form)
    for number in world.dealt(NUMBERS):
        for pattern in ("/account/keys/%s/drop/", "/people/%s/invite/", "/people/%s/activity/"):
            path = pattern.replace("%s", number.value)
            yield Case(pattern, "number", number), world.visitors["coordinator"].post(path)


def person(world: World) -> Sent:
    """Every text in every field of the form of a person, new and known."""
    coordinator = world.visitors["coordinator"]
    for field in ("username", "full_name", "email", "role", "school", "subjects"):
        texts = TEXTS if field in ("username", "full_name", "email") else FEW
        for number, text in enumerate(world.dealt(texts)):
            form = _sound_person(f"{field}-{number}")
            answer = coordinator.post("/people/new/", {**form, field: text.value})
            if field == "username" and text.name in ALIKE:
                yield Case("new person", field, text), answer
                continue
            warns = not _fits(field, text)
            expected = frozenset({200, 422} if warns else {302})
            yield Case("new person", field, text, expected, warns=warns), answer
    for number in world.dealt(NUMBERS):
        answer = coordinator.get(f"/people/{number.value}/")
        yield Case("/people/%s/", "number", number), answer
    for form in world.dealt(RAW_FORMS):
        content_type, body = form.value
        for path in ("/people/new/", "/people/import/", "/account/", "/account/password/"):
            answer = coordinator.send_body(path, body, content_type)
            yield Case(path, "body", form), answer


def _sound_person(name: str) -> dict[str, Any]:
    return {"username": name, "full_name": "Имя", "role": "expert", "subjects": ["eng"]}


def _fits(field: str, text: Input[str]) -> bool:
    """What the account of a person may hold; stripped, as forms do."""
    value = decoded(text.value).strip()
    if field in ("full_name", "school"):
        return _is_name(value, 150)
    if field == "email":
        return value == ""
    if field in ("role", "subjects"):
        return field == "role" and value in ("expert",)
    # a login: letters, digits and @.+-_ once it is in Django's own form
    return text.name in LOGINS


ALIKE = {"bold", "full-width-letters"}
"""One login in Django's own form: the first of them that comes takes it."""
LOGINS = {
    *("null-word", "none-word", "nan-word", "true-word", "csv-plus", "csv-minus"),
    *("spaces", "composed", "case-growing", "dotless", "kelvin", "bold", "look-alike"),
    *("60-letters", "61-letters", "61-with-spaces", "81-letters", "jamo"),
}
"""Texts that are logins: letters of any script, in Django's normal form."""


def _is_name(text: str, most: int) -> bool:
    value = decoded(text).strip()
    lines = any(sign in value for sign in "\t\n\r\x85\u2028\u2029") or any(
        "\x80" <= sign <= "\x9f" for sign in value
    )
    return len(value) <= most and is_composed(value) and not misleads(value) and not lines


def lists(world: World) -> Sent:
    """Lists of people: broken ones, and every text in every column."""
    for file in PEOPLE:
        yield Case("list of people", "file", file, SHOWN_AGAIN), send_list(world, file.value)
    for column in COLUMNS:
        for number, text in enumerate(world.dealt(FEW if column in CHOSEN else TEXTS)):
            row = {"login": f"row-{column}-{number}", column: decoded(text.value)}
            case = Case("list of people", column, text, SHOWN_AGAIN)
            yield case, send_list(world, _written(row))


def _written(row: dict[str, str]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, restval="")
    writer.writeheader()
    writer.writerow(row)
    return out.getvalue().encode()


def send_list(world: World, data: bytes) -> Answer:
    body = with_files({}, [("file", "people.csv", data)])
    return world.visitors["coordinator"].send_body("/people/import/", body, MULTIPART)
