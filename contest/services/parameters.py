"""The parameters of a contest: proposed by organisers, agreed to by judges and commission (R 2.17).

The first version comes into force with the announcement of the contest, a later one once somebody
of both bodies has agreed. What is proposed never changes: another proposal takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.formats import localize
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import RuleSet
from contest.access import body_of
from contest.core.both import Both
from contest.core.errors import SessionCaseError
from contest.core.messages import describe
from contest.core.parameter_values import (
    ANNOUNCED,
    SHARES,
    Change,
    changes_between,
    refuse_values,
)
from contest.models import Announcement, Consent, Contest, ParameterSet
from contest.models import Final as PlannedFinal
from contest.queries.parameters import WEIGHTS, parameters_in_force, proposal_of, values_of
from contest.services.announcing import announce
from contest.services.both_words import in_both
from contest.services.contest_words import PARAMETERS, listed
from contest.services.contests import hold_contest, refuse_final
from contest.services.counting import said_of_other_runs, said_of_sets
from contest.services.data_sets import follow_rules
from schemes.adapters import SCHEMES
from web.core.errors import JsonValueError
from web.refusals import Conflict, Refused

UNSAID: Final = Both("", "")
OF_RULES: Final = frozenset({"rules", *WEIGHTS, "hardness", "third_total"})
"""Parameters that stand in the rules sets are marked by."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Parameters as organisers wish them. ``session``: what differs from the rules of a final;
    ``star``: percent, ``annulled``: a share.
    """

    rules: RuleSet
    session: Mapping[str, Any]
    star: float
    annulled: float
    reason: Both = UNSAID


@transaction.atomic
def propose_parameters(*, contest: Contest, wanted: Wanted, actor: User) -> ParameterSet:
    """Say the first parameters of a contest, or propose others once it is announced.

    Raises ``Refused`` by name of the field, without a reason in both languages, where nothing is
    different, and for what the announced schedule of the finals says already (R 7.5); ``Conflict``
    where something is proposed already.
    """
    held = hold_contest(contest)
    refuse_scheme(held)
    refuse_final(held)
    try:
        refuse_values(wanted.session, wanted.star, wanted.annulled)
    except (SessionCaseError, JsonValueError) as error:
        raise Refused(_in_words(error)) from None
    if not held.is_announced:
        return _first(held, wanted, actor)
    if not (wanted.reason.ru.strip() and wanted.reason.en.strip()):
        raise Refused(_("Say why in Russian and in English: everybody reads it."))
    proposed = proposal_of(held)
    if proposed is not None:
        message = _("Version %(n)d is proposed already, by %(who)s: it is decided first.")
        raise Conflict(message % {"n": proposed.version, "who": proposed.proposed_by})
    parameters = _row(held, wanted, actor)
    _refuse_same_or_announced(held, parameters)
    return _written(parameters, actor)


@transaction.atomic
def give_consent(
    *, parameters: ParameterSet, agrees: bool, reason: str, actor: User
) -> ParameterSet:
    """A judge or a member of the commission agrees to what is proposed, or does not.

    With both consents it is in force and announced; one refusal rejects it. Raises ``Refused`` for
    who proposed it or has no say, without a reason for a refusal; ``Conflict`` for a second word
    of a body, and where it is decided.
    """
    contest = hold_contest(parameters.contest)
    refuse_final(contest)
    held = ParameterSet.objects.select_for_update(of=("self",)).get(pk=parameters.pk)
    body = _body_that_may(held, actor)
    if not agrees and not reason.strip():
        raise Refused(_("Say why you do not agree: organisers read it."))
    try:
        with transaction.atomic():
            Consent.objects.create(
                parameters=held, body=body, agrees=agrees, reason=reason.strip(), who=actor
            )
    except IntegrityError:
        raise Conflict(_already(held, body)) from None
    action = "parameters.agreed" if agrees else "parameters.refused"
    audit(actor=actor, action=action, target=held, body=body, reason=reason.strip())
    if not agrees:
        ParameterSet.objects.filter(pk=held.pk).update(rejected_at=Now())
    elif held.consents.filter(agrees=True).count() == len(Consent.Body):
        _bring_into_force(contest, held)
    held.refresh_from_db()
    return held


@transaction.atomic
def withdraw_parameters(*, parameters: ParameterSet, actor: User) -> None:
    """Organisers take back what they proposed. Raises ``Conflict`` where it is decided."""
    hold_contest(parameters.contest)
    open_ones = ParameterSet.objects.filter(pk=parameters.pk, in_force_at=None, rejected_at=None)
    if not open_ones.update(rejected_at=Now()):
        raise Conflict(_("These parameters are decided already. Look at them again."))
    audit(actor=actor, action="parameters.withdrawn", target=parameters)


def refuse_scheme(contest: Contest) -> None:
    """Raise ``Refused`` where another scoring system scores: it has no parameters."""
    if contest.scheme:
        message = _(
            "The contest goes by the scoring system “%s”: weights, H, STAR and limits of sessions "
            "are no parameters of it. How its uploads are scored stands in the terms of a phase."
        )
        raise Refused(message % SCHEMES[contest.scheme].title)


def _first(contest: Contest, wanted: Wanted, actor: User) -> ParameterSet:
    """The first parameters, which may be said anew as often as nobody has read them."""
    contest.parameter_sets.filter(in_force_at=None).delete()
    return _written(_row(contest, wanted, actor), actor)


def _row(contest: Contest, wanted: Wanted, actor: User) -> ParameterSet:
    last = contest.parameter_sets.aggregate(last=Max("version"))["last"] or 0
    return ParameterSet(
        contest=contest,
        version=last + 1,
        rules=wanted.rules,
        session=dict(wanted.session),
        star_to_qualify=wanted.star,
        annulled_to_qualify=wanted.annulled,
        reason_ru=wanted.reason.ru.strip(),
        reason_en=wanted.reason.en.strip(),
        proposed_by=actor,
    )


def _written(parameters: ParameterSet, actor: User) -> ParameterSet:
    try:
        with transaction.atomic():
            parameters.save(force_insert=True)
    except IntegrityError:
        raise Conflict(_("Somebody proposed parameters at this moment. Look again.")) from None
    told = {"version": parameters.version, "values": values_of(parameters)}
    audit(actor=actor, action="parameters.proposed", target=parameters, **told)
    return parameters


def _changes(contest: Contest, parameters: ParameterSet) -> tuple[Change, ...]:
    in_force = parameters_in_force(contest)
    if in_force is None:
        return ()
    return changes_between(values_of(in_force), values_of(parameters))


def _refuse_same_or_announced(contest: Contest, parameters: ParameterSet) -> None:
    if parameters_in_force(contest) is None:
        return
    changes = _changes(contest, parameters)
    if not changes:
        raise Refused(_("Nothing is different from the parameters in force."))
    said = [each.name for each in changes if each.name in ANNOUNCED]
    if said and _is_final_announced(contest):
        message = _(
            "Clause 7.5 of the regulation: the schedule of the finals is announced, and this "
            "stays as it says: %s. Cancel the final first, or wait until it is over."
        )
        raise Refused(message % listed(said, PARAMETERS))


def _is_final_announced(contest: Contest) -> bool:
    """True while a final of the contest is planned or may still be going on."""
    finals = PlannedFinal.objects.filter(
        essay_set__data_set__contest=contest, kind=PlannedFinal.Kind.FINAL, cancelled_at=None
    )
    return finals.filter(starts_at__gt=Now()).exists()


def _body_that_may(parameters: ParameterSet, actor: User) -> Consent.Body:
    body = body_of(actor)
    if body is None:
        raise Refused(_("Judges and the commission agree to parameters: this is theirs to say."))
    if parameters.proposed_by_id == actor.pk:
        raise Refused(
            _(
                "Clause 2.17 of the regulation: others agree to a proposal, not the person who "
                "made it."
            )
        )
    if parameters.rejected_at or parameters.in_force_at:
        raise Conflict(_("These parameters are decided already. Look at them again."))
    said = list(parameters.consents.values_list("body", "who"))
    if body in [each for each, _who in said]:
        raise Conflict(_already(parameters, body))
    if actor.pk in [who for _body, who in said]:
        raise Refused(
            _(
                "Clause 2.17 of the regulation: two people agree, one of each body, and you have "
                "said something of these parameters already."
            )
        )
    return body


def _already(parameters: ParameterSet, body: Consent.Body) -> str:
    consent = parameters.consents.filter(body=body).select_related("who").first()
    message = _(
        "Clause 2.17 of the regulation: one person of each body speaks. For “%(body)s” this was "
        "said already by %(who)s."
    )
    return message % {"body": body.label, "who": consent.who if consent else "–"}


def _bring_into_force(contest: Contest, parameters: ParameterSet) -> None:
    _refuse_same_or_announced(contest, parameters)
    changes = _changes(contest, parameters)
    ParameterSet.objects.filter(pk=parameters.pk).update(in_force_at=Now())
    audit(actor=None, action="parameters.in_force", target=parameters, version=parameters.version)
    follow_rules(contest, actor=None)
    told = in_both(lambda: changes_in_words(changes))
    kept = Both("", "")
    if any(each.name in OF_RULES for each in changes):
        kept = in_both(lambda: _said_of_what_stays(contest, parameters.rules))
    body = _parted(told, Both(parameters.reason_ru, parameters.reason_en), kept)
    number = parameters.version
    title = in_both(lambda: _("Parameters of the contest, version %d") % number)
    kind = Announcement.Kind.PARAMETERS
    actor = parameters.proposed_by
    announce(contest=contest, kind=kind, title=title, body=body, actor=actor)


def _said_of_what_stays(contest: Contest, rules: RuleSet) -> str:
    """Which sets and runs go by other rules than those that are in force now."""
    return " ".join(filter(None, [said_of_sets(contest, rules), *said_of_other_runs(contest)]))


def _parted(*parts: Both) -> Both:
    """What is said, part after part with an empty line between; empty parts are left out."""
    russian, english = ([each.ru for each in parts], [each.en for each in parts])
    return Both(*("\n\n".join(filter(None, texts)) for texts in (russian, english)))


def changes_in_words(changes: Sequence[Change]) -> str:
    """Old and new values, a line each."""
    line = _("%(name)s: %(old)s → %(new)s.")
    return "\n".join(
        line
        % {
            "name": PARAMETERS[each.name],
            "old": shown(each.name, each.old),
            "new": shown(each.name, each.new),
        }
        for each in changes
    )


def in_percent(share: float) -> str:
    """A share from 0 to 1 as everybody reads it."""
    percent = round(100 * share, 9)  # 0.07 is 7, not 7.000000000000001
    return _("%s %%") % localize(int(percent) if percent == int(percent) else percent)


def shown(name: str, value: Any) -> str:
    """A value of this name as everybody reads it."""
    if value is None:
        return "–"
    if name in SHARES:
        return in_percent(value)
    if name == "third_total":
        return str(RuleSet.ThirdTotal(value).label)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _in_words(error: JsonValueError) -> str:
    """What is wrong, with the name of the field as pages have it."""
    name = error.path.removeprefix("rules.")
    words = describe(error, _)
    return words.replace(error.path, str(PARAMETERS[name]), 1) if name in PARAMETERS else words
