from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from config.supervisor import Child

SUPERVISE = """
    import sys
    from pathlib import Path
    from config.supervisor import Child, supervise

    def farewell():
        print("shut", flush=True)

    folder, programs = Path(sys.argv[1]), sys.argv[2:]
    children = [
        Child(f"child{i}", [sys.executable, "-c", program, str(folder)], folder / f"{i}.log")
        for i, program in enumerate(programs)
    ]
    sys.exit(supervise(children, ready=bool, announce=print, shut=farewell, patience=0.5))
"""
LIVE = "import os, sys, time; open(f'{sys.argv[1]}/{os.getpid()}', 'w'); time.sleep(60)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + LIVE
PARENT = "import os; os.fork(); " + LIVE
BROKEN = "raise SystemExit('no settings')"


@pytest.fixture
def births(tmp_path):
    """Wait until so many processes of ours were born; their numbers."""

    def wait(count):
        deadline = time.monotonic() + 8
        while len(found := [int(path.name) for path in tmp_path.glob("[0-9]*[0-9]")]) < count:
            assert time.monotonic() < deadline, "the children do not start"
            time.sleep(0.02)
        return found

    return wait


def parent(pid):
    told = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, check=True)
    return int(told.stdout)


def gone(pid):
    deadline = time.monotonic() + 5
    while is_alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def is_alive(pid):
    # A process that has ended stays in the table until init, in its own time, looks.
    state = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, check=False)
    return state.stdout.strip() not in (b"", b"Z")


def test_a_dead_child_is_started_again(tmp_path, births, start, said):
    supervisor = start(SUPERVISE, tmp_path, LIVE)
    [first] = births(1)
    os.kill(first, signal.SIGKILL)

    [second] = {*births(2)} - {first}
    assert parent(second) == supervisor.pid
    supervisor.terminate()
    assert supervisor.wait(5) == 0
    assert "child0 stopped with code -9" in said(supervisor)


def test_the_first_death_brings_no_pause_and_each_that_follows_soon_a_longer_one(tmp_path):
    child = Child("child", [sys.executable, "-S", "-c", ""], tmp_path / "log")

    def pause(now, lived):
        child.start(now - lived)
        child.process.wait()
        child.mourn(now)
        return child.due - now

    lives = [1, 1, 1, 31, 1]

    assert [pause(100, lived) for lived in lives] == [0, 0.5, 1, 0, 0.5]


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_shuts_the_door_and_stops_everybody(tmp_path, births, start, said, asked):
    supervisor = start(SUPERVISE, tmp_path, LIVE, LIVE)
    children = births(2)

    supervisor.send_signal(asked)

    assert supervisor.wait(5) == 0
    assert all(map(gone, children))
    assert said(supervisor).splitlines()[0] == "shut"


def test_who_ignores_term_is_killed(tmp_path, births, start):
    supervisor = start(SUPERVISE, tmp_path, STUBBORN)
    [child] = births(1)

    supervisor.terminate()

    assert supervisor.wait(5) == 0
    assert gone(child)


def test_children_of_a_dead_child_go_with_it(tmp_path, births, start):
    supervisor = start(SUPERVISE, tmp_path, PARENT)
    family = births(2)

    os.kill(min(family), signal.SIGKILL)

    assert all(map(gone, family))
    supervisor.terminate()
    supervisor.wait(5)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of a parent's death")
def test_a_killed_supervisor_leaves_no_orphans(tmp_path, births, start):
    supervisor = start(SUPERVISE, tmp_path, LIVE, LIVE)
    children = births(2)

    supervisor.kill()

    assert all(map(gone, children))


def test_a_child_that_never_starts_ends_the_run_with_its_last_words(tmp_path, start, said):
    supervisor = start(SUPERVISE, tmp_path, BROKEN)

    assert supervisor.wait(8) == 1
    assert "no settings" in said(supervisor).splitlines()
