from __future__ import annotations

from jobs.tasks import work
from scoring.services.assessing import announce_answer, assess
from scoring.services.assessing import assess_answers as assess_all
from scoring.services.grading import announce, grade
from scoring.services.pairs import score_pairs_of
from scoring.services.report_ordering import order_reports_of_run as order_reports
from scoring.services.reporting import compute
from scoring.services.run_boards import close_run as close
from scoring.services.run_boards import finish_run as finish
from scoring.services.run_boards import resample_run as resample
from scoring.services.run_ordering import prepare_run as prepare
from scoring.services.run_parts import score_part as score


@work
def grade_markup(*, markup_id: int) -> None:
    essay_id = grade(markup_id=markup_id)
    announce(essay_id=essay_id)
    announce_answer(markup_id=markup_id)


@work
def score_pairs(*, markup_id: int) -> None:
    score_pairs_of(markup_id=markup_id)
    announce_answer(markup_id=markup_id)


@work
def assess_essay(*, essay_id: int) -> None:
    assess(essay_id=essay_id)


@work
def assess_answers(*, author_id: int, origin: str, first: int, last: int) -> None:
    assess_all(author_id=author_id, origin=origin, first=first, last=last)


@work
def prepare_run(*, run_id: int) -> None:
    prepare(run_id=run_id)


@work
def score_part(*, part_id: int) -> None:
    score(part_id=part_id)


@work
def finish_run(*, run_id: int) -> None:
    finish(run_id=run_id)


@work
def resample_run(*, run_id: int) -> None:
    resample(run_id=run_id)


@work
def close_run(*, run_id: int) -> None:
    close(run_id=run_id)


@work
def compute_report(*, set_id: int, author_id: int, origin: str) -> None:
    compute(set_id=set_id, author_id=author_id, origin=origin)


@work
def order_reports_of_run(*, run_id: int) -> None:
    order_reports(run_id=run_id)
