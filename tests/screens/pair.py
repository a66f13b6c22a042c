"""The comparison screen as somebody uses it."""

from __future__ import annotations

PLACES = """
  (side) => {
    const box = document.querySelector(`.texts [data-side="${side}"]`);
    const { left } = box.getBoundingClientRect();
    const indent = parseFloat(getComputedStyle(box).paddingLeft);
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const places = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < node.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const [rect] = range.getClientRects();
        if (rect && rect.width) places.push([rect.x - left - indent, rect.y, rect.width]);
      }
    return places;
  }
"""
"""Where every sign of a column lies: from the left border of its text, from the window's top."""


class Pair:
    """One person before two markups, or several."""

    def __init__(self, page, *, ready="#view[data-ready]"):
        self.page = page
        page.wait_for_selector(ready)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def places(self, side):
        return self.page.evaluate(PLACES, side)

    def chosen(self):
        """The number of the chosen row, as the list and as the address say it."""
        number = self.page.evaluate(
            "document.querySelector('.diff[aria-current]')?.dataset.row ?? null"
        )
        return number, self.page.evaluate("location.hash")

    def framed(self, side, mark="on"):
        """The words of a side that are framed."""
        return "".join(
            self.page.locator(f".texts [data-side='{side}'] .f.{mark}").all_inner_texts()
        )

    def rows(self):
        return [each.split("-")[1] for each in self.ids("#difflist > li[id]")]

    def ids(self, selector):
        return self.page.eval_on_selector_all(selector, "(all) => all.map((each) => each.id)")

    def words(self, side, words):
        """A piece of a side by its words."""
        return self.page.locator(f".texts [data-side='{side}'] .f", has_text=words).first

    def overflow(self):
        root = "document.documentElement"
        return self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
