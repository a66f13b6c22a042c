"""`razbor third`: two checks of one essay in one subject, nothing else."""

from __future__ import annotations

import pytest

ONE = "Предмет: история\n\n(*СЯП\\ Реформа *) и Царь"
OTHER_ESSAY = "Предмет: история\n\n(*СЯП\\ Реформа *) и Народ"
OTHER_SUBJECT = "Предмет: обществознание\n\nРеформа и Царь"
NO_SUBJECT = "(*СЯП\\  Реформа *)  и Царь"
DIFFERENT = "razbor: {} and {} are markups of different texts. Choose two of one essay.\n"
SUBJECTS = (
    "razbor: a.txt is of the subject hist, b.txt of social. "
    "Choose two of one subject, or add --subject.\n"
)


@pytest.mark.parametrize("command", ["third", "compare"])
def test_checks_of_two_essays_are_refused(folder, run, command):
    folder(a__txt=ONE, b__txt=OTHER_ESSAY)

    assert run(command, "a.txt", "b.txt") == (2, "", DIFFERENT.format("a.txt", "b.txt"))


@pytest.mark.parametrize(
    "arguments", [["third"], ["compare"], ["compare", "--weights", "1,1,1,1,1,1,0"]]
)
def test_checks_of_two_subjects_are_refused(folder, run, arguments):
    folder(a__txt=ONE, b__txt=OTHER_SUBJECT)

    assert run(*arguments, "a.txt", "b.txt") == (2, "", SUBJECTS)


@pytest.mark.parametrize(
    "arguments",
    [["b.txt", "a.txt"], ["a.txt", "b.txt"], ["b.txt", "b.txt", "--subject", "hist"]],
)
def test_one_file_may_leave_the_subject_to_the_other(folder, run, arguments):
    folder(a__txt=ONE, b__txt=NO_SUBJECT)

    status, out, err = run("third", *arguments)

    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "no third expert is needed"


def test_a_subject_given_is_that_of_both(folder, run):
    folder(a__txt=ONE, b__txt=OTHER_SUBJECT)

    status, _out, err = run("third", "a.txt", "b.txt", "--subject", "hist")

    assert (status, err) == (0, "")
