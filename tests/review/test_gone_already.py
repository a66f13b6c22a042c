"""What two coordinators take away at once goes once, and the second is told that it is gone."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry
from review.models.plans import ExpertConflict, Pin
from tests.factories import EssayFactory, PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


def pinned():
    pin = Pin.objects.create(essay=EssayFactory(), expert=PersonFactory())
    return f"/desk/pins/{pin.pk}/drop/", f"/desk/essays/{pin.essay_id}/", "check.unpinned"


def kept_apart():
    one, other = PersonFactory(), PersonFactory()
    pair = ExpertConflict.objects.create(one=one, other=other)
    return f"/planning/conflicts/{pair.pk}/drop/", "/planning/experts/?q=a", "experts.let_meet"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (
            pinned,
            [
                ["The pin is out; a check that was given stays."],
                ["Somebody took this pin out already."],
            ],
        ),
        (
            kept_apart,
            [["They may check one essay again."], ["Somebody removed this pair already."]],
        ),
    ],
)
def test_who_takes_away_what_is_gone_reads_so_on_the_page_of_before(log_in, made, told):
    address, page, action = made()
    people = [log_in(PersonFactory(role=role)) for role in ("coordinator", "organiser")]
    seen = {"referer": f"http://testserver{page}"}

    answers = [each.post(address, headers=seen, follow=True) for each in people]

    assert [texts_of(each, ".messages li") for each in answers] == told
    assert answers[1].redirect_chain == [(page, 302)]
    assert AuditEntry.objects.filter(action=action).count() == 1


@pytest.mark.parametrize("made", [pinned, kept_apart])
def test_strangers_are_told_nothing_of_what_is_gone(log_in, made):
    address, _page, _action = made()
    Pin.objects.all().delete()
    ExpertConflict.objects.all().delete()

    answer = log_in(PersonFactory(role="expert")).post(address)

    assert answer.status_code == 403
