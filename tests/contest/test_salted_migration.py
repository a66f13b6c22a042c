"""Keys of contests that were there before get a secret before their digest."""

from __future__ import annotations

from hashlib import sha256

import pytest
from django.utils import timezone

from tests.moments import go

pytestmark = pytest.mark.full

BEFORE, AFTER = (("contest", name) for name in ("0014_annulled_uploads", "0015_salted_keys"))
KEY = b"A\nB\n"


@pytest.mark.usefixtures("todays_database")
def test_a_key_that_was_there_is_salted_and_the_way_back_is_open():
    model_of = go(BEFORE)
    person = model_of("accounts", "User").objects.create(username="lynx", role="organiser")
    now = timezone.now()
    contest = model_of("contest", "Contest").objects.create(
        slug="qac", name_ru="Конкурс", scheme="qac"
    )
    phase = model_of("contest", "Phase").objects.create(
        contest=contest, kind="finals", starts_at=now, ends_at=now + timezone.timedelta(1)
    )
    key = model_of("schemes", "StoredKey").objects.create(
        owner=person, scheme="qac", name="qac", content=KEY, size=len(KEY)
    )
    model_of("contest", "UploadTerms").objects.create(
        phase=phase, key=key, digest=sha256(KEY).hexdigest(), set_by=person
    )

    terms = go(AFTER)("contest", "UploadTerms").objects.get()

    assert terms.public_digest == sha256(terms.salt.encode() + KEY).hexdigest()
    assert len(terms.salt) == 32
    kept = go(BEFORE)("contest", "UploadTerms").objects.get()
    assert kept.digest == sha256(KEY).hexdigest()
