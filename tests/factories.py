"""Rows for tests: plain, valid, and nothing a test does not see."""

from __future__ import annotations

import uuid
from typing import Any

import factory
from django.db.models.functions import Now

from accounts.models import Specialism, User
from annotator.core.values import Fragment, Markup
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord, RuleSet
from annotator.services.markup import row_of

TEXT = (
    "Some people think that sport unite people, while others does not agree.\n\n"
    "I believe that sport make people more stronger and happy."
)


class PersonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person-{n}")
    password = "chosen, and no test knows it"
    role = User.Role.EXPERT

    class Params:
        invited = factory.Trait(password="!")  # has not chosen a password yet

    @factory.post_generation
    def subjects(self, _create: bool, given: list[str] | None, **_: Any) -> None:
        if self.role == User.Role.EXPERT:
            for subject in given if given is not None else ["eng"]:
                Specialism.objects.create(user=self, subject=subject)


class RuleSetFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = RuleSet

    name = factory.Sequence(lambda n: f"rules-{n}")


class EssaySetFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = EssaySet

    name = factory.Sequence(lambda n: f"set-{n}")
    rules = factory.SubFactory(RuleSetFactory)


class EssayFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Essay

    essay_set = factory.SubFactory(EssaySetFactory)
    number = factory.Sequence(lambda n: f"{n:07}")
    subject = "eng"
    text = TEXT
    theme = "Sport unites people"


class AssignmentFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Assignment

    essay = factory.SubFactory(EssayFactory)
    expert = factory.SubFactory(PersonFactory)
    role = Assignment.Role.FIRST


class DraftFactory(factory.django.DjangoModelFactory):
    """An expert's draft of an assigned essay."""

    class Meta:
        model = MarkupRecord

    assignment = factory.SubFactory(AssignmentFactory, state=Assignment.State.WORKING)
    essay = factory.SelfAttribute("assignment.essay")
    author = factory.SelfAttribute("assignment.expert")
    source = MarkupRecord.Source.EXPERT


def submitted(
    essay: Essay,
    *fragments: Fragment,
    author: User | None = None,
    source: MarkupRecord.Source = MarkupRecord.Source.EXPERT,
    assignment: Assignment | None = None,
    origin: str = "",
) -> MarkupRecord:
    """A submitted markup of an essay, without announcing it."""
    if author is None:
        is_expert = source == MarkupRecord.Source.EXPERT
        role = User.Role.EXPERT if is_expert else User.Role.PARTICIPANT
        author = assignment.expert if assignment else PersonFactory(role=role)
    Markup(essay.text, fragments)  # a span outside the text is a fault of the test
    record = MarkupRecord.objects.create(
        essay=essay,
        author=author,
        source=source,
        origin=origin,
        assignment=assignment,
        state=MarkupRecord.State.SUBMITTED,
        submitted_at=Now(),
    )
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in fragments)
    return MarkupRecord.objects.get(pk=record.pk)


def marking_form(record: MarkupRecord, **fields: Any) -> dict[str, Any]:
    """What the marking page posts for a fragment; the quote is taken from the essay."""
    start, end = fields.get("start"), fields.get("end")
    quote = record.essay.text[start:end] if start is not None else ""
    return {
        "version": record.version,
        "uid": str(uuid.uuid4()),
        "code": "А.грамм",
        "quote": quote,
        **fields,
    }


def nine_more(own):
    """Of so many more essays of the set a solution has answers, and an expert a markup: figures of
    each of its essays are told.
    """
    essay = {"essay_set": own.essay.essay_set}
    for each in EssayFactory.create_batch(9, **essay):
        submitted(each, author=own.author, source=own.source, origin=own.origin)
        submitted(each)
    return own
