// What stands beside the text: notes and rails at the lines of their fragments, the open card.
// Everything is measured first and written after, so that the page is laid out once.
import { items } from "./active.js";
import { extentOf, piecesByFragment } from "./places.js";

const WIDE = matchMedia("(min-width: 72rem)");
const FINE = matchMedia("(pointer: fine)"); // a finger needs more than one line
const GAP = 2; // pixels between notes
const NEAR = 68; // pixels: from further down a hairline leads back only where one looks
const ONE = 1.1875; // rem: a note of one line
const DEEPEST = 2; // rails that have room between the labels and the text

/** Pixels at the top that the bar covers, with a little air. */
export const BAR = 56;

const part = (id) => document.getElementById(id);

let around = null; // the module of tags and the map, once it came

/** Where the lines of a fragment lie, in pixels below the top of the text. */
const linesOf = (pieces, top) => {
  const first = pieces[0].getClientRects()[0];
  const last = [...pieces.at(-1).getClientRects()].at(-1);
  return first && last && { top: first.top - top, bottom: last.bottom - top };
};

// Marking moves no word: lines are measured once, until the text gets another size.
const known = new Map(); // "start end" of a mark -> where its lines lie
let size = "";

let whole = new WeakMap(); // item -> the height of its note when nothing of it is folded

const forget = () => {
  known.clear();
  whole = new WeakMap();
  for (const item of document.querySelectorAll("#marks > .folded")) item.classList.remove("folded");
};

/** How high a note is with all its words, also where it is folded. */
const heightOf = (item) => {
  if (!item.classList.contains("folded") || !whole.has(item)) whole.set(item, item.firstElementChild.offsetHeight);
  return whole.get(item);
};

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
    found.push({ item, top: above, bottom: below, ...extent, height: heightOf(item), isBlock: item.classList.contains("block") });
  }
  return found;
};

/** What stands in a margin goes down one after another where the lines are too close; what would come to lie under the
 * card in this way goes below it. */
const stack = (notes, card = null) => {
  let free = 0;
  const isUnder = (at, { height }) => card !== null && at < card.bottom && at + height > card.top;
  return notes.map((note) => {
    const isBehind = isUnder(note.top, note);
    const pushed = isBehind ? note.top : Math.max(note.top, free);
    const at = !isBehind && isUnder(pushed, note) ? card.bottom + GAP : pushed;
    if (!isBehind) free = at + note.height + GAP;
    return { ...note, at, isBehind };
  });
};

/** Where notes push each other far from their lines, all that do are one line high. */
const fold = (notes) => {
  if (!FINE.matches) return notes;
  const one = ONE * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const placed = stack(notes);
  let first = 0; // of those that push each other
  for (const [at, note] of placed.entries()) {
    if (note.at === note.top) first = at;
    if (note.at - note.top > NEAR) for (const each of placed.slice(first, at + 1)) each.isFolded = true;
  }
  return notes.map((note, at) => (placed[at].isFolded ? { ...note, height: Math.min(note.height, one), isFolded: true } : note));
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
  const [highest, lowest] = [BAR - sheet.top, innerHeight - 48 - sheet.top - cards.offsetHeight]; // stays in the window
  const top = Math.min(line, Math.max(lowest, highest));
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
  around?.hang(part("essay"));
  const sheet = part("sheet");
  if (!WIDE.matches) {
    sheet.style.minHeight = "";
    tellMeasured();
    return;
  }
  const empty = document.querySelector("#marks > .empty");
  if (empty) put(empty, { top: `${part("essay").offsetTop}px` });
  const found = measure();
  const pars = part("map")?.offsetParent ? around?.paragraphs() : null; // no map in sight needs none
  const card = pinCard(found);
  const notes = stack(fold(found.filter((each) => !each.isBlock)), card);
  const blocks = stack(nest(found.filter((each) => each.isBlock)));
  tellMeasured();
  if (card) {
    part("cards").style.top = `${card.top}px`;
    part("cards").style.setProperty("--line", `${card.line - card.top}px`);
  }
  for (const { item, top, at, isBehind, isFolded = false } of notes) {
    item.classList.toggle("folded", isFolded);
    put(item, { top: `${at}px`, "--up": `${at - top > NEAR ? 0 : at - top}px`, "--far": `${at - top}px` });
    item.classList.toggle("tick", isBehind);
  }
  for (const { item, top, bottom, at, depth } of blocks) {
    put(item, { top: `${top}px`, "--reach": `${bottom - top}px`, "--depth": depth, "--down": `${at - top}px` });
  }
  const lowest = Math.max(card?.bottom ?? 0, ...notes.map((note) => note.at + note.height));
  sheet.style.minHeight = `${lowest + 24}px`;
  if (pars) around.drawMap(found, pars);
};

/** The text may lie otherwise by now. */
export const anew = () => {
  forget();
  layout();
};

/** Put everything in its place, and again when the window or the fonts change. */
export const begin = () => {
  document.documentElement.dataset.zoom = localStorage.getItem("razbor-zoom") ?? 100;
  let asked = 0;
  const ask = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(anew);
  };
  addEventListener("resize", ask);
  document.fonts?.ready.then(ask);
  WIDE.addEventListener("change", ask);
  layout();
};

/** The rest comes when the page stands: tags are hung, the map is drawn. */
export const furnish = (found) => {
  around = found;
  around.begin();
  layout();
  part("desk").dataset.furnished = "";
};
