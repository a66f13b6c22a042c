from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.services.people import save_person
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

FIELDS = {
    "username": "anna",
    "full_name": "Анна Лебедева",
    "email": "anna@school.example",
    "role": "expert",
    "school": "Лицей № 11",
    "subjects": ["eng", "rus"],
}
NEW = "/people/new/"
NOT_YOURS = "Select a valid choice. %s is not one of the available choices."


@pytest.fixture
def manager(coordinator, log_in):
    return log_in(coordinator)


@pytest.fixture
def anna():
    return save_person(person=User(username="anna", email="a@b.example"), subjects=[], actor=None)


def address(person):
    return reverse("accounts:person", args=[person.pk])


def listed(browser, q=""):
    page = browser.get("/people/", {"q": q}).content.decode()
    return set(re.findall(r'<span class="sub">([^,<]+)', page))


@pytest.mark.parametrize("words", ["СИДОР", "сидор", "ДЕЖУР", "лИЦЕЙ"])
def test_people_are_found_whatever_the_case_of_letters(manager, words):
    PersonFactory(full_name="Сидоров", username="дежурный", school="Лицей № 1")
    PersonFactory(full_name="Иванова", username="иванова", school="Школа № 2")

    assert listed(manager, words) == {"дежурный"}


def sent_by(form):
    """What a form sends that nobody has typed into."""
    return {field["name"]: field["value"] for field in form.find("input")}


def test_a_coordinator_makes_an_account(manager, coordinator):
    answer = manager.post(NEW, FIELDS)

    anna = User.objects.get(username="anna")
    assert answer["Location"] == "/people/"
    assert {name: getattr(anna, name) for name in FIELDS if name != "subjects"} == {
        name: value for name, value in FIELDS.items() if name != "subjects"
    }
    assert [each.subject for each in anna.specialisms.all()] == ["eng", "rus"]
    assert AuditEntry.objects.values_list("actor", "action", "object_id").get() == (
        coordinator.pk,
        "person.made",
        str(anna.pk),
    )


def test_a_new_account_that_is_sent_twice_is_made_once_and_said_to_be_saved(manager):
    answers = [manager.post(NEW, FIELDS, follow=True) for _ in range(2)]

    assert [texts_of(each, ".messages li") for each in answers] == [["Saved: Анна Лебедева"]] * 2
    assert AuditEntry.objects.filter(action="person.made").count() == 1


def test_an_account_somebody_else_made_of_the_same_words_is_none_of_ones_own(manager, log_in):
    log_in(PersonFactory(role="organiser")).post(NEW, FIELDS)

    answer = manager.post(NEW, FIELDS)

    assert answer.status_code == 422
    assert "A user with that username already exists." in texts_of(answer, ".help.bad")


@pytest.mark.parametrize(
    "change", [{"email": "no address"}, {"school": "a\0b"}, {"subjects": ["latin"]}], ids=str
)
def test_an_account_that_is_sent_again_with_a_bad_field_is_not_said_to_be_saved(manager, change):
    said = {**FIELDS, "email": "", "school": "", "subjects": []}
    manager.post(NEW, said)

    again = manager.post(NEW, {**said, **change})

    assert again.status_code == 422


def test_the_form_of_an_account_shows_what_is_known(manager):
    manager.post(NEW, FIELDS)

    page = manager.get(address(User.objects.get(username="anna"))).content.decode()

    checked = re.findall(r'name="subjects" value="([^"]+)"[^>]* checked', page)
    assert 'value="Анна Лебедева"' in page
    assert checked == ["eng", "rus"]


def test_a_change_is_kept(manager, anna):
    manager.post(address(anna), {**FIELDS, "username": "anna2", "subjects": ["lit"]})

    anna.refresh_from_db()
    assert (anna.username, anna.school, anna.email) == ("anna2", "Лицей № 11", FIELDS["email"])
    assert [each.subject for each in anna.specialisms.all()] == ["lit"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"username": ""}, "This field is required."),
        ({"username": "coordinator"}, "A user with that username already exists."),
        ({"username": "½"}, "Enter a valid username."),
        ({"username": "\ufb03" * 60}, "Ensure this value has at most 150 characters"),
        ({"email": "no address"}, "Enter a valid email address."),
        ({"email": "KNOWN@school.example"}, "Another account has this e-mail."),
        ({"role": "boss"}, "Select a valid choice. boss is not one of the available choices."),
        ({"subjects": ["latin"]}, "Select a valid choice. latin is not one of the available"),
        ({"full_name": "An\u202ena"}, "The name holds control characters. Remove them."),
        ({"school": "a\0b"}, "Null characters are not allowed."),
    ],
    ids=str,
)
def test_a_bad_field_is_named_and_nothing_is_kept(manager, change, message):
    PersonFactory(username="known", email="known@school.example")

    answer = manager.post(NEW, {**FIELDS, **change})

    assert (answer.status_code, message in answer.content.decode()) == (422, True)
    assert set(User.objects.values_list("username", flat=True)) == {"coordinator", "known"}


BELOW = {
    "coordinator": ["expert", "participant"],
    "organiser": ["expert", "participant", "coordinator", "judge", "commission"],
}


@pytest.mark.parametrize("wanted", ["judge", "organiser", "administrator"])
@pytest.mark.parametrize("role", BELOW)
def test_managers_give_roles_below_their_own(log_in, role, wanted, anna):
    manager = log_in(PersonFactory(role=role))

    made = manager.post(NEW, {**FIELDS, "username": "chief", "email": "", "role": wanted})
    raised = manager.post(address(anna), {**FIELDS, "role": wanted})

    is_given = wanted in BELOW[role]
    shown = [NOT_YOURS % wanted in page.content.decode() for page in (made, raised)]
    offered = re.findall(r'<option value="(\w+)"', manager.get(NEW).content.decode())
    given = User.objects.filter(username__in=["chief", "anna"], role=wanted).count()
    assert (shown, given) == ([not is_given] * 2, 2 if is_given else 0)
    assert sorted(offered) == sorted(BELOW[role])


@pytest.mark.parametrize("role", ["coordinator", "organiser", "judge"])
def test_a_coordinator_cannot_reach_the_account_of_another_manager(manager, role):
    colleague = PersonFactory(username="boris", role=role, email="boris@example.org")

    changed = manager.post(address(colleague), {**FIELDS, "username": "boris", "role": role})
    invited = manager.post(f"{address(colleague)}invite/")

    colleague.refresh_from_db()
    assert (changed.status_code, invited.status_code) == (404, 404)
    assert colleague.email == "boris@example.org"


def test_nobody_changes_the_own_role(manager, coordinator):
    for role in ("administrator", "judge"):
        manager.post(address(coordinator), {**FIELDS, "username": "coordinator", "role": role})

    coordinator.refresh_from_db()
    assert coordinator.role == "coordinator"


def test_an_administrator_makes_and_unmakes_administrators(administrator, log_in, anna):
    browser = log_in(administrator)

    rights = []
    for role in ("administrator", "expert"):
        browser.post(address(anna), {**FIELDS, "role": role})
        anna.refresh_from_db()
        rights.append((anna.role, anna.is_staff, anna.is_superuser))

    assert rights == [("administrator", True, True), ("expert", False, False)]


def test_a_coordinator_takes_no_administrator_over(manager, administrator):
    before = User.objects.filter(pk=administrator.pk).values().get()

    statuses = [
        manager.post(address(administrator), {**FIELDS, "email": "mine@evil.example"}).status_code,
        manager.post(reverse("accounts:activity", args=[administrator.pk])).status_code,
    ]

    assert statuses == [404, 404]
    assert User.objects.filter(pk=administrator.pk).values().get() == before


def test_coordinators_see_those_who_mark_and_administrators_everybody(
    manager, administrator, log_in
):
    PersonFactory(username="anna")

    assert listed(manager) == {"anna"}
    assert listed(log_in(administrator)) == {"anna", "coordinator", "administrator"}


@pytest.mark.parametrize("q", ["ann", "ANN", "Lebed", "lycee", " anna "])
def test_people_are_found_by_a_part_of_login_name_or_school(manager, q):
    PersonFactory(username="anna", full_name="Anna Lebedeva", school="Lycee 11")

    assert listed(manager, q) == {"anna"}


@pytest.mark.parametrize("q", ["nobody", "%", "_____________", "a\0nna?", "'--", "x" * 5000])
def test_a_search_that_finds_nobody_says_so(manager, q):
    page = manager.get("/people/", {"q": q})

    assert (page.status_code, "Nobody found" in page.content.decode()) == (200, True)


def test_names_are_shown_as_text(manager):
    PersonFactory(full_name="<script>alert(1)</script>", school="<img src=x>")

    page = manager.get("/people/").content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert [piece in page for piece in ("<script>alert", "<img src=x")] == [False, False]


def test_a_closed_account_keeps_its_session_no_longer(manager, log_in, anna):
    browser = log_in(anna)
    assert browser.get("/queue/").status_code == 200

    manager.post(reverse("accounts:activity", args=[anna.pk]))

    assert browser.get("/queue/")["Location"] == "/login/?next=/queue/"
    assert browser.get("/api/essays/").status_code == 401


def test_an_account_is_opened_again_with_all_it_had(manager, anna):
    before = User.objects.filter(pk=anna.pk).values().get()

    states = []
    for form in ({}, {"active": "1"}):
        manager.post(reverse("accounts:activity", args=[anna.pk]), form)
        anna.refresh_from_db()
        states.append(anna.is_active)

    assert states == [False, True]
    after = User.objects.filter(pk=anna.pk).values().get()
    assert after == before | {"closings": 1}


@pytest.mark.parametrize("form", [{}, {"active": "1"}])
def test_a_button_pressed_twice_closes_or_opens_an_account_once(manager, anna, form):
    address = reverse("accounts:activity", args=[anna.pk])
    if form:
        manager.post(address)
    sent = sent_by(page_of(manager.get(address)).one("form.form"))

    for _ in range(2):
        manager.post(address, form)

    anna.refresh_from_db()
    assert (anna.is_active, "active" in sent) == (bool(form), bool(form))
    acts = AuditEntry.objects.filter(object_id=str(anna.pk), action__startswith="person.")
    acts = list(acts.order_by("pk").values_list("action", flat=True))
    assert acts == ["person.made", "person.closed", *(["person.opened"] if form else [])]


@pytest.mark.parametrize("role", ["coordinator", "administrator"])
def test_nobody_closes_himself(log_in, role):
    person = PersonFactory(role=role)

    answer = log_in(person).post(reverse("accounts:activity", args=[person.pk]))

    person.refresh_from_db()
    assert (answer.status_code, person.is_active) == (404, True)


def test_the_list_costs_the_same_for_one_and_for_twenty(manager, django_assert_num_queries):
    PersonFactory(subjects=["eng", "rus"])
    manager.get("/people/")
    session, user, number, people, subjects, never_invited, minutes = range(7)
    queries = len((session, user, number, people, subjects, never_invited, minutes))

    with django_assert_num_queries(queries):
        manager.get("/people/")
    for _ in range(19):
        PersonFactory(subjects=["eng", "rus"])
    with django_assert_num_queries(queries):
        assert len(listed(manager)) == 20


def test_many_people_come_in_pages_that_keep_the_search(manager):
    for number in range(51):
        PersonFactory(username=f"p{number:03}", full_name=f"Pupil {number:03}", role="expert")

    first, second = manager.get("/people/?q=pupil"), manager.get("/people/?q=pupil&page=2")

    assert (len(listed(manager, "pupil")), texts_of(second, ".a-name .sub")) == (50, ["p050"])
    assert texts_of(first, ".pager") == ["1–50 of 51Next"]
    assert page_of(first).one(".pager a")["href"] == "?q=pupil&page=2"


def test_who_closes_an_account_that_was_closed_meanwhile_does_not_open_it(manager, log_in, anna):
    question = reverse("accounts:activity", args=[anna.pk])
    both = manager, log_in(PersonFactory(role="organiser"))
    wishes = [sent_by(page_of(each.get(question)).one("form.form")) for each in both]

    told = [
        texts_of(each.post(question, wish, follow=True), ".messages li")
        for each, wish in zip(both, wishes, strict=True)
    ]

    assert User.objects.get(pk=anna.pk).is_active is False
    assert told == [["anna: the account is closed."], ["anna: it is closed already."]]


def test_an_account_is_opened_from_the_list_once(manager, anna):
    User.objects.filter(pk=anna.pk).update(is_active=False)
    forms = page_of(manager.get("/people/", {"q": "anna"})).find("td.a-act form")
    wish = sent_by(forms[0])

    for _press in range(2):
        manager.post(forms[0]["action"], wish)

    assert User.objects.get(pk=anna.pk).is_active is True


def test_of_two_who_change_an_account_at_once_the_second_is_told(manager, log_in, anna):
    address = f"/people/{anna.pk}/"
    other = log_in(PersonFactory(role=User.Role.ORGANISER))
    fields = {name: getattr(anna, name) for name in ("username", "full_name", "email", "role")}
    seen = page_of(manager.get(address)).one("input[name=seen]")["value"]
    first = {**fields, "school": "Lyceum", "subjects": ["eng", "rus"], "seen": seen}

    pressed = [other.post(address, first).status_code for _ in range(2)]
    late = manager.post(address, {**fields, "school": "", "subjects": ["eng"], "seen": seen})

    anna.refresh_from_db()
    subjects = sorted(anna.specialisms.values_list("subject", flat=True))
    assert (pressed, anna.school, subjects) == ([302, 302], "Lyceum", ["eng", "rus"])
    assert "Somebody changed this account meanwhile" in late.content.decode()


def test_an_account_that_is_gone_is_not_made_anew_by_the_form_of_it(manager, anna):
    address = f"/people/{anna.pk}/"
    fields = {name: getattr(anna, name) for name in ("username", "full_name", "email", "role")}
    shown = page_of(manager.get(address)).one("input[name=seen]")["value"]
    gone = User.objects.get(pk=anna.pk)
    anna.delete()

    with pytest.raises(ValidationError, match="Somebody changed this account meanwhile"):
        save_person(person=gone, subjects=["eng"], actor=None, seen=shown)

    assert not User.objects.filter(username=fields["username"]).exists()


def test_a_double_press_that_makes_an_expert_a_coordinator_is_one_change(log_in):
    expert = PersonFactory(subjects=["eng"])
    address, browser = f"/people/{expert.pk}/", log_in(PersonFactory(role=User.Role.ORGANISER))
    fields = {name: getattr(expert, name) for name in ("username", "full_name", "email")}
    seen = page_of(browser.get(address)).one("input[name=seen]")["value"]
    body = {**fields, "role": "coordinator", "subjects": ["eng"], "seen": seen}

    assert [browser.post(address, body).status_code for _press in range(2)] == [302, 302]

    expert.refresh_from_db()
    assert (expert.role, expert.specialisms.count()) == ("coordinator", 0)
