// The caret and the selection of the essay: by keys, by mouse, by touch, and back after a swap.
//
// Keys move offsets and the browser's selection follows; mouse and touch move the browser's
// selection and the offsets follow. Nobody can type into the essay.
import { caretRect, FOOT, inWord, offsetAt, offsetOf, pointOf, snap, stepSign, stepWord, text, trim, wordEnd, wordStart } from "./places.js";

let anchor = 0;
let focus = 0;
let goal = null; // the column arrows up and down try to keep
let exact = false; // the selection means these very signs, not the words they stand in

const essay = () => document.getElementById("essay");
const drawn = () => document.getElementById("caret");

/** The offset the caret stands at. */
export const at = () => focus;

/** What is selected, as it was selected: {start, end}; null when nothing is. */
export const selected = () =>
  anchor === focus ? null : { start: Math.min(anchor, focus), end: Math.max(anchor, focus) };

/** What is selected, widened to words unless signs were meant; null when nothing is left. */
export const selectedPlace = () => {
  const place = selected();
  if (!place) return null;
  return exact ? trim(text(), place.start, place.end) : snap(text(), place.start, place.end);
};

const draw = () => {
  const mark = drawn();
  if (!mark) return;
  const rect = document.activeElement === essay() && anchor === focus && caretRect(focus);
  mark.hidden = !rect;
  if (!rect) return;
  const sheet = mark.offsetParent?.getBoundingClientRect();
  if (!sheet) return; // on paper it is not drawn
  mark.style.left = `${rect.left - sheet.left}px`;
  mark.style.top = `${rect.top - sheet.top}px`;
  mark.style.height = `${rect.bottom - rect.top}px`;
};

const TOP = 64; // pixels at the upper edge of the window where the caret is not well seen, as it is not at its foot

let coming = 0; // the frame in which the browser's selection is set

/** The browser's selection is ours: what stands already is not set again, for that lays the page out. */
const select = () => {
  cancelAnimationFrame(coming);
  coming = 0;
  const [from, to] = [pointOf(anchor), pointOf(focus)];
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  const begins = anchorNode === from.node && anchorOffset === from.offset;
  if (begins && focusNode === to.node && focusOffset === to.offset) return;
  getSelection().setBaseAndExtent(from.node, from.offset, to.node, to.offset);
};

/** The same in the next frame, unless the text is left: set while a key is minded, browsers read all before it. */
export const selectSoon = () => {
  coming ||= requestAnimationFrame(() => {
    coming = 0;
    keep();
  });
};

/** A press begins: what is to be selected is, for the press goes on from there. */
export const settle = () => {
  if (coming) select();
};

/** Put the caret (and the other end of the selection) at offsets; the browser's follows. */
export const put = (newFocus, newAnchor = newFocus) => {
  const last = text().length;
  [anchor, focus] = [Math.min(newAnchor, last), Math.min(newFocus, last)];
  select();
  draw();
};

/** After a swap: caret and selection stand where they stood; the caret is drawn once all is laid out. */
export const keep = () => {
  if (document.activeElement === essay()) select();
};

/** The text has the focus: caret and selection stand where they stood. */
export const restore = () => {
  keep();
  draw();
};

/** Nothing is selected any more; the caret stays. */
export const letGo = () => {
  anchor = focus;
};

/** The same, and it looks so; the caret may go elsewhere. */
export const drop = (to = null) => {
  if (to !== null) focus = to;
  letGo();
  if (essay().contains(getSelection().anchorNode)) select();
  show();
};

/** Back into the text, where the caret stood, or to a place. */
export const enter = (place = null) => {
  if (place !== null) [anchor, focus] = [place, place];
  essay().focus({ preventScroll: true });
  selectSoon();
  draw();
};

/** The offset of an end of the browser's selection; beyond the essay the end it went out at. */
const endOf = (node, offset) => {
  const whole = document.createRange();
  whole.selectNodeContents(essay());
  return offsetOf(node, offset) ?? (whole.comparePoint(node, offset) > 0 ? text().length : 0);
};

/** Take the browser's selection over, when some of it lies in the essay and it is not about to be set. */
export const follow = () => {
  if (coming) return false;
  const { rangeCount, anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  if (!rangeCount || ![anchorNode, focusNode].some((each) => essay()?.contains(each))) return false;
  [anchor, focus] = [endOf(anchorNode, anchorOffset), endOf(focusNode, focusOffset)];
  draw();
  return true;
};

const lineHeight = () => Number.parseFloat(getComputedStyle(essay()).lineHeight);

/** The offset of the first of these heights of the window that has one in the column arrows keep to. */
const inColumn = (heights) => {
  const frame = essay().getBoundingClientRect();
  for (const y of heights) {
    if (y < frame.top) return 0;
    if (y > frame.bottom) return text().length;
    const found = offsetAt(Math.min(Math.max(goal, frame.left + 1), frame.right - 1), y);
    if (found !== null && found !== focus) return found;
  }
  return focus;
};

const lineStep = (direction) => {
  const rect = caretRect(focus);
  if (!rect) return focus;
  goal ??= rect.left;
  const middle = (rect.top + rect.bottom) / 2;
  return inColumn([1, 1.5, 2].map((lines) => middle + direction * lineHeight() * lines));
};

/** The text goes on by what is in sight of it, and the caret with it. */
const windowStep = (direction) => {
  const rect = caretRect(focus);
  if (!rect) return focus;
  goal ??= rect.left;
  const [line, before] = [lineHeight(), scrollY];
  const [highest, lowest] = [TOP + line, innerHeight - FOOT - line];
  scrollBy({ top: direction * (lowest - highest), behavior: "instant" });
  const left = direction * (lowest - highest) - (scrollY - before); // there was less to scroll
  const y = Math.min(Math.max((rect.top + rect.bottom) / 2, highest), lowest) + left;
  return inColumn([0, 0.5, 1].map((lines) => y + direction * line * lines));
};

const lineEnd = (direction) => {
  const rect = caretRect(focus);
  const frame = essay().getBoundingClientRect();
  const found = rect && offsetAt(direction > 0 ? frame.right - 2 : frame.left + 2, (rect.top + rect.bottom) / 2);
  return found ?? focus;
};

const STEPS = {
  ArrowLeft: (byWord) => (byWord ? stepWord(text(), focus, -1) : stepSign(text(), focus, -1)),
  ArrowRight: (byWord) => (byWord ? stepWord(text(), focus, 1) : stepSign(text(), focus, 1)),
  ArrowUp: () => lineStep(-1),
  ArrowDown: () => lineStep(1),
  PageUp: () => windowStep(-1),
  PageDown: () => windowStep(1),
  Home: (byWord) => (byWord ? 0 : lineEnd(-1)),
  End: (byWord) => (byWord ? text().length : lineEnd(1)),
};

/** Select the whole essay. */
export const selectAll = () => put(text().length, 0);

/** The pointer has selected: with Alt single signs were meant, otherwise words. */
export const byPointer = (alt) => {
  exact = alt;
  follow(); // the browser tells of a selection only after the press that made it
};

/** A double press takes the word of the sign under it; browsers take what follows, where it is under its right half. */
export const takeWord = (at) => {
  const { start, end } = selected() ?? { start: 0, end: 0 };
  const isTaken = start <= at && at < end;
  if (at !== null && !isTaken && inWord(text(), at)) put(wordEnd(text(), at), wordStart(text(), at));
};

/** Move by an arrow key, or by windows of text; true when it was one. Shift selects, Ctrl goes by words. */
export const move = (event) => {
  const step = STEPS[event.key];
  const byWord = event.ctrlKey || event.altKey;
  if (!step || (byWord && event.key.startsWith("Page"))) return false; // those go to another tab
  if (!event.key.endsWith("Up") && !event.key.endsWith("Down")) goal = null;
  const ends = event.shiftKey || byWord ? null : selected();
  const target = { ArrowLeft: ends?.start, ArrowRight: ends?.end }[event.key] ?? step(byWord);
  exact = !byWord;
  put(target, event.shiftKey ? anchor : target);
  const rect = caretRect(focus);
  if (rect && (rect.top < TOP || rect.bottom > innerHeight - FOOT)) {
    scrollBy({ top: rect.top - innerHeight / 2, behavior: "instant" });
    draw();
  }
  return true;
};

const [BAR, GAP] = [80, 24]; // pixels: covered at the top, and left above the palette

/** The desk knows what is selected; codes that come up from below cover nothing of it. */
export const show = () => {
  const desk = document.getElementById("desk");
  desk.classList.toggle("selecting", selected() !== null);
  if (selected()) desk.dispatchEvent(new CustomEvent("words-selected"));
  const palette = document.getElementById("palette");
  const rect = palette && getComputedStyle(palette).position === "fixed" && anchor !== focus && caretRect(focus);
  const below = rect ? rect.bottom + GAP - palette.getBoundingClientRect().top : 0;
  if (below > 0) scrollBy({ top: Math.min(below, rect.top - BAR), behavior: "instant" });
};

/** Draw the caret anew: the window changed, or the essay got or lost the focus. */
export const redraw = draw;
