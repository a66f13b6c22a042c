"""Undo and redo on the server: any number of steps, whatever made them, wherever one reloads."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core.stated import frozen
from annotator.core.steps import Step
from annotator.core.values import Span
from annotator.models import MarkupRecord
from annotator.queries.third_checks import takeable
from annotator.services.drafts import (
    add_fragment,
    change_fragment,
    delete_fragment,
    link_fragments,
    mark_all,
    placed,
    state_criteria,
)
from annotator.services.loading import Written, load_markup
from annotator.services.markup import row_of
from annotator.services.stepping import step
from annotator.services.taking import take_fragments
from review.services.rulings import take, take_neither
from tests.annotator.drafts import draft_of
from tests.examples import examples
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.thirds import thirds
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db

TEXT = "Some people think that sport unite people."


def fresh(record):
    """The record as a new request finds it."""
    return MarkupRecord.objects.get(pk=record.pk)


def draft_in(record):
    """All that steps bring back: the marks with their numbers, the points, what was ruled."""
    rows = fresh(record).fragments.all()
    ruled = record.rulings.filter(neither=True).values_list("fragment", flat=True)
    return [(row.pk, row.uid, placed(row)) for row in rows], fresh(record).stated, {*ruled}


def make_some(record, kind, spot):
    """Make a change of a kind, where there is something to change; another mark otherwise."""
    version = record.version
    OF_MARKUPS.get(kind, change_mark)(record, kind, spot)
    if record.version == version:
        start = spot % (len(TEXT) - 2)
        new = fragment(start, start + 2, "А.орф")
        add_fragment(record=record, version=version, uid=uuid.uuid4(), fragment=new)
    assert record.version == version + 1


def change_mark(record, kind, spot):
    rows = list(record.fragments.all())
    if not rows or kind == "mark" or (kind == "link" and len(rows) < 2):
        return
    row, version = rows[spot % len(rows)], record.version
    before = row.to_core()
    if kind == "drop":
        delete_fragment(record=record, version=version, row=row)
    elif kind == "link":
        second = next(each for each in rows if each.pk != row.pk)
        link_fragments(record=record, version=version, first=row.pk, second=second.pk)
    else:
        start = spot % (len(TEXT) - 2)
        changed = {
            "words": replace(before, comment=f"no {version}", correction=f"so {spot}"),
            "borders": replace(before, span=Span(start, start + 1)),
            "code": replace(before, code="А.лекс" if version % 2 else "А.грамм", subcode=""),
            "tag": replace(before, tag=f"т{version}"),
        }
        change_fragment(record=record, version=version, row=row, fragment=changed[kind])


def state_points(record, _kind, spot):
    stated = {**record.stated, f"K{spot % 3}": record.version % 7}
    state_criteria(record=record, version=record.version, stated=frozen(stated))


def mark_same(record, _kind, spot):
    starts = (spot % 10, 14 + spot % 10, 28 + spot % 10)
    places = {uuid.uuid4(): Span(start, start + 2) for start in starts}
    like = fragment(0, 1, "А.лекс", comment="alike", correction="so")
    mark_all(record=record, version=record.version, uid=uuid.uuid4(), fragment=like, places=places)


def load_some(record, _kind, spot):
    words = TEXT.split(" ")
    at = spot % len(words)
    words[at] = f"(\\ А.лекс \\ {words[at]} >> {spot} \\)"
    load_markup(
        record=record,
        version=record.version,
        uid=uuid.uuid4(),
        words=" ".join(words),
        written=Written.TEXT,
    )


def take_some(record, _kind, spot):
    """One fragment of the earlier checks, in the stead of the one before it."""
    earlier = [row.pk for row in takeable(record).order_by("pk")]
    if not earlier:
        return
    at = spot % len(earlier)
    instead = [earlier[at - 1]] if spot % 2 else []
    take(record=record, version=record.version, sources=[earlier[at]], instead_of=instead)


def rule_some(record, _kind, spot):
    """Neither of a pair, or what was ruled so is undecided again."""
    earlier = [row.pk for row in takeable(record).order_by("pk")]
    if not earlier:
        return
    number = earlier[spot % len(earlier)]
    was_ruled = record.rulings.filter(fragment=number, neither=True).exists()
    take_neither(record=record, version=record.version, fragments=[number], taken_back=was_ruled)


OF_MARKUPS = {
    "points": state_points,
    "same": mark_same,
    "load": load_some,
    "take": take_some,
    "neither": rule_some,
}
OF_MARKS = ("mark", "words", "borders", "code", "tag", "link", "drop")
CHANGES = st.tuples(st.sampled_from([*OF_MARKS, *OF_MARKUPS]), st.integers(0, 40), st.booleans())


@settings(max_examples=examples(30, fewest=1), deadline=None)
@given(st.lists(CHANGES, min_size=50, max_size=50))
def test_fifty_changes_and_fifty_undos_give_the_start_and_as_many_redos_the_end(changes):
    record = thirds().record
    for each in (fragment(0, 4), fragment(5, 11)):
        row_of(record, each).save()
    start = draft_in(record)
    now = fresh(record)
    for kind, spot, reloads in changes:
        now = fresh(record) if reloads else now
        make_some(now, kind, spot)
    end = draft_in(record)

    for _kind, _spot, reloads in changes:
        now = fresh(record) if reloads else now
        assert step(record=now, way=Step.UNDONE) is not None
    undone = draft_in(record)
    nothing = step(record=fresh(record), way=Step.UNDONE)
    for _each in changes:
        assert step(record=fresh(record), way=Step.REDONE) is not None

    assert (undone, nothing) == (start, None)
    assert draft_in(record) == end
    assert step(record=fresh(record), way=Step.REDONE) is None


def test_more_than_a_hundred_steps_are_taken_back():
    record = draft_of(TEXT)
    row = add_fragment(record=record, version=0, uid=uuid.uuid4(), fragment=fragment(0, 4))
    for number in range(110):
        change_fragment(
            record=record,
            version=record.version,
            row=row,
            fragment=fragment(0, 4, comment=f"no {number}"),
        )
        row = record.fragments.get()

    for _ in range(111):
        step(record=fresh(record), way=Step.UNDONE)

    assert draft_in(record) == ([], {}, set())


def test_a_new_change_forgets_what_was_undone():
    record = draft_of(TEXT, fragment(0, 4))
    make_some(fresh(record), "words", 0)
    step(record=fresh(record), way=Step.UNDONE)
    make_some(fresh(record), "mark", 9)

    assert step(record=fresh(record), way=Step.REDONE) is None
    assert step(record=fresh(record), way=Step.UNDONE) is not None
    assert step(record=fresh(record), way=Step.UNDONE) is None


def test_a_step_sent_again_is_made_once():
    record = draft_of(TEXT, fragment(0, 4))
    make_some(fresh(record), "words", 0)
    make_some(fresh(record), "drop", 0)
    uid = uuid.uuid4()

    first = step(record=fresh(record), way=Step.UNDONE, uid=uid)
    again = step(record=fresh(record), way=Step.UNDONE, uid=uid)

    assert first == again
    assert [row.comment for row in record.fragments.all()] == ["no 0"]


def test_what_a_third_expert_took_is_given_back_and_taken_again():
    desk = thirds()
    third = desk.record
    take_fragments(record=fresh(third), version=0, sources=desk.rows("first"))
    taken = draft_in(third)

    step(record=fresh(third), way=Step.UNDONE)
    given_back = draft_in(third)
    step(record=fresh(third), way=Step.REDONE)

    assert given_back == ([], {}, set())
    assert draft_in(third) == taken
    assert [placed.origin for _pk, _uid, placed in taken[0]] == desk.rows("first")


# ── on the page ─────────────────────────────────────────────────────────────


@pytest.fixture
def post(log_in):
    """Press a key of a page: ``post(record, "undo", page="aaaa:1")``."""

    def sent(record, way, user=None, **fields):
        return log_in(user or record.author).post(
            f"/markups/{record.pk}/{way}/",
            {"version": fresh(record).version, **fields},
            headers={"HX-Request": "true"},
        )

    return sent


def marked(record, page=""):
    now = fresh(record)
    now.page = page
    add_fragment(record=now, version=now.version, uid=uuid.uuid4(), fragment=fragment(5, 11))


def test_what_was_undone_is_said_and_the_page_is_renewed(post):
    record = draft_of(TEXT, fragment(0, 4))
    marked(record)

    undone = post(record, "undo")
    redone = post(record, "redo")

    assert texts_of(undone, "#said") == ["Undone: marked: А.грамм “people”"]
    assert texts_of(redone, "#said") == ["Made again: marked: А.грамм “people”"]
    assert texts_of(redone, "li[data-mark]") == ["А.грамм Grammar people"]
    assert [texts_of(each, "#toast p") for each in (undone, redone)] == [
        ["Undone: marked: А.грамм “people”"],
        ["Made again: marked: А.грамм “people”"],
    ]


def test_nothing_to_undo_is_said_in_sight(post):
    record = draft_of(TEXT)

    ways = {"undo": "There is nothing to undo.", "redo": "There is nothing to make again."}
    for way, words in ways.items():
        said = post(record, way)

        assert [texts_of(said, place) for place in ("#said", "#toast p")] == [[words], [words]]


@pytest.mark.parametrize("way", ["undo", "redo"])
def test_a_step_of_what_was_not_made_touches_nothing_that_was(post, way):
    record = draft_of(TEXT, fragment(0, 4))
    make_some(fresh(record), "words", 0)
    if way == "redo":
        step(record=fresh(record), way=Step.UNDONE)
    before = draft_in(record)
    refused = uuid.uuid4()

    response = post(record, way, of=refused)

    assert texts_of(response, "#toast p")[0].startswith("There is nothing to ")
    assert draft_in(record) == before
    made = fresh(record).changes.earliest("version")
    assert post(record, way, of=made.uid).status_code == 200
    assert draft_in(record) != before


@pytest.mark.parametrize("way", ["undo", "redo"])
def test_a_step_of_one_change_touches_none_that_another_tab_made_after_it(post, way):
    record = draft_of(TEXT)
    marked(record)
    meant = fresh(record).changes.latest("version").uid
    marked(record)
    for _step in range(2 if way == "redo" else 0):
        step(record=fresh(record), way=Step.UNDONE)
    if way == "redo":
        step(record=fresh(record), way=Step.REDONE)
    before = draft_in(record)

    response = post(record, way, of=meant)

    assert texts_of(response, "#toast p")[0].startswith("There is nothing to ")
    assert draft_in(record) == before


def test_a_change_of_another_browser_is_named_before_it_is_touched(post):
    record = draft_of(TEXT)
    marked(record, page="bbbb:1")

    asked = post(record, "undo", page="aaaa:1")
    kept = record.fragments.count()
    agreed = post(record, "undo", page="aaaa:1", agreed=1)

    assert "marked: А.грамм “people”" in texts_of(asked, "#notice")[0]
    assert (kept, record.fragments.count()) == (1, 0)
    assert texts_of(agreed, "#said") == ["Undone: marked: А.грамм “people”"]


def test_changes_of_another_browser_that_come_next_are_named_at_once_and_agreed_to_together(post):
    record = draft_of(TEXT)
    for page in ("aaaa:1", "bbbb:1", "bbbb:1"):
        marked(record, page=page)

    asked = post(record, "undo", page="aaaa:1")
    versions = page_of(asked).one("#notice [data-versions]")["data-versions"]
    said = [post(record, "undo", page="aaaa:1", agreed=versions.strip()) for _step in range(2)]
    own = post(record, "undo", page="aaaa:1")

    assert versions.split() == ["3", "2"]
    assert len(texts_of(asked, "#notice li")) == 2
    assert [texts_of(each, "#notice li") for each in (*said, own)] == [[], [], []]
    assert record.fragments.count() == 0


def test_another_tab_of_the_same_browser_is_not_asked(post):
    record = draft_of(TEXT)
    marked(record, page="aaaa:2")

    assert texts_of(post(record, "undo", page="aaaa:1"), "#said") == [
        "Undone: marked: А.грамм “people”"
    ]


def test_what_is_not_as_the_step_left_it_is_refused():
    record = draft_of(TEXT, fragment(0, 4))
    make_some(fresh(record), "words", 0)
    record.fragments.update(comment="from nowhere")

    with pytest.raises(Refused, match="cannot be taken back"):
        step(record=fresh(record), way=Step.UNDONE)

    assert [row.comment for row in record.fragments.all()] == ["from nowhere"]


@pytest.mark.parametrize("way", ["undo", "redo"])
def test_nobody_else_undoes_anything(post, way):
    record = draft_of(TEXT)
    marked(record)

    answers = [
        post(record, way, user=PersonFactory(role=role)).status_code
        for role in ("expert", "coordinator", "participant")
    ]

    assert (answers, record.fragments.count()) == ([404, 403, 403], 1)
