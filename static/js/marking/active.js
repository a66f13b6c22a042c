// The active mark: which one it is, how it and those linked with it are shown, and the way from one
// to the next.
import * as caret from "./caret.js";
import { extentOf, fragmentsAt, intoView, piecesByFragment } from "./places.js";

const part = (id) => document.getElementById(id);
const desk = () => part("desk");

let active = null; // the number of the active mark
let stood = null; // where the caret stood when it became active, or none did

/** The number of the active mark, or null. */
export const activeMark = () => active;

/** Is the active mark, or that none is, what one is at? The caret has not moved since. */
const isAtHand = () => stood === caret.at();

/** The numbers of the marks at the caret, outer before inner: those over it, then those that end there. */
const stack = () => {
  const over = fragmentsAt(caret.at());
  return [...over, ...fragmentsAt(Math.max(0, caret.at() - 1)).filter((each) => !over.includes(each))];
};

/** The number of the deepest mark at the caret, null for none. */
export const deepest = () => stack().at(-1)?.toString() ?? null;

/** The number of the mark keys are about, null for none: the active one until the caret leaves it, then the deepest
 * at the caret. */
export const meant = () => {
  const isHere = isAtHand() || stack().includes(Number(active));
  return isHere ? active : (deepest() ?? active);
};

/** The number of the mark whose card is open, or null. */
export const openedMark = () => part("cards").dataset.open ?? null;

/** The items of the list of marks, in reading order. */
export const items = () => [...document.querySelectorAll("#marks > [data-mark]:not([hidden])")];

/** The item of a mark, beside the text or in the row of the whole text. */
export const itemOf = (number) => document.querySelector(`#marks > [data-mark="${number}"], #whole [data-mark="${number}"]`);

// ── what is shown of it ─────────────────────────────────────────────────────

const linkedTo = (number) => {
  const tag = itemOf(number)?.dataset.tag?.toLowerCase();
  if (!tag) return [];
  return items()
    .filter((item) => item.dataset.tag?.toLowerCase() === tag)
    .map((item) => item.dataset.mark);
};

const paint = () => {
  for (const each of document.querySelectorAll(".on, .on-s, .on-e, .linked")) {
    each.classList.remove("on", "on-s", "on-e", "linked");
  }
  if (active === null) return;
  const pieces = piecesByFragment();
  for (const number of linkedTo(active)) {
    for (const piece of pieces.get(number) ?? []) piece.classList.add("linked");
    itemOf(number)?.classList.add("linked");
  }
  const own = pieces.get(active) ?? [];
  for (const piece of own) piece.classList.add("on");
  own[0]?.classList.add("on-s");
  own.at(-1)?.classList.add("on-e");
  itemOf(active)?.classList.add("on");
};

/** The list is entered at the active mark, where none is at the deepest at the caret, else at the next one. */
export const rove = () => {
  const all = items();
  const wanted = active ?? deepest();
  const begins = ({ dataset: { start } }) => Number(start) >= caret.at();
  const own = all.find(({ dataset: { mark } }) => mark === wanted) ?? all.find(begins) ?? all.at(-1);
  const current = own?.querySelector("button");
  for (const each of document.querySelectorAll("#marks button:not([tabindex='-1'])")) if (each !== current) each.tabIndex = -1;
  if (current) current.tabIndex = 0;
};

/** The list of marks or the text came anew: show the active mark again, unless it is gone. */
export const redraw = () => {
  if (active !== null && !itemOf(active)) active = null;
  paint();
  rove();
};

/** Make a mark the active one; null for none. */
export const activate = (number, { scroll = false } = {}) => {
  active = number === null ? null : String(number);
  stood = caret.at();
  paint();
  rove();
  desk().dispatchEvent(new CustomEvent("mark-activated"));
  const extent = active && extentOf(active);
  if (scroll && extent) intoView(extent);
};

/** The mark that was made last is the active one, as from where the caret stood then. */
export const activateMade = (number) => {
  const before = stood;
  activate(number);
  stood = before;
};

/** No mark is the active one: keys are about those at the caret. */
export const leave = () => {
  activate(null);
  stood = null;
};

/** The caret has moved: what it has left is framed no more, unless its card is open. */
export const follow = () => {
  if (active === null || isAtHand() || openedMark() === active || stack().includes(Number(active))) return;
  leave();
};

// ── from one to the next ────────────────────────────────────────────────────

const stepped = () => desk().dispatchEvent(new CustomEvent("mark-stepped"));

let passed = null; // which marks are gone past

/** ``given`` says of a mark whether the keys go past it. */
export const passOver = (given) => {
  passed = given;
};

/** Is the active mark where one is? Else one goes on from the caret. */
const isThere = ({ dataset: { start, end } }) => isAtHand() || (Number(start) <= caret.at() && caret.at() <= Number(end));

/** The next or the previous mark of the list. */
export const step = (direction) => {
  const all = items().filter(({ dataset }) => !passed?.(dataset));
  if (!all.length) return;
  const focused = document.activeElement?.closest("#marks > [data-mark]");
  const here = all.findIndex((item) => item === focused || (!focused && item.dataset.mark === active && isThere(item)));
  const next = here < 0 ? nearest(all, direction) : (here + direction + all.length) % all.length;
  activate(all[next].dataset.mark, { scroll: true });
  say(all[next].querySelector("button").textContent);
  if (document.activeElement?.closest("#marks")) all[next].querySelector("button").focus();
  stepped();
};

const nearest = (all, direction) => {
  const after = all.findIndex((item) => Number(item.dataset.start) >= caret.at());
  if (direction > 0) return after < 0 ? 0 : after;
  return after <= 0 ? all.length - 1 : after - 1;
};

/** Come to a mark by another way, null where there is none: the card that is open follows. */
export const goTo = (number, options) => {
  activate(number, options);
  stepped();
};

/** Go through the marks at the caret: -1 to a wider one, 1 to a deeper one. */
export const cycle = (direction) => {
  const here = stack();
  if (!here.length) return;
  const place = here.indexOf(Number(active));
  const next = place < 0 ? here.length - 1 : (place + direction + here.length) % here.length;
  activate(here[next]);
  say(itemOf(active)?.querySelector("button").textContent ?? "");
  stepped();
};

/** Say something to those who listen; said twice, it differs by a blank, or nobody would hear it again. */
export const say = (words) => {
  part("said").textContent = part("said").textContent === words ? `${words}\u00a0` : words;
};

/** Say something in the status line, until the next answer; without words that there is no connection. */
export const inform = (words = part("told").dataset.unreachable) => {
  for (const each of document.querySelectorAll("[data-message]")) each.textContent = words;
};

let lit = null;

/** Light up the mark under the pointer, in the text and beside it; null for none. */
export const light = (number) => {
  if (String(number) === String(lit)) return;
  for (const each of document.querySelectorAll(".hover")) each.classList.remove("hover");
  lit = number;
  if (number === null) return;
  for (const piece of piecesByFragment().get(String(number)) ?? []) piece.classList.add("hover");
  itemOf(number)?.classList.add("hover");
};
