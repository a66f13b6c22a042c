"""Where experts differ, as drawings and lines: every number with the address of its pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import known_as
from annotator.core.values import Subject
from annotator.models import Essay, EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.core.agreement import (
    TOTAL,
    Agreement,
    CodeGap,
    Compared,
    Gaps,
    Kind,
    Question,
    TwoExperts,
)
from review.core.agreement_json import agreement_from_json, pair_from_json
from review.models import AgreementReport
from review.queries.agreement import sets_with_pairs

STEP: Final = 100.0
"""Width of a drawing, in its own units; its height is ``TALL`` with room for a line of words."""
TALL: Final = 48.0
MOST_BARS: Final = 13
"""More gaps than so many are drawn without their numbers, but for the ends and the middle."""
CLOSE: Final = 9
"""Among more bars than so many only every other gap has its number, else they would touch."""
LONGEST: Final = 60
MINUS: Final = "\N{MINUS SIGN}"

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Bar:
    """How many pairs are so far apart: a place in the drawing, and its pairs' address.

    ``top`` and ``middle`` are where its words stand, ``is_numbered``: is there room for its gap?
    Places are written as SVG reads them.
    """

    gap: int
    count: int
    outline: str
    top: str
    middle: str
    address: str
    is_numbered: bool

    @property
    def shown(self) -> str:
        """The gap as it is printed."""
        return str(self.gap).replace("-", MINUS)

    @property
    def look(self) -> str:
        """The class it is drawn by: equal points stand out."""
        return "bar" if self.gap else "bar same"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A criterion: the spread of its gaps, and the counts beside it."""

    name: str
    gaps: Gaps
    bars: tuple[Bar, ...]
    all_pairs: str
    apart: str
    exact: str

    @property
    def signed(self) -> str:
        """The sum of the gaps with its sign."""
        return f"{self.gaps.signed:+d}".replace("-", MINUS) if self.gaps.signed else "0"

    @property
    def is_numbered(self) -> bool:
        """Is there room for a number on every bar?"""
        return len(self.bars) <= MOST_BARS

    @property
    def highest(self) -> int:
        """The count of the highest bar."""
        return max((bar.count for bar in self.bars), default=0)


@dataclass(frozen=True, slots=True)
class Number:
    """A count with its name and the address of its pairs; ``x`` and ``width`` of its drawing."""

    name: str
    kind: str
    count: int
    address: str
    x: str = ""
    width: str = ""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A code: both, only the first, only the second, each with an address."""

    code: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class ExpertsLine:
    """Two people who checked the same essays, with the addresses of their pairs: of all, those with
    equal totals, those with marks both made alike, those that called a third check.
    """

    names: tuple[str, str]
    two: TwoExperts
    address: str
    exact: str
    agreed: str
    thirds: str

    @property
    def mean(self) -> float:
        """How far their totals are apart on average."""
        return self.two.absolute / self.two.pairs


@dataclass(frozen=True, slots=True)
class SubjectPart:
    """All that the page shows of a subject."""

    subject: str
    name: str
    found: Agreement
    drawings: tuple[Drawing, ...]
    marks: tuple[Number, ...]
    codes: tuple[CodeLine, ...]
    experts: tuple[ExpertsLine, ...]
    all_pairs: str
    thirds: str
    decided: str
    hidden: str


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair of checks in the list behind a number."""

    pair: Compared
    number: str
    names: tuple[str, str]
    totals: tuple[int, int]


def subject_parts(report: AgreementReport, names: Mapping[str, str]) -> list[SubjectPart]:
    """The parts of the page, one a subject; ``names`` are those of the subjects."""
    found = [agreement_from_json(each) for each in report.figures]
    people = people_named(
        number for each in found for two in each.experts for number in two.experts
    )
    return [_part(each, names[each.subject], people) for each in found]


def people_named(numbers: Iterable[int]) -> dict[int, str]:
    """What to call accounts by their numbers, no two alike, in two queries."""
    return known_as(User.objects.filter(pk__in=set(numbers)))


def pairs_asked(report: AgreementReport, question: Question) -> list[Compared]:
    """The pairs behind a number."""
    return [pair for pair in map(pair_from_json, report.pairs) if question.keeps(pair)]


def pair_lines(pairs: Iterable[Compared]) -> list[PairLine]:
    """Pairs as lines, with the numbers of their essays and the names of their experts."""
    listed = list(pairs)
    people = people_named(number for pair in listed for number in pair.experts)
    essays = Essay.objects.filter(pk__in={pair.essay for pair in listed})
    numbers = dict(essays.values_list("pk", "number"))
    return [
        PairLine(
            pair,
            numbers.get(pair.essay, "–"),
            _names(pair.experts, people),
            pair.points_for(TOTAL),
        )
        for pair in listed
    ]


def question_of(asked: QueryDict) -> Question:
    """Which pairs an address asks for; words that ask nothing are passed over."""
    experts = [int(word) for word in asked.getlist("expert") if word.isdecimal() and len(word) < 19]
    return Question(
        subject=_one_of(Subject, asked.get("subject")),
        criterion=_words(asked, "criterion"),
        gap=_whole(asked.get("gap")),
        apart=asked.get("apart") == "1",
        kind=_one_of(Kind, asked.get("kind")),
        code=_words(asked, "code"),
        side=_side(asked.get("side")),
        experts=frozenset(experts) if len(experts) == 2 else None,
        third=asked.get("third") == "1",
        decided=asked.get("decided") == "1",
        hidden=asked.get("hidden") == "1",
    )


def words_of(question: Question, names: Mapping[str, str]) -> list[str]:
    """What is asked for, in words: a line each."""
    kinds = kind_names()
    sides = (_("by both"), _("by the first only"), _("by the second only"))
    people = people_named(question.experts or ())
    found = [
        names[question.subject] if question.subject else "",
        _("criterion %s") % named(question.criterion) if question.criterion else "",
        _("%+d apart") % question.gap if question.gap else "",
        _("equal points") if question.gap == 0 else "",
        _("other points") if question.apart else "",
        kinds[question.kind] if question.kind else "",
        question.code or "",
        sides[question.side] if question.side is not None and question.code else "",
        " – ".join(sorted(people.values())),
        _("a third check was called") if question.third else "",
        _("decided whether a third check is needed") if question.decided else "",
        _("hidden disagreement") if question.hidden else "",
    ]
    return [words for words in found if words]


def kind_names() -> dict[str, str]:
    """How marks answer each other, in words."""
    return {
        Kind.AGREED: _("agreed"),
        Kind.CODE: _("other code"),
        Kind.BORDERS: _("other borders"),
        Kind.ONLY_LEFT: _("the first only"),
        Kind.ONLY_RIGHT: _("the second only"),
    }


def named(criterion: str) -> str:
    """A criterion's name; that of the sum in words."""
    return _("total") if criterion == TOTAL else criterion


def address(subject: str, **asked: object) -> str:
    """The query that asks for pairs."""
    return "?" + urlencode({"subject": subject, **asked}, doseq=True)


def _part(found: Agreement, name: str, people: Mapping[int, str]) -> SubjectPart:
    subject = found.subject.value
    return SubjectPart(
        subject=subject,
        name=name,
        found=found,
        drawings=tuple(_drawing(subject, gaps) for gaps in found.gaps),
        marks=_marks(found),
        codes=tuple(_code(subject, each) for each in found.codes),
        experts=tuple(_experts(subject, two, people) for two in found.experts),
        all_pairs=address(subject),
        thirds=address(subject, third=1),
        decided=address(subject, decided=1),
        hidden=address(subject, hidden=1),
    )


def _experts(subject: str, two: TwoExperts, people: Mapping[int, str]) -> ExpertsLine:
    of_both = {"expert": two.experts}
    return ExpertsLine(
        _names(two.experts, people),
        two,
        address=address(subject, **of_both),
        exact=address(subject, **of_both, criterion=TOTAL, gap=0),
        agreed=address(subject, **of_both, kind=Kind.AGREED.value),
        thirds=address(subject, **of_both, third=1),
    )


def _drawing(subject: str, gaps: Gaps) -> Drawing:
    about = {"criterion": gaps.criterion}
    reach = max((abs(gap) for gap in gaps.spread), default=0)
    shown = range(-max(reach, 1), max(reach, 1) + 1)
    width = STEP / len(shown)
    highest = max(gaps.spread.values(), default=1)
    bars = []
    for place, gap in enumerate(shown):
        count = gaps.spread.get(gap, 0)
        top = _place(TALL - TALL * count / highest)
        left, middle, right = (_place((place + share) * width) for share in (0.1, 0.5, 0.9))
        outline = f"M{left} {TALL}V{top}H{right}V{TALL}Z"
        is_numbered = _has_room(gap, len(shown))
        behind = address(subject, **about, gap=gap)
        bars.append(Bar(gap, count, outline, top, middle, behind, is_numbered))
    return Drawing(
        name=named(gaps.criterion),
        gaps=gaps,
        bars=tuple(bars),
        all_pairs=address(subject, **about),
        apart=address(subject, **about, apart=1),
        exact=address(subject, **about, gap=0),
    )


def _has_room(gap: int, bars: int) -> bool:
    """Does the number of this gap stand clear of its neighbours', among so many bars?"""
    if bars > MOST_BARS:
        return abs(gap) in (0, bars // 2)
    return bars <= CLOSE or gap % 2 == 0


def _marks(found: Agreement) -> tuple[Number, ...]:
    words = kind_names()
    whole = sum(found.marks.values()) or 1
    numbers, x = [], 0.0
    for kind in Kind:
        width = STEP * found.marks[kind] / whole
        asked = address(found.subject.value, kind=kind.value)
        place = _place(x), _place(width)
        numbers.append(Number(words[kind], kind.value, found.marks[kind], asked, *place))
        x += width
    return tuple(numbers)


def _place(number: float) -> str:
    return f"{number:.2f}"


def _code(subject: str, each: CodeGap) -> CodeLine:
    counts = (_("both"), each.both), (_("the first only"), each.only_left)
    numbers = [
        Number(name, "", count, address(subject, code=each.code, side=side))
        for side, (name, count) in enumerate((*counts, (_("the second only"), each.only_right)))
    ]
    return CodeLine(each.code, tuple(numbers))


def _names(experts: tuple[int, int], people: Mapping[int, str]) -> tuple[str, str]:
    first, second = (people.get(number, "–") for number in experts)
    return first, second


def _words(asked: QueryDict, name: str) -> str | None:
    return asked.get(name, "")[:LONGEST] or None


def _whole(word: str | None) -> int | None:
    digits = (word or "").removeprefix("-")
    fits = digits.isascii() and digits.isdecimal() and len(digits) < 4
    return int(word or "") if fits else None


def _side(word: str | None) -> int | None:
    return int(word) if word in ("0", "1", "2") else None


def _one_of(kinds: type[Choice], word: str | None) -> Choice | None:
    return kinds(word) if word in {each.value for each in kinds} else None


def sets_compared() -> list[EssaySet]:
    """The essay sets whose experts are compared."""
    return list(EssaySet.objects.filter(CHECKED_SETS).order_by("name"))


def first_shown(sets: Sequence[EssaySet]) -> EssaySet | None:
    """The set the page opens with: of those with something to compare the newest."""
    newest = sets_with_pairs().filter(pk__in=[each.pk for each in sets]).order_by("-pk").first()
    return newest or (sets[0] if sets else None)
