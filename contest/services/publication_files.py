"""The files of an archive everybody may take; the same content gives the same bytes (R 7.13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotator.core import language
from annotator.core.codec import file_to_json
from annotator.core.errors import CannotWriteError
from annotator.core.messages import describe_error
from annotator.core.values import MarkedFile, Markup
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.models.aliases import ExpertAlias
from annotator.queries.essays import LATEST
from annotator.queries.sets import idle_essays
from annotator.services.aliases import allot_aliases
from contest.core.licences import licence_of, licence_text
from contest.models import Annulment, Contest, DataSet, ExchangeSession, Publication, Team
from contest.models import Final as PlannedFinal
from contest.queries.decisions import annulled_uploads_of
from contest.services.folder_rows import with_folders
from contest.services.folders import as_json, fit
from web.core.batches import batched

Kind = Publication.Kind
ROLE_OF: Final = {
    Kind.TRAINING: DataSet.Role.TRAINING,
    Kind.TEST: DataSet.Role.TEST,
    Kind.FINALS: DataSet.Role.FINAL,
}
MARKED_BY: Final[Mapping[Kind, tuple[MarkupRecord.Source, ...]]] = {
    Kind.TRAINING: (MarkupRecord.Source.EXPERT,),
    Kind.TEST: (),
    Kind.FINALS: (MarkupRecord.Source.EXPERT, MarkupRecord.Source.ALGORITHM),
}
"""Whose markups stand in an archive beside its essays."""
MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""What a zip says of every file's time, for it has to say something."""
BATCH: Final = 200

Tell = Callable[[int], None]
File = tuple[str, bytes]
Sets = Sequence[EssaySet] | QuerySet[Any, Any]


@dataclass(slots=True)
class Written:
    """What an archive holds so far: lines of its manifest, texts that could not be written."""

    files: list[dict[str, Any]] = field(default_factory=list)
    without_text: list[dict[str, str]] = field(default_factory=list)
    essays: int = 0


def write_archive(contest: Contest, kind: Publication.Kind, path: Path, tell: Tell) -> int:
    """Write an archive with its manifest, checksums and licence; returns how many essays it has.

    Nothing in it depends on the clock, on whose eyes it is made for, or on numbers of rows.
    """
    written = Written()
    with override("en"), ZipFile(path, "w") as archive:
        for name, content in _files(contest, kind, written):
            _put(archive, name, content)
            line = {"path": name, "size": len(content), "sha256": sha256(content).hexdigest()}
            written.files.append(line)
            tell(len(written.files))
        sums = "".join(f"{each['sha256']}  {each['path']}\n" for each in written.files)
        _put(archive, "SHA256SUMS", sums.encode())
        _put(archive, "manifest.json", as_json(_manifest(contest, kind, written)))
    return written.essays


def texts_of(essay_set: EssaySet) -> Iterator[File]:
    """The texts of a set alone: ``NUMBER.json``, ``NUMBER.txt``."""
    for name, content in _essays(essay_set, "", Written()):
        yield name.rpartition("/")[2], content


def size_of(contest: Contest, kind: Publication.Kind) -> int:
    """About how many files the archive will have: for the bar of its progress."""
    sets = contest.data_sets.filter(role=ROLE_OF[kind]).values("essay_set")
    markups = _submitted(sets, *MARKED_BY[kind])
    return 2 * _published(sets).count() + 2 * markups.count() + 1


def _files(contest: Contest, kind: Publication.Kind, written: Written) -> Iterator[File]:
    yield "LICENCE.txt", _licence(contest, kind)
    sets = contest.data_sets.filter(role=ROLE_OF[kind]).select_related("essay_set__rules")
    for found, folder in with_folders(sets.order_by("pk")):
        yield from _essays(found.essay_set, folder, written)
        if MarkupRecord.Source.EXPERT in MARKED_BY[kind]:
            yield from _of_experts(found.essay_set, f"{folder}/experts", written)
        if MarkupRecord.Source.ALGORITHM in MARKED_BY[kind]:
            for team, place in _folders_of(standing_teams(contest)):
                records = markups_of_team(team, found.essay_set)
                within = f"{folder}/participants/{place}"
                yield from _markups(records, within, lambda record: record.essay.number, written)


def _essays(essay_set: EssaySet, folder: str, written: Written) -> Iterator[File]:
    for essay in _published([essay_set]).order_by("number", "pk").iterator(chunk_size=BATCH):
        written.essays += 1
        file = MarkedFile(essay.meta(), Markup(essay.text, ()))
        name = f"{folder}/essays/{fit(essay.number)}"
        yield f"{name}.json", as_json(file_to_json(file))
        yield f"{name}.txt", essay.text.encode()


def _of_experts(essay_set: EssaySet, folder: str, written: Written) -> Iterator[File]:
    """Experts are known by their numbers in the set, or by name where the set names them."""
    records = _submitted([essay_set], MarkupRecord.Source.EXPERT)
    authors = records.order_by().values_list("author", flat=True).distinct()
    allot_aliases(essay_set_id=essay_set.pk, experts=authors)
    numbers = dict(
        ExpertAlias.objects.filter(essay_set=essay_set).values_list("expert_id", "number")
    )

    def called(record: MarkupRecord) -> str:
        if essay_set.names_experts:
            return record.author.username
        return f"exp{numbers[record.author_id]:03}"

    ordered = sorted(
        records.values_list("essay__number", "author", "author__username", "pk"),
        key=lambda row: (row[0], row[2] if essay_set.names_experts else numbers[row[1]], row[3]),
    )
    found = _in_order([row[-1] for row in ordered])
    yield from _markups(
        found, folder, lambda record: f"{record.essay.number}_{called(record)}", written, called
    )


def _markups(
    records: Iterable[MarkupRecord],
    folder: str,
    named: Callable[[MarkupRecord], str],
    written: Written,
    called: Callable[[MarkupRecord], str] = lambda _record: "",
) -> Iterator[File]:
    """Markups as .json and, where the language can say them, as .txt."""
    for record in records:
        file = _without_names(record, called(record))
        name = f"{folder}/{fit(named(record))}"
        yield f"{name}.json", as_json(file_to_json(file))
        try:
            text = language.render(language.tidy(file).file)
        except CannotWriteError as error:
            because = describe_error(error, _)
            written.without_text.append({"path": f"{name}.txt", "because": because})
        else:
            yield f"{name}.txt", text.encode()


def _without_names(record: MarkupRecord, called: str) -> MarkedFile:
    """The file without the login of whoever marked it."""
    file = record.to_file()
    return replace(file, meta=replace(file.meta, expert=called), file_name="")


def standing_teams(contest: Contest) -> list[Team]:
    """The teams whose markups are published: those that are not excluded."""
    return list(contest.teams.filter(excluded_at=None).select_related("account").order_by("name"))


def _folders_of(teams: Iterable[Team]) -> list[tuple[Team, str]]:
    """Teams and their folders; two whose names would be one folder are told apart."""
    taken: set[str] = set()
    found = []
    for team in teams:
        name, number = fit(team.name) or "team", 1
        while name.casefold() in taken:
            number += 1
            name = f"{fit(team.name) or 'team'}-{number}"
        taken.add(name.casefold())
        found.append((team, name))
    return found


def markups_of_team(team: Team, essay_set: EssaySet) -> Iterator[MarkupRecord]:
    """What a team's program sent in the finals that count, without annulled solutions."""
    found = _submitted([essay_set], MarkupRecord.Source.ALGORITHM).filter(author=team.account_id)
    if team.contest.live:
        annulled = Annulment.objects.filter(session=OuterRef("pk"), lifted_at=None)
        sessions = ExchangeSession.objects.filter(
            participant=team.account_id,
            final__essay_set=essay_set,
            final__kind=PlannedFinal.Kind.FINAL,
            final__cancelled_at=None,
        )
        standing = sessions.exclude(solution=ExchangeSession.Solution.ANNULLED)
        kept = standing.filter(~Exists(annulled))
        found = found.filter(origin__in=[each.origin for each in kept])
    elif (team.account_id, essay_set.pk) in annulled_uploads_of([essay_set.pk]):
        return iter(())
    rows = found.order_by("essay__number", "origin", "pk").values_list("pk", flat=True)
    return _in_order(list(rows))


def _submitted(sets: Sets, *sources: MarkupRecord.Source) -> QuerySet[MarkupRecord]:
    essays = _published(sets).values("pk")
    return MarkupRecord.objects.filter(
        essay__in=essays, source__in=sources, state=MarkupRecord.State.SUBMITTED
    )


def _published(sets: Sets) -> QuerySet[Essay]:
    """The essays of sets; of final ones those that a standing final gave out."""
    return Essay.objects.filter(LATEST, essay_set__in=sets).exclude(idle_essays())


def _in_order(numbers: list[int]) -> Iterator[MarkupRecord]:
    rows = MarkupRecord.objects.select_related("essay", "author", "assignment")
    for batch in batched(numbers, BATCH):
        found = rows.prefetch_related("fragments").in_bulk(batch)
        yield from (found[number] for number in batch)


def _licence(contest: Contest, kind: Kind) -> bytes:
    licence = licence_of(contest.licence, is_of_finals=kind == Kind.FINALS)
    return licence_text(licence=licence, name=contest.name_ru, name_en=contest.name_en).encode()


def _manifest(contest: Contest, kind: Publication.Kind, written: Written) -> dict[str, Any]:
    sets = contest.data_sets.filter(role=ROLE_OF[kind]).select_related("essay_set__rules")
    told: dict[str, Any] = {
        "contest": {"slug": contest.slug, "ru": contest.name_ru, "en": contest.name_en},
        "archive": kind.value,
        "licence": licence_of(contest.licence, is_of_finals=kind == Kind.FINALS),
        "sets": [
            {"folder": folder, "name": each.essay_set.name, "rules": str(each.essay_set.rules)}
            for each, folder in with_folders(sets.order_by("pk"))
        ],
    }
    if kind == Kind.FINALS:
        teams = _folders_of(standing_teams(contest))
        told["teams"] = [{"name": team.name, "folder": folder} for team, folder in teams]
    told["files"] = written.files
    told["without_text"] = written.without_text
    return told


def _put(archive: ZipFile, name: str, content: bytes) -> None:
    info = ZipInfo(name, MOMENT)
    info.compress_type = ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    archive.writestr(info, content)
