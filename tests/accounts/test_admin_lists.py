"""Every list of the administration, with a row of every model that it shows."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from accounts.services.audit import audit
from jobs.models import Job
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from tests.accounts.test_pages import POLICY
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.schemes.inputs import scored, stored

pytestmark = pytest.mark.django_db

PAGES = {
    f"{model._meta.app_label}_{model._meta.model_name}": model for model in admin.site._registry
}
READ_ONLY = {
    "accounts_auditentry",
    "annotator_essayset",
    "annotator_essay",
    "annotator_markuprecord",
    "annotator_assignment",
    "jobs_job",
    "review_finalgrade",
    "review_thirdcheck",
    "scoring_criteriarecord",
    "scoring_pairscore",
    "schemes_schemerun",
    "schemes_storedkey",
}
ONLY_ADDED = {"annotator_ruleset"}
NEVER_DELETED = {"accounts_user"}


@pytest.fixture(scope="module")
def administrator(module_rows):  # noqa: ARG001 - a row of the module
    return PersonFactory(username="administrator", role="administrator")


@pytest.fixture(scope="module")
def rows(administrator):
    """A row of every model that a page of the administration shows."""
    essay = EssayFactory(essay_set__rules__final_grades={"eng": "mean-third/total"})
    for role in ("first", "second"):
        done = AssignmentFactory(essay=essay, role=role, state="submitted")
        markup = submitted(essay, assignment=done)
        grade(markup_id=markup.pk)
    arbitrate(essay_id=essay.pk)
    settle_grade(essay_id=essay.pk)
    score_pairs_of(markup_id=markup.pk)
    Job.objects.create(key="grade:1", kind="scoring.grade_markup")
    audit(actor=administrator, action="person.changed", target=administrator)
    scored(administrator, "use")
    stored(administrator, "use")


@pytest.fixture
def browser(administrator, log_in):
    return log_in(administrator)


def page_of(name, what="changelist", *arguments):
    return reverse(f"admin:{name}_{what}", args=arguments)


def rights(browser, name, pk):
    """Whether a row may be added, changed, deleted."""
    change = browser.get(page_of(name, "change", pk))
    return (
        browser.get(page_of(name, "add")).status_code == 200,
        'name="_save"' in change.content.decode(),
        browser.get(page_of(name, "delete", pk)).status_code == 200,
    )


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("name", PAGES)
def test_every_list_opens_for_an_administrator_under_the_policy(browser, name):
    page = browser.get(page_of(name))

    assert (page.status_code, set(page["Content-Security-Policy"].split("; "))) == (200, POLICY)
    assert not re.search(r"<script(?![^>]* src=)[^>]*>\s*\S", page.content.decode())


@pytest.mark.parametrize("role", [role for role in User.Role.values if role != "administrator"])
def test_the_administration_is_closed_to_every_other_role(role, log_in):
    browser = log_in(PersonFactory(role=role, is_staff=True, is_superuser=True))

    reached = {name: browser.get(page_of(name), follow=True).status_code for name in PAGES}

    assert reached == dict.fromkeys(PAGES, 403)


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("name", sorted(READ_ONLY | ONLY_ADDED | NEVER_DELETED))
def test_what_the_services_write_is_only_looked_at(browser, name):
    row = PAGES[name].objects.earliest("pk")

    may_be_added, may_be_changed = name not in READ_ONLY, name in NEVER_DELETED
    assert rights(browser, name, row.pk) == (may_be_added, may_be_changed, False)


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("name", sorted(READ_ONLY | ONLY_ADDED | NEVER_DELETED))
def test_no_action_deletes_what_must_stay(browser, name):
    page = browser.get(page_of(name)).content.decode()

    assert "delete_selected" not in page


def test_every_model_of_ours_is_declared_here():
    ours = {name for name in PAGES if not name.startswith("auth_")}

    assert ours == READ_ONLY | ONLY_ADDED | NEVER_DELETED
