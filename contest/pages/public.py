"""The public pages of contests: the front page, a contest, its board."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contest.access import contests_seen_by, may_release_modules
from contest.core.schedule import Lit, Step
from contest.models import Announcement, Contest, DataSet, ModuleRelease, Publication
from contest.pages.in_force import InForce, in_force
from contest.pages.lines import NAMES, ContestLine, lines_of
from contest.pages.ways import Way, Ways, instructions_of
from contest.queries.announcements import announced_by
from contest.queries.contests import (
    board_sets_of,
    latest_announcements,
    latest_board,
    parameters_of,
    publications_of,
    running,
    sizes_of,
    with_what_lines_say,
)
from contest.services.counting import said_of_sets
from scoring.access import boards_seen_by
from scoring.models import ScoreRun
from scoring.pages.board_words import taken_off, words_above
from scoring.pages.boards import BoardPage, board_page
from scoring.queries.runs import ByPosition, entries_apart
from web.paging import page_of

NEWS: Final = 10
"""Announcements on a page of them."""
AT_THE_FRONT: Final = 4
"""So many contests stand on the front page; the others in the list."""
FRONT_NEWS: Final = 5
FRONT_RANKS: Final = 6

KINDS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    DataSet.Role.TRAINING: (_("Training set"), _("essays with the experts’ markups")),
    DataSet.Role.TEST: (_("Test set"), _("for the qualification; nobody sees its markups")),
    DataSet.Role.FINAL: (_("Final set"), _("nobody sees anything of it before the finals end")),
}
"""What a data set is called, and what is known of it before its archive is there."""
ARCHIVES: Final = {
    DataSet.Role.TRAINING: Publication.Kind.TRAINING,
    DataSet.Role.TEST: Publication.Kind.TEST,
    DataSet.Role.FINAL: Publication.Kind.FINALS,
}
ABOUT: Final[Mapping[Step, Promise]] = {
    Step.ANNOUNCED: _("Task, rules, training set"),
    Step.APPLICATIONS: _("A form for the whole team, confirmed by e-mail"),
    Step.QUALIFICATION: _(
        "Sessions of 10 to 1,000 files, five in 24 hours; the last one over the whole set counts"
    ),
    Step.FINALS: _("The same files at the same moments for everybody who is admitted"),
    Step.MARKING: _("Two experts an essay, a third one by rule; 15 working days"),
    Step.RESULTS: _("Board, protocol, all markups open to everybody"),
}


OF_UPLOADS: Final[Mapping[Step, Promise]] = {
    Step.ANNOUNCED: _("Task and rules"),
    Step.QUALIFICATION: _("Uploads of the teams, so many a day and in all"),
    Step.FINALS: _("Uploads of the teams that are admitted, so many a day and in all"),
}
"""The same of contests without live sessions."""
OF_SCHEMES: Final[Mapping[Step, Promise]] = {Step.RESULTS: _("Board and protocol")}
"""The same of contests of the other scoring systems, which have no essays to open."""


@dataclass(frozen=True, slots=True)
class DataLine:
    """The sets of a kind: how many essays, and the archive everybody may take."""

    name: Promise
    about: Promise
    essays: int | None
    archive: Publication | None


@dataclass(frozen=True, slots=True)
class ContestPage:
    """A contest as a document, for somebody; ``has_board``: one is there to be read."""

    line: ContestLine
    parameters: InForce | None
    data: Sequence[DataLine]
    releases: Sequence[ModuleRelease]
    news: Page[Announcement]
    has_board: bool
    may_release: bool
    ways: Ways

    @property
    def contest(self) -> Contest:
        return self.line.contest

    @property
    def instructions(self) -> list[Way]:
        return instructions_of(self.contest)

    @property
    def schedule(self) -> list[tuple[Lit, Promise, Promise]]:
        """Each step, what it is called, and what it is about."""
        steps = ((each, each.stretch.step) for each in self.line.steps)
        about = {**ABOUT}
        if self.contest.takes_uploads:
            about |= OF_UPLOADS
        if self.contest.scheme:
            about |= OF_SCHEMES
        return [(each, NAMES[step], about[step]) for each, step in steps]


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What strangers see first: running contests, the latest board, what was announced."""

    lines: Sequence[ContestLine]
    board: BoardPage | None
    board_contest: Contest | None
    ranked: int
    news: Sequence[Announcement]


@dataclass(frozen=True, slots=True)
class BoardOfContest:
    """A published board of a contest; ``sets``: every data set that has one, and its name.

    ``words``: which board it is, or why there is none any more.
    """

    contest: Contest
    sets: Sequence[tuple[DataSet, Promise]]
    shown: DataSet | None
    board: BoardPage | None
    page: Page[object] | None
    apart: Page[object] | None = None
    words: Sequence[str] = ()


def contest_page(request: HttpRequest, line: ContestLine) -> ContestPage:
    """The page of a contest, as whoever asks may read it."""
    contest = line.contest
    seen = boards_seen_by(request.user)
    return ContestPage(
        line,
        _parameters_of(contest),
        _data_of(contest),
        list(contest.releases.select_related("announcement").order_by("name", "-pk")),
        page_of(request, announced_by(contest), most=NEWS),
        bool(board_sets_of(contest, seen) or _taken_off(request, contest)),
        may_release_modules(request.user),
        Ways.of(request, contest, takes_applications=line.takes_applications),
    )


def _parameters_of(contest: Contest) -> InForce | None:
    """Those that mean something in a contest: all of them are of essays, some of sessions alone."""
    if contest.scheme:
        return None
    versions = parameters_of(contest)
    found = in_force(versions, of_sessions=not contest.takes_uploads)
    return replace(found, kept=said_of_sets(contest, versions[-1].rules)) if found else None


def front_page(request: HttpRequest) -> FrontPage:
    """The front page for somebody without an account."""
    announced = contests_seen_by(request.user)
    found = running(with_what_lines_say(announced))[:AT_THE_FRONT]
    news = list(latest_announcements(announced)[:FRONT_NEWS])
    seen = boards_seen_by(request.user)
    latest = latest_board(announced, seen)
    if latest is None:
        return FrontPage(lines_of(found), None, None, 0, news)
    data_set, run = latest
    ranked = ByPosition(run)
    board = board_page(request.user, run, ranked[:FRONT_RANKS], hides_logins=True)
    return FrontPage(lines_of(found), board, data_set.contest, len(ranked), news)


def board_of(request: HttpRequest, contest: Contest) -> BoardOfContest:
    """The board that is asked for by the number of its data set, else the one read first."""
    seen = boards_seen_by(request.user)
    found = board_sets_of(contest, seen)
    sets = [(each, KINDS[each.role][0]) for each, _run in found]
    asked = request.GET.get("set", "")
    chosen = next((pair for pair in found if str(pair[0].pk) == asked), None)
    if chosen is None:
        if asked or not found:
            words = _taken_off(request, contest)
            return BoardOfContest(contest, sets, None, None, None, words=words)
        chosen = found[0]
    data_set, run = chosen
    page = page_of(request, ByPosition(run))
    apart = page_of(request, entries_apart(run), "apart")
    board = board_page(request.user, run, [*page, *apart], seen=seen, hides_logins=True)
    words = [*words_above(request.user, run), *_taken_off(request, contest, found)]
    return BoardOfContest(contest, sets, data_set, board, page, apart, words)


def _taken_off(
    request: HttpRequest, contest: Contest, shown: Collection[tuple[DataSet, ScoreRun]] = ()
) -> list[str]:
    """What is said of the boards of a contest that everybody saw and nobody sees now.

    Of the sets whose boards are ``shown`` their own pages say it.
    """
    sets = contest.data_sets.exclude(pk__in=[each.pk for each, _run in shown])
    sets = sets.values_list("essay_set", flat=True)
    return [words for _set_id, words in taken_off(request.user, sets)]


def contests_page(request: HttpRequest) -> tuple[list[ContestLine], Page[Contest]]:
    """A page of the contests somebody sees, and their lines."""
    found: QuerySet[Contest] = with_what_lines_say(contests_seen_by(request.user))
    page = page_of(request, found)
    return lines_of(page), page


def is_board_missing(shown: BoardOfContest, request: HttpRequest) -> bool:
    """True where the address names a board that is not there for whoever asks."""
    return bool(request.GET.get("set")) and shown.shown is None


def _data_of(contest: Contest) -> list[DataLine]:
    """By kinds; of the final set nothing is told before its phase is closed."""
    sizes = sizes_of(contest)
    archives = publications_of(contest)
    if not _finals_are_closed(contest):
        sizes.pop(DataSet.Role.FINAL, None)
    roles = {each.role for each in contest.data_sets.all()}
    return [
        DataLine(*_known_of(role, archives), sizes.get(role), archives.get(ARCHIVES[role]))
        for role in KINDS
        if role in roles or ARCHIVES[role] in archives
    ]


def _known_of(role: str, archives: Mapping[str, Publication]) -> tuple[Promise, Promise]:
    """What a kind of set is called, and what is known of it: of the finals more once it is out."""
    name, about = KINDS[role]
    is_out = role == DataSet.Role.FINAL and ARCHIVES[role] in archives
    return name, _("experts’ and algorithms’ markups of the finals") if is_out else about


def _finals_are_closed(contest: Contest) -> bool:
    closed = (each.closed_at for each in contest.phases.all() if each.kind == "finals")
    return contest.is_final or any(closed)
