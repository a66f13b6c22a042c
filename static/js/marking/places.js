// Places in the essay on the page: between offsets in code points and the DOM's nodes, UTF-16
// offsets and rectangles. Offsets come from the pieces' data-s, never from the page's text.
import { signsOf } from "./words.js";

let essay = null;
let signs = [];
let pieces = []; // {node, start, end}: the text node of every piece, in order
let byFragment = null; // number -> its pieces, once somebody has asked

/** Read the essay anew, after it was put on the page. */
export const read = (root) => {
  essay = root;
  pieces = [...root.querySelectorAll("[data-s]")].map((each) => {
    const start = Number(each.dataset.s);
    return { node: each.firstChild, start, end: start + signsOf(each.textContent).length };
  });
  signs = signsOf(root.textContent);
  byFragment = null;
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

/** The offset under a point of the window; null outside the essay. */
export const offsetAt = (x, y) => {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && offsetOf(found.offsetNode, found.offset);
  }
  const found = document.caretRangeFromPoint?.(x, y);
  return found ? offsetOf(found.startContainer, found.startOffset) : null;
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
  for (const { node } of pieces) {
    for (const number of node.parentElement.dataset.m?.split(" ") ?? []) {
      if (!byFragment.has(number)) byFragment.set(number, []);
      byFragment.get(number).push(node.parentElement);
    }
  }
  return byFragment;
};

/** The extent of a fragment: {start, end}; null when it is not on the page. */
export const extentOf = (number) => {
  const own = piecesByFragment().get(String(number));
  if (!own) return null;
  const last = own.at(-1);
  const end = Number(last.dataset.s) + signsOf(last.textContent).length;
  return { start: Number(own[0].dataset.s), end };
};

/** Light places up for a moment (a find, a border being moved); the page itself stays as it is. */
export const shine = (name, places) => {
  if (!CSS.highlights) return;
  if (places.length) CSS.highlights.set(name, new Highlight(...places.map(rangeOf)));
  else CSS.highlights.delete(name);
};
