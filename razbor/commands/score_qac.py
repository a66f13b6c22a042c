"""QAC: score answers to questions as NTCIR-3's scoring.pl 1.50 does, under its own options."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from razbor.alike import first_of_each_kind
from razbor.errors import Unusable
from razbor.helping import Example, add_examples
from razbor.inputs import read_bytes, unreadable
from razbor.options import add_json
from razbor.words import _
from schemes.core.qac import (
    Encoding,
    ExtractionError,
    Match,
    Options,
    Score,
    Task,
    UnusableFileError,
    extract,
    read_key,
    read_responses,
    read_texts,
    res_lines,
    score,
    score_lines,
    score_to_json,
    with_texts,
)
from schemes.core.qac.messages import (
    describe,
    describe_error,
    describe_place,
    describe_reading,
)
from schemes.core.qac.problems import Problem, Source
from web.core.sentences import in_one_line

Value = TypeVar("Value")

VERSION: Final = "1.50"
RES_DAT: Final = "res.dat"
NAMED: Final = 20
"""So many broken lines of a file are named."""

ANSWER: Final = (
    'QAC1-1100-01: "三重県", 990201001, "津市", 990201005',
    "QAC1-1021-01:",
)
RESPONSES: Final = (
    'QAC1-1100-01: "津市", 990201005, "三重県", 990201001',
    "QAC1-1021-01:",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Score answers to questions as NTCIR-3 QAC did (scoring.pl 1.50): tables are printed, "
        "res.dat is written to the current folder, notes go to the error output."
    )
    parser.error = partial(_refuse, parser)  # type: ignore[method-assign]
    parser.add_argument("responses", metavar="RESPONSES", help=_("what the system answered"))
    parser.add_argument("-a", "--answer", metavar="FILE", help=_("the right answers"))
    parser.add_argument(
        "-t", "--task", metavar="N", help=_("1 (the default): MRR; 2, 3: mean F-measure")
    )
    extraction = _(
        "instead of scores: 1 the right answers, 2 the responses, 3 those with a right string, "
        "4 the score of each question (task 2), 5 questions for checking (task 1)"
    )
    parser.add_argument("-e", "--extract", metavar="N", help=extraction)
    version = f"scoring.pl {VERSION} (razbor)"
    parser.add_argument(
        "-v", "--version", action="version", version=version, help=_("print the version")
    )
    parser.add_argument(
        "--match",
        metavar="string|article",
        default=Match.ARTICLE.value,
        help=_("must the article be right too? article (the default): yes; string: no"),
    )
    parser.add_argument(
        "--nfkc", action="store_true", help=_("letters of another width or form are alike")
    )
    parser.add_argument("--questions", metavar="FILE", help=_("texts of questions for --extract 5"))
    parser.add_argument(
        "--encoding", metavar="CODE", help=_("of all files, if it is not found by itself")
    )
    parser.add_argument(
        "--skip-broken", action="store_true", help=_("leave out lines that cannot be read")
    )
    add_json(parser)
    key = _("every right answer with its article; nothing after the ID: there is no answer")
    add_examples(
        parser,
        _("files, by an example:"),
        Example("--answer", key, ANSWER),
        Example("RESPONSES", _("the same, the best response first"), RESPONSES),
    )


def run(args: argparse.Namespace) -> int:
    """The tables on standard output and res.dat; everything that is said about them on stderr."""
    options = Options(_task(args.task), _match(args.match), nfkc=args.nfkc)
    number = _extraction(args.extract)
    found = _score(args, options)
    if found is None:
        return 2
    if args.json:
        text = json.dumps(score_to_json(found, _), ensure_ascii=False, indent=1) + "\n"
    else:
        text = _text(score_lines(found) if number is None else _extracted(found, number))
    if number is None and not args.json:
        _write_res_dat(found, (args.answer, args.responses, args.questions))
    _print(text)
    for note in _notes(found, args):
        print(note, file=sys.stderr)
    return 0


def _score(args: argparse.Namespace, options: Options) -> Score | None:
    """``None`` when lines are broken and were named."""
    if not args.answer:
        raise Unusable(_("--answer is missing. Name the file with the right answers."))
    named = [each for each in (args.answer, args.responses, args.questions) if each == "-"]
    if len(named) > 1:
        raise Unusable(_("The input can be read once only. Name the other files."))
    code = _encoding(args.encoding)
    key = _read(args.answer, lambda data: read_key(data, encoding=code))
    responses = _read(args.responses, lambda data: read_responses(data, encoding=code))
    problems = [*key.problems, *responses.problems]
    if args.questions:
        texts = _read(args.questions, lambda data: read_texts(data, encoding=code))
        key = with_texts(key, texts)
        problems += texts.problems
    if problems and not args.skip_broken:
        _name_broken(problems, _names(args))
        return None
    return score(key, responses, options)


def _name_broken(problems: list[Problem], names: Mapping[Source, str]) -> None:
    """A line for each broken line; of more than a few of one file only the number."""
    counts: Counter[Source] = Counter()
    for problem in problems:
        counts[problem.source] += 1
        if counts[problem.source] <= NAMED:
            print(f"razbor: {_sentence(problem, names)}", file=sys.stderr)
    for source, count in counts.items():
        if count > NAMED:
            more = Problem("more-problems", source, fields={"count": count - NAMED})
            print(f"razbor: {_sentence(more, names)}", file=sys.stderr)


def _notes(found: Score, args: argparse.Namespace) -> Iterator[str]:
    """What was odd, how it was read, and the average of the other reading."""
    names = _names(args)
    if not any(each.is_given for each in found.outcomes):
        words = _("{name}: no question of the key is answered here. Is this the right file?")
        yield words.format(name=names[Source.RESPONSES])
    yield from first_of_each_kind(found.warnings, lambda each: _sentence(each, names))
    for source, encoding in found.encodings.items():
        if encoding is not Encoding.UTF_8:
            words = _("{name}: read as {encoding}.")
            yield words.format(name=names[Source(source)], encoding=encoding.value)
    if args.task is None:
        yield _("reading: task 1, since --task is not given")
    for taken in found.readings:
        yield f"{describe_reading(taken.code, _)}: {taken.count}"
    yield from _both_averages(found)


def _both_averages(found: Score) -> Iterator[str]:
    """Shown where the two readings of a right response differ (schemes.md 4.3, 1)."""
    by_article = found.by_match[Match.ARTICLE].average
    by_string = found.by_match[Match.STRING].average
    if by_article is not None and by_string is not None and by_article != by_string:
        words = _("Average score: {article:.3f} by string and article, {string:.3f} by string.")
        yield words.format(article=by_article, string=by_string)


def _extracted(found: Score, number: int) -> Iterator[str]:
    try:
        return extract(found, number)
    except ExtractionError as error:
        raise Unusable(describe_error(error, _)) from None


def _write_res_dat(found: Score, inputs: Iterable[str | None]) -> None:
    """Whole or not at all; never over a file that was read."""
    target = Path(RES_DAT)
    if any(name and name != "-" and _is_same(target, name) for name in inputs):
        raise Unusable(
            _("{name} would be written over. Give that file another name.").format(name=RES_DAT)
        )
    beside = target.with_name(f"{RES_DAT}.{os.getpid()}")
    try:
        beside.write_text(_text(res_lines(found)), encoding="utf-8", newline="\n")
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        words = _("{name} cannot be written here: {reason}. Go to a folder of your own.")
        raise Unusable(words.format(name=RES_DAT, reason=error.strerror)) from None


def _is_same(target: Path, name: str) -> bool:
    try:
        return target.samefile(name)
    except OSError:
        return False


def _read(name: str, read: Callable[[bytes], Value]) -> Value:
    try:
        return read(read_bytes(name))
    except UnusableFileError as error:
        raise Unusable(f"{name}: {describe_error(error, _)}") from None
    except ValueError:  # a NUL in the name
        raise unreadable(name, FileNotFoundError()) from None


def _task(given: str | None) -> Task:
    known = {str(task.value): task for task in Task}
    if given == "4":
        raise Unusable(_("--task 4: what scoring.pl does there is not documented. Use 1, 2 or 3."))
    if given is not None and (signs := [each for each in given if not each.isalnum()]):
        named = ", ".join(_named(each) for each in dict.fromkeys(signs))
        sentence = _("--task “{given}” holds {signs}. Give one number alone: 1, 2 or 3.")
        raise Unusable(sentence.format(given=in_one_line(given), signs=named))
    if given is not None and given not in known:
        raise Unusable(_("--task {given}: there is none. Use 1, 2 or 3.").format(given=given))
    return known[given or "1"]


def _named(sign: str) -> str:
    """A sign that may not stand there, so that it is seen in a terminal."""
    if sign == " ":
        return _("a blank")
    if not sign.isprintable():
        return f"U+{ord(sign):04X}"
    return _("“{sign}”").format(sign=sign)


def _extraction(given: str | None) -> int | None:
    if given is None:
        return None
    if given not in ("1", "2", "3", "4", "5"):
        error = ExtractionError("no-extraction", number=given)
        raise Unusable(describe_error(error, _))
    return int(given)


def _match(given: str) -> Match:
    known = {match.value: match for match in Match}
    if given not in known:
        raise Unusable(
            _("--match {given}: there is none. Use string or article.").format(given=given)
        )
    return known[given]


def _encoding(given: str | None) -> Encoding | None:
    if given is None:
        return None
    known = {each.value.lower(): each for each in Encoding}
    if given.lower().replace("-jis", "_jis") not in known:
        words = _("--encoding {given}: there is none. Use {known}.")
        raise Unusable(words.format(given=given, known=", ".join(Encoding)))
    return known[given.lower().replace("-jis", "_jis")]


def _names(args: argparse.Namespace) -> Mapping[Source, str]:
    return {
        Source.KEY: args.answer,
        Source.RESPONSES: args.responses,
        Source.QUESTIONS: args.questions,
    }


def _sentence(problem: Problem, names: Mapping[Source, str]) -> str:
    place = describe_place(problem.place, _)
    where = f"{names[problem.source]}, {place}" if place else names[problem.source]
    return f"{where}: {describe(problem, _)}"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _print(text: str) -> None:
    """Always UTF-8, whatever the terminal says of itself (schemes.md 4.3, 15)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)


def _refuse(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """One line for a wrong option, as for every other bad input (schemes.md 4.4)."""
    parser.exit(2, f"razbor: {message}\n")
