from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import expert_left, figures_asked, language_asked, work_asked
from annotator.core.changes import Reasoned, Ruled
from annotator.signals import (
    drafts_carried,
    essay_replaced,
    essays_came,
    essays_withdrawn,
    markup_reopened,
    markup_submitted,
    markups_imported,
    pairs_ruled,
    rules_changed,
    submission_asked,
    undoing_asked,
)
from jobs.signals import ticked
from review.models import SetProtocol
from review.pages.picked import plan_of
from review.queries.experts import work_by_set
from review.queries.people import figures_of_work
from review.services.arbitration import arbitrate, assign_waiting_thirds
from review.services.assigning import return_work_of
from review.services.expert_terms import move_pins
from review.services.exporting import expire_exports
from review.services.finals import settle_grade, void_regraded, void_reopened
from review.services.letters import language_of
from review.services.overdue import reassign_overdue
from review.services.posting import order_letters
from review.services.reminding import remind
from review.services.rulings import keep_rulings, refuse_undecided
from review.services.set_protocols import (
    order_to_void,
    void_protocol_of_check,
    void_protocol_of_essay,
    void_protocol_of_import,
    void_protocol_of_reopened,
    void_protocol_of_set,
)
from review.services.verdicts import against_publication, refuse_undoing
from review.services.voiding import drop_rulings_of, withdraw_decisions
from review.services.work_time import record_work_time
from review.signals import letters_ordered
from scoring.signals import essay_graded, points_regraded, publication_asked


@receiver(submission_asked)
def want_every_pair_decided(markup_id: int, **_: object) -> None:
    refuse_undecided(markup_id=markup_id)


@receiver(pairs_ruled)
def keep_what_was_ruled(
    markup_id: int, ruled: Iterable[Ruled], reasons: Iterable[Reasoned], **_: object
) -> None:
    keep_rulings(markup_id=markup_id, ruled=ruled, reasons=reasons)


@receiver(publication_asked)
def want_the_checks_approved(set_id: int, **_: object) -> str:
    return against_publication(set_id=set_id)


@receiver(essay_graded)
def decide_about_third_check(essay_id: int, **_: object) -> None:
    arbitrate(essay_id=essay_id)


@receiver(essay_graded)
def settle_what_is_decided(essay_id: int, **_: object) -> None:
    settle_grade(essay_id=essay_id)


@receiver(markup_reopened)
def void_what_was_settled(markup_id: int, **_: object) -> None:
    void_reopened(markup_id=markup_id)


@receiver(markup_reopened)
def void_what_was_verified(markup_id: int, **_: object) -> None:
    void_protocol_of_reopened(markup_id=markup_id)


@receiver(markup_submitted)
def void_what_was_verified_before(markup_id: int, **_: object) -> None:
    void_protocol_of_check(markup_id=markup_id)


@receiver(markups_imported)
def void_what_was_verified_before_them(essay_ids: list[int], **_: object) -> None:
    void_protocol_of_import(essay_ids=essay_ids)


@receiver(essay_replaced)
def void_what_was_verified_of_it(essay_id: int, reason: str, **_: object) -> None:
    version = SetProtocol.Void.VERSION
    void_protocol_of_essay(essay_id=essay_id, because=version, reason=reason)


@receiver(essay_replaced)
def keep_who_is_pinned_to_it(essay_id: int, **_: object) -> None:
    move_pins(essay_id=essay_id)


@receiver(essays_came)
def void_what_was_verified_without_them(set_id: int, **_: object) -> None:
    void_protocol_of_set(set_id=set_id, because=SetProtocol.Void.ESSAYS)


@receiver(rules_changed)
def void_what_was_verified_by_others(set_id: int, **_: object) -> None:
    void_protocol_of_set(set_id=set_id, because=SetProtocol.Void.RULES)


@receiver(points_regraded)
def settle_anew(markup_id: int, **_: object) -> None:
    void_regraded(markup_id=markup_id)


@receiver(ticked)
def look_for_free_experts(**_: object) -> None:
    assign_waiting_thirds()


@receiver(ticked)
def give_overdue_checks_to_others(**_: object) -> None:
    reassign_overdue()


@receiver(ticked)
def remind_of_deadlines(**_: object) -> None:
    remind()


@receiver(letters_ordered)
def send_letters(letters: list[tuple[int, int]], **_: object) -> None:
    order_letters(letters=letters)


@receiver(markup_submitted)
def keep_work_time(markup_id: int, **_: object) -> None:
    record_work_time(markup_id=markup_id)


@receiver(ticked)
def delete_old_exports(**_: object) -> None:
    expire_exports()


@receiver(expert_left)
def return_work(user_id: int, actor_id: int | None, **_: object) -> None:
    return_work_of(expert_id=user_id, actor_id=actor_id)


@receiver(work_asked)
def tell_of_work(user_id: int, **_: object) -> list[dict[str, Any]]:
    return [{**held, "plan": plan_of(held, user_id)} for held in work_by_set(user_id)]


@receiver(language_asked)
def tell_language(user_id: int, **_: object) -> str:
    return language_of(User.objects.select_related("letter_terms").get(pk=user_id))


@receiver(figures_asked)
def tell_figures(**_: object) -> dict[str, Any]:
    return figures_of_work()


@receiver(undoing_asked)
def keep_what_is_approved(set_ids: list[int], **_: object) -> None:
    refuse_undoing(set_ids=set_ids)


@receiver(essays_withdrawn)
def void_what_was_verified_with_them(essay_ids: list[int], **_: object) -> None:
    order_to_void(essay_ids=essay_ids, because=SetProtocol.Void.ESSAYS)


@receiver(essays_withdrawn)
def withdraw_what_was_decided(markup_ids: list[int], **_: object) -> None:
    withdraw_decisions(markup_ids=markup_ids)


@receiver(drafts_carried)
def drop_rulings(markup_ids: list[int], **_: object) -> None:
    drop_rulings_of(markup_ids=markup_ids)
