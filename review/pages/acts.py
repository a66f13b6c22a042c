"""The question before an act on many checks: what it is about, and what would happen."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.http import QueryDict
from django.utils.translation import gettext as _

from accounts.models import Specialism, User
from accounts.queries import known_as
from annotator.models import Assignment, Essay
from annotator.queries.work import OPEN
from review.core.desk import Number, asked_of
from review.forms.checks import ActForm
from review.models.acts import BulkAct
from review.pages.asked import unknown_words
from review.queries.desk import checks_chosen, essays_asked
from review.queries.experts import colleagues_by_place, experts_free_for
from review.queries.plans import experts_with_limits
from review.services.acts import Plan, Stays, Wish, by_essays, plan_of, reasons_to_stay
from web.forms import is_number_of_row
from web.refusals import Refused

MOST_OFFERED: Final = 100
"""So many experts stand in a list to choose from."""


def wished(given: QueryDict) -> Wish:
    """What the fields of an address or a form ask for. Raises ``Refused``."""
    form = ActForm(given)
    if not form.is_valid():
        raise Refused(_("Choose what is to be done, and an expert who is there."))
    asked = asked_of(given)
    if unknown := unknown_words(given):
        raise Refused(_("Nothing here is called %s.") % ", ".join(unknown))
    if form.cleaned_data["all"]:
        essays = essays_asked(asked)
    else:
        ticked = [int(word) for word in given.getlist("essay") if is_number_of_row(word)]
        if not ticked:
            raise Refused(_("Nothing is ticked: choose essays in the list first, or all of it."))
        essays = Essay.objects.filter(pk__in=ticked).order_by()
    return Wish(
        kind=form.cleaned_data["act"],
        essays=essays,
        holder=asked.expert,
        late_only=asked.number is Number.LATE,
        expert=form.cleaned_data["to"],
        query=asked.query + _page_asked(given),
    )


def taking_away(check: Assignment, query: str) -> Wish:
    """That one check be taken away; ``query``: the desk that is led back to."""
    essays = Essay.objects.filter(pk=check.essay_id).order_by()
    return Wish(BulkAct.Kind.WITHDRAW, essays, holder=check.expert_id, query=query)


def _page_asked(given: QueryDict) -> str:
    """Which page of the list was looked at, to be added to its address."""
    number = given.get("page", "")
    return f"&page={number}" if is_number_of_row(number) else ""


def question(given: QueryDict, wish: Wish) -> dict[str, Any]:
    """What the page shows; a new key makes of two answers one act."""
    hands_over = wish.kind is BulkAct.Kind.HAND_OVER
    plan = plan_of(wish)
    return {
        "wish": wish,
        "plan": plan,
        "hands_over": hands_over,
        "asks_whom": hands_over and bool(plan.checks or plan.left_alone),
        "experts": called(receivers(wish)) if hands_over else [],
        "names": known_as([wish.expert] if wish.expert else []),
        "warnings": warnings(plan),
        "is_answered": not hands_over or wish.expert is not None,
        "fields": _fields(given),
        "key": uuid.uuid4(),
    }


def receivers(wish: Wish) -> list[User]:
    """Who may get some of the checks, by name, with ``load``, limit and subjects; not who has them
    all, and nobody who marks none of their subjects. Whoever was chosen, the others stay.
    """
    asked = checks_chosen(wish.essays, expert=wish.holder, late_only=wish.late_only).order_by()
    holders = set(asked.filter(OPEN).values_list("expert", flat=True).distinct())
    subjects = set(asked.values_list("essay__subject", flat=True).distinct())
    able = Specialism.objects.filter(user=OuterRef("pk"), subject__in=subjects)
    found = experts_with_limits().filter(Exists(able))
    return list(found.exclude(pk__in=holders) if len(holders) == 1 else found)


def choice_for(essay: Essay) -> list[tuple[User, str]]:
    """Who may be given a check of an essay by hand, least loaded first; who is full by a limit of
    their own comes after those with room.
    """
    is_full = When(check_limit__checks__lte=F("load"), then=Value(True))
    free = experts_free_for(essay).select_related("check_limit")
    free = free.annotate(is_full=Case(is_full, default=Value(False)))
    free = free.order_by("is_absent", "is_full", "has_lost_it", "load", "pk")
    return called(list(free[:MOST_OFFERED]))


def called(people: list[User]) -> list[tuple[User, str]]:
    """People to choose from, with what to call each: no two are called alike."""
    names = known_as(people)
    return [(person, names[person.pk]) for person in people]


def warnings(plan: Plan) -> list[str]:
    """What speaks against handing these checks over to somebody, and hinders nobody."""
    if plan.expert is None or not plan.checks:
        return []
    found = []
    expert = experts_with_limits().get(pk=plan.expert.pk)
    limit = getattr(expert, "check_limit", None)
    load = expert.load + len(plan.checks)
    if limit is not None and load > limit.checks:
        message = _("%(name)s would have %(load)d open checks; the limit is %(limit)d.")
        found.append(message % {"name": expert, "load": load, "limit": limit.checks})
    near = colleagues_by_place(expert)
    beside = Counter(
        name
        for check in plan.checks
        for role, name in near.get((check.essay_id, check.round), [])
        if role != check.role
    )
    for name, count in sorted(beside.items()):
        message = _("%(name)s is of the same school and has a check of these essays: %(count)d.")
        found.append(message % {"name": name, "count": count})
    if expert.is_absent:
        found.append(_("%s has never signed in.") % expert)
    return found


def left_behind(act: BulkAct) -> list[str]:
    """What undoing does not give back, or did not, in words with how many of each reason."""
    if act.undone_at is None:
        reasons = dict(_reasons(act))
    else:
        reasons = {line["check"]: line["stays"] for line in act.checks if "stays" in line}
    closed = [pk for pk, reason in reasons.items() if reason == Stays.CLOSED]
    names = sorted({str(each) for each in User.objects.filter(assignments__in=closed)})
    words = {
        Stays.CLOSED: _("the account is closed or no expert’s: %s") % ", ".join(names),
        Stays.REPLACED: _("the essay has a new version since"),
        Stays.BEGUN: _("whoever got it has begun it, or it was taken from them"),
        Stays.TAKEN: _("somebody else has it by now"),
        Stays.HAD: _("the expert has another check of the essay by now"),
        Stays.APART: _("the expert is kept apart from whoever has another check of the essay"),
    }
    counted = Counter(reasons.values())
    return [f"{words[reason]} ({counted[reason]})" for reason in Stays if counted[reason]]


def _reasons(act: BulkAct) -> Iterator[tuple[int, Stays]]:
    for some in by_essays(act.checks):
        yield from reasons_to_stay(some).items()


def _fields(given: QueryDict) -> list[tuple[str, str]]:
    """The fields that say what the act is about, to be sent again."""
    kept = {"act", "all", "essay", "page", *asked_of(given).fields}
    return [(name, value) for name, values in given.lists() if name in kept for value in values]
