"""What a public page of a contest weighs on the wire: a phone's first visit, in Chromium."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from tests import browser
from tests.contest.contests import board_of, data_set, parameters, running, told
from tests.e2e.database import connected
from tests.e2e.stack import Stack

PAGES = ("/", "/contests/", "/contests/autumn/", "/contests/autumn/board/")
PHONE = {"width": 375, "height": 740}


def figures() -> Iterator[str]:
    """A line of every page in each language: KB without fonts and with them, as they are sent."""
    yield "page, language: KB without fonts, KB with fonts, requests"
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder), crew=("web",)) as stack,
        sync_playwright() as playwright,
    ):
        path = str(browser.chromium())
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with connected(stack.database_url):
            contest()
            for language in ("ru", "en"):
                for address in PAGES:
                    context = chromium.new_context(
                        base_url=stack.url, locale=language, viewport=PHONE
                    )
                    yield f"{address}, {language}: {weighed(context.new_page(), address)}"
                    context.close()
        chromium.close()


def contest() -> None:
    """A contest with parameters, sets, a board of a dozen teams and news, beside ten others."""
    made = running()
    parameters(made)
    board_of(data_set(made, "final").essay_set, *(f"Team {number}" for number in range(12)))
    for number in range(20):
        told(made, f"News {number}", "A sentence of some length that says what happened. " * 4)
    for number in range(10):
        running(f"c{number}", summary_ru="о" * 150, summary_en="s" * 150)


def weighed(page: Page, address: str) -> str:
    """Everything that came over the wire until nothing more comes, headers included."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    paths: dict[str, str] = {}
    loads: list[tuple[str, int]] = []
    session.on(
        "Network.responseReceived",
        lambda event: paths.update({event["requestId"]: urlsplit(event["response"]["url"]).path}),
    )
    session.on(
        "Network.loadingFinished",
        lambda event: loads.append(
            (paths.get(event["requestId"], ""), int(event["encodedDataLength"]))
        ),
    )
    page.goto(address, wait_until="networkidle")
    fonts = sum(size for path, size in loads if path.endswith(".woff2"))
    everything = sum(size for _path, size in loads)
    return f"{(everything - fonts) / 1024:.1f}, {everything / 1024:.1f}, {len(loads)}"
