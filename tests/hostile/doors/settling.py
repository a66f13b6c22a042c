"""The doors of the third expert's desk: take, say why; and those who reopen a check."""

from __future__ import annotations

from typing import Any

from tests.hostile.corpus.forms import RAW_FORMS
from tests.hostile.corpus.queries import NUMBERS
from tests.hostile.corpus.texts import FEW, TEXTS
from tests.hostile.doors.sending import Sent
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer
from tests.hostile.world import World

SAVED = frozenset({200})
PROBLEMS = frozenset({422})
CLOSED = frozenset({409, 422})
LONGEST_REASON = 500


def reasons(world: World) -> Sent:
    """Every text as the reason of a decision, and as that of a reopening."""
    for text in world.dealt(TEXTS):
        fine = "\0" not in text.value and len(text.value.strip()) <= LONGEST_REASON
        answer = post(world, "reasons", fragments=world.source, reason=text.value)
        yield Case("reasons", "reason", text, SAVED if fine else PROBLEMS), answer
        path = f"/desk/assignments/{world.waiting.pk}/reopen/"
        refused = world.visitors["coordinator"].post(path, {"reason": text.value})
        yield Case("reopen", "reason", text, PROBLEMS), refused


def numbers_of_fragments(world: World) -> Sent:
    """Texts and numbers no row has, where fragments, versions and addresses stand."""
    for text in world.dealt((*FEW, *NUMBERS)):
        doors = (("take", "sources"), ("neither", "fragments"), ("reasons", "fragments"))
        for name, field in doors:
            answer = post(world, name, **{field: f"{text.value} {world.source}0"})
            yield Case(name, field, text, CLOSED), answer
            stale = post(world, name, **{field: world.source, "version": f"{text.value} "})
            yield Case(name, "version", text, CLOSED), stale
    for number in world.dealt(NUMBERS):
        for pattern in ("/markups/%s/taken/", "/markups/%s/settled/"):
            path = pattern.replace("%s", number.value)
            yield Case(pattern, "number", number), world.visitors["expert"].get(path)
        for pattern in ("/markups/%s/take/", "/markups/%s/neither/", "/markups/%s/reasons/"):
            path = pattern.replace("%s", number.value)
            yield Case(pattern, "number", number), world.visitors["expert"].post(path)
        path = f"/desk/assignments/{number.value}/reopen/"
        answer = world.visitors["coordinator"].post(path, {"reason": "x"})
        yield Case("reopen", "number", number), answer


def raw_forms(world: World) -> Sent:
    """Bodies no browser sends, to every form of the desk."""
    for form in world.dealt(RAW_FORMS):
        content_type, body = form.value
        for name in ("take", "neither", "reasons"):
            path = f"/markups/{world.third.pk}/{name}/"
            answer = world.visitors["expert"].send_body(path, body, content_type)
            yield Case(name, "body", form), answer
        path = f"/desk/assignments/{world.waiting.pk}/reopen/"
        answer = world.visitors["coordinator"].send_body(path, body, content_type)
        yield Case("reopen", "body", form), answer


def post(world: World, name: str, **fields: Any) -> Answer:
    sound = {"version": world.version(world.third), "sources": world.source}
    path = f"/markups/{world.third.pk}/{name}/"
    return world.visitors["expert"].post(path, {**sound, **fields})
