"""The platform as the hostile inputs find it: everybody at work, every kind of row there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import connection

from accounts.models import User
from accounts.services.tokens import issue_token
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.services.markup import row_of
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from tests.factories import (
    TEXT,
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.hostile.dealing import Dealer, Each
from tests.hostile.visitor import Visitor
from tests.strategies import fragment, whole_text

NOT_COUNTED = {"accounts.ratebucket", "sessions.session", "admin.logentry"}
"""Tables that count tries, or keep what a visitor says, not what the platform holds."""


@dataclass(frozen=True)
class World:
    """Visitors by role, and the numbers of what they work on."""

    visitors: dict[str, Visitor]
    participant: Visitor
    stranger: Visitor
    essay: Essay
    closed: Essay
    draft: MarkupRecord
    row: int
    expert: MarkupRecord
    algorithm: MarkupRecord
    waiting: Assignment
    third: MarkupRecord
    source: int
    open_set: EssaySet
    dealer: Dealer

    def dealt(self, inputs: tuple[Each, ...]) -> tuple[Each, ...]:
        return self.dealer.deal(inputs)

    def dealt_widely(self, inputs: tuple[Each, ...]) -> tuple[Each, ...]:
        return self.dealer.deal_widely(inputs)

    def pages(self) -> list[str]:
        """Every page that shows a list or a text, by its address."""
        essays = [self.essay.pk, self.closed.pk]
        markups = [self.draft.pk, self.expert.pk, self.algorithm.pk, self.third.pk]
        return [
            *("/queue/", "/training/", "/desk/", "/scores/", "/people/", "/people/new/"),
            *("/account/", "/import/", "/imports/", "/login/", "/forgotten/"),
            *("/schemes/", "/schemes/use/", "/schemes/coscore/tools/try/"),
            *(f"/essays/{pk}/" for pk in essays),
            *(f"/desk/essays/{pk}/" for pk in essays),
            *(f"/people/{pk}/" for pk in User.objects.values_list("pk", flat=True)[:20]),
            *(f"/markups/{pk}/" for pk in markups),
            *(f"/markups/{pk}/{form}/" for pk in markups for form in ("json", "text")),
            f"/compare/{self.expert.pk}/{self.algorithm.pk}/",
            f"/compare/{self.algorithm.pk}/{self.expert.pk}/",
            *(f"/compare/{self.algorithm.pk}/{self.expert.pk}/{form}/" for form in ("json", "csv")),
            *(f"/markups/{pk}/comparison/" for pk in markups),
            *(f"/essays/{pk}/accuracy/" for pk in essays),
            *admin_pages(),
        ]

    def lists(self) -> list[str]:
        """The addresses of the API that are read."""
        markups = [self.expert.pk, self.algorithm.pk]
        return [
            *("/api/essays/", "/api/scores/", "/api/schema/"),
            *("/api/schemes/", "/api/schemes/keys/", "/api/schemes/use/runs/"),
            f"/api/essays/{self.essay.pk}/",
            f"/api/essays/{self.essay.pk}/markups/",
            *(f"/api/markups/{pk}/" for pk in markups),
            *(f"/api/markups/{pk}/scores/" for pk in markups),
            f"/api/comparisons/{self.expert.pk}/{self.algorithm.pk}/",
        ]

    def version(self, record: MarkupRecord | None = None) -> int:
        number = (record or self.draft).pk
        return MarkupRecord.objects.values_list("version", flat=True).get(pk=number)


def seed(dealer: Dealer) -> World:
    """Make the rows; names are fixed, so one database holds one world."""
    roles = [role for role in User.Role.values if role != "administrator"]
    people = {role: PersonFactory(username=role, role=role) for role in roles}
    people["administrator"] = User.objects.create_superuser("administrator", password="x")
    people["participant"].set_password("right")
    people["participant"].save()
    second = PersonFactory(username="second-expert")
    open_set = EssaySetFactory(name="open", access=EssaySet.Access.OPEN)
    essay = EssayFactory(essay_set=open_set, number="1")
    closed = EssayFactory(essay_set=EssaySetFactory(name="closed"), number="2")
    draft = _draft(essay, people["expert"])
    expert = _markup(essay, "second", second, fragment(12, 17), fragment(24, 29, "А.лекс"))
    algorithm = submitted(
        essay,
        fragment(12, 17),
        whole_text("А.объем"),
        author=people["participant"],
        source=MarkupRecord.Source.ALGORITHM,
    )
    for record in (expert, algorithm):
        grade(markup_id=record.pk)
        score_pairs_of(markup_id=record.pk)
    third = _third(EssayFactory(essay_set=closed.essay_set, number="3"), people["expert"], second)
    return World(
        visitors={role: Visitor(person) for role, person in people.items()},
        participant=Visitor(token=issue_token(user=people["participant"], name="hostile")),
        stranger=Visitor(),
        essay=essay,
        closed=closed,
        draft=draft,
        row=draft.fragments.get().pk,
        expert=expert,
        algorithm=algorithm,
        waiting=AssignmentFactory(essay=closed, expert=people["expert"]),
        third=third,
        source=third.essay.markups.get(author=second).fragments.get().pk,
        open_set=open_set,
        dealer=dealer,
    )


def _draft(essay: Essay, expert: User) -> MarkupRecord:
    assignment = AssignmentFactory(essay=essay, expert=expert, state=Assignment.State.WORKING)
    draft = DraftFactory(assignment=assignment)
    row_of(draft, fragment(0, 4)).save()
    return draft


def _markup(essay: Essay, role: str, expert: User, *fragments: Any) -> MarkupRecord:
    assignment = AssignmentFactory(essay=essay, expert=expert, role=role, state="submitted")
    return submitted(essay, *fragments, assignment=assignment)


def _third(essay: Essay, expert: User, earlier: User) -> MarkupRecord:
    """A third check at work, beside two submitted ones."""
    _markup(essay, "first", earlier, fragment(12, 17))
    _markup(essay, "second", PersonFactory(username="another-expert"), fragment(12, 17, "А.лекс"))
    assignment = AssignmentFactory(
        essay=essay, expert=expert, role="third", state=Assignment.State.WORKING
    )
    draft: MarkupRecord = DraftFactory(assignment=assignment, third=True, version=12345)
    return draft


def admin_pages() -> list[str]:
    models = [model._meta for model in admin.site._registry]
    return ["/admin/", *(f"/admin/{each.app_label}/{each.model_name}/" for each in models)]


def rows() -> dict[str, int]:
    """How many rows each table has, and how often drafts were changed: one query."""
    names, query = counting()
    with connection.cursor() as cursor:
        cursor.execute(query)
        return dict(zip(names, cursor.fetchone(), strict=True))


@cache
def counting() -> tuple[list[str], str]:
    """What is counted, and the query that does."""
    tables = {
        model._meta.label_lower: connection.ops.quote_name(model._meta.db_table)
        for model in apps.get_models()
        if model._meta.label_lower not in NOT_COUNTED
    }
    wanted = [f"(SELECT count(*) FROM {table})" for table in tables.values()]  # noqa: S608
    changes = "(SELECT coalesce(sum(version), 0) FROM annotator_markuprecord)"
    return [*tables, "changes"], f"SELECT {', '.join([*wanted, changes])}"


TEXT_LENGTH = len(TEXT)
