"""The question before an act on many checks: what it is about, and what would happen."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import Essay
from review.act_models import BulkAct
from review.core.desk import Number, asked_of
from review.desk_queries import essays_asked
from review.forms import ActForm
from review.services.acts import Wish, plan_of
from web.forms import is_number_of_row
from web.refusals import Refused


def wished(given: QueryDict) -> Wish:
    """What the fields of an address or a form ask for. Raises ``Refused``."""
    form = ActForm(given)
    if not form.is_valid():
        raise Refused(_("Choose what is to be done, and an expert who is there."))
    asked = asked_of(given)
    if form.cleaned_data["all"]:
        essays = essays_asked(asked)
    else:
        ticked = [int(word) for word in given.getlist("essay") if is_number_of_row(word)]
        essays = Essay.objects.filter(pk__in=ticked).order_by()
    return Wish(
        kind=form.cleaned_data["act"],
        essays=essays,
        holder=asked.expert,
        late_only=asked.number is Number.LATE,
        expert=form.cleaned_data["to"],
        query=asked.query,
    )


def question(given: QueryDict, wish: Wish) -> dict[str, Any]:
    """What the page shows; a new key makes of two answers one act."""
    hands_over = wish.kind is BulkAct.Kind.HAND_OVER
    experts = User.objects.filter(role=User.Role.EXPERT, is_active=True)
    return {
        "wish": wish,
        "plan": plan_of(wish),
        "hands_over": hands_over,
        "experts": experts.order_by("full_name", "username") if hands_over else [],
        "is_answered": not hands_over or wish.expert is not None,
        "fields": _fields(given),
        "key": uuid.uuid4(),
    }


def _fields(given: QueryDict) -> list[tuple[str, str]]:
    """The fields that say what the act is about, to be sent again."""
    kept = {"act", "all", "essay", *asked_of(given).fields}
    return [(name, value) for name, values in given.lists() if name in kept for value in values]
