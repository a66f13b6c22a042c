"""A Chromium for the browser tests: found on this machine, or installed where that is possible."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.services import MissingServiceError

SHELL = "chromium-headless-shell"
"""The same engine without windows: our tests take half of the time in it."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium():
    """Where Chromium is; installs it from Debian (as root) or by playwright when it is nowhere."""
    for search in (chosen_browser, system_browser, playwright_browser, debian, playwright_download):
        if found := search():
            return Path(found)
    raise MissingServiceError("no Chromium: install one, or name one in CHROMIUM")


def chosen_browser():
    return os.environ.get("CHROMIUM")


def system_browser():
    return next(filter(None, map(shutil.which, NAMES)), None)


def playwright_browser():
    cache = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    builds = sorted(Path(cache).glob("chromium-*/chrome-linux*/chrome"))
    return builds[-1] if builds else None


def debian():
    if os.geteuid() == 0 and shutil.which("apt-get"):
        patiently("apt-get", "update")
        for package in (SHELL, "chromium"):
            patiently("apt-get", "install", "-y", "--no-install-recommends", package)
            if found := system_browser():
                return found
    return None


def playwright_download():
    patiently(sys.executable, "-m", "playwright", "install", "chromium")
    return playwright_browser()


def patiently(*command):
    sys.stderr.write(f"For the browser tests: {' '.join(command)}\n")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, env=environment, capture_output=True, timeout=600, check=False)
