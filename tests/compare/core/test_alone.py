"""Why fragments stay alone: always what the matcher's losses say."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.alone import APART, Cause, Reason, reasons
from compare.core.comparison import Loss, Pair
from compare.core.matcher import loss, match
from tests.strategies import markups, texts


def marked(start, end, code="а", **fields):
    return Fragment(Span(start, end), code, **fields)


def alone(left, right):
    text = "x" * 40
    return reasons(match(Markup(text, tuple(left)), Markup(text, tuple(right))))


def test_nothing_on_the_other_side_is_near():
    assert alone([marked(0, 4)], [marked(4, 8), Fragment(None, "а")]) == (
        {0: Reason(Cause.NOTHING)},
        {0: Reason(Cause.NOTHING), 1: Reason(Cause.NOTHING)},
    )


def test_a_pair_of_another_beginning_and_another_code_costs_more_than_two_alone():
    cost = Loss(0.5, apart=False, begin=True, code=True)

    assert alone([marked(0, 8)], [marked(4, 8, "б")]) == (
        {0: Reason(Cause.DEAR, 0, cost)},
        {0: Reason(Cause.DEAR, 0, cost)},
    )


def test_the_nearest_partner_is_taken_by_a_better_pair():
    left, right = [marked(0, 4), marked(0, 5)], [marked(0, 5)]
    pair = Pair(1, 0, Loss(0.0, apart=False, begin=False, code=False))

    assert alone(left, right) == (
        {0: Reason(Cause.TAKEN, 0, Loss(0.2, apart=False, begin=False, code=False), pair)},
        {},
    )


def test_whole_text_mistakes_are_near_to_each_other_only():
    left = [Fragment(None, "а"), Fragment(None, "б")]
    right = [Fragment(None, "а")]
    pair = Pair(0, 0, Loss(0.0, apart=False, begin=False, code=False))
    other_code = Loss(0.0, apart=False, begin=False, code=True)

    assert alone(left, right) == ({1: Reason(Cause.TAKEN, 0, other_code, pair)}, {})


def test_of_partners_that_would_lose_the_same_the_canonically_first_is_named():
    there, back = [marked(2, 6, "б"), marked(4, 8, "б")], [marked(4, 8, "б"), marked(2, 6, "б")]

    named = [alone([marked(0, 10)], right)[0][0].near for right in (there, back)]

    assert named == [0, 1]


@given(data=st.data())
def test_every_fragment_alone_has_the_reason_its_losses_give(data):
    text = data.draw(texts())
    left, right = data.draw(markups(text=text)), data.draw(markups(text=text))
    comparison = match(left, right)
    of_left, of_right = reasons(comparison)

    assert (set(of_left), set(of_right)) == (
        set(comparison.only_left),
        set(comparison.only_right),
    )
    sides = ((of_left, left, right), (of_right, right, left))
    for found, own, others in sides:
        for index, reason in found.items():
            losses = [loss(own.fragments[index], other) for other in others.fragments]
            least = min((each.total for each in losses if not each.apart), default=None)
            assert (reason.loss and reason.loss.total) == least
            taken = least is not None and least < APART
            assert (reason.cause is Cause.TAKEN, reason.taken_by in comparison.pairs) == (
                taken,
                taken,
            )
