"""Essays and markups from files: good ones come in, bad ones are named, nothing half-written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import record as audit
from annotator.core.carrying import carry_onto
from annotator.core.values import MarkedFile, Meta, Subject
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.services.archives import NamedBytes
from annotator.services.markup import MAX_FRAGMENTS, close, store_markup
from annotator.services.reading import NamedFile, read_named_file, split_name
from annotator.services.refusals import Refused

MAX_NUMBER: Final = 60
YEARS: Final = range(10_000)
LONGEST_LOGIN: Final = 150


class Outcome(StrEnum):
    """What became of a file."""

    ESSAY = "essay"
    MARKUP = "markup"
    KNOWN = "known"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Imported:
    """One file of an import: what became of it, why, and what was odd in it."""

    name: str
    outcome: Outcome
    reason: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """Where the files go: the set, the subject of files that name none, who imports."""

    essay_set: EssaySet
    subject: Subject | None = None
    actor: User | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


def import_files(files: Iterable[NamedBytes], options: Options) -> list[Imported]:
    """Import files of the regulation's formats. Each essay with its markups is one transaction."""
    known = dict(options.essay_set.essays.values_list("number", "text"))
    options = Options(options.essay_set, options.subject, options.actor, known)
    report: list[Imported] = []
    good: list[NamedFile] = []
    for file in sorted(files, key=lambda file: file.name):
        try:
            good.append(_read(file, known))
        except Refused as refused:
            report.append(Imported(file.name, Outcome.REFUSED, str(refused)))
    good.sort(key=lambda file: file.number)
    for _number, group in groupby(good, key=lambda file: file.number):
        with transaction.atomic():
            report += [_import_one(file, options) for file in sorted(group, key=_essays_first)]
    return report


def _read(file: NamedBytes, known: dict[str, str]) -> NamedFile:
    if file.refusal:
        raise Refused(file.refusal)
    number, _author = split_name(PurePosixPath(file.name).stem)
    named = read_named_file(file.name, file.data, source=known.get(number))
    if named.is_plain and not _is_participant(named.author):
        named = named.as_essay()  # an essay whose name happens to hold a line below
    if not named.is_marked:
        known.setdefault(named.number, named.file.markup.text)
    return named


def _is_participant(name: str) -> bool:
    return _accounts(name).filter(role=User.Role.PARTICIPANT).exists()


def _accounts(name: str) -> QuerySet[User]:
    """The account of that name; SQLite compares no names of tens of thousands of letters."""
    return User.objects.filter(username__iexact=name[: LONGEST_LOGIN + 1])


def _essays_first(file: NamedFile) -> tuple[bool, bool, str]:
    return (file.is_marked, not file.is_expert, file.name)


def _import_one(file: NamedFile, options: Options) -> Imported:
    try:
        with transaction.atomic():
            outcome = _store(file, options)
    except Refused as refused:
        return Imported(file.name, Outcome.REFUSED, str(refused), file.remarks)
    return Imported(file.name, outcome, remarks=file.remarks)


def _store(file: NamedFile, options: Options) -> Outcome:
    essay, is_new = _essay(file, options)
    markup = carry_onto(file.file.markup, essay.text)
    if markup is None:
        raise Refused(_("The text differs from that of essay %s.") % essay.number)
    if not file.is_marked:
        return Outcome.ESSAY if is_new else Outcome.KNOWN
    return _store_markup(file, essay, replace(file.file, markup=markup))


def _essay(file: NamedFile, options: Options) -> tuple[Essay, bool]:
    present = options.essay_set.essays.filter(number=file.number).first()
    if present:
        return present, False
    meta = file.file.meta
    subject = meta.subject or options.subject
    if subject is None:
        raise Refused(_("The subject is not known: add the field «Предмет», or choose it."))
    if len(file.number) > MAX_NUMBER:
        raise Refused(_("The essay’s number is longer than %d characters.") % MAX_NUMBER)
    if meta.year is not None and meta.year not in YEARS:
        raise Refused(_("%d cannot be the year of an essay.") % meta.year)
    essay = Essay.objects.create(
        essay_set=options.essay_set,
        number=file.number,
        subject=subject.value,
        text=file.file.markup.text,
        **_described(meta),
    )
    audit(actor=options.actor, action="essay.imported", target=essay, file=file.name)
    return essay, True


def _described(meta: Meta) -> dict[str, object]:
    return {
        "theme": meta.theme,
        "task_text": meta.task_text,
        "class_name": meta.class_name[:60],
        "year": meta.year,
        "category": meta.category[:120],
        "test": meta.test[:120],
    }


def _store_markup(file: NamedFile, essay: Essay, carried: MarkedFile) -> Outcome:
    if len(carried.markup.fragments) > MAX_FRAGMENTS:
        raise Refused(_("A markup holds at most %d fragments.") % MAX_FRAGMENTS)
    author = _author(file)
    if _is_known(essay, author, carried):
        return Outcome.KNOWN
    assignment = _assignment(essay, author, file) if file.is_expert else None
    record = store_markup(
        essay=essay,
        author=author,
        source=MarkupRecord.Source.EXPERT if file.is_expert else MarkupRecord.Source.ALGORITHM,
        file=carried,
        assignment=assignment,
    )
    close(record)
    return Outcome.MARKUP


def _is_known(essay: Essay, author: User, file: MarkedFile) -> bool:
    present = essay.markups.filter(author=author, state=MarkupRecord.State.SUBMITTED).first()
    if present is None:
        return False
    return present.to_core() == file.markup and present.stated == dict(file.stated)


def _author(file: NamedFile) -> User:
    """The expert of that name, made as a closed account if need be; or the participant."""
    if not file.author:
        raise Refused(_("It is not said whose markup this is: name the file ID_expNN or ID_login."))
    found = _accounts(file.author)
    if not file.is_expert:
        participant = found.filter(role=User.Role.PARTICIPANT).first()
        if participant is None:
            message = _("There is no participant “%s”. Make the account first.")
            raise Refused(message % file.author)
        return participant
    expert = found.first() or _closed_account(file.author)
    if expert.role != User.Role.EXPERT:
        raise Refused(_("“%s” is not an expert’s account.") % file.author)
    return expert


def _closed_account(name: str) -> User:
    """An expert nobody can log in as, so that an imported markup has its author."""
    expert = User(username=name, role=User.Role.EXPERT, is_active=False)
    expert.set_unusable_password()
    try:
        expert.clean_fields(exclude=["email"])
    except ValidationError:
        message = _("“%s” cannot be an expert’s login. Use letters, digits and @.+-_ only.")
        raise Refused(message % name) from None
    expert.save()
    return expert


def _assignment(essay: Essay, author: User, file: NamedFile) -> Assignment | None:
    """The check an imported markup fills: the expert's own, or the first one nobody holds."""
    mine = essay.assignments.filter(round=essay.round, expert=author).first()
    if mine:
        if not mine.is_active:
            raise Refused(_("%s does not hold a check of this essay any more.") % author)
        return mine
    held = essay.assignments.filter(round=essay.round, state__in=Assignment.ACTIVE)
    taken = set(held.values_list("role", flat=True))
    roles = [Assignment.Role.THIRD] if file.file.meta.third else list(Assignment.Role)
    free = [role for role in roles if role not in taken]
    if not free:
        return None
    return Assignment.objects.create(
        essay=essay, round=essay.round, role=free[0], expert=author, state=Assignment.State.WORKING
    )
