// Selecting with a finger: a long press takes a word, or the first word is tapped and then the last one.
import * as caret from "./caret.js";
import { fragmentsAt, inWord, signAt, text, wordEnd, wordStart } from "./places.js";

const LONG = 450; // milliseconds
const STILL = 10; // pixels a finger may move within a press

const part = (id) => document.getElementById(id);

let first = null; // the word that was tapped or pressed first
let press = null; // the press that may become a long one: {timer, x, y}
let wasLong = false; // the press that ends now was one

const wordAt = (at) =>
  at !== null && inWord(text(), at) ? { start: wordStart(text(), at), end: wordEnd(text(), at) } : null;

const select = (place) => {
  caret.byPointer(false);
  part("essay").focus({ preventScroll: true });
  caret.put(place.end, place.start);
  caret.show();
};

const begin = (word) => {
  first = word;
  select(word);
};

/** Is the first word of a selection tapped, and selected still? An answer that comes meanwhile leaves it so. */
export const waits = () => {
  const chosen = first && caret.selected();
  return Boolean(chosen) && chosen.start === first.start && chosen.end === first.end;
};

/** A tap on the text; true when it was spent: on the first word of a selection, or on its last. */
export const tap = (at, elsewhere) => {
  if (wasLong) {
    wasLong = false;
    return true;
  }
  const word = wordAt(at);
  if (word && waits()) {
    select({ start: Math.min(first.start, word.start), end: Math.max(first.end, word.end) });
    first = null;
    return true;
  }
  first = null;
  if (at === null || fragmentsAt(at).length || part("cards").firstElementChild || elsewhere?.(at) || !word) return false;
  begin(word);
  return true;
};

const letGo = () => {
  clearTimeout(press?.timer);
  press = null;
};

const onDown = (event) => {
  letGo();
  wasLong = false;
  if (event.pointerType !== "touch" || !event.isPrimary) return;
  const { clientX: x, clientY: y } = event;
  const timer = setTimeout(() => {
    const word = wordAt(signAt(x, y));
    if (!word) return;
    wasLong = true;
    begin(word);
  }, LONG);
  press = { timer, x, y };
};

const onMove = ({ clientX, clientY }) => {
  if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL) letGo();
};

/** Start: everything is on the page. */
export const listen = () => {
  const essay = part("essay");
  essay.addEventListener("pointerdown", onDown);
  essay.addEventListener("pointermove", onMove);
  for (const name of ["pointerup", "pointercancel"]) essay.addEventListener(name, letGo);
};
