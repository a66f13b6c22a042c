"""What is told of very many problems: the first of them, and how many others there are."""

from annotator.core.problems import Problem, first_of


def test_what_is_cut_once_more_counts_all_that_was_left_out():
    problems = [Problem("no-code", fragment=number) for number in range(1, 31)]

    once = first_of(problems)
    twice = first_of(once, 5)

    further = [Problem("further-problems", fields={"count": count}) for count in (10, 25)]
    assert once == (*problems[:20], further[0])
    assert twice == (*problems[:5], further[1])
    assert first_of(once) == once
