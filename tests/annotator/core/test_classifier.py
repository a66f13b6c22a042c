"""The classifiers as data, and looking codes up in them (Appendix 3, 3)."""

import json
from pathlib import Path

import pytest

from annotator.core.classifier import Category, classifier_of, every_classifier, plain_classifier
from annotator.core.values import Kind, Subject, fold
from tests.strategies import english

GOLDEN = Path(__file__).parents[2] / "golden" / "classifiers_for_cases.json"

STANDARD = {
    "А.лекс": (
        "Лексическая ошибка.",
        {
            "конт": "Неправильное употребление слова в контексте",
            "сочет": "Нарушение лексической сочетаемости",
            "проп": "Пропуск слова, когда это не влияет на грамматическую структуру предложения",
            "слобр": "Ошибка в словообразовании, не меняющая часть речи",
            "послелог": "Послелог во фразовом глаголе",
            "слово": "Ошибка в написании слов, которая меняет его значение",
        },
    ),
    "А.запас": (
        "Используемый словарный запас не соответствует высокому уровню сложности задания.",
        {
            "повтор": "Повтор одних и тех же слов",
            "син": "Отсутствие синонимов",
            "ант": "Отсутствие антонимов",
            "некорр": "Некорректное употребление слова",
            "сочет": "Нарушение сочетаемости.",
        },
    ),
    "А.грамм": (
        "Грамматическая ошибка.",
        {
            "видовр": "Видовременная форма глагола",
            "нел": "Неличная форма глагола",
            "мод": "Модальный глагол",
            "множ": "Форма множественного числа",
            "прит": "Форма притяжательного падежа существительного",
            "сравн": "Форма степени сравнения прилагательного или наречия",
            "арт": "Артикль",
            "пред": "Предлог",
            "мест": "Местоимение",
            "поряд": "Порядок слов в предложении",
            "проп": (
                "Пропуск слова (подлежащего или сказуемого), влияющий на грамматическую "
                "структуру предложения"
            ),
            "слобр": "Ошибка в словообразовании, если меняется часть речи",
        },
    ),
    "А.уров": (
        "Используемые грамматические средства не соответствует высокому уровню сложности задания.",
        {
            "повтор": "Повтор одной и той же конструкции",
            "прост": "Использование только простых коротких предложений",
            "распр": "Отсутствие распространенных предложений",
            "некорр": "Некорректное использование грамматических средств",
        },
    ),
}
"""The table of the regulation (seed 000, Appendix 3, 3), word for word, its slips included."""

SIZES = {
    Subject.RUSSIAN: 64,
    Subject.RUSSIAN_FREE: 46,
    Subject.LITERATURE: 32,
    Subject.SOCIAL_SCIENCE: 23,
    Subject.HISTORY: 21,
    Subject.ENGLISH: 24,
    Subject.ENGLISH_FREE: 23,
}
"""files.md 4, without the forbidden duplicate И.слдейств and with А.объем."""


@pytest.mark.parametrize("subject", Subject)
def test_a_subject_has_all_its_codes_each_once(subject):
    codes = [fold(category.code) for category in classifier_of(subject).categories]

    assert len(set(codes)) == len(codes) == SIZES[subject]


@pytest.mark.parametrize("subject", Subject)
def test_subcodes_of_a_code_stand_once_and_are_single_words(subject):
    for category in classifier_of(subject).categories:
        names = [fold(each.code) for each in category.subcategories]
        assert len(set(names)) == len(names), category.code
        assert [name.split() for name in names] == [[name] for name in names], category.code


@pytest.mark.parametrize("subject", Subject)
def test_every_text_is_there_in_both_languages(subject):
    for category in classifier_of(subject).categories:
        words = [
            category.name,
            category.section,
            *(each.comment for each in category.subcategories),
        ]
        for each in words:
            assert set(each) == {"ru", "en"}, category.code
            assert all(text.strip() == text != "" for text in each.values()), category.code


@pytest.mark.parametrize("subject", Subject)
def test_codes_can_be_written_in_brackets(subject):
    for category in classifier_of(subject).categories:
        assert category.code.split() == [category.code]
        assert not set(category.code) & set("\\*()#:>")


@pytest.mark.parametrize("subject", Subject)
def test_every_subject_knows_the_correction(subject):
    category = classifier_of(subject).find("ИСП")

    assert category is not None
    assert (category.kind, category.takes_correction, category.criteria) == (Kind.MISTAKE, True, ())


@pytest.mark.parametrize("subject", Subject)
def test_semantic_blocks_are_named_in_capitals_and_mistakes_by_a_letter_and_a_dot(subject):
    for category in classifier_of(subject).categories:
        is_block = category.code.isupper() and category.code != "ИСП"
        assert category.kind is (Kind.BLOCK if is_block else Kind.MISTAKE), category.code


@pytest.mark.parametrize("code", STANDARD)
def test_standard_comments_are_the_regulations_own_words(code):
    name, comments = STANDARD[code]

    category = english().find(code)

    assert category.name["ru"] == name
    assert {each.code: each.comment["ru"] for each in category.subcategories} == comments


@pytest.mark.parametrize(
    ("code", "criterion"),
    [("А.лекс", "K3"), ("А.запас", "K3"), ("А.грамм", "K4"), ("А.уров", "K4")],
)
def test_the_codes_of_the_nomination_count_in_the_criteria_of_the_table(code, criterion):
    category = english().find(code)

    assert (category.kind, category.criteria) == (Kind.MISTAKE, (criterion,))


def test_codes_of_the_golden_cases_are_those_of_the_subjects():
    golden = json.loads(GOLDEN.read_text("utf-8"))
    golden["eng-nomination"], nomination = golden["eng"], golden["eng-nomination"]
    assert nomination.items() <= golden["eng"].items()

    for subject in ("eng", "social", "lit"):
        classifier = classifier_of(Subject(subject))
        for code, each in golden[subject].items():
            category = classifier.find(code)
            assert category is not None, code
            assert category.kind is (Kind.BLOCK if each["group"] == "meaning" else Kind.MISTAKE)
            assert set(each["subtypes"]) <= {item.code for item in category.subcategories}, code


@pytest.mark.parametrize("code", ["А.грамм", "а.грамм", "А.ГРАММ", "а.Грамм", " А.грамм\n"])
def test_a_code_is_found_in_any_letter_case(code):
    assert english().find(code) is english().find("А.грамм")
    assert english().find(code).code == "А.грамм"
    assert english().kind(code) is Kind.MISTAKE


@pytest.mark.parametrize("code", ["", "А.грам", "A.грамм", "множ", "А.грамм множ"])
def test_what_is_no_code_is_not_found_and_counts_as_a_mistake(code):
    assert english().find(code) is None
    assert english().kind(code) is Kind.MISTAKE


@pytest.mark.parametrize("subcode", ["множ", "МНОЖ", " Множ "])
def test_a_subcode_is_found_in_any_letter_case(subcode):
    assert english().find("А.грамм").subcategory(subcode).code == "множ"


def test_a_standard_comment_is_that_of_the_subcode_under_its_own_code():
    standard = english().standard_comment

    assert standard("а.лекс", "СЛОБР") == STANDARD["А.лекс"][1]["слобр"]
    assert standard("А.грамм", "слобр") == STANDARD["А.грамм"][1]["слобр"]
    assert standard("А.грамм", "слобр", "en").isascii()
    assert [standard("А.грамм", ""), standard("А.грамм", "конт"), standard("нет", "слобр")] == [
        "",
        "",
        "",
    ]


def test_all_subjects_together_know_every_code_and_subcode_with_its_kind():
    together = every_classifier()

    for subject in Subject:
        for category in classifier_of(subject).categories:
            known = together.find(category.code)
            assert known is not None
            assert known.kind is category.kind, category.code
            for each in category.subcategories:
                assert known.subcategory(each.code) is not None, (category.code, each.code)
    folded = [fold(category.code) for category in together.categories]
    assert len(set(folded)) == len(folded)


def test_a_plain_classifier_has_the_given_codes_and_the_correction():
    plain = plain_classifier({"БЛОК": (Kind.BLOCK, []), "х.код": (Kind.MISTAKE, ["а", "б"])})

    assert [(each.code, each.kind) for each in plain.categories] == [
        ("ИСП", Kind.MISTAKE),
        ("БЛОК", Kind.BLOCK),
        ("х.код", Kind.MISTAKE),
    ]
    assert plain.find("Х.КОД").subcategory("Б").code == "б"
    assert isinstance(plain.find("блок"), Category)
