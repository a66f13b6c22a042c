"""What the files of an import would do, one by one: decided by what is stored; writes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

from django.db.models import QuerySet

from accounts.models import User
from annotator.core.carrying import carry_onto
from annotator.core.names import copied_from, split_name
from annotator.core.problems import Problem
from annotator.core.validation import MAX_FRAGMENTS
from annotator.core.values import MarkedFile, Markup, Meta, Subject
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.models.imports import ImportedFile
from annotator.queries.essays import LATEST
from annotator.queries.third_checks import FIRST_TWO
from annotator.services.archives import NamedBytes
from annotator.services.gates import refuse_from_files, subject_held_to, why_no_new_checks
from annotator.services.imports.authors import Authors
from annotator.services.imports.filling import check_for
from annotator.services.imports.present import Held, Present, presents_of, third_called
from annotator.services.markup import Brought, refuse_long_names, remarks_on_crossing
from annotator.services.reading import NamedFile, clean_name, read_named_files
from annotator.services.refusals import Told, refuse_copy, told_by, unfit
from web.refusals import Refused

Outcome = ImportedFile.Outcome

MAX_NUMBER: Final = 60
NUMBER: Final = re.compile(r"[0-9]+")
"""What numbers essays (files.md 1.7)."""
YEARS: Final = range(10_000)
BATCH: Final = 200
"""So many essays are looked up at once."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where the files go: the set, the subject of files that name none, who imports.

    ``from_markups``: a marked file brings its essay along where there is none. ``left_out``: the
    numbers of essays whose files do not come in. ``refusal``: why no markup of an expert comes
    into the set now, ``held_to``: the one subject its essays may be of, if any (``as_it_is``).
    """

    essay_set: EssaySet
    subject: Subject | None = None
    actor: User | None = None
    from_markups: bool = False
    left_out: frozenset[str] = frozenset()
    refusal: tuple[Problem, ...] = ()
    held_to: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What is to become of a file, and the rows it takes; those without a number are to be made."""

    file: NamedFile
    outcome: Outcome
    reasons: tuple[Problem, ...] = ()
    essay: Essay | None = None
    author: User | None = None
    marked: MarkedFile | None = None
    check: Assignment | None = None
    replaced: MarkupRecord | None = None

    @property
    def brought(self) -> Brought | None:
        """The markup that is to be stored, if any."""
        if self.essay is None or self.author is None or self.marked is None:
            return None
        source = MarkupRecord.Source
        is_expert = self.file.is_expert
        kind = source.EXPERT if is_expert else source.ALGORITHM
        return Brought(self.essay, self.author, kind, self.marked, self.check)


@dataclass(frozen=True, slots=True)
class Batch:
    """The readable files of an import by their essay, and what could not be read."""

    groups: list[tuple[str, list[NamedFile]]]
    refused: list[tuple[str, tuple[Problem, ...]]]
    authors: Authors


def read_batch(files: Iterable[NamedBytes], options: Options) -> Batch:
    """Read every file; the essays that are known, or stand before, settle doubtful brackets."""
    listed = sorted(files, key=lambda file: file.name)
    stems = [clean_name(PurePosixPath(file.name).stem) for file in listed]
    people = User.objects.order_by("pk").prefetch_related("specialisms")
    names = _Names(options.essay_set, stems, Authors(people))
    good: list[NamedFile] = []
    refused: list[tuple[str, tuple[Problem, ...]]] = []
    for file in listed:
        try:
            good += names.read(file)
        except Refused as refusal:
            refused.append((file.name, told_by(refusal)))
    left_out = [file for file in good if file.number in options.left_out]
    refused += [(file.name, (_left_out(file),)) for file in left_out]
    good = [file for file in good if file.number not in options.left_out]
    good = sorted(good, key=lambda file: file.number)
    texts = {n: text for n, text in names.texts.items() if n not in options.left_out}
    good = _with_likenesses(good, options.essay_set, texts)
    groups = groupby(good, key=lambda file: file.number)
    in_order = [(number, sorted(group, key=_essays_first)) for number, group in groups]
    return Batch(in_order, refused, names.authors)


def _left_out(file: NamedFile) -> Problem:
    return Problem("left-out", fields={"essay": file.number})


def _with_likenesses(
    files: Sequence[NamedFile], essay_set: EssaySet, known: Mapping[str, str]
) -> list[NamedFile]:
    """The files, each with what it shares with another essay: its text, or nearly its name.

    ``known``: texts by number, of essays of the set and of this import.
    """
    essays = [file for file in files if not file.is_marked and not file.refusal]
    first: dict[str, str] = {}
    for start in range(0, len(essays), BATCH):
        texts = [file.file.markup.text for file in essays[start : start + BATCH]]
        same = essays_in(essay_set).filter(text__in=texts).order_by("-pk")
        first.update(same.values_list("text", "number"))
    for file in essays:
        first.setdefault(file.file.markup.text, file.number)
    return [
        replace(file, if_new=_likeness(file, first.get(file.file.markup.text, ""), known))
        for file in files
    ]


def _likeness(file: NamedFile, twin: str, known: Mapping[str, str]) -> tuple[Problem, ...]:
    """What there is to say of an essay that comes in. ``twin``: the first one with its text."""
    original = copied_from(file.number)
    if original in known:
        told = {"blocks": False, "fields": {"essay": original}}
        if carry_onto(file.file.markup, known[original]) is not None:
            return (Problem("copy-of-essay", **told),)
        return (Problem("copy-with-other-text", **told),)
    likeness = []
    if not original and not NUMBER.fullmatch(file.number):
        likeness.append(
            Problem("name-without-number", blocks=False, fields={"number": file.number})
        )
    if original:
        likeness.append(Problem("copy-of-none", blocks=False, fields={"name": original}))
    if twin not in ("", file.number):
        likeness.append(Problem("same-text", blocks=False, fields={"essay": twin}))
    return tuple(likeness)


def as_it_is(options: Options) -> Options:
    """The same with what the set is at this moment: asked once for many essays."""
    refusal, held_to = why_no_new_checks(options.essay_set), subject_held_to(options.essay_set)
    return replace(options, refusal=refusal, held_to=held_to)


def plan(batch: Batch, options: Options) -> Iterator[tuple[Present, list[Step]]]:
    """What would become of the files, essay by essay, if they came in now."""
    options = as_it_is(options)
    for start in range(0, len(batch.groups), BATCH):
        groups = batch.groups[start : start + BATCH]
        numbers = [number for number, _files in groups]
        essays = essays_in(options.essay_set).filter(number__in=numbers)
        presents = {each.essay.number: each for each in presents_of(essays) if each.essay}
        for number, files in groups:
            present = presents.get(number) or Present()
            yield present, plan_essay(files, present, batch.authors, options)


def plan_essay(
    files: Sequence[NamedFile], present: Present, authors: Authors, options: Options
) -> list[Step]:
    """What becomes of the files of one essay, in their order; ``present`` follows them."""
    steps = []
    for file in files:
        try:
            steps.append(_step(file, present, authors, options))
        except Refused as refused:
            steps.append(Step(file, Outcome.REFUSED, told_by(refused)))
    return steps


def calls_third_check(present: Present, steps: Sequence[Step], options: Options) -> bool:
    """Would the essay's two checks, once these files are in, call a third one by the rule?"""
    brought = {step.check.role for step in steps if step.marked and step.check}
    third = Assignment.Role.THIRD
    if not brought.intersection(FIRST_TWO):
        return False
    if any(check.role == third and check.is_active for check in present.checks):
        return False
    return third_called(present, options.essay_set.rules) is True


def essays_in(essay_set: EssaySet) -> QuerySet[Essay]:
    """The latest versions of a set's essays; none of one that is not made yet."""
    if essay_set.pk is None:
        return Essay.objects.none()
    return Essay.objects.filter(LATEST, essay_set=essay_set.pk).select_related("essay_set")


class _Names:
    """Reads the files of one import: knows the numbers of essays there are, and their texts."""

    def __init__(self, essay_set: EssaySet, stems: Sequence[str], authors: Authors) -> None:
        self.authors = authors
        self.texts: dict[str, str] = {}
        self.among = set(stems)
        names = [*stems, *filter(None, map(copied_from, stems))]
        wanted = {number for name in names for number in (name, *_number_in(name))}
        asked = sorted(wanted)
        for start in range(0, len(asked), BATCH):
            found = essays_in(essay_set).filter(number__in=asked[start : start + BATCH])
            self.texts.update(found.values_list("number", "text"))

    def read(self, file: NamedBytes) -> list[NamedFile]:
        if file.refusal:
            raise Told(told=file.refusal)
        stem = clean_name(PurePosixPath(file.name).stem)
        number, _author = split_name(stem)
        found = read_named_files(file.name, file.data, source=self.texts.get(number))
        settled = [self._settled(named, stem) for named in found]
        return [replace(each, remarks=(*file.remarks, *each.remarks)) for each in settled]

    def _settled(self, named: NamedFile, stem: str) -> NamedFile:
        if named.is_plain and not self.authors.has_role(named.author, User.Role.PARTICIPANT):
            if stem not in self.texts:
                self._refuse_names_of_nobody(named)
            named = named.as_essay()  # an essay whose name happens to hold a line below
        if not named.is_marked and not named.refusal:
            self.texts.setdefault(named.number, named.file.markup.text)
        return named

    def _refuse_names_of_nobody(self, named: NamedFile) -> None:
        """A plain file ``ID_login`` of an essay ID is no other essay, whoever the login's is."""
        is_number = named.number.isdigit()
        if not (is_number or named.number in self.texts or named.number in self.among):
            return
        refuse_copy(clean_name(PurePosixPath(named.name).stem))
        if self.authors.has_role(named.author, User.Role.EXPERT):
            raise unfit("expert-not-said", name=named.author)
        raise unfit("no-participant-or-essay", name=named.author)


def _number_in(stem: str) -> list[str]:
    try:
        return [split_name(stem)[0]]
    except Refused:
        return []


def _essays_first(file: NamedFile) -> tuple[bool, bool, str]:
    return (file.is_marked, not file.is_expert, file.name)


def _step(file: NamedFile, present: Present, authors: Authors, options: Options) -> Step:
    if file.refusal:
        raise Told(told=file.refusal)
    if file.is_marked and options.essay_set.is_practice:
        raise unfit("key-on-its-page", set=options.essay_set.name)
    author = _author_of(file, authors) if file.is_marked else None
    essay = present.essay
    if essay is None and author and not options.from_markups:
        refuse_copy(file.number)
        raise unfit("essay-unknown", essay=file.number)
    is_new = essay is None
    if essay is None:
        essay = _new_essay(file, options)
        file = replace(file, remarks=(*file.remarks, *file.if_new))
    markup = carry_onto(file.file.markup, essay.text)
    if markup is None:
        raise unfit("other-text", essay=essay.number)
    if author:
        file = _with_remarks(file, markup, options)
        marked = replace(file.file, markup=markup)
        is_refused = bool(options.refusal) and file.is_expert
        if is_refused and not present.known(author.username, marked):
            raise Told(told=options.refusal)
        step = _markup_step(file, essay, author, marked, present)
    else:
        outcome = Outcome.ESSAY if is_new else Outcome.KNOWN
        step = Step(file, outcome, essay=essay)
    present.essay = essay  # a refused markup brings no essay along
    return step


def _author_of(file: NamedFile, authors: Authors) -> User:
    """Whose the markup is. Raises ``Refused``, of a copy's name with what it is a copy of."""
    try:
        return authors.of(file)
    except Refused:
        refuse_copy(clean_name(PurePosixPath(file.name).stem))
        raise


def _with_remarks(file: NamedFile, markup: Markup, options: Options) -> NamedFile:
    """The file with what the set's rules say of its markup. Raises ``Refused``."""
    expert, algorithm = MarkupRecord.Source.EXPERT, MarkupRecord.Source.ALGORITHM
    source = expert if file.is_expert else algorithm
    said = remarks_on_crossing(options.essay_set.rules, markup, source)
    return replace(file, remarks=(*file.remarks, *said))


def _new_essay(file: NamedFile, options: Options) -> Essay:
    meta = file.file.meta
    subject = meta.subject or options.subject
    if subject is None:
        raise unfit("no-subject")
    if options.held_to not in ("", subject.value):
        raise unfit("foreign-subject", set=options.essay_set.name, essay=file.number)
    if len(file.number) > MAX_NUMBER:
        raise unfit("number-too-long", limit=MAX_NUMBER)
    if meta.year is not None and meta.year not in YEARS:
        raise unfit("not-a-year", year=meta.year)
    return Essay(
        essay_set=options.essay_set,
        number=file.number,
        subject=subject.value,
        text=file.file.markup.text,
        **_described(meta),
    )


def _described(meta: Meta) -> dict[str, object]:
    return {
        "theme": meta.theme,
        "task_text": meta.task_text,
        "class_name": meta.class_name[:60],
        "year": meta.year,
        "category": meta.category[:120],
        "test": meta.test[:120],
    }


def _markup_step(
    file: NamedFile, essay: Essay, author: User, marked: MarkedFile, present: Present
) -> Step:
    if len(marked.markup.fragments) > MAX_FRAGMENTS:
        raise unfit("too-many-fragments", limit=MAX_FRAGMENTS)
    refuse_long_names(marked.markup)
    if present.known(author.username, marked):
        return Step(file, Outcome.KNOWN, essay=essay, author=author)
    held = present.markups.get(author.username)
    if held and held.record is None:
        raise unfit("brought-twice", essay=essay.number, author=author.username)
    remarks = [_remark_on_replacing(held.record, essay)] if held and held.record else []
    check, remark = None, None
    if file.is_expert:
        check, remark = check_for(file, essay, author, present)
    has_check = check is not None and check.pk is not None
    refuse_from_files(essay, is_expert=file.is_expert, has_check=has_check)
    remarks += [remark] if remark else []
    remarks += _remarks_on_subject(essay, author) if file.is_expert else []
    role = check.role if check else ""
    present.markups[author.username] = Held(marked.markup, dict(marked.stated), role)
    return Step(
        file=replace(file, remarks=(*file.remarks, *remarks)),
        outcome=Outcome.MARKUP,
        essay=essay,
        author=author,
        marked=marked,
        check=check,
        replaced=held.record if held else None,
    )


def _remarks_on_subject(essay: Essay, author: User) -> list[Problem]:
    """What there is to say of an expert who marks other subjects; nothing of a closed account,
    such as imports make: nobody has entered its subjects.
    """
    if not author.is_active or any(
        each.subject == essay.subject for each in author.specialisms.all()
    ):
        return []
    fields = {"essay": essay.number, "author": author.username}
    return [Problem("other-subjects", blocks=False, fields=fields)]


def _remark_on_replacing(record: MarkupRecord, essay: Essay) -> Problem:
    """What there is to say of an author's markup that gives way. Raises ``Refused``."""
    fields = {"essay": essay.number, "author": record.author.username}
    if record.state == MarkupRecord.State.SUBMITTED:
        return Problem("replaces-markup", blocks=False, fields=fields)
    marks = len(record.fragments.all())
    if marks or record.stated or record.final_at:
        raise unfit("draft-at-work", marks=marks, **fields)
    return Problem("replaces-empty-draft", blocks=False, fields=fields)
