"""The kit as a common module of the demo's contests: its version, and a checksum one may repeat."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.conf import settings

from accounts.models import User
from contest.core.both import Both
from contest.models import Contest, ModuleRelease
from contest.services.announcing import Module, release_module
from razbor.main import VERSION

PURPOSE: Final = Both(
    ru="Связь с платформой, проверка файлов и подсчёт точности у себя: команда razbor.",
    en="The exchange with the platform, checks of files and counting of accuracy: razbor.",
)


def kit_checksum() -> str:
    """SHA-256 of the list of the kit's files, each with its own SHA-256, as sha256sum writes it."""
    folder = settings.BASE_DIR / "razbor"
    lines = []
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.as_posix()):
        name = path.relative_to(settings.BASE_DIR).as_posix()
        lines.append(f"{sha256(path.read_bytes()).hexdigest()}  {name}\n")
    return sha256("".join(lines).encode()).hexdigest()


def release_kit(contest: Contest, actor: User) -> ModuleRelease:
    """Announce the kit of this very checkout."""
    module = Module("razbor", VERSION, kit_checksum())
    return release_module(contest=contest, module=module, purpose=PURPOSE, actor=actor)
