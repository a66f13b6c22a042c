"""What an import's page tells of each file: its check, its folder, its reasons."""

from __future__ import annotations

import pytest

from annotator.models.imports import EssayImport, ImportUpload
from tests.annotator.files import MARKED, PLAIN, exchanged, selection, upload, zipped
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of

HINT = "If the essay itself is to change, make a new version of it on its page."
pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def send(log_in, coordinator):
    """Choose files and look at what they would do."""

    def post(*files):
        fields = {"essay_set": EssaySetFactory().pk, "subject": "", "files": list(files)}
        return log_in(coordinator).post("/import/", fields, follow=True)

    return post


@pytest.fixture
def confirm(log_in, coordinator):
    """Say the word about the latest preview."""

    def post():
        batch = EssayImport.objects.latest("pk")
        return log_in(coordinator).post(f"/imports/{batch.pk}/confirm/", follow=True)

    return post


def outcomes(response):
    return texts_of(response, "table.files tbody tr")


def test_the_preview_names_the_check_that_each_markup_becomes(send, confirm):
    PersonFactory(role="participant", username="lynx")
    far_off = [
        selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")
    ]
    apart = {"0001_exp2.json": far_off}
    names = ["0001.json", *(f"0001_exp{number}.json" for number in (1, 2, 3, 4)), "0001_lynx.json"]
    files = [exchanged(name, selections=apart.get(name, ())) for name in names]

    shown = outcomes(send(*(upload(file.name, file.data) for file in files)))

    expected = [
        "0001.json new essay",
        "0001_exp1.json markup first check",
        "0001_exp2.json markup second check",
        "0001_exp3.json markup third check",
        (
            "0001_exp4.json markup beside the checks A further markup: the checks of this essay "
            "are held by others. It is kept beside them."
        ),
        "0001_lynx.json markup",
    ]
    assert [shown, outcomes(confirm())] == [expected] * 2


def test_reasons_and_remarks_are_told_in_the_language_of_whoever_reads_them(
    send, confirm, log_in, coordinator
):
    send(
        upload("0001.txt", PLAIN),
        upload("0001_exp1.txt", MARKED.replace("А.лекс", "А.лек")),
        upload("0002.docx", "x"),
        upload("0003.json", "{"),
    )
    batch = EssayImport.objects.get()

    def in_russian():
        client = log_in(coordinator)
        page = client.get(f"/imports/{batch.pk}/", headers={"accept-language": "ru"})
        return texts_of(page, "td.reason")

    shown = in_russian()
    confirm()

    remark = (
        "строка 5, столбец 16: Кода «А.лек» нет в классификаторе, он пропущен. "
        "Проверьте, как он написан."
    )
    expected = [
        "отказ Читаются только файлы .txt, .json и .zip.",
        "отказ строка 1, столбец 2: Это не JSON. Проверьте здесь кавычки, запятые и скобки.",
        "новое эссе",
        f"разметка первая проверка {remark}",
    ]
    assert [shown, in_russian()] == [expected] * 2


def test_files_of_one_name_in_two_folders_are_told_apart(send, confirm):
    archive = zipped(("a/0001.txt", PLAIN), ("b/0001.txt", PLAIN.replace("Some", "Many")))
    expected = [
        f"b/0001.txt refused The text differs from that of essay 0001. {HINT}",
        "a/0001.txt new essay",
    ]

    shown = outcomes(send(upload("essays.zip", archive)))

    assert [each.split(" line ")[0].removesuffix(" ") for each in shown] == expected
    assert outcomes(confirm()) == shown


def test_what_was_odd_in_a_file_is_listed_below_its_name(send):
    files = upload("0001.txt", PLAIN), upload("0001_exp1.txt", MARKED.replace("А.лекс", "А.лек"))

    remark = "The code “А.лек” is not in the classifier and was left out. Check its spelling."
    assert texts_of(send(*files), ".remarks li") == [f"line 5, column 16: {remark}"]


def test_more_than_200_files_are_refused_with_the_limit_and_the_remedy(send):
    response = send(*(upload(f"{number}.txt", PLAIN) for number in range(201)))

    assert (response.status_code, texts_of(response, ".page-head p")) == (
        400,
        [
            (
                "At most 200 files can be sent at once. Nothing was taken. "
                "Pack them into a ZIP archive and send that."
            )
        ],
    )
    assert (EssayImport.objects.count(), ImportUpload.objects.count()) == (0, 0)


def test_200_files_are_taken(send):
    send(*(upload(f"{number}.txt", PLAIN) for number in range(200)))

    assert EssayImport.objects.get().essays == 200


def test_a_name_of_a_file_is_escaped(send):
    response = send(upload("<b>.docx", "x"))

    assert outcomes(response) == ["<b>.docx refused Only .txt, .json and .zip files can be read."]


def test_files_that_were_remarked_on_may_be_looked_at_alone(send, log_in, coordinator):
    strange = MARKED.replace("А.", "А.нет")
    send(upload("0001.txt", PLAIN), upload("0001_exp1.txt", strange))
    batch = EssayImport.objects.get()

    alone = log_in(coordinator).get(f"/imports/{batch.pk}/?outcome=remarked")

    assert [line.split()[0] for line in outcomes(alone)] == ["0001_exp1.txt"]
    assert "With remarks 1" in texts_of(alone, ".tab[aria-current]")


def test_without_any_set_the_form_leads_to_a_new_one(log_in, coordinator):
    found = []
    for make in (None, EssaySetFactory):
        if make:
            make()
        page = page_of(log_in(coordinator).get("/import/"))
        found.append([each["href"] for each in page.find("#no-sets a")])

    assert found == [["/sets/new/"], []]


def test_an_import_without_markups_says_nothing_of_third_checks(send, confirm):
    send(upload("0001.json", exchanged("0001.json").data))

    assert "third check" not in texts_of(confirm(), "main")[0]
