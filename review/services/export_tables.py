"""Tables that are written out: their headings and their rows, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from accounts.access import people_kept_by
from accounts.models import User
from annotator.core.values import Subject
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.work import UNFINISHED
from review.core.agreement import TOTAL, Agreement, Kind
from review.core.agreement_json import agreement_from_json
from review.models import AgreementReport, FinalGrade
from review.models.deadlines import DEFAULT_ZONE
from review.queries.deadlines import zones_of
from review.queries.essays import essays_with_checks
from review.queries.grades import with_standing_grades
from review.queries.people import figures_of_work, median_seconds
from review.services.agreeing import compute_agreement
from review.services.revisions import revision_of_checks
from scoring.core.criteria.sheet import MAXIMA
from scoring.models import PairScore
from web.core.batches import batched

BATCH: Final = 50
"""Rows that are in memory at once."""

Row = Sequence[object]
Role = Assignment.Role


@dataclass(frozen=True, slots=True)
class Table:
    """A heading and batches of rows; ``total`` is how many of them are foreseen."""

    head: Row
    total: int
    batches: Iterator[list[Row]]


def results_of(essay_set: EssaySet) -> Table:
    """A row for each essay in its latest version: its checks, their points, how far they are
    apart, the third one, the final grade that counts and the rule it was settled by.
    """
    latest = essay_set.essays.filter(LATEST).order_by("number", "pk")
    essays = list(latest.values_list("pk", flat=True))
    criteria = _criteria_of(essay_set)
    head = [_("essay"), _("subject"), _("theme"), _("class"), _("year")]
    for number in (1, 2, 3):
        checked = [_("expert"), _("state"), _("total"), *criteria]
        head += [f"{number}: {name}" for name in checked]
    head += [_("gap"), _("third check needed"), _("accuracy of 1 by 2, %")]
    zone = zones_of([essay_set.pk]).get(essay_set.pk, DEFAULT_ZONE)
    settled_at, final_grade = _("settled at"), _("final grade")
    graded = [_("total"), *criteria, _("rule"), f"{settled_at} ({zone})"]
    head += [f"{final_grade}: {name}" for name in graded]
    batches = (_results(numbers, criteria, zone) for numbers in batched(essays, BATCH))
    return Table(head, len(essays), batches)


def people_for(manager: User) -> Table:
    """The accounts a manager keeps, with the checks they have."""
    people = list(people_kept_by(manager).order_by("username").values_list("pk", flat=True))
    head = [_("login"), _("full name"), _("e-mail"), _("role"), _("school"), _("subjects")]
    head += [_("account is open"), _("checks to do"), _("checks submitted")]
    head += [_("checks given"), _("checks late"), _("minutes a check, median")]
    last_seen = _("last seen")
    head += [f"{last_seen} ({DEFAULT_ZONE})"]
    head += [_("checks handed back"), _("F1 with other experts")]
    return Table(head, len(people), map(_people, batched(people, BATCH)))


def agreement_of(essay_set: EssaySet) -> Table:
    """Where the experts of a set differ, a count a row; computed first where it is not kept."""
    report = AgreementReport.objects.filter(essay_set=essay_set).first()
    if report is None or report.revision != revision_of_checks(essay_set):
        compute_agreement(set_id=essay_set.pk)
        report = AgreementReport.objects.get(essay_set=essay_set)
    return kept_agreement(report)


def kept_agreement(report: AgreementReport) -> Table:
    """The same of what is kept, computed or not since."""
    found = [agreement_from_json(each) for each in report.figures]
    experts = {number for each in found for two in each.experts for number in two.experts}
    names = {person.pk: person.username for person in User.objects.filter(pk__in=experts)}
    rows = [row for each in found for row in agreement_rows(each, names)]
    return Table(agreement_head(), len(rows), batched(rows, BATCH))


def agreement_head() -> Row:
    """The columns of ``agreement_rows``."""
    words = [_("subject"), _("what"), _("criterion / kind / code / pair"), _("pairs")]
    words += [_("equal"), _("signed sum"), _("absolute sum")]
    words += [_("both"), _("only the first"), _("only the second")]
    return [*words, _("third checks"), _("kappa"), _("kappa: from"), _("kappa: to")]


def agreement_rows(found: Agreement, names: Mapping[int, str]) -> Iterator[Row]:
    """The counts of a subject: criteria, marks, codes, pairs of experts, thirds, hidden ones."""
    subject = found.subject.value
    for gap in found.gaps:
        kappa = gap.kappa
        low, high = (kappa and kappa.interval) or (None, None)
        counts = [gap.n, gap.exact, gap.signed, gap.absolute]
        name = _("total") if gap.criterion == TOTAL else gap.criterion
        value = kappa.value if kappa else None
        yield [subject, _("points"), name, *counts, *[None] * 4, value, low, high]
    marks = found.marks
    alone = [marks[Kind.ONLY_LEFT], marks[Kind.ONLY_RIGHT]]
    for name, both in (
        (_("agreed"), marks[Kind.AGREED]),
        (_("other code"), marks[Kind.CODE]),
        (_("other borders"), marks[Kind.BORDERS]),
    ):
        yield [subject, _("marks"), name, found.pairs, *[None] * 3, both, *[None] * 6]
    yield [subject, _("marks"), _("one only"), found.pairs, *[None] * 4, *alone, *[None] * 4]
    for code in found.codes:
        counts = [code.both, code.only_left, code.only_right]
        yield [subject, _("code"), code.code, found.pairs, *[None] * 3, *counts, *[None] * 4]
    for two in found.experts:
        who = " / ".join(names.get(number, str(number)) for number in two.experts)
        counts = [two.pairs, two.exact, two.signed, two.absolute, two.agreed, None, None]
        yield [subject, _("experts"), who, *counts, two.thirds, *[None] * 3]
    thirds = [found.decided, *[None] * 6, found.thirds, *[None] * 3]
    yield [subject, _("third checks"), "", *thirds]
    yield [subject, _("hidden disagreement"), "", found.pairs, found.hidden, *[None] * 9]


def _criteria_of(essay_set: EssaySet) -> list[str]:
    """The criteria of all subjects of a set, K1 first."""
    subjects = essay_set.essays.order_by().values_list("subject", flat=True).distinct()
    return max((list(MAXIMA[Subject(each)]) for each in subjects), key=len, default=[])


def _results(numbers: Sequence[int], criteria: Sequence[str], zone: str) -> list[Row]:
    essays = list(
        with_standing_grades(essays_with_checks())
        .filter(pk__in=numbers)
        .order_by("essay_set__name", "number", "pk")
    )
    checks = {essay.pk: _checks_of(essay) for essay in essays}
    markups = {
        record.assignment_id: record
        for essay in essays
        for record in essay.markups.all()
        if record.assignment_id
    }
    accuracies = _accuracies(numbers)
    return [
        [
            *_result(essay, checks[essay.pk], markups, criteria, accuracies),
            *_final(essay, criteria, zone),
        ]
        for essay in essays
    ]


def _checks_of(essay: Essay) -> dict[str, Assignment]:
    held = essay.assignments.all()
    return {each.role: each for each in held if each.is_active and each.round == essay.round}


def _accuracies(essays: Sequence[int]) -> dict[tuple[int, int], float | None]:
    scores = PairScore.objects.filter(
        assessed__essay__in=essays,
        assessed__assignment__role=Role.FIRST,
        reference__assignment__role=Role.SECOND,
        rules=F("assessed__essay__essay_set__rules"),
    )
    fields = scores.values_list("assessed__assignment", "reference__assignment", "accuracy")
    return {(first, second): accuracy for first, second, accuracy in fields}


def _result(
    essay: Essay,
    checks: Mapping[str, Assignment],
    markups: Mapping[int, MarkupRecord],
    criteria: Sequence[str],
    accuracies: Mapping[tuple[int, int], float | None],
) -> Row:
    theme, year = essay.theme, essay.year
    row: list[object] = [essay.number, essay.subject, theme, essay.class_name, year]
    totals: dict[str, int] = {}
    for role in (Role.FIRST, Role.SECOND, Role.THIRD):
        check = checks.get(role)
        record = markups.get(check.pk) if check else None
        sheet = getattr(record, "criteria", None)
        points = sheet.points if sheet else {}
        if sheet:
            totals[role] = sheet.total
        who = [check.expert.username, check.get_state_display()] if check else ["", ""]
        row += [*who, totals.get(role), *(points.get(name) for name in criteria)]
    first, second = totals.get(Role.FIRST), totals.get(Role.SECOND)
    needed = [each.needed for each in essay.third_checks.all() if each.round == essay.round]
    pair = [checks[role].pk for role in (Role.FIRST, Role.SECOND) if role in checks]
    return [
        *row,
        None if first is None or second is None else abs(first - second),
        int(needed[0]) if needed else None,
        accuracies.get((pair[0], pair[1])) if len(pair) > 1 else None,
    ]


def _final(essay: Essay, criteria: Sequence[str], zone: str) -> Row:
    """The final grade that counts; points by criterion where its rule is applied to each."""
    grades: list[FinalGrade] = essay.standing  # type: ignore[attr-defined]
    if not grades:
        return [None] * (len(criteria) + 3)
    [grade] = grades
    points = grade.points or {}
    cells = (points.get(name) for name in criteria)
    return [grade.total, *cells, grade.get_rule_display(), _moment(grade.settled_at, zone)]


def _moment(at: datetime, zone: str) -> datetime:
    """A moment by the clocks of a time zone, which the column's heading names, to the second."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None, microsecond=0)


def _people(numbers: Sequence[int]) -> list[Row]:
    to_do = Count("assignments", filter=Q(assignments__state__in=UNFINISHED))
    figures = figures_of_work()
    people = (
        User.objects.filter(pk__in=numbers)
        .annotate(to_do=to_do, **figures)
        .prefetch_related("specialisms")
        .order_by("username")
    )
    seconds = median_seconds(numbers)
    return [_person(person, seconds.get(person.pk)) for person in people]


def _person(person: Any, seconds: float | None) -> Row:
    subjects = " ".join(sorted(each.subject for each in person.specialisms.all()))
    seen_at = _moment(person.seen_at, DEFAULT_ZONE) if person.seen_at else None
    minutes = None if seconds is None else seconds / 60
    return [
        *(person.username, person.full_name, person.email, person.get_role_display()),
        *(person.school, subjects, int(person.is_active), person.to_do, person.done),
        *(person.given, person.late, minutes, seen_at, person.returned, person.agreement),
    ]
