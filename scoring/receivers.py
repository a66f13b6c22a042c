from __future__ import annotations

from collections.abc import Mapping

from django.dispatch import receiver

from annotator.core.problems import Problem
from annotator.core.stated import Stated
from annotator.core.values import Markup, Subject
from annotator.models import RuleSet
from annotator.signals import (
    answers_submitted,
    essays_withdrawn,
    markup_reopened,
    markup_submitted,
    markups_imported,
    points_stated,
    third_check_asked,
)
from jobs.signals import job_failed
from scoring.core.criteria import explain
from scoring.core.criteria.reasons import stated_otherwise
from scoring.services.assessing import (
    announce_answer_of_job,
    order_answers,
    order_assessments,
    order_each_of_job,
)
from scoring.services.foreseeing import would_call_third_check
from scoring.services.ordering import order_figures
from scoring.services.report_ordering import promise_reports_of_run
from scoring.services.run_ordering import fail_run_of_job
from scoring.services.voiding import void_figures_of, withdraw_figures_of
from scoring.signals import run_applied


@receiver(markup_submitted)
def order_grading_and_scoring(markup_id: int, **_: object) -> None:
    order_figures(markup_id=markup_id)


@receiver(markups_imported)
def order_assessing(essay_ids: list[int], **_: object) -> None:
    order_assessments(essay_ids=essay_ids)


@receiver(answers_submitted)
def order_assessing_of_answers(
    author_id: int, origin: str, first: int, last: int, **_: object
) -> None:
    order_answers(author_id=author_id, origin=origin, first=first, last=last)


@receiver(job_failed)
def order_answers_one_by_one(job_id: int, **_: object) -> None:
    order_each_of_job(job_id=job_id)


@receiver(job_failed)
def tell_of_answer_given_up(job_id: int, **_: object) -> None:
    announce_answer_of_job(job_id=job_id)


@receiver(markup_reopened)
def void_figures(markup_id: int, **_: object) -> None:
    void_figures_of(markup_id=markup_id)


@receiver(essays_withdrawn)
def withdraw_figures(essay_ids: list[int], markup_ids: list[int], **_: object) -> None:
    withdraw_figures_of(essay_ids=essay_ids, markup_ids=markup_ids)


@receiver(third_check_asked)
def answer_about_third_check(
    subject: Subject, rules: RuleSet, first: Markup, second: Markup, **_: object
) -> bool:
    return would_call_third_check(subject=subject, rules=rules, first=first, second=second)


@receiver(points_stated)
def answer_about_points(
    subject: Subject, markup: Markup, stated: Mapping[str, Stated], **_: object
) -> tuple[Problem, ...]:
    return stated_otherwise(stated, explain(subject, markup)) if stated else ()


@receiver(job_failed)
def fail_run(job_id: int, **_: object) -> None:
    fail_run_of_job(job_id=job_id)


@receiver(run_applied)
def order_reports_of_finals(run_id: int, **_: object) -> None:
    promise_reports_of_run(run_id=run_id)
