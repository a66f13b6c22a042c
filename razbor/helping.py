"""What a command's ``--help`` says of the files it reads: an example, to be copied."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A file that can be read: the option that names it, what stands in it, and its lines."""

    option: str
    words: str
    lines: Sequence[str]


class LineKept(argparse.HelpFormatter):
    """Wraps sentences, and leaves a line of a file as long as it is: it will be copied."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def end_with(parser: argparse.ArgumentParser, lines: Sequence[str]) -> None:
    """Let the help end with these lines, as they are."""
    parser.formatter_class = LineKept
    kept = [line.replace("%", "%%") for line in lines]
    parser.epilog = "\n".join([*filter(None, [parser.epilog]), *kept])


def add_examples(parser: argparse.ArgumentParser, heading: str, *examples: Example) -> None:
    """An example of each file at the end of the help; together they can be scored."""
    lines = [heading]
    for each in examples:
        lines.append(f"  {each.option}: {each.words}")
        lines += [f"    {line}" for line in each.lines]
    end_with(parser, lines)
