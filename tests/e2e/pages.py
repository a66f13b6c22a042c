"""What people do on the pages, with mouse and keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

PASSWORD = "a word for a story"

EDGES = """
([essay, words]) => {
  const text = essay.textContent, start = text.indexOf(words);
  const walker = document.createTreeWalker(essay, NodeFilter.SHOW_TEXT);
  const at = (offset) => {
    for (let rest = offset; walker.nextNode(); rest -= walker.currentNode.length)
      if (rest < walker.currentNode.length) return [walker.currentNode, rest];
  };
  const sign = (offset) => {
    walker.currentNode = essay;
    const [node, place] = at(offset), range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place + 1);
    return range.getBoundingClientRect();
  };
  scrollBy({ top: sign(start).y - innerHeight / 2, behavior: "instant" });
  const first = sign(start), last = sign(start + words.length - 1);
  return [
    [first.left + 0.5, first.top + first.height / 2],
    [last.right - 0.5, last.top + last.height / 2],
  ];
}
"""


def log_in(page, username, password=PASSWORD):
    page.goto("/login/")
    page.locator("#id_username").fill(username)
    page.locator("#id_password").fill(password)
    page.locator("main form button").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    return page


def select(page, words):
    """Drag the mouse over these words of the essay."""
    essay = page.locator("#essay")
    expect(page.locator("#desk")).to_have_attribute("data-ready", "")
    beginning, end = page.evaluate(EDGES, [essay.element_handle(), words])
    page.mouse.move(*beginning)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()")


def mark(page, words, code):
    """Select words, choose a code; the card of the new mark opens."""
    before = version(page)
    select(page, words)
    page.locator(f'#codes [data-code="{code}"]').click()
    saved(page, before)
    expect(page.locator("#cards h2 b")).to_have_text(code)


def mark_whole_text(page, code):
    before = version(page)
    page.locator("#whole-add").click()
    page.locator(f'#codes [data-code="{code}"]').click()
    saved(page, before)


def describe(page, *, code="", **attributes):
    """Fill the card that is open: every field is saved as soon as it is left."""
    for name, value in {**({"code": code} if code else {}), **attributes}.items():
        before = version(page)
        field = page.locator(f"#card-{name}")
        if name == "subcode":
            field.select_option(value)
        else:
            field.fill(value)
            field.press("Tab")
        saved(page, before)


def open_mark(page, words):
    """Click on marked words: the card of the innermost fragment opens."""
    page.keyboard.press("Escape")
    expect(page.locator("#cards form")).to_have_count(0)
    page.locator("#essay [data-m]", has_text=words).first.click()
    expect(page.locator("#cards form")).to_be_visible()


def delete_mark(page):
    before = version(page)
    page.locator("#cards .acts button.danger").click()
    saved(page, before)


def version(page):
    return int(page.locator("#saved").get_attribute("data-version"))


def saved(page, before):
    """Wait until the change is in the database: the page shows the next version."""
    expect(page.locator("#saved")).to_have_attribute("data-version", str(before + 1))
