"""By which key or of which set the uploads of a phase are, and how many of them it takes."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import Any, Final, NoReturn

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from contest.access import may_publish_data
from contest.core.splits import seed_of_both_parts
from contest.models import Contest, DataSet, ExchangeSession, Phase, Upload, UploadTerms
from contest.queries.uploads import sets_of_uploads
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import Scheme, Unfit
from schemes.adapters.words import in_language
from schemes.models import StoredKey
from web.refusals import Refused

ROLES: Final = {
    Phase.Kind.QUALIFICATION: DataSet.Role.TEST,
    Phase.Kind.FINALS: DataSet.Role.FINAL,
}
"""Of which sets markups are uploaded in each phase (R 2.7, 2.8)."""
UNTOLD: Final = ("key", "seed", "essay_set", "salt", "public_digest")
"""What the audit trail does not say of terms, or in other words."""
SEEDS: Final = 1000
"""So many seeds are tried for a key."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What organisers say of the uploads of a phase; ``key=None`` keeps the one there is, as
    ``essay_set=None`` does, which only contests of essays have.
    """

    per_day: int
    in_all: int
    public_share: float = 0.5
    key: bytes | None = None
    essay_set: EssaySet | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def refuse_no_uploads(contest: Contest) -> None:
    """Raise ``Refused`` for a contest of essays with live sessions."""
    if not contest.takes_uploads:
        raise Refused(_("The contest is of essays: markups are sent as archives or in sessions."))


def refuse_uncounted(*, essay_id: int) -> None:
    """Raise ``Refused`` for an essay whose markups count by quotas: no other door takes them."""
    found = sets_of_uploads().filter(essays=essay_id)
    held = found.select_related("data_set__contest").first()
    if held is not None:
        message = _(
            "Markups of the set “%(set)s” are uploads to “%(contest)s”, within its quotas: send "
            "them as an archive on the page of uploads."
        )
        raise Refused(message % {"set": held, "contest": held.data_set.contest})


@transaction.atomic
def set_upload_terms(*, phase: Phase, terms: Terms, actor: User) -> UploadTerms:
    """Say by which key, or of which set, the uploads of a phase are, and how many it takes.

    Raises ``Refused``; by name what may not change any more, since something was uploaded.
    """
    if not may_publish_data(actor):
        raise Refused(_("The terms of uploads are set by organisers."))
    held = Phase.objects.select_for_update(of=("self",)).select_related("contest").get(pk=phase.pk)
    refuse_no_uploads(held.contest)
    present = UploadTerms.objects.filter(phase=held).first()
    if terms.per_day < 1 or not 0 < terms.public_share <= 1:
        raise Refused(_("At least one upload a day, and a public part up to the whole key."))
    if terms.in_all < terms.per_day:
        message = _("A team may send %(day)d uploads a day: say at least as many in all.")
        raise Refused(message % {"day": terms.per_day})
    is_used = present is not None and Upload.objects.filter(phase=held).exists()
    said: dict[str, Any] = {"per_day": terms.per_day, "in_all": terms.in_all}
    if held.contest.scheme:
        said |= _of_key(held, present, terms, is_used=is_used, actor=actor)
    else:
        said["essay_set"] = _set_of(held, present, terms, is_used=is_used)
    made, _is_new = UploadTerms.objects.update_or_create(
        phase=held, defaults={**said, "set_by": actor}
    )
    told = {name: said[name] for name in said if name not in UNTOLD}
    if made.essay_set is not None:
        told["set"] = made.essay_set.name
    audit(actor=actor, action="uploads.terms", target=made, **told)
    return made


def _of_key(
    phase: Phase, present: UploadTerms | None, terms: Terms, *, is_used: bool, actor: User
) -> dict[str, Any]:
    """What is said of the key of a phase. Raises ``Refused``."""
    if present is None and terms.key is None:
        raise Refused(_("Upload the key: without one nothing can be scored."))
    if present is not None and is_used:
        _refuse_other(present, terms)
        return {}
    scheme = SCHEMES[phase.contest.scheme]
    is_new = terms.key is not None and (present is None or _digest(terms.key) != present.digest)
    data = terms.key if terms.key is not None else _stored(present)
    names = _names_in(scheme, data, terms.options)
    former = [] if present is None or is_new else [present.seed]
    said: dict[str, Any] = {
        "public_share": terms.public_share,
        "options": dict(terms.options),
        "seed": _seed_for(names, terms.public_share, former),
    }
    if is_new:
        salt = secrets.token_hex(16)
        said |= {"key": _kept_key(phase, data, actor), "digest": _digest(data)}
        said |= {"salt": salt, "public_digest": _digest(salt.encode() + data)}
    return said


def _set_of(phase: Phase, present: UploadTerms | None, terms: Terms, *, is_used: bool) -> EssaySet:
    """The set whose markups are uploaded. Raises ``Refused`` for one of another kind."""
    former = present.essay_set if present else None
    found = terms.essay_set or former
    role = ROLES[Phase.Kind(phase.kind)]
    if found is None:
        raise Refused(_("Choose the set whose markups are uploaded."))
    if found == former:
        return found
    if is_used:
        raise Refused(_("Something was uploaded: the set stays as it is."))
    if not phase.contest.data_sets.filter(role=role, essay_set=found).exists():
        _refuse_role(found, role)
    if ExchangeSession.objects.filter(closed_at=None, files__essay__essay_set=found).exists():
        message = _("Sessions with essays of “%s” are open: wait until they end.")
        raise Refused(message % found)
    return found


def _refuse_role(essay_set: EssaySet, role: DataSet.Role) -> NoReturn:
    if role == DataSet.Role.FINAL:
        message = _(
            "Clause 2.8 of the regulation: finals are held on the final set of the contest, which "
            "experts mark afterwards. “%s” is another one."
        )
        raise Refused(message % essay_set)
    raise Refused(_("“%s” is no test set of the contest.") % essay_set)


def _refuse_other(present: UploadTerms, terms: Terms) -> None:
    is_other_key = terms.key is not None and _digest(terms.key) != present.digest
    same = (terms.public_share, dict(terms.options)) == (present.public_share, present.options)
    if is_other_key or not same:
        raise Refused(
            _("Something was uploaded: the key, its options and the public share stay as they are.")
        )


def _stored(present: UploadTerms | None) -> bytes:
    return bytes(present.key.content) if present is not None and present.key is not None else b""


def _names_in(scheme: Scheme, data: bytes, options: Mapping[str, Any]) -> list[str]:
    """The items of a key that give points. Raises ``Refused`` for one no contest can go by."""
    source, own = scheme.kept_by_contests, scheme.contest_key
    if source is None:
        raise Refused(_("This scheme has no key."))
    try:
        read = source.read(data, options, {})
        if own is not None:
            own.refuse(read)
    except Unfit as unfit:
        raise Refused(" ".join(in_language(each) for each in unfit.sentences)) from None
    return list(scheme.names_of(read))


def _seed_for(names: Collection[str], share: float, former: Iterable[int]) -> int:
    """A seed by which neither part is empty; the former one, if it is such. Raises ``Refused``."""
    if len(names) < 2:
        raise Refused(
            _("A part of the key is public, the rest decides: the key needs two items or more.")
        )
    fresh = (secrets.randbits(62) for _number in range(SEEDS))
    seed = seed_of_both_parts(names, share=share, seeds=chain(former, fresh))
    if seed is None:
        raise Refused(
            _("With this public share one part of the key is empty: say another public share.")
        )
    return seed


def _kept_key(phase: Phase, data: bytes, actor: User) -> StoredKey:
    """Store a key of the phase, readable to managers alone."""
    scheme = SCHEMES[phase.contest.scheme]
    own = scheme.contest_key
    name = f"{phase.contest.slug}, {phase.kind} {secrets.token_hex(4)}"
    return StoredKey.objects.create(
        owner=actor,
        scheme=scheme.slug,
        source=own.source if own else "",
        name=name[-80:],
        content=data,
        size=len(data),
    )


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
