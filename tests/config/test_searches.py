from __future__ import annotations

import pytest
from django.db.models import F

from accounts.models import User
from annotator.models import Essay
from tests.factories import EssayFactory, PersonFactory
from web.prepared import Given, Prepared

pytestmark = pytest.mark.django_db

ASKED = {
    "iexact": ["ФЁДОРОВ 100%_\\", "Фёдоров 100%_\\", "фЁДОРОВ 100%_\\"],
    "icontains": ["ЁДОР", "ёдор", "00%_\\", " 100%"],
    "istartswith": ["ФЁД", "фёд"],
    "iendswith": ["В 100%_\\", "в 100%_\\"],
}
CASES = [(lookup, words) for lookup, asked in ASKED.items() for words in asked]
PARTS = [(lookup, words) for lookup, words in CASES if lookup != "iexact"]


@pytest.fixture
def person():
    PersonFactory(full_name="Сидорова", school="Лицей")
    return PersonFactory(full_name="Фёдоров 100%_\\", school="фёдОРОВ 100%_\\")


@pytest.mark.parametrize(("lookup", "words"), CASES)
def test_a_search_ignores_the_case_of_any_alphabet(person, lookup, words):
    found = User.objects.filter(**{f"full_name__{lookup}": words})

    assert list(found) == [person]


@pytest.mark.parametrize(("lookup", "words"), PARTS)
def test_so_does_one_whose_statement_was_made_before(person, lookup, words):
    asked = Prepared(lambda: User.objects.filter(**{f"full_name__{lookup}": Given("words")}))

    assert asked(words=words) == [person]


@pytest.mark.parametrize("lookup", ["icontains", "istartswith", "iendswith"])
def test_so_does_a_comparison_of_two_columns(person, lookup):
    found = User.objects.filter(**{f"full_name__{lookup}": F("school")})

    assert list(found) == [person]


@pytest.mark.parametrize("words", ["ёдоров 100%%", "100_", "едоров", "ф%в"])
def test_signs_of_patterns_are_letters_like_others(person, words):  # noqa: ARG001 - not found
    assert not User.objects.filter(full_name__icontains=words).exists()


def test_who_has_no_words_is_not_found():
    essay = EssayFactory(closed_at=None)

    assert not Essay.objects.filter(closed_at__icontains="2").exists()
    assert list(Essay.objects.exclude(theme__icontains="НЕТ")) == [essay]
