"""Uploads: predictions, scored by a run of the contest's scheme, or markups of a test set, taken in
as an archive is. Both within the terms of the phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from accounts.services.limits import Limit, take
from annotator.models import EssaySet
from contest.core.moments import at
from contest.core.splits import parts_of
from contest.models import Contest, Parcel, Phase, Team, Upload, UploadTerms
from contest.queries.teams import team_of
from contest.services.sessions.clock import moment_now
from contest.services.uploads.parcels import keep_parcel
from contest.services.uploads.quotas import count_upload, give_back, hold_counter, left_of, today_in
from contest.services.uploads.terms import refuse_no_uploads
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import MAX_BYTES
from schemes.models import SchemeItem, SchemeRun
from schemes.services.runs import Asked, NamedInput, order_run
from web.client_keys import ClientKey
from web.core.sound import sound
from web.refusals import Refused
from web.zones import told_at

TRIES: Final = Limit(tries=60, seconds=60 * 60)
"""Of uploads of one team, those that were refused among them."""


class OverQuota(Refused):
    """The team's uploads are used up, for today or for good."""

    code = "over-quota"


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it came in; ``scheme``: whose predictions the sender means, if said."""

    name: str
    data: bytes
    scheme: str = ""
    client_key: ClientKey | None = None


def send_upload(*, contest: Contest, user: User, sent: Sent) -> tuple[Upload, bool]:
    """Take a file of a team and promise what is to come of it; is it new?

    The same name of a program's gives the same upload, and so do the same bytes without a name, be
    they sent at one moment: they count once. Raises ``Refused``, ``OverQuota``.
    """
    refuse_no_uploads(contest)
    team = team_of(user, contest)
    if team is None:
        raise Refused(_("You are in no team of “%s”: only its teams upload.") % contest)
    if sent.scheme and sent.scheme != contest.scheme:
        message = _(
            "Clause 5.1 of the regulation: "
            "“%(contest)s” takes %(own)s, and what was sent is said to be %(other)s."
        )
        told = {"own": _predictions_of(contest.scheme), "other": _predictions_of(sent.scheme)}
        raise Refused(message % {"contest": contest, **told})
    if not sent.data:
        raise Refused(_("The file is empty. Send your predictions."))
    if contest.scheme and len(sent.data) > MAX_BYTES:
        raise Refused(_("The file is larger than %d MB. Send less.") % (MAX_BYTES // 2**20))
    if not take(key=f"uploads:{team.pk}", limit=TRIES):
        raise OverQuota(_("You have sent %d files within an hour. Wait a little.") % TRIES.tries)
    with transaction.atomic():
        return _take_in(contest, team, user, sent)


def _predictions_of(slug: str) -> str:
    """What is sent for a scheme, in words; what a program has named and is none stays as it is."""
    if not slug:
        return _("markups of essays")
    return _("predictions for “%s”") % (SCHEMES[slug].title if slug in SCHEMES else slug)


def _take_in(contest: Contest, team: Team, user: User, sent: Sent) -> tuple[Upload, bool]:
    terms = _terms_now(contest)
    hold_counter(terms.phase, team)
    earlier = _named_alike(team, sent) if sent.client_key else _sent_before(terms, team, sent)
    if earlier is not None:
        return earlier, False
    _refuse_team(team, terms.phase)
    if terms.essay_set is None:
        made: dict[str, Any] = {"run": _run_of(contest, team, terms, sent)}
    else:
        parcel = _parcel_of(team, terms.essay_set, sent)
        if hasattr(parcel, "upload"):
            return parcel.upload, False
        made = {"parcel": parcel}
    day = today_in(contest)
    if not count_upload(terms, team, day):
        raise OverQuota(_over(terms, team, day))
    upload = Upload.objects.create(
        phase=terms.phase,
        team=team,
        sent_by=user,
        name=sound(sent.name)[-200:],
        digest=_digest(sent.data),
        size=len(sent.data),
        client_key=sent.client_key.name if sent.client_key else None,
        client_digest=sent.client_key.digest if sent.client_key else "",
        day=day,
        **made,
    )
    audit(actor=user, action="upload.sent", target=upload, team=team.pk)
    return upload, True


def _run_of(contest: Contest, team: Team, terms: UploadTerms, sent: Sent) -> SchemeRun:
    """A run by the phase's key, which the team reads nothing of but why it was refused."""
    scheme, key = SCHEMES[contest.scheme], terms.key
    if key is None:
        raise Refused(_("“%s” takes no uploads: its key is not there yet.") % contest)
    inputs = {scheme.sent_to_contests.name: NamedInput(sent.data, sent.name)}
    asked = Asked(scheme, inputs, terms.options, key, f"{contest.slug}: {team}"[:80])
    run = order_run(owner=key.owner, asked=asked)
    SchemeRun.objects.filter(pk=run.pk).update(veiled=True)
    return run


def _parcel_of(team: Team, essay_set: EssaySet, sent: Sent) -> Parcel:
    """An archive of markups by the team's account, be it the one that waits already."""
    if essay_set.state != EssaySet.State.OPEN:
        message = _("The set “%s” is not open: nothing is handed in for it now.")
        raise Refused(message % essay_set)
    parcel, _is_new = keep_parcel(
        participant=team.account, essay_set=essay_set, name=sent.name, content=sent.data
    )
    return parcel


def why_nothing_now(contest: Contest, team: Team) -> str:
    """Why nothing is taken of a team now; empty where an upload is."""
    try:
        terms = _terms_now(contest)
        _refuse_team(team, terms.phase)
    except Refused as refusal:
        return str(refusal)
    day = today_in(contest)
    return _over(terms, team, day) if left_of(terms, team, day).is_used_up else ""


def settle_upload(*, run_id: int) -> None:
    """Keep what an upload got, or give it back where it was refused. Safe to repeat."""
    found = Upload.objects.select_for_update(of=("self",)).select_related("run")
    upload = found.filter(run=run_id, state=Upload.State.WAITING).first()
    if upload is None or upload.run is None:
        return
    if upload.run.state == SchemeRun.State.FAILED:
        _give_up(upload, Upload.State.REFUSED)
        return
    terms = UploadTerms.objects.get(phase=upload.phase_id)
    worth = SCHEMES[upload.run.scheme].worth
    told = SchemeItem.objects.filter(run=run_id).values_list("name", "verdict", "points", "maximum")
    items = (
        (name, *worth(verdict, points, most)) for name, verdict, points, most in told.iterator()
    )
    parts = parts_of(items, seed=terms.seed, share=terms.public_share)
    Upload.objects.filter(pk=upload.pk).update(
        state=Upload.State.SCORED,
        public=parts.public,
        final=parts.final,
        public_items=parts.public_items,
        final_items=parts.final_items,
    )


def settle_upload_of_parcel(*, parcel_id: int) -> None:
    """Markups of an upload are taken in; none at all is a refusal. Safe to repeat."""
    found = Upload.objects.select_for_update(of=("self",)).select_related("parcel")
    upload = found.filter(parcel=parcel_id, state=Upload.State.WAITING).first()
    if upload is None or upload.parcel is None:
        return
    if not upload.parcel.accepted:
        _give_up(upload, Upload.State.REFUSED)
        return
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.TAKEN)


@transaction.atomic
def cancel_upload_of_job(*, job_id: int) -> None:
    """An upload whose job was given up counts no more: the fault is the platform's."""
    found = Upload.objects.select_for_update(of=("self",))
    of_job = Q(run__job=job_id) | Q(parcel__job=job_id)
    for upload in found.filter(of_job, state=Upload.State.WAITING):
        _give_up(upload, Upload.State.CANCELLED)


def _give_up(upload: Upload, state: Upload.State) -> None:
    Upload.objects.filter(pk=upload.pk).update(state=state)
    give_back(phase_id=upload.phase_id, team_id=upload.team_id, day=upload.day)


def _terms_now(contest: Contest) -> UploadTerms:
    """The terms of the phase that runs. Raises ``Refused`` where none does."""
    now = at(moment_now())
    found = UploadTerms.objects.filter(phase__contest=contest)
    terms = list(
        found.select_related("phase__contest", "key__owner", "essay_set").order_by(
            "phase__starts_at"
        )
    )
    for each in terms:
        phase = each.phase
        if phase.starts_at <= now < phase.ends_at and phase.closed_at is None:
            return each
    to_come = [each.phase for each in terms if now < each.phase.starts_at]
    past = [each.phase for each in terms if each.phase.starts_at <= now]
    if to_come:
        words = _("Clause 4.1 of the regulation: uploads to “%(contest)s” begin on %(moment)s.")
        raise Refused(
            words % {"contest": contest, "moment": told_at(to_come[0].starts_at, contest.zone)}
        )
    if past:
        words = _(
            "Clause 4.1 of the regulation: "
            "uploads to “%(contest)s” ended on %(moment)s, nothing is taken after the end."
        )
        raise Refused(
            words % {"contest": contest, "moment": told_at(past[-1].ends_at, contest.zone)}
        )
    raise Refused(_("“%s” takes no uploads: its key is not there yet.") % contest)


def _refuse_team(team: Team, phase: Phase) -> None:
    if team.excluded_at is not None:
        raise Refused(_("Clause 9.5 of the regulation: the team “%s” is excluded.") % team)
    if phase.kind == Phase.Kind.FINALS and team.admitted_at is None:
        message = _("Clause 6.3 of the regulation: the team “%s” is not admitted to the finals.")
        raise Refused(message % team)


def _named_alike(team: Team, sent: Sent) -> Upload | None:
    """What a program sent under the same name. Raises ``Conflict`` if that was something else."""
    key = sent.client_key
    found = Upload.objects.filter(team=team, client_key=key.name).first() if key else None
    if key is not None and found is not None:
        key.refuse_other(found.client_digest)
    return found


def _sent_before(terms: UploadTerms, team: Team, sent: Sent) -> Upload | None:
    """An upload of the same bytes that another one could not better; the caller holds the counter.

    Of predictions the best stands, so any will do. Of an essay the latest markup stands: an archive
    is sent anew to return to it, or for essays it was refused for.
    """
    of_phase = Upload.objects.filter(phase=terms.phase, team=team)
    counted = of_phase.exclude(state__in=(Upload.State.REFUSED, Upload.State.CANCELLED))
    digest = _digest(sent.data)
    if terms.essay_set is None:
        return counted.filter(digest=digest).first()
    latest = counted.select_related("parcel").first()
    if latest is None or latest.digest != digest or latest.parcel is None or latest.parcel.refused:
        return None
    return latest


def _over(terms: UploadTerms, team: Team, day: Any) -> str:
    left = left_of(terms, team, day)
    if left.total >= left.in_all:
        used_up = _(
            "Clause 2.17 of the regulation: your team has used all of its %d uploads of this phase."
        )
        return used_up % left.in_all
    message = _(
        "Clause 2.17 of the regulation: "
        "your team has used its %(count)d uploads of today; there are more from %(moment)s on."
    )
    if left.resets_at >= terms.phase.ends_at:
        message = _(
            "Clause 2.17 of the regulation: your team has used its %(count)d uploads of today, and "
            "the phase ends before the next day begins."
        )
    return message % {
        "count": left.per_day,
        "moment": told_at(left.resets_at, terms.phase.contest.zone),
    }


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
