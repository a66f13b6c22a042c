"""The marking screen as somebody uses it: keys are counted, places are code points."""

from __future__ import annotations

from playwright.sync_api import expect

from annotator.models import FragmentRecord, Phrase

POINTS = """
  const essay = document.getElementById("essay");
  const walker = document.createTreeWalker(essay, NodeFilter.SHOW_TEXT);
  const points = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < node.length; at += node.data.codePointAt(at) > 0xffff ? 2 : 1)
      points.push([node, at, node.data.codePointAt(at) > 0xffff ? 2 : 1]);
"""
"""The text node, the UTF-16 offset and the UTF-16 length of every code point of the essay."""
PLACES = """
  return wanted.map(([start, end]) => {
    const range = document.createRange();
    const [first, last] = [points[start], points[end - 1]];
    range.setStart(first[0], first[1]);
    range.setEnd(last[0], last[1] + last[2]);
    return [...range.getClientRects()].map(({ x, y, width, height }) => [x, y, width, height]);
  });
"""
"""Where places of the essay lie, found without the scripts of the product."""
CHOOSE = """
  const [first, last] = [points[wanted[0]], points[wanted[1] - 1]];
  essay.focus();
  getSelection().setBaseAndExtent(first[0], first[1], last[0], last[1] + last[2]);
"""

FORGETFUL = """
Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
  apply: (set, own, [name, value]) => /waiting/.test(name) || set.call(own, name, value),
});
"""
"""A browser that keeps nothing that waits: the twin without an outbox."""


class Desk:
    """One person at one markup."""

    def __init__(self, page, record):
        self.page, self.record, self.keys = page, record, 0

    def ready(self):
        self.page.wait_for_selector("#desk[data-ready]")
        return self

    def furnished(self):
        """The tags are hung and the map is drawn: they come once the browser is at rest."""
        self.page.wait_for_selector("#desk[data-furnished]")
        return self

    def with_own_comment(self, **words):
        """The expert has used a comment twice; the page is loaded anew and has its key."""
        own = {"user": self.record.author, "field": "comment", "uses": 2}
        Phrase.objects.create(code="А.грамм", **words, **own)
        self.page.reload()
        return self.ready()

    # -- keys

    def press(self, *keys):
        for key in keys:
            self.keys += 1
            self.page.keyboard.press(key)
        return self

    def letters(self, letters):
        """Type on the keyboard's letters, each of them a key."""
        return self.press(*letters)

    def write(self, words):
        """Type a text of one's own: it is not counted."""
        self.page.keyboard.type(words)
        return self

    def counted(self):
        """The keys since this was asked last."""
        keys, self.keys = self.keys, 0
        return keys

    def into_text(self):
        self.page.focus("#essay")
        return self

    def select(self, words, *, by="Control+Shift+ArrowRight"):
        """With keys only: from the beginning of the text to these words, and over them."""
        text = self.record.essay.text
        start = text.index(words)
        self.page.keyboard.press("Control+Home")
        while self.selection()[1] < start:
            far = self.selection()[1] + 24 < start
            self.page.keyboard.press("Control+ArrowRight" if far else "ArrowRight")
        while self.selection()[1] < start + len(words):
            self.press(by)
        return self

    def selection(self):
        """The ends of the browser's selection, in code points of the text: anchor, focus."""
        return self.page.evaluate(
            """() => {
              const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
              const before = (node, offset) => {
                const range = document.createRange();
                range.setStart(document.getElementById("essay"), 0);
                range.setEnd(node, offset);
                return [...range.toString()].length;
              };
              return [before(anchorNode, anchorOffset), before(focusNode, focusOffset)];
            }"""
        )

    def evaluate(self, body, wanted):
        """Run a piece of script that knows the points of the essay and what is wanted."""
        return self.page.evaluate(f"(wanted) => {{{POINTS}{body}}}", wanted)

    # -- mouse

    def rects(self, *places):
        """The line boxes of places, in pixels of the window."""
        return self.evaluate(PLACES, list(places))

    def middle(self, start, end=None):
        ((x, y, width, height), *_rest) = self.rects((start, end or start + 1))[0]
        return x + width / 2, y + height / 2

    def click(self, at):
        """Press a sign in its first half: the caret goes before it."""
        ((x, y, width, height), *_rest) = self.rects((at, at + 1))[0]
        self.page.mouse.click(x + width / 4, y + height / 2)

    def choose(self, start, end):
        """Select a place without a way of getting there: as a double click would."""
        self.page.evaluate(
            "new Promise(requestAnimationFrame)"
        )  # A selection on its way would come after this one.
        self.evaluate(CHOOSE, [start, end])
        self.page.wait_for_selector("#desk.selecting")
        return self

    def top(self):
        self.page.evaluate("scrollTo(0, 0)")
        return self

    def drag(self, start, end, *, alt=False):
        """Drag the mouse over a place, from just inside its first sign to inside its last."""
        (first, *_), (*_, last) = self.rects((start, start + 1), (end - 1, end))
        x, y, _width, height = first
        self.page.mouse.move(x + 0.5, y + height / 2)
        if alt:
            self.page.keyboard.down("Alt")
        self.page.mouse.down()
        x, y, width, height = last
        self.page.mouse.move(x + width - 0.5, y + height / 2, steps=4)
        self.page.mouse.up()
        if alt:
            self.page.keyboard.up("Alt")
        return self

    def submit(self):
        """Through the sheet, as one hand does it."""
        if self.page.get_attribute("#to-submit", "aria-expanded") == "false":
            self.page.locator("#to-submit").click()
        self.page.locator("#hand-in").click()
        return self

    def own_points(self):
        """Open the fields of one's own points."""
        self.page.locator("#points-why > summary").click()
        self.page.locator("#own-points > summary").click()
        return self

    # -- what there is

    def version(self):
        return int(self.page.get_attribute("#saved", "data-version"))

    def saved(self, version):
        """Wait until the page shows this version of the markup."""
        saved = self.page.locator("#saved")
        expect(saved).to_have_attribute("data-version", str(version))
        expect(saved).to_have_attribute("data-state", "saved")
        return self

    def marks(self, *fields):
        """What the database has, in the order it was marked."""
        rows = FragmentRecord.objects.filter(markup=self.record).order_by("pk")
        return list(rows.values_list(*(fields or ("start", "end", "code", "subcode"))))

    def focused(self):
        return self.page.evaluate("document.activeElement.id")

    def said(self):
        return self.page.locator("#said")


def slow(page, milliseconds):
    """Every answer takes that much longer; what is returned changes by how much."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def wait(milliseconds):
        rates = {"downloadThroughput": -1, "uploadThroughput": -1}
        conditions = {"offline": False, "latency": milliseconds, **rates}
        session.send("Network.emulateNetworkConditions", conditions)

    wait(milliseconds)
    return wait


def holding(screen, address, only=None):
    """Requests to an address are held back, those of one method or all: the list of them."""
    held = []

    def hold(route):
        if only in (None, route.request.method):
            held.append(route)
        else:
            route.continue_()

    screen.page.route(address, hold)
    return held


def first(screen, held):
    """The first that is held back, once it is; it is none of the list any more."""
    while not held:
        screen.page.wait_for_timeout(20)
    return held.pop(0)
