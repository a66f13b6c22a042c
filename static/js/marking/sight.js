// What comes into sight: the words of a card that is docked below on a narrow window, and what a step back or forth changes.
import { openedMark } from "./active.js";
import { lowest } from "./changes.js";
import { BAR } from "./margin.js";
import { extentOf, FOOT, rangeOf } from "./places.js";

const part = (id) => document.getElementById(id);
const NARROW = matchMedia("(max-width: 56rem)");
const SAID = 72; // pixels on a narrow window: what is going to be said of a step, above whatever is docked there

/** How much of the window something at its edge covers. */
export const coveredBy = (name) => document.querySelector(name)?.offsetHeight ?? 0;

/** The words of a mark, that of the open card, come into sight above what is docked below. */
export const reveal = (number = openedMark()) => {
  const extent = NARROW.matches && number ? extentOf(number) : null;
  const lines = extent ? [...rangeOf(extent).getClientRects()] : [];
  const last = lowest() - 8;
  const isSeen = lines.some(({ top, bottom }) => top >= BAR && bottom <= last); // the line that was tapped, of a long one
  if (lines.length && !isSeen) scrollBy({ top: lines[0].top - BAR - 24 });
};

// ── what a step back or forth changes ───────────────────────────────────────

const TOLD = ["start", "end", "code", "subcode", "tag", "correction", "comment", "explanation"];

let steps = 0; // that have begun and not ended
let shown = null; // the marks, as the page showed them last while there are steps

/** The marks the page shows: what is said of each -> its row, those that say the same counted. */
const marksHere = () => {
  const found = new Map();
  for (const row of document.querySelectorAll(":is(#marks, #whole) > [data-mark]:not([hidden])")) {
    const said = TOLD.map((name) => row.dataset[name] ?? "").join("\n");
    let count = 0;
    while (found.has(`${said}\n${count}`)) count += 1;
    found.set(`${said}\n${count}`, row);
  }
  return found;
};

/** Where something lies that came, or else that went: the boxes of its lines, or of the row of the whole text. */
const boxesOf = ({ dataset: { start, end } }) =>
  start ? [...rangeOf({ start: Number(start), end: Number(end) }).getClientRects()] : [part("whole").getBoundingClientRect()];

/** Down to where words stay in sight once it is said what a step did. */
const lowestThen = () => {
  if (!NARROW.matches) return innerHeight - FOOT;
  return lowest() - (part("toast").firstElementChild ? 8 : SAID);
};

/** The least scrolling that shows these lines, their first one above all; none where one of them is in sight. */
export const bring = (lines) => {
  const last = lowestThen();
  if (!lines.length || lines.some(({ top, bottom }) => top >= BAR && bottom <= last)) return;
  const up = lines[0].top - BAR;
  scrollBy({ top: Math.min(up, Math.max(0, lines.at(-1).bottom - last)) || up, behavior: "instant" });
};

const showStep = () => {
  if (!shown) return;
  const [before, now] = [shown, marksHere()];
  shown = now;
  const missing = (from, other) => [...from].filter(([said]) => !other.has(said)).map(([, row]) => row);
  const [changed] = [...missing(now, before), ...missing(before, now)];
  if (changed) bring(boxesOf(changed));
};

const watchSteps = () => {
  part("desk").addEventListener("step-begins", () => {
    steps += 1;
    shown ??= marksHere();
  });
  part("desk").addEventListener("laid-out", showStep);
  part("desk").addEventListener("step-ends", () => {
    steps -= 1;
    if (!steps) shown = null;
  });
};

/** Start: the words of a card that comes and what steps change come into sight. */
export const begin = () => {
  watchSteps();
  document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
    if (target.id === "cards") requestAnimationFrame(() => reveal());
  });
};
