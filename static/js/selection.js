// The reader's selection -> a place in the essay, in code points (Python counts so, the DOM in
// UTF-16 units). Offsets are taken from the pieces' data-s, never from the page's text.

const codePoints = (text) => [...text].length;

const pieceOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("[data-s]");

/** The code point a DOM position stands at, or null outside the essay. */
export const offsetOf = (essay, node, offset) => {
  if (!essay.contains(node)) return null;
  const piece = pieceOf(node);
  if (piece) {
    const before = document.createRange();
    before.setStart(piece, 0);
    before.setEnd(node, offset);
    return Number(piece.dataset.s) + codePoints(before.toString());
  }
  // between pieces: the next piece begins there, or the text ends
  const rest = document.createRange();
  rest.setStart(node, offset);
  rest.setEndAfter(essay.lastChild);
  const next = [...essay.querySelectorAll("[data-s]")].find((each) => rest.comparePoint(each, 0) >= 0);
  return next ? Number(next.dataset.s) : codePoints(essay.textContent);
};

const WORD = /[\p{L}\p{N}]/u;

/** Widen a place to whole words and drop white space at its ends; one sign alone is kept. */
export const snap = (text, start, end) => {
  while (start < end && /\s/u.test(text[start])) start += 1;
  while (end > start && /\s/u.test(text[end - 1])) end -= 1;
  if (start === end) return null;
  if (WORD.test(text[start])) while (start > 0 && WORD.test(text[start - 1])) start -= 1;
  if (WORD.test(text[end - 1])) while (end < text.length && WORD.test(text[end])) end += 1;
  return { start, end };
};

/** The selected place of the essay: {start, end, quote}, or null when nothing is selected. */
export const selectedPlace = (essay, { exact = false } = {}) => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const start = offsetOf(essay, range.startContainer, range.startOffset);
  const end = offsetOf(essay, range.endContainer, range.endOffset);
  if (start === null || end === null || start >= end) return null;
  const text = [...essay.textContent];
  const place = exact ? { start, end } : snap(text, start, end);
  return place && { ...place, quote: text.slice(place.start, place.end).join("") };
};
