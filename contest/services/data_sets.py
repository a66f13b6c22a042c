"""Which essay sets belong to a contest, and by which rules they go (R 2.5 to 2.8, 4.6)."""

from __future__ import annotations

from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.queries.sets import scored_by_rules
from annotator.services.set_acts import describe_set, found_essay_set, hold_set
from annotator.services.sets import rules_named
from contest.models import Contest, DataSet
from contest.queries.counting import parameters_of_set
from contest.queries.given_out import opened_files
from contest.queries.parameters import parameters_in_force, proposal_of
from contest.queries.running import contest_of_set
from contest.queries.sealing import first_given
from contest.queries.teams import members_who_know
from contest.services.showing import ACCESS, refuse_published
from review.services.terms import name_working_days
from schemes.adapters import SCHEMES
from web.refusals import Refused

Role = DataSet.Role
MARKING_DAYS: Final = 15
"""Working days experts have for the final set (R 7.3)."""


@transaction.atomic
def add_data_set(
    *, contest: Contest, role: DataSet.Role, essay_set: EssaySet, actor: User
) -> DataSet:
    """Let an essay set belong to a contest; a set without essays takes the access of its kind.

    Raises ``Refused`` by name: essays of another subject, another contest's set, another access,
    a second final set, a final set that is marked or shown already (R 2.8), a test or final set of
    which a member of a team knows more than the others, a test set that somebody had (R 2.7).
    """
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)  # who joins now is asked
    held = hold_set(essay_set.pk)
    refuse_no_essays(contest)
    other = contest_of_set(held)
    if other is not None:
        message = _("The set “%(set)s” belongs to the contest “%(contest)s” already.")
        raise Refused(message % {"set": held, "contest": other})
    refuse_other_subject(contest, held)
    _refuse_other_access(held, role)
    if role == Role.FINAL:
        refuse_published(held)
        _refuse_marked(held)
    if role != Role.TRAINING:
        _refuse_known(contest, held)
    if role == Role.TEST:
        _refuse_given_out(held)
    try:
        with transaction.atomic():
            found = DataSet.objects.create(contest=contest, role=role, essay_set=held)
    except IntegrityError:
        raise Refused(_("The contest has a final set already, or the set was taken.")) from None
    wanted = ACCESS[role]
    if held.access != wanted:
        values = {"access": wanted}
        describe_set(essay_set=held, seen=held.revision, actor=actor, values=values)
    audit(actor=actor, action="contest.set_added", target=contest, set=held.name, role=role)
    name_marking_days(found, actor)
    follow_rules(contest, actor=actor)
    return found


def name_marking_days(data_set: DataSet, actor: User | None) -> None:
    """Let the checks of a final set be due as R 7.3 has it, unless its terms are said already."""
    if data_set.role == Role.FINAL:
        name_working_days(
            essay_set=data_set.essay_set,
            days=MARKING_DAYS,
            zone=data_set.contest.zone,
            actor=actor,
        )


@transaction.atomic
def make_data_set(*, contest: Contest, role: DataSet.Role, name: str, actor: User) -> DataSet:
    """Make an essay set for a contest, under the rules of its parameters. Raises ``Refused``."""
    if EssaySet.objects.filter(name=name).exists():
        raise Refused(_("There is a set “%s” already. Choose another name.") % name)
    parameters = parameters_in_force(contest) or proposal_of(contest)
    rules = parameters.rules if parameters else rules_named()
    made = found_essay_set(
        essay_set=EssaySet(name=name, access=ACCESS[role], rules=rules), actor=actor
    )
    return add_data_set(contest=contest, role=role, essay_set=made, actor=actor)


@transaction.atomic
def drop_data_set(*, data_set: DataSet, actor: User) -> None:
    """Let an essay set belong to no contest again. Raises ``Refused`` once it is announced."""
    contest = Contest.objects.select_for_update(of=("self",)).get(pk=data_set.contest_id)
    if contest.is_announced:
        raise Refused(_("The contest is announced: its sets may grow, none is taken away."))
    name = str(data_set.essay_set)
    audit(actor=actor, action="contest.set_dropped", target=contest, set=name, role=data_set.role)
    data_set.delete()


def follow_rules(contest: Contest, *, actor: User | None) -> None:
    """Let the sets of a contest go by its parameters, as far as nothing was handed in yet and the
    results of their phase are not approved.
    """
    sets = contest.data_sets.select_related("contest", "essay_set").order_by("essay_set")
    for each in sets:
        parameters, held = parameters_of_set(each), each.essay_set
        if parameters and held.rules_id != parameters.rules_id and not scored_by_rules(held):
            values = {"rules": parameters.rules}
            describe_set(essay_set=held, seen=held.revision, actor=actor, values=values)


def refuse_no_essays(contest: Contest) -> None:
    """Raise ``Refused`` for what only contests of essays have."""
    if contest.scheme:
        message = _("The contest goes by the scoring system “%s”: it has no sets of essays.")
        raise Refused(message % SCHEMES[contest.scheme].title)


def refuse_given(essays: QuerySet[Essay]) -> None:
    """Raise ``Refused`` where experts were given one of these essays of a final set (R 2.8)."""
    found = first_given(essays)
    if found is not None:
        message = _(
            "Clause 2.8 of the regulation: experts mark the final set after the finals, and the "
            "essay %(number)s of the set “%(set)s” was given to one. Take its checks away "
            "unopened or choose essays nobody has had."
        )
        raise Refused(message % {"number": found.number, "set": found.essay_set})


def _refuse_marked(essay_set: EssaySet) -> None:
    if MarkupRecord.objects.filter(essay__essay_set=essay_set).exists():
        message = _(
            "Clause 2.8 of the regulation: nobody has marked the final set before the finals. "
            "The set “%s” has markups."
        )
        raise Refused(message % essay_set)
    refuse_given(Essay.objects.filter(essay_set=essay_set))


def _refuse_given_out(essay_set: EssaySet) -> None:
    found = opened_files().filter(essay__essay_set=essay_set).order_by("essay__number").first()
    if found is not None:
        message = _(
            "Clause 2.7 of the regulation: all teams get the test set on equal terms, in the "
            "qualification, and the essay %(number)s of the set “%(set)s” was given to somebody "
            "before. Choose another set."
        )
        raise Refused(message % {"number": found.name, "set": essay_set})


def _refuse_known(contest: Contest, essay_set: EssaySet) -> None:
    found = members_who_know(contest, essay_set).first()
    if found is not None:
        message = _(
            "Clause 2.7 of the regulation: %(person)s of the team “%(team)s” has checked essays of "
            "the set “%(set)s” or could read it by another role. Choose another set, or the member "
            "leaves the team first."
        )
        fields = {"person": found.person, "team": found.team, "set": essay_set}
        raise Refused(message % fields)


def refuse_other_subject(contest: Contest, essay_set: EssaySet) -> None:
    """Raise ``Refused`` where a set holds an essay of another subject than the contest's."""
    other = Essay.objects.filter(essay_set=essay_set, closed_at=None)
    found = other.exclude(subject=contest.subject).order_by("number").first()
    if found is not None:
        message = _(
            "The contest is of the subject “%(subject)s”; the essay %(number)s of the set "
            "“%(set)s” is of “%(other)s”. Clause 5.1 of the regulation says what a contest is of."
        )
        fields = {
            "subject": contest.get_subject_display(),
            "number": found.number,
            "set": essay_set,
            "other": found.get_subject_display(),
        }
        raise Refused(message % fields)


def _refuse_other_access(essay_set: EssaySet, role: DataSet.Role) -> None:
    if essay_set.access != ACCESS[role] and essay_set.essays.exists():
        message = _(
            "The set “%(set)s” holds essays, and its access is “%(access)s”. Change that on the "
            "page of the set first: it must be “%(wanted)s”."
        )
        access = essay_set.get_access_display()
        wanted = ACCESS[role].label
        raise Refused(message % {"set": essay_set, "access": access, "wanted": wanted})
