"""The regulation's JSON <-> MarkedFile (Appendix 3, 2): its keys stand here and in
``fragment_json`` only.

Reading never raises on any JSON value: what cannot be read is a blocking problem with its path
in the file, what is merely odd (an unknown key, a number given as a string, a group that does
not fit its code) is a problem that does not block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.core.classifier import Classifier, classifier_of, every_classifier
from annotator.core.differing import other_text
from annotator.core.fragment_json import (
    BIGGEST,
    FRAGMENT_KEYS,
    FRAGMENT_TEXTS,
    GROUPS,
    no_object,
    plain_fragment,
)
from annotator.core.language.header import CRITERION, read_subject
from annotator.core.problems import Problem
from annotator.core.stated import Points, Stated, each_of, points_of, read_points, together
from annotator.core.values import (
    Fragment,
    Kind,
    MarkedFile,
    Markup,
    Meta,
    Span,
    normalise,
)

META_TEXTS: Final = {
    "id": "id",
    "uuid": "uuid",
    "theme": "theme",
    "class": "class_name",
    "taskText": "task_text",
    "category": "category",
    "expert": "expert",
    "test": "test",
    "name": "name",
    "markupUuid": "markup_uuid",
}
"""Key of ``meta`` -> attribute of ``Meta``, for the plain strings."""

META_KEYS: Final = frozenset({*META_TEXTS, "year", "subject", "third"})
FILE_KEYS: Final = frozenset({"meta", "text", "selections", "criteria", "fileName", "problems"})
"""``problems`` is what ``razbor parse`` found; it is not read back."""
GROUP_NAMES: Final = {kind: name for name, kind in GROUPS.items()}
WHOLE_NUMBER: Final = re.compile(r"-?[0-9]+")
MOST_POINTS: Final = 20
"""Of one criterion: nobody leaves a choice of more."""
MOST_PROBLEMS: Final = 1000
"""Of each sort: a file of a few megabytes could be wrong in a million places."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as far as it could be read; not to be used when ``refused``.

    ``numbers``: the place in the file, from 1, of each fragment that could be read.
    """

    file: MarkedFile
    problems: tuple[Problem, ...]
    numbers: tuple[int, ...] = field(default=(), compare=False)

    @property
    def refused(self) -> bool:
        """True when something could not be read."""
        return any(problem.blocks for problem in self.problems)


def file_from_json(payload: object, *, essay: str | None = None) -> Reading:
    """Read a file of the exchange. ``essay`` is the text it must be a markup of, if known."""
    reader = Reader()
    body = reader.mapping(payload, "", FILE_KEYS)
    meta = reader.meta(body.get("meta"))
    text = reader.essay(body, "")
    if isinstance(payload, dict) and "text" not in body and essay is None:
        reader.missing("text", expected="string")
    if essay is not None and body.get("text") is not None and text != essay:
        reader.add(other_text(essay, text))
    markup = reader.markup(
        body.get("selections"),
        text if essay is None else essay,
        classifier_of(meta.subject) if meta.subject else every_classifier(),
    )
    stated = reader.stated(body.get("criteria"))
    file = MarkedFile(meta, markup, stated, reader.text(body, "fileName", ""))
    return Reading(file, tuple(reader.problems), tuple(reader.numbers))


def submission_from_json(payload: object, *, meta: Meta, text: str) -> Reading:
    """Read a markup sent to a known essay; what it says of the essay may not be of another one.

    ``meta`` and ``text`` are the essay's: both may be left out of ``payload``, ``selections`` not.
    """
    reader = Reader()
    body = reader.mapping(payload, "", FILE_KEYS)
    reader.same_essay(reader.meta(body.get("meta")), meta)
    if "text" in body and (typed := reader.essay(body, "")) != text:
        reader.add(other_text(text, typed))
    if isinstance(payload, dict) and "selections" not in body:
        reader.missing("selections", expected="list")
    selections = body.get("selections", [])
    sent = False if selections is None else selections  # null is no list
    markup = reader.markup(
        sent, text, classifier_of(meta.subject) if meta.subject else every_classifier()
    )
    stated = reader.stated(body.get("criteria"))
    file = MarkedFile(meta, markup, stated, reader.text(body, "fileName", ""))
    return Reading(file, tuple(reader.problems), tuple(reader.numbers))


def markup_from_json(
    selections: object, *, text: str, classifier: Classifier, path: str = "selections"
) -> tuple[Markup, tuple[Problem, ...]]:
    """Read the fragments alone; problems carry their path in the file."""
    reader = Reader()
    markup = reader.markup(selections, text, classifier, path)
    return markup, tuple(reader.problems)


def stated_from_json(criteria: object) -> tuple[Mapping[str, Stated], tuple[Problem, ...]]:
    """Read the stated criteria alone, ``{"K1": 2}`` or ``[2, 3]``."""
    reader = Reader()
    return reader.stated(criteria), tuple(reader.problems)


def file_to_json(file: MarkedFile) -> dict[str, Any]:
    """Write a file of the exchange, every field of Appendix 3, 2 present."""
    meta: dict[str, Any] = {key: getattr(file.meta, name) for key, name in META_TEXTS.items()}
    meta["year"] = file.meta.year
    meta["subject"] = file.meta.subject.value if file.meta.subject else ""
    meta["third"] = file.meta.third
    written: dict[str, Any] = {
        "meta": meta,
        "text": file.markup.text,
        "selections": markup_to_json(file.markup),
        "criteria": stated_to_json(file.stated),
    }
    if file.file_name:
        written["fileName"] = file.file_name
    return written


def stated_to_json(stated: Mapping[str, Stated]) -> dict[str, Any]:
    """The stated criteria as an object; several points of one are a list."""
    return {
        name: list(points) if isinstance(points, tuple) else points
        for name, points in stated.items()
    }


def markup_to_json(markup: Markup) -> list[dict[str, Any]]:
    """The fragments as ``selections``; whole-text mistakes have the bounds 0, 0.

    Fragments that came without a number get their place in the list.
    """
    return [
        {
            "id": fragment.id or number,
            "startSelection": fragment.span.start if fragment.span else 0,
            "endSelection": fragment.span.end if fragment.span else 0,
            "group": GROUP_NAMES[fragment.kind],
            **{key: getattr(fragment, name) for key, name in FRAGMENT_TEXTS.items()},
        }
        for number, fragment in enumerate(markup.fragments, 1)
    ]


class Reader:
    """Reads values one by one and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.numbers: list[int] = []
        self.told = {True: 0, False: 0}

    def problem(self, code: str, path: str, *, blocks: bool = True, **fields: object) -> None:
        self.add(Problem(code, path=path, blocks=blocks, fields=fields))

    def add(self, problem: Problem) -> None:
        self.told[problem.blocks] += 1
        if self.told[problem.blocks] <= MOST_PROBLEMS:
            self.problems.append(problem)

    def missing(self, path: str, *, expected: str) -> None:
        self.problem("err-schema-validate", path, expected=expected, missing=True)

    def mapping(self, value: object, path: str, known: frozenset[str]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.add(no_object(value, path))
            return {}
        for key in value:
            if key not in known:
                self.problem("unknown-key", f"{path}.{key}".lstrip("."), blocks=False)
        return value

    def text(self, values: Mapping[str, Any], key: str, path: str) -> str:
        """A string; null is empty, a number is taken as it is written."""
        value = values.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        if isinstance(value, bool) or not isinstance(value, int):
            self.problem("err-schema-validate", f"{path}.{key}".lstrip("."), expected="string")
        elif abs(value) > BIGGEST:
            self.problem("number-too-big", f"{path}.{key}".lstrip("."))
        else:
            return str(value)
        return ""

    def essay(self, values: Mapping[str, Any], path: str) -> str:
        """The essay's text as it stands; what the bracket language could not hold is remarked."""
        if "text" in values and values["text"] is None:
            place = f"{path}.text".lstrip(".")
            self.problem("err-schema-validate", place, expected="string")
        written = self.text(values, "text", path)
        text = normalise(written)
        if text != written and values.get("selections"):
            self.problem("text-normalised", f"{path}.text".lstrip("."), blocks=False)
        if text.strip() and text != text.strip():
            place = f"{path}.text".lstrip(".")
            self.problem("text-has-outer-space", place, blocks=False)
        return text

    def number(self, values: Mapping[str, Any], key: str, path: str) -> int | None:
        """A whole number, or one given as a string; ``None`` when it is neither."""
        if key not in values:
            self.missing(f"{path}.{key}".lstrip("."), expected="number")
            return None
        value = values[key]
        if isinstance(value, str) and WHOLE_NUMBER.fullmatch(value.strip()):
            value = int(value) if len(value.strip()) < 12 else BIGGEST + 1
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            self.problem("err-schema-validate", f"{path}.{key}".lstrip("."), expected="number")
            return None
        if abs(value) > BIGGEST:
            self.problem("number-too-big", f"{path}.{key}".lstrip("."))
            return None
        return value

    def coordinate(self, values: Mapping[str, Any], key: str, path: str) -> int | None:
        """A whole number; one that is written otherwise is remarked."""
        value = values.get(key)
        if type(value) is int and 0 <= value <= BIGGEST:  # nearly always
            return value
        found = self.number(values, key, path)
        if found is not None and type(value) is not int:
            self.problem("number-otherwise", f"{path}.{key}", blocks=False)
        return found

    def meta(self, value: object, path: str = "meta") -> Meta:
        if value is None:
            return Meta()
        values = self.mapping(value, path, META_KEYS)
        texts = {name: self.text(values, key, path) for key, name in META_TEXTS.items()}
        subject = self.text(values, "subject", path)
        known = read_subject(subject)
        if subject and known is None:
            self.problem("unknown-subject", f"{path}.subject", name=subject[:60])
        has_year = values.get("year") not in (None, "")
        year = self.number(values, "year", path) if has_year else None
        third = values.get("third", False)
        if third is not None and not isinstance(third, bool):
            self.problem("err-schema-validate", f"{path}.third", expected="true, false")
        return Meta(**texts, subject=known, year=year, third=third is True)

    def same_essay(self, said: Meta, known: Meta) -> None:
        """What identifies an essay, where it is said at all; numbers may lack leading zeros."""
        if said.id.strip().lstrip("0") not in ("", known.id.strip().lstrip("0")):
            self.problem("another-essay", "meta.id", name=said.id[:60], known=known.id)
        if said.subject and known.subject and said.subject is not known.subject:
            name, own = said.subject.value, known.subject.value
            self.problem("another-essay", "meta.subject", name=name, known=own)

    def stated(self, value: object, path: str = "criteria") -> dict[str, Stated]:
        """``{"K1": 2}``, or the same in a list; null and values left empty state nothing.

        In a list stand objects, or the points alone: those of K1 first.
        """
        if value is None:
            return {}
        found: dict[str, list[Points]] = {}
        listed = value if isinstance(value, list) else []
        for place, item in enumerate(listed):
            if isinstance(item, dict):
                self.criteria(item, f"{path}[{place}]", found)
            else:
                self.points(item, f"K{place + 1}", f"{path}[{place}]", found)
        if not isinstance(value, list):
            self.criteria(value, path, found)
        return {name: together(points) for name, points in found.items() if points}

    def criteria(self, value: object, path: str, found: dict[str, list[Points]]) -> None:
        for key, points in self.mapping(value, path, _AnyKey()).items():
            self.points(points, key, f"{path}.{key}", found)

    def points(self, value: object, key: str, path: str, found: dict[str, list[Points]]) -> None:
        """Add the points of a criterion, one or several, to those found."""
        criterion = CRITERION.fullmatch(key)
        if criterion is None:
            self.problem("unknown-key", path, blocks=False)
            return
        known = found.setdefault(f"K{int(criterion[1])}", [])
        for each in value if isinstance(value, list) else [value]:
            if each is None or (isinstance(each, str) and not each.strip()):
                continue
            read = read_points(each) if isinstance(each, str) else points_of(each)
            if read is None or len(known) >= MOST_POINTS:
                self.problem("err-schema-validate", path, expected="points")
                return
            known += each_of(read)

    def markup(
        self, value: object, text: str, classifier: Classifier, path: str = "selections"
    ) -> Markup:
        if value is None:
            return Markup(text)
        if not isinstance(value, list):
            self.problem("err-schema-validate", path, expected="list")
            return Markup(text)
        fragments, length = [], len(text)
        for index, item in enumerate(value):
            plain = plain_fragment(item, length, classifier)
            found = plain or self.fragment(item, f"{path}[{index}]", text, classifier)
            if found:
                fragments.append(found)
                self.numbers.append(index + 1)
            if self.told[True] >= MOST_PROBLEMS:
                break
        return Markup(text, tuple(fragments))

    def fragment(
        self, item: object, path: str, text: str, classifier: Classifier
    ) -> Fragment | None:
        before = self.told[True]
        values = self.mapping(item, path, FRAGMENT_KEYS)
        if not isinstance(item, dict):
            return None
        if type(values.get("correction")) is int:
            self.problem("number-for-text", f"{path}.correction", blocks=False)
        texts = {name: self.text(values, key, path) for key, name in FRAGMENT_TEXTS.items()}
        number = self.number(values, "id", path) if values.get("id") is not None else 0
        span = self.span(values, path, len(text))
        kind = self.kind(values, path, texts["code"], classifier)
        if self.told[True] > before:
            return None
        return Fragment(span, kind=kind, id=number or 0, **texts)

    def kind(self, values: Mapping[str, Any], path: str, code: str, classifier: Classifier) -> Kind:
        """The classifier's kind of a known code, else the group the file gives."""
        group = self.text(values, "group", path)
        if group and group not in GROUPS:
            place = f"{path}.group"
            self.problem("err-schema-validate", place, expected="error, meaning", given=group[:60])
        given = GROUPS.get(group)
        category = classifier.find(code)
        if category is None:
            return given or Kind.MISTAKE
        if given and given is not category.kind:
            self.problem("group-differs", f"{path}.group", blocks=False, name=category.code)
        return category.kind

    def span(self, values: Mapping[str, Any], path: str, length: int) -> Span | None:
        """Half-open bounds; 0, 0 is a whole-text mistake."""
        start = self.coordinate(values, "startSelection", path)
        end = self.coordinate(values, "endSelection", path)
        if start is None or end is None or start == end == 0:
            return None
        if start < 0 or end < 0:
            self.problem("negative-coordinates", path, start=start, end=end)
        elif end < start:
            self.problem("start-coordinates", path, start=start, end=end)
        elif end > length:
            self.problem("bad-range", path, start=start, end=end, length=length)
        elif start == end:
            self.problem("err-equality-coordinates", path, start=start)
        else:
            return Span(start, end)
        return None


class _AnyKey(frozenset[str]):
    """Knows every key: the caller looks at them itself."""

    def __contains__(self, key: object) -> bool:
        return True
