"""Take part in an exchange session with a program that marks: files in, answers out."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from contest.core.moments import at
from contest.core.session_json import MICROSECOND, Case, judgement_to_json, log_from_json
from contest.core.session_rules import State, Verdict
from razbor.answers import Nonsense, check
from razbor.client import Exchange, ExchangeError, File
from razbor.commands.session import show
from razbor.errors import Unusable
from razbor.parcels import hand_in, read_archive
from razbor.programs import (
    Folders,
    Marker,
    MarkerFailed,
    OneByOne,
    Persistent,
    essay_for_trial,
    words_of,
)
from razbor.watching import Watcher
from razbor.words import _

MODES: Final = ("technical", "algorithmic", "final")
OPEN: Final = frozenset({State.WAITING.value, State.OPEN.value})
UNDECIDED: Final = frozenset({Verdict.WAITING, Verdict.OPEN})
VARIABLE: Final = "RAZBOR_TOKEN"
AT_FIRST: Final = 5.0
"""Seconds in which the platform must answer for the first time."""
PATIENCE: Final = 900.0
"""Seconds a cut may last once a session is open."""
NEAR: Final = 60.0
"""Seconds to the end of a session that are waited for: the last file of a final, at most."""
ONE: Final = timedelta(seconds=1)
TRIAL: Final = 300.0
"""Seconds a program has to wake up before a session is opened."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Take part in an exchange session: each file goes to your program, its answer is checked "
        "and sent. The key of your account is read from RAZBOR_TOKEN, or asked for."
    )
    parser.add_argument("--url", required=True, help=_("the address of the platform"))
    parser.add_argument("--mode", choices=MODES, help=_("which session to open"))
    parser.add_argument("--files", type=int, metavar="N", help=_("how many files, 10 to 1000"))
    parser.add_argument("--time", type=int, metavar="S", help=_("seconds for each, 10 to 60"))
    parser.add_argument("--set", choices=("train", "test"), help=_("training or test essays"))
    parser.add_argument("--lang", choices=("all", "rus", "eng"), help=_("essays in which language"))
    parser.add_argument("--final", type=int, metavar="N", help=_("the number of the final"))
    parser.add_argument(
        "--marker",
        metavar="COMMAND",
        help=_("a program started for each file: essay JSON in, markup JSON or brackets out"),
    )
    parser.add_argument(
        "--persistent",
        metavar="COMMAND",
        help=_("a program started once: a line of JSON in, a line of JSON out"),
    )
    parser.add_argument("--in", dest="essays", metavar="DIR", help=_("put essays into this folder"))
    parser.add_argument(
        "--out", dest="answers", metavar="DIR", help=_("take answers from this one")
    )
    parser.add_argument("--zip", metavar="FILE", help=_("hand in an archive of markups instead"))
    parser.add_argument("--to", metavar="SET", help=_("the set that the archive is for"))
    log = _("write the log to a file; the end of the session is waited for, if it is near")
    parser.add_argument("--log", metavar="FILE", help=log)
    parser.add_argument(
        "--resume", action="store_true", help=_("go on with the open session, if there is one")
    )
    ends = _(
        "end the open session; what was answered makes no markups and no report then, but for a "
        "final, which cannot be taken up again"
    )
    parser.add_argument("--abort", action="store_true", help=ends)


def run(args: argparse.Namespace) -> int:
    _refuse_unclear(args)
    if args.log and args.zip is None:
        _refuse_unwritable(args.log)
    try:
        return _take_part(args)
    except ExchangeError as error:
        raise Unusable(told(error)) from None


def told(error: ExchangeError) -> str:
    """The sentence of an error, with what to do about it where the platform cannot know."""
    if error.status == 401:
        remedy = _("Make a key on the page of your account and put it into RAZBOR_TOKEN.")
        return f"{error.sentence} {remedy}"
    return error.sentence


def token() -> str:
    """The key from the environment, or from whoever sits at the terminal."""
    found = os.environ.get(VARIABLE, "")
    if not found and sys.stdin.isatty():
        found = getpass.getpass(_("Key of your account: "))
    if not found:
        raise Unusable(_("The key of your account is missing. Put it into RAZBOR_TOKEN."))
    return found


def _refuse_unclear(args: argparse.Namespace) -> None:
    if args.abort:
        return
    if (args.zip is None) != (args.to is None):
        raise Unusable(_("--zip and --to belong together: an archive and the name of its set."))
    if args.zip is not None:
        read_archive(args.zip)
        return
    _refuse_unclear_session(args)


def _refuse_unclear_session(args: argparse.Namespace) -> None:
    if not args.mode:
        raise Unusable(_("Add --mode: technical, algorithmic or final."))
    ways = [args.marker, args.persistent, args.essays or args.answers]
    if sum(way is not None for way in ways) != 1:
        raise Unusable(_("Name one program: --marker, --persistent, or --in with --out."))
    if (args.essays is None) != (args.answers is None):
        raise Unusable(_("--in and --out belong together."))
    if args.essays and Path(args.essays).resolve() == Path(args.answers).resolve():
        raise Unusable(_("--in and --out must be two folders."))
    for command in (args.marker, args.persistent):
        if command is not None:
            words_of(command)


def _take_part(args: argparse.Namespace) -> int:
    watcher = Watcher()
    exchange = Exchange(args.url, token(), patience=AT_FIRST, on_cut=watcher.cut)
    if args.zip is not None:
        return hand_in(exchange, args.zip, args.to)
    present = _present(exchange)
    if args.abort:
        return _abort(exchange, present, args)
    if present is not None and not args.resume and _is_over(exchange, present):
        present = None
    if present is not None:
        _refuse_another(present, args)
    marker = _marker(args, goes_on=present is not None)
    try:
        if present is None:
            _try_out(marker, watcher)
        session = present or _opened(exchange, args)
        exchange.patience = PATIENCE
        watcher.begins(session, again=present is not None)
        if present is None and args.mode == "algorithmic":
            print(fewer_than_asked(session["files"], args.files, args.set), end="", flush=True)
        return _hold(exchange, session, marker, watcher, args)
    finally:
        marker.close()
        watcher.close()


def _present(exchange: Exchange) -> dict[str, Any] | None:
    """The session that is open still, as it stands."""
    listed = exchange.present()
    standing = exchange.state(listed["id"]) if listed else None
    return standing if standing and standing["state"] in OPEN else None


def _is_over(exchange: Exchange, present: Mapping[str, Any]) -> bool:
    """Whether a session ended by itself, and is settled within seconds."""
    closes_at = log_from_json(exchange.log(present["id"])).closes_at()
    return closes_at is not None and at(closes_at) < datetime.fromisoformat(present["now"])


def _refuse_another(present: dict[str, Any], args: argparse.Namespace) -> None:
    """Whoever opened it may be at work still. Raises ``Unusable`` unless it is asked for."""
    if present["door"] != "rest":
        words = _("Session {id} was opened by another client: go on there.")
        raise Unusable(f"{words.format(id=present['id'])} {what_abort_does(present['mode'])}")
    if args.resume and present["mode"] == args.mode:
        return
    words = _(
        "Session {id} is open, perhaps by another program: go on with it by --resume --mode {mode}."
    )
    told = f"{words.format(id=present['id'], mode=present['mode'])} "
    told += what_abort_does(present["mode"])
    if present["state"] == State.WAITING.value:
        words = _(
            "Session {id} is open, and its first file has not come yet: go on with it by --resume "
            "--mode final, or leave it with --abort and open it again later."
        )
        told = words.format(id=present["id"])
    raise Unusable(told)


def what_abort_does(mode: str) -> str:
    """What is lost by ``--abort`` (sessions.md 7), said wherever it is named."""
    if mode == "final":
        return _("--abort would end it for good: it cannot be taken up again.")
    if mode == "technical":
        return _("--abort ends it.")
    return _("--abort gives it up: no markups and no report are made of an aborted session.")


def _opened(exchange: Exchange, args: argparse.Namespace) -> dict[str, Any]:
    wish = {"final": args.final} if args.mode == "final" else {}
    if args.mode == "algorithmic":
        wish = {"files": args.files, "time": args.time, "set": args.set, "language": args.lang}
    return exchange.open(args.mode, **wish)


def fewer_than_asked(files: int, asked: int | None, pool: str | None) -> str:
    """A line that says that a session has fewer files than were asked for; empty of others."""
    if not asked or files >= asked:
        return ""
    words = _("There are no more essays to give: the session has {files} of {asked} files.")
    told = words.format(files=files, asked=asked)
    if pool == "test":
        told += " " + _("It is one of the five with test essays in 24 hours all the same.")
    return f"{told}\n"


def _marker(args: argparse.Namespace, *, goes_on: bool) -> Marker:
    if args.marker is not None:
        return OneByOne(args.marker)
    if args.persistent is not None:
        return Persistent(args.persistent)
    return Folders(Path(args.essays), Path(args.answers), goes_on=goes_on)


def _try_out(marker: Marker, watcher: Watcher) -> None:
    """Wake the program up with an essay of nobody, before any clock runs. Raises ``Unusable``."""
    if marker.corrects:
        return
    trial = File(0, "0", 0, 0, dict(essay_for_trial()), time.monotonic() + TRIAL)
    marker.tick = watcher.tries(TRIAL)
    try:
        check(marker.mark(trial), trial.essay)
    except (MarkerFailed, Nonsense) as error:
        words = _("Your program failed at a trial, and no session was opened: {why}")
        told = words.format(why=error)
        if isinstance(marker, Persistent) and isinstance(error, MarkerFailed) and error.late:
            hint = _("A program that reads its input to the end belongs to --marker.")
            told = f"{told}. {hint}"
        raise Unusable(told) from None


def _hold(
    exchange: Exchange,
    opened: Mapping[str, Any],
    marker: Marker,
    watcher: Watcher,
    args: argparse.Namespace,
) -> int:
    """All files of a session, then what came of it."""
    session = opened["id"]
    try:
        while file := exchange.next(session):
            watcher.gets(file)
            marker.tick = lambda file=file: watcher.ticks(file)  # type: ignore[misc]
            if not _answered(exchange, file, marker, watcher):
                _rest(file, marker)
        watcher.close()
        return _report(exchange, session, args)
    except (ExchangeError, KeyboardInterrupt, Unusable) as error:
        watcher.close()
        words = _("Session {id} stays open: --resume goes on with it.").format(id=session)
        if (
            not isinstance(error, ExchangeError)
            or error.code == "unreachable"
            or error.status == 401
        ):
            print(f"{words} {what_abort_does(opened['mode'])}", file=sys.stderr)
        raise


def _answered(exchange: Exchange, file: File, marker: Marker, watcher: Watcher) -> bool:
    """Mark a file and send the answer; true once one was accepted."""
    while True:
        try:
            checked = check(marker.mark(file), file.essay)
        except MarkerFailed as error:
            watcher.fails(file, str(error))
            return False
        except Nonsense as error:
            watcher.fails(file, str(error))
        else:
            receipt = exchange.send(file, checked.body)
            watcher.sent(file, checked, receipt)
            if receipt.accepted or not receipt.sends_left:
                return receipt.accepted
        if not marker.corrects:
            return False


def _rest(file: File, marker: Marker) -> None:
    """Wait until a file is due: before that it would be handed out again."""
    while file.seconds_left:
        marker.tick()
        time.sleep(min(1.0, file.seconds_left + 0.05))


def _abort(exchange: Exchange, present: dict[str, Any] | None, args: argparse.Namespace) -> int:
    if present is None:
        print(_("No session is open."))
        return 0
    ended = exchange.abort(present["id"])
    if not ended.get("withdrawn"):
        return _report(exchange, present["id"], args)
    _keep_log(exchange.log(present["id"]), args)
    words = _(
        "Session {id} is ended. It had not begun and counts for nothing: --mode final opens it "
        "again."
    )
    print(words.format(id=present["id"]))
    return 0


def _report(exchange: Exchange, session: int, args: argparse.Namespace) -> int:
    """Write the log, show what it comes to; 1 when a file is annulled."""
    log, case = _settled_log(exchange, session, args)
    found = judgement_to_json(case, case.judged())
    show(case)
    if found["session"]["state"] in OPEN:
        words = _(
            "The session closes by itself at {moment} and keeps its answers: leave it to that. "
            "Verdicts stay as they are; the log of the whole session is on its page then."
        )
        moment = datetime.now().astimezone() + timedelta(seconds=_seconds_left(case))
        print(f"{words.format(moment=f'{moment:%X}')} {what_abort_does(log['mode'])}")
    return int(found["annulled"] > 0)


def _settled_log(
    exchange: Exchange, session: int, args: argparse.Namespace
) -> tuple[dict[str, Any], Case]:
    """The log, once all files have their verdicts and an end that is near has come.

    It is kept before that as well, lest Ctrl+C lose it. The platform settles what fell due some
    seconds later.
    """
    patience, told = time.monotonic() + 2 * NEAR, False
    while True:
        log = exchange.log(session)
        _keep_log(log, args)
        case = log_from_json(log)
        pause = _pause(case)
        if not pause or time.monotonic() > patience:
            return log, case
        if not told:
            print(_("Waiting for the last verdicts and the end, a minute at most."), flush=True)
            told = True
        time.sleep(pause)


def _pause(case: Case) -> float:
    """Seconds until it is worth while to look again; 0 when nothing will change soon."""
    left = _seconds_left(case)
    if 0 < left <= NEAR:
        return left + 0.1
    return float(any(each.verdict in UNDECIDED for each in case.judged().files))


def _seconds_left(case: Case) -> float:
    """Until the session ends by itself; 0 when it has, or when nobody knows."""
    closes_at = case.closes_at()
    return 0.0 if closes_at is None else max(0.0, (closes_at - case.until) * MICROSECOND / ONE)


def _keep_log(log: dict[str, Any], args: argparse.Namespace) -> None:
    if args.log:
        _write(args.log, json.dumps(log, ensure_ascii=False, indent=1) + "\n", mode="w")


def _refuse_unwritable(name: str) -> None:
    """Raise ``Unusable`` where no log can be written; no empty file stays where none comes."""
    is_new = not Path(name).exists()
    _write(name, "", mode="a")
    if is_new:
        Path(name).unlink(missing_ok=True)


def _write(name: str, text: str, *, mode: str) -> None:
    try:
        with Path(name).open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Unusable(f"{name}: {error.strerror}.") from None
