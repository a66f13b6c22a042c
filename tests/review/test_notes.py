"""Messages of experts about a check: written and answered once, told by letter once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client

from accounts.models import AuditEntry
from annotator.models import Assignment
from review.models import Letter, Note
from review.services.letters import message_id, send_letter
from review.services.notes import OFTEN, answer_note, write_note
from review.services.terms import choose_language
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.review.deadlines import expert, work_off
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return expert(username="carla", full_name="Carla", role="coordinator")


@pytest.fixture
def check():
    essay = EssayFactory(number="0001", essay_set__name="Spring")
    return AssignmentFactory(essay=essay, expert=expert(username="anna", full_name="Anna"))


def sent():
    return [(tuple(each.to), each.subject) for each in mail.outbox]


def test_a_message_is_written_once_however_often_it_is_pressed(log_in, check, coordinator):
    client, body = log_in(check.expert), {"words": "Is it\r\na copy?", "key": str(uuid4())}

    answers = [client.post(f"/assignments/{check.pk}/notes/", body) for _press in range(2)]
    work_off()
    send_letter(letter_id=Letter.objects.get().pk)

    assert [each.headers["Location"] for each in answers] == [
        f"/essays/{check.essay_id}/#notes"
    ] * 2
    assert list(Note.objects.values_list("assignment", "words")) == [(check.pk, "Is it\na copy?")]
    assert sent() == [((coordinator.email,), "Разбор: сообщение эксперта")]
    assert AuditEntry.objects.filter(action="note.written").count() == 1


def test_who_answers_among_the_problems_stays_there_and_elsewhere_at_the_essay(
    log_in, check, coordinator
):
    notes = [write_note(check=check, key=uuid4(), words=words) for words in ("One?", "Two?")]
    client = log_in(coordinator)
    (form, *_others) = page_of(client.get("/desk/problems/")).find("#notes form")
    kept = {each["name"]: each["value"] for each in form.find("input[type=hidden]")}
    kept.pop("csrfmiddlewaretoken", None)

    among = client.post(f"/notes/{notes[0].pk}/answer/", {"words": "No."} | kept)
    alone = client.post(f"/notes/{notes[1].pk}/answer/", {"words": "No."})

    assert [among["location"], alone["location"]] == [
        "/desk/problems/#h-notes",
        f"/essays/{check.essay_id}/#notes",
    ]


def test_an_answer_closes_it_and_reaches_the_expert_once(log_in, check, coordinator):
    choose_language(person=check.expert, language="en")
    note = write_note(check=check, key=uuid4(), words="Is this a copy?")
    work_off()
    client = log_in(coordinator)

    for _press in range(2):
        client.post(f"/notes/{note.pk}/answer/", {"words": "It is not."})
    work_off()

    letter = Letter.objects.get(person=check.expert)
    assert (letter.state, mail.outbox[-1].extra_headers["Message-ID"]) == (
        "sent",
        message_id(letter),
    )
    assert sent()[1:] == [((check.expert.email,), "Razbor: your message is answered")]
    assert "It is not." in mail.outbox[-1].body
    assert "Is this a copy?" in mail.outbox[-1].body
    start = log_in(check.expert).get("/queue/")
    assert texts_of(start, "[data-answers] a") == ["0001"]
    essay = log_in(check.expert).get(f"/essays/{check.essay_id}/")
    assert texts_of(essay, "#notes .words") == [
        "Is this a copy?",
        texts_of(essay, "#notes .answer")[0],
    ]
    assert texts_of(essay, "#notes .answer")[0].endswith("It is not.")


def test_coordinators_find_it_on_the_desk_among_the_problems_and_at_the_essay(log_in, check):
    write_note(check=check, key=uuid4(), words="<b>Is</b> this a copy?")
    client = log_in(PersonFactory(role="coordinator"))
    judge = log_in(PersonFactory(role="judge"))

    assert "1 message of an expert waits for an answer" in client.get("/desk/").content.decode()
    for page in ("/desk/problems/", f"/essays/{check.essay_id}/"):
        assert texts_of(client.get(page), "#notes .words") == ["<b>Is</b> this a copy?"]
        assert len(page_of(client.get(page)).find("#notes textarea")) == 1
        assert page_of(judge.get(page)).find("#notes textarea") == []


def test_two_coordinators_do_not_answer_over_each_other(check, coordinator):
    note = write_note(check=check, key=uuid4(), words="Is this a copy?")
    answer_note(note=note, words="Yes.", actor=coordinator)

    with pytest.raises(Conflict, match="Carla has answered meanwhile"):
        answer_note(note=note, words="No.", actor=PersonFactory(role="coordinator"))

    assert Note.objects.get().answer == "Yes."


def test_a_letter_about_what_is_answered_by_now_is_not_sent(check, coordinator):
    note = write_note(check=check, key=uuid4(), words="Is this a copy?")
    answer_note(note=note, words="Yes.", actor=coordinator)

    work_off()

    assert sent() == [((check.expert.email,), "Разбор: на ваше сообщение ответили")]
    assert Letter.objects.get(person=coordinator).state == "void"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "Write something."),
        ("  \n ", "Write something."),
        ("x" * 2001, "At most 2000 signs; these are 2001. Make it shorter."),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_what_cannot_be_sent_says_why_and_keeps_the_words(log_in, check, words, reason):
    response = log_in(check.expert).post(
        f"/assignments/{check.pk}/notes/", {"words": words, "key": str(uuid4())}
    )

    assert response.status_code == 422
    assert texts_of(response, "[role=alert]") == [reason]
    assert page_of(response).one("textarea").raw.removeprefix("\n") == words
    assert not Note.objects.exists()


def test_two_thousand_signs_with_line_breaks_are_taken(log_in, check):
    words = "x\r\n" * 999 + "xx"

    log_in(check.expert).post(
        f"/assignments/{check.pk}/notes/", {"words": words, "key": str(uuid4())}
    )

    assert len(Note.objects.get().words) == 2000


def test_nobody_writes_more_than_so_many_an_hour(check):
    for number in range(OFTEN.tries):
        write_note(check=check, key=uuid4(), words=f"{number}")

    with pytest.raises(Refused, match="You wrote 20 messages within an hour"):
        write_note(check=check, key=uuid4(), words="one more")

    assert Note.objects.count() == OFTEN.tries


def test_a_key_belongs_to_one_message_of_one_check(check):
    key = uuid4()
    write_note(check=check, key=key, words="Is this a copy?")

    for other in (check, AssignmentFactory(expert=check.expert)):
        with pytest.raises(Conflict, match="Another message was sent with this form"):
            write_note(check=other, key=key, words="Another one")


@pytest.mark.parametrize(
    ("key", "status", "reason"),
    [
        ("", 422, "This form is out of date. Read your words and send them once more."),
        ("no key", 422, "This form is out of date. Read your words and send them once more."),
        ("used", 409, "Another message was sent with this form. Send this one too, if it is meant"),
    ],
)
def test_words_of_a_form_that_does_not_count_are_sent_by_one_more_press(
    log_in, check, key, status, reason
):
    path, client, used = f"/assignments/{check.pk}/notes/", log_in(check.expert), uuid4()
    write_note(check=check, key=used, words="Is this a copy?")

    refused = client.post(path, {"words": "Line 3", "key": str(used) if key == "used" else key})
    form = page_of(refused)
    again = {"words": form.one("textarea").text, "key": form.one("main input[name=key]")["value"]}
    sent_again = client.post(path, again)

    assert (refused.status_code, sent_again.status_code) == (status, 302)
    assert texts_of(refused, "[role=alert]")[0].startswith(reason)
    assert list(Note.objects.order_by("pk").values_list("words", flat=True)) == [
        "Is this a copy?",
        "Line 3",
    ]


def test_a_stranger_neither_writes_nor_reads_nor_answers(log_in, check):
    note = write_note(check=check, key=uuid4(), words="Zanzibar")
    other = AssignmentFactory(essay=check.essay, role="second", state="submitted")
    submitted(check.essay, assignment=other)
    body = {"words": "x", "key": str(uuid4())}

    found = {
        role: [
            log_in(person).post(f"/assignments/{check.pk}/notes/", body).status_code,
            log_in(person).post(f"/notes/{note.pk}/answer/", body).status_code,
            "Zanzibar" in log_in(person).get(f"/essays/{check.essay_id}/").content.decode(),
        ]
        for role, person in {
            "expert of the same essay": other.expert,
            "participant": PersonFactory(role="participant"),
            "judge": PersonFactory(role="judge"),
            "the expert": check.expert,
        }.items()
    }

    assert found == {
        "expert of the same essay": [404, 403, False],
        "participant": [403, 403, False],
        "judge": [403, 403, True],
        "the expert": [302, 403, True],
    }
    for address in (f"/assignments/{check.pk}/notes/", f"/notes/{note.pk}/answer/"):
        assert Client().post(address, body).headers["Location"].startswith("/login/")


def test_who_lost_the_check_writes_nothing_about_it(log_in, check):
    Assignment.objects.update(state="withdrawn")

    response = log_in(check.expert).post(
        f"/assignments/{check.pk}/notes/", {"words": "x", "key": str(uuid4())}
    )

    assert response.status_code == 404
