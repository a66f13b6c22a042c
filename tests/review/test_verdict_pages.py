from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services.audit import audit
from annotator.models import EssayImport, MarkupRecord
from review.models import ExpertConflict, SetProtocol, Verdict
from review.services.assigning import assign_expert
from review.services.verdicts import seen_of
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.review.verdicts import a_check, approve, give_back, judge, member, settled_set, verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return settled_set()


def path(essay_set, rest=""):
    return f"/verdicts/sets/{essay_set.pk}/{rest}"


def say(client, essay_set, kind, reason="", seen=None):
    body = {"kind": kind, "reason": reason, "seen": seen or seen_of(essay_set)}
    return client.post(path(essay_set, "say/"), body)


def questions_of(client, essay_set):
    """The buttons of the page of a set, each with the address of its question."""
    forms = page_of(client.get(path(essay_set))).find("form")
    found = [each for each in forms if each.attributes.get("action", "").endswith("/say/")]
    if not found:
        return {}
    seen = found[0].one("input[name=seen]")["value"]
    buttons = [each["value"] for each in found[0].find("button")]
    return {kind: path(essay_set, f"say/?seen={seen}&kind={kind}") for kind in buttons}


def answer_to(client, question):
    """What the question would send, as it is."""
    (form,) = page_of(client.get(question)).find("main form[method=post]")
    return {each["name"]: each.attributes.get("value", "") for each in form.find("input")}


def test_the_first_page_of_a_judge_names_what_waits(essay_set, log_in):
    EssayFactory(essay_set=EssaySetFactory(name="Later"))
    client = log_in(judge())

    page = client.get("/", follow=True)

    assert page.redirect_chain == [("/verdicts/", 302)]
    assert texts_of(page, ".page-head p") == ["1 set waits for you"]
    assert texts_of(page, "th.a-name a") == ["March", "Later"]
    assert texts_of(page, "td .badge") == ["waits for the judges", "being checked"]
    assert texts_of(page, "td b") == ["waits for you"]
    verify(essay_set)
    assert texts_of(log_in(member()).get("/verdicts/"), ".page-head p") == ["1 set waits for you"]
    assert "Judges verify" in texts_of(client.get("/verdicts/"), ".page-head p")[0]


def test_judges_and_then_the_commission_are_asked_and_say_it(essay_set, log_in):
    first, second = log_in(judge(full_name="Anna")), log_in(member(full_name="Boris"))
    assert questions_of(second, essay_set) == {}

    questions = questions_of(first, essay_set)
    fields = answer_to(first, questions["verified"])
    assert (list(questions), Verdict.objects.count()) == (["verified", "returned"], 0)
    answer = first.post(path(essay_set, "say/"), fields | {"reason": " fine "})

    assert (answer.status_code, answer["Location"]) == (302, path(essay_set))
    assert questions_of(first, essay_set) == {}
    questions = questions_of(second, essay_set)
    assert list(questions) == ["approved", "returned"]
    second.post(path(essay_set, "say/"), answer_to(second, questions["approved"]))
    said = Verdict.objects.order_by("pk").values_list("kind", "who__full_name", "reason")
    assert list(said) == [("verified", "Anna", "fine"), ("approved", "Boris", "")]
    assert questions_of(second, essay_set) == {}


def test_the_question_says_that_a_verdict_stays(essay_set, log_in):
    client = log_in(judge())
    questions = questions_of(client, essay_set)

    asked = {kind: client.get(address) for kind, address in questions.items()}

    assert {kind: texts_of(page, "h1") for kind, page in asked.items()} == {
        "verified": ["Verify the results of “March”?"],
        "returned": ["Return the set “March”?"],
    }
    for page in asked.values():
        assert texts_of(page, ".notice.warn") == [
            "A verdict stays as it is said: it cannot be changed or taken back."
        ]
    reasons = {kind: page_of(page).one("textarea").attributes for kind, page in asked.items()}
    assert {kind: "required" in each for kind, each in reasons.items()} == {
        "verified": False,
        "returned": True,
    }


def test_nobody_is_asked_what_others_are_to_say_or_what_is_said_already(essay_set, log_in):
    first, second = log_in(judge()), log_in(member())
    address = path(essay_set, "say/")
    asked = [(first, "approved"), (second, "verified"), (first, ""), (first, "nothing")]

    answers = [who.get(address, {"kind": kind}) for who, kind in asked]
    verify(essay_set)
    answers.append(first.get(address, {"kind": "verified"}))

    assert [(each.status_code, each["Location"]) for each in answers] == [
        (302, path(essay_set))
    ] * len(answers)


def test_what_changed_while_somebody_was_asked_is_looked_at_again(essay_set, log_in):
    client = log_in(judge())
    fields = answer_to(client, questions_of(client, essay_set)["verified"])
    give_back(essay_set)

    assert client.post(path(essay_set, "say/"), fields).status_code == 409


def test_nobody_says_what_others_are_to_say(essay_set, log_in):
    for who, kind in ((judge(), "approved"), (member(), "verified")):
        assert say(log_in(who), essay_set, kind).status_code == 422
    assert say(log_in(judge()), essay_set, "nothing").status_code == 422
    assert say(log_in(judge()), essay_set, "returned").status_code == 422
    answer = say(log_in(judge()), essay_set, "verified", seen="another page")
    assert answer.status_code == 409
    back = page_of(answer).one("main").find(".row-tools a")[0]
    assert back["href"] == path(essay_set)
    for role in ("coordinator", "administrator", "expert", "participant"):
        expected = 422 if role in ("coordinator", "administrator") else 403
        answer = say(log_in(PersonFactory(role=role)), essay_set, "verified")
        assert answer.status_code == expected
    assert Verdict.objects.count() == 0


@pytest.mark.parametrize("role", ["expert", "participant"])
def test_strangers_see_none_of_it(role, essay_set, log_in):
    protocol = verify(essay_set).protocol
    client = log_in(PersonFactory(role=role))

    paths = ["/verdicts/", path(essay_set), path(essay_set, "history/")]
    paths += [path(essay_set, "say/?kind=verified")]
    paths += [f"/verdicts/protocols/{protocol.pk}/", f"/verdicts/protocols/{protocol.pk}/file/"]
    paths += [f"/api/sets/{essay_set.pk}/verdicts/"]
    assert [client.get(each).status_code for each in paths] == [403] * len(paths)


def test_what_is_missing_leads_to_the_desk_and_the_essays(essay_set, log_in):
    EssayFactory(essay_set=essay_set, number="9")
    page = log_in(judge()).get(path(essay_set))

    found = page_of(page)
    assert texts_of(page, "section[aria-labelledby=h-verdict] dt a") == ["Not assigned"]
    assert [each["href"] for each in found.find("section[aria-labelledby=h-verdict] dt a")] == [
        "/desk/?set=March&state=unassigned"
    ]
    assert texts_of(page, "section[aria-labelledby=h-verdict] .help a") == ["9"]
    assert found.find("textarea") == []


def test_the_distribution_says_who_checks_what_and_who_met(essay_set, log_in):
    one = a_check(essay_set, "1").author
    other = essay_set.essays.get(number="1").assignments.get(role="second").expert
    ExpertConflict.objects.create(one=min(one, other, key=id_of), other=max(one, other, key=id_of))
    client = log_in(judge())

    page = client.get(path(essay_set))
    own = client.get(path(essay_set, f"?expert={one.pk}"))

    assert len(texts_of(page, "section[aria-labelledby=h-experts] li")) == 4
    assert texts_of(page, "th.a-name a") == ["1", "2"]
    assert texts_of(page, "th.a-name .badge") == ["experts who are kept apart"]
    assert (texts_of(own, "th.a-name a"), texts_of(own, "#h-essays")) == (
        ["1"],
        [f"Essays of {one}"],
    )
    assert texts_of(client.get(path(essay_set, "?thirds=1")), "th.a-name a") == []


def id_of(person):
    return person.pk


def test_experts_of_one_school_on_one_essay_are_told_in_any_letter_case(essay_set, log_in):
    checks = essay_set.essays.get(number="2").assignments.all()
    for each, school in zip(checks, ("No. 5", "NO. 5"), strict=True):
        each.expert.school = school
        each.expert.save()

    page = log_in(judge()).get(path(essay_set))

    assert texts_of(page, "th.a-name .badge") == ["experts who are kept apart"]


def test_the_page_costs_the_same_however_many_essays(log_in):
    client, counts = log_in(judge()), []
    for count in (1, 3):
        found = settled_set(count, name=f"{count}")
        client.get(path(found))
        with CaptureQueriesContext(connection) as caught:
            client.get(path(found))
            client.get(path(found, "history/"))
        counts.append(len(caught))

    assert counts[0] == counts[1]


def test_the_history_tells_who_had_which_check(essay_set, log_in):
    coordinator = PersonFactory(role="coordinator", full_name="Olga")
    essay = EssayFactory(essay_set=essay_set, number="3")
    expert = PersonFactory(full_name="Vera", subjects=["eng"])
    assign_expert(essay=essay, role="first", expert=expert, actor=coordinator)

    page = log_in(judge()).get(path(essay_set, "history/"))

    assert texts_of(page, ".history b")[0] == "Olga"
    assert texts_of(page, ".history span")[0] == "essay 3: first check: given to Vera"


def test_the_history_tells_nothing_of_markups_by_algorithms(essay_set, log_in):
    essay = EssayFactory(essay_set=essay_set, number="3")
    algorithm = PersonFactory(role="participant")
    client = log_in(judge())
    before = texts_of(client.get(path(essay_set, "history/")), ".history span")
    record = submitted(essay, author=algorithm, source=MarkupRecord.Source.ALGORITHM)
    audit(actor=algorithm, action="markup.submitted", target=record)

    assert texts_of(client.get(path(essay_set, "history/")), ".history span") == before


def test_a_protocol_is_printed_and_kept_as_the_file_it_was_frozen_as(essay_set, log_in):
    verify(essay_set, judge(full_name="Anna"))
    give_back(essay_set, member(full_name="Boris"), reason="One too many")
    protocol = SetProtocol.objects.get()
    client = log_in(judge())

    page = client.get(f"/verdicts/protocols/{protocol.pk}/")
    file = client.get(f"/verdicts/protocols/{protocol.pk}/file/")

    assert file.content.decode() == protocol.content
    assert json.loads(file.content)["set"]["name"] == "March"
    assert file["Content-Type"] == "application/json"
    assert f"{protocol.digest[:12]}.json" in file["Content-Disposition"]
    text = " ".join(texts_of(page, "article"))
    assert f"SHA-256: {protocol.digest}" in text
    assert "the set was returned" in text
    assert texts_of(page, "tbody tr th")[0].startswith("1")
    assert [each.split(" (")[0] for each in texts_of(page, ".signed dd")] == ["Anna", "Boris"]


def test_a_russian_reason_of_a_verdict_is_russian_on_english_pages(essay_set, log_in):
    verify(essay_set, judge(full_name="Anna"))
    give_back(essay_set, member(full_name="Boris"), reason="Одно лишнее")
    client = log_in(judge())

    for address in (path(essay_set), path(essay_set, "history/"), paper_of(essay_set)):
        found = page_of(client.get(address)).find("main span[lang]")
        assert {(each["lang"], each.text) for each in found} == {("ru", "Одно лишнее")}, address


def paper_of(essay_set):
    return f"/verdicts/protocols/{SetProtocol.objects.get(essay_set=essay_set).pk}/"


def test_desk_set_and_problems_show_how_far_it_is(essay_set, log_in):
    client = log_in(PersonFactory(role="coordinator"))
    give_back(essay_set, judge(full_name="Anna"), reason="Look at 2")

    pages = ["/desk/?set=March", f"/sets/{essay_set.pk}/", "/desk/problems/"]
    shown = [client.get(each).content.decode() for each in pages]
    assert [("Look at 2" in each, "Anna" in each) for each in shown] == [(True, True)] * 3
    verify(essay_set, judge(full_name="Vera"))
    approve(essay_set, member(full_name="Boris"))
    shown = [client.get(each).content.decode() for each in pages]
    assert [("Vera" in each, "Boris" in each) for each in shown] == [
        (True, True),
        (True, True),
        (False, False),
    ]


def test_whoever_reopens_a_check_is_told_that_it_voids_the_protocol(essay_set, log_in):
    check = a_check(essay_set).assignment
    client = log_in(PersonFactory(role="coordinator"))
    before = page_of(client.get(f"/desk/essays/{check.essay_id}/")).find(".notice.warn")
    verify(essay_set)

    told = texts_of(client.get(f"/desk/essays/{check.essay_id}/"), ".notice.warn")

    assert before == []
    assert told == [
        "The results of the set are verified: a check that is reopened voids their protocol."
    ]
    client.post(f"/desk/assignments/{check.pk}/reopen/", {"reason": "An appeal"})
    assert texts_of(client.get(f"/desk/essays/{check.essay_id}/"), ".notice.warn") == []


def test_whoever_undoes_an_import_is_told_that_it_voids_the_protocol(essay_set, log_in):
    done = {"state": EssayImport.State.DONE, "begun_at": timezone.now()}
    batch = EssayImport.objects.create(essay_set=essay_set, **done)
    client = log_in(PersonFactory(role="coordinator"))
    address = f"/imports/{batch.pk}/undo/"
    before = page_of(client.get(address)).find(".notice.warn")
    verify(essay_set)

    told = texts_of(client.get(address), ".notice.warn")

    assert before == []
    assert told == ["The results of the set are verified: undoing the import voids their protocol."]


def test_a_returned_set_waits_for_its_coordinators_until_they_send_it_again(essay_set, log_in):
    give_back(essay_set)
    first, coordinator = log_in(judge()), log_in(PersonFactory(role="coordinator"))
    state = ["returned, waits for the coordinators"]
    assert texts_of(first.get("/verdicts/"), "td .badge") == state
    assert texts_of(first.get("/verdicts/"), "td b") == []
    assert texts_of(coordinator.get("/verdicts/"), "td b") == ["waits for you"]
    assert texts_of(coordinator.get("/desk/problems/"), "#returned a") == ["March"]
    assert texts_of(coordinator.get("/desk/"), "#to-problems") == ["Problems 1"]

    questions = questions_of(coordinator, essay_set)
    fields = answer_to(coordinator, questions["sent"])
    wordless = coordinator.post(path(essay_set, "say/"), fields | {"reason": " "})
    answer = coordinator.post(path(essay_set, "say/"), fields | {"reason": "2 was marked anew"})

    assert (list(questions), wordless.status_code, answer.status_code) == (["sent"], 422, 302)
    assert questions_of(coordinator, essay_set) == {}
    assert texts_of(first.get("/verdicts/"), "td .badge") == ["waits for the judges"]
    assert texts_of(first.get("/verdicts/"), "td b") == ["waits for you"]
    assert "2 was marked anew" in texts_of(first.get(path(essay_set)), ".form q")
    assert texts_of(coordinator.get("/desk/problems/"), "#returned a") == []
    assert texts_of(coordinator.get("/desk/"), "#to-problems") == ["Problems"]
    told = texts_of(first.get(path(essay_set, "history/")), ".history span")
    assert told[0] == "sent to the judges again: “2 was marked anew”"


def test_the_reason_of_a_return_stands_once_in_every_list(essay_set, log_in):
    give_back(essay_set, reason="Look at 2")
    client = log_in(PersonFactory(role="coordinator"))
    of_verdict, of_protocol = "[aria-labelledby=h-verdict] q", "[aria-labelledby=h-protocols] q"

    returned = client.get(path(essay_set))
    say(client, essay_set, "sent", "2 was marked anew")
    sent = client.get(path(essay_set))
    paper = client.get(f"/verdicts/protocols/{SetProtocol.objects.get().pk}/")

    assert texts_of(returned, of_verdict) == texts_of(returned, of_protocol) == ["Look at 2"]
    assert "Void since" not in texts_of(returned, "[aria-labelledby=h-verdict]")[0]
    told = ["Look at 2", "2 was marked anew"]
    assert texts_of(sent, of_verdict) == texts_of(sent, of_protocol) == told
    assert texts_of(paper, "article")[0].count("Look at 2") == 1


def test_judges_need_not_wait_until_a_set_is_sent_again(essay_set, log_in):
    give_back(essay_set)

    assert list(questions_of(log_in(judge()), essay_set)) == ["verified", "returned"]
    assert say(log_in(judge()), essay_set, "verified").status_code == 302


def test_only_a_returned_set_that_is_done_is_sent_again(essay_set, log_in):
    client = log_in(PersonFactory(role="organiser"))
    assert say(client, essay_set, "sent", "done").status_code == 422
    give_back(essay_set)
    EssayFactory(essay_set=essay_set)

    assert questions_of(client, essay_set) == {}
    assert say(client, essay_set, "sent", "done").status_code == 422
    for who in (judge(), member()):
        assert say(log_in(who), essay_set, "sent", "done").status_code == 422
    assert list(Verdict.objects.values_list("kind", flat=True)) == ["returned"]


def test_on_a_phone_every_cell_of_a_protocol_says_what_it_is(essay_set, log_in):
    verify(essay_set)
    protocol = SetProtocol.objects.get()

    page = page_of(log_in(judge()).get(f"/verdicts/protocols/{protocol.pk}/"))

    for row in page.find("table.cards tbody tr"):
        labels = [each["data-label"] for each in row.find("td")]
        assert labels == ["First check", "Second check", "Third check", "Final grade"]
    assert len(page.find("table.cards tbody tr")) == 2
