"""Objects with owners, for the tests of who gets in where (reliability.md S1, S2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.urls import URLPattern, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import ApiToken, Specialism, User
from accounts.services.tokens import digest
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    marking_form,
    submitted,
)
from tests.strategies import fragment

SECRET = "Zanzibar"
"""Stands in every text, name and number of the world: a stranger's page must not show it."""

THINK = fragment(12, 17, "А.лекс")
SOME = fragment(0, 4, "А.грамм")


Objects = dict[str, dict[str, Any]]


@dataclass
class World:
    """``objects``: the arguments of a route by what it opens; ``bodies``: what is posted there."""

    expert: User
    participant: User
    objects: Objects
    bodies: Objects


def make_world(expert: User, participant: User, training_is: str = EssaySet.Access.OPEN) -> World:
    """Everything an expert and a participant can own; one of the two essay sets may be open."""
    closed = EssaySetFactory(name=f"{SECRET} test", rules__name=f"{SECRET} rules")
    opened = EssaySetFactory(name=f"{SECRET} training", access=training_is)
    draft = draft_of(expert, essay_of(closed, "2"))
    objects = {
        "-": {},
        **in_work(draft, essay_of(closed, "1")),
        **handed_in(expert, essay_of(closed, "3")),
        **sent(participant, essay_of(closed, "4")),
        **training(essay_of(opened, "5")),
        **accounts(expert),
    }
    return World(expert, participant, objects, bodies_of(draft, opened))


def draft_of(expert: User, essay: Essay) -> MarkupRecord:
    working = AssignmentFactory(expert=expert, essay=essay, state=Assignment.State.WORKING)
    draft: MarkupRecord = DraftFactory(assignment=working)
    for each in (THINK, SOME):
        row_of(draft, each).save()
    return draft


def in_work(draft: MarkupRecord, next_essay: Essay) -> Objects:
    """What an expert works on, and what waits."""
    waiting = AssignmentFactory(expert=draft.author, essay=next_essay)
    return {
        "english": {"subject": "eng"},
        "waiting": {"pk": waiting.pk},
        "assigned-essay": {"pk": next_essay.pk},
        "draft": {"pk": draft.pk},
        "mark-of-draft": {"pk": draft.pk, "number": draft.fragments.first().pk},
    }


def handed_in(expert: User, essay: Essay) -> Objects:
    """What an expert has finished, and another one too."""
    done = AssignmentFactory(expert=expert, essay=essay, state=Assignment.State.SUBMITTED)
    first = submitted(essay, THINK, assignment=done)
    second = submitted(essay, author=PersonFactory(username=f"{SECRET}-second"))
    return {
        "handed-in": {"pk": first.pk},
        "mark-handed-in": {"pk": first.pk, "number": first.fragments.get().pk},
        "pair": {"left": first.pk, "right": second.pk},
    }


def sent(participant: User, essay: Essay) -> Objects:
    """What a participant's algorithm has sent."""
    record = submitted(essay, author=participant, source=MarkupRecord.Source.ALGORITHM)
    return {"algorithm": {"pk": record.pk}}


def training(essay: Essay) -> Objects:
    """An essay to learn from, with the markups of two experts."""
    left, right = submitted(essay), submitted(essay)
    return {
        "open-essay": {"pk": essay.pk},
        "training": {"pk": left.pk},
        "training-pair": {"left": left.pk, "right": right.pk},
    }


def accounts(expert: User) -> Objects:
    """A key of the expert, the accounts of others, and an invitation."""
    token = ApiToken.objects.create(
        user=expert, name=f"{SECRET} key", digest=digest(SECRET), hint="ibar"
    )
    colleague = PersonFactory(username=f"{SECRET}-colleague", email="colleague@example.org")
    chief = PersonFactory(
        username=f"{SECRET}-chief", email="chief@example.org", role=User.Role.ADMINISTRATOR
    )
    return {
        "key": {"pk": token.pk},
        "colleague": {"pk": colleague.pk},
        "administrator": {"pk": chief.pk},
        "link": {"uidb64": uid_of(colleague), "token": link_token(colleague)},
    }


def bodies_of(draft: MarkupRecord, essay_set: EssaySet) -> Objects:
    """What is posted to a route, as far as it reads anything."""
    marks = draft.fragments.all()
    return {
        "annotator:fragments": marking_form(draft, start=0, end=4),
        "annotator:fragment": marking_form(draft, start=0, end=4),
        "annotator:links": {"version": draft.version, "first": marks[0].pk, "second": marks[1].pk},
        "annotator:activity": {"seconds": 1},
        "scoring:state_points": {"version": draft.version, "K1": 1},
        "annotator:drop": {"version": draft.version},
        "annotator:submit": {"version": draft.version},
        "annotator:give_back": {"reason": "I know the pupil"},
        "annotator:import": {"essay_set": essay_set.pk},
        "api:api_markups": {"selections": []},
        "api:api_keys": {"username": "nobody", "password": "nothing"},
        "set_language": {"language": "ru"},
    }


def essay_of(essay_set: EssaySet, number: str) -> Any:
    return EssayFactory(essay_set=essay_set, number=f"{SECRET}-{number}", theme=f"{SECRET} theme")


def uid_of(person: User) -> str:
    return urlsafe_base64_encode(force_bytes(person.pk))


def link_token(person: User) -> str:
    return default_token_generator.make_token(person)


def snapshot(without: Collection[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """Every row somebody could want to change, without some columns."""
    models = [User, Specialism, ApiToken, Essay, Assignment, MarkupRecord, FragmentRecord]
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name not in without}
            for row in model.objects.order_by("pk").values()
        ]
        for model in models
    }


def routes() -> dict[str, frozenset[str]]:
    """Every route of the resolver by its name, with the names of its arguments; without admin."""
    return {
        name: arguments
        for name, arguments in _walk(get_resolver().url_patterns, ())
        if not name.startswith("admin:")
    }


def _walk(patterns: Any, names: tuple[str, ...]) -> Any:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            name = pattern.name or str(pattern.pattern)
            yield ":".join([*names, name]), frozenset(pattern.pattern.converters)
        else:
            inner = (*names, pattern.namespace) if pattern.namespace else names
            yield from _walk(pattern.url_patterns, inner)
