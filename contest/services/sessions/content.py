"""What was sent as an answer: a markup of the essay, none that can be read, or of another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from annotator.core.classifier import classifier_of
from annotator.core.codec import submission_from_json
from annotator.core.problems import Problem, kept
from annotator.core.validation import beyond_limits, remarks_on
from annotator.core.values import MarkedFile
from annotator.models import Essay
from annotator.services.reading import with_place
from contest.core.session_rules import Content
from web.core.errors import JsonTextError
from web.core.json_text import read_json

OF_ANOTHER: Final = frozenset({"another-essay", "err-text-handler-callback"})


@dataclass(frozen=True, slots=True)
class Judged:
    """What a content is, the markup in it if it is ``valid``, and what is wrong with it.

    Problems of a valid one do not block: it counts all the same.
    """

    content: Content
    file: MarkedFile | None = None
    problems: tuple[Problem, ...] = ()

    def kept(self) -> list[dict[str, Any]]:
        """The first problems as they are stored; the last one counts those that are not."""
        return kept(self.problems)


def judge_content(essay: Essay, data: bytes) -> Judged:
    """Read what was sent for an essay (sessions.md 4); any bytes have an answer."""
    if not data.strip():
        return Judged(Content.BROKEN, problems=(Problem("is-empty"),))
    try:
        payload = read_json(data, unique_keys=True)
    except JsonTextError as error:
        return Judged(Content.BROKEN, problems=(with_place(error),))
    if isinstance(payload, dict) and "text" not in payload:
        fields = {"expected": "string", "missing": True}
        missing = Problem("err-schema-validate", path="text", fields=fields)
        return Judged(Content.BROKEN, problems=(missing,))
    reading = submission_from_json(payload, meta=essay.meta(), text=essay.text)
    blocking = [problem for problem in reading.problems if problem.blocks]
    foreign = [problem for problem in blocking if problem.code in OF_ANOTHER]
    if foreign:
        return Judged(Content.FOREIGN, problems=tuple(foreign))
    blocking += beyond_limits(reading.file.markup)
    if blocking:
        return Judged(Content.BROKEN, problems=tuple(blocking))
    remarks = remarks_on(reading.file.markup, classifier_of(essay.core_subject))
    return Judged(Content.VALID, reading.file, (*reading.problems, *remarks))
