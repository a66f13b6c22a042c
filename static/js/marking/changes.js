// The changes of marks and of one's own points: each becomes one request in the queue of what is sent,
// in words for the list of what waits; and what the page shows of them when an answer comes.
import { activate, activeMark, itemOf, openedMark, say } from "./active.js";
import { extentOf, quote, shine } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const desk = () => part("desk");
const base = () => desk().dataset.fragments;
const tell = (name, detail) => desk().dispatchEvent(new CustomEvent(name, { detail }));

let nameOf = (number) => number;

/** How addresses name a mark: by its number, unless it has none yet. */
export const nameMarksBy = (name) => {
  if (name) nameOf = name;
};

/** Where changes of a mark go. */
export const addressOf = (number) => `${base()}${nameOf(number)}/`;

/** The number of the mark a change goes to; nothing where it goes elsewhere. */
export const numberIn = (path) => (path.startsWith(base()) ? path.slice(base().length).replace(/\/$/, "") : "");

/** Send a change; the card that is open comes along with the answer, as it is by then. */
export const send = (path, values = {}, words = null, shows = null) =>
  sending.send(path, { card: openedMark() ?? "", ...values }, words, shows);

const MOST = 60; // signs of the words of a mark in a list

/** The words a mark covers, of many the first and the last; its code where it covers the whole text. */
const wordsOf = (number) => {
  const { start, end } = extentOf(number) ?? {};
  const [head, tail] = end - start > MOST ? [quote({ start, end: start + 40 }), quote({ start: end - 20, end })] : [];
  if (head) return `${head.replace(/\S*$/, "")}… ${tail.replace(/^\S*\s+/, "")}`; // whole words
  return end ? quote({ start, end }) : (itemOf(number)?.dataset.code ?? "");
};

/** Mark a place with a code and its words; without a place it is a mistake of the whole text. */
export const mark = async (place, { code, subcode = "", ...words }) => {
  const where = place ? { ...place, quote: quote(place) } : {};
  if (place) shine("pending", [place]);
  activate(null); // until the new mark has its number keys are about none, least of all the one before
  await send(base(), { code, subcode, ...words, ...where });
  shine("pending", []);
};

/** How the server knows a mark. */
export const nameOfMark = (number) => nameOf(number);

/** Change some fields of a mark. */
export const change = (number, values) => {
  const said = sending.inWords({ values }) || "–";
  return send(addressOf(number), values, `${wordsOf(number)} · ${said}`);
};

/** Move a mark's borders. */
export const move = (number, place) => change(number, { ...place, quote: quote(place) });

const MOST_AGREED = 40; // are sent along: two rounds of what the server names at once
const STAYS = 6000; // milliseconds; longer while somebody is at it

const toast = () => part("toast");
let timer = 0;

/** What a toast says stays for a while only, whatever brought it. */
const stay = () => {
  clearTimeout(timer);
  timer = setTimeout(hideToast, STAYS);
};

const onToast = ({ detail: { target } }) => target === toast() && stay();

/** Say why nothing came of a key: in sight, and to those who listen. */
export const explain = (words) => {
  const line = Object.assign(document.createElement("p"), { className: "toast", textContent: words });
  toast().replaceChildren(line);
  stay();
  say(words);
};

const hideToast = () => {
  if (toast().matches(":hover, :focus-within")) timer = setTimeout(hideToast, STAYS);
  else toast().replaceChildren();
};

/** Delete a mark; a toast brings it back. */
export const drop = async (number) => {
  const path = `${addressOf(number)}drop/`;
  if (sending.onTheWay(path).uid) return; // a key pressed twice
  if (String(number) === activeMark()) activate(null);
  tell("mark-leaves", String(number));
  await send(path, {}, sending.called("deleted", wordsOf(number)));
  tell("mark-left", String(number));
};

/** Bring back what was deleted last, while the toast offers it. */
export const restore = async () => {
  const form = toast().querySelector("form");
  if (!form) return;
  const values = Object.fromEntries(new FormData(form));
  toast().replaceChildren();
  const { start, end } = values;
  await send(base(), start ? { ...values, quote: quote({ start: Number(start), end: Number(end) }) } : values);
};

/** Give two marks one tag: that of either, or a new one. */
export const link = async (first, second) => {
  const words = sending.called("linked", `${wordsOf(first)} – ${wordsOf(second)}`);
  await send(desk().dataset.links, { first, second }, words);
  activate(first);
};

const agreedTo = new Set(); // the versions of changes of another browser that one was asked about

/** Another browser made the changes that would be touched: they were named, and are agreed to now, once for all. */
const agreed = (way) => {
  const notice = part("notice").querySelector(`[data-elsewhere="${way}"]`);
  for (const version of notice?.dataset.versions.trim().split(" ") ?? []) agreedTo.add(version);
  return agreedTo.size ? { agreed: [...agreedTo].slice(-MOST_AGREED).join(" ") } : {};
};

/** Take back the last change of the check, whatever it was. */
export const undo = () => send(desk().dataset.undo, agreed("undone"), sending.called("undo", ""));

/** Make again what was taken back last. */
export const redo = () => send(desk().dataset.redo, agreed("redone"), sending.called("redo", ""));

/** Start: everything is on the page. */
export const begin = () => document.addEventListener("htmx:oobAfterSwap", onToast);
