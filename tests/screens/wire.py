"""What comes over the wire to a page of a browser."""

from __future__ import annotations

from urllib.parse import urlsplit


class Wire:
    """Every answer of a page that came over the wire, and how large it was."""

    def __init__(self, page):
        self.loads = []
        self.session = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.addresses = {}
        self.session.on("Network.responseReceived", self.note)
        self.session.on("Network.requestServedFromCache", self.cached)
        self.session.on("Network.loadingFinished", self.finished)
        self.kept = set()

    def note(self, event):
        self.addresses[event["requestId"]] = urlsplit(event["response"]["url"]).path
        if event["response"].get("fromDiskCache"):
            self.kept.add(event["requestId"])

    def cached(self, event):
        self.kept.add(event["requestId"])

    def finished(self, event):
        if event["requestId"] not in self.kept:
            path = self.addresses.get(event["requestId"], "")
            self.loads.append((event["encodedDataLength"], path))

    def taken(self):
        loads, self.loads = self.loads, []
        return sorted(loads, reverse=True)
