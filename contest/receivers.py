from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial

from django.db.models import Q, QuerySet
from django.dispatch import receiver

from accounts.signals import account_changed, opening_asked, role_asked
from annotator.signals import (
    access_asked,
    correction_asked,
    essay_replaced,
    idle_asked,
    publication_asked,
    reopening_asked,
    rewording_asked,
    rules_asked,
    sealed_asked,
    sending_asked,
    subject_asked,
    undoing_asked,
)
from contest.access import sets_with_withheld_boards
from contest.models import DataSet
from contest.queries.announcements import announcement_of_letter
from contest.queries.contests import names_of_sets, subject_of_set
from contest.queries.counting import rules_of_parameters
from contest.queries.decisions import solutions_in_doubt
from contest.queries.exchanged import exchange_of
from contest.queries.judging import annulments_of
from contest.queries.sealing import idle_essays, sealed_numbers
from contest.queries.solutions import field_of_set
from contest.queries.uploads import is_key_of_contest
from contest.services.announcing import told_by
from contest.services.annulling import why_closed
from contest.services.correcting import announce_correction, refuse_answered, refuse_correction
from contest.services.counting import (
    refuse_other_parameters,
    why_board_waits,
    why_counted_otherwise,
    why_results_stay,
)
from contest.services.free_markups import (
    refuse_of_finals,
    refuse_out_of_phase,
    refuse_trying,
)
from contest.services.sessions.answers import order_each_of_answers, order_markups, order_reports
from contest.services.sessions.connecting import expire_leases
from contest.services.sessions.settling import settle_due
from contest.services.showing import (
    refuse_before_its_final,
    refuse_other_access,
    refuse_other_checks,
    refuse_publication_before_results,
    why_board_is_withheld,
)
from contest.services.teams.changing_sides import end_keys_for_teams, why_role_stays
from contest.services.uploads.terms import refuse_uncounted
from contest.services.uploads.uploading import (
    cancel_upload_of_job,
    settle_upload,
    settle_upload_of_parcel,
)
from contest.signals import parcel_taken, session_closed
from jobs.signals import job_failed, ticked
from review.services.letters import Said
from review.signals import words_asked
from schemes.signals import key_asked, run_finished
from scoring.core.entries import Annulment, Field
from scoring.core.exchange import Exchange
from scoring.signals import (
    annulments_asked,
    answers_assessed,
    counting_asked,
    counting_rules_asked,
    doubts_asked,
    exchange_asked,
    names_asked,
    readers_asked,
    results_asked,
    solutions_asked,
    withheld_asked,
)
from scoring.signals import publication_asked as board_asked


@receiver(ticked)
def write_lost_connections(**_: object) -> None:
    expire_leases()


@receiver(ticked)
def settle_what_fell_due(**_: object) -> None:
    settle_due()


@receiver(sealed_asked)
def tell_sealed_sets(**_: object) -> list[int]:
    return sealed_numbers()


@receiver(idle_asked)
def tell_idle_essays(**_: object) -> Q:
    return idle_essays()


@receiver(subject_asked)
def tell_subject_of_set(set_id: int | None, **_: object) -> str:
    return subject_of_set(set_id)


@receiver(publication_asked)
def refuse_early_publication(set_id: int, **_: object) -> None:
    refuse_publication_before_results(set_id=set_id)


@receiver(publication_asked)
def keep_files_of_finals_unpublished(set_id: int, **_: object) -> None:
    refuse_before_its_final(set_id=set_id)


@receiver(reopening_asked)
def keep_checks_of_final_results(set_id: int, **_: object) -> None:
    refuse_other_checks(set_ids=[set_id])


@receiver(undoing_asked)
def keep_markups_of_final_results(set_ids: Iterable[int], **_: object) -> None:
    refuse_other_checks(set_ids=set_ids)


@receiver(access_asked)
def keep_access_of_sets(set_id: int, access: str, **_: object) -> None:
    refuse_other_access(set_id=set_id, access=access)


@receiver(access_asked)
def keep_files_of_finals_closed(set_id: int, access: str, **_: object) -> None:
    refuse_before_its_final(set_id=set_id, access=access)


@receiver(rules_asked)
def keep_rules_of_sets(set_id: int, rules_id: int | None, **_: object) -> None:
    refuse_other_parameters(set_id=set_id, rules_id=rules_id)


@receiver(board_asked)
def want_a_run_by_the_parameters(set_id: int, **_: object) -> str:
    return why_board_waits(set_id=set_id)


@receiver(counting_asked)
def tell_of_other_parameters(run_id: int, set_id: int, **_: object) -> str:
    return why_counted_otherwise(run_id=run_id, set_id=set_id)


@receiver(counting_rules_asked)
def tell_rules_of_parameters(set_id: int, **_: object) -> int | None:
    return rules_of_parameters(set_id)


@receiver(results_asked)
def keep_approved_runs(set_id: int, *, holds: bool, **_: object) -> str:
    return why_results_stay(set_id=set_id, holds=holds)


@receiver(sending_asked)
def refuse_past_quotas(essay_id: int, **_: object) -> None:
    refuse_uncounted(essay_id=essay_id)


@receiver(sending_asked)
def refuse_past_finals(essay_id: int, **_: object) -> None:
    refuse_of_finals(essay_id=essay_id)


@receiver(sending_asked)
def refuse_before_and_after(essay_id: int, **_: object) -> None:
    refuse_out_of_phase(essay_id=essay_id)


@receiver(sending_asked)
def refuse_trying_keys(essay_id: int, author_id: int, **_: object) -> None:
    refuse_trying(essay_id=essay_id, author_id=author_id)


@receiver(opening_asked)
def keep_excluded_teams_closed(user_id: int, **_: object) -> str | None:
    return why_closed(account_id=user_id)


@receiver(role_asked)
def keep_members_participants(user_id: int, role: str, **_: object) -> str | None:
    return why_role_stays(account_id=user_id, role=role)


@receiver(account_changed)
def end_keys_of_former_members(user_id: int, actor_id: int | None, **_: object) -> None:
    end_keys_for_teams(user_id=user_id, actor_id=actor_id)


@receiver([correction_asked, rewording_asked])
def refuse_late_corrections(essay_ids: Iterable[int], **_: object) -> None:
    refuse_correction(essay_ids=essay_ids)


@receiver(correction_asked)
def refuse_other_texts_of_finals(essay_ids: Iterable[int], **_: object) -> None:
    refuse_answered(essay_ids=essay_ids)


@receiver(essay_replaced)
def announce_corrections(essay_id: int, reason: str, actor_id: int, **_: object) -> None:
    announce_correction(essay_id=essay_id, reason=reason, actor_id=actor_id)


@receiver(annulments_asked)
def tell_annulments(
    solutions: Iterable[tuple[int, str, int]], **_: object
) -> dict[tuple[int, str, int], Annulment]:
    return annulments_of(solutions)


@receiver(doubts_asked)
def tell_doubts(**_: object) -> list[tuple[int, str | None]]:
    return solutions_in_doubt()


@receiver(session_closed)
def order_markups_of_answers(session_id: int, **_: object) -> None:
    order_markups(session_id=session_id)


@receiver(answers_assessed)
def order_reports_of_answers(author_id: int, origin: str, **_: object) -> None:
    order_reports(author_id=author_id, origin=origin)


@receiver(solutions_asked)
def tell_solutions(set_id: int, **_: object) -> Field:
    return field_of_set(set_id)


@receiver(exchange_asked)
def answer_about_exchange(set_id: int, author_id: int, origin: str, **_: object) -> Exchange | None:
    return exchange_of(set_id=set_id, author_id=author_id, origin=origin)


@receiver(words_asked)
def tell_announcement(letter_id: int, **_: object) -> Callable[[], Said] | None:
    found = announcement_of_letter(letter_id)
    return partial(told_by, found) if found else None


@receiver(withheld_asked)
def withhold_boards(**_: object) -> QuerySet[DataSet, int]:
    return sets_with_withheld_boards()


@receiver(names_asked)
def tell_names_of_teams(set_ids: Collection[int], **_: object) -> dict[int, dict[int, str]]:
    return names_of_sets(set_ids)


@receiver(readers_asked)
def tell_why_withheld(set_id: int, **_: object) -> str:
    return why_board_is_withheld(set_id=set_id)


@receiver(run_finished)
def settle_upload_of_run(run_id: int, **_: object) -> None:
    settle_upload(run_id=run_id)


@receiver(parcel_taken)
def settle_upload_of_markups(parcel_id: int, **_: object) -> None:
    settle_upload_of_parcel(parcel_id=parcel_id)


@receiver(job_failed)
def order_answers_one_by_one(job_id: int, **_: object) -> None:
    order_each_of_answers(job_id=job_id)


@receiver(job_failed)
def give_upload_back(job_id: int, **_: object) -> None:
    cancel_upload_of_job(job_id=job_id)


@receiver(key_asked)
def keep_keys_of_contests(key_id: int, **_: object) -> bool:
    return is_key_of_contest(key_id)
