"""What links fragments in the earlier checks links them in the third one, whose side each is of."""

from __future__ import annotations

from itertools import product

import pytest

from annotator.models import MarkupRecord
from review.services.rulings import take
from tests.review.thirds import thirds
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

PLACES = ((0, 4), (12, 17), (18, 22))
SIDES = ("first", "second")


def tagged(*tags):
    """A check of three places with these tags; ``None`` where it has no mark."""
    return tuple(
        fragment(*place, "А.грамм", subcode="арт", tag=tag)
        for place, tag in zip(PLACES, tags, strict=True)
        if tag is not None
    )


def number(desk, side, at):
    """The fragment of a check at a place."""
    record = getattr(desk, side)
    return record.fragments.get(start=PLACES[at][0]).pk


def taken(desk, *choices):
    """The tags after these fragments were taken one by one, in the order of the places."""
    for at, side in choices:
        record = MarkupRecord.objects.get(pk=desk.record.pk)
        other = next(each for each in SIDES if each != side)
        instead = getattr(desk, other).fragments.filter(start=PLACES[at][0])
        take(
            record=record,
            version=record.version,
            sources=[number(desk, side, at)],
            instead_of=[row.pk for row in instead],
        )
    return list(desk.record.fragments.order_by("start").values_list("tag", flat=True))


@pytest.mark.parametrize("sides", list(product(SIDES, repeat=3)))
@pytest.mark.parametrize("names", [("арт1", "арт1"), ("арт1", "Т9")])
def test_a_link_of_both_checks_stays_whichever_side_each_fragment_is_of(sides, names):
    first, second = names
    desk = thirds(first=tagged(first, first, first), second=tagged(second, second, second))

    found = taken(desk, *enumerate(sides))

    assert found == [first if sides[0] == "first" else second] * 3


def test_another_side_taken_instead_keeps_the_link():
    desk = thirds(first=tagged("арт1", "арт1", ""), second=tagged("т2", "т2", ""))
    both = [(0, "first"), (1, "first")]

    found = taken(desk, *both, (0, "second"), (1, "second"), (0, "first"))

    assert found == ["арт1", "арт1"]


def test_what_one_check_links_and_the_other_does_not_stays_apart():
    desk = thirds(first=tagged("арт1", "арт1", "арт1"), second=tagged("арт1", "", "арт2"))

    found = taken(desk, (0, "second"), (1, "first"), (2, "first"))

    assert found == ["арт1", "арт2", "арт2"]


def test_what_only_one_check_has_is_linked_as_that_one_says():
    desk = thirds(first=tagged("арт1", "арт1", None), second=tagged("т2", "т2", "т2"))

    found = taken(desk, (0, "first"), (2, "second"), (1, "second"))

    assert found == ["арт1", "арт1", "арт1"]


def test_fragments_of_different_checks_that_neither_links_stay_apart():
    desk = thirds(first=tagged("арт1", None, "арт1"), second=tagged(None, "арт1", None))

    found = taken(desk, (0, "first"), (1, "second"), (2, "first"))

    assert found == ["арт1", "арт2", "арт1"]


def test_a_link_of_both_checks_goes_before_that_of_one():
    desk = thirds(first=tagged("т1", "т1", "т1"), second=tagged("у1", "у1", "х1"))

    found = taken(desk, (2, "first"), (0, "second"), (1, "first"))

    assert found == ["у1", "у1", "т1"]


def test_a_name_in_another_case_is_the_same_link():
    desk = thirds(first=tagged("Арт1", "арт1", ""), second=tagged("т2", "Т2", ""))

    assert taken(desk, (0, "first"), (1, "second")) == ["Арт1", "Арт1"]
