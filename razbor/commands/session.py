"""Judge an exchange session again: from its log, or cases as JSON Lines."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from contest.core.messages import describe
from contest.core.session_json import Case, case_from_json, judgement_to_json, log_from_json
from contest.core.session_rules import Annulled, Content, Ineffective, Solution, State, Verdict
from razbor.cases import Shape
from razbor.errors import Unusable
from razbor.inputs import read_bytes, say
from razbor.lines import answer_lines
from razbor.options import add_json, add_lines, need_files, refuse_beside_lines
from razbor.tables import table
from razbor.words import _
from web.core.errors import JsonTextError, JsonValueError
from web.core.json_text import read_json
from web.core.sentences import N_

SHAPE: Final = Shape(
    ("files", "events", "until"),
    ("rules",),
    {
        "id": 1,
        "rules": {"start": 600},
        "files": ["0101"],
        "events": [
            {"t": 590, "type": "open"},
            {"t": 601.5, "type": "send", "file": "0101", "content": "valid"},
        ],
        "until": 660,
    },
)
STATES: Final[Mapping[State, str]] = {
    State.NONE: N_("nobody opened it"),
    State.REFUSED: N_("refused: it was to be opened earlier"),
    State.WAITING: N_("opened, the first file has not come yet"),
    State.OPEN: N_("under way"),
    State.FINISHED: N_("finished"),
    State.TIMEOUT: N_("closed: the time for late answers was over"),
    State.LOST: N_("closed: the connection was lost for too long"),
    State.ABORTED: N_("aborted by the participant"),
    State.STOPPED: N_("stopped by the organisers"),
}
VERDICTS: Final[Mapping[Verdict, str]] = {
    Verdict.WAITING: N_("waits"),
    Verdict.OPEN: N_("open"),
    Verdict.COUNTED: N_("counts"),
    Verdict.ANNULLED: N_("annulled"),
}
ANNULLED: Final[Mapping[Annulled, str]] = {
    Annulled.NOT_REQUESTED: N_("nobody asked for it in time"),
    Annulled.LATE: N_("the answer came too late"),
    Annulled.REJECTED: N_("what was sent is no markup of this essay"),
    Annulled.MISSING: N_("no answer came"),
}
IN_VAIN: Final[Mapping[Content, str]] = {
    Content.BROKEN: N_("what was sent is not readable as a markup"),
    Content.FOREIGN: N_("what was sent is a markup of another text"),
}
"""Of files to which nothing else was sent."""
NOT_HANDED_OUT: Final = N_("not handed out: the session had ended")
OVER_BEFORE: Final = N_("its time was over before the session was opened")
INEFFECTIVE: Final[Mapping[Ineffective, str]] = {
    Ineffective.TOO_LATE: N_("opened too late"),
    Ineffective.ALREADY_OPEN: N_("the session was open already"),
    Ineffective.ENDED: N_("the session had ended"),
    Ineffective.NO_SESSION: N_("no session was open yet"),
    Ineffective.NOTHING_LEFT: N_("no file was left"),
    Ineffective.REPEATED: N_("sent before under the same key"),
    Ineffective.CLOSED: N_("sent after the session had ended"),
    Ineffective.NOT_OPEN: N_("the file had not opened"),
    Ineffective.FOREIGN: N_("not a markup of this essay"),
    Ineffective.BROKEN: N_("not readable as a markup"),
    Ineffective.LATE: N_("sent after the last moment"),
    Ineffective.OVER_LIMIT: N_("sent more often than is looked at"),
}
SOLUTIONS: Final[Mapping[Solution, str]] = {
    Solution.STANDS: N_("The solution stands."),
    Solution.ANNULLED: N_("The solution is annulled: too many files are."),
}
REHEARSED: Final[Mapping[Solution, str]] = {
    Solution.STANDS: N_("A rehearsal counts nowhere. In a final the solution would stand."),
    Solution.ANNULLED: N_(
        "A rehearsal counts nowhere. In a final the solution would be annulled: too many files are."
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Judge an exchange session again: which answers count, which files are annulled and why."
    )
    parser.add_argument("log", nargs="?", metavar="LOG", help=_("the log of a session, as offered"))
    add_json(parser)
    add_lines(parser, SHAPE)


def run(args: argparse.Namespace) -> int:
    if args.jsonl:
        refuse_beside_lines(args, "log")
        return answer_lines(args.jsonl, SHAPE, _answer)
    need_files(args, "log")
    if args.json:
        print(json.dumps(judged_log(args.log), ensure_ascii=False, indent=1))
    else:
        show(read_log(args.log))
    return 0


def judged_log(name: str) -> dict[str, Any]:
    """What the log of a session comes to. Raises ``Unusable``."""
    case = read_log(name)
    return judgement_to_json(case, case.judged())


def read_log(name: str) -> Case:
    """The log of a session, its moments in microseconds. Raises ``Unusable``."""
    try:
        read = read_json(read_bytes(name), unique_keys=True)
        if not isinstance(read, dict):
            raise Unusable(_("{name}: a log is one JSON object.").format(name=name))
        return log_from_json(read)
    except JsonTextError as error:
        raise Unusable(f"{name}: {say(error)}") from None
    except JsonValueError as error:
        raise Unusable(f"{name}: {describe(error, _)}") from None


def show(case: Case) -> None:
    """The session, a line for each file, what had no effect, and what becomes of all."""
    judged = case.judged()
    found = judgement_to_json(case, judged)
    refused = {each.file: each.refused for each in judged.files}
    session = found["session"]
    print(_("Session: {state}").format(state=_(STATES[State(session["state"])])))
    for words, moment in (
        (_("Opened: {moment}"), session["opened_at"]),
        (_("Closed: {moment}"), session["closed_at"]),
    ):
        if moment is not None:
            print(words.format(moment=moment))
    head = (_("file"), _("opens"), _("verdict"), _("why"), _("sends"), _("seconds"))
    rows = [_row(file, session["closed_at"], refused[file["file"]]) for file in found["files"]]
    print("\n" + table(head, rows))
    ineffective = Counter(each for each in found["events"] if each)
    if ineffective:
        print("\n" + _("Without effect:"))
        for reason, times in ineffective.items():
            print(f"  {_(INEFFECTIVE[Ineffective(reason)])}: {times}")
    told = _("Annulled: {count} of {all} ({share:.1%})")
    print(
        "\n" + told.format(count=found["annulled"], all=len(found["files"]), share=found["share"])
    )
    if found["solution"]:
        told_of = REHEARSED if case.is_rehearsal else SOLUTIONS
        print(_(told_of[Solution(found["solution"])]))


def _row(
    file: Mapping[str, Any], closed_at: Any, refused: frozenset[Content]
) -> tuple[object, ...]:
    verdict = _(VERDICTS[Verdict(file["verdict"])])
    why = _why(file, closed_at, refused) if file["reason"] else ""
    return file["file"], file["opens_at"], verdict, why, file["sends"], file["response"]


def _why(file: Mapping[str, Any], closed_at: Any, refused: frozenset[Content]) -> str:
    """The reason of an annulled file; times of a log are written alike, so that they compare."""
    opens_at = file["opens_at"]
    has_opened = opens_at is not None and (closed_at is None or opens_at <= closed_at)
    if file["reason"] == Annulled.MISSING and not has_opened and closed_at is not None:
        return _(NOT_HANDED_OUT)
    if file["reason"] == Annulled.NOT_REQUESTED and opens_at is not None:
        return _(OVER_BEFORE)
    return why_annulled(Annulled(file["reason"]), refused)


def why_annulled(reason: Annulled, refused: frozenset[Content]) -> str:
    """The reason of a file in words; ``refused``: the kinds of what was sent to it in vain."""
    if reason is Annulled.REJECTED and len(refused) == 1:
        return _(IN_VAIN[next(iter(refused))])
    return _(ANNULLED[reason])


def _answer(found: Mapping[str, Any]) -> dict[str, Any]:
    try:
        case = case_from_json(found)
    except JsonValueError as error:
        raise Unusable(describe(error, _)) from None
    return judgement_to_json(case, case.judged())
