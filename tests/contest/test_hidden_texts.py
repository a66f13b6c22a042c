"""What somebody reads depends on no text that is hidden from him.

Every route is asked twice, in two worlds that differ in nothing but the texts he may not read; then
programs guess at them, nearly right in one world and quite wrong in the other.
"""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client as Visitor
from django.urls import reverse

from annotator.access import essays_seen_by
from annotator.models import Essay, MarkupRecord
from contest.pages.logs import log_of
from tests.accounts.world import make_world
from tests.contest.markup_world import (
    archive_of,
    held_of,
    markups_contest,
    sent_by,
    team_of,
    work_off,
)
from tests.contest.test_unopened_files import asked_for, by_the_clock, last_of, waiting_final
from tests.contest.world import answer
from tests.factories import PersonFactory
from tests.test_access import ROWS, VISITORS, cookie_of

pytestmark = pytest.mark.django_db

WHO = ["anon", "part", "expe"]
CHANGING = re.compile(
    rb"[A-Za-z0-9]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # tokens, names of changes
    rb"|\"seconds_left\":[\d.]+"  # what is left of a session
    rb"|\d\d:\d\d(?::\d\d(?:\.\d+)?)?|nonce-[\w=+/-]+|nonce=\"[^\"]+\""
)
"""What differs between any two answers."""


@pytest.fixture(scope="module")
def visitors(module_rows):  # noqa: ARG001 - the people are rows of the module
    people = {"part": "participant", "expe": "expert", "part2": "participant", "expe2": "expert"}
    made = {name: PersonFactory(role=role) for name, role in people.items()}
    return {"anon": None, **made}


@pytest.fixture(scope="module")
def world(visitors):
    return make_world(visitors["expe"], visitors["part"])


def walked(world, visitor, column, rows=ROWS):
    """What each route answers somebody: its state, its headers that could tell, its words."""
    told, cookie = {}, visitor and cookie_of(visitor)
    for route, method, thing, *cells in rows:
        if route.startswith("admin:") or (method != "GET" and cells[column] == "302"):
            continue
        browser = Visitor(raise_request_exception=False)
        if cookie:
            browser.cookies[settings.SESSION_COOKIE_NAME] = cookie
        is_api = route.startswith("api:") and method != "GET"
        options = {"content_type": "application/json"} if is_api else {}
        body = world.bodies.get(route, {}) if method == "POST" else {}
        with transaction.atomic():
            address = reverse(route, kwargs=world.objects[thing])
            got = getattr(browser, method.lower())(address, body, **options)
            content = b"".join(got.streaming_content) if got.streaming else got.content
            transaction.set_rollback(True)
        kept = got.headers.get("etag"), got.headers.get("location")
        content = CHANGING.sub(b"", content)
        if route == "contest:session":
            content = re.sub(rb"\d+", b"", content)  # it shows what of the time has gone
        told[route, method, thing] = (got.status_code, kept, content)
    return told


@pytest.fixture(autouse=True)
def _texts_may_change(db):  # noqa: ARG001 - what is dropped comes back with it
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'annotator_essay'"
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')


def become_others(essays):
    """Letters become other letters and the text longer: places of fragments still lie in it."""
    for essay in essays:
        other = re.sub(r"\w", "x", essay.text) + " And more of it."
        Essay.objects.filter(pk=essay.pk).update(text=other)


def hidden_from(visitor):
    if visitor is None:
        return Essay.objects.exclude(essay_set__access="open")
    own = MarkupRecord.objects.filter(author=visitor).values("essay")  # sent with their texts
    hidden = Essay.objects.exclude(pk__in=essays_seen_by(visitor).values("pk"))
    return hidden.exclude(pk__in=own)


@pytest.mark.parametrize("who", WHO)
def test_no_route_depends_on_a_text_one_may_not_read(who, world, visitors):
    visitor, column = visitors[who], VISITORS.index(who)
    before = walked(world, visitor, column)
    hidden = list(hidden_from(visitor))

    become_others(hidden)

    after = walked(world, visitor, column)
    assert len(hidden) > 5
    assert [each for each, told in before.items() if told != after[each]] == []


def test_who_reads_a_text_is_told_when_it_is_another(world, visitors):
    shown = [row for row in ROWS if row[0] in {"annotator:essay", "api:api_essay"}]
    told_of = (world, visitors["part"], VISITORS.index("part"), shown)
    before = walked(*told_of)

    become_others(essays_seen_by(visitors["part"]))

    after = walked(*told_of)
    changed = {route for (route, *_), told in before.items() if told != after[route, *_]}
    assert changed == {"annotator:essay", "api:api_essay"}


# ── guesses ─────────────────────────────────────────────────────────────────


def places(*spans):
    return [{"startSelection": a, "endSelection": b, "type": "А.грамм"} for a, b in spans]


def near(text):
    """Guesses that are nearly right of this text, and marks that fit it."""
    end = len(text)
    return [
        {"text": text[:-1], "selections": places((0, 4))},
        {"text": text + " ", "selections": places((0, end))},
        {"text": text.upper(), "selections": places((end - 1, end))},
        {"text": text.replace(" ", "\n"), "selections": places((end, end + 1))},
        {"text": "", "selections": places((0, end))},
        {"selections": places((0, end + 1))},
    ]


def guessed(client, text):
    """What a program reads of its guesses at a file that has not opened, all of it."""
    last = last_of(client)
    exact = [answer(last.essay, text=each) for each in (text, "A guess.")]
    said = []
    for number, data in enumerate([*exact, *(json.dumps(each).encode() for each in near(text))]):
        receipt = client.send(last, 1, data=data, key=f"key {number}")
        said.append((receipt.reason.value, [each.code for each in receipt.event.found()]))
    events = log_of(client.row, client.moment(2))["events"]
    return said, CHANGING.sub(b"", json.dumps(events).encode())


def in_both_worlds(hidden, ask):
    """What is told where the guesses are nearly right, and where they are quite wrong."""
    told = []
    for is_other in (False, True):
        with transaction.atomic():
            if is_other:
                become_others(hidden)
            told.append(ask())
            transaction.set_rollback(True)
    return told


@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
def test_guesses_at_a_file_that_has_not_opened_tell_nothing_of_its_text(open_one):
    client = open_one()
    essay = last_of(client).essay

    right, wrong = in_both_worlds([essay], lambda: guessed(client, essay.text))

    assert right == wrong


def test_guesses_in_an_archive_tell_nothing_of_a_text_that_is_not_published():
    contest = markups_contest()
    lynx, essay = team_of(contest), held_of(contest).essays.get(number="0001")
    marked = [essay.text[:3] + " (А.грамм", f"{essay.text[:-1]}", f"({essay.text}) А.грамм"]
    files = {f"{n}/0001.json": each for n, each in enumerate(near(essay.text))}
    files |= {f"t{n}/0001.txt": each for n, each in enumerate(marked)}

    def ask():
        upload = sent_by(lynx, archive_of(files))
        work_off()
        return [
            (each.name, each.outcome, each.refused_for)
            for each in upload.parcel.files.order_by("position")
        ]

    right, wrong = in_both_worlds([essay], ask)

    assert [outcome for _name, outcome, _why in right] == ["refused"] * len(files)
    assert right == wrong
