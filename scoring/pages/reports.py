"""The report of a solution as somebody may read it: figures, and the ways to comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from math import isclose
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from annotator.access import essays_seen_by, markups_measured_for, markups_seen_by
from annotator.models import EssaySet, MarkupRecord, RuleSet
from annotator.models.markups import origin_words
from annotator.queries.sets import CHECKED_SETS
from jobs.models import Job
from scoring.access import knows_keys, may_read_figures_of, may_read_report, name_for
from scoring.core.entries import FREE, told_origin
from scoring.core.exchange import Exchange
from scoring.core.report import Change, EssayLine, Report, guarded
from scoring.core.report_json import report_from_json, report_table, report_to_json
from scoring.models import ScoreRun, SolutionReport
from scoring.pages.report_parts import UNTOLD, Besides, SubjectPart, Times, besides_of, times_of
from scoring.pages.solution_ranks import (
    NoRank,
    SetApart,
    SolutionRank,
    set_apart_of,
    standing_of,
)
from scoring.queries.reports import files_scored, run_reported, solutions_of
from scoring.queries.runs import parameters_of
from scoring.services.report_ordering import order_report
from scoring.signals import exchange_asked


@dataclass(frozen=True, slots=True)
class EssayRow:
    """An essay of a report: its theme, where the reader sees it, and ways to its comparisons."""

    line: EssayLine
    theme: str
    links: Sequence[tuple[int, int, int]]
    """The number of an expert in the row, the solution's markup and the expert's."""

    @property
    def all(self) -> int:
        """The experts' fragments."""
        return self.line.found + self.line.missed


@dataclass(frozen=True)
class ReportPage:
    """A solution and what somebody may read of it.

    ``found``: ``None`` until it is computed, or where figures are not open yet (``is_open``).
    """

    viewer: User
    essay_set: EssaySet
    author: User
    origin: str
    is_open: bool
    run: ScoreRun | None
    exchange: Exchange | None
    kept: SolutionReport | None
    job: Job | None
    scored: tuple[int, int] = (0, 0)
    """While it is being computed: so many files of so many have their accuracies."""

    @property
    def name(self) -> str:
        """Whose solution it is."""
        return name_for(self.viewer, self.author)

    @property
    def rules(self) -> RuleSet:
        """By which its accuracies are told."""
        return self.run.rules if self.run else self.essay_set.rules

    @property
    def address(self) -> dict[str, Any]:
        """What its addresses are made of."""
        whose = {"pk": self.essay_set.pk, "author": self.author.pk}
        return {**whose, "origin": told_origin(self.origin)}

    @property
    def is_stale(self) -> bool:
        """Are there newer scores than those it was made of? It is being computed anew then."""
        return self.found is not None and self.job is not None

    @property
    def head(self) -> dict[str, Any]:
        """What it is a report of, and when it was made of what; for files."""
        made_at = self.kept.computed_at.isoformat() if self.kept and self.found else None
        return {
            "essay_set": self.essay_set.name,
            "participant": self.name,
            "origin": told_origin(self.origin),
            "rules": str(self.rules),
            "run": self.run.pk if self.run else None,
            "made_at": made_at,
            "stale": self.is_stale,
        }

    @cached_property
    def standing(self) -> SolutionRank | NoRank:
        """Where it stands on the board its reader sees, or why it does not."""
        return standing_of(self.viewer, self.essay_set, self.author.pk, self.origin)

    @cached_property
    def set_apart(self) -> SetApart | None:
        """Whether it was annulled or excluded after the run of its board, or is not any more."""
        return set_apart_of(self.viewer, self.essay_set, self.author.pk, self.origin)

    @property
    def rank(self) -> SolutionRank | None:
        """Where it stands, if it has a rank."""
        return self.standing if isinstance(self.standing, SolutionRank) else None

    @property
    def no_rank(self) -> NoRank | None:
        """Why it has no rank, if it has none."""
        return self.standing if isinstance(self.standing, NoRank) else None

    @property
    def apart_by(self) -> str:
        """Why the board's figures are not these: its ``rules``, or ``markups`` since; or empty."""
        if self.found is None or self.rank is None:
            return ""
        if parameters_of(self.rank.run.rules) != parameters_of(self.rules):
            return "rules"
        same = isclose(self.rank.row.entry.star or 0.0, self.found.star or 0.0, abs_tol=1e-9)
        return "" if same else "markups"

    @cached_property
    def found(self) -> Report | None:
        if self.kept is None or not self.is_open:
            return None
        found = replace(report_from_json(self.kept.figures), exchange=self.exchange)
        is_key_secret = self.essay_set.access == EssaySet.Access.CLOSED
        is_told_all = not is_key_secret or knows_keys(self.viewer)
        return found if is_told_all else guarded(found)

    @property
    def restricted(self) -> str:
        """Why figures by essays and codes are left out; empty where they are not."""
        if self.found is None or not self.found.untold:
            return ""
        return str(UNTOLD)

    @property
    def change(self) -> Change | None:
        """Since the author's solution before."""
        if self.kept is None or not self.kept.change or (self.found and self.found.untold):
            return None
        return Change(**self.kept.change)

    @property
    def change_than(self) -> str:
        """The solution before, in words; empty where it is not kept which it was."""
        than = self.change.than if self.change else None
        if than is None:
            return ""
        return gettext("sent freely") if than == FREE else origin_words(than)

    @property
    def change_day(self) -> datetime | None:
        """When the last answer of the solution before came."""
        at = self.change.than_at if self.change else None
        return datetime.fromisoformat(at) if at else None

    @property
    def subjects(self) -> list[SubjectPart]:
        return [SubjectPart(codes) for codes in self.found.subjects] if self.found else []

    @property
    def opened(self) -> str:
        """Which subject is shown at once, where there are several: the one with most fragments."""
        most = max(self.subjects, key=lambda part: part.fragments, default=None)
        return most.slug if most else ""

    @cached_property
    def besides(self) -> Besides | None:
        return besides_of(self.found) if self.found else None

    @cached_property
    def times(self) -> Times | None:
        return times_of(self.exchange) if self.exchange else None

    @property
    def lines(self) -> list[EssayLine]:
        """All essays that count, the worst first."""
        lines = self.found.lines if self.found else ()
        return sorted(lines, key=lambda line: (line.accuracy, line.essay))

    def rows(self, lines: Sequence[EssayLine]) -> list[EssayRow]:
        """Essays with the ways to their comparisons, as far as the reader may go them."""
        numbers = {line.essay for line in lines}
        own = self._own(numbers)
        shown = self._references(lines)
        themes = self._themes(numbers)
        return [
            EssayRow(
                line,
                themes.get(line.essay, ""),
                [
                    (place, own[line.essay], int(reference))
                    for place, reference in enumerate(line.references, 1)
                    if line.essay in own and int(reference) in shown
                ],
            )
            for line in lines
        ]

    def as_json(self) -> dict[str, Any]:
        """All of it for programs."""
        found = self.found
        apart = {"set_apart": self.set_apart.as_json() if self.set_apart else None}
        if found:
            places = {
                **apart,
                "board": self.rank.as_json(self.apart_by) if self.rank else None,
                "no_rank": self.no_rank.as_json() if self.no_rank else None,
                "restricted": self.restricted or None,
            }
            return {**self.head, **places, **report_to_json(found, self.change)}
        return {**self.head, **apart, "session": self.session_json()}

    def as_table(self) -> Iterator[tuple[object, ...]]:
        """The same for spreadsheets, one figure a line."""
        found = self.found or Report(1, None, None, None, (), (), (), self.exchange)
        columns, *lines = report_table(found, self.change if self.found else None)
        yield columns
        yield from (("report", "", name, "", _cell(value)) for name, value in self.head.items())
        if self.restricted:
            yield "report", "", "restricted", "", self.restricted
        if self.set_apart:
            yield from self.set_apart.as_table()
        if self.found and self.rank:
            yield from self.rank.as_table(self.apart_by)
        if self.found and self.no_rank:
            yield from self.no_rank.as_table()
        yield from lines

    def session_json(self) -> dict[str, Any] | None:
        """The session alone, where figures are not open."""
        empty = Report(1, None, None, None, (), (), (), self.exchange)
        session: dict[str, Any] | None = report_to_json(empty)["session"]
        return session

    def _own(self, numbers: set[str]) -> dict[str, int]:
        sent = MarkupRecord.objects.filter(
            essay__essay_set=self.essay_set,
            essay__number__in=numbers,
            essay__closed_at=None,
            author=self.author,
            origin=self.origin,
            source=MarkupRecord.Source.ALGORITHM,
            state=MarkupRecord.State.SUBMITTED,
        )
        return dict(sent.values_list("essay__number", "pk"))

    def _references(self, lines: Sequence[EssayLine]) -> set[int]:
        wanted = [int(each) for line in lines for each in line.references]
        seen = markups_seen_by(self.viewer).filter(pk__in=wanted)
        measured = markups_measured_for(self.viewer).filter(pk__in=wanted)
        return {*seen.values_list("pk", flat=True), *measured.values_list("pk", flat=True)}

    def _themes(self, numbers: set[str]) -> dict[str, str]:
        seen = essays_seen_by(self.viewer).filter(
            essay_set=self.essay_set, number__in=numbers, closed_at=None
        )
        return dict(seen.values_list("number", "theme"))


def report_page(viewer: User, *, pk: int, author: int, origin: str) -> ReportPage | None:
    """The report somebody asks for; ``None`` where there is none for them."""
    if not may_read_report(viewer, author):
        return None
    sets = EssaySet.objects.filter(CHECKED_SETS, pk=pk).select_related("rules")
    essay_set = sets.first()
    if essay_set is None:
        return None
    wanted = "" if origin == FREE else origin
    exchange = exchange_of(essay_set, author, wanted)
    is_told = _tells_of_session_alone(essay_set, exchange)
    if wanted not in solutions_of(essay_set, author) and not is_told:
        return None
    run = run_reported(essay_set)
    is_open = may_read_figures_of(viewer, essay_set, run)
    whose = {"essay_set": essay_set, "author_id": author, "origin": wanted}
    job = order_report(**whose, run=run) if is_open else None
    return ReportPage(
        viewer,
        essay_set,
        User.objects.get(pk=author),
        wanted,
        is_open,
        run,
        exchange,
        SolutionReport.objects.filter(**whose).first() if is_open else None,
        job,
        _scored(files_scored(**whose), exchange) if job and run is None else (0, 0),
    )


def _tells_of_session_alone(essay_set: EssaySet, exchange: Exchange | None) -> bool:
    """Of a final also a session of which every file is annulled has its report."""
    is_final = essay_set.access == EssaySet.Access.FINAL
    return is_final and exchange is not None and exchange.files > 0


def _scored(found: tuple[int, int], exchange: Exchange | None) -> tuple[int, int]:
    """Answers of the session that are read later are files, too."""
    done, sent = found
    return done, sent + (exchange.unread if exchange else 0)


def _cell(value: object) -> object:
    """``None`` is an empty cell; truths are those of JSON."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def exchange_of(essay_set: EssaySet, author: int, origin: str) -> Exchange | None:
    """What the session a solution comes from says of its files."""
    answers = exchange_asked.send(
        sender=EssaySet, set_id=essay_set.pk, author_id=author, origin=origin
    )
    return next((answer for _listener, answer in answers if answer is not None), None)
