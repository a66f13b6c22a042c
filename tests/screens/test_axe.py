"""axe finds nothing serious on any page, in wide and narrow windows, light and dark."""

from __future__ import annotations

import importlib
from datetime import timedelta
from functools import cached_property

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from annotator.models import EssaySet
from annotator.services.versions import replace_essay
from review.core.plan_options import Options
from review.deadline_models import CalendarDay, LetterTerms, SetTerms
from review.models import Export
from review.services.agreeing import compute_agreement
from review.services.arbitration import arbitrate
from review.services.exporting import order_export
from review.services.finals import settle_grade
from review.services.plans import preview_plan
from scoring.services.grading import grade
from tests.annotator.drafts import draft_of
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.review.thirds import thirds
from tests.strategies import fragment, whole_text
from tests.tiers import in_ci

pytestmark = pytest.mark.full

TEXT = "Some people think that sport unite people, while others does not agree.\n\nSo what?"
MARKS = (
    fragment(0, 41, "ПРОБЛЕМА"),
    fragment(5, 11, "А.грамм", subcode="множ", tag="множ1", comment="Number"),
    fragment(23, 28, "А.лекс", correction="sports"),
    fragment(23, 28, "А.орф"),
    fragment(43, 48, "ИСП", correction="when"),
    whole_text("А.логика"),
)
BAD = ("serious", "critical")
WINDOWS = [{"width": 1440, "height": 900}, {"width": 375, "height": 740}]
SCHEMES = ["light", "dark"]


class World:
    """A little of everything: each property is an address and who opens it."""

    def somebody(self, role):
        return PersonFactory(role=role)

    def start(self, role):
        self.checked()
        return self.somebody(role), "/"

    @cached_property
    def draft(self):
        return draft_of(TEXT, *MARKS)

    def checked(self):
        essay = EssayFactory(text=TEXT, essay_set__access=EssaySet.Access.OPEN)
        one = AssignmentFactory(essay=essay, state="submitted")
        records = [submitted(essay, *MARKS, assignment=one), submitted(essay, *MARKS[2:5])]
        for record in records:
            grade(markup_id=record.pk)
        return records

    def page(self, name):
        """Who opens a page, and its address."""
        return getattr(self, f"page_{name}")()

    def page_login(self):
        return None, "/login/"

    def page_forgotten(self):
        return None, "/forgotten/"

    def page_queue(self):
        AssignmentFactory(expert=self.draft.author)
        return self.draft.author, "/queue/"

    def page_draft(self):
        return self.draft.author, f"/markups/{self.draft.pk}/"

    def page_empty_draft(self):
        record = draft_of(TEXT)
        return record.author, f"/markups/{record.pk}/"

    def page_submitted(self):
        record, _other = self.checked()
        return record.author, f"/markups/{record.pk}/"

    def page_third_desk(self):
        made = thirds()
        return made.record.author, f"/markups/{made.record.pk}/"

    def page_settled(self):
        made = thirds()
        return made.first.author, f"/markups/{made.submit().pk}/settled/"

    def page_comparison(self):
        left, right = self.checked()
        return self.somebody(User.Role.JUDGE), f"/compare/{left.pk}/{right.pk}/"

    def page_comparison_with_a_filter(self):
        left, right = self.checked()
        address = f"/compare/{left.pk}/{right.pk}/?kind=only_left&code=А.грамм#row-2"
        return self.somebody(User.Role.JUDGE), address

    def page_several(self):
        left, _right = self.checked()
        return self.somebody(User.Role.JUDGE), f"/markups/{left.pk}/comparison/"

    def page_accuracy(self):
        left, _right = self.checked()
        return self.somebody(User.Role.JUDGE), f"/essays/{left.essay_id}/accuracy/"

    def page_figures(self):
        participant = self.somebody(User.Role.PARTICIPANT)
        essay = EssayFactory(text=TEXT)
        own = submitted(essay, *MARKS, author=participant, source="algorithm")
        return participant, f"/compare/{own.pk}/{submitted(essay, *MARKS[2:5]).pk}/"

    def page_own_figures(self):
        return self.somebody(User.Role.PARTICIPANT), "/scores/own/"

    def page_agreement(self):
        left, _right = self.checked()
        essay_set = left.essay.essay_set
        compute_agreement(set_id=essay_set.pk)
        return self.somebody(User.Role.JUDGE), f"/agreement/?set={essay_set.name}"

    def page_agreement_pairs(self):
        left, _right = self.checked()
        compute_agreement(set_id=left.essay.essay_set_id)
        return self.somebody(User.Role.JUDGE), f"/agreement/{left.essay.essay_set_id}/pairs/"

    def ordered(self):
        left, _right = self.checked()
        owner = self.somebody(User.Role.COORDINATOR)
        kind, form = Export.Kind.RESULTS, Export.Form.CSV
        essay_set = left.essay.essay_set
        return owner, order_export(owner=owner, kind=kind, form=form, essay_set=essay_set)

    def page_exports(self):
        return self.ordered()[0], "/exports/"

    def page_export(self):
        owner, export = self.ordered()
        Export.objects.filter(pk=export.pk).update(state="running", done=1, total=3)
        return owner, f"/exports/{export.uuid}/"

    def page_checks(self):
        record, _other = self.checked()
        return self.somebody(User.Role.COORDINATOR), f"/desk/essays/{record.essay_id}/"

    def page_desk(self):
        self.checked()
        return self.somebody(User.Role.COORDINATOR), "/desk/"

    def page_act_question(self):
        AssignmentFactory()
        return self.somebody(User.Role.COORDINATOR), "/desk/acts/new/?act=hand_over&all=1"

    def page_problems(self):
        AssignmentFactory()
        return self.somebody(User.Role.COORDINATOR), "/desk/problems/"

    def page_invite_many(self):
        return self.somebody(User.Role.ADMINISTRATOR), "/people/invite/?all=1"

    def page_essay(self):
        record, _other = self.checked()
        return self.somebody(User.Role.PARTICIPANT), f"/essays/{record.essay_id}/"

    def settled_essay(self):
        essay_set = EssaySetFactory(rules__final_grades={"eng": "median/criteria"})
        essay = EssayFactory(text=TEXT, essay_set=essay_set)
        for role in ("first", "second"):
            check = AssignmentFactory(essay=essay, role=role, state="submitted")
            grade(markup_id=submitted(essay, *MARKS, assignment=check).pk)
        arbitrate(essay_id=essay.pk)
        settle_grade(essay_id=essay.pk)
        return essay

    def page_essay_with_a_grade(self):
        essay = self.settled_essay()
        address = f"/essays/{essay.pk}/?markup={essay.markups.first().pk}"
        return self.somebody(User.Role.COORDINATOR), address

    def page_protocol(self):
        return self.somebody(User.Role.COMMISSION), f"/essays/{self.settled_essay().pk}/protocol/"

    def page_pupil(self):
        return self.somebody(User.Role.JUDGE), f"/essays/{self.settled_essay().pk}/pupil/"

    def replaced(self, draft):
        return replace_essay(
            essay=draft.essay,
            text=TEXT.replace("sport unite", "games unite"),
            reason="A line was missing",
            actor=self.somebody(User.Role.COORDINATOR),
        )

    def page_not_carried(self):
        record = draft_of(TEXT, *MARKS)
        self.replaced(record)
        return record.author, f"/markups/{record.pk}/"

    def page_replaced(self):
        record = draft_of(TEXT)
        self.replaced(record)
        return self.somebody(User.Role.COORDINATOR), f"/essays/{record.essay_id}/"

    def page_replacing(self):
        return self.somebody(User.Role.COORDINATOR), f"/essays/{self.draft.essay_id}/replace/"

    def page_correcting(self):
        return self.somebody(User.Role.COORDINATOR), f"/essays/{self.draft.essay_id}/correct/"

    def page_sets(self):
        self.checked()
        return self.somebody(User.Role.COORDINATOR), "/sets/"

    def set_of_finals(self):
        return EssayFactory(text=TEXT, essay_set__access=EssaySet.Access.FINAL).essay_set_id

    def page_set(self):
        return self.somebody(User.Role.ORGANISER), f"/sets/{self.set_of_finals()}/"

    def page_set_form(self):
        return self.somebody(User.Role.ORGANISER), f"/sets/{self.set_of_finals()}/describe/"

    def page_publishing(self):
        return self.somebody(User.Role.ORGANISER), f"/sets/{self.set_of_finals()}/publish/"

    def page_rules(self):
        return self.somebody(User.Role.ORGANISER), f"/sets/{self.set_of_finals()}/rules/"

    def page_scores(self):
        self.checked()
        return self.somebody(User.Role.COMMISSION), "/scores/"

    def page_import(self):
        return self.somebody(User.Role.COORDINATOR), "/import/"

    def page_planning(self):
        self.checked()
        return self.somebody(User.Role.COORDINATOR), "/planning/"

    def page_plan(self):
        user = self.somebody(User.Role.COORDINATOR)
        EssayFactory.create_batch(2, text=TEXT)
        PersonFactory(school="A")
        PersonFactory(school="A")
        plan = preview_plan(options=Options(limit=9), actor=user)
        return user, f"/planning/{plan.pk}/"

    def page_plan_experts(self):
        PersonFactory()
        return self.somebody(User.Role.COORDINATOR), "/planning/experts/"

    def page_people(self):
        return self.somebody(User.Role.ADMINISTRATOR), "/people/"

    def page_person(self):
        return self.somebody(User.Role.ADMINISTRATOR), "/people/new/"

    def page_account(self):
        return self.somebody(User.Role.EXPERT), "/account/"

    def page_classifier(self):
        return self.somebody(User.Role.EXPERT), "/classifiers/eng/"

    def page_deadlines(self):
        essay = EssayFactory(text=TEXT)
        SetTerms.objects.create(essay_set=essay.essay_set)
        late = timezone.now() - timedelta(days=1)
        AssignmentFactory(essay=essay, deadline_at=late)
        mute = PersonFactory(email="mute@school.example")
        LetterTerms.objects.create(
            person=mute, refused_address=mute.email, refused_because="550 no", refused_at=late
        )
        return self.somebody("coordinator"), "/deadlines/"

    def page_terms(self):
        essay_set = EssayFactory().essay_set
        return self.somebody("coordinator"), f"/deadlines/sets/{essay_set.pk}/"

    def page_calendar(self):
        CalendarDay.objects.create(day="2028-05-02", note="moved")
        return self.somebody("coordinator"), "/deadlines/calendar/?year=2028"


PAGES = sorted(name.removeprefix("page_") for name in vars(World) if name.startswith("page_"))


@pytest.fixture(scope="package")
def axe():
    try:
        return importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    except ImportError:
        return (pytest.fail if in_ci() else pytest.skip)("no axe-playwright-python here")


@pytest.fixture
def serious(axe):
    """What is serious on a page in any of its looks."""

    def found(page):
        problems = []
        for window in WINDOWS:
            page.set_viewport_size(window)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                violations = axe.run(page).response["violations"]
                problems += [
                    f"{window['width']} {scheme}: {each['id']}: {node['html'][:120]}"
                    for each in violations
                    if each["impact"] in BAD
                    for node in each["nodes"]
                ]
        return problems

    return found


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(visit, serious, name):
    user, address = World().page(name)

    assert serious(visit(user, address)) == []


@pytest.mark.parametrize("role", [role.value for role in User.Role])
def test_axe_finds_nothing_serious_where_somebody_begins(visit, serious, role):
    user, address = World().start(role)

    assert serious(visit(user, address)) == []


@pytest.mark.parametrize("opened", ["card", "guide", "keys", "search", "toast", "find"])
def test_axe_finds_nothing_serious_while_something_is_open(desk, serious, opened):
    screen = desk(TEXT, *MARKS).into_text()
    ways = {"card": "e", "guide": "g", "keys": "?", "search": "f", "find": "/", "toast": "Delete"}
    shown = {"card": "#cards form", "find": "#hit", "toast": "#toast form"}

    screen.press("j", ways[opened])
    if opened == "find":
        screen.write("uh")
    expect(screen.page.locator(shown.get(opened, f"#{opened}"))).to_be_visible()

    assert serious(screen.page) == []


def test_axe_finds_what_is_serious(desk, serious):
    page = desk(TEXT).page
    page.evaluate("document.body.append(document.createElement('button'))")

    assert any("button-name" in each for each in serious(page))
