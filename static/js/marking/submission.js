// The sheet before a submission: it stands in the palette's place, so that each problem's link shows its words
// while the sheet stays open.
import * as active from "./active.js";
import * as cards from "./cards.js";
import * as caret from "./caret.js";
import * as ownPoints from "./own-points.js";
import { report } from "./presence.js";
import * as sending from "./sending.js";

const part = (id) => document.getElementById(id);
const sheet = () => part("submission");
const isBlocked = () => part("checklist").querySelector(".blocks") !== null;

/** Is the sheet open? */
export const isOpen = () => Boolean(sheet()) && !sheet().hidden;

const refusedLine = (field, why) => {
  const line = part("refused-own").content.cloneNode(true);
  const button = line.querySelector("button");
  button.dataset.value = field.id;
  button.textContent = why;
  return line;
};

/** Own points that were refused stand among what keeps the check back, each leading to its field. */
const listRefused = () => {
  const list = part("checklist");
  const keepsBack = () => list.querySelector("[data-keeps-back]");
  for (const line of list.querySelectorAll("[data-own]")) line.remove();
  const why = ownPoints.reasons();
  if (why.length && !keepsBack()) list.prepend(part("keeps-back").content.cloneNode(true));
  if (!keepsBack()) return;
  const lines = keepsBack().querySelector("ul");
  lines.append(...ownPoints.refusedPoints().map((field, at) => refusedLine(field, why[at])));
  keepsBack().querySelector("[data-count]").textContent = lines.children.length;
  if (!lines.children.length) keepsBack().remove();
};

let isAsked = false; // a press is on its way: another one sends nothing

const closeButtons = () => {
  for (const button of sheet().querySelectorAll("#submit button")) button.disabled = isAsked || isBlocked();
};

const review = () => {
  listRefused();
  closeButtons();
  part("kept-back").hidden = !isBlocked();
};

let before = ""; // what was selected when it was opened

const selected = () => JSON.stringify(caret.selected());

/** Open it: what keeps the check back has the focus, else the sheet itself, for words that somebody types press no button. */
export const open = () => {
  if (getComputedStyle(part("cards")).position === "fixed") cards.close(); // it would lie over the sheet
  sheet().hidden = false;
  before = selected();
  part("to-submit").setAttribute("aria-expanded", "true");
  part("desk").classList.add("submitting");
  if (part("points-why")) part("points-why").open = true;
  review();
  part("desk").dispatchEvent(new CustomEvent("sheet-opened"));
  const problem = sheet().querySelector(".blocks button, .blocks[tabindex]");
  (problem ?? sheet()).focus({ preventScroll: !problem });
  sheet().scrollIntoView({ block: "nearest" });
};

/** Go to the field of an own point. */
export const toField = (name) => {
  for (const id of ["points-why", "own-points"]) part(id).open = true;
  part(name).focus();
};

/** Back to marking. */
export const close = () => {
  sheet().hidden = true;
  part("to-submit").setAttribute("aria-expanded", "false");
  part("desk").classList.remove("submitting");
  if (part("points-why")) part("points-why").open = false;
};

/** Whoever looks for a code, or selects other words, marks on: the codes have their place again, and the text stays in its. */
const giveWay = ({ type }) => {
  if (!isOpen() || (type === "words-selected" && selected() === before)) return;
  const { top } = part("essay").getBoundingClientRect();
  close();
  scrollBy({ top: part("essay").getBoundingClientRect().top - top, behavior: "instant" });
};

const notSubmitted = (why) => {
  part("notice").replaceChildren(part(why).content.cloneNode(true));
  part("notice").scrollIntoView({ block: "nearest" });
  sheet().scrollTop = sheet().scrollHeight; // it has less room now, and its buttons are last
};

const PATIENCE = 6_000; // milliseconds

/** Does the server answer? A form that is sent without a network takes the page along. */
const isThere = () => fetch(import.meta.url, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(() => true, () => false);

/** Are the last words sent, and does the server answer? No second press meanwhile. */
const settle = async (button) => {
  isAsked = true;
  closeButtons();
  await sending.settled();
  const found = await isThere();
  isAsked = false;
  closeButtons();
  if (document.activeElement === document.body) button?.focus(); // it had the focus before it was closed
  return found;
};

const submit = async (event) => {
  event.preventDefault(); // the last words are still on their way
  if (isAsked) return;
  const isReached = await settle(event.submitter);
  if (ownPoints.refusedPoints().length) {
    notSubmitted("refused-points");
    part("notice").querySelector("[data-reasons]").textContent = ownPoints.reasons().join(" ");
    ownPoints.refusedPoints()[0].focus();
    return;
  }
  if (!sending.isSaved() || cards.hasUnsaved()) {
    notSubmitted("unsaved");
    cards.openRefused();
    return;
  }
  if (!isReached) return notSubmitted("unreached");
  await Promise.race([report(), new Promise((waited) => setTimeout(waited, PATIENCE))]); // afterwards no time is counted
  const { csrfmiddlewaretoken, version, next } = part("submit").elements;
  next.value = event.submitter?.dataset.next ?? "";
  csrfmiddlewaretoken.value = sending.token() || csrfmiddlewaretoken.value;
  version.value = part("saved").dataset.version;
  part("submit").submit();
};

/** The keys of the sheet submit the check as its first button does. */
const onKey = (event) => {
  if (event.key !== "Enter" || !event.ctrlKey || part("hand-in-next").disabled) return;
  event.preventDefault();
  part("submit").requestSubmit(part("hand-in-next"));
};

/** A crossing is mended by borders: its line leads to the mark in the text, where keys and handles move them. */
const toMark = ({ target }) => {
  const number = target.closest("[data-crosses]")?.dataset.value;
  if (!number) return;
  caret.enter();
  active.goTo(number, { scroll: true });
  active.say(active.itemOf(number)?.querySelector("button").textContent ?? "");
};

/** Start: everything is on the page. */
export const begin = () => {
  sheet().addEventListener("click", toMark);
  sheet().addEventListener("keydown", onKey);
  part("submit").addEventListener("submit", submit);
  part("desk").addEventListener("marks-renewed", () => isOpen() && review());
  for (const name of ["codes-wanted", "words-selected"]) part("desk").addEventListener(name, giveWay);
  document.addEventListener("click", ({ target }) => {
    const strip = part("points-why"); // what opened over the palette goes with the next press elsewhere
    if (strip?.open && !isOpen() && !target.closest("#points") && target.closest("#sheet, #palette")) strip.open = false;
  });
};
