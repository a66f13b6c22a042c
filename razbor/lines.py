"""JSON Lines: one case a line in, one answer a line out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, Final

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import markup_from_json
from annotator.core.errors import JsonTextError
from annotator.core.json_text import read_json
from annotator.core.values import Markup, Subject
from razbor.inputs import Unusable, say, sentences, unreadable
from razbor.words import _

LONG: Final = 200_000
"""Input of so many bytes gets a progress bar, when somebody watches."""

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]


def answer_lines(name: str, answer: Answer) -> int:
    """Answer every case of a file. A broken line gets ``{"id", "error"}`` and exit status 2."""
    first_bad = 0
    with _open(name) as stream:
        for number, line in enumerate(_watched(name, stream), 1):
            if line.strip():
                answered = _answer(line, answer)
                first_bad = first_bad or (number if "error" in answered else 0)
                sys.stdout.write(json.dumps(answered, ensure_ascii=False) + "\n")
    if first_bad:
        hint = _("{name}, line {line}: {reason}")
        reason = _("the case cannot be used; its answer says why.")
        raise Unusable(hint.format(name=name, line=first_bad, reason=reason))
    return 0


def markup_of(case: Mapping[str, Any], key: str, subject: Subject | None = None) -> Markup:
    """The markup under ``key`` over the case's text. Raises ``Unusable``."""
    text = case.get("text")
    if not isinstance(text, str):
        raise Unusable(_("“text” must be a string."))
    classifier = classifier_of(subject) if subject else every_classifier()
    markup, problems = markup_from_json(
        case.get(key, []), text=text, classifier=classifier, path=key
    )
    blocking = [problem for problem in problems if problem.blocks]
    if blocking:
        raise Unusable(sentences(blocking)[0])
    return markup


def subject_of(case: Mapping[str, Any]) -> Subject:
    """The case's subject. Raises ``Unusable``."""
    known = {subject.value: subject for subject in Subject}
    found = known.get(case.get("subject"))  # type: ignore[arg-type]
    if found is None:
        raise Unusable(_("“subject” must be one of {known}.").format(known=", ".join(known)))
    return found


def _answer(line: bytes, answer: Answer) -> dict[str, Any]:
    case_id: object = None
    try:
        case = read_json(line)
        if not isinstance(case, dict):
            raise Unusable(_("Every line must be a JSON object."))
        case_id = case.get("id")
        return {"id": case_id, **answer(case)}
    except JsonTextError as error:
        return {"id": case_id, "error": say(error)}
    except Unusable as error:
        return {"id": case_id, "error": str(error)}


def _open(name: str) -> IO[bytes]:
    try:
        return sys.stdin.buffer if name == "-" else open(name, "rb")
    except OSError as error:
        raise unreadable(name, error) from None


def _watched(name: str, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines; with a progress bar when the input is long and somebody watches."""
    size = 0 if name == "-" else stream.seek(0, 2)
    if size:
        stream.seek(0)
    if size < LONG or not sys.stderr.isatty():
        yield from stream
        return
    from tqdm import tqdm  # noqa: PLC0415 - a bar nobody sees must not cost start-up time

    with tqdm(total=size, unit="B", unit_scale=True, file=sys.stderr) as bar:
        for line in stream:
            yield line
            bar.update(len(line))
