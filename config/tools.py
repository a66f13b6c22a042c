"""The tools of development behind `manage.py test`, `lint`, `bench` and `shots`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from config.bootstrap import ROOT, bytecode
from config.floors import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TIERS: Final = {"fast": "not full and not long", "full": "not long", "long": ""}
LAST_FAILED: Final = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
SOME_FAILED: Final = 1
"""What pytest ends with where tests failed, and nothing else was wrong."""
FEW: Final = 6
WAITING: Final = 2
"""Processes of the full tier beyond the cores."""
IMPORT_LINTER: Final = "from importlinter.cli import lint_imports_command as main; main()"


def test(arguments: Sequence[str]) -> int:
    """Run pytest: the fast tier, `--full` (services and a browser) or `--long` (soaks too).

    In CI the few that failed in the full tier are run once more, by themselves.
    """
    tier = next((name for name in ("long", "full") if f"--{name}" in arguments), "fast")
    rest = [word for word in arguments if word not in ("--full", "--long")]
    command = ["-m", "pytest", "-m", TIERS[tier], *spread(rest, tier), *rest]
    environment = {"RAZBOR_TEST_TIER": tier, **bytecode(os.environ)}
    status = python(command, environment)
    if status == SOME_FAILED and tier != "fast" and os.environ.get("CI") == "true":
        return once_more(environment)
    return status


def once_more(environment: dict[str, str]) -> int:
    """Tell a fault from a machine that was busy: what fails by itself too has failed.

    What passes now is named at the end, for whoever mends it: it is not steady.
    """
    failed = sorted(map(alone, json.loads(LAST_FAILED.read_text("utf-8"))))
    if len(failed) > FEW:
        return SOME_FAILED
    # Which parts of the tier ran, the first run has counted.
    status = python(["-m", "pytest", "-p", "no:ledger", *failed], environment)
    if not status:
        sys.stdout.write("".join(f"Failed at first, passed alone: {name}\n" for name in failed))
    return status


def alone(name: str) -> str:
    """The name of a test without that of the group it ran in, as xdist writes it after an ``@``."""
    before, _, group = name.rpartition("@")
    return before if before and "]" not in group else name


def spread(arguments: Sequence[str], tier: str = "fast") -> list[str]:
    """Use all cores, except for a file or a test: that is over before a second process is up.

    The full tier gets more: several of its groups (tests/tiers.py) wait as much as they work.
    """
    if any(word.partition("::")[0].endswith(".py") for word in arguments):
        return []
    # Tests of the same services share one process (tests/tiers.py).
    processes = min(os.cpu_count() or 2, 8) + (WAITING if tier != "fast" else 0)
    return ["-n", str(processes), "--dist", "loadgroup"]


def bench(arguments: Sequence[str]) -> int:
    return python(["-m", "tests.bench", *arguments])


def shots(arguments: Sequence[str]) -> int:
    return python(["-m", "tests.shots", *arguments])


def python(words: Sequence[str], environment: dict[str, str] | None = None) -> int:
    command = [sys.executable, *words]
    finished = subprocess.run(  # noqa: S603 - our own words, no shell
        command, cwd=ROOT, env={**os.environ, **(environment or {})}, check=False
    )
    return finished.returncode


@dataclass(frozen=True)
class Check:
    name: str
    words: Sequence[str]
    reason_to_skip: str = ""


@dataclass(frozen=True)
class Verdict:
    check: Check
    passed: bool
    seconds: float
    output: str

    def __str__(self) -> str:
        word = self.check.reason_to_skip or ("ok" if self.passed else "FAILED")
        return f"{self.check.name:<16}{self.seconds:6.1f} s  {word}"


def lint(arguments: Sequence[str]) -> int:
    """Run every check, even after one failed; the last lines say which did."""
    checks = [check for check in all_checks() if not arguments or check.name in arguments]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(judge, checks))
    for verdict in verdicts:
        if not verdict.passed:
            sys.stdout.write(f"--- {verdict.check.name}\n{verdict.output.rstrip()}\n\n")
    sys.stdout.write("\n".join(map(str, verdicts)) + "\n")
    return int(not all(verdict.passed for verdict in verdicts))


def all_checks() -> list[Check]:
    templates = any((ROOT / "templates").rglob("*.html"))
    return [
        Check("ruff", ["-m", "ruff", "check"]),
        Check("ruff-format", ["-m", "ruff", "format", "--check"]),
        Check("mypy", ["-m", "mypy"]),
        Check("imports", ["-c", IMPORT_LINTER]),
        Check("bandit", ["-m", "bandit", "-q", "-r", "-c", "pyproject.toml", *FOLDERS]),
        Check(
            "djlint",
            ["-m", "djlint", "templates", "--profile=django", "--lint", "--quiet"],
            "" if templates else "skipped: no templates",
        ),
        Check(
            "templates",
            ["-m", "djlint", "templates", "--check", "--quiet"],
            "" if templates else "skipped: no templates",
        ),
        Check("migrations", ["manage.py", "makemigrations", "--check", "--dry-run"]),
    ]


def judge(check: Check) -> Verdict:
    began = time.monotonic()
    if check.reason_to_skip:
        return Verdict(check, passed=True, seconds=0.0, output="")
    finished = subprocess.run(  # noqa: S603 - our own words, no shell
        [sys.executable, *check.words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Verdict(check, finished.returncode == 0, time.monotonic() - began, finished.stdout)


COMMANDS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "test": test,
    "lint": lint,
    "bench": bench,
    "shots": shots,
}
