"""Which essays a session gets: always the same, those of a language, those a seed draws again."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from contest.services.sessions.drawing import draw, pool_of
from tests.contest.world import Client, Mode, Pool, marked_set
from tests.factories import EssayFactory, EssaySetFactory, submitted

pytestmark = pytest.mark.django_db


def essays_of(client):
    return [each.essay for each in client.session.files.order_by("position")]


def test_a_technical_session_has_the_first_five_training_essays_for_everybody_and_always():
    essay_set = EssaySetFactory(access="open")
    for number in ("7", "3", "6", "1", "5", "4", "2"):
        EssayFactory(essay_set=essay_set, number=f"000000{number}")
    EssayFactory(essay_set__access="closed", number="0000000")

    clients = [Client(mode=Mode.TECHNICAL) for _ in range(3)]

    numbers = [[essay.number for essay in essays_of(each)] for each in clients]
    assert numbers == [[f"000000{number}" for number in range(1, 6)]] * 3


@pytest.mark.parametrize(
    ("language", "subjects"),
    [
        ("eng", {"eng", "eng-free"}),
        ("rus", {"rus", "rus-free", "lit", "social", "hist"}),
        ("all", {"eng", "eng-free", "rus", "rus-free", "lit", "social", "hist"}),
    ],
)
def test_a_session_in_a_language_has_the_essays_of_its_subjects_alone(language, subjects):
    essay_set = EssaySetFactory(access="open")
    for subject in ("rus", "rus-free", "lit", "social", "hist", "eng", "eng-free"):
        essay = EssayFactory(essay_set=essay_set, subject=subject)
        for _expert in range(2):
            submitted(essay, source=MarkupRecord.Source.EXPERT)

    client = Client(language=language)

    assert {essay.subject for essay in essays_of(client)} == subjects


def test_the_seed_that_is_kept_draws_the_files_of_a_session_again():
    marked_set(12)
    clients = [Client(), Client()]

    for each in clients:
        pool = pool_of(Pool.TRAINING, each.person)
        assert draw(pool, count=10, seed=each.session.seed) == essays_of(each)
    assert clients[0].session.seed != clients[1].session.seed
    assert essays_of(clients[0]) != essays_of(clients[1])
