// What stands beside the text: notes and rails at the lines of their fragments, the open card,
// the map, tags. Everything is measured first and written after, so that the page is laid out once.
import { items, openedMark } from "./active.js";
import { extentOf, piecesByFragment, rangeOf, text } from "./places.js";

const WIDE = matchMedia("(min-width: 72rem)");
const GAP = 2; // pixels between notes
const DEEPEST = 2; // rails that have room between the labels and the text

const part = (id) => document.getElementById(id);

// The tags at the ends of linked fragments: one that would leave the column hangs over the words before it.
const ROOM = 8; // pixels beside the column that a tag may use

let pen = null;

const widthOf = (words, essay) => {
  pen ??= document.createElement("canvas").getContext("2d");
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  pen.font = `${0.6875 * rem}px ${getComputedStyle(essay.parentElement).fontFamily}`;
  return pen.measureText(words).width;
};

/** The side of its place a tag hangs to, the room it has there, and its line. */
const sideOf = (piece, essay, { left, right }) => {
  const { right: end, top } = [...piece.getClientRects()].at(-1) ?? {};
  if (end === undefined) return { isShy: false, room: null };
  const width = widthOf(piece.dataset.tag, essay);
  const isShy = end + width > right && end - left > right - end;
  const room = isShy ? end - left : right - end;
  return { isShy, room: width > room ? room : null, top, end, wide: Math.min(width, room) };
};

/** No two tags of a line lie over each other: each is cut short where the place of its neighbour is. */
const keepApart = (sides) => {
  const placed = sides.filter(({ top }) => top !== undefined).sort((one, other) => one.top - other.top || one.end - other.end);
  for (const [at, one] of placed.slice(0, -1).entries()) {
    const next = placed[at + 1];
    const between = next.end - one.end - GAP;
    if (next.top - one.top > 1) continue;
    const wanted = (one.isShy ? 0 : one.wide) + (next.isShy ? next.wide : 0);
    if (wanted <= between) continue;
    const room = Math.max(0, one.isShy || !next.isShy ? between : between / 2);
    if (!one.isShy) one.room = Math.min(one.room ?? room, room);
    if (next.isShy) next.room = Math.min(next.room ?? room, room);
  }
};

/** Hang every tag of an essay to the side that has room for it; one too long for either is cut short there. */
const hang = (essay) => {
  const tagged = [...essay.querySelectorAll("[data-tag]")];
  if (!tagged.length) return;
  const right = Math.min(essay.getBoundingClientRect().right + ROOM, document.documentElement.clientWidth - 2);
  const { left } = essay.getBoundingClientRect();
  const sides = tagged.map((piece) => sideOf(piece, essay, { left, right }));
  keepApart(sides);
  for (const [at, piece] of tagged.entries()) {
    const { isShy, room } = sides[at];
    piece.classList.toggle("shy", isShy);
    if (room !== null) piece.style.setProperty("--tag-room", `${Math.floor(room)}px`);
    else if (piece.style.length) piece.removeAttribute("style");
  }
};

/** Where the lines of a fragment lie, in pixels below the top of the text. */
const linesOf = (pieces, top) => {
  const first = pieces[0].getClientRects()[0];
  const last = [...pieces.at(-1).getClientRects()].at(-1);
  return first && last && { top: first.top - top, bottom: last.bottom - top };
};

// Marking moves no word: lines are measured once, until the text gets another size.
const known = new Map(); // "start end" of a mark -> where its lines lie
let size = "";

const forget = () => known.clear();

/** The lines of a fragment as they were measured, or are now. */
const linesAt = (extent, pieces, top) => {
  const key = `${extent.start} ${extent.end}`;
  if (!known.has(key)) known.set(key, linesOf(pieces, top));
  return known.get(key);
};

const measure = () => {
  const sheet = part("sheet").getBoundingClientRect().top;
  const { top, width, height } = part("essay").getBoundingClientRect();
  if (size !== `${width} ${height}`) forget();
  size = `${width} ${height}`;
  const pieces = piecesByFragment();
  const found = [];
  for (const item of items()) {
    const extent = extentOf(item.dataset.mark);
    const lines = extent && linesAt(extent, pieces.get(item.dataset.mark), top);
    if (!lines) continue;
    const [above, below] = [lines.top + top - sheet, lines.bottom + top - sheet];
    const tall = item.firstElementChild.offsetHeight;
    found.push({ item, top: above, bottom: below, ...extent, height: tall, isBlock: item.classList.contains("block") });
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
  return { top, bottom: top + cards.offsetHeight, line };
};

const tellMeasured = () => part("desk").dispatchEvent(new CustomEvent("laid-out"));

const stands = new WeakMap(); // item -> where it was put last: most stay there

const put = (item, styles) => {
  const now = Object.values(styles).join(" ");
  if (stands.get(item) === now) return;
  stands.set(item, now);
  for (const [name, value] of Object.entries(styles)) item.style.setProperty(name, value);
};

/** Put everything beside its line; what is drawn over the text, which stays where it is, is drawn before. */
export const layout = () => {
  hang(part("essay"));
  const sheet = part("sheet");
  if (!WIDE.matches) {
    sheet.style.minHeight = "";
    tellMeasured();
    return;
  }
  const found = measure();
  const seesMap = Boolean(part("map")?.offsetParent);
  const card = pinCard(found);
  const notes = stack(found.filter((each) => !each.isBlock), card);
  const blocks = stack(nest(found.filter((each) => each.isBlock)));
  tellMeasured();
  if (card) {
    part("cards").style.top = `${card.top}px`;
    part("cards").style.setProperty("--line", `${card.line - card.top}px`);
  }
  for (const { item, top, at, isBehind } of notes) {
    put(item, { top: `${at}px`, "--up": `${at - top}px` });
    item.classList.toggle("tick", isBehind);
  }
  for (const { item, top, bottom, at, depth } of blocks) {
    put(item, { top: `${top}px`, "--reach": `${bottom - top}px`, "--depth": depth, "--down": `${at - top}px` });
  }
  const lowest = Math.max(card?.bottom ?? 0, ...notes.map((note) => note.at + note.height));
  sheet.style.minHeight = `${lowest + 24}px`;
  if (seesMap) drawMap(found);
};

// ── the map ─────────────────────────────────────────────────────────────────

const tick = (start, end, kind) => {
  const made = document.createElement("i");
  made.className = kind;
  made.style.top = `${(100 * start) / text().length}%`;
  made.style.height = `${Math.max((100 * (end - start)) / text().length, 0.5)}%`;
  return made;
};

const frame = document.createElement("b");

/** How much of the window something at its edge covers. */
const coveredBy = (name) => document.querySelector(name)?.offsetHeight ?? 0;

/** Frame the part of the text that is in sight, between the bar and the status line. */
const frameSight = () => {
  if (!part("map")?.offsetParent) return;
  const { top, height } = part("essay").getBoundingClientRect();
  const share = (y) => Math.min(Math.max((100 * (y - top)) / height, 0), 100);
  const [first, last] = [share(coveredBy(".bar")), share(innerHeight - coveredBy(".status"))];
  frame.style.top = `${first}%`;
  frame.style.height = `${last - first}%`;
};

/** Draw it anew; ``found`` are the marks: {item, start, end}. */
const drawMap = (found) => {
  const drawn = [...part("essay").querySelectorAll(".par:not(.blank)")].map((par) => {
    const [first, last] = [par.firstElementChild, par.lastElementChild];
    const start = Number(first.dataset.s);
    return tick(start, Number(last.dataset.s) + last.textContent.length, "line");
  });
  for (const { item, start, end } of found) drawn.push(tick(start, end, item.className));
  part("map").replaceChildren(...drawn, frame);
  frameSight();
};

// On a narrow window the card is docked below: the words it is about stay in sight above it.
const NARROW = matchMedia("(max-width: 56rem)");
const BAR = 56; // pixels at the top that the bar covers, with a little air

const reveal = () => {
  const extent = NARROW.matches && openedMark() ? extentOf(openedMark()) : null;
  const line = extent && rangeOf(extent).getClientRects()[0];
  if (!line) return;
  const lowest = part("cards").getBoundingClientRect().top - 8;
  if (line.top < BAR || line.bottom > lowest) scrollBy({ top: line.top - BAR - 24 });
};

/** The text may lie otherwise by now. */
const anew = () => {
  forget();
  layout();
};

// ── size of the text ────────────────────────────────────────────────────────

const SIZES = [100, 112, 125, 150, 175]; // percent

/** Make the text of the essay larger or smaller by a step. */
export const zoom = (by) => {
  const root = document.documentElement;
  const now = SIZES.indexOf(Number(root.dataset.zoom ?? 100));
  root.dataset.zoom = SIZES[Math.min(Math.max(now + by, 0), SIZES.length - 1)];
  localStorage.setItem("razbor-zoom", root.dataset.zoom);
  anew();
};

/** Put everything in its place, and again when the window or the fonts change. */
export const begin = () => {
  const kept = Number(localStorage.getItem("razbor-zoom"));
  if (SIZES.includes(kept)) document.documentElement.dataset.zoom = kept;
  let asked = 0;
  const ask = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(anew);
  };
  addEventListener("resize", ask);
  addEventListener("scroll", frameSight, { passive: true });
  document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
    if (target.id === "cards") requestAnimationFrame(reveal);
  });
  document.fonts?.ready.then(ask);
  WIDE.addEventListener("change", ask);
  layout();
};
