"""Records -> questions and predictions: the only module that knows the names of the fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from schemes.core.space2022.errors import RecordError
from schemes.core.space2022.problems import Place, Problems, Source
from schemes.core.space2022.records import Record, read_records
from schemes.core.space2022.values import (
    ROLES,
    Answers,
    Fragment,
    Prediction,
    Predictions,
    Question,
    Reason,
    reason_of,
)

Entry = TypeVar("Entry", Question, Prediction)
WHOLE: Final = frozenset({int})


def read_answers(data: bytes) -> Answers:
    """Read the questions of an answer file: ``qid``, ``context`` if there is one, ``reasons``.

    Records that cannot be used are problems of the file. Raises ``UnusableFileError``.
    """
    problems = Problems(Source.ANSWER)
    questions = tuple(_entries(data, _question, problems))
    return Answers(questions, problems.named())


def read_predictions(data: bytes) -> Predictions:
    """Read the predictions of a system: ``qid`` and ``reasons`` of each record.

    Records that cannot be used are problems of the file. Raises ``UnusableFileError``.
    """
    problems = Problems(Source.PREDICTION)
    predictions = tuple(_entries(data, _prediction, problems))
    return Predictions(predictions, problems.named())


def check_against(context: str, reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The paths of fragments whose text differs from the context at their indices.

    Raises ``RecordError`` for an index outside the context (schemes.md 3.2, 9).
    """
    character = context.__getitem__
    differing = []
    for reason in reasons:
        for at, (_role, indices, text) in enumerate(reason.fragments):
            try:
                found = "".join(map(character, indices))
            except IndexError:
                where = f"{_path(reason, at)}.idxes"
                raise RecordError(
                    "index-outside", where, index=max(indices), length=len(context)
                ) from None
            if text is not None and text != found:
                differing.append(_path(reason, at))
    return tuple(differing)


def report_texts(paths: Iterable[str], place: Place, problems: Problems) -> None:
    """Add the fragments whose text differs from the context; what counts are the indices."""
    for path in paths:
        problems.add("text-not-of-context", replace(place, field=f"{path}.text"))


def _path(reason: Reason, at: int) -> str:
    return f"reasons[{reason.number - 1}].fragments[{at}]"


def _entries(
    data: bytes, read: Callable[[Record, Problems], Entry], problems: Problems
) -> Iterable[Entry]:
    for record in read_records(data, problems):
        try:
            yield read(record, problems)
        except RecordError as error:
            place = Place(record.line, record.number, _qid_or_nothing(record), error.at)
            problems.add(error.code, place, **error.fields)


def _question(record: Record, problems: Problems) -> Question:
    place = Place(record.line, record.number, _qid(record.fields))
    context = record.fields.get("context")
    if context is not None and not isinstance(context, str):
        raise RecordError("not-a-string", "context")
    reasons = _reasons(record.fields, place, problems)
    if context is not None:
        report_texts(check_against(context, reasons), place, problems)
    if not any(reason.size for reason in reasons):
        problems.add("nothing-to-find", replace(place, field="reasons"))
    return Question(place.qid, context, reasons, place)


def _prediction(record: Record, problems: Problems) -> Prediction:
    place = Place(record.line, record.number, _qid(record.fields))
    return Prediction(place.qid, _reasons(record.fields, place, problems), place)


def _qid(fields: Mapping[str, Any]) -> str:
    qid: str = _field(fields, "qid", str)
    if not qid:
        raise RecordError("empty-field", "qid")
    return qid


def _qid_or_nothing(record: Record) -> str:
    found = record.fields.get("qid")
    return found if isinstance(found, str) else ""


def _reasons(fields: Mapping[str, Any], place: Place, problems: Problems) -> tuple[Reason, ...]:
    found = []
    for number, written in enumerate(_field(fields, "reasons", list), 1):
        try:
            reason = _reason(number, written)
        except RecordError as error:
            raise error.within(f"reasons[{number - 1}]") from None
        if not reason.roles.keys() <= ROLE_SETS[reason.type]:
            _report_roles(reason, place, problems)
        found.append(reason)
    return tuple(found)


def _reason(number: int, written: object) -> Reason:
    fields = _object(written)
    type_ = _field(fields, "type", str)
    if type_ not in ROLES:
        raise RecordError("unknown-type", "type", name=type_)
    fragments = []
    for at, each in enumerate(_field(fields, "fragments", list)):
        fragment = _fragment(each)
        if fragment is None:
            raise _why_unfit(each).within(f"fragments[{at}]")
        fragments.append(fragment)
    return reason_of(number, type_, fragments)


def _fragment(written: object) -> Fragment | None:
    """The fragment, or ``None`` when ``_why_unfit`` tells what is wrong: this must be quick."""
    if isinstance(written, dict):
        role, indices = written.get("role"), written.get("idxes")
        if isinstance(role, str) and isinstance(indices, list) and _are_indices(indices):
            return Fragment(role, tuple(indices), written.get("text"))
    return None


def _why_unfit(written: object) -> RecordError:
    try:
        fields = _object(written)
        _field(fields, "role", str)
        _field(fields, "idxes", list)
    except RecordError as error:
        return error
    return RecordError("not-indices", "idxes")


def _are_indices(indices: list[object]) -> bool:
    return not indices or (WHOLE.issuperset(map(type, indices)) and min(indices) >= 0)  # type: ignore[type-var, operator]


ROLE_SETS: Final = {type_: frozenset(roles) for type_, roles in ROLES.items()}
KINDS: Final[Mapping[type, str]] = {str: "not-a-string", list: "not-a-list"}


def _report_roles(reason: Reason, place: Place, problems: Problems) -> None:
    for at, fragment in enumerate(reason.fragments):
        if fragment.role not in ROLE_SETS[reason.type]:
            where = replace(place, field=f"{_path(reason, at)}.role")
            roles = ROLES[reason.type]
            problems.add(
                "role-not-of-type", where, name=fragment.role, type=reason.type, roles=roles
            )


def _object(written: object) -> Mapping[str, Any]:
    if not isinstance(written, dict):
        raise RecordError("not-an-object-field", "")
    return written


def _field(fields: Mapping[str, Any], key: str, kind: type) -> Any:
    found = fields.get(key)
    if isinstance(found, kind):
        return found
    raise RecordError(KINDS[kind] if key in fields else "no-field", key)
