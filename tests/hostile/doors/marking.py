"""The doors of the marking screen: create, change, delete, submit, begin, hand back."""

from __future__ import annotations

import uuid
from typing import Any

from annotator.models import Assignment, FragmentRecord
from tests.hostile.corpus.forms import RAW_FORMS
from tests.hostile.corpus.inputs import Input
from tests.hostile.corpus.queries import NUMBERS
from tests.hostile.corpus.texts import FEW, TEXTS, is_unsound, misleads
from tests.hostile.doors.sending import Sent, decoded
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer
from tests.hostile.world import World

SAVED = frozenset({200})
PROBLEMS = frozenset({422})
CLOSED = frozenset({409, 422})
LED_BACK = frozenset({302})
"""Whoever submits from a page that is out of date is shown the check as it is."""
FREE = ("correction", "comment", "explanation")


def texts_of_change(world: World) -> Sent:
    """Every text in every field of the form, over a fragment that is there."""
    for text in world.dealt(TEXTS):
        yield _free(world, text)
        yield _tag(world, text)
    for text in world.dealt(FEW):
        for field in ("code", "subcode", "quote", "uid"):
            blank = not text.value.strip()
            fine = blank and field in ("subcode", "uid") and "\0" not in text.value
            expected = SAVED if fine else PROBLEMS
            yield Case("change", field, text, expected), change(world, **{field: text.value})
        for field in ("version", "start", "end"):
            yield Case("change", field, text, CLOSED), change(world, **{field: text.value})


def _free(world: World, text: Input[str]) -> tuple[Case, Answer]:
    value = text.value
    fine = "\0" not in value and len(value.strip()) <= 2000
    answer = change(world, **dict.fromkeys(FREE, value))
    if answer.status == 200 and not is_unsound(value):
        row = FragmentRecord.objects.get(pk=world.row)
        kept = [getattr(row, name) for name in FREE]
        assert kept == [value.strip()] * 3, f"{text} is kept otherwise"
    return Case("change", "free", text, SAVED if fine else PROBLEMS), answer


def _tag(world: World, text: Input[str]) -> tuple[Case, Answer]:
    value = decoded(text.value.strip())
    fine = not misleads(value) and len(value) <= 60
    return Case("change", "tag", text, SAVED if fine else PROBLEMS), change(world, tag=text.value)


def numbers_of_change(world: World) -> Sent:
    """Numbers that no column holds, where offsets, versions and addresses stand."""
    for number in world.dealt(NUMBERS):
        for field in ("version", "start", "end"):
            yield Case("change", field, number), change(world, **{field: number.value})
        for pattern in (
            *("/markups/%s/", "/markups/%s/json/", "/markups/%s/text/"),
            f"/markups/{world.draft.pk}/fragments/%s/",
        ):
            path = pattern.replace("%s", number.value)
            yield Case(pattern, "number", number), world.visitors["expert"].get(path)
        for pattern in (
            *("/assignments/%s/begin/", "/assignments/%s/return/", "/markups/%s/submit/"),
            *("/markups/%s/fragments/", f"/markups/{world.draft.pk}/fragments/%s/drop/"),
        ):
            path = pattern.replace("%s", number.value)
            yield Case(pattern, "number", number), world.visitors["expert"].post(path)


def creation(world: World) -> Sent:
    """Every text in a new fragment, which is deleted again; texts in place of versions."""
    for text in world.dealt(FEW):
        answer = create(world, comment=text.value)
        fine = "\0" not in text.value and len(text.value.strip()) <= 2000
        yield Case("create", "comment", text, SAVED if fine else PROBLEMS), answer
        made = FragmentRecord.objects.filter(markup=world.draft).exclude(pk=world.row).first()
        if made:
            path = f"/markups/{world.draft.pk}/fragments/{made.pk}/drop/"
            refused = world.visitors["expert"].post(path, {"version": text.value})
            yield Case("delete", "version", text, CLOSED), refused
            deleted = world.visitors["expert"].post(path, {"version": world.version()})
            yield Case("delete", "made with", text, SAVED), deleted
    for text in world.dealt((*FEW, *NUMBERS)):
        path = f"/markups/{world.draft.pk}/submit/"
        answer = world.visitors["expert"].post(path, {"version": f"{text.value} "})
        yield Case("submit", "version", text, CLOSED | LED_BACK), answer


def returning(world: World) -> Sent:
    """Every text as the reason for which an essay is handed back."""
    for text in world.dealt(TEXTS):
        path = f"/assignments/{world.waiting.pk}/return/"
        answer = world.visitors["expert"].post(path, {"reason": text.value})
        yield Case("hand back", "reason", text, frozenset({302})), answer
        Assignment.objects.filter(pk=world.waiting.pk).update(state=Assignment.State.WAITING)


def raw_forms(world: World) -> Sent:
    """Bodies no browser sends, to every form of the screen, as a page and as a part of one."""
    doors = {
        "create": f"/markups/{world.draft.pk}/fragments/",
        "change": f"/markups/{world.draft.pk}/fragments/{world.row}/",
        "delete": f"/markups/{world.draft.pk}/fragments/{world.row}/drop/",
        "submit": f"/markups/{world.draft.pk}/submit/",
        "hand back": f"/assignments/{world.waiting.pk}/return/",
    }
    for form in world.dealt(RAW_FORMS):
        content_type, body = form.value
        for door, path in doors.items():
            headers = {"HX-Request": "true"} if door == "change" else {}
            answer = world.visitors["expert"].send_body(path, body, content_type, **headers)
            yield Case(door, "body", form), answer
        Assignment.objects.filter(pk=world.waiting.pk).update(state=Assignment.State.WAITING)


def change(world: World, **fields: Any) -> Answer:
    path = f"/markups/{world.draft.pk}/fragments/{world.row}/"
    return world.visitors["expert"].post(path, _form(world, fields))


def create(world: World, **fields: Any) -> Answer:
    path = f"/markups/{world.draft.pk}/fragments/"
    return world.visitors["expert"].post(path, _form(world, {"uid": uuid.uuid4(), **fields}))


def _form(world: World, fields: dict[str, Any]) -> dict[str, Any]:
    sound = {"version": world.version(), "code": "А.грамм", "start": 0, "end": 4, "quote": "Some"}
    return {**sound, **fields}
