"""Objects with owners, for the tests of who gets in where (reliability.md S1, S2)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.urls import URLPattern, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import ApiToken, Specialism, User
from accounts.services.tokens import digest
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.archives import NamedBytes
from annotator.services.imports.importing import Options as ImportOptions
from annotator.services.imports.importing import import_files
from annotator.services.imports.staging import stage_import
from annotator.services.markup import row_of
from review.models import Ruling
from review.models.acts import BulkAct
from review.pages.acts import taking_away
from review.services.acts import Wish, plan_of
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from schemes.models import SchemeRun
from scoring.services.grading import grade
from tests.accounts.board_world import boards
from tests.accounts.contest_world import bodies_of_contests, contests
from tests.accounts.desk_world import (
    SECRET,
    Objects,
    bodies_of_deadlines,
    bodies_of_notes,
    bodies_of_plans,
    bodies_of_sets,
    bodies_of_verdicts,
    deadlines,
    essay_sets,
    figures,
    notes,
    of_the_desk,
    plans,
    set_protocol,
)
from tests.accounts.run_world import bodies_of_runs, score_runs
from tests.accounts.running_world import run_contests
from tests.accounts.session_world import sessions
from tests.accounts.team_world import bodies_of_teams, teams
from tests.accounts.upload_world import uploads
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    marking_form,
    submitted,
)
from tests.schemes.inputs import INPUTS, form_of, scored, stored
from tests.strategies import fragment

"""Stands in every text, name and number of the world: a stranger's page must not show it."""

THINK = fragment(12, 17, "А.лекс")
SOME = fragment(0, 4, "А.грамм")


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
        **practice(expert),
        **handed_in(expert, essay_of(closed, "3")),
        **sent(participant, essay_of(closed, "4")),
        **boards(participant, closed),
        **training(essay_of(opened, "5")),
        **third_checks(expert, essay_of(closed, "6"), essay_of(closed, "7")),
        **settled_essay(),
        **scheme_runs(participant),
        **accounts(expert),
        **imports(opened),
        **essay_sets(opened),
        **deadlines(closed),
        **of_the_desk(),
        **figures(opened, participant),
        **sessions(participant),
        **run_contests(),
        **score_runs(),
        **contests(),
        **teams(participant),
    }
    objects |= uploads(objects["team-contest"]["slug"])
    waiting = Assignment.objects.get(pk=objects["waiting"]["pk"])
    objects |= plans(waiting) | notes(waiting)
    bodies = bodies_of(draft, opened) | bodies_of_third(objects["third-draft"]["pk"])
    bodies |= bodies_of_plans(waiting.expert)
    bodies |= bodies_of_sets(opened)
    bodies |= bodies_of_verdicts(objects["graded-set"]["pk"])
    bodies |= bodies_of_notes()
    bodies |= bodies_of_contests()
    bodies |= bodies_of_runs(opened)
    bodies |= bodies_of_teams()
    seen = objects["hidden-key"]["pk"]
    bodies["annotator:key"] = {"markup": objects["handed-in"]["pk"], "seen": seen}
    bodies["review:take_away"] = answer_to(taking_away(waiting, "?"))
    bodies |= bodies_of_deadlines(objects["waiting"]["pk"])
    return World(expert, participant, objects, bodies)


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


def practice(expert: User) -> Objects:
    """An essay nobody has tried yet, and one whose key the expert has seen."""
    essay_set = EssaySetFactory(name=f"{SECRET} practice", access=EssaySet.Access.PRACTICE)
    fresh, done = essay_of(essay_set, "P1"), essay_of(essay_set, "P2")
    author = PersonFactory(username=f"{SECRET}-author", role=User.Role.COORDINATOR)
    hidden, shown = (
        submitted(each, THINK, author=author, source=MarkupRecord.Source.KEY)
        for each in (fresh, done)
    )
    own = submitted(done, SOME, author=expert, source=MarkupRecord.Source.PRACTICE)
    return {
        "practice-essay": {"pk": fresh.pk},
        "practice-set": {"pk": essay_set.pk},
        "hidden-key": {"pk": hidden.pk},
        "shown-key": {"pk": shown.pk},
        "own-try": {"pk": own.pk},
        "try-and-key": {"left": own.pk, "right": shown.pk},
    }


def sent(participant: User, essay: Essay) -> Objects:
    """What a participant's algorithm has sent, and an expert's markup of the same essay."""
    record = submitted(essay, author=participant, source=MarkupRecord.Source.ALGORITHM)
    expert = submitted(essay, author=PersonFactory(username=f"{SECRET}-checker"))
    return {
        "algorithm": {"pk": record.pk},
        "test-pair": {"left": record.pk, "right": expert.pk},
    }


def training(essay: Essay) -> Objects:
    """An essay to learn from, with the markups of two experts."""
    left, right = submitted(essay), submitted(essay)
    return {
        "open-essay": {"pk": essay.pk},
        "training": {"pk": left.pk},
        "training-pair": {"left": left.pk, "right": right.pk},
    }


def third_checks(expert: User, at_work: Essay, settled: Essay) -> Objects:
    """A third check the expert is at, and one of others' that settled the expert's own."""
    for role in (Assignment.Role.FIRST, Assignment.Role.SECOND):
        submitted(at_work, THINK, assignment=check_of(at_work, role))
    third = Assignment.Role.THIRD
    working = AssignmentFactory(
        expert=expert, essay=at_work, role=third, state=Assignment.State.WORKING
    )
    draft = DraftFactory(assignment=working, third=True)
    own = check_of(settled, Assignment.Role.FIRST, expert)
    submitted(settled, THINK, assignment=own)
    decided = submitted(settled, SOME, assignment=check_of(settled, third))
    return {
        "third-draft": {"pk": draft.pk},
        "settled": {"pk": decided.pk},
        "closed-check": {"pk": own.pk},
    }


def settled_essay() -> Objects:
    """An essay of others whose final grade is settled, and its set."""
    essay_set = EssaySetFactory(
        name=f"{SECRET} graded", rules__final_grades={"eng": "mean-third/total"}
    )
    essay = essay_of(essay_set, "8")
    for role in (Assignment.Role.FIRST, Assignment.Role.SECOND):
        grade(markup_id=submitted(essay, THINK, assignment=check_of(essay, role)).pk)
    arbitrate(essay_id=essay.pk)
    settle_grade(essay_id=essay.pk)
    graded = {"graded-essay": {"pk": essay.pk}, "graded-set": {"pk": essay_set.pk}}
    return graded | set_protocol(essay_set)


def check_of(essay: Essay, role: str, expert: User | None = None) -> Assignment:
    """A submitted check; without an expert it is one of somebody nobody knows."""
    expert = expert or PersonFactory(username=f"{SECRET}-{essay.number}-{role}")
    state = Assignment.State.SUBMITTED
    check: Assignment = AssignmentFactory(essay=essay, role=role, expert=expert, state=state)
    return check


def scheme_runs(participant: User) -> Objects:
    """A participant's run of a scheme and its stored key."""
    run = scored(participant, "use")
    SchemeRun.objects.filter(pk=run.pk).update(name=f"{SECRET} run")
    key = stored(participant, "use", name=f"{SECRET} key")
    return {
        "scheme": {"slug": "use"},
        "scheme-tool": {"slug": "use", "name": "try"},
        "scheme-run": {"uuid": run.uuid},
        "scheme-item": {"uuid": run.uuid, "number": 1},
        "scheme-text": {"uuid": scored(participant, "qac").uuid, "name": "res.dat"},
        "scheme-key": {"uuid": key.uuid},
        "former-admin": {"rest": "schemerun/"},
        "former-decision": {"rest": "thirdcheck/"},
    }


def accounts(expert: User) -> Objects:
    """A key of the expert, the accounts of others, and an invitation."""
    token = ApiToken.objects.create(
        user=expert,
        name=f"{SECRET} key",
        digest=digest(SECRET),
        hint="ibar",
        expires_at="2100-01-01T00:00:00Z",
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


def imports(essay_set: EssaySet) -> Objects:
    """An import that was carried out, and files of somebody else that wait for a word."""
    options = ImportOptions(essay_set, actor=PersonFactory(role=User.Role.COORDINATOR))
    name = f"{SECRET}-8.txt"
    import_files([NamedBytes(name, f"Предмет: английский\n\n{SECRET}".encode())], options)
    preview = stage_import(uploads=[(name, BytesIO(SECRET.encode()))], options=options).batch
    done = EssayImport.objects.exclude(pk=preview.pk).get()
    return {"import": {"pk": done.pk}, "preview": {"pk": preview.pk}}


def bodies_of(draft: MarkupRecord, essay_set: EssaySet) -> Objects:
    """What is posted to a route, as far as it reads anything."""
    marks = draft.fragments.all()
    key = INPUTS["use"]()["key"]
    return {
        "annotator:fragments": marking_form(draft, start=0, end=4),
        "annotator:fragment": marking_form(draft, start=0, end=4),
        "review:ask_act": act_on(draft),
        "annotator:same": {
            "version": draft.version,
            "places": f"5-11:{uuid.uuid4()}",
            "quote": draft.essay.text[5:11],
            "code": "А.орф",
        },
        "annotator:links": {"version": draft.version, "first": marks[0].pk, "second": marks[1].pk},
        "annotator:activity": {"seconds": 1},
        "annotator:hint": {"hint": "keys"},
        "annotator:source": {"words": draft.essay.text, "written": "txt"},
        "scoring:state_points": {"version": draft.version, "K1": 1},
        "annotator:drop": {"version": draft.version},
        "annotator:submit": {"version": draft.version},
        "annotator:give_back": {"reason": "I know the pupil"},
        "annotator:import": {"essay_set": essay_set.pk},
        "api:api_markups": {"selections": []},
        "api:api_sessions": {"mode": "technical"},
        "contest:stop_session": {"reason": "A flood"},
        "contest:cancel_final": {"reason": "A flood"},
        "contest:archives": {"kind": "test"},
        "api:api_left_out": {"essays": []},
        "api:api_sets": {"name": "New", "rules": essay_set.rules.name},
        "schemes:scheme": form_of("use"),
        "schemes:keep_key": {"name": "Mine", "content": key},
        "api:api_scheme_runs": {"inputs": INPUTS["use"]()},
        "api:api_scheme_keys": {"scheme": "use", "name": "Mine", "content": key},
        "api:api_keys": {"username": "nobody", "password": "nothing"},
        "set_language": {"language": "ru"},
    }


def act_on(draft: MarkupRecord) -> dict[str, Any]:
    """A draft's check is to be taken away, as somebody has looked at it."""
    kind, essays = BulkAct.Kind.WITHDRAW, Essay.objects.filter(pk=draft.essay_id)
    return {"act": kind.value, "essay": draft.essay_id, **answer_to(Wish(kind, essays))}


def answer_to(wish: Wish) -> dict[str, Any]:
    """The word that what was looked at be done."""
    return {"key": uuid.uuid4(), "seen": plan_of(wish).digest}


def bodies_of_third(draft: int) -> Objects:
    """What a third expert posts: a fragment of the first check is taken, and decided about."""
    record = MarkupRecord.objects.get(pk=draft)
    checks = record.essay.markups.filter(assignment__role=Assignment.Role.FIRST)
    (source,) = checks.get().fragments.values_list("pk", flat=True)
    return {
        "review:take": {"version": record.version, "sources": source},
        "review:neither": {"version": record.version, "fragments": source},
        "review:reasons": {"version": record.version, "fragments": source, "reason": "clear"},
        "review:reopen": {"reason": "cut off"},
    }


def essay_of(essay_set: EssaySet, number: str) -> Any:
    return EssayFactory(essay_set=essay_set, number=f"{SECRET}-{number}", theme=f"{SECRET} theme")


def uid_of(person: User) -> str:
    return urlsafe_base64_encode(force_bytes(person.pk))


def link_token(person: User) -> str:
    return default_token_generator.make_token(person)


def snapshot(without: Collection[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """Every row somebody could want to change, without some columns."""
    models = [User, Specialism, ApiToken, Essay, Assignment, MarkupRecord, FragmentRecord, Ruling]
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
