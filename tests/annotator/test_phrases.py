from __future__ import annotations

from uuid import uuid4

import pytest

from annotator.core.changes import Change, Edit, Placed, inverse
from annotator.models import FragmentRecord, Phrase
from annotator.services.phrases import LONGEST, remember_phrases
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

UID = uuid4()


@pytest.fixture
def change(log_in):
    def send(record, *, to=None, **fields):
        record.refresh_from_db()
        to = to or f"fragments/{record.fragments.first().pk}"
        address = f"/markups/{record.pk}/{to}/"
        return log_in(record.author).post(address, {"version": record.version, **fields})

    return send


def step(change, record, way):
    """Another request of the page at which the card of its only mark is open."""
    number = FragmentRecord.objects.filter(markup=record).values_list("pk", flat=True).first()
    return change(record, to=way, card=number or "")


def kept():
    return [(each.code, each.field, each.text, each.uses) for each in Phrase.objects.all()]


def offered(response, field):
    """The texts of the buttons that fill a field of the card."""
    buttons = page_of(response).find(f"#cards button[data-into=card-{field}]")
    return [each["data-value"] for each in buttons]


def known(record, text, code="А.орф", field="comment", **fields):
    fields.setdefault("user", record.author)
    return Phrase.objects.create(code=code, field=field, text=text, **fields)


def test_what_was_written_is_remembered_under_its_code(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))

    change(record, comment=" мало букв ", explanation="a\nb", correction="Many", tag="т1")

    assert kept() == [("А.орф", "comment", "мало букв", 1), ("А.орф", "explanation", "a\nb", 1)]


def test_a_phrase_is_remembered_once_and_counted(change):
    one, two = (draft_of("Some people.", fragment(0, 4, "А.орф")) for _ in range(2))
    two.assignment.expert = two.author = one.author
    two.assignment.save()
    two.save()

    change(one, comment="мало букв")
    change(two, comment="мало букв")

    assert kept() == [("А.орф", "comment", "мало букв", 2)]


def test_a_phrase_that_only_stays_is_not_counted_again(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    change(record, comment="мало букв")

    change(record, comment="мало букв", explanation="почему")
    change(record, start=5, end=11, quote="people")

    assert kept() == [("А.орф", "comment", "мало букв", 1), ("А.орф", "explanation", "почему", 1)]


def test_of_a_mark_the_last_wording_counts_and_no_other_one_is_offered(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    for words in ("expl", "expl more", "expl more xx"):
        change(record, explanation=words)

    response = step(change, record, "undo")

    assert kept() == [("А.орф", "explanation", "expl more", 1)]
    assert offered(response, "explanation") == ["expl more"]
    change(record, explanation="")
    assert kept() == []


def test_a_wording_stays_that_another_mark_of_its_expert_has(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф", comment="мало букв"))
    known(record, "мало букв", uses=2)

    change(record, comment="много букв")

    assert kept() == [("А.орф", "comment", "мало букв", 1), ("А.орф", "comment", "много букв", 1)]


def test_a_mark_that_goes_takes_its_use_along_and_brings_it_back(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    change(record, comment="мало букв", correction="Many")

    step(change, record, f"fragments/{record.fragments.get().pk}/drop")
    assert kept() == []
    step(change, record, "undo")
    assert kept() == [("А.орф", "comment", "мало букв", 1)]
    assert Phrase.objects.get().correction == "Many"


def test_a_phrase_goes_along_with_its_mark_to_another_code(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    change(record, comment="мало букв")

    change(record, code="А.пункт")

    assert kept() == [("А.пункт", "comment", "мало букв", 1)]


def test_what_comes_with_a_fragment_of_an_earlier_check_is_its_authors():
    expert = PersonFactory()
    taken = Placed(fragment(0, 4, "А.орф", comment="чужое"), origin=1)
    own = Placed(fragment(0, 4, "А.орф", comment="своё"), origin=1)

    remember_phrases(user_id=expert.pk, change=Change((Edit(UID, None, taken),)))
    assert kept() == []
    remember_phrases(user_id=expert.pk, change=Change((Edit(UID, taken, own),)))
    assert kept() == [("А.орф", "comment", "своё", 1)]


@pytest.mark.parametrize("way", ["comes", "goes"])
def test_many_wordings_at_once_cost_as_much_as_two(way, django_assert_max_num_queries):
    expert = PersonFactory()
    marks = [fragment(at, at + 1, "А.орф", comment=f"слово {at // 2}") for at in range(400)]
    change = Change(tuple(Edit(uuid4(), None, Placed(each)) for each in marks))
    if way == "goes":
        remember_phrases(user_id=expert.pk, change=change)
        change = inverse(change)

    with django_assert_max_num_queries(4):
        remember_phrases(user_id=expert.pk, change=change)

    assert Phrase.objects.filter(uses=2).count() == (200 if way == "comes" else 0)


def test_a_refused_change_leaves_no_phrase(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))

    response = change(record, comment="мало букв", subcode="нет")

    assert (response.status_code, kept()) == (422, [])


@pytest.mark.parametrize(("length", "count"), [(LONGEST, 1), (LONGEST + 1, 0)])
def test_long_texts_are_not_kept(change, length, count):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))

    change(record, explanation="я" * length)

    assert len(FragmentRecord.objects.get().explanation) == length
    assert Phrase.objects.count() == count


def test_phrases_are_offered_in_their_field_most_used_first(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    for text, uses in (("раз", 1), ("пять раз", 5), ("три раза", 3)):
        known(record, text, uses=uses)
    known(record, "почему", field="explanation", uses=4)

    response = change(record, tag="т1")

    assert offered(response, "comment") == ["пять раз", "три раза", "раз"]
    assert offered(response, "explanation") == ["почему"]


def test_many_phrases_of_one_field_leave_room_for_the_others(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    for uses in range(2, 9):
        known(record, f"{uses} раз", uses=uses)
    known(record, "почему", field="explanation")

    response = change(record, tag="т1")

    assert offered(response, "comment") == ["8 раз", "7 раз", "6 раз", "5 раз"]
    assert offered(response, "explanation") == ["почему"]


def test_the_standard_comment_is_offered_before_the_phrases(change):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс"))
    known(record, "своё", code="А.лекс")

    response = change(record, subcode="слово")

    standard, own = offered(response, "comment")
    assert (standard == page_of(response).one("#card-comment")["placeholder"], own) == (
        True,
        "своё",
    )


def test_only_own_phrases_of_the_code_are_offered(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    known(record, "чужое", user=PersonFactory())
    known(record, "другого кода", code="А.пункт")
    known(record, "своё")

    assert offered(change(record, tag="т1"), "comment") == ["своё"]


def test_a_phrase_is_shown_as_it_was_written(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    known(record, '"<b>" & co')

    response = change(record, tag="т1")

    assert offered(response, "comment") == ['"<b>" & co']
    assert page_of(response).find("#cards .cell b") == []


def test_a_refused_card_offers_the_phrases_of_the_typed_code(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    known(record, "прежнего кода")
    known(record, "нового кода", code="А.пункт")

    cards = [change(record, code=code, tag="т" * 61) for code in ("А.пункт", "Я.нет")]

    assert [response.status_code for response in cards] == [422, 422]
    assert [offered(response, "comment") for response in cards] == [["нового кода"], []]


def test_phrases_that_read_alike_are_offered_once_in_the_words_used_most(change):
    record = draft_of("Some people.", fragment(0, 4, "А.орф"))
    for text, uses in (("мало букв", 2), ("Мало  букв.", 5), ("МАЛО БУКВ", 1), ("иначе", 1)):
        known(record, text, uses=uses)
    known(record, "Мало букв", field="explanation")

    response = change(record, tag="т1")

    assert offered(response, "comment") == ["Мало  букв.", "иначе"]
    assert offered(response, "explanation") == ["Мало букв"]


def test_the_standard_comment_that_was_taken_before_is_offered_once(change):
    record = draft_of("Some people.", fragment(0, 4, "А.лекс"))
    first = change(record, subcode="слово")
    standard = page_of(first).one("#card-comment")["placeholder"]
    known(record, standard.lower(), code="А.лекс")

    assert offered(change(record, tag="т1"), "comment") == [standard]
