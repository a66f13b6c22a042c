"""Brings every command into the project's own .venv, whatever Python started manage.py.

Standard library only, here and in speech.py and packages.py, and no syntax newer than Python 3.8:
an old Python must get far enough to say what it lacks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from config import packages
from config.packages import SetUpError, interpreter, is_root, python_tag, site_packages
from config.speech import choose, say

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
OLDEST: Final = (3, 11)
RUNTIME: Final = ("requirements.txt",)
WITH_TOOLS: Final = ("requirements.txt", "tests/requirements.txt")
STAMPS: Final = "razbor-stamps"
INSTALLING: Final = "installing"
INTERRUPTED: Final = 130
"""The exit code of a command that Ctrl+C ended."""


def enter(root: Path = ROOT, *, tools: bool = False) -> None:
    """Return inside a complete .venv; from anywhere else, start the command again in there.

    RAZBOR_BOOTSTRAP=off leaves everything to the caller: a container, or a child of ours.
    """
    refuse_unfit_python()
    if os.environ.get("RAZBOR_BOOTSTRAP") == "off":
        return
    try:
        complete(root, WITH_TOOLS if tools else RUNTIME)
        make_secret_key(var(root))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SetUpError as error:
        sys.exit(str(error))
    except PermissionError as error:
        sys.exit(
            choose(
                f"{error.filename} belongs to another account: run as its owner, or remove it.",
                f"{error.filename} принадлежит другой учётной записи: "
                "запустите от имени владельца или удалите его.",
            )
        )
    python = interpreter(root)
    if Path(sys.prefix).resolve() != (root / ".venv").resolve():
        os.execv(python, [str(python), *sys.argv])  # noqa: S606 - that is the point


def refuse_unfit_python(version: tuple[int, ...] = sys.version_info[:2]) -> None:
    """Leave with a sentence when this Python is too old, or this system knows no flock."""
    if version < OLDEST:
        apt = f"{'' if is_root() else 'sudo '}apt install python3.11 python3.11-venv"
        found = ".".join(map(str, version))
        sys.exit(
            choose(
                f"Razbor needs Python 3.11 or newer and this is Python {found}: "
                f"run `{apt}` and start with `python3.11 manage.py`.",
                f"Разбору нужен Python 3.11 или новее, а это Python {found}: "
                f"выполните `{apt}` и запускайте `python3.11 manage.py`.",
            )
        )
    if fcntl is None:
        sys.exit(
            choose(
                "Razbor runs on Linux and macOS: on Windows, start it inside WSL.",
                "Разбор работает в Linux и macOS: в Windows запустите его внутри WSL.",
            )
        )


def complete(root: Path, locks: Sequence[str]) -> None:
    """Bring .venv to the state the lock files describe; one process at a time does it."""
    refuse_link(root / ".venv")
    if is_complete(root, locks):
        return
    with only_one(root / "var" / "bootstrap.lock"):
        if not is_complete(root, locks):  # another process may have done it while we waited
            install(root, locks)


def refuse_link(venv: Path) -> None:
    """Packages put into a linked .venv would land in a folder of somebody else's."""
    if venv.is_symlink():
        target = os.readlink(str(venv))
        raise SetUpError(
            choose(
                f"{venv} is a link to {target}, and packages are put into no other place: "
                f"remove the link (`rm {shlex.quote(str(venv))}`; what it leads to stays) "
                "and run the same command again, or set RAZBOR_BOOTSTRAP=off to use it as it is.",
                f"{venv} — ссылка на {target}, а пакеты в чужое место не ставятся: "
                f"удалите ссылку (`rm {shlex.quote(str(venv))}`; то, куда она ведёт, останется) "
                "и повторите ту же команду, или задайте RAZBOR_BOOTSTRAP=off, "
                "чтобы взять её как есть.",
            )
        )


def is_complete(root: Path, locks: Sequence[str]) -> bool:
    known = stamps(root)
    return interpreter(root).exists() and all(stamp(root, lock) in known for lock in locks)


def stamp(root: Path, lock: str) -> str:
    """Changes with the pins, the Python, and the place: scripts in .venv hold absolute paths."""
    seed = f"{root} {python_tag()} ".encode() + (root / lock).read_bytes()
    return f"{hashlib.sha256(seed).hexdigest()}  {lock}"


def stamps(root: Path) -> list[str]:
    try:
        return (root / ".venv" / STAMPS).read_text("utf-8").splitlines()
    except OSError:
        return []


def install(root: Path, locks: Sequence[str]) -> None:
    began, known = time.monotonic(), stamps(root)
    say(
        "Installing packages into .venv (once; about half a minute)...",
        "Ставлю пакеты в .venv (один раз, около полминуты)...",
    )
    if not is_sound(root, known):
        packages.make_venv(root)
        known = []
    # Whoever finds this word alone in the file finds an install that was cut short.
    replace(root / ".venv" / STAMPS, INSTALLING)
    packages.install(root, locks)
    packages.link(root)
    kept = [line for line in known if line.split("  ")[-1] not in locks]
    replace(root / ".venv" / STAMPS, "\n".join([*kept, *(stamp(root, lock) for lock in locks)]))
    seconds = f"{time.monotonic() - began:.0f}"
    say(f"Packages are ready: {seconds} s.", f"Пакеты готовы: {seconds} с.")


def is_sound(root: Path, known: Sequence[str]) -> bool:
    """Can packages be added to this .venv, or must it be made anew?"""
    return interpreter(root).exists() and site_packages(root).is_dir() and INSTALLING not in known


def make_secret_key(folder: Path) -> None:
    """Give a fresh checkout a SECRET_KEY of its own; never change one that is there."""
    key = folder / "secret_key"
    if os.environ.get("SECRET_KEY") or key.exists():
        return
    with only_one(folder / "bootstrap.lock"):
        if not key.exists():
            replace(key, secrets.token_urlsafe(50))


def var(root: Path = ROOT) -> Path:
    """Everything that is made at run time lives here (config/settings.py agrees)."""
    return Path(os.environ.get("RAZBOR_VAR") or root / "var")


def bytecode(environment: Mapping[str, str]) -> dict[str, str]:
    """Where none is wanted beside the sources, bytecode goes to var: starts are half compiling."""
    if not environment.get("PYTHONDONTWRITEBYTECODE"):
        return {}
    folder = environment.get("PYTHONPYCACHEPREFIX") or str(var() / "bytecode")
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}


@contextlib.contextmanager
def only_one(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock.open("w") as file:
        # An installer that outlives us keeps its copy, and with it the lock.
        os.set_inheritable(file.fileno(), True)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is under way, waiting...", "Идёт другая установка, жду...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def replace(path: Path, text: str) -> None:
    """Write all of it or nothing, readable by us alone."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(str(fresh), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
