from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from config import bootstrap, packages
from config.bootstrap import ROOT, RUNTIME, WITH_TOOLS, bytecode, complete, is_complete
from config.packages import SetUpError, interpreter

COMPLETE = """
    import sys
    from pathlib import Path
    from config.bootstrap import RUNTIME, complete

    complete(Path(sys.argv[1]), RUNTIME)
"""


def test_unchanged_locks_are_installed_once(checkout, installs):
    complete(checkout, RUNTIME)
    complete(checkout, RUNTIME)

    assert len([line for line in installs() if line.startswith("start")]) == 1


def test_a_changed_lock_is_installed_again(checkout, installs):
    complete(checkout, RUNTIME)
    (checkout / "requirements.txt").write_text("django==5.2.20 --hash=sha256:1\n")

    assert not is_complete(checkout, RUNTIME)
    complete(checkout, RUNTIME)

    assert is_complete(checkout, RUNTIME)
    assert installs().count("end") == 2


def test_tools_are_added_to_the_runtime_and_satisfy_it(checkout, installs):
    complete(checkout, RUNTIME)
    assert not is_complete(checkout, WITH_TOOLS)

    complete(checkout, WITH_TOOLS)

    assert is_complete(checkout, WITH_TOOLS)
    assert is_complete(checkout, RUNTIME)
    assert str(checkout / "tests" / "requirements.txt") in installs()[-2]


def test_another_python_means_another_venv(checkout, monkeypatch):
    complete(checkout, RUNTIME)
    monkeypatch.setattr(bootstrap, "python_tag", lambda: "python3.99")

    assert not is_complete(checkout, RUNTIME)


def test_an_install_cut_short_is_made_anew(checkout, monkeypatch):
    complete(checkout, RUNTIME)
    (checkout / "requirements.txt").write_text("django==5.2.20 --hash=sha256:1\n")
    rest = checkout / ".venv" / "half-written"
    rest.write_text("")
    with monkeypatch.context() as patch:
        patch.setattr(packages, "link", None)
        with pytest.raises(TypeError):
            complete(checkout, RUNTIME)
    assert rest.exists()

    complete(checkout, RUNTIME)

    assert is_complete(checkout, RUNTIME)
    assert not rest.exists()


def test_a_lost_interpreter_is_replaced_and_all_packages_with_it(checkout):
    complete(checkout, WITH_TOOLS)
    interpreter(checkout).unlink()

    complete(checkout, RUNTIME)

    assert is_complete(checkout, RUNTIME)
    assert not is_complete(checkout, WITH_TOOLS)


@pytest.mark.parametrize("filled", [True, False])
def test_a_venv_that_is_a_link_is_refused_and_what_it_leads_to_stays(checkout, tmp_path, filled):
    elsewhere = tmp_path / "elsewhere"
    if filled:
        complete(checkout, RUNTIME)
        (checkout / ".venv").rename(elsewhere)
    else:
        elsewhere.mkdir()
    before = sorted(elsewhere.rglob("*"))
    (checkout / ".venv").symlink_to(elsewhere)

    with pytest.raises(SetUpError, match=f"is a link to {elsewhere}, .* remove the link"):
        complete(checkout, RUNTIME)

    assert sorted(elsewhere.rglob("*")) == before


def test_a_linked_venv_is_refused_in_russian_too(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    (checkout / ".venv").symlink_to(tmp_path)

    with pytest.raises(SetUpError, match=f"ссылка на {tmp_path}, .* удалите ссылку"):
        complete(checkout, RUNTIME)


def test_a_failing_install_says_so_and_is_tried_again(checkout, tmp_path, monkeypatch):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text(
        "import sys; sys.exit('--version' not in sys.argv and 'no such host')"
    )
    with monkeypatch.context() as patch:
        patch.setenv("UV_CODE", "1")
        patch.setenv("PYTHONPATH", str(tmp_path))
        with pytest.raises(SetUpError, match=r"no such host\nPackages could not be installed"):
            complete(checkout, RUNTIME)
    assert not is_complete(checkout, RUNTIME)

    complete(checkout, RUNTIME)

    assert is_complete(checkout, RUNTIME)


def test_two_at_once_install_once(checkout, installs, start, said, monkeypatch):
    monkeypatch.setenv("UV_SECONDS", "0.3")

    both = [start(COMPLETE, checkout) for _ in range(2)]
    assert [process.wait(10) for process in both] == [0, 0]
    assert installs().count("end") == 1
    assert sum("Another set-up is under way" in said(process) for process in both) == 1


def test_the_lock_outlives_a_killed_bootstrap_as_long_as_its_installer(
    checkout, installs, start, monkeypatch
):
    monkeypatch.setenv("UV_SECONDS", "0.3")
    first = start(COMPLETE, checkout)
    while not installs():
        assert first.poll() is None
    first.kill()

    complete(checkout, RUNTIME)

    lines = [line.split(" ")[0] for line in installs()]
    assert lines == ["start", "end", "start", "end"]


def test_the_project_itself_is_installed(checkout, monkeypatch):
    complete(checkout, RUNTIME)
    package = checkout / "razbor"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "main.py").write_text("import sys\ndef main(): print(*sys.argv[1:]); return 3\n")

    script = checkout / ".venv" / "bin" / "razbor"
    for locale in ("C", "C.UTF-8"):
        monkeypatch.setenv("LC_ALL", locale)
        finished = subprocess.run(
            [script, "a", "b c"], capture_output=True, text=True, cwd="/", check=False
        )

        assert (finished.stdout, finished.returncode) == ("a b c\n", 3)


def test_the_project_is_on_record(checkout):
    complete(checkout, RUNTIME)
    question = "from importlib.metadata import files, version; print(version('razbor'))\n"
    question += "print(all(file.locate().exists() for file in files('razbor')))"

    answer = subprocess.run(
        [interpreter(checkout), "-c", question], capture_output=True, text=True, check=True
    )

    assert answer.stdout.split()[1] == "True"


def test_the_secret_key_is_ours_alone_and_stays(checkout):
    folder = checkout / "var"
    bootstrap.make_secret_key(folder)
    key = (folder / "secret_key").read_text()
    bootstrap.make_secret_key(folder)

    assert (folder / "secret_key").read_text() == key
    assert len(key) >= 50
    assert (folder / "secret_key").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_an_old_python_is_told_what_to_install(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    with pytest.raises(SystemExit) as left:
        bootstrap.refuse_unfit_python((3, 8))

    assert left.value.code == (
        "Razbor needs Python 3.11 or newer and this is Python 3.8: "
        "run `sudo apt install python3.11 python3.11-venv` and start with `python3.11 manage.py`."
    )


def test_an_old_python_is_told_so_in_russian(monkeypatch):
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    with pytest.raises(SystemExit, match=r"^Разбору нужен Python 3\.11 или новее, а это"):
        bootstrap.refuse_unfit_python((3, 10))


@pytest.mark.parametrize(
    "name", ["manage.py", "config/bootstrap.py", "config/packages.py", "config/speech.py"]
)
def test_an_old_python_can_read_the_bootstrap(name):
    tree = ast.parse((ROOT / name).read_text(), feature_version=(3, 8))

    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


def test_missing_venv_is_named_with_its_package(checkout, monkeypatch):
    monkeypatch.setattr(packages, "has_venv", lambda: False)
    monkeypatch.setattr(packages, "is_root", lambda: False)

    with pytest.raises(SetUpError) as missing:
        complete(checkout, RUNTIME)

    assert str(missing.value) == (
        "This Python cannot make virtual environments: "
        f"run `sudo apt install {packages.python_tag()}-venv` and try again."
    )


@pytest.mark.usefixtures("checkout")
def test_ensurepip_is_not_missed_where_uv_is(monkeypatch):
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda name: name == "venv" or None)
    assert packages.has_venv()

    monkeypatch.setenv("PATH", os.devnull)
    assert not packages.has_venv()


@pytest.mark.parametrize(
    ("environment", "changed"),
    [
        ({}, {}),
        ({"PYTHONDONTWRITEBYTECODE": ""}, {}),
        (
            {"PYTHONDONTWRITEBYTECODE": "1"},
            {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": "/var-of-ours/bytecode"},
        ),
        (
            {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "/there"},
            {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": "/there"},
        ),
    ],
)
def test_bytecode_nobody_wants_beside_the_sources_goes_to_var(environment, changed, monkeypatch):
    monkeypatch.setenv("RAZBOR_VAR", "/var-of-ours")

    assert bytecode(environment) == changed
