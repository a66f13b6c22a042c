// The changes of marks and of one's own points: each becomes one request in the queue of what is sent,
// in words for the list of what waits; and what the page shows of them when an answer comes.
import { activate, activeMark, goTo, itemOf, openedMark, say } from "./active.js";
import { BAR } from "./margin.js";
import { extentOf, quote, shine } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const desk = () => part("desk");
const toast = () => part("toast");
const base = () => desk().dataset.fragments;
const tell = (name, detail) => desk().dispatchEvent(new CustomEvent(name, { detail }));

let nameOf = (number) => number;
let numberGiven = (name) => name;

/** How addresses name a mark: by its number, unless it has none yet; ``given`` is the number such a name has got since. */
export const nameMarksBy = (name, given) => {
  if (name) [nameOf, numberGiven] = [name, given];
};

/** Where changes of a mark go. */
export const addressOf = (number) => `${base()}${nameOf(number)}/`;

/** The number of the mark a change goes to; nothing where it goes elsewhere. */
export const numberIn = (path) =>
  path.startsWith(base()) ? String(numberGiven(path.slice(base().length).replace(/\/$/, ""))) : "";

/** Are two numbers those of one mark, also where one is its number from before the server gave it another? */
export const isOneMark = (one, other) => numberIn(addressOf(one)) === numberIn(addressOf(other));

/** This browser, as the log of changes knows it. */
const device = () => {
  try {
    if (!localStorage.getItem("razbor-device")) localStorage.setItem("razbor-device", sending.newId());
    return localStorage.getItem("razbor-device");
  } catch {
    return sending.page;
  }
};

/** What every change says of where it was made. */
const made = () => ({ page: `${device()}:${sending.page}`, card: openedMark() ?? "" });

/** Send a change or a step; the card that is open comes along with the answer, as it is by then. */
const give = (path, values, words, shows = null) => sending.send(path, { ...made(), ...values }, words, shows);

/** Send a change; what is still said of something before it is no news. */
export const send = (path, values = {}, words = null, shows = null) => {
  toast().querySelector("p")?.remove();
  return give(path, values, words, shows);
};

const MOST = 60; // signs of the words of a mark in a list

/** The words of a place, of many the first and the last. */
const excerpt = ({ start, end }) => {
  if (end - start <= MOST) return quote({ start, end });
  const [head, tail] = [quote({ start, end: start + 40 }), quote({ start: end - 20, end })];
  return `${head.replace(/\S*$/, "")}… ${tail.replace(/^\S*\s+/, "")}`; // whole words
};

/** The words a mark covers; its code where it covers the whole text. */
const wordsOf = (number) => {
  const extent = extentOf(number);
  return extent ? excerpt(extent) : (itemOf(number)?.dataset.code ?? "");
};

const TYPED = ["quote", "code", "subcode", "correction", "comment", "explanation", "tag", "reason"];

/** What a change does, as the list of what waits says it: "Deleted: people"; and the words for it. */
export const called = (name, words) => part("waiting").dataset[name].replace("%s", words);
export const inWords = ({ values, words }) => words ?? TYPED.map((name) => values[name]).filter(Boolean).join(" · ");

/** What a change says, for the list of what waits. */
const told = (values) => {
  const { quote: words, start, end } = values;
  const named = words ? { ...values, quote: excerpt({ start: Number(start), end: Number(end) }) } : values;
  return inWords({ values: named });
};

/** Mark a place with a code and its words; without a place it is a mistake of the whole text. */
export const mark = async (place, { code, subcode = "", ...words }) => {
  const where = place ? { ...place, quote: quote(place) } : {};
  if (place) shine("pending", [place]);
  activate(null); // until the new mark has its number keys are about none, least of all the one before
  const values = { code, subcode, ...words, ...where };
  await send(base(), values, told(values));
  shine("pending", []);
};

/** How the server knows a mark. */
export const nameOfMark = (number) => nameOf(number);

const changed = (number, values) => `${wordsOf(number)} · ${told(values) || "–"}`;

/** A change of some fields of a mark, as it waits: {path, values, words}. */
export const changeOf = (number, values) => ({
  path: addressOf(number),
  values: { ...made(), ...values },
  words: changed(number, values),
});

/** Change some fields of a mark. */
export const change = (number, values) => send(addressOf(number), values, changed(number, values));

/** Move a mark's borders. */
export const move = (number, place) => change(number, { ...place, quote: quote(place) });

const MOST_AGREED = 40; // are sent along: two rounds of what the server names at once
const STAYS = 6000; // milliseconds; longer while somebody is at it

let timer = 0;

const lines = () => [...document.querySelectorAll(".status > .told")];
const ASKED = "#moving, #linking"; // what says what is to be done
const AIR = 8; // pixels below each line that is said
const STATE = 36; // pixels the line of state takes
const EDGE = "#points, .pairs-bar, .standing, #settling, #palette, #cards, #search"; // what may lie at the lower edge

const fixed = (selector) =>
  [...document.querySelectorAll(selector)].filter((each) => each.offsetHeight > 0 && getComputedStyle(each).position === "fixed");

/** How much of a window is free above what lies at its lower edge, in pixels. */
const freeAbove = (selector) => Math.min(innerHeight, ...fixed(selector).map((each) => each.getBoundingClientRect().top));

/** How much is free above the sheet of a submission as well, where what is said would lie over it; without room there, above its buttons. */
const freeOfSheet = (free, tall) => {
  const [sheet, buttons] = ["submission", "hand-in"].map((id) => part(id)?.getBoundingClientRect());
  const isUnder = (box) => box?.height && box.top < free && box.bottom > free - tall;
  if (!isUnder(sheet)) return free;
  if (sheet.top - tall >= BAR) return sheet.top;
  return isUnder(buttons) ? buttons.top : free;
};

/** What is said covers nothing that lies at the lower edge of a narrow window; a toast stands above the other lines. */
export const lift = () => {
  const told = lines().find((line) => line.textContent);
  const [asked] = fixed(ASKED);
  const said = toast().firstElementChild;
  if (!said && !told && !asked) return;
  const heights = { told: told?.offsetHeight ?? 0, asked: asked ? asked.offsetHeight + AIR : 0 };
  const tall = heights.told + heights.asked + (said ? said.offsetHeight + AIR : 0);
  const { style } = document.documentElement;
  const free = Math.min(freeAbove(EDGE), innerHeight - STATE);
  style.setProperty("--low", `${innerHeight - freeOfSheet(free, tall)}px`);
  for (const [name, height] of Object.entries(heights)) style.setProperty(`--${name}`, `${height}px`);
};

/** Down to where words are in sight on a narrow window, also beneath what is said there. */
export const lowest = () => freeAbove(`${EDGE}, ${ASKED}, .status > .told, #toast > *`);

/** What a toast says stays for a while only, whatever brought it. */
const stay = () => {
  lift();
  clearTimeout(timer);
  timer = setTimeout(hideToast, STAYS);
};

/** A mark is chosen by now: that none was is no news. */
const forget = () => {
  const line = toast().querySelector("p");
  if (activeMark() && line?.textContent === toast().dataset.noMark) line.remove();
};

const onToast = ({ detail: { target } }) => target === toast() && stay();

/** Say why nothing came of a key: in sight, unless a mark can be brought back there, and to those who listen. */
export const explain = (words) => {
  say(words);
  if (toast().querySelector("form")) return;
  const line = Object.assign(document.createElement("p"), { className: "toast", textContent: words });
  toast().replaceChildren(line);
  stay();
};

const SHOWN = { Tab: "⇥", Enter: "↵", Backspace: "⌫" };

const shownOf = ({ key, ctrlKey, metaKey }) => SHOWN[key] ?? ([...key].length === 1 && !ctrlKey && !metaKey ? key : "");

/** Who waits for what keys are for sees so, and what was pressed meanwhile, null for nothing; who listens is told once. */
export const tellHeld = (keys) => {
  const line = part("held");
  if (!keys) return line.replaceChildren();
  if (!line.firstChild) line.append(line.dataset.words, " ", Object.assign(document.createElement("kbd"), { ariaHidden: "true" }));
  line.lastChild.textContent = keys.map(shownOf).join("");
};

const hideToast = () => {
  if (toast().matches(":hover, :focus-within")) timer = setTimeout(hideToast, STAYS);
  else toast().replaceChildren();
};

const dropOf = (number) => `${addressOf(number)}drop/`;

/** Is a mark being deleted? Whatever shows that at once may not have come yet. */
export const isLeaving = (number) => Boolean(sending.onTheWay(dropOf(number)).uid);

/** Marks go by what is sent: no key and no card is about them any more. */
export const parting = async (numbers, sends) => {
  const gone = numbers.map(String);
  if (gone.includes(activeMark())) activate(null);
  for (const number of gone) tell("mark-leaves", number);
  await sends();
  for (const number of gone) tell("mark-left", number);
};

/** Delete a mark; a toast brings it back. */
export const drop = async (number) => {
  if (isLeaving(number)) return; // a key pressed twice
  await parting([number], () => send(dropOf(number), {}, called("deleted", wordsOf(number))));
};

/** Bring back what was deleted last, while the toast offers it. */
export const restore = async () => {
  const form = toast().querySelector("form");
  if (!form) return;
  const found = Object.fromEntries(new FormData(form));
  toast().replaceChildren();
  const { start, end } = found;
  const values = start ? { ...found, quote: quote({ start: Number(start), end: Number(end) }) } : found;
  await send(base(), values, told(values));
};

/** Give two marks one tag: that of either, or a new one. */
export const link = async (first, second) => {
  const words = called("linked", `${wordsOf(first)} – ${wordsOf(second)}`);
  if ([null, String(first)].includes(openedMark())) activate(first); // before the answer: meanwhile one may go on
  else goTo(first); // from the card of the other one
  await send(desk().dataset.links, { first: nameOf(first), second: nameOf(second) }, words);
};

const agreedTo = new Set(); // the versions of changes of another browser that one was asked about

/** Another browser made the changes that would be touched: they were named, and are agreed to now, once for all. */
const agreed = (way) => {
  const notice = part("notice").querySelector(`[data-elsewhere="${way}"]`);
  for (const version of notice?.dataset.versions.trim().split(" ") ?? []) agreedTo.add(version);
  return agreedTo.size ? { agreed: [...agreedTo].slice(-MOST_AGREED).join(" ") } : {};
};

/** Go a step back or forth in the log; what that changes comes into sight. */
const step = async (name, way) => {
  tell("step-begins");
  await give(desk().dataset[name], { ...agreed(way), ...sending.aim(name) }, called(name, ""));
  tell("step-ends");
};

/** Take back the last change of the check, whatever it was. */
export const undo = () => step("undo", "undone");

/** Make again what was taken back last. */
export const redo = () => step("redo", "redone");

/** Start: everything is on the page. */
export const begin = () => {
  document.addEventListener("htmx:oobAfterSwap", onToast);
  document.addEventListener("selectionchange", lift); // codes may come up from below
  desk().addEventListener("laid-out", lift); // and a card
  new MutationObserver(lift).observe(desk(), { attributeFilter: ["class"] }); // or the pairs
  desk().addEventListener("mark-activated", forget);
  for (const line of lines()) new MutationObserver(lift).observe(line, { childList: true });
  for (const each of document.querySelectorAll(ASKED)) new MutationObserver(lift).observe(each, { attributes: true });
};
