// What stands beside the text: notes and rails at the lines of their fragments, the open card,
// the map. Everything is measured first and written after, so that the page is laid out once.
import { extentOf, piecesByFragment, text } from "./places.js";

const WIDE = matchMedia("(min-width: 72rem)");
const GAP = 2; // pixels between notes
const DEEPEST = 2; // rails that have room between the labels and the text

const part = (id) => document.getElementById(id);
const items = () => [...document.querySelectorAll("#marks > [data-mark]")];

/** Where the lines of a fragment lie, in pixels below the top of the sheet. */
const linesOf = (pieces, top) => {
  const first = pieces[0].getClientRects()[0];
  const last = [...pieces.at(-1).getClientRects()].at(-1);
  return first && last && { top: first.top - top, bottom: last.bottom - top };
};

const measure = () => {
  const sheet = part("sheet").getBoundingClientRect().top;
  const pieces = piecesByFragment();
  const found = [];
  for (const item of items()) {
    const own = pieces.get(item.dataset.mark);
    const lines = own && linesOf(own, sheet);
    if (!lines) continue;
    const height = item.querySelector("button").offsetHeight;
    found.push({ item, ...lines, ...extentOf(item.dataset.mark), height, isBlock: item.classList.contains("block") });
  }
  return found;
};

/** What stands in a margin goes down one after another where the lines are too close. */
const stack = (notes, card = null) => {
  let free = 0;
  return notes.map((note) => {
    const isBehind = card !== null && note.top < card.bottom && note.top + note.height > card.top;
    const at = isBehind ? note.top : Math.max(note.top, free);
    if (!isBehind) free = at + note.height + GAP;
    return { ...note, at, isBehind };
  });
};

/** How deep each block lies in the others: nested rails stand nearer the text. */
const nest = (blocks) => {
  const open = []; // where the blocks around this one end
  return blocks.map((block) => {
    while (open.length && open.at(-1) <= block.start) open.pop();
    open.push(block.end);
    return { ...block, depth: Math.min(open.length - 1, DEEPEST) };
  });
};

const pinCard = (found) => {
  const cards = part("cards");
  if (!cards?.firstElementChild) return null;
  const sheet = part("sheet").getBoundingClientRect();
  const opened = found.find((each) => each.item.dataset.mark === cards.dataset.open);
  const line = opened ? opened.top : part("essay").offsetTop;
  const lowest = innerHeight - 48 - sheet.top - cards.offsetHeight; // stays in the window
  const top = Math.max(Math.min(line, lowest), part("essay").offsetTop);
  return { top, bottom: top + cards.offsetHeight };
};

const place = () => {
  const sheet = part("sheet");
  if (!WIDE.matches) {
    sheet.style.minHeight = "";
    return;
  }
  const found = measure();
  const seesMap = Boolean(part("map")?.offsetParent);
  const card = pinCard(found);
  const notes = stack(found.filter((each) => !each.isBlock), card);
  const blocks = stack(nest(found.filter((each) => each.isBlock)));
  if (card) part("cards").style.top = `${card.top}px`;
  for (const { item, at, isBehind } of notes) {
    item.style.top = `${at}px`;
    item.classList.toggle("tick", isBehind);
  }
  for (const { item, top, bottom, at, depth } of blocks) {
    item.style.top = `${top}px`;
    item.style.setProperty("--reach", `${bottom - top}px`);
    item.style.setProperty("--depth", depth);
    item.style.setProperty("--down", `${at - top}px`);
  }
  const lowest = Math.max(card?.bottom ?? 0, ...notes.map((note) => note.at + note.height));
  sheet.style.minHeight = `${lowest + 24}px`;
  if (seesMap) drawMap(found);
};

/** Put everything beside its line; what is drawn over the text follows. */
export const layout = () => {
  place();
  part("desk").dispatchEvent(new CustomEvent("laid-out"));
};

const tick = (start, end, kind) => {
  const made = document.createElement("i");
  made.className = kind;
  made.style.top = `${(100 * start) / text().length}%`;
  made.style.height = `${Math.max((100 * (end - start)) / text().length, 0.5)}%`;
  return made;
};

/** The map: how long each paragraph is, and where the marks are. */
const drawMap = (found) => {
  const drawn = [...part("essay").querySelectorAll(".par:not(.blank)")].map((par) => {
    const [first, last] = [par.firstElementChild, par.lastElementChild];
    const start = Number(first.dataset.s);
    return tick(start, Number(last.dataset.s) + last.textContent.length, "line");
  });
  for (const { item, start, end } of found) drawn.push(tick(start, end, item.className));
  part("map").replaceChildren(...drawn);
};

// ── size of the text ────────────────────────────────────────────────────────

const SIZES = [100, 112, 125, 150, 175]; // percent

/** Make the text of the essay larger or smaller by a step. */
export const zoom = (by) => {
  const root = document.documentElement;
  const now = SIZES.indexOf(Number(root.dataset.zoom ?? 100));
  root.dataset.zoom = SIZES[Math.min(Math.max(now + by, 0), SIZES.length - 1)];
  localStorage.setItem("razbor-zoom", root.dataset.zoom);
  layout();
};

/** Put everything in its place, and again when the window or the fonts change. */
export const begin = () => {
  const kept = Number(localStorage.getItem("razbor-zoom"));
  if (SIZES.includes(kept)) document.documentElement.dataset.zoom = kept;
  let asked = 0;
  const ask = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(layout);
  };
  addEventListener("resize", ask);
  document.fonts?.ready.then(ask);
  WIDE.addEventListener("change", ask);
  layout();
};
