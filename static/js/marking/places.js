// Places in the essay. A text is an array of code points, as Python counts them, and an offset is an
// index into it: words and signs are found in it without a page. On the page offsets come from the
// pieces' data-s, never from its text, and become the DOM's nodes, UTF-16 offsets and rectangles.

// ── in a text: pure functions ───────────────────────────────────────────────

/** The code points of a string. */
export const signsOf = (text) => [...text];

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const INNER = /[-'’]/u;
const SPACE = /\s/u;

const isSpace = (sign) => sign !== undefined && SPACE.test(sign);

/** Does the sign at an offset belong to a word? An inner hyphen or apostrophe does. */
export const inWord = (signs, at) => {
  if (at < 0 || at >= signs.length) return false;
  if (LETTER.test(signs[at])) return true;
  return INNER.test(signs[at]) && at > 0 && LETTER.test(signs[at - 1]) && LETTER.test(signs[at + 1] ?? "");
};

/** Where the word around an offset begins; the offset itself outside words. */
export const wordStart = (signs, at) => {
  let start = at;
  while (start > 0 && inWord(signs, start - 1)) start -= 1;
  return start;
};

/** Where the word around an offset ends; the offset itself outside words. */
export const wordEnd = (signs, at) => {
  let end = at;
  while (end < signs.length && inWord(signs, end)) end += 1;
  return end;
};

/** The next border of a word in a direction: 1 to the end of a word, -1 to the beginning of one. */
export const stepWord = (signs, at, direction) => {
  let place = at;
  if (direction > 0) {
    while (place < signs.length && isSpace(signs[place])) place += 1;
    if (place === signs.length) return place;
    return inWord(signs, place) ? wordEnd(signs, place) : place + 1;
  }
  while (place > 0 && isSpace(signs[place - 1])) place -= 1;
  if (place === 0) return 0;
  return inWord(signs, place - 1) ? wordStart(signs, place) : place - 1;
};

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;
const REACH = 32; // signs looked at around an offset: no cluster people type is longer

/** The next offset at which a reader sees another character (emoji and accents are one). */
export const stepSign = (signs, at, direction) => {
  const next = at + direction;
  if (next <= 0 || next >= signs.length || !segmenter) return Math.min(Math.max(next, 0), signs.length);
  const from = direction > 0 ? at : Math.max(0, at - REACH);
  const piece = signs.slice(from, direction > 0 ? at + REACH : at).join("");
  const clusters = [...segmenter.segment(piece)].map((each) => signsOf(each.segment).length);
  return direction > 0 ? at + clusters[0] : at - clusters.at(-1);
};

/** A place without white space at its ends; null when nothing is left. */
export const trim = (signs, start, end) => {
  let [first, last] = [start, end];
  while (first < last && isSpace(signs[first])) first += 1;
  while (last > first && isSpace(signs[last - 1])) last -= 1;
  return first < last ? { start: first, end: last } : null;
};

/** A place widened to whole words. Signs between words, such as a comma, may stand alone. */
export const snap = (signs, start, end) => {
  const place = trim(signs, start, end);
  if (!place) return null;
  return {
    start: inWord(signs, place.start) ? wordStart(signs, place.start) : place.start,
    end: inWord(signs, place.end - 1) ? wordEnd(signs, place.end) : place.end,
  };
};

const END = 6; // signs

/** The two ends of a place; the whole of one that has no room between them. */
export const endsOf = ({ start, end }) => {
  if (end - start <= 2 * END) return [{ start, end }];
  return [
    { start, end: start + END },
    { start: end - END, end },
  ];
};

// ── on the page ─────────────────────────────────────────────────────────────

let essay = null;
let written = null; // the text of the essay as a string
let signs = [];
let pieces = []; // {node, start, end}: the text node of every piece, in order
let byFragment = null; // number -> its pieces, once somebody has asked
let extents = null; // number -> {start, end}
const shining = new Map(); // name -> the places that are lit up

/** Read the essay anew, after it was put on the page. */
export const read = (root) => {
  essay = root;
  if (root.textContent !== written) {
    written = root.textContent;
    signs = signsOf(written);
  }
  pieces = [...root.querySelectorAll("[data-s]")].map((each) => ({ node: each.firstChild, start: Number(each.dataset.s) }));
  for (const [at, piece] of pieces.entries()) piece.end = pieces[at + 1]?.start ?? signs.length;
  byFragment = null;
  for (const [name, places] of shining) shine(name, places); // the former nodes may be gone
};

/** The code points of the essay. */
export const text = () => signs;

/** The words of a place, as they go along to the server. */
export const quote = ({ start, end }) => signs.slice(start, end).join("");

const pieceOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest?.("[data-s]");

/** The offset of a DOM position; null outside the essay. */
export const offsetOf = (node, offset) => {
  if (!essay?.contains(node)) return null;
  const piece = pieceOf(node);
  if (piece) {
    const before = document.createRange();
    before.setStart(piece, 0);
    before.setEnd(node, offset);
    return Number(piece.dataset.s) + signsOf(before.toString()).length;
  }
  // between pieces: where the next piece begins, or the end of the text
  const rest = document.createRange();
  rest.setStart(node, offset);
  rest.collapse(true);
  const next = pieces.find((each) => rest.comparePoint(each.node, 0) >= 0);
  return next ? next.start : signs.length;
};

/** The DOM position of an offset. */
export const pointOf = (at) => {
  const piece = pieces.find((each) => at < each.end) ?? pieces.at(-1);
  const inside = Math.min(at, piece.end) - piece.start;
  return { node: piece.node, offset: signsOf(piece.node.data).slice(0, inside).join("").length };
};

/** The DOM range of a place. */
export const rangeOf = ({ start, end }) => {
  const range = document.createRange();
  const [first, last] = [pointOf(start), pointOf(Math.max(start, end - 1))];
  range.setStart(first.node, first.offset);
  const tail = end > start ? signs[end - 1].length : 0;
  range.setEnd(last.node, last.offset + tail);
  return range;
};

/** Pixels at the lower edge of a wide window: the line of state, and what is said above it. */
export const FOOT = 112;

/** Bring a place into view that the bar, the status line or a sheet may cover. */
export const intoView = (place, lowest = innerHeight - FOOT) => {
  const { top, bottom } = rangeOf(place).getBoundingClientRect();
  if (top < 80 || bottom > lowest) scrollBy({ top: top - innerHeight / 3 });
};

/** The offset under a point of the window; null outside the essay. */
export const offsetAt = (x, y) => {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && offsetOf(found.offsetNode, found.offset);
  }
  const found = document.caretRangeFromPoint?.(x, y);
  return found ? offsetOf(found.startContainer, found.startOffset) : null;
};

/** The offset of the sign under a point of the window, also under its right half; the nearest border where none is. */
export const signAt = (x, y) => {
  const at = offsetAt(x, y);
  const before = at ? [...rangeOf({ start: at - 1, end: at }).getClientRects()] : [];
  const isOver = ({ left, right, top, bottom }) => left <= x && x < right && top <= y && y < bottom;
  return before.some(isOver) ? at - 1 : at;
};

/** Where a caret at an offset stands: {left, top, bottom} in the window. */
export const caretRect = (at) => {
  const isLast = at >= signs.length || signs[at] === "\n";
  const place = isLast ? { start: Math.max(0, at - 1), end: at } : { start: at, end: at + 1 };
  const rects = rangeOf(place).getClientRects();
  const rect = isLast ? rects[rects.length - 1] : rects[0];
  return rect && { left: isLast ? rect.right : rect.left, top: rect.top, bottom: rect.bottom };
};

/** The numbers of the fragments over an offset, outer before inner. */
export const fragmentsAt = (at) => {
  const piece = pieces.find((each) => at >= each.start && at < each.end);
  return piece?.node.parentElement.dataset.m?.split(" ").map(Number) ?? [];
};

/** The pieces of every fragment, by number: found once for an essay on the page. */
export const piecesByFragment = () => {
  if (byFragment) return byFragment;
  byFragment = new Map();
  extents = new Map();
  for (const { node, start, end } of pieces) {
    for (const number of node.parentElement.dataset.m?.split(" ") ?? []) {
      if (!byFragment.has(number)) byFragment.set(number, []);
      byFragment.get(number).push(node.parentElement);
      extents.set(number, { start: extents.get(number)?.start ?? start, end });
    }
  }
  return byFragment;
};

/** The extent of a fragment: {start, end}; null when it is not on the page. */
export const extentOf = (number) => {
  piecesByFragment();
  return extents.get(String(number)) ?? null;
};

/** Light places up (a find, a border being moved), also when the text is painted anew; the page itself stays as it is. */
export const shine = (name, places) => {
  if (!CSS.highlights) return;
  shining.set(name, places);
  if (places.length) CSS.highlights.set(name, new Highlight(...places.map(rangeOf)));
  else CSS.highlights.delete(name);
};
