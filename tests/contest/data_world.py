"""Contests with phases and data sets, for tests of what belongs to them."""

from __future__ import annotations

import itertools
from datetime import timedelta

from contest.core.moments import at
from contest.models import Contest, DataSet, Phase, UploadTerms
from contest.services.sessions.clock import moment_now
from contest.services.uploads.terms import Terms, set_upload_terms
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.schemes.inputs import QAC_KEY

numbers = itertools.count(1)
KEY = QAC_KEY.encode()
OPTIONS = {"task": "1"}
ACCESS = {"training": "open", "test": "closed", "final": "final"}


def in_days(days):
    return at(moment_now()) + timedelta(days=days)


def contest_of(**fields):
    """An announced contest whose qualification runs and whose finals are 30 days away."""
    slug = f"contest-{next(numbers)}"
    usual = {"slug": slug, "name_ru": "Конкурс", "name_en": "Contest", "subject": "eng"}
    return Contest.objects.create(**{**usual, "announced_at": in_days(-5), **fields})


def qac(**fields):
    """A contest of QAC, which has no live sessions."""
    return contest_of(scheme="qac", subject="", live=False, **fields)


def phase_of(contest, kind="finals", starts=30, ends=31, closed=None):
    closed_at = None if closed is None else in_days(closed)
    return Phase.objects.create(
        contest=contest,
        kind=kind,
        starts_at=in_days(starts),
        ends_at=in_days(ends),
        closed_at=closed_at,
    )


def data_set_of(contest, role="final", essays=2, **fields):
    """An essay set of a contest, with essays nobody has marked."""
    found = EssaySetFactory(access=ACCESS[role], **fields)
    EssayFactory.create_batch(essays, essay_set=found)
    return DataSet.objects.create(contest=contest, role=role, essay_set=found)


def terms_of(phase, actor=None, **fields):
    """The terms of a phase of a contest of QAC: two uploads a day, three in all."""
    usual = {"per_day": 2, "in_all": 3, "public_share": 0.5, "key": KEY, "options": OPTIONS}
    actor = actor or PersonFactory(role="organiser")
    return set_upload_terms(phase=phase, terms=Terms(**{**usual, **fields}), actor=actor)


def taking_uploads(**fields):
    """A contest of QAC whose qualification takes uploads now."""
    made = qac(**fields)
    terms = terms_of(phase_of(made, "qualification", -1, 5))
    UploadTerms.objects.filter(pk=terms.pk).update(seed=3)  # neither part of so few items is empty
    return made
