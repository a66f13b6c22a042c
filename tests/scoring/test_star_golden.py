from __future__ import annotations

import pytest

from scoring.queries.tables import star_table
from tests.examples import share
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory, submitted
from tests.scoring.core.golden import cases, markup_of, name_of
from tests.scoring.work import score

pytestmark = pytest.mark.django_db

WEIGHTINGS = {
    "equal_weights": {},
    "psr_weights": {"w2": 2, "w6": 0},
}


def stored(case, rules):
    """The essays and markups of a case as rows of an essay set, scored."""
    essay_set = EssaySetFactory(rules=rules)
    participant = PersonFactory(role="participant")
    experts = [PersonFactory() for _ in range(3)]
    for essay in case["essays"]:
        text = essay["text"]
        row = EssayFactory(essay_set=essay_set, text=text)
        algorithm = markup_of(essay["algorithm"], text).fragments
        records = [submitted(row, *algorithm, author=participant, source="algorithm")]
        for expert, selections in zip(experts, essay["experts"], strict=False):
            fragments = markup_of(selections, text).fragments
            records.append(submitted(row, *fragments, author=expert))
        score(*records)
    return essay_set


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("case", share(cases("metrics_star"), 3), ids=name_of)
def test_a_worked_case_comes_out_of_the_database_as_it_should(case, weighting):
    expected = case["expected"][weighting]

    essay_set = stored(case, RuleSetFactory(**WEIGHTINGS[weighting]))

    for name, hardness in (("0", 0.0), ("1/2", 0.5), ("1", 1.0)):
        essay_set.rules.hardness = hardness
        table = star_table(essay_set)
        (line,) = table.standings
        assert line.star == near(expected["STAR"][name])
        assert line.otar == near(expected["OTAR_ratio_of_means"])
        assert table.ster == near(expected["STER"])
        assert line.essays == sum(bool(essay["experts"]) for essay in case["essays"])


def near(figure):
    return None if figure is None else pytest.approx(figure["value"], abs=1e-9)
