from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.models.imports import EssayImport, ImportUpload
from annotator.services.archives import MAX_FILE
from annotator.services.imports import staging
from jobs.models import Job
from jobs.signals import ticked
from review.models import ThirdCheck
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, selection, upload, zipped
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import texts_of
from tests.scoring.work import run_all

HINT = "If the essay itself is to change, make a new version of it on its page."
pytestmark = pytest.mark.django_db

PAGE = "/import/"
MANAGERS = {"coordinator", "organiser", "administrator"}


@pytest.fixture
def essay_set():
    return EssaySetFactory()


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def send(log_in, coordinator, essay_set):
    """Choose files and look at what they would do."""

    def post(*files, subject="", **more):
        fields = {"essay_set": essay_set.pk, "subject": subject, "files": list(files), **more}
        return log_in(coordinator).post(PAGE, fields, follow=True)

    return post


@pytest.fixture
def confirm(log_in, coordinator):
    """Say the word about the latest preview."""

    def post(batch=None, user=None):
        batch = batch or EssayImport.objects.latest("pk")
        address = f"/imports/{batch.pk}/confirm/"
        return log_in(user or coordinator).post(address, follow=True)

    return post


def outcomes(response):
    return texts_of(response, "table.files tbody tr")


def facts(response):
    return dict(zip(texts_of(response, "dt"), map(int, texts_of(response, "dd")), strict=True))


def snapshot():
    models = [Essay, MarkupRecord, User, Assignment, Job, AuditEntry]
    return [model.objects.count() for model in models]


def test_the_page_asks_for_a_set_and_files(log_in, coordinator):
    response = log_in(coordinator).get(PAGE)

    assert response.status_code == 200
    assert texts_of(response, ".empty b") == ["Nothing imported yet"]
    assert [text for text in texts_of(response, "form.form label") if text] == [
        "Essay set",
        "Subject of files that name none",
        "Marked files may bring their essays along",
        "Files",
    ]


def test_what_will_happen_is_shown_before_anything_does(send, confirm):
    archive = zipped(("essays/0001.txt", PLAIN), ("essays/0001_exp1.txt", MARKED))
    sent = upload("essays.zip", archive), upload("0002.docx", "x")
    PersonFactory(role="coordinator")
    expected = [
        "0002.docx refused Only .txt, .json and .zip files can be read.",
        "essays/0001.txt new essay",
        "essays/0001_exp1.txt markup first check",
    ]

    shown = send(*sent)
    after_preview = snapshot()

    assert texts_of(shown, "h1") == ["What the import will do"]
    assert (outcomes(shown), after_preview[:2] + after_preview[3:]) == (expected, [0] * 5)
    assert facts(shown) == {
        "New essays": 1,
        "Markups": 1,
        "New accounts": 1,
        "Third checks called": 0,
    }
    assert texts_of(shown, "#authors li") == [
        "exp1: 1 there is no such account: a closed one will be made"
    ]

    done = confirm()

    assert (texts_of(done, "h1"), outcomes(done)) == (["What became of the files"], expected)
    assert [essay.text for essay in Essay.objects.all()] == [TEXT]
    assert texts_of(done, "#authors li") == ["exp1: 1 a closed account was made"]


def test_the_preview_names_the_essays_whose_third_check_will_be_called(send, confirm):
    mistakes = [
        selection(at, at + 4, code) for at in range(0, 60, 5) for code in ("А.лекс", "А.грамм")
    ]
    files = [
        *(exchanged(f"000{number}.json") for number in (1, 2, 3)),
        *(exchanged(f"000{number}_exp1.json") for number in (1, 2, 3)),
        *(exchanged(f"000{number}_exp2.json", selections=mistakes) for number in (1, 3)),
        exchanged("0002_exp2.json", selections=mistakes[:1]),
        exchanged("0003_exp3.json", third=True),
    ]

    shown = send(*(upload(file.name, file.data) for file in files))
    confirm()
    run_all()

    assert texts_of(shown, "#thirds") == [
        "By the rule the two checks of these essays call a third one: 0001"
    ]
    decided = ThirdCheck.objects.filter(needed=True).values_list("essay__number", flat=True)
    assert sorted(decided) == ["0001", "0003"]  # the third check of 0003 came along


def test_files_of_a_preview_are_not_sent_again_and_not_kept_after_it(send, confirm):
    send(upload("0001.txt", PLAIN))
    kept = list(ImportUpload.objects.values_list("name", "content"))

    confirm()

    assert [(name, bytes(content)) for name, content in kept] == [("0001.txt", PLAIN.encode())]
    assert list(ImportUpload.objects.all()) == []


def test_who_says_the_word_twice_is_shown_what_came_of_the_first(send, confirm):
    send(upload("0001.txt", PLAIN))
    confirm()

    again = confirm()

    assert texts_of(again, ".messages li") == ["The import is carried out already."]
    assert (texts_of(again, "h1"), Essay.objects.count()) == (["What became of the files"], 1)


def test_no_word_is_taken_for_files_that_are_forgotten(send, confirm):
    send(upload("0001.txt", PLAIN))
    EssayImport.objects.update(state="expired")

    again = confirm()

    assert again.status_code == 422
    assert texts_of(again, "#notice") == [
        "These files wait no more. Look at the list of imports, or send them."
    ]


def test_what_changed_since_the_preview_is_said(send, confirm, essay_set):
    send(upload("0001.txt", PLAIN), upload("0002.txt", PLAIN), upload("0003.txt", PLAIN))
    EssayFactory(essay_set=essay_set, number="0002", text=TEXT)
    EssayFactory(essay_set=essay_set, number="0003", text="Another one.")

    done = confirm()

    assert texts_of(done, "[role=alert]") == [
        "Something changed meanwhile: 2 files came out otherwise than was shown. They stand first."
    ]
    remark = (
        "line 4, column 1: The text differs from the essay, "
        "beginning with “Some people think that sport u”."
    )
    refused = f"0003.txt refused The text differs from that of essay 0003. {HINT}"
    assert outcomes(done) == [
        f"{refused} The preview said: new essay. {remark}",
        "0002.txt known already The preview said: new essay.",
        "0001.txt new essay It has the same text as essay 0002.",
    ]


def test_a_set_deleted_since_the_preview_is_said_to_be(send, confirm, essay_set):
    send(upload("0001.txt", PLAIN))
    essay_set.delete()

    response = confirm()

    assert (response.status_code, texts_of(response, "#notice")) == (
        422,
        ["The essay set was deleted meanwhile. Send the files for another one."],
    )


def test_files_may_be_forgotten(send, log_in, coordinator, confirm):
    send(upload("0001.txt", PLAIN))
    batch = EssayImport.objects.get()

    log_in(coordinator).post(f"/imports/{batch.pk}/drop/")

    shown = log_in(coordinator).get(f"/imports/{batch.pk}/")
    assert texts_of(shown, "[role=alert]") == []
    assert texts_of(shown, "[role=status]") == [
        "These files were not to be imported: they are forgotten."
    ]
    assert (ImportUpload.objects.count(), confirm().status_code) == (0, 422)
    assert list(Essay.objects.all()) == []


def test_files_wait_for_a_day(send, confirm):
    send(upload("0001.txt", PLAIN))
    EssayImport.objects.update(made_at=Now() - timedelta(days=1, minutes=1))

    refused = confirm()
    ticked.send(sender=None)

    assert refused.status_code == 422
    assert (ImportUpload.objects.count(), EssayImport.objects.get().state) == (0, "expired")


def test_more_than_fits_is_refused_with_the_other_way_in(send, monkeypatch):
    monkeypatch.setattr(staging, "MOST_BYTES", len(PLAIN.encode()) + 5)

    response = send(upload("0001.txt", PLAIN), upload("0002.txt", PLAIN))

    (notice,) = texts_of(response, "#notice")
    assert notice == (
        "The files are larger than 100 MB together. Send them in parts, or import them with "
        "manage.py import_essays."
    )
    assert (EssayImport.objects.count(), ImportUpload.objects.count()) == (0, 0)


NO_ARCHIVE = "This is not a ZIP archive, or it is damaged."
TOO_LARGE = "The file is larger than 5 MB."


def test_what_is_refused_as_a_whole_becomes_no_preview_and_takes_no_place(send):
    for number in range(3):
        send(upload(f"{number}.txt", PLAIN))
    before = list(EssayImport.objects.values_list("pk", "state"))

    refused = send(upload("essays.zip", "no archive"), upload("9.txt", "x" * (MAX_FILE + 1)))

    told = [f"9.txt refused {TOO_LARGE}", f"essays.zip refused {NO_ARCHIVE}"]
    assert (refused.status_code, sorted(outcomes(refused))) == (422, told)
    assert "Nothing was kept." in texts_of(refused, "[role=alert]")[0]
    assert list(EssayImport.objects.values_list("pk", "state")) == before
    assert ImportUpload.objects.count() == 3


def test_of_refused_files_beside_good_ones_only_the_reason_is_kept(send, confirm):
    files = {"essays.zip": "no archive", "9.txt": "x" * (MAX_FILE + 1), "0001.txt": PLAIN}
    shown = send(*(upload(name, contents) for name, contents in files.items()))

    kept = {row.name: len(row.content) for row in ImportUpload.objects.all()}
    assert kept == {"essays.zip": 0, "9.txt": 0, "0001.txt": len(PLAIN.encode())}
    done = outcomes(confirm())
    assert sorted(done) == sorted(outcomes(shown))
    assert {f"9.txt refused {TOO_LARGE}", f"essays.zip refused {NO_ARCHIVE}"} < set(done)


def test_nobody_but_its_sender_sees_or_confirms_a_preview(send, confirm, log_in):
    send(upload("0001.txt", PLAIN))
    batch = EssayImport.objects.get()
    other = PersonFactory(role="coordinator")

    seen = log_in(other).get(f"/imports/{batch.pk}/").status_code

    assert (seen, confirm(user=other).status_code) == (404, 404)
    assert list(Essay.objects.all()) == []


def test_a_second_import_of_the_same_files_says_so(send, confirm):
    send(upload("0001.txt", PLAIN))
    confirm()

    shown = send(upload("0001.txt", PLAIN))

    assert outcomes(shown) == ["0001.txt known already"]
    assert texts_of(shown, "[role=status]") == [
        "There is nothing to import: each file is known or refused."
    ]
    assert texts_of(shown, ".page-head .btn") == ["Do not import"]


def test_the_subject_is_chosen_for_files_that_name_none(send, confirm):
    send(upload("0001.txt", TEXT), subject="social")
    confirm()

    assert Essay.objects.get().subject == "social"


def test_a_marked_file_brings_its_essay_along_where_that_is_chosen(send, confirm):
    shown = send(upload("0001_exp1.txt", MARKED), from_markups="on")
    confirm()

    assert (facts(shown)["New essays"], outcomes(shown)) == (
        1,
        ["0001_exp1.txt markup first check"],
    )
    assert [essay.text for essay in Essay.objects.all()] == [TEXT]


def test_no_files_at_all_are_said_to_be_none(send):
    assert texts_of(send(), ".help.bad") == ["No files came in"]


def test_the_files_of_one_outcome_may_be_looked_at_alone(send, log_in, coordinator):
    send(upload("0001.txt", PLAIN), upload("0002.docx", "x"))
    batch = EssayImport.objects.get()

    shown = log_in(coordinator).get(f"/imports/{batch.pk}/?outcome=refused")

    assert texts_of(shown, ".tab") == [
        "All",
        "New essay 1",
        "Markup 0",
        "Known already 0",
        "Refused 1",
    ]
    assert len(outcomes(shown)) == 1


def test_a_preview_of_many_files_costs_as_much_as_of_few(send, log_in, coordinator):
    def cost(count):
        files = [(f"{number:04}.txt", PLAIN) for number in range(count)]
        marked = [(f"{number:04}_exp1.txt", MARKED) for number in range(count)]
        send(upload("essays.zip", zipped(*files, *marked)))
        client = log_in(coordinator)
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/imports/{EssayImport.objects.latest('pk').pk}/")
        return len(asked)

    assert cost(2) == cost(60)


@pytest.mark.parametrize("number", ["", "0", "x", "9" * 30])
def test_an_unknown_set_takes_no_files(log_in, coordinator, number):
    response = log_in(coordinator).post(
        PAGE, {"essay_set": number, "files": [upload("1.txt", PLAIN)]}
    )

    assert response.status_code == 422
    assert list(EssayImport.objects.all()) == []


def test_the_importer_stands_in_the_audit_trail_whoever_marked(send, confirm, coordinator):
    send(upload("0001.txt", PLAIN), upload("0001_exp1.txt", MARKED))
    confirm()

    entries = AuditEntry.objects.order_by("pk")
    assert list(entries.values_list("action", "actor")) == [
        (action, coordinator.pk)
        for action in ("essay.imported", "person.made", "markup.submitted", "import.done")
    ]
    assert entries.last().details == {
        "set": EssayImport.objects.get().set_name,
        "essays": 1,
        "markups": 1,
        "known": 0,
        "refused": 0,
        "accounts": 1,
    }


@pytest.mark.parametrize("role", User.Role.values)
def test_only_those_who_manage_import(people, log_in, essay_set, role):
    client = log_in(people[role])
    fields = {"essay_set": essay_set.pk, "files": [upload("0001.txt", PLAIN)]}

    statuses = (client.get(PAGE).status_code, client.post(PAGE, fields).status_code)

    assert statuses == ((200, 302) if role in MANAGERS else (403, 403))
    assert EssayImport.objects.exists() == (role in MANAGERS)
    assert Essay.objects.count() == 0


def test_a_stranger_is_asked_to_log_in(essay_set):
    response = Client().post(PAGE, {"essay_set": essay_set.pk, "files": [upload("1.txt", PLAIN)]})

    assert (response.status_code, EssayImport.objects.count()) == (302, 0)
    assert response.headers["Location"].startswith(reverse("accounts:login"))
