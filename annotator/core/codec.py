"""The regulation's JSON <-> MarkedFile (Appendix 3, 2): the only module with camelCase keys.

Reading never raises on any JSON value: what cannot be read is a blocking problem with its path
in the file, what is merely odd (an unknown key, a number given as a string, a group that does
not fit its code) is a problem that does not block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotator.core.classifier import Classifier, classifier_of, every_classifier
from annotator.core.language.header import CRITERION, read_subject
from annotator.core.problems import Problem
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
FILE_KEYS: Final = frozenset({"meta", "text", "selections", "criteria", "fileName"})
GROUPS: Final = {"meaning": Kind.BLOCK, "error": Kind.MISTAKE}
GROUP_NAMES: Final = {kind: name for name, kind in GROUPS.items()}
FRAGMENT_TEXTS: Final = {
    "type": "code",
    "subtype": "subcode",
    "comment": "comment",
    "explanation": "explanation",
    "correction": "correction",
    "tag": "tag",
}
FRAGMENT_KEYS: Final = frozenset({*FRAGMENT_TEXTS, "id", "startSelection", "endSelection", "group"})
BIGGEST: Final = 2**31 - 1
WHOLE_NUMBER: Final = re.compile(r"-?[0-9]+")
MOST_PROBLEMS: Final = 1000
"""Of each sort: a file of a few megabytes could be wrong in a million places."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as far as it could be read; not to be used when ``refused``."""

    file: MarkedFile
    problems: tuple[Problem, ...]

    @property
    def refused(self) -> bool:
        """True when something could not be read."""
        return any(problem.blocks for problem in self.problems)


def file_from_json(payload: object, *, essay: str | None = None) -> Reading:
    """Read a file of the exchange. ``essay`` is the text it must be a markup of, if known."""
    reader = _Reader()
    body = reader.mapping(payload, "", FILE_KEYS)
    meta = reader.meta(body.get("meta"))
    text = normalise(reader.text(body, "text", ""))
    if "text" not in body and essay is None:
        reader.problem("err-schema-validate", "text", expected="text")
    if essay is not None and "text" in body and text != essay:
        reader.problem("err-text-handler-callback", "text")
    markup = reader.markup(
        body.get("selections"),
        text if essay is None else essay,
        classifier_of(meta.subject) if meta.subject else every_classifier(),
    )
    stated = reader.stated(body.get("criteria"))
    file = MarkedFile(meta, markup, stated, reader.text(body, "fileName", ""))
    return Reading(file, tuple(reader.problems))


def markup_from_json(
    selections: object, *, text: str, classifier: Classifier, path: str = "selections"
) -> tuple[Markup, tuple[Problem, ...]]:
    """Read the fragments alone; problems carry their path in the file."""
    reader = _Reader()
    markup = reader.markup(selections, text, classifier, path)
    return markup, tuple(reader.problems)


def stated_from_json(criteria: object) -> tuple[Mapping[str, int], tuple[Problem, ...]]:
    """Read the stated criteria alone, ``{"K1": 2}``."""
    reader = _Reader()
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
        "criteria": dict(file.stated),
    }
    if file.file_name:
        written["fileName"] = file.file_name
    return written


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


class _Reader:
    """Reads values one by one and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.told = {True: 0, False: 0}

    def problem(self, code: str, path: str, *, blocks: bool = True, **fields: object) -> None:
        self.told[blocks] += 1
        if self.told[blocks] <= MOST_PROBLEMS:
            self.problems.append(Problem(code, path=path, blocks=blocks, fields=fields))

    def mapping(self, value: object, path: str, known: frozenset[str]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.problem("err-schema-validate", path, expected="object")
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

    def number(self, values: Mapping[str, Any], key: str, path: str) -> int | None:
        """A whole number, or one given as a string; ``None`` when it is neither."""
        value = values.get(key)
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

    def meta(self, value: object) -> Meta:
        if value is None:
            return Meta()
        values = self.mapping(value, "meta", META_KEYS)
        texts = {name: self.text(values, key, "meta") for key, name in META_TEXTS.items()}
        subject = self.text(values, "subject", "meta")
        known = read_subject(subject)
        if subject and known is None:
            self.problem("unknown-subject", "meta.subject", name=subject[:60])
        has_year = values.get("year") not in (None, "")
        year = self.number(values, "year", "meta") if has_year else None
        third = values.get("third", False)
        if third is not None and not isinstance(third, bool):
            self.problem("err-schema-validate", "meta.third", expected="true, false")
        return Meta(**texts, subject=known, year=year, third=third is True)

    def stated(self, value: object) -> dict[str, int]:
        """``{"K1": 2}``; null, an empty list and values left empty state nothing."""
        if value is None or value == []:
            return {}
        stated = {}
        for key, points in self.mapping(value, "criteria", _AnyKey()).items():
            criterion = CRITERION.fullmatch(key)
            if criterion is None:
                self.problem("unknown-key", f"criteria.{key}", blocks=False)
            elif points not in (None, ""):
                number = self.number({key: points}, key, "criteria")
                if number is not None:
                    stated[f"K{int(criterion[1])}"] = number
        return stated

    def markup(
        self, value: object, text: str, classifier: Classifier, path: str = "selections"
    ) -> Markup:
        if value is None:
            return Markup(text)
        if not isinstance(value, list):
            self.problem("err-schema-validate", path, expected="list")
            return Markup(text)
        fragments = []
        for index, item in enumerate(value):
            fragments.append(self.fragment(item, f"{path}[{index}]", text, classifier))
            if self.told[True] >= MOST_PROBLEMS:
                break
        return Markup(text, tuple(found for found in fragments if found))

    def fragment(
        self, item: object, path: str, text: str, classifier: Classifier
    ) -> Fragment | None:
        before = self.told[True]
        values = self.mapping(item, path, FRAGMENT_KEYS)
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
            self.problem("err-schema-validate", f"{path}.group", expected="error, meaning")
        given = GROUPS.get(group)
        category = classifier.find(code)
        if category is None:
            return given or Kind.MISTAKE
        if given and given is not category.kind:
            self.problem("group-differs", f"{path}.group", blocks=False, name=category.code)
        return category.kind

    def span(self, values: Mapping[str, Any], path: str, length: int) -> Span | None:
        """Half-open bounds; 0, 0 is a whole-text mistake."""
        start = self.number(values, "startSelection", path)
        end = self.number(values, "endSelection", path)
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
