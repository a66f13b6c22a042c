"""A Chromium whose every page is watched: nothing may be violated, thrown, logged or not found."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from playwright.sync_api import expect, sync_playwright

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP ${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`));
"""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--font-render-hinting=none",  # lines as long as on any other screen
]
LOCALES = {"ru": "ru-RU", "en": "en-GB"}
expect.set_options(timeout=20_000)  # a shared machine may hold any page up; who waits in vain fails
ABORTED = "net::ERR_ABORTED"
"""What Chromium calls a request that a new page overtook, or that became a download."""


@dataclass
class Watch:
    """What went wrong on any page; ``expected`` are answers a test asks for on purpose."""

    problems: list[str] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)

    def over(self, context):
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("weberror", lambda error: self.note("page", error.error))
        context.on("console", self.console)
        context.on("requestfailed", self.failed)
        context.on("response", self.response)

    def note(self, kind, what):
        self.problems.append(f"{kind}: {what}")

    def console(self, message):
        refused = "Failed to load resource" in message.text  # the answer itself is noted
        if message.type in ("error", "warning") and not refused:
            self.note("console", f"{message.text} ({message.page and message.page.url})")

    def failed(self, request):
        if request.failure != ABORTED:
            self.note("request", f"{request.url} {request.failure}")

    def response(self, response):
        if response.status >= 400 and response.status not in self.expected:
            self.note(str(response.status), response.url)


class Browser:
    """Gives pages to people: each person has a browser of his own, and a language."""

    def __init__(self, chromium, url):
        self.chromium, self.url, self.watch = chromium, url, Watch()
        self.contexts = []

    def page(self, language, **options):
        context = self.chromium.new_context(
            base_url=self.url, locale=LOCALES[language], **{"viewport": DESKTOP, **options}
        )
        self.contexts.append(context)
        context.set_default_timeout(60_000)
        self.watch.over(context)
        return context.new_page()

    def close(self):
        """Everybody goes; Chromium stays."""
        for context in self.contexts:
            context.close()


DESKTOP = {"width": 1440, "height": 900}


@contextlib.contextmanager
def browser(chromium_path, url):
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        with contextlib.closing(chromium):
            yield Browser(chromium, url)
