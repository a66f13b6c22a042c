"""Makes .venv and puts the locked packages and the project itself into it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from config.speech import choose, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Final

PIP: Final = (
    *("-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"),
    # Half the time of an install goes into .pyc files nobody will import.
    *("--no-compile", "--require-hashes"),
)

# Python reads this file in the locale's encoding: a path spelt out could stop it from starting.
PATH_LINE: Final = "import os, sys; sys.path.append(os.path.dirname(sys.prefix))\n"


class SetUpError(Exception):
    """One plain sentence: what is missing and what to do about it."""


def interpreter(root: Path) -> Path:
    return root / ".venv" / "bin" / "python"


def site_packages(root: Path) -> Path:
    return root / ".venv" / "lib" / python_tag() / "site-packages"


def python_tag() -> str:
    return f"python{sys.version_info[0]}.{sys.version_info[1]}"


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def make_venv(root: Path) -> None:
    require_venv()
    made = call([sys.executable, "-m", "venv", "--without-pip", "--clear", str(root / ".venv")])
    if made.returncode:
        what = choose("python -m venv failed", "python -m venv не сработал")
        raise SetUpError(f"{what}: {made.stdout.strip()}")


def require_venv() -> None:
    """Debian keeps ensurepip in a package of its own: root gets it, others are told its name."""
    package = f"{python_tag()}-venv"
    if not has_venv() and is_root() and shutil.which("apt-get"):
        say(f"Installing {package}...", f"Устанавливаю {package}...")
        call(["apt-get", "update"])
        call(["apt-get", "install", "-y", package])
        importlib.invalidate_caches()
    if not has_venv():
        apt = f"{'' if is_root() else 'sudo '}apt install {package}"
        raise SetUpError(
            choose(
                f"This Python cannot make virtual environments: run `{apt}` and try again.",
                "Этот Python не умеет создавать виртуальные окружения: "
                f"выполните `{apt}` и повторите.",
            )
        )


def has_venv() -> bool:
    installer = shutil.which("uv") or importlib.util.find_spec("ensurepip")
    return bool(installer and importlib.util.find_spec("venv"))


def install(root: Path, locks: Sequence[str]) -> None:
    """By uv where there is one, else (or where uv cannot reach the index pip can) by pip."""
    python = str(interpreter(root))
    requirements = [word for lock in locks for word in ("-r", str(root / lock))]
    uv = shutil.which("uv")
    by_uv = ["pip", "install", "--quiet", "--python", python, "--require-hashes", *requirements]
    if uv and call([uv, *by_uv]).returncode == 0:
        return
    if call([python, "-m", "pip", "--version"]).returncode:
        call([python, "-m", "ensurepip", "--default-pip"])
    by_pip = call([python, *PIP, *requirements])
    if by_pip.returncode:
        what = choose(
            "Packages could not be installed: check the network and run the same command again.",
            "Не удалось поставить пакеты: проверьте сеть и повторите ту же команду.",
        )
        said = [line for line in by_pip.stdout.splitlines() if not line.startswith("WARNING")]
        raise SetUpError("\n".join([*said[-10:], what]))


def link(root: Path) -> None:
    """Leave in .venv what `pip install --no-deps -e .` would, with no build back-end to install.

    A line on the path, the scripts, and a record, by which `pip list` sees the project and pip can
    uninstall or replace it.
    """
    import tomllib  # noqa: PLC0415 - Python 3.8 has none

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"], project["version"]
    python, site = interpreter(root), site_packages(root)
    about = site / f"{name}-{version}.dist-info"
    files = {
        site / f"{name}.pth": PATH_LINE,
        about / "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        about / "INSTALLER": "manage.py\n",
    }
    for script, target in project.get("scripts", {}).items():
        files[python.parent / script] = console_script(python, target)
    listed = (os.path.relpath(path, site) for path in [*files, about / "RECORD"])
    files[about / "RECORD"] = "".join(f"{path},,\n" for path in listed)
    for stale in site.glob(f"{name}-*.dist-info"):
        shutil.rmtree(stale)
    about.mkdir()
    for path, text in files.items():
        path.write_text(text, "utf-8")
        path.chmod(0o755 if path.parent == python.parent else 0o644)


def console_script(python: Path, target: str) -> str:
    """A script for "module:function"; /bin/sh finds the interpreter, whose path may hold blanks."""
    module, function = target.split(":")
    return (
        f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n"
        f"import sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n"
    )


def call(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own words, no shell
        list(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        close_fds=False,  # the installer holds our lock as long as it runs
        env={**os.environ, "PIP_USER": "0"},  # a profile's --user would leave .venv
    )
