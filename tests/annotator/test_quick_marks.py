"""Marks by one key: the own comments that were used more than once, with what went along."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotator.core.changes import Change, Edit, Placed
from annotator.core.values import Fragment, Span
from annotator.models import Phrase
from annotator.queries.phrases import LATELY
from annotator.services.markup import close
from annotator.services.phrases import remember_phrases
from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, PersonFactory, marking_form, submitted
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

NOTHING = Fragment(Span(0, 1), "А.лекс")


def brought(expert, before, after):
    change = Change((Edit(uuid4(), Placed(before), Placed(after)),))
    remember_phrases(user_id=expert.pk, change=change)


def use(expert, comment, *marks):
    for subcode, correction in marks:
        after = fragment(0, 4, "А.лекс", subcode=subcode, correction=correction, comment=comment)
        brought(expert, NOTHING, after)


def offered(response):
    found = page_of(response).find("[data-quick]")
    names = ("data-value", "data-quick", "data-subcode", "data-comment", "data-correction")
    return [tuple(each[name] for name in names) for each in found]


def test_what_was_used_twice_is_offered_with_what_it_always_had(log_in):
    record = draft_of("Some people.")
    use(record.author, "often", ("слово", "so"), ("слово", "too"), ("слово", "so"))
    use(record.author, "same", ("слово", "it"), ("слово", "it"))
    use(record.author, "once", ("слово", "no"))
    use(PersonFactory(), "another's", ("", ""), ("", ""))
    Phrase.objects.create(user=record.author, code="И.факт", field="comment", text="x", uses=9)

    response = log_in(record.author).get(f"/markups/{record.pk}/")

    assert offered(response) == [
        ("1", "А.лекс", "слово", "often", ""),
        ("2", "А.лекс", "слово", "same", "it"),
    ]


def test_a_correction_that_is_filled_in_after_the_comment_goes_along(log_in):
    record = draft_of("Some people.")
    given = {"same": ("it", "it"), "either": ("it", "that"), "none": ("", "")}
    for words, corrections in given.items():
        for correction in corrections:
            use(record.author, words, ("", ""))
            before = fragment(0, 4, "А.лекс", comment=words)
            after = fragment(0, 4, "А.лекс", comment=words, correction=correction)
            brought(record.author, before, after)

    response = log_in(record.author).get(f"/markups/{record.pk}/")

    assert {each[3:] for each in offered(response)} == {
        ("either", ""),
        ("none", ""),
        ("same", "it"),
    }


def test_comments_that_read_alike_have_one_key_by_the_words_that_are_used_most(log_in):
    record = draft_of("Some people.")
    for words, times in (("a word", 2), ("A  word.", 3), ("another", 2)):
        use(record.author, words, *[("", "")] * times)

    found = offered(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert [each[3] for each in found] == ["A  word.", "another"]


def test_no_more_than_nine_keys_are_offered_and_none_where_nothing_is_marked(log_in):
    record = draft_of("Some people.")
    for number in range(12):
        use(record.author, f"words {number}", *[("", "")] * 2)
    own = log_in(record.author)

    assert [each[0] for each in offered(own.get(f"/markups/{record.pk}/"))] == list("123456789")
    close(record)
    assert offered(own.get(f"/markups/{record.pk}/")) == []


def test_a_mark_comes_with_its_comment_and_correction_in_one_request(log_in):
    record = draft_of("Some people.")
    words = {"code": "А.лекс", "comment": "same", "correction": "it"}

    form = marking_form(record, start=0, end=4, **words)
    log_in(record.author).post(f"/markups/{record.pk}/fragments/", form)

    (row,) = record.fragments.all()
    assert (row.code, row.comment, row.correction) == ("А.лекс", "same", "it")


def test_a_comment_that_was_used_again_has_its_key_with_the_answer(log_in):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс"), fragment(5, 11, "А.лекс"))
    one, two = record.fragments.all()
    browser = log_in(record.author)

    def comment(row, version, words):
        address = f"/markups/{record.pk}/fragments/{row.pk}/"
        sent = {"version": version, "quiet": 1, "comment": words}
        return browser.post(address, sent, headers={"HX-Request": "true"})

    answers = [comment(one, 0, "a word"), comment(two, 1, "a word"), comment(two, 2, "once")]

    assert [offered(each) for each in answers] == [[], [("1", "А.лекс", "", "a word", "")], []]
    assert [len(page_of(each).find("#quick[hx-swap-oob]")) for each in answers] == [0, 1, 1]


def test_a_key_that_loses_its_correction_loses_it_with_the_answer(log_in):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс", comment="same", correction="it"))
    use(record.author, "same", ("", "it"), ("", "it"))
    row = record.fragments.get()

    address = f"/markups/{record.pk}/fragments/{row.pk}/"
    sent = {"version": 0, "quiet": 1, "correction": "that"}
    response = log_in(record.author).post(address, sent, headers={"HX-Request": "true"})

    assert offered(response) == [("1", "А.лекс", "", "same", "")]


def test_a_page_that_catches_up_with_another_one_gets_its_keys_too(log_in):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс"))
    use(record.author, "a word", ("", ""), ("", ""))

    response = log_in(record.author).get(f"/markups/{record.pk}/parts/")

    assert offered(response) == [("1", "А.лекс", "", "a word", "")]


def test_what_one_of_its_marks_has_none_of_goes_along_no_more_until_all_have_the_same(log_in):
    marks = [fragment(0, 4, "А.лекс"), fragment(5, 11, "А.лекс")]
    record = draft_of("Some people.", *marks)
    one, two = record.fragments.all()
    browser = log_in(record.author)

    def key_after(row, **fields):
        address = f"/markups/{record.pk}/fragments/{row.pk}/"
        record.refresh_from_db()
        sent = {"version": record.version, "quiet": 1, **fields}
        return offered(browser.post(address, sent, headers={"HX-Request": "true"}))

    key = ("1", "А.лекс")
    whole = {"comment": "wrong word", "subcode": "слово", "correction": "FIXA"}
    assert key_after(one, **whole) == []
    assert key_after(two, comment="wrong word") == [(*key, "", "wrong word", "")]
    page = browser.get(f"/markups/{record.pk}/")
    assert offered(page) == [(*key, "", "wrong word", "")]
    assert key_after(two, correction="FIXA") == [(*key, "", "wrong word", "FIXA")]
    assert key_after(two, correction="") == [(*key, "", "wrong word", "")]


def test_a_subcode_that_was_taken_from_one_of_its_marks_goes_along_no_more(log_in):
    own = {"subcode": "слово", "comment": "same", "correction": "it"}
    record = draft_of("Some people.", *(fragment(at, at + 4, "А.лекс", **own) for at in (0, 5)))
    use(record.author, "same", ("слово", "it"), ("слово", "it"))
    address = f"/markups/{record.pk}/fragments/{record.fragments.first().pk}/"

    sent = {"version": 0, "quiet": 1, "subcode": ""}
    response = log_in(record.author).post(address, sent, headers={"HX-Request": "true"})

    assert offered(response) == [("1", "А.лекс", "", "same", "it")]


def test_what_a_mark_of_many_checks_ago_has_none_of_goes_along(log_in):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс", comment="same"))
    use(record.author, "same", ("слово", "it"), ("слово", "it"))
    browser, address = log_in(record.author), f"/markups/{record.pk}/"
    assert offered(browser.get(address)) == [("1", "А.лекс", "", "same", "")]

    for _check in range(LATELY):
        submitted(EssayFactory(), author=record.author)

    assert offered(browser.get(address)) == [("1", "А.лекс", "слово", "same", "it")]


def test_a_key_says_the_correction_it_brings(log_in):
    record = draft_of("Some people.")
    use(record.author, "wrong word", ("", "think"), ("", "think"))
    use(record.author, "bare", ("", ""), ("", ""))

    found = page_of(log_in(record.author).get(f"/markups/{record.pk}/")).find("[data-quick]")

    assert [each["title"] for each in found] == ["wrong word → think", "bare"]
    said = [" ".join(each.find(".muted")[0].text.split()) for each in found]
    assert said == ["wrong word → think", "bare"]


def test_a_comment_that_comes_with_its_mark_has_its_key_with_the_second_one(log_in):
    record = draft_of("Some people think.")
    browser = log_in(record.author)

    def marked(at, **words):
        form = marking_form(record, start=at, end=at + 4, code="А.лекс", comment="same", **words)
        address = f"/markups/{record.pk}/fragments/"
        answer = browser.post(address, form, headers={"HX-Request": "true"})
        record.refresh_from_db()
        return offered(answer)

    whole = ("1", "А.лекс", "", "same", "it")
    found = [marked(0, correction="it"), marked(5, correction="it"), marked(7, correction="it")]

    assert found == [[], [whole], []]  # the strip comes only where it is another one
    assert marked(12, correction="so") == [(*whole[:-1], "")]


def test_places_marked_alike_at_once_have_the_key_of_their_comment_with_the_answer(log_in):
    record = draft_of("so and so", fragment(0, 2, "А.лекс", comment="same"))
    use(record.author, "same", ("", ""))
    sent = {"places": f"7-9:{uuid4()}", "quote": "so", "version": 0}

    address = f"/markups/{record.pk}/same/"
    response = log_in(record.author).post(address, sent | {"like": record.fragments.get().pk})

    assert offered(response) == [("1", "А.лекс", "", "same", "")]
