// Selecting with a finger: a long press takes a word, or the first word is tapped and then the last one. Words that only
// blocks cover are tapped as those that nothing does: mistakes stand within blocks.
import * as active from "./active.js";
import * as cards from "./cards.js";
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

/** A card that is open is closed by a tap beside its mark, in a block too. */
const shut = (numbers) => {
  if (!numbers.length) return false; // that goes by itself
  cards.close();
  active.leave();
  return true;
};

/** Does a tap mean one of these marks? One within blocks only means the word, unless a mark waits for its link. */
const meansMark = (numbers) =>
  part("desk").classList.contains("linking") ||
  numbers.some((each) => String(each) === active.openedMark() || !active.itemOf(each)?.classList.contains("block"));

/** A tap on the text; true when it was spent: on the first word of a selection, or on its last. The word of a block that is
 * tapped again opens its card; ``elsewhere`` is null while a code stays, and then marks it. */
export const tap = (at, elsewhere) => {
  if (wasLong) {
    wasLong = false;
    return true;
  }
  const word = wordAt(at);
  const numbers = at === null ? [] : fragmentsAt(at);
  const isAgain = word?.start === first?.start && numbers.length > 0 && elsewhere !== null;
  if (word && waits() && !isAgain) {
    select({ start: Math.min(first.start, word.start), end: Math.max(first.end, word.end) });
    first = null;
    return true;
  }
  const wasFirst = isAgain && waits();
  first = null;
  if (at === null || wasFirst || (numbers.length && meansMark(numbers))) return false;
  if (part("cards").firstElementChild) return shut(numbers);
  if (elsewhere?.(at) || !word) return false;
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
