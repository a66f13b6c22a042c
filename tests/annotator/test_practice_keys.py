"""The key of a practice essay: from a file or a markup, who gives it, how long it is replaced."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction

from accounts.models import AuditEntry
from annotator.models import EssaySet, MarkupRecord
from annotator.queries.practice import key_of
from annotator.services.giving_keys import give_keys
from annotator.services.practising import give_key, read_key, start_try, take_as_key
from annotator.services.versions import replace_essay
from tests.annotator.files import MARKED, PLAIN, TEXT
from tests.annotator.practising import KEY, practice_essay, tried
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def expert():
    return PersonFactory(full_name="Anna")


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator", full_name="Natalia")


def upload(client, essay, name, text, seen=None):
    """Send a file as the key, from a page that showed the present one unless it is said."""
    file, present = SimpleUploadedFile(name, text.encode()), key_of(essay)
    known = seen if seen is not None else present.pk if present else 0
    return client.post(f"/essays/{essay.pk}/key/", {"file": file, "seen": known})


def test_a_file_becomes_the_key_and_may_be_replaced(log_in, coordinator):
    essay = practice_essay(has_key=False, text=TEXT, number="7")
    client = log_in(coordinator)

    answers = [upload(client, essay, "7.txt", MARKED) for _ in range(2)]
    first = key_of(essay)
    again = json.dumps(
        {
            "text": TEXT,
            "selections": [
                {
                    "startSelection": 0,
                    "endSelection": 4,
                    "type": "А.грамм",
                    "group": "error",
                    "id": 1,
                }
            ],
            "meta": {},
        }
    )
    upload(client, essay, "7.json", again)

    assert [each["Location"] for each in answers] == [f"/essays/{essay.pk}/"] * 2
    keys = MarkupRecord.objects.filter(essay=essay).order_by("pk")
    assert [(each.source, each.state) for each in keys] == [
        ("key", "superseded"),
        ("key", "submitted"),
    ]
    trail = AuditEntry.objects.filter(action="key.given").order_by("pk")
    assert [(each.actor, each.details) for each in trail] == [
        (coordinator, {"essay": essay.pk, "taken": None, "former": None}),
        (coordinator, {"essay": essay.pk, "taken": None, "former": first.pk}),
    ]
    assert keys[1].file_name == "7_key.json"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("7.txt", PLAIN, "Nothing is marked in this file"),
        ("7.txt", MARKED.replace("sport", "chess"), "The text differs from that of essay 7"),
        ("7.docx", "PK\x03\x04", "The file is no text but"),
        ("7.txt", MARKED.replace("А.лекс", "А.нету"), "The code “А.нету” is not in the classifier"),
        ("7.json", "{", "line 1"),
    ],
)
def test_a_file_that_is_no_key_is_refused_on_the_page(log_in, coordinator, name, text, reason):
    essay = practice_essay(has_key=False, text=TEXT, number="7")

    answer = upload(log_in(coordinator), essay, name, text)

    assert (answer.status_code, key_of(essay)) == (422, None)
    assert reason in page_of(answer).one("form[enctype]").text


def test_without_a_file_the_form_says_so(log_in, coordinator):
    essay = practice_essay()

    answer = log_in(coordinator).post(f"/essays/{essay.pk}/key/")

    said = page_of(answer).one("form[enctype]").text
    assert answer.status_code == 422
    assert "Choose a file, or one of the markups below." in said


def test_of_several_markups_in_a_file_none_is_guessed():
    essay = practice_essay(has_key=False, text=TEXT)
    mark = {"id": 1, "startSelection": 0, "endSelection": 4, "type": "А.грамм", "group": "error"}
    markups = [{"expert": name, "selections": [mark]} for name in ("exp1", "exp2")]
    whole = {"essay": {"meta": {"id": "7", "subject": "eng"}, "text": TEXT, "markups": markups}}

    with pytest.raises(Refused, match="The file holds 2 markups"):
        read_key(essay=essay, name="7.json", data=json.dumps(whole).encode())


def test_a_check_of_the_same_text_is_taken_as_the_key(log_in, coordinator):
    essay = practice_essay(has_key=False)
    check = submitted(EssayFactory(), *KEY)
    other_text = submitted(EssayFactory(text="Some other people."), fragment(0, 4))
    client = log_in(coordinator)
    page = f"/essays/{essay.pk}/key/"

    offered = [each["value"] for each in page_of(client.get(page)).find("td [name=markup]")]
    statuses = [client.post(page, {"markup": each.pk}).status_code for each in (other_text, check)]

    key = key_of(essay)
    assert offered == [str(check.pk)]
    assert (statuses, key.to_core(), key.author) == ([422, 302], check.to_core(), coordinator)
    (entry,) = AuditEntry.objects.filter(action="key.given")
    assert entry.details == {"essay": essay.pk, "taken": check.pk, "former": None}


def test_once_somebody_has_seen_the_key_only_a_new_version_takes_another_one(coordinator, expert):
    essay = practice_essay()
    first, record = key_of(essay), tried(essay, expert)
    start_try(essay=essay, expert=expert)  # a new try does not undo that the key was seen
    check = submitted(EssayFactory(), fragment(0, 4))

    with pytest.raises(Refused, match=r"has submitted a try of essay \d+ and seen its key"):
        take_as_key(essay=essay, record=check, seen=first.pk, actor=coordinator)
    made = replace_essay(essay=essay, text=essay.text, reason="A better key", actor=coordinator)
    take_as_key(essay=made.essay, record=check, seen=0, actor=coordinator)

    assert (key_of(essay), key_of(made.essay).to_core()) == (first, check.to_core())
    record.refresh_from_db()
    assert (record.essay_id, record.state) == (essay.pk, "superseded")


def test_a_draft_does_not_keep_the_key_from_being_replaced(coordinator, expert):
    essay = practice_essay()
    start_try(essay=essay, expert=expert)
    check = submitted(EssayFactory(), fragment(0, 4))

    seen = key_of(essay).pk
    key = take_as_key(essay=essay, record=check, seen=seen, actor=coordinator)

    assert key_of(essay) == key


def test_only_essays_of_practice_have_a_key(log_in, coordinator):
    essay = EssayFactory()
    check = submitted(EssayFactory(), *KEY)

    with pytest.raises(Refused, match="Only essays of practice sets have a key"):
        take_as_key(essay=essay, record=check, seen=0, actor=coordinator)
    assert log_in(coordinator).get(f"/essays/{essay.pk}/key/").status_code == 404


def test_an_essay_has_one_key():
    essay = practice_essay()

    with pytest.raises(IntegrityError), transaction.atomic():
        submitted(essay, source=MarkupRecord.Source.KEY)


@pytest.mark.parametrize("role", ["expert", "participant", "judge"])
def test_a_stranger_gives_no_key(log_in, role):
    essay = practice_essay(has_key=False, text=TEXT)
    client = log_in(PersonFactory(role=role))

    statuses = [client.get(f"/essays/{essay.pk}/key/").status_code]
    statuses.append(upload(client, essay, "7.txt", MARKED).status_code)

    assert (statuses, key_of(essay)) == ([403, 403], None)


def test_the_same_key_given_again_is_the_same_key(coordinator):
    essay = practice_essay(has_key=False, text=TEXT)
    file = read_key(essay=essay, name="7.txt", data=MARKED.encode()).file

    keys = [give_key(essay=essay, file=file, seen=0, actor=coordinator) for _ in range(2)]

    assert keys[0] == keys[1]


OTHER = MARKED.replace("А.лекс", "А.грамм")


def seen_on(page):
    """Which key a page showed, as each of its forms says."""
    (seen,) = {each["value"] for each in page_of(page).find("input[name=seen]")}
    return seen


def test_of_two_who_give_an_essay_another_key_at_once_the_second_is_told(log_in, coordinator):
    essay = practice_essay(has_key=False, text=TEXT, number="7")
    check = submitted(EssayFactory(text=TEXT, subject=essay.subject), fragment(0, 4))
    one, other = (log_in(each) for each in (coordinator, PersonFactory(role="organiser")))
    seen = seen_on(other.get(f"/essays/{essay.pk}/key/"))

    upload(one, essay, "7.txt", MARKED)
    given = key_of(essay)
    refused = [
        upload(other, essay, "7.txt", OTHER, seen=seen),
        other.post(f"/essays/{essay.pk}/key/", {"markup": check.pk, "seen": seen}),
    ]

    assert [each.status_code for each in refused] == [409, 409]
    told = "Somebody gave essay 7 another key meanwhile. Look at it first."
    assert all(told in texts_of(each, "#notice")[0] for each in refused)
    assert key_of(essay) == given
    seen = seen_on(other.get(f"/essays/{essay.pk}/key/"))
    assert upload(other, essay, "7.txt", OTHER, seen=seen).status_code == 302
    assert key_of(essay) != given


def test_of_two_who_send_all_keys_of_a_set_at_once_the_second_is_told(log_in, coordinator):
    essay = practice_essay(has_key=False, text=TEXT, number="7")
    address = f"/sets/{essay.essay_set_id}/keys/"
    one, other = (log_in(each) for each in (coordinator, PersonFactory(role="organiser")))
    seen = seen_on(other.get(address))

    one.post(address, {"files": [of_zip(**{"7": MARKED})], "seen": seen_on(one.get(address))})
    given = key_of(essay)
    refused = other.post(address, {"files": [of_zip(**{"7": OTHER})], "seen": seen})

    assert texts_of(refused, "tbody tr") == [
        "7.txt refused Somebody gave essay 7 another key meanwhile. Look at it first."
    ]
    assert (refused.status_code, key_of(essay)) == (422, given)
    kept = other.post(address, {"files": [of_zip(**{"7": OTHER})], "seen": seen_on(refused)})
    assert texts_of(kept, "#given span") == ["New keys: 1. The same as before: 0."]


def of_zip(**members):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in members.items():
            archive.writestr(f"{name}.txt", text)
    return SimpleUploadedFile("keys.zip", held.getvalue())


def test_all_keys_of_a_set_come_in_at_once_and_what_is_refused_is_listed(log_in, coordinator):
    essay_set = EssaySetFactory(access=EssaySet.Access.PRACTICE)
    essays = [
        practice_essay(has_key=False, text=TEXT, number=number, essay_set=essay_set)
        for number in ("7", "8", "9")
    ]
    client = log_in(coordinator)
    address = f"/sets/{essay_set.pk}/keys/"
    before = texts_of(client.get(address), ".page-head p")
    misspelt = MARKED.replace("А.лекс", "А.нету")
    members = {"7_exp1": MARKED, "8": MARKED, "8_exp2": MARKED, "9": PLAIN, "10": MARKED}
    members |= {"9_exp3": misspelt, "9 (1)": MARKED}

    pages = [client.post(address, {"files": [of_zip(**members)]}) for _ in range(2)]

    assert (before, texts_of(pages[0], ".page-head p")) == (
        ["3 essays, without a key: 3"],
        ["3 essays, without a key: 1"],
    )
    assert [texts_of(page, "#given span") for page in pages] == [
        ["New keys: 2. The same as before: 0."],
        ["New keys: 0. The same as before: 2."],
    ]
    assert texts_of(pages[0], "tbody tr") == [
        "8_exp2.txt refused Another file of the upload is the key of essay 8 already. Keep one.",
        "9.txt refused Nothing is marked in this file: a key needs marks.",
        "10.txt refused There is no essay 10 in this set. Import it first.",
        (
            "9_exp3.txt refused line 5, column 16: The code “А.нету” is not in the classifier and"
            " was left out. Check its spelling. fragment 1: The fragment has no code. Choose one."
        ),
        (
            "9 (1).txt refused The name looks like that of a copy of “9”. Leave the file out, "
            "or name it so."
        ),
    ]
    assert [key_of(essay) is not None for essay in essays] == [True, True, False]
    assert AuditEntry.objects.filter(action="key.given", actor=coordinator).count() == 2


def test_a_key_that_was_seen_is_the_same_when_it_comes_in_again(log_in, coordinator, expert):
    essay = practice_essay(has_key=False, text=TEXT, number="7")
    client = log_in(coordinator)
    upload(client, essay, "7.txt", MARKED)
    tried(essay, expert)

    page = client.post(
        f"/sets/{essay.essay_set_id}/keys/",
        {"files": [SimpleUploadedFile("7.txt", MARKED.encode())]},
    )

    assert texts_of(page, "#given span") == ["New keys: 0. The same as before: 1."]


def test_a_key_that_was_seen_stays_whatever_else_comes_in(log_in, coordinator, expert):
    essay = practice_essay(text=TEXT, number="7")
    first = key_of(essay)
    tried(essay, expert)

    page = log_in(coordinator).post(
        f"/sets/{essay.essay_set_id}/keys/",
        {"files": [SimpleUploadedFile("7.txt", MARKED.encode())]},
    )

    (line,) = texts_of(page, "tbody tr")
    assert "Somebody has submitted a try of essay 7 and seen its key" in line
    assert (page.status_code, key_of(essay)) == (422, first)


def test_without_files_the_page_says_so(log_in, coordinator):
    essay = practice_essay(has_key=False)

    page = log_in(coordinator).post(f"/sets/{essay.essay_set_id}/keys/")

    assert (page.status_code, texts_of(page, ".help.bad")) == (422, ["No files came in"])


def test_what_follows_after_too_many_files_is_not_read(coordinator, monkeypatch):
    monkeypatch.setattr("annotator.services.giving_keys.MOST_FILES", 2)
    essay = practice_essay(has_key=False, text=TEXT, number="3")
    uploads = [(f"{number}.txt", io.BytesIO(MARKED.encode())) for number in (1, 2, 3, 4)]

    found = give_keys(essay_set=essay.essay_set, uploads=uploads, seen=0, actor=coordinator)

    told = [(each.name, each.refusal[0].code) for each in found]
    assert told == [
        ("1.txt", "no-essay-for-key"),
        ("2.txt", "no-essay-for-key"),
        ("3.txt", "too-many-keys"),
    ]
    assert key_of(essay) is None


def test_a_set_that_is_checked_has_no_keys(log_in, coordinator):
    essay = EssayFactory()

    assert log_in(coordinator).get(f"/sets/{essay.essay_set_id}/keys/").status_code == 404
