// The changes of marks and of one's own points: each becomes one request in the queue of what is sent,
// in words for the list of what waits; and what the page shows of them when an answer comes.
import { activate, activeMark, itemOf, openedMark } from "./active.js";
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

/** The words a mark covers; its code where it covers the whole text. */
const wordsOf = (number) => {
  const extent = extentOf(number);
  return extent ? quote(extent) : (itemOf(number)?.dataset.code ?? "");
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

/** Mark places that have the same words, all in one change; ``like`` says with what. */
export const markAll = (places, words, like) => {
  const named = places.map(({ start, end }) => `${start}-${end}:${sending.newId()}`).join(" ");
  return send(desk().dataset.same, { places: named, quote: words, ...like }, `${words} × ${places.length} · ${like.code}`);
};

/** Change some fields of a mark. */
export const change = (number, values) => send(addressOf(number), values);

/** Move a mark's borders. */
export const move = (number, place) => change(number, { ...place, quote: quote(place) });

const STAYS = 6000; // milliseconds; longer while somebody is at it

const toast = () => part("toast");
let timer = 0;

/** What a toast says stays for a while only, whatever brought it. */
const onToast = ({ detail: { target } }) => {
  if (target !== toast()) return;
  clearTimeout(timer);
  timer = setTimeout(hideToast, STAYS);
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

/** Give up the changes that wait: the page shows what the server has. */
export const giveUp = () => {
  const changes = sending.giveUp();
  tell("given-up", changes);
  if (changes.length) sending.inform(sending.called("left", changes.map(sending.inWords).join("; ")));
};

/** Another browser made the change that would be touched: it was named, and is agreed to now. */
const agreed = (way) => {
  const notice = part("notice").querySelector(`[data-elsewhere="${way}"]`);
  return notice ? { agreed: notice.dataset.version } : {};
};

/** Take back the last change of the check, whatever it was. */
export const undo = () => send(desk().dataset.undo, agreed("undone"), sending.called("undo", ""));

/** Make again what was taken back last. */
export const redo = () => send(desk().dataset.redo, agreed("redone"), sending.called("redo", ""));

/** All that waits as a file: what is to be done, in words and as it would be sent. */
export const takeAway = () => {
  const waiting = sending.unanswered();
  const told = waiting.map((change) => ({ words: sending.inWords(change), path: change.path, ...change.values }));
  const file = new Blob([JSON.stringify({ page: location.href, changes: told }, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `razbor-${base().match(/[0-9]+/)[0]}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
};

// ── own points: what was refused, or is not sent yet, stays in its field when the panel comes anew ──

const stated = () => part("stated");
const isRefused = (field) => field.getAttribute("aria-invalid") === "true";
const whyOf = (field) => part(field.getAttribute("aria-describedby"));

/** The fields whose points were refused. */
export const refusedPoints = () => [...(stated()?.elements ?? [])].filter(isRefused);

/** Why they were refused, in sentences that name the criterion. */
export const reasons = () => refusedPoints().map((field) => whyOf(field).textContent);

const isOurs = (field, answered) =>
  field.name in answered ? field.value !== answered[field.name] : isRefused(field) || field.value !== field.defaultValue;

const carry = (field, answered, fragment) => {
  const fresh = fragment.querySelector(`#${field.id}`);
  fresh.value = field.value;
  if (field.name in answered || !isRefused(field)) return;
  fresh.setAttribute("aria-invalid", "true");
  fresh.setAttribute("aria-describedby", whyOf(field).id);
  fragment.querySelector("#stated").append(whyOf(field).cloneNode(true));
};

let comes = null; // the reason that comes with this answer

const keepPoints = ({ detail: { target, fragment } }) => {
  if (target.id !== "points" || !stated()) return;
  const answered = sending.inAnswer(stated().dataset.address);
  comes = fragment.querySelector("#stated .help")?.id ?? null;
  for (const field of stated().elements) if (isOurs(field, answered)) carry(field, answered, fragment);
};

/** Changes were given up: the fields show what is stored. */
const showStored = ({ detail: given }) => {
  for (const { path, values } of given) {
    if (path !== stated()?.dataset.address) continue;
    for (const field of stated().elements) if (field.name in values) field.value = field.defaultValue;
  }
};

/** Changes of another page are this page's now: the fields show them. */
const showTakenUp = ({ detail: found }) => {
  for (const { path, values } of found) {
    if (path !== stated()?.dataset.address) continue;
    for (const field of stated().elements) if (field.name in values) field.value = values[field.name];
  }
};

const showRefusal = () => {
  if (comes) part(comes)?.scrollIntoView({ block: "nearest" });
  comes = null;
};

// ── a page loaded anew while a change was being made ───────────────────────

const known = () => `razbor-version-${base()}`;
const version = () => Number(part("saved").dataset.version);

/** Is this page older than what its tab has seen? */
const isBehind = () => version() < Number(sessionStorage.getItem(known()));

const noteVersion = () => isBehind() || sessionStorage.setItem(known(), version());

const catchUp = () => {
  try {
    if (isBehind()) sending.look(desk().dataset.parts, { card: openedMark() ?? "" }, isBehind);
    desk().addEventListener("marks-renewed", noteVersion);
  } catch {
    // nothing is kept in this browser
  }
};

/** Start: everything is on the page. */
export const begin = () => {
  document.addEventListener("htmx:oobBeforeSwap", keepPoints);
  document.addEventListener("htmx:oobAfterSwap", showRefusal);
  document.addEventListener("htmx:oobAfterSwap", onToast);
  desk().addEventListener("given-up", showStored);
  desk().addEventListener("taken-up", showTakenUp);
  catchUp();
};
