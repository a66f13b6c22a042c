from __future__ import annotations

import textwrap

import pytest

from config import bootstrap, tools


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


LAZY = """
    from pathlib import Path

    def test_settles_down():
        tries = Path(__file__).with_name("tries")
        tries.write_text(tries.read_text() + "." if tries.exists() else ".")
        assert tries.read_text() == ".."
"""
GROUPED = """
    from pathlib import Path

    import pytest

    def test_runs():
        runs = Path(__file__).with_name("runs")
        runs.write_text(runs.read_text() + "." if runs.exists() else ".")

    @pytest.mark.xdist_group("services")
    @pytest.mark.parametrize("mail", ["ann@example.org"])
    def test_settles_down_beside_others(mail):
        tried = Path(__file__).with_name("tried")
        assert tried.exists() or tried.touch()
"""
BROKEN = """
    def test_never():
        assert not "ever"
"""


@pytest.fixture
def full_run(monkeypatch, tmp_path):
    """Run the full tier on a file of its own, as CI does or by hand: the exit code."""
    monkeypatch.setattr(tools, "ROOT", tmp_path)
    monkeypatch.setattr(
        tools, "LAST_FAILED", tmp_path / tools.LAST_FAILED.relative_to(bootstrap.ROOT)
    )
    (tmp_path / "pytest.ini").write_text("[pytest]")

    def run(*tests, ci="true", words=()):
        source = "".join(
            textwrap.dedent(each).replace("def test_", f"def test_{number}_")
            for number, each in enumerate(tests)
        )
        (tmp_path / "test_sample.py").write_text(source)
        monkeypatch.setenv("CI", ci)
        monkeypatch.setenv("PYTEST_ADDOPTS", "-q")
        return tools.test(["--full", "test_sample.py", *words])

    return run


def test_in_ci_what_failed_once_is_run_alone_and_named(full_run, capsys):
    assert full_run(LAZY) == 0
    assert capsys.readouterr().out == (
        "Failed at first, passed alone: test_sample.py::test_0_settles_down\n"
    )


def test_of_a_run_in_groups_only_what_failed_is_run_again(full_run, capsys, tmp_path):
    assert full_run(GROUPED, words=("-n", "1", "--dist", "loadgroup")) == 0
    assert capsys.readouterr().out == (
        "Failed at first, passed alone: "
        "test_sample.py::test_0_settles_down_beside_others[ann@example.org]\n"
    )
    assert (tmp_path / "runs").read_text() == "."


def test_what_fails_twice_has_failed(full_run, capsys):
    assert full_run(LAZY, BROKEN) == 1
    assert capsys.readouterr().out == ""


def test_more_than_a_few_are_not_tried_again(full_run, tmp_path):
    assert full_run(LAZY, *[BROKEN] * tools.FEW) == 1
    assert (tmp_path / "tries").read_text() == "."


def test_by_hand_nothing_is_run_twice(full_run):
    assert full_run(LAZY, ci="false") == 1


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
