"""A folder of marked files: the essays in it, whose markup each file is, what is left over.

``ID.json`` or ``ID.txt`` is the algorithm's markup, ``ID_expNN.*`` an expert's; of algorithms with
logins, ``ID_LOGIN.*``, one is chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from annotator.core.names import essay_named, is_expert, split_name
from annotator.core.values import Markup, Subject
from razbor.errors import Unusable
from razbor.inputs import Input, on_one_text, read_input, unreadable
from razbor.remarks import read_markup, tell_remarks
from razbor.words import _

KINDS: Final = (".json", ".txt")
EXPERTS: Final = "experts"
PARTICIPANTS: Final = "participants"
FINAL: Final = "final"
NAMED: Final = 20
"""So many files of one sort are named."""


@dataclass(frozen=True, slots=True)
class EssayMarkups:
    """The markups of one essay, all over the algorithm's text; ``references``: whose they are."""

    name: str
    algorithm: Markup
    experts: tuple[Markup, ...]
    references: tuple[str, ...]
    subject: Subject | None


@dataclass(frozen=True, slots=True)
class Folder:
    """The essays an algorithm is judged by; the names of what else lies in the folder."""

    essays: tuple[EssayMarkups, ...]
    unmarked: Sequence[str]
    unanswered: Sequence[str]
    unused: Sequence[str]
    refused: Sequence[tuple[str, Unusable]] = ()
    """Essays left out, each with the reason."""
    replaced: Sequence[str] = ()
    """The experts' files instead of which those of another folder count."""

    @property
    def uncounted(self) -> list[str]:
        """The essays no expert has marked: there is nothing to judge the algorithm by."""
        return [essay.name for essay in self.essays if not essay.experts]

    def notes(self) -> list[str]:
        """Sentences about what the figures do not tell."""
        sorts = [
            (_("unmarked, hence no algorithm’s: {names}"), self.unmarked),
            (_("no markup of the algorithm: {names}"), self.unanswered),
            (_("no markup of an expert, hence not counted: {names}"), self.uncounted),
            (_("not used: {names}"), self.unused),
            (
                _("files of experts instead of which those of the first folder count: {names}"),
                self.replaced,
            ),
        ]
        notes = [words.format(names=listed(names)) for words, names in sorts if names]
        return [*notes, *self._bare()] if self.essays else notes

    def _bare(self) -> Iterator[str]:
        """A sentence where somebody marked nothing at all."""
        by_algorithm = any(essay.algorithm.fragments for essay in self.essays)
        by_experts = any(each.fragments for essay in self.essays for each in essay.experts)
        if not by_algorithm and not by_experts:
            yield _("0 fragments in every file: the figures compare empty markups")
        elif not by_algorithm:
            yield _("0 fragments in every file of the algorithm")
        elif not by_experts and any(essay.experts for essay in self.essays):
            yield _("0 fragments in every file of the experts")


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Paths by what their names say, the first two by essay."""

    algorithms: defaultdict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    experts: defaultdict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    others: list[Path] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BoardFolder:
    """Where a board's files lie: the experts', a folder of each algorithm, which ``kinds``."""

    experts: Path
    algorithms: Path
    kinds: Sequence[str] = KINDS


def board_folder(root: Path) -> BoardFolder:
    """The archive of a contest's finals where ``root`` is one that was unpacked, else one folder.

    The archive has each markup as .json, some as .txt too, which would make one author count twice.
    Raises ``Unusable``.
    """
    _paths(root)
    for within in (root, root / FINAL):
        experts, participants = within / EXPERTS, within / PARTICIPANTS
        if _is(experts, Path.is_dir) and _is(participants, Path.is_dir):
            return BoardFolder(experts, participants, (".json",))
    return BoardFolder(root, root)


def algorithms_in(folder: Path) -> list[tuple[str, Path]]:
    """The folders within a folder, one an algorithm. Raises ``Unusable`` when there is none."""
    found = [(path.name, path) for path in _paths(folder) if _is(path, Path.is_dir)]
    if not found:
        hint = _("{name}: no folders of algorithms here. Put the files of each into its own.")
        raise Unusable(hint.format(name=folder))
    return found


def answers_in(root: Path, system: str | None, *, experts_in: Path | None = None) -> Folder:
    """What ``system`` has answered in a folder, or in its own folder within that of a board.

    ``experts_in``: another such folder whose experts count instead. Raises ``Unusable``.
    """
    experts = board_folder(experts_in).experts if experts_in else None
    if system:
        files = board_folder(root)
        within = files.algorithms / system
        if _is(within, Path.is_dir):
            beside = experts or files.experts
            instead = experts is not None
            return read_folder(within, experts_in=beside, kinds=files.kinds, replacing=instead)
    return read_folder(root, system, experts_in=experts, replacing=experts is not None)


def unused_beside(folder: Path) -> list[str]:
    """The names of what lies beside the folders of algorithms and is no expert's file."""
    files = (path for path in _paths(folder) if not _is(path, Path.is_dir))
    return [path.name for path in files if not is_expert(split_name(path.stem).author)]


def read_folder(
    folder: Path,
    system: str | None = None,
    *,
    experts_in: Path | None = None,
    kinds: Sequence[str] = KINDS,
    replacing: bool = False,
) -> Folder:
    """The markups of the algorithm ``system``, else of those without a login, and the experts'.

    With ``experts_in`` the experts' files of that folder count as well; ``replacing``: instead.
    Files of markups that are none of ``kinds`` are passed over.

    An essay with a file that cannot be used is left out as a whole. Raises ``Unusable``.
    """
    beside = _paths(experts_in, kinds) if experts_in else []
    experts = [path for path in beside if is_expert(split_name(path.stem).author)]
    own = _paths(folder, kinds)
    replaced = [path for path in own if _is_of_expert(path)] if replacing else []
    found = _sorted([*(path for path in own if path not in replaced), *experts], system)
    essays, unmarked, refused = [], [], []
    for name, paths in sorted(found.algorithms.items()):
        try:
            read = {path: _algorithm(path, system) for path in paths}
            unmarked += [path.name for path, each in read.items() if each is None]
            marked = [each for each in read.values() if each]
            if marked:
                _refuse_twins(marked)
                essays.append(_essay(name, marked[0], found.experts[name]))
        except Unusable as error:
            refused.append((name, error))
    if not essays and not refused:
        raise _nobody(folder, system, found)
    answered = {essay.name for essay in essays} | {name for name, _error in refused}
    unanswered = found.experts.keys() - answered
    unused = [path.name for path in found.others]
    names = [path.name for path in replaced]
    return Folder(tuple(essays), unmarked, sorted(unanswered), unused, refused, names)


def unanswered_in(
    folder: Path, essays: Iterable[str], kinds: Sequence[str] = KINDS
) -> tuple[dict[str, tuple[Markup, ...]], list[tuple[str, Unusable]]]:
    """The experts' markups of essays no algorithm has marked; and the essays left out, with why."""
    found = _sorted(_paths(folder, kinds), None).experts
    markups, refused = {}, []
    for name in sorted(essays):
        try:
            read = [read_markup(str(path)) for path in found[name]]
            _refuse_twins(read)
            markups[name] = tuple(on_one_text(each, read[0])[0] for each in read)
        except Unusable as error:
            refused.append((name, error))
    return markups, refused


def _is_of_expert(path: Path) -> bool:
    is_markup = path.suffix.lower() in KINDS and _is(path, Path.is_file)
    return is_markup and is_expert(split_name(path.stem).author)


def _paths(folder: Path, kinds: Sequence[str] = KINDS) -> list[Path]:
    if not _is(folder, Path.is_dir):
        if _is(folder, Path.exists):
            raise Unusable(
                _("{name}: this is no folder. Name the one it lies in.").format(name=folder)
            )
        raise Unusable(_("{name}: no such folder.").format(name=folder))
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise unreadable(str(folder), error) from None
    other = set(KINDS) - set(kinds)
    return [path for path in found if path.suffix.lower() not in other]


def _is(path: Path, asked: Callable[[Path], bool]) -> bool:
    """What a path is. Raises ``Unusable`` where the system does not let us look."""
    try:
        return asked(path)
    except OSError as error:
        raise unreadable(str(path), error) from None


def _sorted(paths: Iterable[Path], system: str | None) -> _Sorted:
    found = _Sorted()
    marked = [path for path in paths if path.suffix.lower() in KINDS and _is(path, Path.is_file)]
    names = {path: split_name(path.stem) for path in marked}
    essays = {name.number for name in names.values() if is_expert(name.author)}
    for path in paths:
        name = names.get(path)
        if name and (essay := _essay_of(path.stem, system, essays)):
            found.algorithms[essay].append(path)
        elif name and is_expert(name.author):
            found.experts[name.number].append(path)
        else:
            found.others.append(path)
    return found


def _essay_of(stem: str, system: str | None, essays: set[str]) -> str | None:
    """The essay an algorithm's file is about; ``None`` when it is another's file."""
    if system:
        ending = f"_{system}"
        return essay_named(stem.removesuffix(ending)) if stem.endswith(ending) else None
    return stem if "_" not in stem or stem in essays else None


def _algorithm(path: Path, system: str | None) -> Input | None:
    """``None`` for an essay nobody marked; a file with a login is a markup, be it an empty one."""
    if system:
        return read_markup(str(path))
    read = read_input(str(path))
    tell_remarks(read)
    is_json = path.suffix.lower() == ".json"
    return read if read.has_markup and (is_json or read.file.markup.fragments) else None


def _essay(name: str, algorithm: Input, paths: Iterable[Path]) -> EssayMarkups:
    experts = [read_markup(str(path)) for path in paths]
    _refuse_twins(experts)
    for expert in experts:
        _refuse_two_subjects(expert, algorithm)
    subjects = (read.file.meta.subject for read in (algorithm, *experts))
    return EssayMarkups(
        name,
        algorithm.file.markup,
        tuple(on_one_text(expert, algorithm)[0] for expert in experts),
        tuple(split_name(Path(expert.name).stem).author or expert.name for expert in experts),
        next(filter(None, subjects), None),
    )


def _refuse_two_subjects(expert: Input, algorithm: Input) -> None:
    one, other = expert.file.meta.subject, algorithm.file.meta.subject
    if one and other and one is not other:
        hint = _(
            "{left} is of the subject {one}, {right} of {other}. Correct the one or the other."
        )
        raise Unusable(hint.format(left=expert.name, one=one, right=algorithm.name, other=other))


def _refuse_twins(read: Iterable[Input]) -> None:
    """``ID_exp01.txt`` beside ``ID_EXP01.json`` would make one expert count as two."""
    seen: dict[str, str] = {}
    for each in read:
        stem = Path(each.name).stem
        author = (split_name(stem).author or stem).casefold()
        if author in seen:
            hint = _("{one} and {other} are one author’s markups of one essay. Keep one of them.")
            raise Unusable(hint.format(one=seen[author], other=each.name))
        seen[author] = each.name


def _nobody(folder: Path, system: str | None, found: _Sorted) -> Unusable:
    """Why there is no algorithm, and the logins that could have been chosen."""
    if system:
        hint = _("{name}: no files ID_{system}.json or ID_{system}.txt here.")
        told = hint.format(name=folder, system=system)
    else:
        told = _("{name}: no marked files ID.json or ID.txt here.").format(name=folder)
    stems = [path.stem for path in found.others if path.suffix.lower() in KINDS]
    logins = {
        stem.removeprefix(f"{essay}_")
        for essay in found.experts
        for stem in stems
        if stem.startswith(f"{essay}_")
    }
    if logins:
        told += " " + _("Choose with --system: {names}.").format(names=listed(sorted(logins)))
    return Unusable(told)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first ``NAMED`` of them."""
    shown = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return shown if more <= 0 else shown + " " + _("(and more: {count})").format(count=more)
