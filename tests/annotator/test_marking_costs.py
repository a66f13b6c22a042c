from __future__ import annotations

import re
import sys
from collections import Counter
from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.core.validation import validate
from annotator.core.values import Markup
from annotator.models import Phrase, SeenHint
from annotator.services.hints import put_away
from tests.annotator.drafts import draft_of
from tests.bench.essays import nested_markup
from tests.factories import PersonFactory, marking_form, submitted
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
LARGEST_ANSWER = 30_000  # bytes, before compression (issue 3: after the first load)
TEXT = "Some people think that sport unite people."


def desk(marks, phrases):
    """A draft with stacked marks, tags and phrases, and the numbers of two of its marks."""
    fragments = [fragment(at, at + 20, "А.орф", tag=f"т{at % 3}") for at in range(marks)]
    record = draft_of(TEXT, *fragments, whole_text(), fragment(0, 1, "А.орф"))
    for at, field in product(range(phrases), Phrase.Field):
        text = f"phrase {at}"
        Phrase.objects.create(user=record.author, code="А.орф", field=field, text=text, uses=at)
    for hint in SeenHint.Hint.values:
        put_away(user=record.author, hint=hint)
    return record, [row.pk for row in record.fragments.all()][-2:]


def asked_for(client, verb, address, fields):
    """How many queries an answer takes."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        response = getattr(client, verb)(address, fields, headers=HTMX)
    assert response.status_code in (200, 204)
    return len(queries)


def requests_of(record, numbers):
    """Everything the page asks, in the order of a session."""
    base = f"/markups/{record.pk}/"
    mark = f"{base}fragments/{numbers[1]}/"
    new = marking_form(record, start=5, end=11, code="А.орф", version=0)
    words = {"version": 1, "comment": "новое", "explanation": "почему"}
    return {
        "page": ("get", base, {}),
        "card": ("get", mark, {"at": 0}),
        "add": ("post", f"{base}fragments/", new),
        "change": ("post", mark, words),
        "link": (
            "post",
            f"{base}links/",
            {"version": 2, "first": numbers[0], "second": numbers[1]},
        ),
        "drop": ("post", f"{mark}drop/", {"version": 3}),
        "activity": ("post", f"{base}activity/", {"seconds": 5}),
    }


def test_queries_do_not_grow_with_marks_or_phrases(log_in):
    found = []
    for marks, phrases in ((1, 1), (20, 1), (1, 20), (20, 20)):
        record, numbers = desk(marks, phrases)
        client = log_in(record.author)
        client.get("/account/")
        asked = requests_of(record, numbers)
        found.append({name: asked_for(client, *each) for name, each in asked.items()})

    assert found == [found[0]] * 4
    assert found[0]["page"] == 8


def test_the_essays_of_readers_take_no_more_queries_with_more_marks(log_in):
    reader = log_in(PersonFactory(role="judge"))
    reader.get("/account/")
    found = []
    for marks in (1, 20):
        draft = draft_of(TEXT)
        fragments = [fragment(at, at + 20, "А.орф") for at in range(marks)]
        record = submitted(draft.essay, *fragments)
        base = f"/markups/{record.pk}/"
        card = f"{base}fragments/{record.fragments.first().pk}/"
        found.append([asked_for(reader, "get", address, {}) for address in (base, card)])

    assert found[0] == found[1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_change_of_a_full_essay_answers_shortly(log_in, seed):
    markup = nested_markup(words=300, fragments=40, seed=seed)
    record = draft_of(markup.text, *markup.fragments)
    row = record.fragments.last()
    base = f"/markups/{record.pk}/fragments/"

    changed = log_in(record.author).post(
        f"{base}{row.pk}/", {"version": 0, "comment": "не то слово"}, headers=HTMX
    )
    quiet = log_in(record.author).post(
        f"{base}{row.pk}/", {"version": 1, "comment": "", "quiet": 1}, headers=HTMX
    )

    assert changed.status_code == quiet.status_code == 200
    assert len(quiet.content) < len(changed.content) < LARGEST_ANSWER


COUNTED = {Markup.__init__.__code__: "built", validate.__code__: "validated"}


def work_of(client, verb, address, fields):
    """How many markups a request builds, and how many it validates."""
    found = Counter()

    def note(frame, event, _argument):
        if event == "call" and frame.f_code in COUNTED:
            found[COUNTED[frame.f_code]] += 1

    sys.setprofile(note)
    try:
        response = getattr(client, verb)(address, fields, headers=HTMX)
    finally:
        sys.setprofile(None)
    assert response.status_code in (200, 204)
    return found["built"], found["validated"]


def test_each_version_of_a_draft_is_built_and_validated_once(log_in):
    record, numbers = desk(3, 1)
    client = log_in(record.author)
    asked = requests_of(record, numbers)

    found = {name: work_of(client, *each) for name, each in asked.items()}

    versions = {"add": (2, 2), "change": (2, 2), "link": (2, 2), "drop": (2, 2)}  # before and after
    assert found == {"page": (1, 1), "card": (1, 0), **versions, "activity": (0, 0)}
    assert work_of(client, *asked["add"]) == (1, 1)  # the page shows an older version: no before


def test_own_points_are_stated_of_one_markup(log_in):
    record, _numbers = desk(3, 1)
    fields = {"version": 0, "K1": 1}

    found = work_of(log_in(record.author), "post", f"/markups/{record.pk}/points/", fields)

    assert found == (1, 0)


BY_WHAT = re.compile(r'(SELECT|INSERT|UPDATE|DELETE)\b.*?"(\w+?)_(\w+)"', re.DOTALL)
WHO = [("SELECT", "session"), ("SELECT", "user")]
DRAFT = [*WHO, ("SELECT", "markuprecord"), ("SELECT", "fragmentrecord")]
STEP = [*DRAFT, ("UPDATE", "markuprecord"), ("INSERT", "markupchange")]
SHOWN = [("SELECT", "timelimit")]
CARD = [("SELECT", "phrase"), *SHOWN]
SAVES = {
    "add": [*STEP, ("INSERT", "fragmentrecord"), *CARD],
    "change": [*STEP, ("UPDATE", "fragmentrecord"), ("INSERT", "phrase"), *SHOWN],
    "link": [*STEP, *[("UPDATE", "fragmentrecord")] * 2, *SHOWN],
    "drop": [*STEP, ("DELETE", "fragmentrecord"), *SHOWN],
    "code": [*STEP, ("UPDATE", "fragmentrecord"), *CARD],
    "points": [*STEP, ("UPDATE", "markuprecord")],
}
"""What each request of a session says to the database, besides where transactions begin and end."""


def said_by(client, verb, address, fields):
    """The statements of a request: what is done, and to which table, without its app."""
    with CaptureQueriesContext(connection) as queries:
        response = getattr(client, verb)(address, fields, headers=HTMX)
    assert response.status_code in (200, 204)
    found = (BY_WHAT.match(each["sql"]) for each in queries if "SAVEPOINT" not in each["sql"])
    return [(each[1], each[3]) for each in found if each]


@pytest.mark.parametrize("name", SAVES)
def test_a_save_takes_nine_statements_and_reads_the_fragments_once(log_in, name):
    record, numbers = desk(20, 5)
    client = log_in(record.author)
    client.get("/account/")
    asked = requests_of(record, numbers)
    asked["change"][2].update(quiet=1, version=0)
    del asked["change"][2]["explanation"]
    asked["link"][2]["version"] = asked["drop"][2]["version"] = 0
    asked["code"] = ("post", asked["change"][1], {"version": 0, "code": "А.лекс"})
    asked["points"] = ("post", f"/markups/{record.pk}/points/", {"version": 0, "K1": 1})

    assert said_by(client, *asked[name]) == SAVES[name]
    assert len(SAVES[name]) <= 9
