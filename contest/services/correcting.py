"""Corrections of a contest's training and test sets: announced, and none shortly before the finals.

R 4.6: sets may grow at any time; what is in them changes at least 10 days before the finals.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from annotator.models import Essay
from contest.core.both import Both
from contest.models import Announcement, DataSet, FinalFile
from contest.models import Final as PlannedFinal
from contest.queries.running import finals_begin
from contest.services.announcing import announce
from contest.services.sessions.clock import moment_now
from contest.services.sessions.opening import opens_from
from web.core.sentences import N_
from web.refusals import Refused
from web.zones import told_at

NOTICE: Final = timedelta(days=10)
CORRECTED: Final = (DataSet.Role.TRAINING, DataSet.Role.TEST)
TITLE: Final = N_("Essay %(number)s was corrected")
BODY: Final = N_(
    "Set “%(set)s”: essay %(number)s has a new version, %(version)s. Reason: %(reason)s"
)


def refuse_correction(*, essay_ids: Iterable[int]) -> None:
    """Raise ``Refused`` where an essay of a contest's training or test set stays as it is."""
    found = DataSet.objects.filter(role__in=CORRECTED, essay_set__essays__in=list(essay_ids))
    for each in found.distinct().select_related("contest", "essay_set").annotate(now=Now()):
        begin = finals_begin(each.contest)
        if begin is not None and each.now > begin - NOTICE:
            message = _(
                "Clause 4.6 of the regulation: the set “%(set)s” of “%(contest)s” is not corrected "
                "later than 10 days before the finals, which begin on %(day)s."
            )
            day = told_at(begin, each.contest.zone)
            raise Refused(message % {"set": each.essay_set, "contest": each.contest, "day": day})


def refuse_answered(*, essay_ids: Iterable[int]) -> None:
    """Raise ``Refused`` for an essay of a final whose sessions may be open, or were: programs
    answer this text, and no markup of another one is compared with theirs. One that is ahead gives
    out the latest version.
    """
    finals = FinalFile.objects.filter(
        essay__essay_set__essays__in=list(essay_ids),
        essay__number=F("essay__essay_set__essays__number"),
        final__kind=PlannedFinal.Kind.FINAL,
        final__cancelled_at=None,
    )
    now = moment_now()
    for each in finals.select_related("final", "essay"):
        if opens_from(each.final) <= now:
            message = _(
                "Essay %(number)s is a file of the final “%(final)s”: programs answer this text. "
                "It stays, unless the final is cancelled or started anew."
            )
            raise Refused(message % {"number": each.essay.number, "final": each.final})


def announce_correction(*, essay_id: int, reason: str, actor_id: int) -> None:
    """Tell everybody of a contest that is announced why an essay has another version."""
    former = Essay.objects.select_related("essay_set").get(pk=essay_id)
    found = DataSet.objects.filter(role__in=CORRECTED, essay_set=former.essay_set)
    for each in found.select_related("contest").exclude(contest__announced_at=None):
        fields = {
            "number": former.number,
            "set": former.essay_set,
            "version": former.version + 1,
            "reason": reason,
        }
        announce(
            contest=each.contest,
            kind=Announcement.Kind.DATA,
            title=in_both(TITLE, **fields),
            body=in_both(BODY, **fields),
            actor=User.objects.get(pk=actor_id),
        )


def in_both(sentence: str, **fields: object) -> Both:
    """A sentence of the catalogue in both languages."""
    said = {}
    for language in ("ru", "en"):
        with override(language):
            said[language] = _(sentence) % fields
    return Both(said["ru"], said["en"])
