from __future__ import annotations

import pytest

from config import tools


@pytest.fixture
def asked(monkeypatch):
    """What would have been run."""
    calls = []
    monkeypatch.setattr(tools, "python", lambda words, env=None: calls.append((words, env)) or 5)
    return calls


@pytest.mark.parametrize(
    ("arguments", "tier", "expression"),
    [
        ([], "fast", "not full and not long"),
        (["--full"], "full", "not long"),
        (["--long"], "long", ""),
    ],
)
def test_a_tier_chooses_its_tests(monkeypatch, asked, arguments, tier, expression):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert tools.test([*arguments, "tests/config", "-x"]) == 5

    [(words, environment)] = asked
    assert words[:4] == ["-m", "pytest", "-m", expression]
    assert words[-2:] == ["tests/config", "-x"]
    assert environment == {"RAZBOR_TEST_TIER": tier}


@pytest.mark.parametrize(
    ("arguments", "cores"),
    [(["tests/config"], True), (["-k", "x.y"], True), (["a/test_b.py::test_c", "-x"], False)],
)
def test_a_single_file_is_not_spread_over_processes(arguments, cores):
    assert ("-n" in tools.spread(arguments)) == cores


@pytest.mark.parametrize("name", ["bench", "shots"])
def test_bench_and_shots_are_packages_of_the_tests(asked, name):
    assert tools.COMMANDS[name](["--quick"]) == 5
    assert asked == [(["-m", f"tests.{name}", "--quick"], None)]


def test_lint_runs_every_check_and_names_the_failed_one(monkeypatch, capsys):
    monkeypatch.setattr(
        tools,
        "all_checks",
        lambda: [
            tools.Check("first", ["-c", "raise SystemExit('crooked')"]),
            tools.Check("second", ["-c", "print('quiet')"]),
            tools.Check("third", [], "skipped: nothing to read"),
        ],
    )

    assert tools.lint([]) == 1

    said = capsys.readouterr().out
    assert "--- first\ncrooked\n" in said
    assert "quiet" not in said
    summary = [line.split() for line in said.splitlines()[-3:]]
    assert [(line[0], line[3]) for line in summary] == [
        ("first", "FAILED"),
        ("second", "ok"),
        ("third", "skipped:"),
    ]


def test_one_check_can_be_asked_for(monkeypatch):
    checks = [tools.Check("good", ["-c", ""]), tools.Check("bad", ["-c", "raise SystemExit(1)"])]
    monkeypatch.setattr(tools, "all_checks", lambda: checks)

    assert tools.lint(["good"]) == 0
