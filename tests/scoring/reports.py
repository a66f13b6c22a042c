"""A world of reports: who sent what, and whose they are."""

from __future__ import annotations

from annotator.models import MarkupRecord
from scoring.services.reporting import compute
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.work import score
from tests.strategies import fragment

HIT, OTHER, MISS = fragment(0, 4), fragment(0, 4, "А.лекс"), fragment(43, 48)
ALGORITHM = MarkupRecord.Source.ALGORITHM


class World:
    """A training set of two essays, two experts, what the lynx sent freely and in a session."""

    def __init__(self, **fields):
        self.essay_set = EssaySetFactory(**{"access": "open", **fields})
        self.lynx = PersonFactory(role="participant", full_name="The Lynx")
        self.essays = [EssayFactory(essay_set=self.essay_set) for _ in range(2)]
        experts = [PersonFactory() for _ in range(2)]
        self.checks = [
            submitted(essay, HIT, author=who) for essay in self.essays for who in experts
        ]
        self.sent = [self.answer(essay, HIT) for essay in self.essays]
        self.sent += [self.answer(essay, OTHER, origin="session-7") for essay in self.essays[:1]]
        score(*self.checks, *self.sent)

    def answer(self, essay, *fragments, origin=""):
        return submitted(essay, *fragments, author=self.lynx, source=ALGORITHM, origin=origin)

    def address(self, origin="free", ending=""):
        return f"/scores/{self.essay_set.pk}/reports/{self.lynx.pk}/{origin}/{ending}"

    def compute(self, origin=""):
        compute(set_id=self.essay_set.pk, author_id=self.lynx.pk, origin=origin)


def statuses(log_in, address, people):
    return {who: log_in(person).get(address).status_code for who, person in people.items()}
