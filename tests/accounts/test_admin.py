from __future__ import annotations

import re

import pytest
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.queries import trail_of
from accounts.services.audit import audit
from accounts.services.importing import import_people
from accounts.services.people import set_active
from annotator.models import RuleSet
from jobs.models import Job
from tests.factories import PersonFactory, RuleSetFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(administrator, log_in):
    return log_in(administrator)


def page_of(name, what="changelist", *arguments):
    return reverse(f"admin:{name}_{what}", args=arguments)


def test_the_audit_trail_takes_the_same_queries_for_one_entry_and_for_five(
    browser, django_assert_num_queries
):
    for count in (1, 4):
        for _ in range(count):
            person = PersonFactory()
            audit(actor=person, action="person.changed", target=person)
        browser.get(page_of("accounts_auditentry"))
        with django_assert_num_queries(7):
            browser.get(page_of("accounts_auditentry"))


def test_the_administration_has_no_login_of_its_own(client):
    """Its login would count no tries."""
    steps = client.get("/admin/accounts/user/", follow=True).redirect_chain
    tried = client.post("/admin/login/", {"username": "administrator", "password": "guess"})

    assert steps[-1][0].startswith("/login/?next=/admin/")
    assert (tried.status_code, tried["Location"]) == (302, "/login/")


def test_an_administrator_gets_from_the_login_into_the_administration(client, administrator):
    administrator.set_password("lake under the hill")
    administrator.save()
    login = client.get("/admin/", follow=True).request
    address = f"{login['PATH_INFO']}?{login['QUERY_STRING']}"
    wanted = re.search(r'name="next" value="([^"]*)"', client.get(address).content.decode())[1]

    page = client.post(
        "/login/",
        {"username": "administrator", "password": "lake under the hill", "next": wanted},
        follow=True,
    )

    assert (page.status_code, page.request["PATH_INFO"]) == (200, "/admin/")


def form_of(page):
    """What a browser would send back: the values of a form as they are shown."""
    form = page.context["adminform"].form
    shown = {name: form[name].value() for name in form.fields}
    for inline in page.context["inline_admin_formsets"]:
        shown |= {field.html_name: field.value() for field in inline.formset.management_form}
    return {name: value for name, value in shown.items() if value is not None and value != ""}


def test_an_account_is_made_and_changed_there_and_it_is_written_down(browser, administrator):
    secret = {"password1": "lake under the hill", "password2": "lake under the hill"}
    form = form_of(browser.get(page_of("accounts_user", "add")))

    browser.post(
        page_of("accounts_user", "add"), {**form, **secret, "username": "anna", "role": "judge"}
    )
    anna = User.objects.get(username="anna")
    address = page_of("accounts_user", "change", anna.pk)
    form = form_of(browser.get(address))
    browser.post(address, {**form, "role": "administrator", "is_superuser": "", "is_staff": ""})

    anna.refresh_from_db()
    assert (anna.role, anna.is_staff, anna.is_superuser) == ("administrator", True, True)
    assert list(
        AuditEntry.objects.order_by("pk").values_list("actor", "action", "object_id", "details")
    ) == [
        (administrator.pk, "person.made", str(anna.pk), {"role": "judge"}),
        (
            administrator.pk,
            "person.changed",
            str(anna.pk),
            {"role": "administrator", "before": "judge"},
        ),
    ]


def test_a_password_that_is_set_there_is_written_down_without_the_password(browser):
    anna = PersonFactory(username="anna", role="judge")
    address = reverse("admin:auth_user_password_change", args=[anna.pk])

    browser.post(address, {"password1": "lake under the hill", "password2": "lake under the hill"})

    (entry,) = AuditEntry.objects.all()
    anna.refresh_from_db()
    assert (entry.action, entry.object_id, entry.details) == (
        "person.changed",
        str(anna.pk),
        {"role": "judge"},
    )
    assert anna.check_password("lake under the hill")


def test_nobody_closes_or_demotes_himself_there(browser, administrator):
    address = page_of("accounts_user", "change", administrator.pk)
    form = form_of(browser.get(address))

    answer = browser.post(address, {**form, "role": "expert", "is_active": "", "school": "7"})

    administrator.refresh_from_db()
    assert answer.status_code == 302
    assert (administrator.role, administrator.is_active, administrator.school) == (
        "administrator",
        True,
        "7",
    )


def test_a_rule_set_is_added_there_as_a_new_version(browser):
    RuleSetFactory(name="rules")
    form = form_of(browser.get(page_of("annotator_ruleset", "add")))

    browser.post(
        page_of("annotator_ruleset", "add"), {**form, "name": "rules", "version": 2, "hardness": 1}
    )

    assert [str(rules) for rules in RuleSet.objects.all()] == ["rules 2", "rules 1"]


def test_a_rule_set_nobody_could_score_by_is_refused(browser):
    form = form_of(browser.get(page_of("annotator_ruleset", "add")))
    nothing = dict.fromkeys(["w1", "w2", "w3", "w4", "w5", "w6"], 0)

    answer = browser.post(
        page_of("annotator_ruleset", "add"), {**form, **nothing, "name": "nothing"}
    )

    (reason,) = answer.context["adminform"].form.non_field_errors()
    assert (bool(reason), RuleSet.objects.exists()) == (True, False)


def test_failed_jobs_are_begun_anew_from_their_list(browser):
    failed = Job.objects.create(key="a", kind="scoring.grade_markup", state="failed", attempts=3)
    done = Job.objects.create(key="b", kind="scoring.grade_markup", state="done", attempts=1)

    browser.post(
        page_of("jobs_job"),
        {"action": "try_again", "_selected_action": [failed.pk, done.pk]},
    )

    assert list(Job.objects.values_list("state", "attempts")) == [("queued", 0), ("done", 1)]


def test_a_search_longer_than_a_condition_may_be_is_declined(browser):
    page = browser.get("/admin/annotator/essay/", {"q": "a " * 1000})

    assert (page.status_code, "at most 100 characters" in page.content.decode()) == (200, True)


def test_a_search_for_a_nul_is_declined(browser):
    page = browser.get("/admin/accounts/user/?role__exact=%00")

    assert (page.status_code, "holds a NUL character" in page.content.decode()) == (400, True)


@pytest.mark.parametrize("address", ["schemerun/?scheme=use", "storedkey/", "schemerun/1/change/"])
def test_an_address_of_before_the_app_schemes_leads_to_its_page(browser, address):
    answer = browser.get(f"/admin/scoring/{address}")

    assert (answer.status_code, answer["Location"]) == (302, f"/admin/schemes/{address}")


@pytest.mark.parametrize("address", ["thirdcheck/?needed__exact=1", "thirdcheck/1/change/"])
def test_an_address_of_before_the_app_review_leads_to_its_page(browser, address):
    answer = browser.get(f"/admin/scoring/{address}")

    assert (answer.status_code, answer["Location"]) == (302, f"/admin/review/{address}")


def test_a_name_somebody_else_takes_at_this_moment_is_refused_at_its_field(browser, monkeypatch):
    RuleSetFactory(name="Finals", version=2)
    real = RuleSet.validate_constraints
    asked = []

    def constraints(rules, *args, **more):
        asked.append(rules)
        if len(asked) > 1:  # the first check comes before the other's write
            real(rules, *args, **more)

    monkeypatch.setattr(RuleSet, "validate_constraints", constraints)
    form = form_of(browser.get(page_of("annotator_ruleset", "add")))

    page = browser.post(
        page_of("annotator_ruleset", "add"), {**form, "name": "Finals", "version": 2}
    )

    told = ["Rule set with this Name and Version already exists."]
    assert (page.status_code, texts_of(page, ".errorlist li")) == (200, told)
    assert RuleSet.objects.filter(name="Finals").count() == 1


def test_new_rules_say_subject_by_subject_how_final_grades_are_made(browser):
    form = form_of(browser.get(page_of("annotator_ruleset", "add")))
    asked = {**form, "name": "rules", "version": 2, "hardness": 1, "final_english": "median/total"}

    browser.post(page_of("annotator_ruleset", "add"), asked)

    rules = RuleSet.objects.get(name="rules")
    assert rules.final_grades == {"eng": "median/total"}
    words = texts_of(browser.get(page_of("annotator_ruleset", "change", rules.pk)), ".readonly")
    assert words[-1] == "English: median of three, mean of two rounded up; on the total"


def test_rules_that_say_nothing_of_final_grades_are_shown_as_not_stated(browser):
    rules = RuleSetFactory()

    words = texts_of(browser.get(page_of("annotator_ruleset", "change", rules.pk)), ".readonly")

    assert words[-1] == "not stated"


def test_a_form_of_an_account_that_was_changed_meanwhile_undoes_nothing(browser):
    anna = PersonFactory(username="anna", role="judge")
    address = page_of("accounts_user", "change", anna.pk)
    form = form_of(browser.get(address))
    set_active(person=anna, active=False, actor=None)

    late = browser.post(address, {**form, "school": "7"})
    again = form_of(browser.get(address))
    twice = [browser.post(address, {**again, "school": "7"}).status_code for _press in range(2)]

    anna.refresh_from_db()
    assert "Somebody changed this account meanwhile." in late.content.decode()
    assert (anna.is_active, anna.school, twice) == (False, "7", [302, 302])


def test_an_account_that_is_closed_there_is_opened_by_no_list(browser, coordinator):
    exp7 = PersonFactory(username="exp7", password="!", full_name="", email="", subjects=[])
    address = page_of("accounts_user", "change", exp7.pk)

    browser.post(address, {**form_of(browser.get(address)), "is_active": ""})
    rows = "login,name,email,role,school,subjects\nexp7,Ольга,,,,eng\n"
    (line,) = import_people(data=rows.encode(), actor=coordinator)

    exp7.refresh_from_db()
    assert (exp7.is_active, exp7.full_name, line.outcome) == (False, "", "refused")
    acts = trail_of(exp7).order_by("pk").values_list("action", flat=True)
    assert [*acts] == ["person.closed", "person.changed"]
