from __future__ import annotations

import pytest
from django.utils.translation import override

from annotator.core.classifier import classifier_of
from annotator.core.values import Subject
from annotator.pages.palette import searchable_codes

pytestmark = pytest.mark.full

FIRST = """
(rank, codes, queries) => queries.map((query) => {
  const best = rank.rank(query, codes)[0];
  return best ? `${best.code} ${best.subcode}`.trim() : null;
})
"""
CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё."
LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`/"
OTHER_LAYOUT = str.maketrans(CYRILLIC, LATIN)


def codes_of(subject, language):
    with override(language):
        return searchable_codes(classifier_of(subject))


@pytest.fixture
def first(script):
    """The best hit of every query: ``first(codes, queries)``."""
    return lambda codes, queries: script("palette", FIRST, codes, list(queries))


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("subject", Subject)
def test_every_code_is_found_first_by_its_own_name(first, subject, language):
    codes = codes_of(subject, language)
    names = [code["code"] for code in codes]
    typed = [name.lower() for name in names]

    assert first(codes, names) == names
    assert first(codes, typed) == names
    assert first(codes, [name.translate(OTHER_LAYOUT) for name in typed]) == names


@pytest.mark.parametrize("subject", Subject)
def test_the_letter_of_a_code_need_not_be_typed(first, subject):
    codes = codes_of(subject, "ru")
    bare = {code["code"]: code["code"].lower().partition(".")[2] for code in codes}
    whole = {name.lower() for name in bare}
    own = {
        name: body
        for name, body in bare.items()
        if body and body not in whole and list(bare.values()).count(body) == 1
    }

    assert len(own) > 8
    assert first(codes, own.values()) == [*own]
    assert first(codes, [body.translate(OTHER_LAYOUT) for body in own.values()]) == [*own]


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("subject", Subject)
def test_every_subcode_is_found_behind_its_code(first, subject, language):
    codes = codes_of(subject, language)
    pairs = [f"{code['code']} {sub['code']}" for code in codes for sub in code["subcodes"]]

    assert first(codes, pairs) == pairs
    assert first(codes, [pair.lower().translate(OTHER_LAYOUT) for pair in pairs]) == pairs


@pytest.mark.parametrize("subject", Subject)
def test_a_subcode_only_one_code_has_is_found_by_its_own_letters(first, subject):
    codes = codes_of(subject, "ru")
    bodies = {code["code"].lower().partition(".")[2] or code["code"].lower() for code in codes}
    pairs = [(code["code"], sub["code"]) for code in codes for sub in code["subcodes"]]
    names = [sub for _code, sub in pairs]
    own = {
        sub: f"{code} {sub}"
        for code, sub in pairs
        if names.count(sub) == 1 and not any(body.startswith(sub.lower()) for body in bodies)
    }

    assert first(codes, own) == [*own.values()]


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("subject", Subject)
def test_every_code_is_found_first_by_its_description(first, subject, language):
    codes = codes_of(subject, language)
    said = [[code["code"], name] for code in codes for name in code["names"]]
    names = [name for _code, name in said]
    own = [(code, name) for code, name in said if names.count(name) == 1]

    assert first(codes, [name for _code, name in own]) == [code for code, _name in own]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("гр", "А.грамм"),
        ("uh", "А.грамм"),
        ("гр мн", "А.грамм множ"),
        ("uh vy", "А.грамм множ"),
        ("множ", "А.грамм множ"),
        ("vyj;", "А.грамм множ"),
        ("f/uhfvv", "А.грамм"),
        ("арт", "А.грамм арт"),
        ("артикль", "А.грамм арт"),
        ("article", "А.грамм арт"),
        ("Article", "А.грамм арт"),
        ("grammar", "А.грамм"),
        ("грамматическая", "А.грамм"),
        ("grammar mistake", "А.грамм"),
        ("грамматическая ошибка", "А.грамм"),
        ("plural form", "А.грамм множ"),
        ("grammar range", "А.уров"),
        ("phrasal", "А.лекс послелог"),
        ("форма множественного", "А.грамм множ"),
        ("объем", None),
        ("qqq", None),
        ("  гр  ", "А.грамм"),
        (" ", None),
    ],
)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_codes_are_found_by_their_words_in_both_languages(first, query, found, language):
    assert first(codes_of(Subject.ENGLISH, language), [query]) == [found]


def test_the_nearest_code_is_named_when_nothing_is_found(script):
    codes = codes_of(Subject.ENGLISH, "ru")
    nearest = "(rank, codes, query) => rank.nearest(query, codes)"

    assert script("palette", nearest, codes, "гравв") == "А.грамм"
    assert script("palette", nearest, codes, "uhfss") == "А.грамм"
    assert script("palette", nearest, codes, "!!") is None
