"""Keys of a practice set in one go: files named as for the import, each for its essay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Final

from accounts.models import User
from annotator.core.names import split_name
from annotator.core.problems import Problem
from annotator.models import Essay, EssaySet
from annotator.queries.essays import LATEST
from annotator.queries.practice import key_of
from annotator.services.archives import NamedBytes, empty_room, read_uploads
from annotator.services.practising import give_key, read_key
from annotator.services.reading import clean_name, read_named_file
from annotator.services.refusals import MarkupHasProblems, refuse_copy, told_by, unfit
from web.refusals import Refused

MOST_FILES: Final = 500


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A file and what became of it: the key of ``essay``, the one it had already, or a refusal."""

    name: str
    essay: Essay | None = None
    is_new: bool = False
    refusal: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()


def give_keys(
    *, essay_set: EssaySet, uploads: Iterable[tuple[str, IO[bytes]]], seen: int, actor: User
) -> list[KeyFile]:
    """Make each file the key of its essay; a file that is refused keeps no other one back.

    A transaction a file; sent again it changes nothing. Of an essay that was given another key
    since the last one that was ``seen`` in the set it is refused. What follows after
    ``MOST_FILES`` is not read.
    """
    essays = {each.number: each for each in essay_set.essays.filter(LATEST)}
    taken: set[int] = set()
    found: list[KeyFile] = []
    for file in read_uploads(uploads, empty_room()):
        if len(found) == MOST_FILES:
            too_many = Problem("too-many-keys", fields={"limit": MOST_FILES})
            return [*found, KeyFile(file.name, refusal=(too_many,))]
        found.append(_given(file, essays, taken, seen=seen, actor=actor))
    return found


def _given(
    file: NamedBytes, essays: Mapping[str, Essay], taken: set[int], *, seen: int, actor: User
) -> KeyFile:
    if file.refusal:
        return KeyFile(file.name, refusal=file.refusal)
    try:
        essay = _essay_of(file, essays)
        if essay.pk in taken:
            raise unfit("second-key", essay=essay.number)
        named = read_key(essay=essay, name=file.name, data=file.data)
        former = key_of(essay)
        key = give_key(essay=essay, file=named.file, seen=seen, actor=actor)
    except MarkupHasProblems as refused:
        return KeyFile(file.name, refusal=(*named.remarks, *refused.problems))
    except Refused as refused:
        return KeyFile(file.name, refusal=told_by(refused))
    taken.add(essay.pk)
    remarks = (*file.remarks, *named.remarks)
    return KeyFile(file.name, essay=essay, is_new=key != former, remarks=remarks)


def _essay_of(file: NamedBytes, essays: Mapping[str, Essay]) -> Essay:
    number = split_name(clean_name(PurePosixPath(file.name).stem)).number
    if number not in essays:  # what the file says of itself
        number = read_named_file(file.name, file.data).number
    if number not in essays:
        refuse_copy(clean_name(PurePosixPath(file.name).stem))
        raise unfit("no-essay-for-key", essay=number)
    return essays[number]
