from __future__ import annotations

import os
import socket
import threading

import pytest

from config import run


@pytest.fixture
def busy_port(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(run, "FIRST_PORT", server.getsockname()[1])
        monkeypatch.setenv("LC_ALL", "C")
        yield run.FIRST_PORT


def test_a_taken_port_is_passed_over_aloud(busy_port, capsys):
    with run.listen(None) as listener:
        port = listener.getsockname()[1]

    assert busy_port < port < busy_port + 100
    assert capsys.readouterr().err == f"Port {busy_port} is taken, using {port}.\n"


def test_a_wanted_port_is_never_exchanged_for_another(busy_port):
    with pytest.raises(SystemExit) as left:
        run.listen(busy_port)

    assert left.value.code == f"Port {busy_port} is not free."


@pytest.mark.parametrize(
    ("set_to", "words", "port"),
    [("8111", [], 8111), ("8111", ["--port", "0"], 0), ("", [], None), (None, [], None)],
)
def test_the_environment_says_the_port_unless_the_command_line_does(
    set_to, words, port, monkeypatch
):
    monkeypatch.delenv("PORT", raising=False)
    if set_to is not None:
        monkeypatch.setenv("PORT", set_to)

    assert run.options_of(words).port == port


@pytest.mark.parametrize("value", ["http", "0", "65536", "-1"])
def test_a_port_that_is_none_is_refused_by_name(value, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PORT", value)

    with pytest.raises(SystemExit) as left:
        run.options_of([])

    assert left.value.code == f"A setting is wrong: PORT={value}: use a number from 1 to 65535."


def test_a_port_just_left_is_free():
    with run.listen(0) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), listener.accept()[0]:
            pass

    run.listen(port).close()


@pytest.fixture
def asked(monkeypatch):
    """Health that asks, and how an answer is given to it."""
    monkeypatch.setenv("LC_ALL", "C")
    with run.listen(0) as listener:
        listener.settimeout(5)
        health = run.Health(listener.getsockname()[1])

        def answer(words):
            with listener.accept()[0] as connection:
                connection.recv(1000)
                connection.sendall(f"HTTP/1.0 {words}\r\n\r\n".encode())

        watch = threading.Thread(target=health.watch)
        watch.start()
        listener.accept()[0].close()  # a web process that died at once
        assert not health.answered()
        yield health, answer, watch
        watch.join(5)


@pytest.mark.parametrize("words", ["200 OK", "503 Service Unavailable"])
def test_any_answer_will_do_to_announce_the_address(words, asked, capfd, monkeypatch):
    monkeypatch.setattr(run, "SETTLING", 0)
    health, answer, watch = asked
    answer(words)
    watch.join(5)

    with run.listen(0) as gateway:
        programs = gateway.getsockname()[1]
        run.welcome(health, 2.34, "expert  secret\n", gateway)

    said = capfd.readouterr()
    assert health.answered()
    assert said.out == (
        f"Razbor is ready in 2.3 s: http://127.0.0.1:{health.port}/\nexpert  secret\n"
        f"Gateway for programs: http://127.0.0.1:{programs}\n"
    )
    assert ("not well" in said.err) == (words != "200 OK")


def test_what_is_still_starting_is_not_told_as_a_fault(asked, capfd):
    health, answer, watch = asked

    answer("503 Service Unavailable")
    answer("503 Service Unavailable")
    answer("200 OK")
    watch.join(5)

    assert (health.is_well(), watch.is_alive()) == (True, False)
    assert capfd.readouterr().err == ""


def test_what_was_prepared_is_familiar_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path / "var"))
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    migration = tmp_path / "app" / "migrations" / "0001.py"
    for file in (migration, tmp_path / "requirements.txt", tmp_path / "var" / "razbor.sqlite3"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    assert not run.is_familiar()

    (tmp_path / "var" / run.FAMILIAR).write_text(run.fingerprint())
    assert run.is_familiar()

    migration.with_name("0002.py").write_text("")
    assert not run.is_familiar()
    migration.with_name("0002.py").unlink()
    (tmp_path / "var" / "razbor.sqlite3").unlink()
    assert not run.is_familiar()


def test_a_grown_log_is_put_aside(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "LARGEST_LOG", 3)
    (tmp_path / "web.log").write_text("long")
    (tmp_path / "tick.log").write_text("-")

    run.put_aside(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {"web.old", "tick.log"}


def test_a_core_has_a_process_of_the_web_unless_the_environment_says_otherwise(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.delenv("WEB_PROCESSES", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    assert run.web_processes() == 3

    monkeypatch.setenv("WEB_PROCESSES", "5")
    assert run.web_processes() == 5


@pytest.mark.parametrize(
    ("address", "said", "processes"),
    [
        ("postgres://localhost/razbor", "", 3),
        ("postgresql://localhost/razbor", "", 3),
        ("sqlite:///razbor.sqlite3", "", 1),
        ("", "", 1),
        ("postgres://localhost/razbor", "1", 1),
        ("", "2", 2),
    ],
)
def test_two_hands_of_the_worker_help_where_two_may_write(address, said, processes, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("WORKER_PROCESSES", said)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5}, raising=False)

    assert run.worker_processes() == processes


@pytest.mark.parametrize("value", ["0", "-1", "65", "two", "1.5", "²"])
def test_a_number_of_processes_that_is_none_is_refused_by_name(value, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("WEB_PROCESSES", value)

    with pytest.raises(SystemExit) as left:
        run.web_processes()

    said = f"A setting is wrong: WEB_PROCESSES={value}: use a number from 1 to 64."
    assert left.value.code == said


def test_children_keep_bytecode_in_var_where_none_is_wanted_beside_the_sources(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    child = run.child("child", ["-c", "import config.speech"], tmp_path)

    child.start(0.0)
    child.process.wait()

    kept = {path.name.partition(".")[0] for path in (tmp_path / "bytecode").rglob("*.pyc")}
    assert "speech" in kept


def test_letters_of_the_worker_lead_to_the_port_that_is_served(monkeypatch, tmp_path):
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path))
    with run.listen(0) as listener, run.listen(0) as gateway:
        children = {each.name: each for each in run.our_children(listener.fileno(), gateway)}
        port = listener.getsockname()[1]
        still_open = listener.getsockname()[1]

    served = {name: each.environment.get("SERVED_HERE") for name, each in children.items()}
    assert served["worker"] == f"http://127.0.0.1:{port}"
    assert still_open == port
