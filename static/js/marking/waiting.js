// What waits, in words: why it does, what there is elsewhere, and all of it as a file. It comes when the page stands
// already, as what paints without a network does.
import { activeMark, inform, itemOf, openedMark } from "./active.js";
import * as cards from "./cards.js";
import { called, inWords } from "./changes.js";
import { extentOf } from "./places.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);

/** A mark in words, as the list of marks has it; empty where it is not there. */
export const markInWords = (number) => itemOf(number)?.querySelector("button").innerText.replace(/\s+/g, " ").trim() ?? "";

let pairInWords = () => ""; // what became of the fragments of earlier checks, where a third expert decides

/** ``given`` tells what is there of the fragments a change is about. */
export const tellPairsBy = (given) => {
  pairInWords = given;
};

/** The points of one's own that a change would write anew. */
const pointsThere = ({ path, values }) => {
  const stated = part("stated");
  if (path !== stated?.dataset.address) return "";
  const fields = [...stated.elements].filter(({ name }) => name && name in values);
  return fields.map(({ name, defaultValue }) => `${name}: ${defaultValue || "–"}`).join("; ");
};

/** What is there by now of what a change is about; empty where nothing can be told. */
const elsewhere = (change) =>
  sending.subjectsOf(change).map(markInWords).filter(Boolean).join("; ") || pointsThere(change) || pairInWords(change);

const list = (words) => {
  const lines = words.map((textContent) => Object.assign(document.createElement("li"), { textContent }));
  part("waiting").querySelector("ul")?.replaceChildren(...lines);
};

/** What joins them while they are tried once more is named with them. */
const nameAll = () => part("waiting").querySelector("[data-goes-on]") && list(sending.unstored().map(inWords).filter(Boolean));

/** Say which changes wait, and why, unless just this is said already. */
export const say = (reason, found, isKept) => {
  const words = found.map(inWords).filter(Boolean);
  const there = reason === "conflict" ? elsewhere(found.find(({ stuck }) => stuck === "conflict")) : "";
  const box = part("waiting");
  const now = JSON.stringify([reason, words, there, isKept]);
  if (box.dataset.told === now) return;
  box.dataset.told = now;
  box.replaceChildren(...(reason ? [part(`waiting-${reason}`).content.cloneNode(true)] : []));
  for (const each of box.querySelectorAll("[data-count]")) each.textContent = `(${words.length})`;
  for (const each of box.querySelectorAll("[data-there]")) {
    each.textContent = there;
    each.parentElement.hidden = !there;
  }
  sending.tellKept(box);
  list(words);
  tellWhoElse();
};

/** While somebody else is logged in nothing goes on: it is told who that is. */
const tellWhoElse = async () => {
  const line = part("waiting").querySelector("[data-else]");
  if (!line) return;
  const name = await (await sending.bring("signing"))?.whoElse();
  line.hidden = !name;
  line.querySelector("b").textContent = name ?? "";
};

part("desk").addEventListener("laid-out", nameAll);
part("waiting")?.addEventListener("click", ({ target }) => target.closest("[data-do=again]") && tellWhoElse());

// ── what was thrown away ────────────────────────────────────────────────────

const thrown = []; // the changes of one press each, the last press last: as long as this page is open

const tellThrown = () => {
  part("thrown")?.remove();
  if (!thrown.length) return;
  const textContent = called("back", thrown.at(-1).length);
  const button = Object.assign(document.createElement("button"), { id: "thrown", type: "button", className: "btn small", textContent });
  button.dataset.do = "bringback";
  part("waiting").after(button);
};

/** Throw away the changes that wait: the page shows what the server has. */
export const giveUp = () => {
  const changes = sending.giveUp();
  part("desk").dispatchEvent(new CustomEvent("given-up", { detail: changes }));
  if (!changes.length) return;
  thrown.push(changes);
  tellThrown();
  inform(called("left", changes.map(inWords).join("; ")));
};

/** What was thrown away last waits again, and goes as before. */
export const bringBack = () => {
  const changes = thrown.pop();
  tellThrown();
  inform("");
  sending.takeUp(changes);
};

// ── a file, a card ──────────────────────────────────────────────────────────

/** All that waits as a file: what is to be done, in words and as it would be sent. */
export const takeAway = () => {
  const told = sending.unstored().map((change) => ({ words: inWords(change), path: change.path, ...change.values }));
  const file = new Blob([JSON.stringify({ page: location.href, changes: told }, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `razbor-${part("desk").dataset.fragments.match(/[0-9]+/)[0]}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
};

const RETRY = 4_000; // milliseconds to the next attempt

let timer = 0;
let isTold = false; // that the card comes later

const openNow = async (number, at) => {
  const isSame = standIn?.isOpen() ? openedMark() === String(number) : !standsIn && !openedMark();
  if (activeMark() !== String(number) || !isSame) return;
  if (sending.unanswered().length) return wait(number, at); // changes go first
  isTold = true;
  await cards.open(number, { at: at ?? extentOf(number)?.start ?? null });
  isTold = false;
  if (standIn?.isOpen()) wait(number, at);
};

const wait = (number, at) => {
  clearTimeout(timer);
  timer = setTimeout(openNow, RETRY, number, at);
};

let standIn = null; // the module of cards that stand in, once it came
let standsIn = false; // one stands in for the card that is waited for, or did until it was closed

/** The card opens once the server answers again, if its mark is the active one still: true where another one stands in
 * for it meanwhile. */
const openLater = async (number, at, isCut) => {
  wait(number, at);
  if (part("stand-in")) standIn = await sending.warm("stand-in");
  standsIn = activeMark() === String(number) && (standIn?.show(number) ?? false);
  if (isCut && !isTold && !standsIn) inform(part("told").dataset.later);
  return standsIn;
};

/** Its mark is gone, or its check closed. */
const catchUp = async (number) => {
  const { parts } = part("desk").dataset;
  const status = parts && (await sending.look(parts, { card: "" }, () => true));
  if (status && status < 400 && itemOf(number)) return;
  const { gone, closed, away } = part("told").dataset;
  if (!parts) inform(away);
  else if (status < 400) inform(gone);
  else if (status === 404 || status === 409) inform(closed);
};

/** The card of a mark, over a place, did not come: what the server said instead. True where another one stands in. */
export const missCard = (number, at, status) => {
  const isToCome = status === 404 && itemOf(number)?.dataset.pending; // its mark waits to be made
  if (status === 404 && !isToCome) return catchUp(number);
  const isCut = !status || status >= 500 || isToCome;
  return (isCut || status === 286) && openLater(number, at, isCut);
};

/** The check is closed: what was typed waits with the rest, and its card, only read by now, has what is stored. */
export const shutCard = () => {
  const form = part("cards").querySelector("form");
  if (!form) return;
  const isIn = form.contains(document.activeElement);
  const { number } = form.dataset;
  cards.close();
  if (isIn) part("essay").focus({ preventScroll: true });
  cards.open(number);
};
