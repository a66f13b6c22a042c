"""The pages that axe looks at, each with rows on it."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property

from django.utils import timezone

from accounts.models import User
from annotator.models import EssaySet
from annotator.services.versions import replace_essay
from review.core.plan_options import Options
from review.models import Export, Note
from review.models.deadlines import CalendarDay, LetterTerms, SetTerms
from review.services.agreeing import compute_agreement
from review.services.arbitration import arbitrate
from review.services.exporting import order_export
from review.services.finals import settle_grade
from review.services.plans import confirm_plan, preview_plan
from scoring.services.grading import grade
from tests.annotator.drafts import draft_of
from tests.annotator.practising import practice_essay, tried
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    nine_more,
    submitted,
)
from tests.review.thirds import thirds
from tests.review.verdicts import give_back, verify
from tests.screens.axe_boards import Boards
from tests.screens.axe_contest import ContestPages
from tests.screens.axe_runs import RunPages
from tests.screens.axe_teams import TeamPages
from tests.strategies import fragment, whole_text

TEXT = "Some people think that sport unite people, while others does not agree.\n\nSo what?"

MARKS = (
    fragment(0, 41, "ПРОБЛЕМА"),
    fragment(5, 11, "А.грамм", subcode="множ", tag="множ1", comment="Number"),
    fragment(23, 28, "А.лекс", correction="sports"),
    fragment(23, 28, "А.орф"),
    fragment(43, 48, "ИСП", correction="when"),
    whole_text("А.логика"),
)


class World(Boards, ContestPages, RunPages, TeamPages):
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

    def page_expert_figures(self):
        record, _other = self.checked()
        return record.author, "/queue/figures/"

    def page_note(self):
        check = AssignmentFactory()
        Note.objects.create(assignment=check, words="Is this a copy?")
        return check.expert, f"/essays/{check.essay_id}/"

    def page_note_to_answer(self):
        check = AssignmentFactory()
        Note.objects.create(assignment=check, words="Is this a copy?")
        return self.somebody("coordinator"), f"/essays/{check.essay_id}/"

    def page_draft(self):
        return self.draft.author, f"/markups/{self.draft.pk}/"

    def page_source(self):
        return self.draft.author, f"/markups/{self.draft.pk}/source/"

    def page_history(self):
        record, _other = self.checked()
        return self.somebody("coordinator"), f"/markups/{record.pk}/history/"

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
        own = nine_more(submitted(essay, *MARKS, author=participant, source="algorithm"))
        return participant, f"/compare/{own.pk}/{submitted(essay, *MARKS[2:5]).pk}/"

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

    def page_verification(self):
        self.settled_essay()
        return self.somebody(User.Role.JUDGE), "/verdicts/"

    def page_verdicts(self):
        essay_set = self.settled_essay().essay_set
        return self.somebody(User.Role.JUDGE), f"/verdicts/sets/{essay_set.pk}/"

    def page_verdict_question(self):
        essay_set = self.settled_essay().essay_set
        address = f"/verdicts/sets/{essay_set.pk}/say/?kind=verified&seen=0"
        return self.somebody(User.Role.JUDGE), address

    def page_set_history(self):
        essay_set = self.settled_essay().essay_set
        give_back(essay_set)
        return self.somebody(User.Role.JUDGE), f"/verdicts/sets/{essay_set.pk}/history/"

    def page_set_protocol(self):
        said = verify(self.settled_essay().essay_set)
        return self.somebody(User.Role.COMMISSION), f"/verdicts/protocols/{said.protocol_id}/"

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

    def page_practice(self):
        expert = PersonFactory()
        for marks in ((), MARKS):
            tried(practice_essay(*MARKS[:3], text=TEXT), expert, *marks)
        practice_essay(*MARKS[:3], text=TEXT)
        return expert, "/practice/"

    def page_beside_the_key(self):
        record = tried(practice_essay(*MARKS[:3], text=TEXT), PersonFactory(), *MARKS[1:])
        key = record.essay.markups.get(source="key")
        return record.author, f"/compare/{record.pk}/{key.pk}/"

    def page_practice_essay(self):
        record = tried(practice_essay(*MARKS[:3], text=TEXT), PersonFactory(), *MARKS[1:])
        return self.somebody(User.Role.COORDINATOR), f"/essays/{record.essay_id}/"

    def page_key(self):
        self.checked()
        essay = practice_essay(*MARKS[:3], text=TEXT)
        return self.somebody(User.Role.COORDINATOR), f"/essays/{essay.pk}/key/"

    def page_practice_set(self):
        essay = practice_essay(text=TEXT)
        return self.somebody(User.Role.ORGANISER), f"/sets/{essay.essay_set_id}/"

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

    def page_withdrawing_a_plan(self):
        user = self.somebody(User.Role.COORDINATOR)
        EssayFactory(text=TEXT)
        PersonFactory.create_batch(2)
        plan = preview_plan(options=Options(), actor=user)
        confirm_plan(plan=plan, seen=plan.digest, actor=user)
        return user, f"/planning/{plan.pk}/withdraw/"

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

    def page_extend(self):
        AssignmentFactory(deadline_at=timezone.now())
        query = "all=1&working_days=3&reason=snow"
        return self.somebody("coordinator"), f"/deadlines/extend/?{query}"

    def page_remind(self):
        check = AssignmentFactory(deadline_at=timezone.now())
        return self.somebody("coordinator"), f"/deadlines/remind/?person={check.expert_id}"

    def page_terms(self):
        essay_set = EssayFactory().essay_set
        return self.somebody("coordinator"), f"/deadlines/sets/{essay_set.pk}/"

    def page_calendar(self):
        CalendarDay.objects.create(day="2028-05-02", note="moved")
        return self.somebody("coordinator"), "/deadlines/calendar/?year=2028"
