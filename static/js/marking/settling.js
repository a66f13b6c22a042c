// The third expert's desk beside the text: the pairs of the two earlier checks. One key takes a
// fragment of either; what is taken by now, the server says in #taken.
import * as caret from "./caret.js";
import * as marks from "./marks.js";
import { rangeOf, shine } from "./places.js";

const part = (id) => document.getElementById(id);
const desk = () => part("settling");
const pairs = () => [...document.querySelectorAll("#pairs > .pair")];
const shown = () => pairs().filter((pair) => !pair.hidden);
const other = (side) => (side === "first" ? "second" : "first");
const reasonOf = (pair) => pair.querySelector("[data-reason]");

let here = null; // the pair that keys are about

/** The fragments of the earlier checks that are taken: their numbers to the numbers here. */
const taken = () => new Map(part("taken").dataset.taken.trim().split(" ").map((each) => each.split(":")));

const isTaken = (pair, own) => own.has(pair.dataset.first) || own.has(pair.dataset.second);

const isDecided = (pair) => pair.classList.contains("decided");

// ── what is shown ───────────────────────────────────────────────────────────

const belongs = (pair) => {
  const wanted = part("shown").value;
  return !wanted || (wanted === "undecided" ? !isDecided(pair) : pair.dataset.state === wanted);
};

const redraw = () => {
  const own = taken();
  for (const pair of pairs()) {
    for (const button of pair.querySelectorAll(".take")) {
      button.setAttribute("aria-pressed", String(own.has(pair.dataset[button.dataset.side])));
    }
    pair.classList.toggle("decided", isTaken(pair, own) || reasonOf(pair).value.trim() !== "");
    pair.hidden = pair !== here && !belongs(pair);
  }
  part("undecided").textContent = pairs().filter((pair) => !isDecided(pair)).length;
};

/** After a change that was not made here, what is taken may be otherwise. */
const follow = async () => {
  const { version, address } = part("taken").dataset;
  if (version !== part("saved").dataset.version) {
    const answer = await fetch(address).catch(() => null); // says nothing of what is saved
    const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
    Object.assign(part("taken").dataset, page.getElementById("taken")?.dataset);
  }
  redraw();
};

/** Where the fragments of a pair lie: {first, second}. */
const placesOf = (pair) => {
  const [first, second] = pair.dataset.places.split(",").map((words) => {
    const [start, end] = words.split("-").map(Number);
    return words ? { start, end } : null;
  });
  return { first, second };
};

const light = ({ first, second }) => {
  shine("first", [first].filter(Boolean));
  shine("second", [second].filter(Boolean));
};

const intoView = (place) => {
  const rect = rangeOf(place).getBoundingClientRect();
  if (rect.top < 80 || rect.bottom > innerHeight - 64) scrollBy({ top: rect.top - innerHeight / 3 });
};

const go = (pair) => {
  if (!pair) return;
  here = pair;
  for (const each of pairs()) {
    each.classList.toggle("here", each === pair);
    each.querySelector(".pair-words").tabIndex = each === pair ? 0 : -1;
    for (const button of each.querySelectorAll(".take")) button.tabIndex = each === pair ? 0 : -1;
  }
  const places = placesOf(pair);
  const place = places.first ?? places.second;
  light(places);
  if (place) caret.put(place.start);
  if (place && matchMedia("(min-width: 56rem)").matches) intoView(place);
  pair.scrollIntoView({ block: "nearest" });
  if (document.activeElement?.closest("#pairs")) pair.querySelector(".pair-words").focus();
  marks.say([".pair-words", ".sides"].map((name) => pair.querySelector(name).innerText).join(" "));
};

/** The next or the previous pair; the first one that is not decided, where there is none yet. */
const step = (direction) => {
  const all = shown();
  const next = here ? all.indexOf(here) + direction : Math.max(0, all.findIndex((pair) => !isDecided(pair)));
  go(all[(next + all.length) % all.length]);
};

// ── the changes ─────────────────────────────────────────────────────────────

/** Take the fragments of one side of pairs, in place of untouched copies of the other side. */
const takeAll = (chosen, side) => {
  const own = taken();
  const wanted = chosen.filter((pair) => pair.dataset[side] && !own.has(pair.dataset[side]));
  if (!wanted.length) return marks.say(desk().dataset.nothing);
  const numbers = (name) => wanted.map((pair) => pair.dataset[name]).filter(Boolean).join(" ");
  return marks.send(desk().dataset.take, { sources: numbers(side), instead_of: numbers(other(side)) });
};

const take = async (pair, side) => {
  if (!pair) return step(1);
  if (pair !== here) go(pair);
  await takeAll([pair], side);
  const number = taken().get(pair.dataset[side]);
  if (number) marks.activate(number);
};

/** Of many pairs, those that are decided stay as they are. */
const takeAgreed = () => {
  takeAll(pairs().filter((pair) => pair.dataset.state === "same" && !isDecided(pair)), "first");
};

const takeShown = (side) => takeAll(shown().filter((pair) => !isDecided(pair)), side);

const explain = () => {
  if (!here) step(1);
  if (here) reasonOf(here).focus();
};

const onReason = (event) => {
  const pair = event.target.closest("#pairs .pair");
  if (!pair || !event.target.matches("[data-reason]")) return;
  const fragments = [pair.dataset.first, pair.dataset.second].filter(Boolean).join(" ");
  marks.send(desk().dataset.reasons, { fragments, reason: event.target.value });
};

const onReasonKey = (event) => {
  if (event.key === "Enter" && event.target.matches("[data-reason]")) caret.enter();
};

export const COMMANDS = {
  KeyN: () => step(1),
  KeyP: () => step(-1),
  Digit1: () => take(here, "first"),
  Digit2: () => take(here, "second"),
  KeyA: takeAgreed,
  KeyR: explain,
};

export const BUTTONS = {
  pair: (number) => go(pairs().find((pair) => pair.dataset.number === number)),
  take: (_value, button) => take(button.closest(".pair"), button.dataset.side),
  agreed: takeAgreed,
  shown: takeShown,
};

/** Start: everything is on the page. */
export const begin = () => {
  if (!part("pairs")) return;
  part("desk").addEventListener("marks-renewed", follow);
  part("shown").addEventListener("change", () => {
    here = null;
    light({});
    redraw();
  });
  desk().addEventListener("change", onReason);
  desk().addEventListener("keydown", onReasonKey);
  redraw();
};
