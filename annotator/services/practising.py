"""Practice: an essay gets its key, an expert tries it, as often as wanted and by nobody's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.core.carrying import carry_onto
from annotator.core.stated import Stated, frozen
from annotator.core.values import MarkedFile, Markup
from annotator.models import Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.queries.practice import key_of, tries_of
from annotator.services.assignment import hold_in_state
from annotator.services.gates import refuse_new_tries, refuse_replaced
from annotator.services.markup import refuse_problems, row_of
from annotator.services.reading import NamedFile, read_named_files
from annotator.services.refusals import Told, unfit
from web.refusals import Conflict, Refused

Source, State = MarkupRecord.Source, MarkupRecord.State


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be a key; ``taken``: the number of the markup it is a copy of, if it is one."""

    markup: Markup
    stated: Mapping[str, Stated]
    taken: int | None = None

    def is_as(self, key: MarkupRecord) -> bool:
        return (key.to_core(), frozen(key.stated)) == (self.markup, self.stated)


@transaction.atomic
def start_try(*, essay: Essay, expert: User) -> MarkupRecord:
    """The expert's draft of a practice essay: the one that was begun, else a new one.

    A try that was submitted gives way and stays as an earlier version. Safe to repeat. Raises
    ``Refused``.
    """
    held = hold_in_state(essay.pk, no_key=True)
    refuse_new_tries(held)
    present = tries_of(held).filter(author=expert).exclude(state=State.SUPERSEDED).first()
    if present is not None and present.state == State.DRAFT:
        return present
    if present is not None:
        _supersede(present)
    return MarkupRecord.objects.create(essay=held, author=expert, source=Source.PRACTICE)


def read_key(*, essay: Essay, name: str, data: bytes) -> NamedFile:
    """The one markup of a file that is to be a key. Raises ``Refused``."""
    found = read_named_files(name, data, source=essay.text)
    marked = [each for each in found if each.file.markup.fragments] if len(found) > 1 else found
    if len(marked) > 1:
        raise Refused(_("The file holds %d markups. Send one of them.") % len(marked))
    if not marked or not marked[0].file.markup.fragments:
        raise Refused(_("Nothing is marked in this file: a key needs marks."))
    if marked[0].refusal:
        raise Told(told=marked[0].refusal)
    return marked[0]


@transaction.atomic
def give_key(*, essay: Essay, file: MarkedFile, seen: int, actor: User) -> MarkupRecord:
    """Make a file's markup the key of a practice essay, in place of the former one.

    ``seen``: the number of the last key that was known of, 0 for none. The same key given again
    changes nothing. Raises ``MarkupHasProblems``, ``Conflict`` where another key came since, and
    ``Refused`` once somebody has submitted a try, or where the text is another one.
    """
    held = _hold_for_key(essay)
    markup = carry_onto(file.markup, held.text)
    if markup is None:
        raise unfit("other-text", essay=held.number)
    refuse_problems(held, markup)
    wanted = _Wanted(markup, frozen(dict(file.stated)))
    return _keep_key(held, wanted, seen, actor)


@transaction.atomic
def take_as_key(*, essay: Essay, record: MarkupRecord, seen: int, actor: User) -> MarkupRecord:
    """Make a copy of a submitted markup of the same text the key. Raises as above."""
    held = _hold_for_key(essay)
    if record.essay.text != held.text or record.state != State.SUBMITTED:
        raise Refused(_("This markup is none of the same text, or it is not submitted."))
    wanted = _Wanted(record.to_core(), frozen(record.stated), record.pk)
    return _keep_key(held, wanted, seen, actor)


def _hold_for_key(essay: Essay) -> Essay:
    held = hold_in_state(essay.pk)
    refuse_replaced(held)
    if not held.essay_set.is_practice:
        raise Refused(_("Only essays of practice sets have a key."))
    if held.essay_set.state == EssaySet.State.ARCHIVED:
        raise Refused(_("The set “%s” is in the archive. Take it out first.") % held.essay_set)
    return held


def _refuse_seen(held: Essay) -> None:
    if tries_of(held).exclude(state=State.DRAFT).exists():
        message = _(
            "Somebody has submitted a try of essay %s and seen its key, which stays. Make a new "
            "version of the essay and give that one another key."
        )
        raise Refused(message % held.number)


def _refuse_unseen(held: Essay, former: MarkupRecord | None, seen: int) -> None:
    if former is not None and former.pk > seen:
        message = _("Somebody gave essay %s another key meanwhile. Look at it first.")
        raise Conflict(message % held.number)


def _keep_key(held: Essay, wanted: _Wanted, seen: int, actor: User) -> MarkupRecord:
    former = key_of(held)
    if former is not None and wanted.is_as(former):
        return former
    _refuse_seen(held)
    _refuse_unseen(held, former, seen)
    if former is not None:
        _supersede(former)
    key = MarkupRecord.objects.create(
        essay=held,
        author=actor,
        source=Source.KEY,
        state=State.SUBMITTED,
        submitted_at=Now(),
        stated=dict(wanted.stated),
    )
    FragmentRecord.objects.bulk_create(row_of(key, each) for each in wanted.markup.fragments)
    about = {"essay": held.pk, "taken": wanted.taken, "former": former.pk if former else None}
    audit(actor=actor, action="key.given", target=key, **about)
    return key


def _supersede(record: MarkupRecord) -> None:
    MarkupRecord.objects.filter(pk=record.pk).update(state=State.SUPERSEDED, superseded_at=Now())
