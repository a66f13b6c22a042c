// The changes of marks: each becomes one request in the queue of what is sent, in words for the list
// of what waits.
import { activate, activeMark, itemOf, openedMark } from "./active.js";
import { extentOf, quote, shine } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const desk = () => part("desk");
const base = () => desk().dataset.fragments;
const tell = (name, detail) => desk().dispatchEvent(new CustomEvent(name, { detail }));

/** Where changes of a mark go. */
export const addressOf = (number) => `${base()}${number}/`;

/** The number of the mark a change goes to; nothing where it goes elsewhere. */
export const numberIn = (path) => (path.startsWith(base()) ? path.slice(base().length).replace(/\/$/, "") : "");

/** Send a change; the card that is open comes along with the answer, as it is by then. */
export const send = (path, values = {}, words = null) =>
  sending.send(path, { card: openedMark() ?? "", ...values }, words);

/** The words a mark covers; its code where it covers the whole text. */
const wordsOf = (number) => {
  const extent = extentOf(number);
  return extent ? quote(extent) : (itemOf(number)?.dataset.code ?? "");
};

/** Mark a place with a code; without a place it is a mistake of the whole text. */
export const mark = async (place, { code, subcode = "" }) => {
  const where = place ? { ...place, quote: quote(place) } : {};
  if (place) shine("pending", [place]);
  await send(base(), { code, subcode, ...where });
  shine("pending", []);
  if (openedMark()) activate(openedMark());
};

/** Change some fields of a mark. */
export const change = (number, values) => send(addressOf(number), values);

/** Move a mark's borders. */
export const move = (number, place) => change(number, { ...place, quote: quote(place) });

const STAYS = 6000; // milliseconds; longer while somebody is at it

const toast = () => part("toast");
let timer = 0;

const hideToast = () => {
  if (toast().matches(":hover, :focus-within")) timer = setTimeout(hideToast, STAYS);
  else toast().replaceChildren();
};

/** Delete a mark; a toast brings it back. */
export const drop = async (number) => {
  const path = `${base()}${number}/drop/`;
  if (sending.onTheWay(path).uid) return; // a key pressed twice
  if (String(number) === activeMark()) activate(null);
  tell("mark-leaves", String(number));
  await send(path, {}, sending.called("deleted", wordsOf(number)));
  tell("mark-left", String(number));
  clearTimeout(timer);
  timer = setTimeout(hideToast, STAYS);
};

/** Bring back what was deleted last, while the toast offers it. */
export const restore = async () => {
  const form = toast().querySelector("form");
  if (!form) return;
  const values = Object.fromEntries(new FormData(form));
  toast().replaceChildren();
  const { start, end } = values;
  await send(base(), start ? { ...values, quote: quote({ start: Number(start), end: Number(end) }) } : values);
  if (openedMark()) activate(openedMark());
};

/** Give two marks one tag: that of either, or a new one. */
export const link = async (first, second) => {
  const words = sending.called("linked", `${wordsOf(first)} – ${wordsOf(second)}`);
  await send(desk().dataset.links, { first, second }, words);
  activate(first);
};

/** Give up the changes that wait: the page shows what the server has. */
export const giveUp = () => {
  const changes = sending.giveUp();
  tell("given-up", changes);
  if (changes.length) sending.inform(sending.called("left", changes.map(sending.inWords).join("; ")));
};
