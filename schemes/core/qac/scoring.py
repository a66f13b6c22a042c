"""Key and responses -> marks and tables (seed 004, DESCRIPTION; schemes.md 4.2 and 4.3).

A question costs time in proportion to its answers and responses. Counts are summed as whole
numbers and divided once; nothing is rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from unicodedata import normalize

from schemes.core.qac.grammar import Answer
from schemes.core.qac.problems import Problem, Problems, Source
from schemes.core.qac.values import (
    DEFAULTS,
    RANKED,
    Figures,
    Given,
    Judged,
    Key,
    Match,
    Options,
    Outcome,
    Question,
    ReadingCode,
    Responses,
    Score,
    Taken,
    Task,
)


def score(key: Key, responses: Responses, options: Options = DEFAULTS) -> Score:
    """Score what a system said to every question of the key.

    A question without a line in the responses counts as one without a response; what was said to
    an unknown question is ignored. A question whose line in the responses is broken gets 0, one
    whose line in the key is broken is left out.
    """
    given = {each.id: each for each in responses.given}
    outcomes = tuple(
        judge(each, given.get(each.id), options, is_broken=each.id in responses.broken)
        for each in key.questions
    )
    unknown = given.keys() - {each.id for each in key.questions} - key.broken
    strangers = [each for each in responses.given if each.id in unknown]
    counts = _counts(outcomes, options) + _counts_of_files(key, responses, strangers)
    return Score(
        options,
        outcomes,
        {match: figures(outcomes, options.task, match) for match in Match},
        (*key.problems, *responses.problems, *_warnings(outcomes, strangers, options)),
        tuple(_taken(counts, options)),
        {Source.KEY.value: key.encoding, Source.RESPONSES.value: responses.encoding},
    )


def judge(
    question: Question, given: Given | None, options: Options = DEFAULTS, *, is_broken: bool = False
) -> Outcome:
    """Look every response up among the question's answers; ``None`` if it has no line."""
    numbers: dict[str, int] = {}
    of_answers = [
        numbers.setdefault(_folded(each.string, options), len(numbers) + 1)
        for each in question.answers
    ]
    articles = {
        (number, each.article) for number, each in zip(of_answers, question.answers, strict=True)
    }
    responses = given.responses if given else ()
    judged = (_judged(each, numbers, articles, options) for each in responses)
    return Outcome(question, tuple(of_answers), tuple(judged), given is not None, is_broken)


def figures(outcomes: Iterable[Outcome], task: Task, match: Match) -> Figures:
    """The sums of a set of questions under a reading."""
    marks: list[float] = []
    answers = responses = correct = 0
    for each in outcomes:
        marks.append(each.mark(task, match))
        answers += each.distinct
        responses += len(each.responses)
        correct += each.found(match)
    return Figures(fsum(marks), len(marks), answers, responses, correct)


def _judged(
    response: Answer,
    numbers: Mapping[str, int],
    articles: set[tuple[int, str]],
    options: Options,
) -> Judged:
    number = numbers.get(_folded(response.string, options))
    if number is None:
        return Judged(response)
    return Judged(response, number, (number, response.article) in articles)


def _folded(string: str, options: Options) -> str:
    return normalize("NFKC", string) if options.nfkc else string


def _warnings(
    outcomes: Sequence[Outcome], strangers: Sequence[Given], options: Options
) -> Iterable[Problem]:
    of_key, of_responses = Problems(Source.KEY), Problems(Source.RESPONSES)
    for each in outcomes:
        place = each.question.place
        if not each.question.has_answers:
            of_key.add("text-only", place)
        if not (each.is_given or each.is_broken):
            of_key.add("no-responses", place)
        if options.task is Task.RANKED and len(each.responses) > RANKED:
            of_key.add("many-ranks", place, count=len(each.responses), most=RANKED)
    for stranger in strangers:
        of_responses.add("unknown-question", stranger.place)
    return (*of_key.named(), *of_responses.named())


def _counts(outcomes: Sequence[Outcome], options: Options) -> Counter[ReadingCode]:
    counts: Counter[ReadingCode] = Counter()
    by_match = ReadingCode.ARTICLE if options.match is Match.ARTICLE else ReadingCode.STRING
    for each in outcomes:
        wrong_article = sum(not one.same_article for one in each.responses if one.number)
        right = [one for one in each.responses if one.is_right(options.match)]
        counts[by_match] += wrong_article
        counts[ReadingCode.EXACT] += 0 if options.nfkc else _folding_would_help(each)
        counts[ReadingCode.REPEATED] += len(right) - each.found(options.match)
        counts[ReadingCode.EMPTY_RIGHT] += each.is_rightly_empty
        counts[ReadingCode.DISTINCT] += len(each.numbers) > each.distinct
        counts[ReadingCode.FLAT] += options.task is Task.SERIES
        counts[ReadingCode.NOT_CUT] += options.task is Task.RANKED and len(each.responses) > RANKED
        counts[ReadingCode.ABSENT] += not (each.is_given or each.is_broken)
        counts[ReadingCode.TEXT_ONLY] += not each.question.has_answers
        counts[ReadingCode.BROKEN] += each.is_broken
    return counts


def _folding_would_help(outcome: Outcome) -> int:
    """How many responses would have a string of the key if both were folded by NFKC."""
    unknown = [one.response.string for one in outcome.responses if one.number is None]
    if not unknown:
        return 0
    folded = {normalize("NFKC", each.string) for each in outcome.question.answers}
    return sum(normalize("NFKC", string) in folded for string in unknown)


def _counts_of_files(
    key: Key, responses: Responses, strangers: Sequence[Given]
) -> Counter[ReadingCode]:
    return Counter(
        {
            ReadingCode.TRIMMED: key.trimmed + responses.trimmed,
            ReadingCode.UNKNOWN: len(strangers),
            ReadingCode.BROKEN: len(key.broken),
        }
    )


def _taken(counts: Counter[ReadingCode], options: Options) -> Iterable[Taken]:
    """The readings that mattered; an option that is on is told even if it changed nothing."""
    chosen = {
        ReadingCode.STRING: options.match is Match.STRING,
        ReadingCode.NFKC: options.nfkc,
    }
    for code in ReadingCode:
        if counts[code] or chosen.get(code):
            yield Taken(code, counts[code])
