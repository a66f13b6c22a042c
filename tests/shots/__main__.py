"""`manage.py shots [SCENE ...]`: the demo's pages in Chromium, as pictures in var/shots.

Each scene in Russian and English, 1440 and 375 px wide, light and dark.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import django
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from config.bootstrap import ROOT
from tests import browser
from tests.shots.scenes import SCENES, Scene

FOLDER = ROOT / "var" / "shots"
WIDTHS = {1440: 900, 375: 812}
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main(names: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.e2e.stack import Stack  # noqa: PLC0415 - needs the settings

    chosen = [scene for scene in SCENES if not names or scene.name in names]
    if not chosen:
        known = ", ".join(scene.name for scene in SCENES)
        sys.stderr.write(f"No such scene. There are: {known}.\n")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
    ):
        stack.python("manage.py", "demo")
        chromium = playwright.chromium.launch(
            executable_path=str(browser.chromium()), args=CHROMIUM
        )
        for picture in taken(chromium, stack.url, chosen):
            sys.stdout.write(f"{picture.relative_to(ROOT)}\n")
    return 0


def taken(chromium: Browser, address: str, scenes: list[Scene]) -> Iterator[Path]:
    """Take every picture of some scenes; one log-in for all pictures of a person."""
    states: dict[str, object] = {}
    for scene, language, width, theme in product(scenes, ("ru", "en"), WIDTHS, ("light", "dark")):
        with chromium.new_context(
            viewport={"width": width, "height": WIDTHS[width]},
            color_scheme=theme,
            locale=language,
            storage_state=states.get(scene.person),
        ) as context:
            cookie = {"name": "django_language", "value": language, "url": address}
            context.add_cookies([cookie])
            if scene.person and scene.person not in states:
                log_in(context, address, scene.person)
                states[scene.person] = context.storage_state()
            path = FOLDER / f"{scene.name}-{language}-{width}-{theme}.png"
            photograph(context, address, scene, path)
            yield path


def log_in(context: BrowserContext, address: str, person: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/login/")
    page.locator("#id_username").fill(person)
    page.locator("#id_password").fill("razbor-demo")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/login/" not in url)
    page.close()


def photograph(context: BrowserContext, address: str, scene: Scene, path: Path) -> None:
    page = context.new_page()
    page.goto(address + scene.path, wait_until="networkidle")
    for step in scene.steps:
        step(page)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(250)  # the last swap is drawn
    page.screenshot(path=path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
