"""The page of SpaCE2022 as its reader meets it: figures, files that cannot be read, strangers."""

from __future__ import annotations

import pytest

from jobs.models import Job
from schemes.models import SchemeRun
from schemes.services import quotas
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.inputs import do_all, form_of, scored
from tests.schemes.pages import errors_of

pytestmark = pytest.mark.django_db
PAGE = "/schemes/space2022/"
NO_JSON = {
    "en": "line 1, column 3: This is not JSON. Look at the quotes, commas and brackets here.",
    "ru": "строка 1, столбец 3: Это не JSON. Проверьте здесь кавычки, запятые и скобки.",
}
FULL = {
    "en": "You have 1 runs that are not finished. Wait for them or delete some.",
    "ru": "Незаконченных прогонов: 1. Дождитесь их или удалите лишние.",
}


@pytest.mark.parametrize(
    ("language", "figures", "items"),
    [
        (
            "en",
            {
                "element F1 (ranks)": "0.3750",
                "text F1": "0.3750",
                "type accuracy": "0.5000",
                "questions": "4",
                "not perfect": "3",
            },
            [
                "1 C1 – C1 0.5 0.5 right hit 3, missed 6, extra 0 partly right why 1",
                "2 C1 – C2 1 1 right hit 6, missed 0, extra 0 right why 2",
                "3 – 0 0 wrong no character hit wrong why 3",
                "4 – 0 0 wrong no prediction no answer why 4",
            ],
        ),
        (
            "ru",
            {
                "F1 по элементам (определяет место)": "0,3750",
                "F1 по тексту": "0,3750",
                "точность типа": "0,5000",
                "вопросов": "4",
                "с ошибками": "3",
            },
            [
                "1 C1 – C1 0,5 0,5 верно найдено 3, пропущено 6, лишних 0 частично верно почему 1",
                "2 C1 – C2 1 1 верно найдено 6, пропущено 0, лишних 0 верно почему 2",
                "3 – 0 0 неверно ни один знак не совпал неверно почему 3",
                "4 – 0 0 неверно нет ответа модели нет ответа почему 4",
            ],
        ),
    ],
)
def test_a_good_file_has_its_figures_and_a_line_for_every_question(
    browser, language, figures, items
):
    sent = browser.post(PAGE, form_of("space2022", name="Mine"))
    do_all()

    shown = browser.get(sent["Location"], headers={"Accept-Language": language})

    page = page_of(shown)
    facts = page.find("#outcome dl.facts div")
    assert {each.one("dt").text: each.one("dd").text for each in facts} == figures
    assert texts_of(shown, "#items tbody tr") == items


@pytest.mark.parametrize(
    ("language", "source", "label", "error"),
    [
        ("en", "answers", "Questions with reference reasons", NO_JSON["en"]),
        ("ru", "answers", "Вопросы с эталонными причинами", NO_JSON["ru"]),
        ("en", "predictions", "Predicted reasons", NO_JSON["en"]),
        ("ru", "predictions", "Предсказанные причины", NO_JSON["ru"]),
    ],
)
def test_a_file_that_is_no_json_is_refused_at_its_field(browser, language, source, label, error):
    form = form_of("space2022", **{source: "[{]"})

    refused = browser.post(PAGE, form, headers={"Accept-Language": language})

    assert (refused.status_code, errors_of(refused)) == (422, {label: error})
    assert (SchemeRun.objects.count(), Job.objects.count()) == (0, 0)


def test_one_broken_line_of_predictions_is_told_and_the_others_are_scored(browser):
    good = form_of("space2022")["predictions"]

    sent = browser.post(PAGE, form_of("space2022", predictions=f"{good}\n{{\n"))
    do_all()

    shown = browser.get(sent["Location"])
    assert texts_of(shown, "#outcome .remarks li")[0] == (
        "predictions, line 5, record 4: This is not JSON. Look at the quotes, commas and brackets "
        "here."
    )
    assert len(page_of(shown).find("#items tbody tr")) == 4


def test_a_stranger_finds_neither_the_run_nor_what_it_offers(log_in, client):
    run = scored(PersonFactory(), "space2022")
    addresses = [f"/schemes/runs/{run.uuid}/{each}" for each in ("", "items/1/", "csv/", "json/")]
    stranger = log_in(PersonFactory(role="participant"))

    statuses = [stranger.get(address).status_code for address in addresses]
    dropped = stranger.post(f"{addresses[0]}drop/").status_code
    client.logout()

    assert (statuses, dropped, SchemeRun.objects.count()) == ([404] * 4, 404, 1)
    assert client.get(PAGE)["Location"] == f"/login/?next={PAGE}"
    assert [client.get(address).status_code for address in addresses] == [302] * 4


@pytest.mark.parametrize(("language", "told"), FULL.items())
def test_who_has_too_many_runs_under_way_is_told_so(browser, monkeypatch, language, told):
    monkeypatch.setattr(quotas, "WAITING", 1)
    browser.post(PAGE, form_of("space2022"))

    refused = browser.post(PAGE, form_of("space2022"), headers={"Accept-Language": language})

    assert (refused.status_code, texts_of(refused, ".notice")) == (422, [told])
    assert SchemeRun.objects.count() == 1
